"""The application: neighbours, scores and explanations. No HTTP and no terminal in here."""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, islice
from typing import Final

import numpy as np

from features.arrays import Doubles
from features.profiles.blocks import Block
from features.profiles.profile import Profile
from ingest.errors import InvalidRequest, UnknownItem
from ingest.record import Record
from models.explanation import ScoreExplanation, explain, identical
from models.systems import System
from models.types import SCALE, SimilarityType
from service.explain.reasons import reason
from service.explain.stated import StatedReason
from service.languages.messages import gettext, type_word
from service.search import cursors, facets
from service.search.cursors import Cursor
from service.search.diversity import diverse, likeness, pool
from service.search.engines.port import PINNED, Index, ProposedItem, Question, Results
from service.search.engines.ranking import motivated
from service.search.engines.scoring import Scorer
from service.search.neighbours import ExplainedNeighbour, NeighbourBuilder, Retrieval
from service.search.overrides import NoOverrides, Overrides
from service.search.queries import MOST, Check, Search, WeightedSeed, unlimited
from service.search.variants import Variant

__all__ = ["MOST", "ExplainedNeighbour", "PairScores", "Recommender", "SearchAnswer"]

_LOOKED_AT: Final = 2  # items that are looked at for each one that a page has room for
_TOGETHER: Final = 25  # neighbours that are compared at once at least: one takes about as long as many


@dataclass(frozen=True, slots=True)
class SearchAnswer:
    """The answer to a search: neighbours, best first.

    ``next`` is the cursor of the page that follows, None at the end. ``notes`` are sentences about filters
    that no item can fit, or about types of which the item has nothing for sure. ``exact``: no item that is
    left out scores higher; where that is not proven none scores higher than ``bound``.
    """

    neighbours: list[ExplainedNeighbour]
    next: str | None
    notes: tuple[str, ...]
    exact: bool = True
    bound: float | None = None


@dataclass(frozen=True, slots=True)
class PairScores:
    """How alike two records are: explained scores of all types, each with its reason and the facts in it."""

    left: Record
    right: Record
    explanations: tuple[ScoreExplanation, ...]
    reasons: tuple[StatedReason, ...]


