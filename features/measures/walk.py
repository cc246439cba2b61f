"""The random walk as a measure (thesis eq. 2.2, 2.3 and 6.7).

*document*: one walk from all words of an item, each occurrence an equal share; two items compare by
the cosine of their walks. *pairwise*: one walk a word, and the best matches of the distinct words of
either item are averaged, half for each side. Both are looked up in tables
(see ``features.knowledge.walks.walks``).

A word outside the graph starts no walk: *document* leaves it out, as UKB does, *pairwise* counts it as
a word that is 0 to every word, itself included.
"""

from collections.abc import Callable, Hashable
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt
from pydantic import Field, model_validator

from features.collection import row_groups as twins
from features.knowledge.resources import ResourceName, Resources
from features.knowledge.walks import table_kernels as walk_kernels
from features.knowledge.walks.growth import LEVELS
from features.knowledge.walks.writer import WalkWriter
from features.measures.bags import Bags
from features.measures.base import (
    Arrays,
    Evidence,
    MeasureSettings,
    Rows,
    Scores,
    SeenColumn,
    Theme,
    distinct,
    parts,
    taken,
)
from features.measures.matches import matches
from features.measures.scope import Scope
from features.measures.walk_starts import GraphName, Seeds
from features.profiles.blocks import Block
from features.profiles.profile import Profile

Similarity = Literal["document", "pairwise"]


class WalkSettings(MeasureSettings):
    """The walk over one graph from the words, or the articles, of one scope."""

    measure: Literal["walk"] = Field(description="personalised PageRank, eq. 2.2")
    graph: GraphName = Field(description="wordnet: from the words of the scope; wikipedia: from its articles")
    scope: Scope = Field(default=Scope(), description="which terms of a profile count")
    similarity: Similarity = Field(
        "document", description="cosine of the items' walks, or best-match average of their words' (eq. 6.7)"
    )

    @model_validator(mode="after")
    def _words_that_walk(self) -> "WalkSettings":
        allowed = ("none", "events") if self.graph == "wordnet" else ("none",)
        for scope in (self.scope, *self.scope.also):
            if scope.expand not in allowed:
                raise ValueError(
                    f"the walk over {self.graph} starts from no scope with expand: {scope.expand}"
                )
        return self

    @property
    def needs(self) -> tuple[ResourceName, ...]:
        """The graph, and what the scope needs."""
        return tuple(sorted({self.graph, *self.scope.needs}))

    @property
    def collects(self) -> Hashable:
        """Where walks of the graph start: one process numbers its words in the tables, always alike."""
        return self.graph

    @property
    def theme(self) -> Theme:
        """What words mean."""
        return "meaning"

    def builder(self, resources: Resources) -> "WalkBuilder":
        """An empty builder; raises ``ResourceMissing`` where the graph is absent."""
        return WalkBuilder(self, Seeds(self.graph, self.scope, resources))

    def column(self, arrays: Arrays, resources: Resources) -> "WalkColumn":
        """The column over stored arrays; raises ``DamagedArtefact`` where they are of other tables."""
        return WalkColumn(self, arrays, Seeds(self.graph, self.scope, resources))


class WalkBuilder:
    """Collects where the walks of every item start."""

    def __init__(self, settings: WalkSettings, seeds: Seeds) -> None:
        self._settings = settings
        self._seeds = seeds
        self._bags = Bags()

    def take(self, block: Block) -> None:
        """Take in the words of the next items."""
        self._bags.take(block, *self._seeds.of(block))

    def arrays(self) -> dict[str, npt.NDArray[np.generic]]:
        """The items' words as numbers of the tables, which are extended by all that are new.

        With them *document* keeps the weights (a walk of length 1 an item), *pairwise* how many
        words an item has, those outside the graph included; and the token of the tables.
        """
        walks, counts = self._seeds.walks, self._bags.counts()
        WalkWriter(walks).extend(self._bags.terms)
        numbers = walks.ids(self._bags.terms)[counts.indices]
        inside = numbers >= 0
        starts = np.concatenate(([0], np.cumsum(inside)))[counts.indptr]
        words = numbers[inside]
        own: dict[str, npt.NDArray[np.generic]] = {
            "indptr": starts,
            "words": words,
            "tables": np.frombuffer(walks.token.encode(), np.uint8),
        }
        if self._settings.similarity == "pairwise":
            return {**own, "sizes": np.diff(counts.indptr).astype(np.int32)}
        weights = walks.units(starts, words, counts.data[inside].astype(np.float64))
        return {**own, "weights": weights.astype(np.float32)}


class _Text(NamedTuple):
    """What the measure sees of an item.

    Its distinct words in the graph in the order of their keys, which a row leaves out; their numbers;
    for *document* their weights (a walk of length 1) as they are stored, in 32 bits; and for *pairwise* the
    number of all its distinct words.
    """

    keys: tuple[str, ...]
    ids: walk_kernels.Ints
    weights: Scores
    size: int


