"""The word layers of the Cube: three kinds of clusters and CBOW vectors, of the word vectors' texts."""

import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from features.arrays import Ints, Singles
from features.research.word_layers import LayersManifest, WordClusters, save
from features.research.word_vectors import WordVectors, word_vectors
from features.text.sentence_vectors import scaled
from training.sources import TrainingSources
from training.vectors import write_corpus
from training.word_clustering import Bigrams, brown_paths, exchange_classes, numbered

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class LayerSettings:
    """Sizes and lengths of a run; the defaults made the layers that come with Kindred."""

    words: int = 20_000
    brown: int = 1000
    classes: int = 512
    near: int = 1000
    sweeps: int = 10
    dimensions: int = 48
    window: int = 4
    epochs: int = 5
    seed: int = 1


def train_layers(
    sources: TrainingSources,
    out: Path,
    *,
    settings: LayerSettings | None = None,
    say: Say = lambda _: None,
) -> dict[str, int]:
    """Train the layers, write them with their manifest, and give how many words and bytes they have."""
    settings = settings or LayerSettings()
    with tempfile.TemporaryDirectory(prefix="kindred-layers-") as folder:
        corpus = Path(folder) / "corpus.txt"
        say("reading the texts")
        write_corpus(sources, corpus)
        return layers_of(corpus, out, settings, say)


def layers_of(corpus: Path, out: Path, settings: LayerSettings, say: Say) -> dict[str, int]:
    """The same of a file with a sentence a line, whose words stand apart."""
    counts = Counter(word for sentence in _sentences(corpus) for word in sentence)
    words = sorted(counts, key=lambda word: (-counts[word], word))[: settings.words]
    tokens = numbered(_sentences(corpus), {word: row for row, word in enumerate(words)})
    bigrams = Bigrams.of(tokens, len(words))
    say("Brown clusters")
    paths = brown_paths(bigrams, settings.brown)
    say("clusters by exchange")
    classes = exchange_classes(bigrams, settings.classes, settings.sweeps).tolist()
    say("clusters of vectors")
    near = near_clusters(word_vectors(), words, settings.near, settings.seed).tolist()
    say("CBOW vectors")
    vectors = _cbow(corpus, {word: counts[word] for word in words}, settings)
    manifest = LayersManifest(
        words=len(words),
        tokens=counts.total(),
        dimensions=settings.dimensions,
        texts="the shared museum records and a selection of Wikipedia, as of the compact English models",
        brown=f"Brown and others (1992), {len(set(paths))} clusters",
        clark=f"exchange (Ney, Essen and Kneser 1994), {len(set(classes))} classes,"
        f" at most {settings.sweeps} sweeps, without Clark's prior of spellings",
        vectors=f"k-means over the skip-gram vectors, {len(set(near) - {-1})} clusters",
        cbow=f"CBOW, windows of {settings.window} words to each side, 5 negative samples,"
        f" {settings.epochs} epochs, as int8 with a scale for each word",
    )
    rows = [WordClusters(*row) for row in zip(words, paths, classes, near, strict=True)]
    size = save(out, manifest, rows, *scaled(vectors))
    return {"words": len(words), "tokens": counts.total(), "bytes": size}


def near_clusters(vectors: WordVectors, words: Sequence[str], clusters: int, seed: int) -> Ints:
    """The cluster of each word by k-means over unit vectors, -1 for a word without a vector.

    >>> vectors = np.array([[1, 0], [0.9, 0.1], [0, 1]], np.float32)
    >>> toy = WordVectors({"sea": 0, "ocean": 1, "tax": 2}, vectors, b"")
    >>> sea, ocean, tax, unheard = near_clusters(toy, ["sea", "ocean", "tax", "unheard"], 2, 1).tolist()
    >>> sea == ocean, sea == tax, unheard
    (True, False, -1)
    """
    from sklearn.cluster import MiniBatchKMeans

    units = vectors.units(vectors.rows(words))
    known = np.flatnonzero(units.any(axis=1))
    labels = np.full(len(words), -1, np.int32)
    if len(known):
        size = min(clusters, len(known))
        model = MiniBatchKMeans(size, random_state=seed, batch_size=4096, n_init=1, max_iter=20)
        labels[known] = model.fit_predict(units[known])
    return labels


def _cbow(corpus: Path, counts: dict[str, int], settings: LayerSettings) -> Singles:
    from gensim.models import Word2Vec
    from gensim.models.word2vec import LineSentence

    model = Word2Vec(
        vector_size=settings.dimensions,
        window=settings.window,
        shrink_windows=False,  # all words of a window count, and not the nearer ones oftener
        min_count=1,
        sg=0,
        negative=5,
        seed=settings.seed,
        workers=1,  # more would make the order of the updates, and so the vectors, a matter of chance
    )
    sentences = LineSentence(str(corpus))
    total = sum(1 for _ in sentences)
    model.build_vocab_from_freq(counts, corpus_count=total)
    model.train(sentences, total_examples=total, epochs=settings.epochs)
    vectors: Singles = np.stack([model.wv[word] for word in counts])
    return vectors


def _sentences(corpus: Path) -> Iterator[Sequence[str]]:
    with corpus.open(encoding="utf-8") as file:
        for line in file:
            yield line.split()
