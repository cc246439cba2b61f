"""A path by itself: each step near the last and not near the earlier ones.

The next step is chosen by maximal marginal relevance, as neighbours are for diversity: it has the greatest
``lambda * (its score with the last step) - (1 - lambda) * (its greatest score with an earlier step)``.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import repeat
from typing import Final

import numpy as np

from ingest.errors import InvalidRequest
from models.types import SCALE, SimilarityType
from service.paths.following import speaks
from service.paths.model import MOST_STEPS, StoredStep
from service.search.diversity import likeness
from service.search.engines.ranking import PLACES
from service.search.engines.scoring import Scorer
from service.search.queries import SEEDS, Check, Search, WeightedSeed, unlimited
from service.search.recommender import Recommender

POOL: Final = 100  # so many of the nearest are weighed for a next step
NOVELTY: Final = 0.4  # 1 - lambda where none is given


def walk(
    now: Recommender,
    start: str,
    types: Sequence[SimilarityType] = (),
    length: int = 8,
    novelty: float = NOVELTY,
    check: Check = unlimited,
) -> tuple[StoredStep, ...]:
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
    steps = [StoredStep(item=start, title=now.item(start).label)]
    while len(steps) < length and (step := _next(now, steps, types, novelty, check)):
        steps.append(step)
    return tuple(steps)


def _next(
    now: Recommender,
    steps: Sequence[StoredStep],
    types: Sequence[SimilarityType],
    novelty: float,
    check: Check,
) -> StoredStep | None:
    items = [step.item for step in steps]
    for _, item, kind in _candidates(now, items, types or tuple(now.system.types), novelty, check):
        scored, at = now.score(items[-1], item, check), now.system.position(kind)
        # what is near and shares nothing that a sentence could name, or only words, is no step
        if speaks(scored.explanations[at]) and not scored.reasons[at].by_words:
            return StoredStep(item=item, title=scored.right.label, type=kind, reason=scored.reasons[at].text)
    return None


def _candidates(
    now: Recommender, items: Sequence[str], types: Sequence[SimilarityType], novelty: float, check: Check
) -> list[tuple[float, str, SimilarityType]]:
    """What may come next by its worth, item and type, the best first."""

    def group(item: str) -> int:
        """The number that an item has in common with its exact duplicates."""
        return int(now.collection.duplicates[now.collection.row(item)])

    candidates, scorer = list[tuple[float, str, SimilarityType]](), Scorer(now.system)
    used = set(map(group, items))
    for kind, near in now.nearest(items[-1], types, POOL + len(items)).items():
        floor = now.system.floor.get(kind, SCALE[0])
        close = [one for one in near if one.bound >= floor and group(one.id) not in used]
        ids = [one.id for one in close]
        relevance = np.clip([one.bound for one in close], *SCALE) / SCALE[1]
        known = np.zeros(len(ids))
        rows = np.array([now.collection.row(item) for item in ids], np.intp)
        for item in items[:-1] if ids else ():
            check()
            known = np.maximum(known, likeness(now.collection, scorer, kind, now.collection.row(item), rows))
        worth = np.round((1 - novelty) * relevance - novelty * known, PLACES)
        candidates += zip(worth.tolist(), ids, repeat(kind), strict=False)
    # the sort is stable: of equals the nearer, and the type that is named first
    return sorted(candidates, key=lambda one: -one[0])


def seeds(
    now: Recommender, items: Sequence[str], unlike: Sequence[str] = (), most: int = SEEDS
) -> tuple[WeightedSeed, ...]:
    """The seeds of a search for next steps: the last step counts as much as all before it together.

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
    before = (WeightedSeed(item, 1 / len(earlier)) for item in earlier)
    return (*before, WeightedSeed(last), *(WeightedSeed(item, -1.0) for item in unlike))


def suggestion_search(
    now: Recommender, items: Sequence[str], search: Search, unlike: Sequence[str] = (), *, work: int
) -> Search:
    """A search with the steps of a path as seeds; ``work`` is how many comparisons may be made.

    No item of the path is found, nor an exact duplicate of one.
    """
    types = len(now.system.types) if search.type is None else 1
    most = min(SEEDS, max(work // (now.index.scored() * types), len(unlike) + 1))
    present = tuple(item for item in items if now.holds(item))
    return replace(search, seeds=seeds(now, items, unlike, most), without=(*present, *search.without))
