"""What the start page shows of the whole collection: when its items are from, and where."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final, NamedTuple

from features.collection.facets import FacetIndex
from service.search.facets import Filters, decades
from service.search.fulltext.finding import WordQuery
from service.web.api.searching import address

_DECADES: Final = 30
"""Decades of the timeline; what is older is one number."""

_PLACES: Final = 24
"""Places that are named."""


class TimelineBar(NamedTuple):
    """A stretch of time or a place: its name, how many items there are, and the search that shows them."""

    label: str
    items: int
    search: str


class Timeline(NamedTuple):
    """The last decades of the collection with a bar each, and all that is before them; None for nothing."""

    bars: Sequence[TimelineBar]
    earlier: TimelineBar | None


def timeline(facets: FacetIndex) -> Timeline:
    """When the items are from."""
    known = [one for one in decades(facets) if one.first <= datetime.now(UTC).year]
    if not known:
        return Timeline((), None)
    begin = known[-1].last + 1 - 10 * _DECADES
    bars = [
        TimelineBar(one.label, one.items, _search(Filters(first=one.first, last=one.last)))
        for one in known
        if one.first >= begin
    ]
    items = facets.met(None, begin - 1)
    earlier = TimelineBar(f"before {begin}", items, _search(Filters(last=begin - 1))) if items else None
    return Timeline(bars, earlier)


def places(facets: FacetIndex) -> Sequence[TimelineBar]:
    """The places that most items name."""
    common, _ = facets.commonest("place", _PLACES)
    return [TimelineBar(one.spelled, one.items, _search(Filters(place=(one.spelled,)))) for one in common]


def _search(filters: Filters) -> str:
    return address("/search", WordQuery(filters=filters))
