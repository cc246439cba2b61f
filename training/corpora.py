"""Readers of the corpora: CoNLL-U, BIO columns, Wikipedia, museum records."""

import gzip
import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

from training.sources import TrainingSources

PERSON: Final = "PER"
LOCATION: Final = "LOC"
ORGANISATION: Final = "ORG"

_KINDS: Final = {
    "PER": PERSON,
    "person": PERSON,
    "LOC": LOCATION,
    "location": LOCATION,
    "place": LOCATION,
    "ORG": ORGANISATION,
    "corporation": ORGANISATION,  # WNUT17; its `group` mixes teams with bands and stays out
    "organisation": ORGANISATION,
    "organization": ORGANISATION,
}


class Labelled(NamedTuple):
    """A sentence with one label a word: O, or the kind with B- or I- before it."""

    words: tuple[str, ...]
    labels: tuple[str, ...]


class Row(NamedTuple):
    """A syntactic word of a treebank with what the trainers need of it."""

    form: str
    lemma: str
    upos: str
    misc: str
    columns: tuple[str, ...]


def _lines(path: Path) -> Iterator[str]:
    if path.suffix == ".gz":
        with gzip.open(path, "rt", encoding="utf-8") as file:
            yield from (line.rstrip("\n") for line in file)
    else:
        with path.open(encoding="utf-8") as file:
            yield from (line.rstrip("\n") for line in file)


def _blocks(lines: Iterable[str]) -> Iterator[list[str]]:
    block: list[str] = []
    for line in lines:
        if line.strip():
            block.append(line)
        elif block:
            yield block
            block = []
    if block:
        yield block


def gum_file(sources: TrainingSources, part: str) -> Path:
    """Give the treebank's `train`, `dev` or `test` file."""
    return sources.gum / f"en_gum-permissive-{part}.conllu.gz"


def read_conllu(path: Path) -> Iterator[list[Row]]:
    """Read a treebank without the lines of contractions and of words that were never said.

    The parts of GUM's contractions concatenate (do + n't): a tokenizer that splits there needs no expansion.
    """
    for block in _blocks(_lines(path)):
        rows = [line.split("\t") for line in block if not line.startswith("#")]
        words = [row for row in rows if row[0].isdecimal()]
        yield [Row(row[1], row[2], row[3], row[9], tuple(row)) for row in words]


def read_texts(path: Path) -> Iterator[str]:
    """Read the sentences of a treebank as they were written."""
    mark = "# text = "
    yield from (line.removeprefix(mark) for line in _lines(path) if line.startswith(mark))


def raw_text(path: Path) -> tuple[str, list[list[tuple[int, int]]]]:
    """Give a treebank's running text, paragraphs apart, and where its words stand in it."""
    text = ""
    sentences: list[list[tuple[int, int]]] = []
    for block in _blocks(_lines(path)):
        if any(re.match(r"# new(?:par|doc)(?: |$)", line) for line in block):
            text = text.rstrip() + "\n\n" if text else ""
        spans = []
        inside, after = 0, False  # a contraction: its last word, and whether a space follows it
        for cells in (line.split("\t") for line in block if not line.startswith("#")):
            if "-" in cells[0]:
                inside, after = int(cells[0].partition("-")[2]), "SpaceAfter=No" not in cells[9]
            elif cells[0].isdecimal():
                spans.append((len(text), len(text) + len(cells[1])))
                space = after if int(cells[0]) == inside else "SpaceAfter=No" not in cells[9]
                text += cells[1] + (" " if space and int(cells[0]) >= inside else "")
        text = text.rstrip() + " "
        sentences.append(spans)
    return text, sentences


def write_conllu(sentences: Iterable[list[Row]], path: Path, *, features: bool = True) -> None:
    """Write sentences as Stanza's trainers read them, with morphological features or without."""
    with path.open("w", encoding="utf-8") as file:
        for sentence in sentences:
            for place, row in enumerate(sentence, 1):
                misc = "SpaceAfter=No" if "SpaceAfter=No" in row.misc else "_"
                head, relation = ("0", "root") if place == 1 else ("1", "dep")
                morphology = row.columns[5] if features else "_"
                cells = (str(place), *row.columns[1:5], morphology, head, relation, "_", misc)
                file.write("\t".join(cells) + "\n")
            file.write("\n")


def read_bio(path: Path, word: int, label: int) -> Iterator[Labelled]:
    """Read a BIO or IOB1 file; kinds other than person, location and organisation become O."""
    for block in _blocks(_lines(path)):
        rows = [re.split(r"[\t ]", line) for line in block if not line.startswith(("# ", "-DOCSTART-"))]
        rows = [row for row in rows if len(row) > max(word, label) and row[word].strip()]
        if rows:
            yield Labelled(tuple(row[word] for row in rows), to_bio(row[label] for row in rows))


def to_bio(labels: Iterable[str]) -> tuple[str, ...]:
    """Bring BIO or IOB1 labels of any corpus to BIO over the three kinds."""
    result: list[str] = []
    before = "O"
    for label in labels:
        mark, _, name = label.partition("-")
        kind = _KINDS.get(name, "")
        if not kind:
            result.append("O")
        else:
            goes_on = mark == "I" and before.partition("-")[2] == name
            result.append(("I-" if goes_on else "B-") + kind)
        before = label
    return tuple(result)


def to_bioes(labels: tuple[str, ...]) -> tuple[str, ...]:
    """Mark ends and single words too: the entity tagger learns the borders better."""
    result = []
    for place, label in enumerate(labels):
        if label == "O":
            result.append(label)
            continue
        mark, _, kind = label.partition("-")
        ends = place + 1 == len(labels) or labels[place + 1] != f"I-{kind}"
        result.append(f"{'S' if ends and mark == 'B' else 'E' if ends else mark}-{kind}")
    return tuple(result)


def read_rows(path: Path) -> Iterator[dict[str, Any]]:
    """Read a file of museum records as the museum wrote them."""
    for line in _lines(path):
        yield json.loads(line)


def read_records(sources: TrainingSources) -> Iterator[dict[str, Any]]:
    """Read the museum records, without those the final test is made on."""
    test_records = sources.test_records()
    for path in sorted(sources.records.glob("*.jsonl.gz")):
        yield from (row for row in read_rows(path) if row["id"] not in test_records)


def read_articles(path: Path) -> Iterator[str]:
    """Read the paragraphs of the Wikipedia selection, hard line breaks undone."""
    for line in _lines(path):
        for paragraph in re.split(r"\n\s*\n", json.loads(line)["text"]):
            text = " ".join(paragraph.split())
            if len(text) > 30 and not text.startswith("#"):  # titles, captions' remains and marks
                yield text
