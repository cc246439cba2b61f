"""Finding items of a cluster by their words and by filters, in the same language of queries.

The engine has the very words that the local index has, cut by the same rules. How well an item fits is BM25
in both; the engine keeps the lengths of texts in one byte, so that the order of near equals may differ.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, Final, NamedTuple

import numpy as np
from rapidfuzz.distance import OSA

from features.arrays import Bools, Ints, Longs
from features.collection.facets import NAMED, Name, folded
from features.collection.fulltext import COLUMNS
from ingest.errors import InvalidRequest
from ingest.record import Record, decode
from service.search import facets
from service.search.engines.elastic.client import Json, asking
from service.search.engines.elastic.documents import SEPARATOR, read_stored_item
from service.search.engines.elastic.items import OpenIndex, counted
from service.search.engines.elastic.query_builder import filtered
from service.search.facets import decades
from service.search.fulltext.finding import SHOWN, ResultPage, SharedFacets, WordQuery, unread, whole_words
from service.search.fulltext.index import CLOSE, MORE
from service.search.fulltext.language import Term, terms
from service.search.queries import Check, unlimited

FARTHEST: Final = 10_000
"""How far into what was found the engine goes."""

_ID: Final[list[Json]] = [{"field": "id"}]

_ORDERS: Final[dict[str, list[Json]]] = {
    "relevance": [{"_score": "desc"}, {"id": "asc"}],
    "title": [{"title_order": {"order": "asc", "missing": "_last"}}, {"id": "asc"}],
    "oldest": [{"oldest": {"order": "asc", "missing": "_last"}}, {"id": "asc"}],
    "newest": [{"newest": {"order": "desc", "missing": "_last"}}, {"id": "asc"}],
    "id": [{"id": "asc"}],
}


def find(index: OpenIndex, wanted: WordQuery, check: Check = unlimited) -> ResultPage:
    """Find items; ``check`` is called between the steps. Raises ``InvalidRequest`` for too far."""
    if wanted.offset + wanted.limit > FARTHEST:
        raise InvalidRequest(
            f"a cluster shows the first {FARTHEST:,} of what it finds; narrow the search down, or list all"
            " items with sort=id and after"
        )
    asked = terms(wanted.query)
    query = _query(asked, wanted)
    total, records = _page(index, query, wanted)
    check()
    known = ClusterFacets(index, query)
    shared = None
    if wanted.facets:
        names = {facet: found for facet, (found, _) in known.counted(NAMED, SHOWN).items()}
        shared = SharedFacets(names, decades(known))
        check()
    suggestion = None if total or not asked else _suggestion(index, asked, wanted)
    last = wanted.after is not None and len(records) < wanted.limit
    return ResultPage(
        total=total,
        records=records,
        more=not last and _more(index, query, wanted, records, total),
        shared=shared,
        suggestion=suggestion,
        notes=(*facets.notes(ClusterFacets(index), wanted.filters), *unread(wanted.query, asked)),
    )


def _more(index: OpenIndex, query: Json, wanted: WordQuery, records: Sequence[Record], total: int) -> bool:
    if wanted.after is None:
        return wanted.offset + len(records) < total
    return bool(records) and _count(index, query, {"gt": records[-1].id}) > 0


def _count(index: OpenIndex, query: Json, ids: Json) -> int:
    return counted(index, {"bool": {"filter": [query, {"range": {"id": ids}}]}})


def _page(index: OpenIndex, query: Json, wanted: WordQuery) -> tuple[int, list[Record]]:
    following: dict[str, Any] = {} if wanted.after is None else {"search_after": [wanted.after]}
    with asking(index.settings):
        found = index.client.search(
            index=index.name,
            query=query,
            sort=_ORDERS[wanted.order],
            from_=wanted.offset,
            size=wanted.limit,
            stored_fields=["told"],
            track_total_hits=True,
            allow_partial_search_results=False,
            **following,
        )
    return int(found["hits"]["total"]["value"]), [_record(hit) for hit in found["hits"]["hits"]]


def _record(hit: Json) -> Record:
    return decode(read_stored_item(hit["fields"]["told"][0]).record)


def _query(asked: Sequence[Term], wanted: WordQuery) -> Json:
    if wanted.query.strip() and not asked:
        return {"match_none": {}}
    must = [_any(term) for term in asked if not term.excluded]
    without = [_any(term) for term in asked if term.excluded]
    return {"bool": {"must": must, "must_not": without, "filter": filtered(wanted.filters)}}


def _any(term: Term) -> Json:
    """A term in one column, or in any: each counts as much as it does in the local index."""
    columns = [term.field] if term.field else COLUMNS
    clauses = [_in(term, f"text.{column}", 1 + MORE.get(column, 0.0)) for column in columns]
    return {"bool": {"should": clauses, "minimum_should_match": 1}}


def _in(term: Term, field: str, boost: float) -> Json:
    text = " ".join(term.words)
    if len(term.words) == 1:
        kind = "prefix" if term.begins else "term"
        return {kind: {field: {"value": text, "boost": boost}}}
    kind = "match_phrase_prefix" if term.begins else "match_phrase"
    return {kind: {field: {"query": text, "boost": boost}}}


def _suggestion(index: OpenIndex, asked: Sequence[Term], wanted: WordQuery) -> str | None:
    """The query with the nearest words in place of those that occur nowhere, where it finds something."""
    words = {word for term in asked for word in whole_words(term)}
    nearest = {word: _nearest(index, word) for word in sorted(words)}
    written = []
    for term in asked:
        own = tuple(nearest.get(word) or word for word in term.words)
        written.append(term.written if own == term.words else term.with_words(own))
    query = " ".join(written)
    if not query or query == " ".join(term.written for term in asked):
        return None
    return query if counted(index, _query(terms(query), wanted)) else None


def _nearest(index: OpenIndex, word: str) -> str | None:
    """The word of the collection that is most like one that no item has; of several the commonest."""
    known = {"bool": {"should": [{"term": {f"text.{column}": word}} for column in COLUMNS]}}
    fields = {column: {"term": {"field": f"text.{column}", **_LIKE}} for column in COLUMNS}
    if counted(index, known):
        return None
    with asking(index.settings):
        found = index.client.search(index=index.name, size=0, suggest={"text": word, **fields})["suggest"]
    most, common = CLOSE.get(len(word), 2), dict[str, int]()
    for option in (one for column in COLUMNS for own in found[column] for one in own["options"]):
        common[option["text"]] = common.get(option["text"], 0) + int(option["freq"])
    close = [
        (wrong, -items, other)
        for other, items in common.items()
        if (wrong := OSA.distance(word, other, score_cutoff=most)) <= most
    ]
    return min(close)[2] if close else None


_LIKE: Final = {"suggest_mode": "missing", "min_word_length": 3, "prefix_length": 0, "size": 10}


def around(index: OpenIndex, after: str | None, number: int) -> tuple[int, list[Record], str | None]:
    """Some items in the order of the ids: how many come before, they, and the id before the page before."""
    everything: Json = {"match_all": {}}
    before = 0 if after is None else _count(index, everything, {"lte": after})
    _, records = _page(index, everything, WordQuery(sort="id", limit=number, after=after))
    if after is None or before <= number:
        return before, records, None
    with asking(index.settings):
        found = index.client.search(
            index=index.name,
            query={"range": {"id": {"lte": after}}},
            sort=[{"id": "desc"}],
            from_=number,
            size=1,
            docvalue_fields=_ID,
            allow_partial_search_results=False,
        )
    return before, records, next(_ids(found), None)


def any_item(index: OpenIndex) -> str | None:
    """The id of an item that chance picks; None where there is none."""
    query: Json = {"function_score": {"query": {"match_all": {}}, "random_score": {}}}
    with asking(index.settings):
        return next(
            _ids(index.client.search(index=index.name, query=query, size=1, docvalue_fields=_ID)), None
        )


def _ids(found: Any) -> Iterator[str]:  # noqa: ANN401 - an answer of the engine's
    return (hit["fields"]["id"][0] for hit in found["hits"]["hits"])


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

    def commonest(self, facet: str, most: int, among: Bools | None = None) -> tuple[list[Name], int]:
        """The names that most items have, ties by the name, and how many names there are."""
        if among is not None:
            raise TypeError(_HERE)
        return self.counted([facet], most)[facet]

    def counted(self, facets: Sequence[str], most: int) -> Mapping[str, tuple[list[Name], int]]:
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


def _names(buckets: Sequence[Json], most: int) -> list[Name]:
    counts: dict[str, Name] = {}
    for one in buckets:
        key, _, shown = one["key"].partition(SEPARATOR)
        before = counts.get(key)
        counts[key] = Name(
            before.spelled if before else shown, one["doc_count"] + (before.items if before else 0)
        )
    order = sorted(counts, key=lambda key: (-counts[key].items, key.encode()))
    return [counts[key] for key in order[:most]]
