"""The texts that the compact sentence encoder learns from: museum records, a dictionary, an encyclopaedia.

Every distinct text is taken once. Those that teach most come first: a museum of things, the dictionary
and everyday sentences; then a sample of the large collections, many of whose records are alike, and of
the encyclopaedia. Of every twentieth record, entry or paragraph nothing is learnt: they tell how well the
encoder does on what it has not met.
"""

import csv
import hashlib
import random
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple

from msgspec.structs import replace

from features.knowledge.wordnet.reader import WordNet
from features.profiles.sentence_texts import sentence_texts
from features.text.tokenizer import tokenize
from ingest.mapping import Mapping as RecordMapping
from ingest.record import Record
from training.corpora import read_articles, read_rows, read_texts

_WHOLE: Final = ("walters", "tna", "cmoa")
"""Collections of which every record is taken, with all of its texts."""

_SAMPLED: Final = ("tate", "teenie")
"""Collections of whose records a share is taken, with one text each."""

_ONE_LEFT_OUT_IN: Final = 20
_LONGEST: Final = 600
"""Characters of a sentence; what is longer is a list or a table."""


class Text(NamedTuple):
    """A text, where it comes from, and whether it is kept out of the training."""

    text: str
    origin: str
    left_out: bool


@dataclass(frozen=True, slots=True)
class TextSettings:
    """How much is taken; the defaults made the model that comes with Kindred."""

    sampled: int = 45_000
    """Records of each large collection."""
    sentences: int = 110_000
    """Sentences of the encyclopaedia."""
    seed: int = 1


def collect(
    shared: Path, mappings: Mapping[str, RecordMapping], wordnet: WordNet, settings: TextSettings
) -> list[Text]:
    """All texts, each once, in the order in which they are encoded; the same for the same files."""
    data = shared / "data"
    chance = random.Random(settings.seed)  # noqa: S311 - a sample, no secret
    collected: dict[str, Text] = {}
    for origin, unit, texts in _all(data, mappings, wordnet, settings, chance):
        left_out = int(hashlib.sha256(unit.encode()).hexdigest()[:8], 16) % _ONE_LEFT_OUT_IN == 0
        for text in texts:
            if text.strip():
                collected.setdefault(text, Text(text, origin, left_out))
    return list(collected.values())


_Units = Iterator[tuple[str, str, Iterable[str]]]
"""Origin, what is held out as a whole or not at all, and its texts."""


def _all(
    data: Path,
    mappings: Mapping[str, RecordMapping],
    wordnet: WordNet,
    settings: TextSettings,
    chance: random.Random,
) -> _Units:
    records = data / "records"
    for name in _WHOLE:
        for row in read_rows(records / f"{name}.jsonl.gz"):
            yield name, row["id"], record_texts(mappings[name].apply(row))
            if name == "walters":
                yield "walters parts", row["id"], _parts(row)
    for node in range(len(wordnet)):
        label = wordnet.label(node).replace("_", " ")
        yield "wordnet", wordnet.names[node], (f"{label}. {wordnet.gloss(node)}",)
    for text in _everyday(data):
        yield "everyday", text, (text,)
    for name in _SAMPLED:
        rows = list(read_rows(records / f"{name}.jsonl.gz"))
        for row in chance.sample(rows, min(settings.sampled, len(rows))):
            texts = record_texts(mappings[name].apply(row))
            yield name, row["id"], chance.sample(texts, min(1, len(texts)))
    paragraphs = list(read_articles(data / "wikipedia" / "articles.jsonl.gz"))
    chance.shuffle(paragraphs)
    yield from _encyclopaedia(paragraphs, settings.sentences)


def record_texts(record: Record) -> list[str]:
    """What a record shows without its descriptions, as many records have none, and then its texts.

    >>> from ingest.record import values
    >>> record_texts(Record(id="a", title=values("Vase"), description=values("Blue"), date=values("1900")))
    ['Vase', 'Vase. Blue', 'Vase. Blue. 1900']
    """
    brief = sentence_texts(replace(record, description=()))
    return [*([brief["content"]] if "content" in brief else []), *sentence_texts(record).values()]


def _encyclopaedia(paragraphs: Iterable[str], most: int) -> _Units:
    count = 0
    for paragraph in paragraphs:
        texts = list(_sentences(paragraph))
        yield "wikipedia", paragraph, texts
        count += len(texts)
        if count >= most:
            return


def _parts(row: dict[str, Any]) -> Iterator[str]:
    """Title, keywords and sentences of the description of a record, one by one."""
    yield row.get("title") or ""
    yield from row.get("subject") or ()
    yield from _sentences(row.get("description") or "")


def _sentences(text: str) -> Iterator[str]:
    for spans in tokenize(text):
        sentence = text[spans[0][0] : spans[-1][1]]
        if len(spans) > 2 and len(sentence) <= _LONGEST:
            yield sentence


def _everyday(data: Path) -> Iterator[str]:
    """Captions and sentences of test sets of similarity (never their scores), and of a treebank."""
    for path in sorted((data / "sts").rglob("*")):
        if path.suffix in (".csv", ".tsv", ".txt") and not path.name.startswith("00"):
            with path.open(encoding="utf-8", errors="replace", newline="") as file:
                between = ";" if path.name.startswith("STSS") else "\t"
                for cells in csv.reader(file, delimiter=between, quoting=csv.QUOTE_NONE):
                    yield from (cell for cell in cells if len(cell.split()) > 2 and len(cell) <= _LONGEST)
    for path in sorted((data / "ud").glob("*.conllu.gz")):
        yield from (text for text in read_texts(path) if len(text) <= _LONGEST)
