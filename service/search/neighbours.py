"""The nearest items by a system, and all that an answer has of each: scores, reason and explanation."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from math import isnan
from typing import NamedTuple

import numpy as np

from features.arrays import Bools, Doubles, Floats
from features.collection.collection import Collection
from features.measures.base import EvidencePair
from features.profiles.blocks import Block
from ingest.record import Record
from models.explanation import ScoreExplanation, explained
from models.systems import NOT_BOTH, System
from models.types import SCALE, SimilarityType
from service.explain.reasons import reason, shares
from service.explain.stated import StatedReason
from service.search.engines.port import Index, ProposedItem, Question, Results
from service.search.engines.ranking import nearest
from service.search.engines.scoring import Scorer, joined
from service.search.queries import Check


@dataclass(frozen=True)
class ExplainedNeighbour:
    """An item like others: in which way, how much, and because of what.

    ``scores`` are those of all types, None where there is nothing of a type; for several seeds they are
    joined as the index joins them. ``type`` is the one of the question, or else the one that best motivates
    the neighbour. ``reason`` and ``explanation`` compare it with ``seed``, the wanted one that adds most to
    its score. ``state`` makes the reason, and ``names`` says in less time whether it names enough.
    ``pinned``: a curator put it first in the list of the type, whatever it scores.
    """

    record: Record
    seed: Record
    type: SimilarityType
    scores: Mapping[SimilarityType, float | None]
    explanation: ScoreExplanation
    state: Callable[[], StatedReason] = field(compare=False)
    names: Callable[[], bool] = field(compare=False)
    pinned: bool = False

    @cached_property
    def reason(self) -> StatedReason:
        """What the score of its type rests on; it is made when it is asked for, which takes milliseconds."""
        return self.state()

    @property
    def is_supported(self) -> bool:
        """Whether anything that both have adds to the score of its type; what that is, is not looked up.

        Of a system that is not additive nobody can tell: there every score above 0 counts. Nothing does of a
        type of which not both items have anything. Of what is pinned a curator has said so.
        """
        if self.pinned:
            return True
        if self.explanation.not_both:
            return False
        if self.explanation.contributions is None:
            return self.score > 0
        return any(one.amount > 0 for one in self.explanation.contributions)

    @cached_property
    def shares(self) -> bool:
        """Whether it is supported by what can be named, small words apart, or pinned.

        Of a type of which a score needs something on both sides (``both``) it is what is of the type.
        """
        return self.is_supported and (self.pinned or self.names())

    @property
    def score(self) -> float:
        """The score of its type; 0 where there is nothing of it."""
        return self.scores[self.type] or 0.0


class _Seed(NamedTuple):
    row: int
    record: Record
    share: float


class _Scored(NamedTuple):
    """The features of a row with each seed, their terms, its joined scores, and the closest seed by type."""

    values: Doubles
    terms: Doubles | None
    scores: Mapping[SimilarityType, float | None]
    closest: Mapping[SimilarityType, int]


class NeighbourBuilder:
    """Makes the neighbours of some seeds: scores from the columns, evidence from the profiles."""

    def __init__(self, collection: Collection, system: System, question: Question) -> None:
        self._collection, self._system, self._check = collection, system, question.check
        rows = [collection.row(seed.id) for seed in question.seeds]
        self._seeds = [
            _Seed(row, collection.record(row), share)
            for row, share in zip(rows, question.shares, strict=True)
        ]

    def each(self, nearest: Sequence[tuple[str, SimilarityType]]) -> Iterator[ExplainedNeighbour]:
        """The neighbours of some ids, each for a type; each is made when it is asked for."""
        # an item that is near in several ways is compared and scored once
        row_of = {item: self._collection.row(item) for item, _ in nearest}
        rows = sorted(row_of.values())
        self._collection.expect(rows)
        scored = dict(zip(rows, self._scored(self._values(rows)), strict=True))
        evidence = _PairEvidence(self._collection, [*(seed.row for seed in self._seeds), *rows], self._check)
        return (self._built(row_of[item], scored[row_of[item]], kind, evidence) for item, kind in nearest)

    def _values(self, rows: Sequence[int]) -> Doubles:
        """The features of each row with each seed, float64[rows, seeds, features]."""
        places, names = np.array(rows, dtype=np.intp), self._system.features
        values = []
        for seed in self._seeds:
            self._check()
            values.append(self._collection.pairs(self._collection.query(seed.row), places, names))
        return np.stack(values, axis=1)

    def _scored(self, values: Doubles) -> list[_Scored]:
        """Of each row, by the features float64[rows, seeds, features]."""
        pairs, additive = values.reshape(-1, values.shape[-1]), self._system.additive
        terms = None if additive is None else additive.terms(pairs[:, : additive.width])
        raw = self._system.raw(pairs) if additive is None or terms is None else additive.summed(terms)
        raw = self._system.limited(raw, pairs).reshape(*values.shape[:2], len(self._system.types))
        inapplicable = self._system.inapplicable(values)
        shares = np.array([[seed.share] for seed in self._seeds])
        parts = shares * np.where(inapplicable, 0.0, raw)
        nothing: Bools = np.logical_and.reduce(inapplicable[:, shares[:, 0] > 0], axis=1)
        closest = np.where((shares > 0) & ~inapplicable, parts, -np.inf).argmax(axis=1)
        cut = np.where(nothing, np.nan, np.clip(parts.sum(axis=1), *SCALE))
        types = self._system.types
        return [
            _Scored(
                own,
                None if terms is None else terms[n * len(self._seeds) : (n + 1) * len(self._seeds)],
                {kind: None if isnan(one) else one for kind, one in zip(types, scores, strict=True)},
                dict(zip(types, seeds, strict=True)),
            )
            for n, (own, scores, seeds) in enumerate(zip(values, cut.tolist(), closest.tolist(), strict=True))
        ]

    def _built(
        self, row: int, scored: _Scored, kind: SimilarityType, evidence: "_PairEvidence"
    ) -> ExplainedNeighbour:
        number = scored.closest[kind]
        seed, record = self._seeds[number], self._collection.record(row)
        find = partial(evidence.of, seed.row, row)
        terms = None if scored.terms is None else scored.terms[number]
        (explanation,) = explained(self._system, find, (kind,), scored.values[number], terms)
        features, types = self._collection.manifest.features, self._system.types
        pair = (explanation, seed.record, record, features, types)
        # where a score needs something of the type on both sides, so does a place in a list
        state, names = partial(reason, *pair), partial(shares, *pair, of_type=kind in self._system.both)
        return ExplainedNeighbour(record, seed.record, kind, scored.scores, explanation, state, names)


class _PairEvidence:
    """The evidence of pairs of some rows; their profiles are read together when it is first asked for."""

    def __init__(self, collection: Collection, rows: Sequence[int], check: Check) -> None:
        self._collection, self._check = collection, check
        self._places = {row: place for place, row in enumerate(dict.fromkeys(rows))}

    def of(self, left: int, right: int, name: str) -> tuple[EvidencePair, ...]:
        """The evidence of a feature of two of the rows."""
        self._check()
        column = self._collection.columns[name]
        return column.evidence(self._block, self._places[left], self._places[right])

    @cached_property
    def _block(self) -> Block:
        return self._collection.block(np.array([*self._places], np.intp))


class Retrieval:
    """The nearest items by a system, from the proposals of an index.

    An index that is exact for the system gives the scores themselves. A system that is not additive cannot be
    searched: an additive one proposes. Then the ``candidates`` items of each type that the additive system
    ranks highest are scored and ranked by the system. The answer is approximate: an item that the additive
    system ranks lower is not found, however high the system would score it. ``python -m bench.recall``
    measures how much of the exact answer is. The candidates depend neither on how many neighbours are wanted
    nor on the page: pages together give each candidate once, best first, and then end.
    """

    def __init__(
        self, index: Index, collection: Collection, system: System, candidates: int | None = None
    ) -> None:
        self._index, self._collection = index, collection
        self._scorer, self._candidates = Scorer(system), candidates

    def nearest(self, question: Question, limit: int) -> Mapping[SimilarityType, Results]:
        """The ``limit`` nearest of each type that is asked for, best first, with their scores.

        They end at the floors of the question. A type of which no wanted seed has anything has none, nor one
        that ends above 2 and of which no seed surely has anything.
        """
        nothing = self.inapplicable(question)
        if all(seed.weight > 0 for seed in question.seeds):
            lacking = self._lacking(question)
            nothing += tuple(kind for kind in lacking if question.floors.get(kind, -np.inf) > NOT_BOTH)
        rest = replace(question, types=tuple(kind for kind in question.types if kind not in nothing))
        results = self._results(rest, limit)
        return {
            kind: results.get(kind, Results()).down_to(question.floors.get(kind, -np.inf))
            for kind in question.types
        }

    def inapplicable(self, question: Question) -> tuple[SimilarityType, ...]:
        """The types of the question of which no wanted seed has anything."""
        system = self._scorer.system
        return self._where_all(question, system.not_applicable, system.lacks)

    def unsure(self, question: Question) -> tuple[SimilarityType, ...]:
        """The types of which no wanted seed surely has anything: no item scores more than 2 with it."""
        nothing = {*self._lacking(question), *self.inapplicable(question)}
        return tuple(kind for kind in question.types if kind in nothing)

    def _lacking(self, question: Question) -> tuple[SimilarityType, ...]:
        """The types that need something of both items, and of which no wanted seed surely has any."""
        system = self._scorer.system
        return self._where_all(question, system.both, lambda _, values: system.one_sided(values))

    def _where_all(
        self,
        question: Question,
        features: Mapping[SimilarityType, str],
        lacks: Callable[[SimilarityType, Floats], Bools],
    ) -> tuple[SimilarityType, ...]:
        """The types that all wanted seeds lack, by the features that say so of them."""
        rows = [self._collection.row(seed.id) for seed in question.seeds if seed.weight > 0]
        # the value of such a feature, of an item with itself, shows whether the item has anything of the type
        values = [self._collection.values(self._collection.query(row), np.array([row])) for row in rows]
        return tuple(
            kind
            for kind in question.types
            if (name := features.get(kind)) is not None and all(lacks(kind, own[name])[0] for own in values)
        )

    def _results(self, question: Question, limit: int) -> Mapping[SimilarityType, Results]:
        if self._candidates is None:
            return self._index.propose(question, limit)
        # the floors are of this system's scores, not of those that rank the candidates
        proposed = self._index.propose(replace(question, after=None, floors={}), self._candidates)
        return {
            kind: Results(self._ranked(question, kind, sorted(one.id for one in own), limit), exact=False)
            for kind, own in proposed.items()
        }

    def _ranked(
        self, question: Question, kind: SimilarityType, ids: list[str], limit: int
    ) -> list[ProposedItem]:
        """The best by the system of some items, which alone are counted."""
        rows = np.array([self._collection.row(item) for item in ids], np.intp)
        raw = []
        for seed in question.seeds:
            question.check()
            query = self._collection.query(self._collection.row(seed.id))
            raw.append(self._scorer.some(self._collection, query, {kind: rows})[kind])
        scores = joined(question.shares, raw)
        return nearest(self._collection.ids, rows, scores, limit, question.after)
