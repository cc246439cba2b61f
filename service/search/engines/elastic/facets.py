"""Facets of an index in a cluster: counted by the engine."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Final, NamedTuple

import numpy as np

from features.arrays import Bools, Ints, Longs
from features.collection.facets import NameCount, folded
from service.search.engines.elastic.client import Json, asking
from service.search.engines.elastic.documents import SEPARATOR
from service.search.engines.elastic.items import OpenIndex, counted

_SPELLINGS: Final = 4
"""So many times as many names are asked for as are wanted: one may be spelled in several ways."""


class ClusterFacets:
    """What the items can be filtered by; there are no masks of items that are not here."""

    def __init__(self, index: OpenIndex, query: Json | None = None) -> None:
        self._index, self._query = index, query or {"match_all": {}}

    def having(self, facet: str, names: Sequence[str]) -> Bools:
        """None of the items is here."""
        raise TypeError(_HERE)

    def meeting(self, first: int | None, last: int | None) -> Bools:
        """None of the items is here."""
        raise TypeError(_HERE)

    def met(self, first: int | None, last: int | None) -> int:
        """How many items have years that meet these."""
        years = {end: year for end, year in (("gte", first), ("lte", last)) if year is not None}
        query = {"range": {"years": {**years, "relation": "intersects"}}}
        return counted(self._index, query)

    def image(self) -> Bools:
        """None of the items is here."""
        raise TypeError(_HERE)

    def number(self, facet: str, name: str) -> int:
        """How many items have a name."""
        query = {"prefix": {facet: f"{folded(name)}{SEPARATOR}"}}
        return counted(self._index, query)

    def commonest(self, facet: str, most: int, among: Bools | None = None) -> tuple[list[NameCount], int]:
        """The names that most items have, ties by the name, and how many names there are."""
        if among is not None:
            raise TypeError(_HERE)
        return self.counted([facet], most)[facet]

    def counted(self, facets: Sequence[str], most: int) -> Mapping[str, tuple[list[NameCount], int]]:
        """The same of several facets."""
        aggregations: dict[str, Json] = {}
        for facet in facets:
            aggregations[facet] = {"terms": {"field": facet, "size": _SPELLINGS * most}}
            aggregations[f"{facet}_kinds"] = {"cardinality": {"field": facet}}
        found = self._aggregated(aggregations)
        return {
            facet: (_names(found[facet]["buckets"], most), int(found[f"{facet}_kinds"]["value"]))
            for facet in facets
        }

    @property
    def years(self) -> Ints:
        """None of the items is here."""
        raise TypeError(_HERE)

    @cached_property
    def decades(self) -> "_Counted":
        """In which decades there are years."""
        decades = {"histogram": {"field": "years", "interval": 10, "min_doc_count": 1}}
        buckets = self._aggregated({"decades": decades})["decades"]["buckets"]
        found = {round(one["key"]) // 10: int(one["doc_count"]) for one in buckets}
        begin = min(found, default=0)
        counts = np.zeros(max(found, default=-1) - begin + 1, np.int64)
        for decade, items in found.items():
            counts[decade - begin] = items
        return _Counted(begin, counts)

    def _aggregated(self, aggregations: Mapping[str, Json]) -> Json:
        with asking(self._index.settings):
            found = self._index.client.search(
                index=self._index.name,
                query=self._query,
                aggregations=aggregations,
                size=0,
                allow_partial_search_results=False,
            )
        result: Json = found["aggregations"]
        return result


class _Counted(NamedTuple):
    begin: int
    numbers: Longs

    def counts(self, among: Bools | None = None) -> tuple[int, Longs]:
        """As of any facets; raises ``TypeError`` for some rows only."""
        if among is not None:
            raise TypeError(_HERE)
        return self.begin, self.numbers


_HERE: Final = "the items of a cluster are not here; filters are asked of the engine"


def _names(buckets: Sequence[Json], most: int) -> list[NameCount]:
    counts: dict[str, NameCount] = {}
    for one in buckets:
        key, _, shown = one["key"].partition(SEPARATOR)
        before = counts.get(key)
        counts[key] = NameCount(
            before.spelled if before else shown, one["doc_count"] + (before.items if before else 0)
        )
    order = sorted(counts, key=lambda key: (-counts[key].items, key.encode()))
    return [counts[key] for key in order[:most]]
