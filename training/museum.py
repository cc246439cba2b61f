"""The labelled museum records: places and kinds from a file, texts from the records themselves."""

import csv
import hashlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final, NamedTuple

from features.text.tokenizer import tokenize
from ingest.errors import UnreadableFile
from ingest.mapping import Mapping as RecordMapping
from ingest.record import Field
from training.corpora import Labelled, read_rows, to_bio
from training.sources import Texts, TrainingSources, ValueKey

KINDS: Final = ("person", "location", "organisation")
COLUMNS: Final = ("id", "field", "value", "digest", "start", "end", "kind")
DEV_SHARE: Final = 15


class Value(NamedTuple):
    """A labelled value: its text and its entities as (start, end, kind), dates among them."""

    key: ValueKey
    text: str
    entities: tuple[tuple[int, int, str], ...]


def digest(text: str) -> str:
    """Give the mark by which a label file notices that a text is no longer the one that was labelled."""
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def read_labels(path: Path, texts: Texts) -> list[Value]:
    """Join a file of labels with the texts; a value that is missing or has changed is refused."""
    entities: dict[ValueKey, list[tuple[int, int, str]]] = {}
    marks: dict[ValueKey, str] = {}
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            key = ValueKey(row["id"], row["field"], int(row["value"]))
            marks[key] = row["digest"]
            entries = entities.setdefault(key, [])
            if row["kind"]:
                entries.append((int(row["start"]), int(row["end"]), row["kind"]))
    values = []
    for key, entries in entities.items():
        text = texts(key)
        if text is None or digest(text) != marks[key]:
            state = "is missing" if text is None else "has changed since it was labelled"
            raise UnreadableFile(f"{path}: {key.field} {key.place} of {key.record} {state}")
        values.append(Value(key, text, tuple(sorted(entries))))
    return values


def split(values: list[Value]) -> tuple[list[Value], list[Value]]:
    """Divide into training and dev values, whole records at a time, the same way on every machine."""
    dev = {v.key.record for v in values if int(digest(v.key.record), 16) % 100 < DEV_SHARE}
    return [v for v in values if v.key.record not in dev], [v for v in values if v.key.record in dev]


def sentences(values: list[Value]) -> Iterator[Labelled]:
    """Give the labelled sentences as the tokenizer will split them when the model is used."""
    for value in values:
        wanted = [e for e in value.entities if e[2] in KINDS]
        for spans in tokenize(value.text):
            labels = []
            for start, end in spans:
                inside = next((e for e in wanted if start < e[1] and end > e[0]), None)
                first = inside is not None and start <= inside[0]
                labels.append("O" if inside is None else ("B-" if first else "I-") + inside[2])
            yield Labelled(tuple(value.text[a:b] for a, b in spans), to_bio(labels))


def texts_of_records(sources: TrainingSources, mappings: Mapping[str, RecordMapping]) -> Texts:
    """Look texts up in the records as the mapping named like their file (tate.jsonl.gz: tate) reads them."""
    wanted = sources.test_records() | sources.labelled()
    known: dict[ValueKey, str] = {}
    for path in sorted(sources.records.glob("*.jsonl.gz")):
        mapping = mappings[path.name.partition(".")[0]]
        for row in read_rows(path):
            if row["id"] in wanted:
                record = mapping.apply(row)
                for field in Field:
                    for place, value in enumerate(record.field(field)):
                        known[ValueKey(record.id, field.value, place)] = value.text
    return known.get
