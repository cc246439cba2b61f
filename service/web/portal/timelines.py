"""The timeline of an item and its neighbours: their years as bars, of all years or of some."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from features.collection.collection import Collection
from features.profiles.partial import named as named_facts
from ingest.record import Record
from models.types import SimilarityType
from service.explain.closeness import year_words
from service.languages.messages import gettext
from service.web.portal.wall import PageNeighbour

LINES: Final = 12  # neighbours of a timeline: the closest that have years
_THINNEST: Final = 1.2  # the least width of a bar, as a part of a hundred
_SHORTEST: Final = 10  # years of the closest view


class Stretch(NamedTuple):
    """Years as a bar: where it begins and how long it is, as parts of a hundred."""

    begin: float
    width: float


class Line(NamedTuple):
    """The years of one item; ``types`` are the ways in which it is near, none for the item of the page."""

    record: Record
    types: Sequence[SimilarityType]
    years: Sequence[tuple[int, int]]
    bars: Sequence[Stretch]

    @property
    def words(self) -> str:
        """The years in words, as ``44 BC; 1700 to 1799``."""
        return "; ".join(
            year_words(first)
            if first == last
            else gettext("{first} to {last}").format(first=year_words(first), last=year_words(last))
            for first, last in self.years
        )


class Window(NamedTuple):
    """The years that a timeline shows, the first and the last."""

    first: int
    last: int

    @property
    def years(self) -> int:
        """How many they are."""
        return self.last - self.first + 1

    def between(self, first: int | None, last: int | None) -> "Window":
        """From one year to another, in either order; None where it begins or ends as this one does."""
        ends = self.first if first is None else first, self.last if last is None else last
        return Window(min(ends), max(ends))

    def meets(self, years: tuple[int, int]) -> bool:
        """Whether any of some years are shown."""
        return years[0] <= self.last and years[1] >= self.first

    def closer(self, around: int | None) -> "Window | None":
        """Half as many years, about one of them or the middle; None where they are few."""
        if self.years < 2 * _SHORTEST:
            return None
        middle = around if around is not None else (self.first + self.last) // 2
        begin = min(max(middle - self.years // 4, self.first), self.last - self.years // 2 + 1)
        return Window(begin, begin + self.years // 2 - 1)

    def wider(self, whole: "Window") -> "Window":
        """Twice as many years, as far as ``whole`` goes."""
        return Window(
            max(self.first - self.years // 2, whole.first), min(self.last + self.years // 2, whole.last)
        )

    def moved(self, part: float, whole: "Window") -> "Window | None":
        """So much later, as a part of its years, within ``whole``; None where nothing is there."""
        step = round(part * self.years)
        step = min(max(step, whole.first - self.first), whole.last - self.last)
        return Window(self.first + step, self.last + step) if step * part > 0 else None


class Times(NamedTuple):
    """A timeline of an item and its neighbours: of the years of ``window``, of those that there are."""

    window: Window
    whole: Window
    own: Line | None
    lines: Sequence[Line]
    undated: int  # neighbours without years
    more: int  # neighbours that are left out

    @property
    def first(self) -> str:
        """The first year in words."""
        return year_words(self.window.first)

    @property
    def last(self) -> str:
        """The last year in words."""
        return year_words(self.window.last)

    @property
    def views(self) -> Iterator[tuple[str, Window]]:
        """What else can be shown, each in words."""
        window, whole, own = self.window, self.whole, self.own
        around = (
            next((first for first, last in own.years if window.meets((first, last))), None) if own else None
        )
        wider = window.wider(whole)
        shown = {
            gettext("Fewer years"): window.closer(around),
            gettext("More years"): wider if wider != whole else None,
            gettext("Earlier"): window.moved(-0.5, whole),
            gettext("Later"): window.moved(0.5, whole),
            gettext("All years"): whole if window != whole else None,
        }
        yield from ((label, view) for label, view in shown.items() if view is not None)


def times_of(
    collection: Collection,
    record: Record,
    near: Mapping[str, PageNeighbour],
    most: int = LINES,
    first: int | None = None,
    last: int | None = None,
) -> Times | None:
    """The timeline of an item and its ``most`` closest neighbours; None where no neighbour has years.

    From ``first`` to ``last``, None for no end, it has the neighbours that have years there.
    """
    dated = {item: years for item in near if (years := _years(collection, item))}
    if not dated:
        return None
    own, all_shown = _years(collection, record.id), dict(list(dated.items())[:most])
    every = [year for years in (own, *all_shown.values()) for stretch in years for year in stretch]
    whole = Window(min(every), max(every))
    view = whole.between(first, last)
    shown = {item: years for item, years in all_shown.items() if any(map(view.meets, years))}
    lines = [
        Line(near[item].record, near[item].types, years, _bars(years, view))
        for item, years in sorted(shown.items(), key=lambda line: line[1][0])
    ]
    return Times(
        view,
        whole,
        Line(record, (), own, _bars(own, view)) if own else None,
        lines,
        len(near) - len(dated),
        len(dated) - len(shown),
    )


def _years(collection: Collection, item: str) -> list[tuple[int, int]]:
    """The years of an item, the earliest first, stretches that meet as one."""
    joined: list[tuple[int, int]] = []
    known = named_facts(collection.profile_bytes(collection.row(item))).years
    for first, last in sorted((one.first, one.last) for one in known):
        if joined and first <= joined[-1][1] + 1:
            joined[-1] = (joined[-1][0], max(joined[-1][1], last))
        else:
            joined.append((first, last))
    return joined


def _bars(years: Sequence[tuple[int, int]], window: Window) -> list[Stretch]:
    bars = []
    for begin, end in filter(window.meets, years):
        first, last = max(begin, window.first), min(end, window.last)
        width = max(100 * (last + 1 - first) / window.years, _THINNEST)
        # a thin bar at the end stays within
        left = min(100 * (first - window.first) / window.years, 100 - width)
        bars.append(Stretch(round(left, 1), round(width, 1)))
    return bars
