"""The facts that a reason states, each with the places of both records that it stands in."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias

from features.measures.base import EvidencePair, Theme
from features.profiles.profile import PEOPLE, Occurrence
from ingest.record import Field, Record
from service.explain.fact_kinds import FactKind, FactRole
from service.explain.phrases import SHOWN, folded, opening, surface, texts, word_set

Sides: TypeAlias = tuple[Record, Record]

_KINDS: Final[dict[Theme, FactKind]] = {
    "names": "person",
    "makers": "maker",
    "people": "person",
    "kinds": "concept",
    "places": "place",
    "times": "date",
    "events": "event",
    "sets": "set",
    "presence of people": "concept",
    "presence of events": "event",
}

_SHOWING: Final = frozenset({Field.TITLE, Field.SUBJECT, Field.DESCRIPTION, PEOPLE})
_MAKING: Final = frozenset({Field.DATE, Field.CREATOR})


@dataclass(frozen=True, slots=True)
class FactPlace:
    """Where a fact stands in a record: characters ``[start, end)`` of value ``index`` of a part of it."""

    field: str
    index: int
    start: int
    end: int


class StatedFact(NamedTuple):
    """A fact as a reason names it, and where it stands on either side.

    ``value`` is what the sentence prints; where the sides differ it is what it prints of the left one, and
    ``other`` what it prints of the right one.
    """

    kind: FactKind
    value: str
    role: FactRole
    left: FactPlace
    right: FactPlace
    other: str = ""


class StatedReason(NamedTuple):
    """The sentence of a score, and the facts that it names in their order.

    ``empty``: they share nothing of the type, or that stands for it, that can be named; the sentence may name
    something of another kind.
    ``by_words``: it rests on likeness of words alone, which is no fact about the items in its type: makers
    whose names are alike, texts that read alike.
    """

    text: str
    facts: tuple[StatedFact, ...] = ()
    empty: bool = False
    by_words: bool = False


def is_certain(fact: StatedFact, *, words: bool) -> bool:
    """Whether a fact holds of both items, and not only of how they are written.

    Places and dates may differ and still be near. ``words``: what both mention counts too.

    >>> place = FactPlace("title", 0, 0, 6)
    >>> [is_certain(StatedFact("person", "Ann Lee", "", place, place, other), words=False)
    ...     for other in ("", "Ann Leigh")]
    [True, False]
    """
    if fact.kind in ("place", "date"):
        return True
    return not fact.other and (words or fact.kind != "words")


def kind_of(theme: Theme) -> FactKind:
    """What facts of a theme are of.

    >>> kind_of("people"), kind_of("meaning")
    ('person', 'words')
    """
    return _KINDS.get(theme, "words")


def shared(
    kind: FactKind, values: Sequence[str], evidence: Sequence[EvidencePair], sides: Sides
) -> tuple[StatedFact, ...]:
    """The facts of a sentence that lists some values; each rests on what of the evidence is part of it."""
    some = [one for one in evidence if one.left and one.right]
    return tuple(_shared(kind, value, some, sides) for value in values[:SHOWN]) if some else ()


def paired(kind: FactKind, values: Mapping[str, EvidencePair], sides: Sides) -> tuple[StatedFact, ...]:
    """The facts of a sentence that lists some values, each of which rests on one pair."""
    return tuple(compared(kind, value, value, pair, sides) for value, pair in [*values.items()][:SHOWN])


def compared(kind: FactKind, value: str, other: str, pair: EvidencePair, sides: Sides) -> StatedFact:
    """What one pair shows: a value on the left, and another one or the same on the right."""
    left, right = _begun(sides[0], pair.left[0], value), _begun(sides[1], pair.right[0], other)
    differs = value.casefold() != other.casefold()
    return StatedFact(kind, value, _role(kind, left, right), left, right, other if differs else "")


def dated(value: str, other: str, pair: EvidencePair) -> StatedFact:
    """What two dates show; a date may stand in several passages of a value, from the first to the last."""
    left, right = _around(pair.left), _around(pair.right)
    return StatedFact("date", value, _role("date", left, right), left, right, "" if value == other else other)


def _shared(kind: FactKind, value: str, evidence: Sequence[EvidencePair], sides: Sides) -> StatedFact:
    here, there = sides
    left = _written(here, (one for pair in evidence for one in pair.left), value) or _anywhere(here, value)
    if left is None:
        words = word_set(value)
        own = [pair for pair in evidence if any(_is_part(here, one, words) for one in pair.left)]
        own = own or [*evidence[:1]]
        left = _nearest(
            [[one for one in pair.left if _is_part(here, one, words)] or pair.left for pair in own]
        )
    else:
        own = [pair for pair in evidence if any(_meet(left, one) for one in pair.left)] or [*evidence[:1]]
    right = (
        _written(there, (one for pair in own for one in pair.right), value)
        or _anywhere(there, value)
        or _nearest([pair.right for pair in own])
    )
    return StatedFact(kind, value, _role(kind, left, right), left, right)


def _role(kind: FactKind, left: FactPlace, right: FactPlace) -> FactRole:
    """How a fact belongs to both items; of no role where they differ in it."""
    fields = {left.field, right.field}
    if kind == "maker" or (kind in ("culture", "person") and fields == {Field.CREATOR}):
        return "maker"
    if kind == "person":
        return "shown" if fields <= _SHOWING else ""
    return "made" if kind in ("date", "place") and fields <= _MAKING else ""


def _written(record: Record, occurrences: Iterator[Occurrence], value: str) -> FactPlace | None:
    """The first place where a value is written around an occurrence, in whatever case."""
    places = dict[tuple[str, int], list[FactPlace]]()
    for one in occurrences:
        key = one.part, one.index
        if key not in places:
            places[key] = [*_places(opening(record, one), value, *key)]
        for place in places[key]:
            if place.start < one.end and one.start < place.end:
                return place
    return None


def _anywhere(record: Record, value: str) -> FactPlace | None:
    """The first place where a value of several words is written in a record, from the beginning of a word."""
    if " " not in value:
        return None
    for part, index, text in texts(record):
        for place in _places(text, value, part, index):
            if not text[place.start - 1 : place.start].isalnum():
                return place
    return None


def _places(text: str, value: str, part: str, index: int) -> Iterator[FactPlace]:
    # between the words of a value a text may have more than one blank
    wanted = re.compile(r"\s+".join(map(re.escape, folded(value).split())) or r"(?!)")
    yield from (FactPlace(part, index, *match.span()) for match in wanted.finditer(folded(text)))


def _nearest(groups: Sequence[Sequence[Occurrence]]) -> FactPlace:
    """The shortest stretch of a value that has an occurrence of each group, or of as many as it can."""

    def around(anchor: Occurrence) -> list[Occurrence]:
        near = ([one for one in group if _stands_with(one, anchor)] for group in groups)
        return [min(some, key=lambda one: abs(one.start - anchor.start)) for some in near if some]

    best = min(map(around, groups[0]), key=lambda some: (-len(some), _length(_around(some))))
    return _around(best)


def _around(occurrences: Sequence[Occurrence]) -> FactPlace:
    """The stretch of those occurrences that stand in the value of the first one."""
    first = occurrences[0]
    some = [one for one in occurrences if _stands_with(one, first)]
    return FactPlace(first.part, first.index, min(one.start for one in some), max(one.end for one in some))


def _begun(record: Record, occurrence: Occurrence, value: str) -> FactPlace:
    """A value that begins within an occurrence; the occurrence itself where it is written otherwise there."""
    at = folded(opening(record, occurrence)).find(folded(value), occurrence.start)
    start, end = occurrence.start, occurrence.end
    if start <= at < end:
        start, end = at, at + len(value)
    return FactPlace(occurrence.part, occurrence.index, start, end)


def _is_part(record: Record, occurrence: Occurrence, words: frozenset[str]) -> bool:
    """Whether an occurrence is a part of a value by its words, or has it as a part."""
    own = word_set(surface(record, occurrence))
    return own <= words or words <= own


def _meet(place: FactPlace, one: Occurrence) -> bool:
    same = (place.field, place.index) == (one.part, one.index)
    return same and place.start < one.end and one.start < place.end


def _stands_with(one: Occurrence, other: Occurrence) -> bool:
    return (one.part, one.index) == (other.part, other.index)


def _length(place: FactPlace) -> int:
    return place.end - place.start
