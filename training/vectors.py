"""Word vectors: skip-gram over the museum records and the Wikipedia selection."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from features.text.tokenizer import tokenize
from training.corpora import read_articles, read_records
from training.quiet import repeatable
from training.sources import TrainingSources

_TEXT_FIELDS: Final = (
    "title",
    "description",
    "medium",
    "classification",
    "department",
    "provenance",
    "credit",
    "source",
    "creator",
    "creator_birth_place",
    "creator_nationality",
    "subject",
    "subject_path",
    "place",
)


def train_vectors(
    sources: TrainingSources, work: Path, *, dimensions: int, words: int, epochs: int, seed: int
) -> Path:
    """Train the vectors and write them as the pretrain file that Stanza's trainers take."""
    import torch
    from gensim.models import Word2Vec
    from gensim.models.word2vec import LineSentence
    from stanza.models.common.pretrain import Pretrain, PretrainedWordVocab

    corpus = work / "corpus.txt"
    if not corpus.exists():
        write_corpus(sources, corpus)
    model = Word2Vec(
        LineSentence(str(corpus)),
        vector_size=dimensions,
        max_final_vocab=words,
        min_count=3,
        window=3,  # near neighbours tell what a word does, far ones what it is about
        sg=1,
        negative=5,
        epochs=epochs,
        seed=seed,
        workers=1,  # more would make the order of the updates, and so the vectors, a matter of chance
    )
    pretrain = Pretrain(filename=None, save_to_file=False)
    pretrain._vocab = PretrainedWordVocab(list(model.wv.index_to_key))
    reserved = len(pretrain._vocab) - len(model.wv)
    matrix = torch.zeros((len(pretrain._vocab), dimensions))
    matrix[reserved:] = torch.from_numpy(model.wv.vectors)
    pretrain._emb = matrix.half().float()  # trained on what will be shipped
    path = work / "vectors.pt"
    with repeatable(work / "vectors.log", seed):
        pretrain.save(str(path))
    return path


def write_corpus(sources: TrainingSources, path: Path) -> None:
    """Write one tokenized sentence a line, in small letters, because the models look words up so."""
    with path.open("w", encoding="utf-8") as file:
        for text in _texts(sources):
            for sentence in tokenize(text):
                if len(sentence) > 1:
                    file.write(" ".join(text[start:end] for start, end in sentence).lower() + "\n")


def _texts(sources: TrainingSources) -> Iterator[str]:
    """Give every distinct text once: a credit line under 37,000 records would drown the rest."""
    seen: set[str] = set()
    for record in read_records(sources):
        for text in record_values(record):
            if text not in seen:
                seen.add(text)
                yield text
    yield from read_articles(sources.wikipedia)


def record_values(record: dict[str, Any]) -> Iterator[str]:
    """Give every text of a record; a subject's path becomes a list of its steps."""
    for field in _TEXT_FIELDS:
        value = record.get(field)
        for text in value if isinstance(value, list) else [value]:
            if isinstance(text, str):
                yield text.replace("/", " ; ") if field == "subject_path" else text
