"""The dates of an item, each with the place where it stands: what the measures of time share."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol, TypeVar

from features.profiles.occurrence import Occurrence, Part
from features.profiles.profile import AnalysedValue, Profile
from features.text.years import Period

Dated = tuple[Period, Occurrence]
"""A period and the expression that names it."""


class _Dateable(Protocol):
    """A value of a record, be it read in part."""

    @property
    def part(self) -> str: ...

    @property
    def periods(self) -> Sequence[object]: ...


_Value = TypeVar("_Value", bound=_Dateable)


def saying(values: Iterable[_Value], first: tuple[Part, ...], parts: tuple[Part, ...]) -> list[_Value]:
    """The values that date an item: those of the parts under ``first`` that name a period, else of ``parts``.

    >>> from features.text.years import periods
    >>> title = AnalysedValue("title", 0, (), (), periods("Bath in 1799"))
    >>> date = AnalysedValue("date", 0, (), (), periods("undated"))
    >>> [value.part for value in saying((title, date), ("date",), ("title", "date"))]
    ['title']
    """
    naming = [value for value in values if value.periods]
    found = [value for value in naming if value.part in first]
    return found or [value for value in naming if value.part in parts]


def dated(profile: Profile, first: tuple[Part, ...], parts: tuple[Part, ...]) -> list[Dated]:
    """The periods of the parts under ``first`` where these name any, else those of ``parts``."""
    return list(_standing(saying(profile.values, first, parts)))


def periods_of(profile: Profile, parts: tuple[Part, ...]) -> Iterator[Dated]:
    """The periods that some parts of a record name, in its order."""
    return _standing(value for value in profile.values if value.part in parts)


def _standing(values: Iterable[AnalysedValue]) -> Iterator[Dated]:
    for value in values:
        for period in value.periods:
            yield period, Occurrence(period.text, value.part, value.index, period.start, period.end)
