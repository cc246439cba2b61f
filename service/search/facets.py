"""Filters: which items of a collection may be neighbours, by their records; and items by decades.

Names are compared without regard to case and blanks. Items with several values fit by any of them, and
several wanted values are alternatives; different filters have to fit all.
"""

from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from features.arrays import Bools
from features.collection.facets import NAMED, FacetIndex
from ingest.errors import InvalidRequest
from service.languages.messages import field_word, gettext

_SHOWN: Final = 10  # values that a note names at most


@dataclass(frozen=True, slots=True, kw_only=True)
class Filters:
    """What an item has to be; every item fits where nothing is given.

    ``provider``, ``object`` (the kind of object, a record's type) and ``maker`` are names; ``first`` and
    ``last`` are years, negative before Christ, that the item's years have to meet; ``place`` is a name of
    the museum's own index or a location that the texts name, and ``person`` to ``part_of`` are names of its
    other indexes; ``image`` is whether it has a picture.
    Raises ``InvalidRequest`` for years in the wrong order.

    >>> Filters(provider=("Tate",), first=1800, last=1850).given
    True
    >>> Filters().given
    False
    """

    provider: tuple[str, ...] = ()
    object: tuple[str, ...] = ()
    maker: tuple[str, ...] = ()
    first: int | None = None
    last: int | None = None
    place: tuple[str, ...] = ()
    person: tuple[str, ...] = ()
    culture: tuple[str, ...] = ()
    period: tuple[str, ...] = ()
    event: tuple[str, ...] = ()
    concept: tuple[str, ...] = ()
    material: tuple[str, ...] = ()
    part_of: tuple[str, ...] = ()
    image: bool | None = None

    def __post_init__(self) -> None:
        if self.first is not None and self.last is not None and self.first > self.last:
            raise InvalidRequest(f"from must not be later than to; {self.first} is later than {self.last}")

    @property
    def given(self) -> bool:
        """Whether anything is asked."""
        return self != Filters()


def mask(facets: FacetIndex, filters: Filters) -> Bools | None:
    """Which items fit, bool[rows]; None for all, where nothing is asked."""
    wanted = [facets.having(facet, names) for facet, names in _named(filters)]
    if filters.image is not None:
        wanted.append(facets.image() == filters.image)
    if filters.first is not None or filters.last is not None:
        wanted.append(facets.meeting(filters.first, filters.last))
    return np.logical_and.reduce(wanted) if wanted else None


def notes(facets: FacetIndex, filters: Filters) -> tuple[str, ...]:
    """A sentence for each name that no item has, of many for the first; it says which there are."""
    sentences = list[str]()
    for facet, names in _named(filters):
        lacking = [name for name in names if not facets.number(facet, name)]
        there = f"; {_there(facets, facet)}" if lacking and facet != "place" else ""
        sentences += [f"{_lacking(facet, name)}{there}" for name in lacking[:_NOTED]]
        if more := len(lacking[_NOTED:]):
            message = gettext("no item has {number} more of the names given as {facet}")
            sentences.append(message.format(number=more, facet=_called(facet)))
    return tuple(sentences)


_NOTED: Final = 3  # names of one kind that are noted each


def _lacking(facet: str, name: str) -> str:
    if facet == "part_of":
        return gettext("no item is part of {name!r}").format(name=name)
    if facet == "place":
        return gettext("no item names the place {name!r}").format(name=name)
    return gettext("no item has the {facet} {name!r}").format(facet=_called(facet), name=name)


def _called(facet: str) -> str:
    name = {"object": "kind of object", "part_of": "set or series"}.get(facet, facet)
    return field_word(name)


def _named(filters: Filters) -> list[tuple[str, tuple[str, ...]]]:
    """The facets that names are wanted of."""
    return [(facet, names) for facet in NAMED if (names := getattr(filters, facet))]


def _there(facets: FacetIndex, facet: str) -> str:
    common, kinds = facets.commonest(facet, _SHOWN)
    shown = ", ".join(name.spelled for name in common)
    if not common:
        return gettext("no item says its {facet}").format(facet=_called(facet))
    if kinds <= _SHOWN:
        return gettext("there are: {names}").format(names=shown)
    return gettext("of {number} the commonest are: {names}").format(number=kinds, names=shown)


class Decade(NamedTuple):
    """A decade by its first and last year, negative before Christ, and how many items have years in it."""

    first: int
    last: int
    items: int

    @property
    def label(self) -> str:
        """What it is called.

        >>> Decade(1840, 1849, 3).label, Decade(0, 9, 1).label, Decade(-50, -41, 1).label
        ('1840s', '1–9', '50–41 BC')
        """
        if self.first < 0:
            return gettext("{first}–{last} BC").format(first=-self.first, last=-self.last)
        return gettext("{decade}s").format(decade=self.first) if self.first else "1–9"


def decades(facets: FacetIndex, among: Bools | None = None) -> list[Decade]:
    """The decades in which any item has years, in order; an item counts in each that its years meet.

    ``among`` counts some rows only.
    """
    begin, counts = facets.decades.counts(among)
    return [
        Decade(10 * decade, 10 * decade + 9, items)
        for decade, items in enumerate(counts.tolist(), begin)
        if items
    ]
