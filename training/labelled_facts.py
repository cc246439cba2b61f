"""Records whose facts are written down in short, in ``training/labels/facts.tsv``.

A line has the file of ``data/records``, the id of the record there, and what a reader found in it by
``training/labels/FACTS.md``: people as their roles and kinds (``s:women,named``), groups of events, roles of
places, and whether a maker is named. So they have the categories of :mod:`training.fact_labels`, and no words
that the facts rest on.
"""

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from ingest.errors import UnreadableFile
from ingest.mapping import Mapping as RecordMapping
from training.corpora import read_rows
from training.fact_labels import CATEGORIES, ReadRecords
from training.record_files import RECORDS, collection_of, mapped, path_of

LABELS: Final = Path(__file__).parent / "labels" / "facts.tsv"

_NOTHING: Final = "-"
_EVENTS: Final = {"daily_life": "daily life", "music": "music and dance", "myth": "myth or story"}
"""Groups of events that have a shorter name in the file."""


class LabelledFacts(NamedTuple):
    """One line of the file."""

    file: str
    id: str
    people: str
    events: str
    places: str
    maker: str


def labelled_records(
    shared: Path, mappings: Mapping[str, RecordMapping], labels: Path = LABELS
) -> ReadRecords:
    """The records with the facts that ``labels`` has of them; raises ``UnreadableFile``."""
    lines = _lines(labels)
    records = {}
    for file in sorted({line.file for line in lines}):
        wanted = {line.id for line in lines if line.file == file}
        for row in read_rows(path_of(shared, file)):
            record = mapped(mappings, file, row)
            if record.id in wanted:
                records[file, record.id] = record
    missing = [line for line in lines if (line.file, line.id) not in records]
    if missing:
        raise UnreadableFile(
            f"{labels} has facts of {missing[0].id!r}, which {RECORDS / missing[0].file} lacks:"
            " use the records that were labelled"
        )
    return ReadRecords(
        tuple(collection_of(line.file) for line in lines),
        tuple(records[line.file, line.id] for line in lines),
        np.array([[name in own for name in CATEGORIES] for own in map(short_categories, lines)]),
        (None,) * len(lines),
    )


def short_categories(line: LabelledFacts) -> frozenset[str]:
    """The categories that a line names.

    >>> line = LabelledFacts("ima", "1", people="s:women", events="portrait,work", places="-", maker="m")
    >>> sorted(short_categories(line))
    ['event', 'events/portrait', 'events/work', 'kinds/women', 'maker', 'people', 'people/shown', 'place']
    """
    roles, _, kinds = line.people.partition(":")
    groups = {_EVENTS.get(group, group) for group in _listed(line.events)}
    present = {
        "people": roles != _NOTHING,
        "people/shown": "s" in roles,
        "event": bool(groups - {"portrait"}),
        # a maker implies a place, at least the nation's
        "place": _NOTHING not in line.places or line.maker != _NOTHING,
        "place/shown": "s" in line.places,
        "maker": line.maker != _NOTHING,
    }
    return frozenset(
        {name for name, there in present.items() if there}
        | {f"kinds/{kind}" for kind in _listed(kinds)}
        | {f"events/{group}" for group in groups}
    )


def _listed(text: str) -> Sequence[str]:
    return [] if text in ("", _NOTHING) else text.split(",")


def _lines(labels: Path) -> list[LabelledFacts]:
    try:
        with labels.open(encoding="utf-8", newline="") as file:
            rows = list(csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    except (OSError, UnicodeDecodeError) as error:
        raise UnreadableFile(f"{labels} cannot be read: {error}") from None
    wrong = [number for number, row in enumerate(rows, 1) if len(row) != len(LabelledFacts._fields)]
    if wrong:
        raise UnreadableFile(f"{labels}, line {wrong[0]}: wanted {' '.join(LabelledFacts._fields)}")
    lines = [LabelledFacts(*row) for row in rows[1:]]
    for number, line in enumerate(lines, 2):
        unknown = short_categories(line) - set(CATEGORIES)
        if unknown:
            raise UnreadableFile(f"{labels}, line {number}: {sorted(unknown)[0]!r} is no category of facts")
    return lines
