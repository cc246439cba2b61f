"""What may come next on a path: neighbours of all its steps, the last above all, never one of them."""

from collections.abc import Sequence
from dataclasses import replace

from ingest.errors import InvalidRequest
from service.search.queries import SEEDS, Search, WeightedSeed
from service.search.recommender import Recommender


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


def suggesting(
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