class Recommender:
    """Answers about the items of one index with one system.

    ``analyse`` makes profiles of records that the collection lacks; it is called only for those.
    ``variant`` says whether the system stands in for another, and whether the index proposes candidates by
    another system. ``overrides`` are what curators settled: no list of a type has an item that is rejected
    beside what it is for, and the list of one item begins with those that are pinned beside it.
    """

    def __init__(
        self,
        index: Index,
        system: System,
        analyse: Callable[[Sequence[Record]], list[Profile]],
        variant: Variant | None = None,
        overrides: Overrides | None = None,
    ) -> None:
        self.index, self.system, self.collection = index, system, index.collection
        self.variant = variant or Variant(system.name)
        candidates = None if self.variant.retrieval is None else self.variant.retrieval.candidates
        self._retrieval = Retrieval(index, self.collection, system, candidates)
        self._analyse = analyse
        self._overrides = overrides or NoOverrides()
        self._built: Recommender = self

    def over(self, index: Index) -> "Recommender":
        """The same over an index with live changes on top of this one's, up to which its mark reaches."""
        changed = Recommender(index, self.system, self._analyse, self.variant, self._overrides)
        changed._built = self
        return changed

    def profiles(self, records: Sequence[Record]) -> list[Profile]:
        """Profiles of some records, made as those of the collection; raises what its ``analyse`` does."""
        return self._analyse(records)

    def item(self, item: str) -> Record:
        """The record of an id; raises ``UnknownItem``."""
        return self.collection.record(self.collection.row(item))

    def rejected(self, item: str) -> Mapping[SimilarityType, frozenset[str]]:
        """For each type the items that a curator rejected beside an item."""
        return self._overrides.rejected([item])

    def holds(self, item: str) -> bool:
        """Whether the collection has an item of that id."""
        try:
            self.collection.row(item)
        except UnknownItem:
            return False
        return True

    def search(self, search: Search, check: Check = unlimited) -> SearchAnswer:
        """The items most similar to some, as asked. Raises ``UnknownItem`` and ``InvalidRequest``.

        ``check`` is called between the steps, and ends the work by raising.
        """
        question = self._question(search, check)
        notes = facets.notes(self.collection.facets, search.filters)
        if search.type is None:
            close = self._close(question, MOST, search.floor)
            ranked = motivated(close, len(self.collection), MOST)
            size = max(search.limit, _TOGETHER)
            sharing = (one for one in self._in_parts(question, ranked, close, size) if one.shares)
            near = [*islice(sharing, search.limit)]
            exact, bound = _proof(close.values())
            # which types a neighbour stands out in depends on how many score as high
            exact = exact and all(results.counted for results in close.values())
            return SearchAnswer(near, None, notes, exact, bound)
        if search.diversity:
            results, near = self._differing(question, search, search.type)
            following = None
        else:
            results, near, following = self._listed(question, search, search.type)
        if not near and search.cursor is None and following is None:
            notes = (*notes, *self._absent(question)) or (self._below(search, bool(results)),)
        return SearchAnswer(near, following, notes, *_proof([results]))

    def _listed(
        self, question: Question, search: Search, kind: SimilarityType
    ) -> tuple[Results, list[ExplainedNeighbour], str | None]:
        """The nearest of a type, those of them that a page has, and the cursor of the next.

        So many items are looked at for a page: where most of them share nothing of the type, it has fewer.
        """
        names = self._lists_what_is_shared(search)
        size = min(_LOOKED_AT * search.limit, MOST) if names else search.limit
        results, following = self._page(question, search, size)
        ranked = [(one.id, kind) for one in results[:size]]
        near, looked = list[ExplainedNeighbour](), 0
        for each in self._in_parts(question, ranked, {kind: results}, search.limit):
            looked += 1
            if not names or each.shares:
                near.append(each)
            if len(near) == search.limit:
                break
        return results, near, following(looked)

    def _differing(
        self, question: Question, search: Search, kind: SimilarityType
    ) -> tuple[Results, list[ExplainedNeighbour]]:
        """The nearest of a type, and some of them that differ from each other."""
        results = self._nearest(question, pool(search.limit), search.floor)

        def built(ids: Iterable[str]) -> Iterator[ExplainedNeighbour]:
            return self._built_of(question, [(one, kind) for one in ids], {kind: results})

        some = results
        if self._lists_what_is_shared(search):
            shared = {near.record.id for near in built(one.id for one in results) if near.shares}
            some = Results(one for one in results if one.id in shared)
        return results, [*built(self._diverse(question, search, some))]

    def _lists_what_is_shared(self, search: Search) -> bool:
        """Whether a list has only what shares something of its type that a reason can name.

        So it is above floor 0, in a type of which a score needs something on both sides, unless it is also
        of what is unlike an item. Of several it is shared with the one that is closest.
        """
        liked = all(seed.weight > 0 for seed in search.seeds)
        return self._names_what_is_shared(str(search.type)) and liked and search.floor != 0

    def _names_what_is_shared(self, kind: SimilarityType) -> bool:
        """Whether a reason of a type has to name something of it."""
        return kind in self.system.both and bool(self.system.types[kind].themes)

    def _built_of(
        self,
        question: Question,
        ranked: Sequence[tuple[str, SimilarityType]],
        close: Mapping[SimilarityType, Results],
    ) -> Iterator[ExplainedNeighbour]:
        """The neighbours of some ids, each for a type of those that are close in it."""
        pinned = {(one.id, kind) for kind, own in close.items() for one in own if one.bound == PINNED}
        for near in NeighbourBuilder(self.collection, self.system, question).each(ranked):
            yield replace(near, pinned=True) if (near.record.id, near.type) in pinned else near

    def _in_parts(
        self,
        question: Question,
        ranked: Sequence[tuple[str, SimilarityType]],
        close: Mapping[SimilarityType, Results],
        size: int,
    ) -> Iterator[ExplainedNeighbour]:
        """As ``_built_of``, ``size`` at a time: the profiles of those that nobody asks for are not read."""
        for start in range(0, len(ranked), size):
            yield from self._built_of(question, ranked[start : start + size], close)

    def similar(self, item: str, kind: SimilarityType, limit: int) -> list[ExplainedNeighbour]:
        """The ``limit`` items most similar to ``item`` in one way, best first, ties by id.

        The item itself and its exact duplicates are never among them, nor two duplicates of each other.
        Raises ``UnknownItem``, and ``InvalidRequest`` for a limit outside 1-100.
        """
        return self.search(Search(seeds=(WeightedSeed(item),), type=kind, limit=limit)).neighbours

    def grouped(
        self, item: str, limit: int, check: Check = unlimited
    ) -> dict[SimilarityType, list[ExplainedNeighbour]]:
        """For each type the ``limit`` items most similar to ``item``, as the list of that type has them."""
        question = self._question(Search(seeds=(WeightedSeed(item),), limit=limit), check)
        most = min(_LOOKED_AT * limit, MOST)
        close = self._close(question, most)
        lists: dict[SimilarityType, list[ExplainedNeighbour]] = {kind: [] for kind in close}
        for start in range(0, most, limit):
            ranked = [
                (one.id, kind)
                for kind, own in close.items()
                if len(lists[kind]) < limit
                for one in own[start : start + limit]
            ]
            if not ranked:
                break
            for near in self._built_of(question, ranked, close):
                own = lists[near.type]
                if len(own) < limit and (near.shares or not self._names_what_is_shared(near.type)):
                    own.append(near)
        return lists

    def inapplicable(self, item: str) -> tuple[SimilarityType, ...]:
        """The types of which an item has nothing, so that it has no neighbours in them."""
        return self._retrieval.inapplicable(self._question(Search(seeds=(WeightedSeed(item),)), unlimited))

    def unsure(self, item: str) -> tuple[SimilarityType, ...]:
        """The types of which an item has nothing, or nothing for sure: it has no close neighbours in them."""
        return self._retrieval.unsure(self._question(Search(seeds=(WeightedSeed(item),)), unlimited))

    def overview(self, item: str, limit: int) -> list[ExplainedNeighbour]:
        """At most ``limit`` neighbours over all types, each with the type that best motivates it.

        A type motivates a neighbour by its score and by how few items of the collection reach it. An
        item that shares nothing with this one is no neighbour.
        """
        return self.search(Search(seeds=(WeightedSeed(item),), limit=limit)).neighbours

    def nearest(
        self,
        item: str,
        types: Sequence[SimilarityType],
        limit: int,
        *,
        judged: bool = True,
        floors: Mapping[SimilarityType, float] | None = None,
    ) -> Mapping[SimilarityType, Results]:
        """The bare neighbours of an item for each of some types; their scores are not cut yet.

        What curators rejected is not among them, unless ``judged`` is false; what they pinned is not moved.
        Lists end at the ``floors`` of their types, where there are any.
        """
        question = Question(seeds=(WeightedSeed(item),), types=tuple(types), floors=floors or {})
        return (self._accepted if judged else self._retrieval.nearest)(question, limit)

    @property
    def mark(self) -> str:
        """A digest of all that answers depend on: where it is the same, so is every score and every list."""
        overrides = self._overrides.mark
        if not overrides:
            return self._mark_of_scores
        return hashlib.sha256(f"{self._mark_of_scores} {overrides}".encode()).hexdigest()[:16]

    @cached_property
    def _mark_of_scores(self) -> str:
        if self._built is self:
            return cursors.mark(self.collection, self.system)
        # every live change has a revision of its own
        live = f"{self._built._mark_of_scores} {self.collection.manifest.revision}"
        return hashlib.sha256(live.encode()).hexdigest()[:16]

    def score(self, left: Record | str, right: Record | str, check: Check = unlimited) -> PairScores:
        """The scores of two items in all types, each known by id or given as a record, explained."""
        one, profile = self._known(left)
        check()
        two, other = self._known(right)
        check()
        block, types = Block([profile, other]), self.system.types
        values = self.collection.pair(block, 0, 1, self.system.features)
        if self.system.same_text and one.analysis_hash == two.analysis_hash:
            explanations = identical(self.system, types, values)
        else:
            explanations = explain(self.system, self.collection.columns, block, (0, 1), types, values)
        features = self.collection.manifest.features
        reasons = tuple(reason(each, one, two, features, types) for each in explanations)
        return PairScores(one, two, explanations, reasons)

    def _known(self, given: Record | str) -> tuple[Record, Profile]:
        """A record and its profile; one that is given is analysed unless the collection has it so."""
        if isinstance(given, str):
            row = self.collection.row(given)
            return self.collection.record(row), self.collection.profile(row)
        if not given.has_text:
            raise InvalidRequest("a record to score needs text in at least one of its six fields")
        if self.holds(given.id) and self.item(given.id).analysis_hash == given.analysis_hash:
            return given, self.collection.profile(self.collection.row(given.id))
        return given, self._analyse([given])[0]

    def _absent(self, question: Question) -> Iterator[str]:
        """Why there are no neighbours of the one type of a question: of several seeds each is named."""
        wanted = [seed.id for seed in question.seeds if seed.weight > 0]
        for kind in self._retrieval.unsure(question):
            note = gettext(self.system.types[kind].absent)
            yield from (f"{item}: {note}" for item in wanted) if len(wanted) > 1 else (note,)

    def _below(self, search: Search, nearest: bool) -> str:
        """Why the list of a type is empty though what was asked about says something of the type.

        ``nearest``: there are items down to the floor, and nothing that they share of the type can be named.
        """
        if nearest:
            message = gettext(
                "no item that fits shares anything of {type} that can be named with what was asked about;"
                " floor=0 gives what comes nearest"
            )
            return message.format(type=type_word(str(search.type)))
        floor = self.system.floor.get(str(search.type), 0) if search.floor is None else search.floor
        if not floor or any(seed.weight < 0 for seed in search.seeds):
            message = gettext("no item that fits has anything of {type} in common with what was asked about")
            return message.format(type=type_word(str(search.type)))
        message = gettext(
            "no item that fits scores {floor} or more, where a list of {type} ends; floor=0 gives what comes"
            " nearest"
        )
        return message.format(floor=f"{floor:g}", type=type_word(str(search.type)))

    def _question(self, search: Search, check: Check) -> Question:
        return Question(
            seeds=search.seeds,
            types=tuple(self.system.types) if search.type is None else (search.type,),
            filters=search.filters,
            without=frozenset(search.without),
            check=check,
        )

    def _page(
        self, question: Question, search: Search, size: int
    ) -> tuple[Results, Callable[[int], str | None]]:
        """The nearest, one more than ``size``, and what gives the cursor behind the first so many of them.

        It gives None where no item follows.
        """
        digest = search.digest(self.system.name)
        cursor = cursors.decode(search.cursor, digest) if search.cursor is not None else None
        here = cursor is None or cursor.collection == self.mark
        if cursor is not None and here:
            question = replace(question, after=ProposedItem(cursor.id, cursor.score))
        elif cursor is not None:
            rows = self.collection.digests.rows(cursor.given).tolist()
            gave, after = frozenset(self.collection.ids[row] for row in rows), None
            ranked = gave.difference(*self._pinned(question).values())
            if not cursor.complete:  # what was given and is not remembered came before the best that is
                after = next(iter(self._nearest(replace(question, among=ranked), 1)), None)
            question = replace(question, after=after, without=question.without | gave)
        # one more than wanted shows whether a page follows
        results = self._nearest(question, size + 1, search.floor)

        def following(shown: int) -> str | None:
            if shown == len(results):
                return None
            ids = [one.id for one in results[:shown]]
            given = (cursor or Cursor("", "", 0.0, "")).following(ids)
            # once the collection has changed, what was given before it did stays what counts
            mark = self.mark if here else ""
            return cursors.encode(Cursor(digest, mark, results[shown - 1].bound, ids[-1], given))

        return results, following

    def _nearest(self, question: Question, limit: int, floor: float | None = None) -> Results:
        """The nearest of the one type of a question."""
        (results,) = self._close(question, limit, floor).values()
        return results

    def _close(
        self, question: Question, limit: int, floor: float | None = None
    ) -> Mapping[SimilarityType, Results]:
        """The nearest of each type, down to a floor: None for the system's own, 0 for no end.

        What is unlike a seed is scored on no scale that a floor could stand on.
        """
        pinned, after = self._pinned(question), question.after
        if after is not None and after.bound == PINNED:
            question = replace(question, after=None)
        if floor != 0 and all(seed.weight > 0 for seed in question.seeds):
            floors = self.system.floor if floor is None else dict.fromkeys(question.types, floor)
            question = replace(question, floors=floors)
        nearest = self._accepted(question, limit + max(map(len, pinned.values()), default=0))
        return {kind: own.led_by(pinned.get(kind, ()), after, limit) for kind, own in nearest.items()}

    def _pinned(self, question: Question) -> Mapping[SimilarityType, Sequence[str]]:
        """By type the items that are pinned beside the only seed and may be in the answer."""
        if len(question.seeds) > 1 or question.among is not None:
            return {}
        every = self._overrides.pinned(question.seeds[0].id)
        pinned = {
            kind: [one for one in every.get(kind, ()) if one not in question.without and self.holds(one)]
            for kind in question.types
        }
        wanted = frozenset(chain.from_iterable(pinned.values()))
        if not wanted or not question.filters.given:
            return pinned
        # the index alone knows which items fit: it is asked for these, whatever they score
        fitting = self._retrieval.nearest(replace(question, among=wanted, after=None), len(wanted))
        fits = {one.id for own in fitting.values() for one in own}
        return {kind: [one for one in own if one in fits] for kind, own in pinned.items()}

    def _accepted(self, question: Question, limit: int) -> Mapping[SimilarityType, Results]:
        """The nearest of each type that no curator rejected beside a wanted seed."""
        rejected = self._overrides.rejected(seed.id for seed in question.seeds if seed.weight > 0)
        more = max((len(items) for kind, items in rejected.items() if kind in question.types), default=0)
        nearest = self._retrieval.nearest(question, limit + more)
        if not more:
            return nearest
        return {kind: own.without(rejected.get(kind, frozenset()), limit) for kind, own in nearest.items()}

    def _diverse(self, question: Question, search: Search, results: Results) -> list[str]:
        pinned = [one.id for one in results if one.bound == PINNED]
        results = Results(results[len(pinned) :])
        relevance = np.clip([one.bound for one in results], *SCALE) / SCALE[1]
        scorer, ids = Scorer(self.system), [one.id for one in results]
        rows = np.array([self.collection.row(item) for item in ids], np.intp)

        def alike(place: int) -> Doubles:
            question.check()
            return likeness(self.collection, scorer, question.types[0], int(rows[place]), rows)

        places = diverse(relevance, alike, search.limit - len(pinned), 1 - search.diversity)
        return [*pinned, *(ids[place] for place in places)]


def _proof(results: Iterable[Results]) -> tuple[bool, float | None]:
    """Whether all results are proven, and else what bounds the items that are not among them."""
    every = list(results)
    bounds = [one.bound for one in every if one.bound is not None]
    return all(one.exact for one in every), max(bounds, default=None)
