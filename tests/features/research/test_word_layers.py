"""Clusters by neighbours, on texts where they are plain; the layers that come with the project; articles."""

from pathlib import Path

import numpy as np
import pytest

from features.arrays import Longs
from features.research.candidate_articles import ArticleSimilarity
from features.research.wikipedia.store import Wikipedia
from features.research.word_layers import ClusterSimilarity, WordLayers, brown_clusters, word_layers
from features.research.word_measures import WordMeasure
from features.research.word_vectors import VectorSimilarity
from ingest.errors import DamagedArtefact
from tests.wikipedia_builders import built, dump_texts, packed
from training.brown_kernels import brown_merges
from training.word_clustering import Bigrams, brown_paths, exchange_classes, numbered
from training.word_layers import LayerSettings, layers_of

PAIRS = [("the", "a"), ("red", "blue"), ("cat", "dog"), ("runs", "sleeps")]
WORDS = [word for pair in PAIRS for word in pair]
TEXT = [
    pair[number]
    for numbers in np.random.default_rng(3).integers(0, 2, (300, 4))
    for pair, number in zip(PAIRS, numbers, strict=True)
]
"""The red cat runs a blue cat sleeps, and so on: the neighbours of both of a pair are the same."""
TOY = Bigrams.of(numbered([TEXT], {word: row for row, word in enumerate(WORDS)}), len(WORDS))


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Layers of the toy corpus, in a folder."""
    folder = tmp_path_factory.mktemp("layers")
    corpus = folder / "corpus.txt"
    corpus.write_text(" ".join(TEXT) + "\n", encoding="utf-8")
    settings = LayerSettings(words=8, brown=8, classes=4, dimensions=4, epochs=1)
    counts = layers_of(corpus, folder / "out", settings, lambda _: None)
    assert (counts["words"], counts["tokens"]) == (8, 1200)
    return folder / "out"


def test_words_of_the_same_neighbours_come_into_one_cluster() -> None:
    paths = dict(zip(WORDS, brown_paths(TOY, 8), strict=True))
    assert len(set(paths.values())) == 8
    assert all(paths[one][:-1] == paths[two][:-1] for one, two in PAIRS)
    # no path begins another: they end at leaves
    assert not any(one != two and two.startswith(one) for one in paths.values() for two in paths.values())
    classes = dict(zip(WORDS, exchange_classes(TOY, 4, 10).tolist(), strict=True))
    assert all(classes[one] == classes[two] for one, two in PAIRS)
    assert len(set(classes.values())) == 4


def test_few_words_make_few_clusters() -> None:
    assert sorted(brown_paths(TOY, 100)) == sorted(set(brown_paths(TOY, 100)))
    assert brown_paths(TOY, 1) == [""] * len(WORDS)
    assert set(exchange_classes(TOY, 1, 3).tolist()) == {0}


def information(counts: Longs) -> float:
    """The mutual information of neighbours, times their number."""
    expected = counts.sum(axis=1, keepdims=True) * counts.sum(axis=0) / counts.sum()
    there = counts > 0
    return float((counts[there] * np.log(counts[there] / expected[there])).sum())


@pytest.mark.parametrize("seed", range(3))
def test_the_merge_that_loses_least_is_made_at_each_step(seed: int) -> None:
    words, clusters = 16, 6
    random = np.random.default_rng(seed)
    counts = random.poisson(random.gamma(0.5, 6.0, (words, words)))
    pairs = [[one, two, -1] for one in range(words) for two in range(words) for _ in range(counts[one, two])]
    groups: list[frozenset[int]] = []

    def between(some: list[frozenset[int]]) -> Longs:
        inside = np.array([[word in group for word in range(words)] for group in some], np.int64)
        return inside @ counts @ inside.T

    for word in range(words):
        groups.append(frozenset({word}))
        if len(groups) > clusters:
            ways = [
                [group for group in groups if group not in (one, two)] + [one | two]
                for at, one in enumerate(groups)
                for two in groups[:at]
            ]
            groups = max(ways, key=lambda way: information(between(way)))
    slots, _ = brown_merges(*Bigrams.of(np.array(pairs, np.int32).ravel(), words), clusters)
    assert {frozenset(np.flatnonzero(slots == slot).tolist()) for slot in set(slots.tolist())} == {*groups}


def test_an_exchange_is_at_rest_where_no_word_gains_by_moving() -> None:
    random = np.random.default_rng(7)
    counts = random.poisson(random.gamma(0.5, 6.0, (12, 12)))
    pairs = [[one, two, -1] for one in range(12) for two in range(12) for _ in range(counts[one, two])]
    labels = exchange_classes(Bigrams.of(np.array(pairs, np.int32).ravel(), 12), 4, 50)

    def score(classes: Longs) -> float:
        inside = np.eye(4, dtype=np.int64)[classes]
        return information(inside.T @ counts @ inside)

    for word in range(12):
        for label in range(4):
            moved = labels.astype(np.int64)
            moved[word] = label
            assert score(moved) <= score(labels.astype(np.int64)) + 1e-6


def test_what_was_trained_is_read_again(trained: Path) -> None:
    layers = word_layers(trained)
    steps = len(layers.brown["cat"]) - 1
    near, whole, one = (ClusterSimilarity(brown_clusters(layers.brown, size)) for size in (steps, 17, 0))
    assert near.of(["cat"], ["dog", "red"]).tolist() == [[1, 0]]
    assert whole.of(["cat"], ["dog", "cat"]).tolist() == [[0, 1]]
    assert one.of(["cat"], ["red", "unheard"]).tolist() == [[1, 0]]
    assert ClusterSimilarity(layers.clark).of(["cat"], ["dog", "red"]).tolist() == [[1, 0]]
    assert layers.vectors.keys() <= layers.clark.keys()
    assert layers.cbow.vectors.shape == (8, 4)


@pytest.mark.parametrize("name", ["clusters", "cbow"])
def test_what_was_altered_is_refused(trained: Path, tmp_path: Path, name: str) -> None:
    for file in trained.iterdir():
        data = file.read_bytes()
        (tmp_path / file.name).write_bytes(data[:-1] if file.name.startswith(name) else data)
    with pytest.raises(DamagedArtefact, match="does not fit its checksum"):
        word_layers(tmp_path)
    with pytest.raises(DamagedArtefact, match="cannot be read"):
        word_layers(tmp_path / "nowhere")


def of_each(layers: WordLayers) -> list[WordMeasure]:
    return [
        ClusterSimilarity(layers.brown),
        ClusterSimilarity(layers.clark),
        ClusterSimilarity(layers.vectors),
        VectorSimilarity(layers.cbow),
    ]


def test_the_layers_that_come_with_the_project_say_what_is_alike() -> None:
    layers = word_layers()
    assert len(layers.brown) == len(layers.clark) == len(layers.cbow.vectors) == 20_000
    words = ["march", "april", "sculptor", "painting", "unheardof"]
    for measure in of_each(layers):
        values = measure.of(words, words)
        assert values == pytest.approx(values.T)
        assert ((values >= 0) & (values <= 1)).all()
        assert (values.diagonal() == 1).all()
        assert values[4, :4].tolist() == [0] * 4
        assert values[0, 1] > values[0, 3]
        assert measure.of([], words).shape == (0, 5)


@pytest.fixture(scope="module")
def toy(tmp_path_factory: pytest.TempPathFactory) -> Wikipedia:
    folder = tmp_path_factory.mktemp("toy")
    return built(packed(folder / "dumps", dump_texts()), folder / "wikipedia")


def test_words_are_alike_by_the_articles_that_they_may_name(toy: Wikipedia) -> None:
    articles = ArticleSimilarity(toy)
    assert {toy.title(one) for one in articles.candidates("paris")} == {"Paris", "Paris (mythology)"}
    # a redirect leads to the article of the other; Venice is no candidate of Paris
    values = articles.of(["serenissima", "La Serenissima", "paris", "unheard", ""], ["venice", "paris"])
    assert values.tolist() == [[0, 0], [1, 0], [0, 1], [0, 0], [0, 0]]
    assert articles.of(["unheard"], ["unheard"]).tolist() == [[1]]
    assert articles.of([], ["paris"]).shape == (0, 1)
