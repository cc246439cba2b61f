"""A path by itself: each step near the last and not near the earlier ones.

The next step is chosen by maximal marginal relevance, as neighbours are for diversity: it has the greatest
``lambda * (its score with the last step) - (1 - lambda) * (its greatest score with an earlier step)``.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

import numpy as np

from features.arrays import Doubles
from ingest.errors import InvalidRequest
from models.types import SCALE, SimilarityType
from service.paths.following import speaks
from service.paths.model import MOST_STEPS, Step
from service.search.diversity import Likeness
from service.search.engines.ranking import PLACES
from service.search.queries import SEEDS, Check, Search, WeightedSeed, unlimited
from service.search.recommender import Recommender

POOL: Final = 100
"""So many of the nearest are weighed for a next step."""

NOVELTY: Final = 0.4
"""1 - lambda where none is given."""

BEHIND: Final = 1.0
"""How far a step's score may be below that of the nearest item that the path does not have yet."""


class _Candidate(NamedTuple):
    worth: float
    item: str
    type: SimilarityType


def walk(
    now: Recommender,
    start: str,
    types: Sequence[SimilarityType] = (),
    length: int = 8,
    novelty: float = NOVELTY,
    check: Check = unlimited,
) -> tuple[Step, ...]:
    """A path of at most ``length`` steps from an item, in some types or in any; it may end earlier.

    It ends where nothing is close to its last item that it does not have already. ``novelty`` is how much a
    step should be unlike the earlier ones, 0 to 1. Raises ``UnknownItem``, ``UnknownType`` and
    ``InvalidRequest``.
    """
    if not 1 <= length <= MOST_STEPS:
        raise InvalidRequest(f"length must be between 1 and {MOST_STEPS}, not {length}")
    if not 0 <= novelty <= 1:
        raise InvalidRequest(f"novelty must be between 0 and 1, not {novelty:g}")
    for kind in types:
        now.system.position(kind)
    steps = [Step(item=start, title=now.item(start).label)]
    while len(steps) < length and (step := _next(now, steps, types, novelty, check)):
        steps.append(step)
    return tuple(steps)


def _next(
    now: Recommender, steps: Sequence[Step], types: Sequence[SimilarityType], novelty: float, check: Check
) -> Step | None:
    last = steps[-1].item
    candidates = _candidates(
        now, [step.item for step in steps], types or tuple(now.system.types), novelty, check
    )
    for candidate in candidates:
        scored = now.score(last, candidate.item, check)
        at = now.system.position(candidate.type)
        # what is near and shares nothing that could be said is no step
        if speaks(scored.explanations[at]):
            return Step(
                item=candidate.item,
                title=scored.right.label,
                type=candidate.type,
                reason=scored.reasons[at],
            )
    return None


def _candidates(
    now: Recommender, items: Sequence[str], types: Sequence[SimilarityType], novelty: float, check: Check
) -> list[_Candidate]:
    """What may come next, the best first."""
    found: list[_Candidate] = []
    taken = {_group(now, item) for item in items}
    for kind, near in now.nearest(items[-1], types, POOL + len(items)).items():
        floor = now.system.floor.get(kind, SCALE[0])
        close = [one for one in near if one.bound >= floor and _group(now, one.id) not in taken]
        ids = [one.id for one in close]
        relevance = np.clip([one.bound for one in close], *SCALE) / SCALE[1]
        known = np.zeros(len(ids))
        for likeness in _likenesses(now, items[:-1], ids, kind, check):
            known = np.maximum(known, likeness)
        worth = np.round((1 - novelty) * relevance - novelty * known, PLACES)
        found += [_Candidate(value, item, kind) for value, item in zip(worth.tolist(), ids, strict=True)]
    # the sort is stable: of equals the nearer, and the type that is named first
    return sorted(found, key=lambda one: -one.worth)


def _group(now: Recommender, item: str) -> int:
    """What an item has in common with its exact duplicates."""
    row = now.collection.row(item)
    return int(now.collection.duplicates[row])


def _likenesses(
    now: Recommender, earlier: Sequence[str], ids: Sequence[str], kind: SimilarityType, check: Check
) -> Iterator[Doubles]:
    """How alike each of the earlier items is to some others, as a part of 5."""
    for item in earlier if ids else ():
        check()
        yield Likeness(now.collection, now.system, kind, [item, *ids])(0)[1:]


def seeds(
    now: Recommender, items: Sequence[str], unlike: Sequence[str] = (), most: int = SEEDS
) -> tuple[WeightedSeed, ...]:
    """What next steps are asked with: the last step counts as much as all before it together.

    Withdrawn items cannot be compared and are left out. Of a long path the last steps count, so many that
    there are at most ``most`` seeds. Those of ``unlike`` count against, each as much as the last step.
    Raises ``InvalidRequest`` where nothing is left to be like.
    """
    wanted = [item for item in items if item not in unlike and now.holds(item)]
    wanted = wanted[-max(most - len(unlike), 1) :]
    if not wanted:
        raise InvalidRequest(
            "the path has no item of the collection that a next step could be like; add one first"
        )
    *earlier, last = wanted
    found = [WeightedSeed(item, 1 / len(earlier)) for item in earlier]
    return (*found, WeightedSeed(last), *(WeightedSeed(item, -1.0) for item in unlike))


def suggestion_search(
    now: Recommender, items: Sequence[str], search: Search, unlike: Sequence[str] = (), *, work: int
) -> Search:
    """The search for next steps of a path; ``search`` says the rest, ``work`` how many comparisons are made.

    No item of the path is found, nor an exact duplicate of one.
    """
    types = len(now.system.types) if search.type is None else 1
    most = min(SEEDS, max(work // (now.index.scored() * types), len(unlike) + 1))
    present = tuple(item for item in items if now.holds(item))
    asked = seeds(now, items, unlike, most)
    return replace(search, seeds=asked, without=(*present, *search.without))
