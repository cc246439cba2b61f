"""What belongs together by a catalogue itself: records of one set, articles that link to each other."""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from typing import Final

from msgspec.structs import replace

from evaluation.picking.choices import Relations
from features.facts.sets import normalised, set_names
from ingest.record import TEXTS, Record, Value

MOST: Final = 50
"""What has more parts is no set that its museum would recommend from, but half of its holdings."""


def sets_of(record: Record) -> frozenset[str]:
    """The sets, series, albums and books that a record says it is part of, by their normalised names.

    >>> from ingest.record import values
    >>> sorted(sets_of(Record(id="a:1", description=values('Etching. Series: "Los Caprichos"'))))
    ['caprichos']
    """
    return frozenset(name for name, _ in _named(record))


def set_relations(records: Iterable[Record], most: int = MOST) -> tuple[Relations, list[str]]:
    """Items of one set belong to each other; and one item of each set, the first by its id.

    Sets of one item, and of more than ``most``, relate none. The single items serve as queries where large
    sets shall not count more than small ones.

    >>> from ingest.record import values
    >>> named = values("Plate 3 of Views of Rome")
    >>> set_relations([Record(id="b", title=named), Record(id="a", title=named), Record(id="c")])
    ({'a': frozenset({'b'}), 'b': frozenset({'a'})}, ['a'])
    """
    members: dict[str, set[str]] = defaultdict(set)
    for record in records:
        for name in sets_of(record):
            members[name].add(record.id)
    usable = [members[name] for name in sorted(members) if 2 <= len(members[name]) <= most]
    return _related(usable), sorted({min(items) for items in usable})


def link_relations(links: Iterable[tuple[str, str]]) -> Relations:
    """Articles belong to each other where one links to the other.

    >>> link_relations([("a", "b"), ("b", "a"), ("c", "c")])
    {'a': frozenset({'b'}), 'b': frozenset({'a'})}
    """
    return _related({one, other} for one, other in links)


def without_sets(record: Record) -> Record:
    """The record as if it did not say what it is part of: what is to be picked must not be read.

    Its ``part_of`` is empty, and the names of its sets stand in no text.

    >>> from ingest.record import values
    >>> record = Record(id="a", title=values("Views of Rome: 4"), description=values("Series: Views of Rome"))
    >>> hidden = without_sets(record)
    >>> hidden.title[0].text, hidden.description[0].text
    (': 4', 'Series:')
    """
    surfaces = {surface for _, surface in _named(record)}
    if not surfaces:
        return record
    longest = sorted(surfaces, key=len, reverse=True)
    pattern = re.compile("|".join(map(re.escape, longest)), re.IGNORECASE)
    parts = {part: _cut(record.part(part), pattern) for part in TEXTS if part != "part_of"}
    return replace(record, **parts, part_of=())


def _named(record: Record) -> list[tuple[str, str]]:
    """The names of the sets of a record, each with how it is written there."""
    named = []
    for part in TEXTS:
        for text, _ in record.part(part) if part != "source" else ():
            if part == "part_of":
                named += [(name, text)] if (name := normalised(text)) else []
                continue
            spans = set_names(text, title=part == "title")
            named += [(one.name, text[one.start : one.end]) for one in spans if one.fact == "sets"]
    return named


def _cut(values: Sequence[Value], pattern: re.Pattern[str]) -> tuple[Value, ...]:
    shorter = (value._replace(text=pattern.sub("", value.text).strip()) for value in values)
    return tuple(value for value in shorter if value.text)


def _related(groups: Iterable[Collection[str]]) -> Relations:
    related: dict[str, set[str]] = defaultdict(set)
    for group in groups:
        for item in group:
            related[item] |= {*group} - {item}
    return {item: frozenset(related[item]) for item in sorted(related) if related[item]}
