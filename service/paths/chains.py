"""A way from one item to another: the shortest chain of strong typed links.

An item is linked with its nearest neighbours of each type whose score is strong. A link costs 1, and what its
score lacks of 5; the chain of the least cost is found by Dijkstra's algorithm from both ends at once.
Neighbours are looked up only for items that the search comes to, so many at most.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

from ingest.errors import InvalidRequest
from models.types import SCALE, SimilarityType
from service.deadline import Check, unlimited
from service.paths.model import Step
from service.recommender import Recommender

if TYPE_CHECKING:
    from networkx import Graph

NEIGHBOURS: Final = 25
"""So many neighbours of each type an item is linked with."""

STRONG: Final = 3.5
"""The score of a link at least, where none is asked for."""

WORK: Final = 200
"""Items whose neighbours are looked up at most, where no other number is asked for."""


class Chain(NamedTuple):
    """What was found: the steps from one end to the other, none where there is no chain.

    ``looked_up`` is of how many items the neighbours were looked up; ``exhausted`` says that there may be a
    chain all the same, since there were more to look at than was allowed.
    """

    steps: tuple[Step, ...]
    looked_up: int
    exhausted: bool


class _Exhausted(Exception):
    """More items would have to be looked at than is allowed."""


def between(
    now: Recommender,
    start: str,
    end: str,
    types: Sequence[SimilarityType] = (),
    strong: float = STRONG,
    work: int = WORK,
    check: Check = unlimited,
) -> Chain:
    """The shortest chain from one item to another by links of some types, or of any.

    Raises ``UnknownItem``, ``UnknownType`` and ``InvalidRequest``.
    """
    from networkx import NetworkXNoPath, bidirectional_dijkstra

    if not SCALE[0] <= strong <= SCALE[1]:
        raise InvalidRequest(f"the score of a link must be between 0 and 5, not {strong:g}")
    if start == end:
        raise InvalidRequest(f"a way leads from one item to another, not from {start!r} to itself")
    for kind in types:
        now.system.position(kind)
    links = _Links(now, (start, end), tuple(types) or tuple(now.system.types), strong, work, check)
    try:
        _, items = bidirectional_dijkstra(_graph(links), start, end)
    except NetworkXNoPath:
        return Chain((), len(links), exhausted=False)
    except _Exhausted:
        return Chain((), len(links), exhausted=True)
    return Chain(links.steps(items), len(links), exhausted=False)


class _Links(dict[str, dict[str, dict[str, float]]]):
    """Of each item that was looked up the items it is linked with and the cost of each link.

    This is how networkx keeps a graph; an item is looked up when the search first comes to it.
    """

    def __init__(
        self,
        now: Recommender,
        ends: tuple[str, str],
        types: Sequence[SimilarityType],
        strong: float,
        work: int,
        check: Check,
    ) -> None:
        super().__init__()
        self._now, self._ends, self._types = now, ends, types
        self._strong, self._work, self._check = strong, work, check
        self._kinds: dict[frozenset[str], SimilarityType] = {}
        now.collection.row(ends[0])
        now.collection.row(ends[1])

    def __missing__(self, item: str) -> dict[str, dict[str, float]]:
        if len(self) >= self._work:
            raise _Exhausted
        self._check()
        best: dict[str, tuple[float, SimilarityType]] = self._direct(item)
        for kind, near in self._now.nearest(item, self._types, NEIGHBOURS).items():
            for one in near:
                score = min(one.bound, SCALE[1])
                if score >= self._strong and score > best.get(one.id, (0.0, ""))[0]:
                    best[one.id] = score, kind
        self[item] = {other: {"weight": 1 + SCALE[1] - score} for other, (score, _) in best.items()}
        self._kinds.update((frozenset((item, other)), kind) for other, (_, kind) in best.items())
        return self[item]

    def _direct(self, item: str) -> dict[str, tuple[float, SimilarityType]]:
        """The link of one end with the other, which may stand behind many that are as near."""
        if item not in self._ends:
            return {}
        other = self._ends[1 - self._ends.index(item)]
        scored = [
            (explanation.score, explanation.type)
            for explanation in self._now.score(item, other, self._check).explanations
            if explanation.type in self._types and not explanation.not_applicable
        ]
        score, kind = max(scored, key=lambda one: one[0], default=(0.0, ""))
        return {other: (score, kind)} if kind and score >= self._strong else {}

    def steps(self, items: Sequence[str]) -> tuple[Step, ...]:
        """The chain as steps, each with the type of its link and the reason."""
        first = Step(item=items[0], title=self._now.item(items[0]).label)
        return (first, *(self._step(last, item) for last, item in pairwise(items)))

    def _step(self, last: str, item: str) -> Step:
        scored = self._now.score(last, item, self._check)
        kind = self._kinds[frozenset((last, item))]
        reason = scored.reasons[self._now.system.position(kind)]
        return Step(item=item, title=scored.right.label, type=kind, reason=reason)


def _graph(links: _Links) -> "Graph":
    """The links as a graph that holds every item: each is looked up when it is asked for."""
    from networkx import Graph

    class Linked(Graph):  # type: ignore[misc]
        """A graph over links that are looked up."""

        @staticmethod
        def adjlist_outer_dict_factory() -> _Links:
            """The links."""
            return links

        def __contains__(self, item: object) -> bool:
            return isinstance(item, str)

    return Linked()
