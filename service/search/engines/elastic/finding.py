"""The search in the texts of a cluster's items: the same language of queries, filters and facets.

The engine has the very words that the local index has, cut by the same rules. How well an item fits is BM25
in both; the engine rounds the lengths of texts to one byte, so that the order of near equals may differ.
"""

from collections.abc import Sequence
from functools import cached_property
from typing import Final, NamedTuple, NoReturn

import numpy as np

from features.arrays import Bools, Ints, Longs
from features.collection.facets import NAMED, NameCount, key_of
from features.fulltext.index_file import COLUMNS
from features.fulltext.text_index import RARE, closest
from ingest.errors import InvalidRequest
from ingest.record import Record, decode
from service.search import facets
from service.search.engines.elastic.client import EngineJson
from service.search.engines.elastic.documents import SEPARATOR, read_stored_item
from service.search.engines.elastic.items import OpenIndex
from service.search.engines.elastic.query_builder import filtered
from service.search.engines.port import ItemPage
from service.search.facets import decades
from service.search.fulltext.finding import SHOWN, ResultPage, SharedFacets, WordQuery, corrected, unread
from service.search.fulltext.language import Term, terms
from service.search.fulltext.relevance import MORE
from service.search.queries import Check, unlimited

FARTHEST: Final = 10_000  # how far into the results of a search the engine goes

_SPELLINGS: Final = 4
"""So many times as many names are asked for as are wanted: one may be spelled in several ways."""

_EVERYTHING: Final[EngineJson] = {"match_all": {}}

_ORDERS: Final[dict[str, list[EngineJson]]] = {
    "relevance": [{"_score": "desc"}, {"id": "asc"}],
    "title": [{"title_order": {"order": "asc", "missing": "_last"}}, {"id": "asc"}],
    "oldest": [{"oldest": {"order": "asc", "missing": "_last"}}, {"id": "asc"}],
    "newest": [{"newest": {"order": "desc", "missing": "_last"}}, {"id": "asc"}],
    "id": [{"id": "asc"}],
}


def find(index: OpenIndex, wanted: WordQuery, check: Check = unlimited) -> ResultPage:
    """One page of the items that a query finds; ``check`` is called between the steps.

    Raises ``InvalidRequest`` for a page beyond ``FARTHEST``.
    """
    if wanted.offset + wanted.limit > FARTHEST:
        raise InvalidRequest(
            f"a cluster shows the first {FARTHEST:,} of what it finds; narrow the search down, or list all"
            " items with sort=id and after"
        )
    parsed = terms(wanted.query)
    query = _query(parsed, wanted)
    total, records = _page(index, query, wanted)
    check()
    shared = suggestion = None
    if wanted.facets:
        among = ClusterFacets(index, query)
        names = {facet: common for facet, (common, _) in among.counted(NAMED, SHOWN).items()}
        shared = SharedFacets(names, decades(among))
        check()
    if (
        total <= RARE
        and wanted.among is None
        and (other := corrected(parsed, lambda word: _nearest(index, word)))
    ):
        suggestion = other if index.count(_query(terms(other), wanted)) > total else None
    if wanted.after is None:
        more = wanted.offset + len(records) < total
    else:
        more = len(records) == wanted.limit and _count(index, query, {"gt": records[-1].id}) > 0
    notes = *facets.notes(ClusterFacets(index), wanted.filters), *unread(wanted.query, parsed)
    return ResultPage(total, records, more, shared, suggestion, notes)


def _count(index: OpenIndex, query: EngineJson, ids: EngineJson) -> int:
    return index.count({"bool": {"filter": [query, {"range": {"id": ids}}]}})


def _page(index: OpenIndex, query: EngineJson, wanted: WordQuery) -> tuple[int, list[Record]]:
    body = {
        "query": query,
        "sort": _ORDERS[wanted.order],
        "from": wanted.offset,
        "size": wanted.limit,
        "stored_fields": ["told"],
        "track_total_hits": True,
    }
    hits = index.search(body if wanted.after is None else {**body, "search_after": [wanted.after]})["hits"]
    records = [decode(read_stored_item(hit["fields"]["told"][0]).record) for hit in hits["hits"]]
    return int(hits["total"]["value"]), records


def _query(parsed: Sequence[Term], wanted: WordQuery) -> EngineJson:
    if wanted.query.strip() and not parsed:
        return {"match_none": {}}
    must = [_any(term) for term in parsed if not term.excluded]
    without = [_any(term) for term in parsed if term.excluded]
    fits = filtered(wanted.filters)
    if wanted.among is not None:
        fits.append({"terms": {"id": sorted(wanted.among)}})
    return {"bool": {"must": must, "must_not": without, "filter": fits}}


def _any(term: Term) -> EngineJson:
    """A term in one column, or in any: each counts as much as it does in the local index."""
    columns = [term.field] if term.field else COLUMNS
    clauses = [_in(term, f"text.{column}", 1 + MORE.get(column, 0.0)) for column in columns]
    return {"bool": {"should": clauses, "minimum_should_match": 1}}


def _in(term: Term, field: str, boost: float) -> EngineJson:
    text = " ".join(term.words)
    if len(term.words) == 1:
        kind = "prefix" if term.begins else "term"
        return {kind: {field: {"value": text, "boost": boost}}}
    kind = "match_phrase_prefix" if term.begins else "match_phrase"
    return {kind: {field: {"query": text, "boost": boost}}}


