"""The dates of an item, each with the place where it stands: years are stronger than a period's name."""

from collections.abc import Iterable, Sequence
from typing import Protocol, TypeVar

from features.profiles.profile import Occurrence, Part, Profile
from features.text.dates.years import Period

Dated = tuple[Period, Occurrence]
"""A period and the expression that names it."""


class _Time(Protocol):
    @property
    def named(self) -> bool: ...


class _Dateable(Protocol):
    @property
    def part(self) -> str: ...

    @property
    def periods(self) -> Sequence[_Time]: ...


_Value = TypeVar("_Value", bound=_Dateable)


def dating(values: Iterable[_Value], first: tuple[Part, ...], parts: tuple[Part, ...]) -> list[_Value]:
    """The values that date an item: of the parts under ``first``, else of ``parts``; with years, else named.

    >>> from features.profiles.profile import AnalysedValue
    >>> from features.text.dates.years import periods
    >>> title = AnalysedValue("title", 0, (), (), periods("Bath in 1799"))
    >>> date = AnalysedValue("date", 0, (), (), periods("undated"))
    >>> [value.part for value in dating((title, date), ("date",), ("title", "date"))]
    ['title']
    """
    with_time = [value for value in values if value.periods]
    for some in (first, parts):
        if chosen := [value for value in with_time if value.part in some]:
            # a value has either years or names, never both
            return [value for value in chosen if not value.periods[0].named] or chosen
    return []


def dated(profile: Profile, first: tuple[Part, ...], parts: tuple[Part, ...] = ()) -> list[Dated]:
    """The periods of the parts under ``first`` where these name any, else those of ``parts``, in order."""
    return [
        (period, Occurrence(period.text, value.part, value.index, period.start, period.end))
        for value in dating(profile.values, first, parts)
        for period in value.periods
    ]
