"""What Kindred reads of records beside what annotators read: ``python -m bench.facts SHARED STATE [MODELS]``.

SHARED holds ``data/facts``, STATE is a folder for the profiles of its records, and MODELS that of the models
of facts of ``python -m training facts``, each for the museums that it learnt nothing from (without it the
model that comes with Kindred, which learnt from all). By collection:

- ``people``, ``shown``, ``event``, ``place_shown``: F1 of presence;
- ``persons``, ``makers``: F1 of names, those of persons outside the creator field and those of makers. A name
  counts whole where both mark the same characters, half where they overlap. Annotators mark only what stands
  in the record;
- ``owners``: of the persons that both have, the share whose role is right: owner, or shown or concerned;
- ``groups``: makers that annotators call by a people, nation or school of Kindred's table: the share of which
  Kindred has it, or names a place in its country;
- ``country``, ``region``, ``town``: of the annotators' places, but those of lives, the share that is read at
  this level; ``wrong``: of the countries read, the share that annotators name nowhere in the record.

Prints a table and writes bench/results/facts.json.
"""

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from msgspec.structs import replace

from bench.tables import publish
from features.arrays import Bools
from features.facts.model import SHIPPED, open_facts
from features.facts.words import FactWordsReader
from features.knowledge.wordnet.places import WordNetPlaces, places
from features.measures.place_reading import PlacesReader
from features.profiles.analysis import AnalysisSettings, Models, analyse_pending, fingerprint
from features.profiles.blocks import Block
from features.profiles.creators import creators
from features.profiles.profile import Profile, decode
from features.text.names.cultures import cultures_in, only_cultures
from features.text.names.names import NOBODY
from features.text.places.gazetteer import gazetteer
from ingest.catalogue import Catalogue
from ingest.record import Field, Record
from training.fact_labels import CATEGORIES, FactLine, categories, fact_lines, fact_record

_LIKELY: Final = 0.5
_PRESENCE: Final = {
    "people": "people", "shown": "people/shown", "event": "event", "place_shown": "place/shown",
}  # fmt: skip
_LEVELS: Final = ("country", "region", "town")


class Span(NamedTuple):
    """Some characters of a field, counted from the first letter of the first value."""

    field: str
    start: int
    end: int

    def overlaps(self, other: "Span") -> bool:
        """Whether they have a character in common.

        >>> Span("title", 0, 5).overlaps(Span("title", 4, 9))
        True
        """
        return self.field == other.field and self.start < other.end and other.start < self.end


class Tally(NamedTuple):
    """How many are right (halves count), read and wanted."""

    right: float
    read: int
    wanted: int


def spans_right(read: Sequence[Span], wanted: Sequence[Span]) -> Tally:
    """Each wanted span counts once, whole or half.

    >>> wanted = [Span("title", 0, 5), Span("title", 9, 20)]
    >>> spans_right([Span("title", 0, 5), Span("title", 9, 12), Span("date", 0, 4)], wanted)
    Tally(right=1.5, read=3, wanted=2)
    """
    whole = sum(span in read for span in wanted)
    half = sum(span not in read and any(span.overlaps(one) for one in read) for span in wanted)
    return Tally(whole + half / 2, len(read), len(wanted))


def f1(tallies: Iterable[Tally]) -> float | None:
    """The harmonic mean of precision and recall over all records; None where nothing is read or wanted.

    >>> f1([Tally(1.5, 3, 2), Tally(0, 0, 1)])
    0.5
    """
    right, read, wanted = (sum(each) for each in zip(*tallies, strict=True))
    return round(2 * right / (read + wanted), 3) if read + wanted else None


class _Reading(NamedTuple):
    """One record by the annotators and by Kindred."""

    line: FactLine
    record: Record
    profile: Profile
    block: Block
    item: int


def main(shared: Path, state: Path, models: Path | None = None) -> None:
    """Measure and publish."""
    from evaluation.fact_models import fact_models
    from service.opening import open_resources
    from service.settings import load

    settings = load()
    resources = open_resources(settings)
    readings = _readings(fact_lines(shared), state, settings.analysis)
    known = places(resources.wordnet)
    words, by_museum = FactWordsReader(resources.wordnet), fact_models(models)
    rows = []
    for collection in sorted({one.line.collection for one in readings}):
        own = [one for one in readings if one.line.collection == collection]
        model = open_facts(by_museum.get(collection, SHIPPED))
        likely = model.likely(words.words(own[0].block))
        rows.append({"collection": collection, **_measured(own, likely > _LIKELY, known)})
    publish("facts", rows, records=len(readings), models=str(models is not None))


def _readings(lines: Sequence[FactLine], state: Path, analysis: AnalysisSettings) -> list[_Reading]:
    """All records, those of a collection in one block."""
    records = [replace(fact_record(line), id=str(place)) for place, line in enumerate(lines)]
    models = Models()
    with Catalogue(state / "facts.sqlite") as catalogue:
        catalogue.put_many(records)
        analyse_pending(catalogue, models, analysis, lambda _: None)
        profiles = {name: decode(data) for name, data in catalogue.profiles(fingerprint(models))}
    readings = []
    for collection in sorted({line.collection for line in lines}):
        own = [place for place, line in enumerate(lines) if line.collection == collection]
        block = Block([profiles[str(place)] for place in own])
        readings += [
            _Reading(lines[place], records[place], profiles[str(place)], block, item)
            for item, place in enumerate(own)
        ]
    return readings


