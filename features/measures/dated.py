"""The dates of an item, each with the place where it stands: what the measures of time share."""

from collections.abc import Iterator

from features.profile import Profile
from features.scope import Occurrence, Part
from features.years import Period

Dated = tuple[Period, Occurrence]
"""A period and the expression that names it."""


def dated(profile: Profile, first: tuple[Part, ...], parts: tuple[Part, ...]) -> list[Dated]:
    """The periods of the parts under ``first`` where these name any, else those of ``parts``."""
    return list(periods_of(profile, first)) or list(periods_of(profile, parts))


def periods_of(profile: Profile, parts: tuple[Part, ...]) -> Iterator[Dated]:
    """The periods that some parts of a record name, in its order."""
    for value in profile.values:
        if value.part in parts:
            for period in value.periods:
                yield period, Occurrence(period.text, value.part, value.index, period.start, period.end)
