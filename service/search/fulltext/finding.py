"""Finding items by their texts and by filters: which, how many, in which order, and what they share."""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, Literal, TypeAlias, get_args

import numpy as np

from features.arrays import Bools, Floats, Rows
from features.collection.collection import Built, Collection
from features.collection.delta import Delta
from features.collection.facets import NAMED, NameCount
from features.fulltext.index_file import sort_key
from features.fulltext.text_index import RARE, TextIndex
from ingest.errors import InvalidRequest, UnknownItem
from ingest.record import Record
from service.languages.messages import gettext
from service.search import facets
from service.search.facets import Decade, Filters, decades
from service.search.fulltext.changed import ChangedWords, changed_of
from service.search.fulltext.language import Term, terms
from service.search.fulltext.relevance import index_of, relevance, weighted
from service.search.queries import MOST, Check, unlimited

Sort: TypeAlias = Literal["relevance", "oldest", "newest", "title", "id"]

SORTS: Final[tuple[str, ...]] = get_args(Sort)

LONGEST: Final = 500  # characters that a query may have
FARTHEST: Final = 10**9  # the greatest offset
SHOWN: Final = 12  # names of a facet that are counted at most: those that most of the items have


@dataclass(frozen=True, slots=True, kw_only=True)
class WordQuery:
    """A search in texts: a query in the language of :mod:`service.search.fulltext.language`, and filters.

    Only items ``among`` some ids are wanted, where these are given. ``sort`` None is relevance where there is
    a query, else the order of the ids; ties go by id. A page begins at ``offset``, or with the first id after
    ``after``, which needs the order of the ids. ``facets`` wants what the items share. Raises
    ``InvalidRequest`` for what does not fit together.

    >>> WordQuery(query="venice").order, WordQuery().order
    ('relevance', 'id')
    """

    query: str = ""
    filters: Filters = field(default_factory=Filters)
    among: frozenset[str] | None = None
    sort: Sort | None = None
    limit: int = 20
    offset: int = 0
    after: str | None = None
    facets: bool = False

    def __post_init__(self) -> None:
        if len(self.query) > LONGEST:
            raise InvalidRequest(f"the query has {len(self.query):,} characters, the most are {LONGEST}")
        if not 1 <= self.limit <= MOST:
            raise InvalidRequest(f"limit must be between 1 and {MOST}, not {self.limit}")
        if not 0 <= self.offset <= FARTHEST:
            raise InvalidRequest(f"offset must be between 0 and {FARTHEST:,}, not {self.offset}")
        if self.sort is not None and self.sort not in SORTS:
            raise InvalidRequest(f"sort must be one of {', '.join(SORTS)}, not {self.sort!r}")
        if self.sort == "relevance" and not self.query.strip():
            raise InvalidRequest("to sort by relevance a query is needed; name one, or another order")
        if self.after is not None and (self.offset or self.order != "id"):
            raise InvalidRequest("after goes on in the order of the ids; ask for sort=id, without offset")

    @property
    def order(self) -> str:
        """The order of the items."""
        return self.sort or ("relevance" if self.query.strip() else "id")


@dataclass(frozen=True, slots=True)
class SharedFacets:
    """What the results of a search share: the commonest names of each facet, and their decades."""

    names: Mapping[str, Sequence[NameCount]]
    decades: Sequence[Decade]


@dataclass(frozen=True, slots=True)
class ResultPage:
    """One page of the results of a search.

    ``more`` says whether items follow. ``suggestion`` is a query that finds something, where a word of this
    one occurs nowhere. ``notes`` are sentences about names that no item has.
    """

    total: int
    records: Sequence[Record]
    more: bool
    shared: SharedFacets | None
    suggestion: str | None
    notes: tuple[str, ...]


def find(collection: Collection, wanted: WordQuery, check: Check = unlimited) -> ResultPage:
    """Find items of a collection, with its live changes.

    ``check`` is called between the steps, and ends the work by raising. Raises ``ResourceMissing`` where the
    collection was built without an index to search, and ``DamagedArtefact``.
    """
    finder, parsed = _Finder(collection), terms(wanted.query)
    fits = facets.mask(collection.facets, wanted.filters)
    if wanted.among is not None:
        among = _among(collection, wanted.among)
        fits = among if fits is None else fits & among
    rows = finder.having(parsed, wanted.query, fits)
    check()
    begin = wanted.offset
    if wanted.after is not None:  # the order is that of the ids
        begin = int(np.searchsorted(rows, bisect_right(collection.ids, wanted.after)))
    page = finder.ordered(rows, parsed, wanted.order, begin + wanted.limit)[begin:]
    check()
    shared = finder.shared(rows) if wanted.facets else None
    seldom = len(rows) <= RARE and wanted.among is None
    check()
    return ResultPage(
        total=len(rows),
        records=[collection.record(row) for row in page.tolist()],
        more=begin + len(page) < len(rows),
        shared=shared,
        suggestion=finder.suggestion(parsed, fits, len(rows)) if seldom else None,
        notes=(*facets.notes(collection.facets, wanted.filters), *unread(wanted.query, parsed)),
    )


def _among(collection: Collection, ids: Iterable[str]) -> Bools:
    """Which rows some ids have; those that the collection lacks have none."""
    mask = np.zeros(len(collection), dtype=bool)
    for item in ids:
        with suppress(UnknownItem):
            mask[collection.row(item)] = True
    return mask


def unread(query: str, parsed: Sequence[Term]) -> tuple[str, ...]:
    """A sentence where a query has no term."""
    if query.strip() and not parsed:
        return (gettext("the query has neither a letter nor a digit, so nothing is found by it"),)
    return ()