def _nearest(index: OpenIndex, word: str) -> str | None:
    """The word of the collection that is most like one that hardly any item has; of several the commonest."""
    items = index.count({"bool": {"should": [{"term": {f"text.{column}": word}} for column in COLUMNS]}})
    if items > RARE:
        return None
    fields = {column: {"term": {"field": f"text.{column}", **_LIKE}} for column in COLUMNS}
    suggested = index.search({"size": 0, "suggest": {"text": word, **fields}})["suggest"]
    common = dict[str, int]()
    for option in (one for column in COLUMNS for own in suggested[column] for one in own["options"]):
        common[option["text"]] = common.get(option["text"], 0) + int(option["freq"])
    return closest(word, common.items(), items)


_LIKE: Final = {"suggest_mode": "always", "min_word_length": 3, "prefix_length": 0, "size": 10}


def around(index: OpenIndex, after: str | None, number: int) -> ItemPage:
    """So many items that follow an id, None for the first ones."""
    before = 0 if after is None else _count(index, _EVERYTHING, {"lte": after})
    _, records = _page(index, _EVERYTHING, WordQuery(sort="id", limit=number, after=after))
    if after is None or before <= number:
        return ItemPage(before, records, None)
    earlier = {"range": {"id": {"lte": after}}}
    return ItemPage(before, records, _one_id(index, earlier, {"sort": [{"id": "desc"}], "from": number}))


def any_item(index: OpenIndex) -> str | None:
    """The id of an item that chance picks; None where there is none."""
    return _one_id(index, {"function_score": {"query": _EVERYTHING, "random_score": {}}}, {})


def _one_id(index: OpenIndex, query: EngineJson, order: EngineJson) -> str | None:
    answer = index.search({"query": query, "size": 1, "docvalue_fields": [{"field": "id"}], **order})
    return next((hit["fields"]["id"][0] for hit in answer["hits"]["hits"]), None)


def _elsewhere(*_: object, **__: object) -> NoReturn:
    """Give no mask of items that are not in this process: raises ``TypeError``."""
    raise TypeError("the items of a cluster are not here; filters are asked of the engine")


class ClusterFacets:
    """What the items can be filtered by, counted by the engine; there are no masks."""

    having = meeting = image = _elsewhere

    def __init__(self, index: OpenIndex, query: EngineJson = _EVERYTHING) -> None:
        self._index, self._query = index, query

    def met(self, first: int | None, last: int | None) -> int:
        """How many items have years that meet these."""
        years = {end: year for end, year in (("gte", first), ("lte", last)) if year is not None}
        return self._index.count({"range": {"years": {**years, "relation": "intersects"}}})

    def number(self, facet: str, name: str) -> int:
        """How many items have a name."""
        return self._index.count({"prefix": {facet: f"{key_of(facet, name)}{SEPARATOR}"}})

    def commonest(self, facet: str, most: int, among: Bools | None = None) -> tuple[list[NameCount], int]:
        """The names that most items have, ties by the name, and how many names there are."""
        return self.counted([facet], most)[facet] if among is None else _elsewhere()

    def counted(self, facets: Sequence[str], most: int) -> dict[str, tuple[list[NameCount], int]]:
        """The same of several facets."""
        aggregations: dict[str, EngineJson] = {}
        for facet in facets:
            aggregations[facet] = {"terms": {"field": facet, "size": _SPELLINGS * most}}
            aggregations[f"{facet}_kinds"] = {"cardinality": {"field": facet}}
        counts = self._aggregated(aggregations)
        return {
            facet: (_names(counts[facet]["buckets"], most), int(counts[f"{facet}_kinds"]["value"]))
            for facet in facets
        }

    @property
    def years(self) -> Ints:
        """None of the items is here."""
        return _elsewhere()

    @cached_property
    def decades(self) -> "_Counted":
        """In which decades there are years."""
        decades = {"histogram": {"field": "years", "interval": 10, "min_doc_count": 1}}
        buckets = self._aggregated({"decades": decades})["decades"]["buckets"]
        items = {round(one["key"]) // 10: int(one["doc_count"]) for one in buckets}
        begin = min(items, default=0)
        counts = [items.get(decade, 0) for decade in range(begin, max(items, default=-1) + 1)]
        return _Counted(begin, np.array(counts, np.int64))

    def _aggregated(self, aggregations: EngineJson) -> EngineJson:
        body = {"query": self._query, "aggregations": aggregations, "size": 0}
        answer: EngineJson = self._index.search(body)["aggregations"]
        return answer


class _Counted(NamedTuple):
    begin: int
    numbers: Longs

    def counts(self, among: Bools | None = None) -> tuple[int, Longs]:
        """As of any facets; raises ``TypeError`` for some rows only."""
        return (self.begin, self.numbers) if among is None else _elsewhere()


def _names(buckets: Sequence[EngineJson], most: int) -> list[NameCount]:
    """The commonest names, each with the items of all its spellings."""
    counts: dict[str, NameCount] = {}
    for one in buckets:
        key, _, shown = one["key"].partition(SEPARATOR)
        before = counts.get(key, NameCount(shown, 0))
        counts[key] = NameCount(before.spelled, before.items + one["doc_count"])
    order = sorted(counts, key=lambda key: (-counts[key].items, key.encode()))
    return [counts[key] for key in order[:most]]
