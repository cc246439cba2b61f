"""The dates of an item, each with the place where it stands: what the measures of time share.

Years are stronger than a period's name: a named time counts where none of the parts that are read alone
has years, and in other parts only where nowhere in them is a year.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol, TypeVar

from features.profiles.profile import AnalysedValue, Occurrence, Part, Profile
from features.text.dates.years import Period

Dated = tuple[Period, Occurrence]
"""A period and the expression that names it."""


class _Time(Protocol):
    """A period, be it read in part."""

    @property
    def named(self) -> bool: ...


class _Dateable(Protocol):
    """A value of a record, be it read in part."""

    @property
    def part(self) -> str: ...

    @property
    def periods(self) -> Sequence[_Time]: ...


_Value = TypeVar("_Value", bound=_Dateable)


def saying(values: Iterable[_Value], first: tuple[Part, ...], parts: tuple[Part, ...]) -> list[_Value]:
    """The values that date an item: those of the parts under ``first`` that tell a time, else of ``parts``.

    Of either those that tell years, or else those that name a time (see
    :class:`features.text.dates.years.Period`).

    >>> from features.text.dates.years import periods
    >>> title = AnalysedValue("title", 0, (), (), periods("Bath in 1799"))
    >>> date = AnalysedValue("date", 0, (), (), periods("undated"))
    >>> [value.part for value in saying((title, date), ("date",), ("title", "date"))]
    ['title']
    """
    telling = [value for value in values if value.periods]
    return _strongest(telling, first) or _strongest(telling, parts)


def _strongest(telling: list[_Value], parts: tuple[Part, ...]) -> list[_Value]:
    found = [value for value in telling if value.part in parts]
    # a value has either years or names, never both
    return [value for value in found if not value.periods[0].named] or found


def dated(profile: Profile, first: tuple[Part, ...], parts: tuple[Part, ...]) -> list[Dated]:
    """The periods of the parts under ``first`` where these name any, else those of ``parts``."""
    return list(_standing(saying(profile.values, first, parts)))


def periods_of(profile: Profile, parts: tuple[Part, ...]) -> Iterator[Dated]:
    """The periods that some parts of a record tell, in its order: years, or else named times."""
    return _standing(_strongest([value for value in profile.values if value.periods], parts))


def _standing(values: Iterable[AnalysedValue]) -> Iterator[Dated]:
    for value in values:
        for period in value.periods:
            yield period, Occurrence(period.text, value.part, value.index, period.start, period.end)
