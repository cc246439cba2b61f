"""The place of an archive: where what it holds is from, unless an item says otherwise.

The photographs of one city seldom name the city. So a collection is asked, source by source, where its items
are: if enough of them name a known place, and three in four of these lie in one city, region or country, then
an item of this source that names no other place lies there too. ``kindred build`` reports what it found.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple, TypeAlias

import msgspec
import numpy as np

from features.arrays import Array, Bytes

LEAST: Final = 30
"""So many items of a source have to name a known place, ..."""
SHARE: Final = 0.1
"""... so large a share of all, ..."""
AGREE: Final = 0.75
"""... and so many of those the same."""

TAG: Final = "archive"
"""The tag of an occurrence that is the source of an item, where the place of the archive counts."""

_SITE: Final = 1.0
_KNOWN: Final = 0.6
"""A region or a country is known, and whatever is narrower."""


class Step(NamedTuple):
    """Something that a place lies in, and what it counts to share it."""

    term: str
    nearness: float


PlacePath: TypeAlias = tuple[Step, ...]
"""A place and all that it lies in, the narrowest first."""


class ArchivePlaces:
    """Counts where the items of each source are."""

    def __init__(self) -> None:
        self._items: Counter[str] = Counter()
        self._naming: Counter[str] = Counter()
        self._steps: dict[str, Counter[str]] = defaultdict(Counter)
        self._lines: dict[str, PlacePath] = {}

    def take(self, source: str, shown: Iterable[PlacePath]) -> None:
        """Count an item of a source with the places that it shows."""
        self._items[source] += 1
        known = {step.term: line[at:] for line in shown for at, step in enumerate(line) if _is_known(step)}
        if known:
            self._naming[source] += 1
            self._steps[source].update(known.keys())
            self._lines.update(known)

    def places(self) -> dict[str, PlacePath]:
        """The place of each source that has one: the narrowest on which enough items agree.

        >>> archive, italy = ArchivePlaces(), (Step("italy", 0.6), Step("europe", 0.2))
        >>> for number in range(100):
        ...     archive.take("Studio", [(Step("venice", 0.8), *italy)] if number < 40 else [])
        >>> [step.term for step in archive.places()["Studio"]]
        ['venice', 'italy', 'europe']
        """
        places = {}
        for source, naming in self._naming.items():
            if source and naming >= max(LEAST, SHARE * self._items[source]):
                agreed = [term for term, number in self._steps[source].items() if number >= AGREE * naming]
                if agreed:
                    lines = [self._lines[term] for term in sorted(agreed)]
                    places[source] = max(lines, key=lambda line: (line[0].nearness, len(line)))
        return places


def _is_known(step: Step) -> bool:
    return _KNOWN <= step.nearness < _SITE and not step.term.endswith(" itself")


def with_archive(
    lines: Sequence[PlacePath], place: PlacePath | None
) -> dict[PlacePath, tuple[PlacePath, ...]]:
    """The places of an item of an archive, each with those of its own that it stands for.

    Where an item names a place elsewhere its own places count as they are. Else a site that no list knows
    lies in the place of the archive, and without one the place itself counts.

    >>> site, venice = (Step("caffè florian", 1.0),), (Step("venice", 0.8), Step("italy", 0.6))
    >>> [[step.term for step in line] for line in with_archive([site], venice)]
    [['caffè florian', 'venice', 'italy']]
    >>> list(with_archive([(Step("italy", 0.6),)], venice)) == [venice]
    True
    >>> paris = (Step("paris", 0.8),)
    >>> list(with_archive([paris], venice)) == [paris]
    True
    """
    own: dict[PlacePath, tuple[PlacePath, ...]] = {line: (line,) for line in lines}
    if place is None:
        return own
    within = {step.term for step in place}
    sites = [line for line in own if len(line) == 1 and line[0].nearness == _SITE]
    if any(line not in sites and line[0].term not in within for line in own):
        return own
    named: dict[PlacePath, tuple[PlacePath, ...]] = {(*site, *place): (site,) for site in sites}
    return named or {place: tuple(line for line in own if line == place)}


def stored(places: Mapping[str, PlacePath]) -> Bytes:
    """The places of archives as an array of bytes."""
    return np.frombuffer(msgspec.json.encode(places), np.uint8)


def restored(array: Array | None) -> dict[str, PlacePath]:
    """What :func:`stored` wrote.

    >>> restored(stored({"Studio": (Step("venice", 0.8),)}))
    {'Studio': (Step(term='venice', nearness=0.8),)}
    """
    if array is None:
        return {}
    return msgspec.json.decode(np.asarray(array, np.uint8).tobytes(), type=dict[str, tuple[Step, ...]])