def _measured(
    readings: Sequence[_Reading], likely: Bools, known: WordNetPlaces
) -> Mapping[str, float | int | None]:
    every = [categories(one.line) for one in readings]
    has = np.array([[name in own for name in CATEGORIES] for own in every])
    reader = PlacesReader("either", known)
    return {
        "records": len(readings),
        **{name: _presence(likely, has, category) for name, category in _PRESENCE.items()},
        "persons": f1(spans_right(_persons(one), _wanted_persons(one)) for one in readings),
        "makers": f1(spans_right(_makers(one), _wanted_makers(one)) for one in readings),
        "owners": _share(role for one in readings for role in _roles(one)),
        "groups": _share(right for one in readings for right in _groups(one, reader)),
        **_levels(readings, reader),
    }


def _presence(likely: Bools, has: Bools, category: str) -> float | None:
    column = CATEGORIES.index(category)
    read, wanted = likely[:, column], has[:, column]
    return f1([Tally(int((read & wanted).sum()), int(read.sum()), int(wanted.sum()))])


def _share(right: Iterable[bool]) -> float | None:
    every = list(right)
    return round(sum(every) / len(every), 3) if every else None


def _where(record: Record, text: str) -> Iterator[Span]:
    """Where a text stands in the fields of a record, the first time in each."""
    for field in Field:
        value = " ".join(one.text for one in record.field(field)[:1])
        at = value.find(text) if text else -1
        if at >= 0:
            yield Span(field.value, at, at + len(text))


def _wanted_persons(one: _Reading) -> list[Span]:
    return [
        span
        for person in one.line.people
        if person.name and person.role != "owner"
        for span in _where(one.record, person.text)
        if span.field != "creator"
    ]


def _persons(one: _Reading) -> list[Span]:
    """Mentions of persons outside the creator field that are no owners."""
    return [span for span, owner in _mentions(one.profile) if not owner]


def _mentions(profile: Profile) -> Iterator[tuple[Span, bool]]:
    for value in profile.values:
        if value.part in {"creator", "source"} or value.index:
            continue
        for mention in value.mentions:
            if mention.kind == "person":
                owner = value.is_boilerplate(mention.start) or value.is_context(mention.start)
                yield Span(value.part, mention.start, mention.end), owner


def _wanted_makers(one: _Reading) -> list[Span]:
    named = [maker for maker in one.line.makers if maker.name]
    return [span for maker in named for span in list(_where(one.record, maker.text))[:1]]


def _makers(one: _Reading) -> list[Span]:
    return [
        Span(maker.part, maker.name.start, maker.name.end)
        for maker in creators(one.profile, stated=True)
        if maker.name.kind not in NOBODY
    ]


def _roles(one: _Reading) -> Iterator[bool]:
    """Of each named person whose name both have: whether both call it an owner, or neither."""
    mentions = list(_mentions(one.profile))
    for person in one.line.people:
        spans = [span for span in _where(one.record, person.text) if span.field != "creator"]
        roles = {owner for span in spans for own, owner in mentions if own.overlaps(span)}
        if person.name and roles:
            yield (person.role == "owner") == all(roles)


def _groups(one: _Reading, reader: PlacesReader) -> Iterator[bool]:
    """Whether Kindred has one of the makers' groups, or a place in the country that one implies.

    Only groups of the table of peoples are asked for.
    """
    wanted = {culture.key for maker in one.line.makers for culture in cultures_in(maker.group)}
    if wanted:
        makers = creators(one.profile, stated=True)
        named = {culture.key for maker in makers for culture in maker.name.cultures}
        named |= {culture.key for maker in makers for culture in only_cultures(maker.name.text)}
        lands = {gazetteer().implied(key) for key in wanted} - {None}
        yield bool(wanted & named) or bool(lands & set(_terms(one, reader)))


def _terms(one: _Reading, reader: PlacesReader) -> Iterator[str]:
    """All places of a record with what they lie in."""
    for line in reader.of_item(one.block, one.item):
        yield from (step.term for step in line)


def _levels(readings: Sequence[_Reading], reader: PlacesReader) -> dict[str, float | None]:
    right = {level: list[bool]() for level in _LEVELS}
    wrong = list[bool]()
    for one in readings:
        read = set(_terms(one, reader))
        wanted = dict.fromkeys(_LEVELS, frozenset[str]())
        for place in one.line.places:
            if place.role != "lived":
                for name in place.path:
                    level, key = _level(name, narrowest=name == place.path[0])
                    if level:
                        wanted[level] |= {key}
        for level, names in wanted.items():
            right[level] += [name in read for name in names]
        countries = {term for term in read if _level(term, narrowest=False)[0] == "country"}
        wrong += [name not in wanted["country"] for name in countries]
    shares = {level: _share(every) for level, every in right.items()}
    return {**shares, "wrong": _share(wrong)}


def _level(name: str, *, narrowest: bool) -> tuple[str, str]:
    """The level of a name in a path, and how the gazetteer calls it: ``town`` for what it lacks."""
    known = gazetteer().named(name)
    kind = gazetteer()[known].kind if known else "city"
    if kind in ("continent", "part") or (known is None and not narrowest):
        return "", name
    return ("town" if kind == "city" else kind), known or name.casefold()


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