class WalkColumn(SeenColumn[_Text]):
    """Walks of an item compared with those of every item."""

    def __init__(self, settings: WalkSettings, arrays: Arrays, seeds: Seeds) -> None:
        super().__init__()
        self._pairwise = settings.similarity == "pairwise"
        self._seeds = seeds
        self._walks = seeds.walks
        self._starts = np.asarray(arrays["indptr"], np.int64)
        self._words = np.asarray(arrays["words"], np.int32)
        self._walks.expect(np.asarray(arrays["tables"], np.uint8).tobytes().decode(), self._words)
        if self._pairwise:
            self._sizes = np.asarray(arrays["sizes"], np.int32)
        else:
            self._weights = np.asarray(arrays["weights"], np.float32)

    def alike(self) -> twins.Keys:
        """Keys of the rows by what is compared of them."""
        if self._pairwise:
            return twins.of_lists(self._starts, self._words) ^ twins.of_rows(self._sizes)
        return twins.of_lists(self._starts, self._words, self._weights)

    def pair(self, left: Profile, right: Profile) -> float:
        """The measure of two profiles, the number that ``compare`` gives."""
        a, b = self._seen(left), self._seen(right)
        if not self._informed(a) or not self._informed(b):
            return float("nan")
        return min(1.0, float(self._amounts(a, b).sum()))

    def evidence(self, left: Profile, right: Profile) -> tuple[Evidence, ...]:
        """The pairs of words that bring most of the value; none where it is 0 or NaN."""
        ours, theirs = self._seeds(left), self._seeds(right)
        a, b = self._seen(left), self._seen(right)
        return matches(
            self._amounts(a, b), {key: ours[key] for key in a.keys}, {key: theirs[key] for key in b.keys}
        )

    def _see(self, profile: Profile) -> _Text:
        found = self._seeds(profile)
        every = sorted(found)
        numbers = self._walks.ids(every)
        keys = tuple(key for key, number in zip(every, numbers, strict=True) if number >= 0)
        ids = numbers[numbers >= 0]
        if self._pairwise:
            return _Text(keys, ids, np.empty(0), len(found))
        counts = np.array([len(found[key]) for key in keys], np.float64)
        weights = self._walks.units(np.array([0, len(ids)]), ids, counts)
        return _Text(keys, ids, weights.astype(np.float32).astype(np.float64), len(found))

    def _stored(self, row: int, profile: Callable[[], Profile]) -> _Text:  # noqa: ARG002
        own = slice(int(self._starts[row]), int(self._starts[row + 1]))
        ids = self._words[own]
        if self._pairwise:
            return _Text((), ids, np.empty(0), int(self._sizes[row]))
        return _Text((), ids, self._weights[own].astype(np.float64), len(ids))

    def _compared(self, seen: _Text, rows: Rows | None) -> Scores:
        """The measure with every item; NaN where either side has nothing to walk from."""
        starts, words, own = self._starts, self._words, None
        if rows is not None:
            starts, own = parts(starts, rows)
            words = words[own]
        if not self._informed(seen):
            return np.full(len(starts) - 1, np.nan)
        if rows is None:
            codes = self._walks.codes(seen.ids)
        else:
            met, words = distinct(words, len(self._walks))
            codes = self._walks.codes(seen.ids, met.astype(np.int32))
        if self._pairwise:
            return self._best_matches(seen, codes, starts, words, taken(self._sizes, rows))
        weights = self._weights if own is None else self._weights[own]
        scores = np.full(len(starts) - 1, np.nan)
        informed = np.diff(starts) > 0
        values = walk_kernels.spread(codes, LEVELS, seen.weights)
        sums = walk_kernels.sums(starts, words, weights, values)
        scores[informed] = np.minimum(sums[informed], 1.0)
        return scores

    def _best_matches(
        self,
        seen: _Text,
        codes: walk_kernels.Bytes,
        starts: walk_kernels.Longs,
        words: walk_kernels.Ints,
        counts: walk_kernels.Ints,
    ) -> Scores:
        scores = np.full(len(counts), np.nan)
        ours, theirs = walk_kernels.best_matches(starts, words, codes, LEVELS)
        informed = counts > 0
        sizes = 2.0 * counts[informed]
        scores[informed] = ours[informed] / (2.0 * seen.size) + theirs[informed] / sizes
        return np.asarray(np.minimum(scores, 1.0), np.float64)

    def _informed(self, text: _Text) -> bool:
        return text.size > 0 if self._pairwise else len(text.ids) > 0

    def _amounts(self, a: _Text, b: _Text) -> Scores:
        """What each pair of words brings to the value, float64[words of a, words of b]."""
        cosines = self._walks.cosines(a.ids, b.ids)
        if not self._pairwise:
            products: Scores = a.weights[:, np.newaxis] * cosines * b.weights
            return products
        amounts = np.zeros_like(cosines)
        if cosines.size:
            rows, columns = np.arange(len(a.ids)), np.arange(len(b.ids))
            best, back = cosines.argmax(axis=1), cosines.argmax(axis=0)
            amounts[rows, best] += cosines[rows, best] / (2 * a.size)
            amounts[back, columns] += cosines[back, columns] / (2 * b.size)
        return amounts