class _Finder:
    """Looks through the collection as it was built by its index, and through what changed since."""

    def __init__(self, collection: Collection) -> None:
        self._collection = collection

    @cached_property
    def _index(self) -> TextIndex:
        below = self._collection.base if isinstance(self._collection, Delta) else self._collection
        if not isinstance(below, Built):
            raise TypeError("only a collection that was built has an index")
        return index_of(below)

    @cached_property
    def _changed(self) -> ChangedWords | None:
        return changed_of(self._collection) if isinstance(self._collection, Delta) else None

    def having(self, parsed: Sequence[Term], query: str, fits: Bools | None) -> Rows:
        """The rows that have the terms of a query and fit the filters, ascending."""
        if query.strip() and not parsed:
            return np.empty(0, np.intp)
        mask = np.ones(len(self._collection), dtype=bool) if fits is None else fits.copy()
        if parsed:
            mask &= self._matching(parsed)
        return np.flatnonzero(mask)

    def _matching(self, parsed: Sequence[Term]) -> Bools:
        wanted, unwanted = _parted(parsed)
        none = " OR ".join(term.match for term in unwanted)
        # FTS5 knows no exclusion without anything to exclude from
        match = " AND ".join(term.match for term in wanted) or none
        if wanted and unwanted:
            match = f"({match}) NOT ({none})"
        rows = self._index.rows(match)
        if isinstance(self._collection, Delta):
            rows = self._collection.rows[rows]
            rows = rows[rows >= 0]
        mask = np.full(len(self._collection), not wanted)
        mask[rows] = bool(wanted)
        if self._changed is not None:
            mask[self._changed.rows] = False
            mask[self._changed.matching(wanted, unwanted)] = True
        return mask

    def ordered(self, rows: Rows, parsed: Sequence[Term], order: str, most: int) -> Rows:
        """The first ``most`` rows in an order; ties by id."""
        if order == "relevance":
            keys = -self._relevance(parsed)
        elif order == "title":
            keys = self._titles()
        elif order == "oldest":
            keys = self._years(column=1, sign=1)
        elif order == "newest":
            keys = self._years(column=2, sign=-1)
        else:
            return rows[:most]
        own = keys[rows]
        if most < len(rows):  # most results are on no page: they are not sorted
            first = own <= np.partition(own, most - 1)[most - 1]
            rows, own = rows[first], own[first]
        return rows[np.argsort(own, kind="stable")[:most]]

    def _relevance(self, parsed: Sequence[Term]) -> Floats:
        """How well each row fits."""
        index = self._index
        terms = weighted(_parted(parsed)[0], index)
        scores = relevance(terms, index) if terms else np.zeros(index.size[0])
        if isinstance(self._collection, Delta) and self._changed is not None:
            built, scores = scores, np.zeros(len(self._collection))
            stored = self._collection.stored
            scores[stored] = built[self._collection.places[stored]]
            scores[self._changed.rows] = self._changed.scores(terms, index)
        # what two ways of adding up make of equal numbers is equal
        return np.asarray(np.round(scores, 12))

    def _titles(self) -> Floats:
        """The place of each row in the order of titles; equal ones have the same."""
        places = self._index.titles.astype(np.float64)
        if not isinstance(self._collection, Delta) or self._changed is None:
            return places
        base, now = self._collection.base, np.empty(len(self._collection))
        now[self._collection.stored] = places[self._collection.places[self._collection.stored]]
        order = np.argsort(places, kind="stable").tolist()
        own = self._changed.titles
        between = {title: n / (len(own) + 1) for n, title in enumerate(sorted(set(own)), 1)}
        for row, title in zip(self._changed.rows.tolist(), own, strict=True):
            at = bisect_left(order, title, key=lambda known: sort_key(base.record(known).label))
            place = places[order[at]] if at < len(order) else places.max(initial=-1.0) + 1
            equal = at < len(order) and sort_key(base.record(order[at]).label) == title
            now[row] = place if equal else place - 1 + between[title]
        return now

    def _years(self, *, column: int, sign: int) -> Floats:
        """The first or the last year of each row times ``sign``; rows without years come last."""
        stretches, years = self._collection.facets.years, np.full(len(self._collection), np.inf)
        np.minimum.at(years, stretches[:, 0], sign * stretches[:, column].astype(np.float64))
        return years

    def shared(self, rows: Rows) -> SharedFacets:
        """What some rows share."""
        known = self._collection.facets
        among = np.zeros(len(self._collection), dtype=bool)
        among[rows] = True
        names = {facet: known.commonest(facet, SHOWN, among)[0] for facet in NAMED}
        return SharedFacets(names, decades(known, among))

    def suggestion(self, parsed: Sequence[Term], fits: Bools | None, items: int) -> str | None:
        """The query with words in place of those that hardly any item has, where it finds more ``items``."""
        query = corrected(parsed, self._nearest)
        return query if query and len(self.having(terms(query), query, fits)) > items else None

    def _nearest(self, word: str) -> str | None:
        known = self._changed is not None and self._changed.knows(word)
        return None if known else self._index.nearest(word)


def _parted(parsed: Sequence[Term]) -> tuple[list[Term], list[Term]]:
    """The terms that are wanted, and those that are not."""
    return [term for term in parsed if not term.excluded], [term for term in parsed if term.excluded]


def corrected(parsed: Sequence[Term], nearest: Callable[[str], str | None]) -> str | None:
    """The query with other words, as far as ``nearest`` gives one; None where it is as it was.

    Of an excluded term, and of a beginning of a word, nothing is replaced.
    """
    written = []
    for term in parsed:
        whole = () if term.excluded else term.words[:-1] if term.begins else term.words
        words = (*(nearest(word) or word for word in whole), *term.words[len(whole) :])
        written.append(term.written if words == term.words else term.with_words(words))
    query = " ".join(written)
    return None if query == " ".join(term.written for term in parsed) else query
