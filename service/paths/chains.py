"""A way from one item to another: a chain of strong typed links, of as few as possible.

Two items are linked where their score of a type is strong. All links of an item are told by one pass over the
collection. The search looks up items from both ends at once, first those that are most like the other end,
until something is reached from both; of all chains that are known then the one of the fewest links is taken,
and of these the strongest. So a chain of one or two links is the best that there is; a longer one is the best
of what was looked up.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
from msgspec.structs import replace

from features.arrays import Bools, Rows, Singles
from ingest.errors import InvalidRequest
from models.types import SCALE, SimilarityType
from service.paths.model import StoredStep
from service.search.queries import Check, unlimited
from service.search.recommender import Recommender

if TYPE_CHECKING:
    from networkx import Graph

STRONG: Final = 3.5  # the score of a link at least, where none is asked for
WORK: Final = 100  # items whose links are looked up at most, where no other number is asked for
_MOST: Final = 5000  # links of an item that are kept, the strongest, but for the two ends

_FURTHER: Final = 0.5
"""What an item must be more like the other end to be looked up before one that is a link nearer."""

_LINK: Final = 100.0
"""What a link costs beside what its score lacks of 5: one link less counts more than any strength."""


class Chain(NamedTuple):
    """What was found: the steps from one end to the other, none where there is no chain.

    ``looked_up`` is of how many items the links were looked up; ``exhausted`` says that there may be a chain
    all the same, since there were more to look at than was allowed.
    """

    steps: tuple[StoredStep, ...]
    looked_up: int
    exhausted: bool


def between(
    now: Recommender,
    start: str,
    end: str,
    types: Sequence[SimilarityType] = (),
    strong: float = STRONG,
    work: int = WORK,
    check: Check = unlimited,
) -> Chain:
    """A chain from one item to another by links of some types, or of any.

    Raises ``UnknownItem``, ``UnknownType`` and ``InvalidRequest``.
    """
    if not SCALE[0] < strong <= SCALE[1]:
        raise InvalidRequest(f"the score of a link must be above 0 and at most 5, not {strong:g}")
    if work < 2:
        raise InvalidRequest(f"the links of both items are looked up at least; allow 2, not {work}")
    if start == end:
        raise InvalidRequest(f"a way leads from one item to another, not from {start!r} to itself")
    for kind in types:
        now.system.position(kind)
    ends = now.collection.row(start), now.collection.row(end)
    search = _Search(now, ends, tuple(types) or tuple(now.system.types), strong, check)
    while not search.met and search.looked_up < work and search.go_on():
        pass
    if not search.met:
        return Chain((), search.looked_up, exhausted=search.open)
    return Chain(tuple(search.steps()), search.looked_up, exhausted=False)


class _Links(NamedTuple):
    """The rows that a row is linked with, their scores, and the places of the types these are of."""

    rows: Rows
    scores: Singles
    kinds: Rows


class _Side:
    """What is reached from one end, and what of it is looked up next."""

    def __init__(self, size: int, end: int) -> None:
        self.reached: Bools = np.zeros(size, dtype=bool)
        self.reached[end] = True
        self._level = np.zeros(size, np.float32)
        self._likeness: Singles = np.zeros(size, np.float32)
        self._urgency: Singles = np.full(size, -np.inf, np.float32)

    def towards(self, likeness: Singles) -> None:
        """Say how like the other end every row is."""
        self._likeness = likeness

    def reach(self, row: int, linked: Rows) -> None:
        """Take in what a row is linked with."""
        new = linked[~self.reached[linked]]
        self.reached[new] = True
        self._level[new] = self._level[row] + 1
        self._urgency[new] = self._likeness[new] - _FURTHER * self._level[new]

    @property
    def next(self) -> tuple[float, int]:
        """How urgent the most urgent row is, and which it is; minus infinity where there is none."""
        row = int(self._urgency.argmax())
        return float(self._urgency[row]), row

    def done(self, row: int) -> None:
        """Look a row up no more."""
        self._urgency[row] = -np.inf


class _Search:
    """The search from both ends."""

    def __init__(
        self,
        now: Recommender,
        ends: tuple[int, int],
        types: Sequence[SimilarityType],
        strong: float,
        check: Check,
    ) -> None:
        self._now, self._ends, self._types = now, ends, types
        self._strong, self._check = strong, check
        self._links: dict[int, _Links] = {}
        self._sides = [_Side(len(now.collection), end) for end in ends]
        scores = [self._scores(end) for end in ends]
        for side, (likeness, _) in zip(self._sides, reversed(scores), strict=True):
            side.towards(likeness)
        for side, end, best in zip(self._sides, ends, scores, strict=True):
            self._take(side, end, best, len(now.collection))

    @property
    def looked_up(self) -> int:
        """Of how many rows the links were looked up."""
        return len(self._links)

    @property
    def met(self) -> bool:
        """Whether something is reached from both ends."""
        return bool((self._sides[0].reached & self._sides[1].reached).any())

    @property
    def open(self) -> bool:
        """Whether there is more to look up."""
        # where one side has nothing left, all that it can reach is known
        return all(side.next[0] > -np.inf for side in self._sides)

    def go_on(self) -> bool:
        """Look up the row that is most like the end on the other side; False where there is none."""
        if not self.open:
            return False
        side = max(self._sides, key=lambda one: one.next)
        row = side.next[1]
        self._take(side, row, self._scores(row), _MOST)
        return True

    def _scores(self, row: int) -> tuple[Singles, Rows]:
        """The best score of a row with every row, and the place of its type."""
        self._check()
        every_item = self._now.index.every_item
        if every_item is None:
            raise InvalidRequest(
                "a way between two items is looked for among all items, which a cluster does not do;"
                " it needs index.kind: local"
            )
        scores = every_item.scores(row, self._types)
        every = np.stack([scores[kind] for kind in self._types])
        for place, others in self._rejected(row):
            every[place, others] = -np.inf
        return every.max(axis=0), every.argmax(axis=0)

    def _rejected(self, row: int) -> Iterator[tuple[int, list[int]]]:
        """By the places of the types the rows that curators said are not alike in them beside a row."""
        now = self._now
        for kind, items in now.rejected(self._id(row)).items():
            if kind in self._types:
                yield self._types.index(kind), [now.collection.row(item) for item in items if now.holds(item)]

    def _take(self, side: _Side, row: int, scores: tuple[Singles, Rows], most: int) -> None:
        best, kinds = scores
        rows = np.flatnonzero(best >= self._strong)
        rows = rows[rows != row]
        if len(rows) > most:
            rows = np.sort(rows[np.argpartition(-best[rows], most)[:most]])
        self._links[row] = _Links(rows, best[rows], kinds[rows])
        side.done(row)
        side.reach(row, rows)

    def steps(self) -> Iterator[StoredStep]:
        """The best chain as steps, each with the type of its link and the reason."""
        from networkx import dijkstra_path

        graph = self._graph()
        rows = dijkstra_path(graph, *self._ends)
        yield StoredStep(item=self._id(rows[0]), title=self._now.item(self._id(rows[0])).label)
        for last, row in pairwise(rows):
            yield self._step(last, row, graph.edges[last, row])

    def _graph(self) -> "Graph":
        """What was looked up and what was reached from both ends, with the links between them."""
        from networkx import Graph

        inside = self._sides[0].reached & self._sides[1].reached
        inside[list(self._links)] = True
        graph = Graph()
        for row, links in self._links.items():
            shown = inside[links.rows]
            linked = (links.rows[shown], links.scores[shown], links.kinds[shown])
            for other, score, kind in zip(*(one.tolist() for one in linked), strict=True):
                lacks = SCALE[1] - min(score, SCALE[1])
                graph.add_edge(row, other, weight=_LINK + lacks, type=self._types[kind])
        return graph

    def _step(self, last: int, row: int, link: Mapping[str, SimilarityType]) -> StoredStep:
        scored = self._now.score(self._id(last), self._id(row), self._check)
        reason = scored.reasons[self._now.system.position(link["type"])]
        step = StoredStep(item=self._id(row), title=scored.right.label)
        return step if reason.by_words else replace(step, type=link["type"], reason=reason.text)

    def _id(self, row: int) -> str:
        return self._now.collection.ids[row]
