"""What candidates lose: ``python -m bench.recall STATE [ITEMS] [SYSTEM]``.

A system that is not additive scores the items that an additive one proposes. For random items (seeded) the
nearest by scoring every item are compared with those among the candidates, by type: recall at 10 and at 25 is
the share of the first that is among the second. Over the first half of the items, the candidates of each
type are cut at several numbers: the least with which every type has a recall at 25 of .95 is the one to
declare. The second half tells the recall with the number that is declared, and what both ways cost in
CPU time. The collection in STATE has to be built for the system, and STATE to have its weights.
"""

import os
import random
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import numpy as np

if TYPE_CHECKING:
    from models.types import SimilarityType
    from service.index.port import Found
    from service.recommender import Recommender

    Nearest = Mapping[SimilarityType, Sequence[Found]]

ITEMS = 100
SEED = 20130613
NUMBERS = (100, 200, 300, 400, 600, 800, 1200, 1600)
WANTED = 0.95
DEPTHS = (10, 25)

_Answer = TypeVar("_Answer")


def main(state: Path, number: int, name: str) -> None:
    """Measure and publish."""
    os.environ["KINDRED_STATE__DIRECTORY"] = str(state)
    from bench.tables import publish
    from service.composition import open_recommender
    from service.settings import load

    recommender = open_recommender(load(), name)
    retrieval = recommender.variant.retrieval
    if retrieval is None:
        sys.exit(f"{recommender.system.name} scores every item: it declares no retrieval")
    size = len(recommender.collection)
    asked = random.Random(SEED).sample(range(size), min(number, size))
    first, second = asked[: len(asked) // 2], asked[len(asked) // 2 :]
    rows, least = _chosen(recommender, retrieval.system, first)
    more, seconds = _held_out(recommender, retrieval.candidates, second)
    publish(
        "recall",
        rows + more,
        system=recommender.system.name,
        proposes=retrieval.system,
        items=size,
        queries_to_choose=len(first),
        queries_held_out=len(second),
        least_number_to_declare=least,
        declared=retrieval.candidates,
        **seconds,
    )


def _chosen(
    recommender: "Recommender", proposer: str, asked: Sequence[int]
) -> tuple[list[dict[str, object]], int | None]:
    """Recall with candidates cut at several numbers, and the least number that is enough."""
    from models.types import TYPES
    from service.composition import open_system
    from service.index.exact import ExactIndex
    from service.index.local import LocalIndex
    from service.index.port import Asked, Seed
    from service.settings import load

    system = open_system(load(), proposer)
    if system.additive is None:
        sys.exit(f"{proposer} is not additive")
    proposing = ExactIndex(recommender.collection, system, system.additive)
    whole = LocalIndex(recommender.collection, recommender.system)
    exact, proposed = list["Nearest"](), list["Nearest"]()
    for row in asked:
        one = Asked((Seed(row),))
        exact.append(whole.nearest_of_each(one, max(DEPTHS)))
        proposed.append(proposing.nearest_of_each(one, max(NUMBERS)))
    rows, enough = list[dict[str, object]](), list[int]()
    for number in NUMBERS:
        cut = [_ranked(right, given, number) for right, given in zip(exact, proposed, strict=True)]
        own = [_row("to choose", number, kind, exact, cut) for kind in TYPES]
        rows += own
        if all(float(str(row[f"recall_{max(DEPTHS)}"])) >= WANTED for row in own):
            enough.append(number)
    return rows, min(enough, default=None)


def _ranked(exact: "Nearest", proposed: "Nearest", number: int) -> "Nearest":
    """What of the exact answer is among the first proposed: scored exactly, it comes before all others."""
    rows = {kind: {one.row for one in found[:number]} for kind, found in proposed.items()}
    return {kind: [one for one in found if one.row in rows[kind]] for kind, found in exact.items()}


def _held_out(
    recommender: "Recommender", number: int, asked: Sequence[int]
) -> tuple[list[dict[str, object]], dict[str, float]]:
    """Recall as it is declared, and seconds of CPU time for all eight types, p50."""
    from models.types import TYPES
    from service.index.local import LocalIndex
    from service.index.port import Asked, Seed

    whole = LocalIndex(recommender.collection, recommender.system)
    exact, found = list["Nearest"](), list["Nearest"]()
    taken = list[tuple[float, float]]()
    for row in asked:
        one = Asked((Seed(row),))
        every, long = _timed(partial(whole.nearest_of_each, one, max(DEPTHS)))
        near, short = _timed(partial(recommender.nearest, row, TYPES, max(DEPTHS)))
        exact.append(every)
        found.append(dict(zip(TYPES, near, strict=True)))
        taken.append((long, short))
    long, short = np.median(np.array(taken), axis=0).round(3).tolist()
    rows = [_row("held out", number, kind, exact, found) for kind in TYPES]
    return rows, {"every_item_cpu_seconds": long, "candidates_cpu_seconds": short}


def _timed(ask: Callable[[], _Answer]) -> tuple[_Answer, float]:
    started = time.process_time()
    answer = ask()
    return answer, time.process_time() - started


def _row(
    asked: str, number: int, kind: "SimilarityType", exact: "Sequence[Nearest]", found: "Sequence[Nearest]"
) -> dict[str, object]:
    """Recall of one type, of all items together: a list of fewer neighbours counts less."""
    row: dict[str, object] = {"items": asked, "candidates": number, "type": kind.value}
    for depth in DEPTHS:
        both, all_ = 0, 0
        for right, given in zip(exact, found, strict=True):
            wanted = {one.row for one in right[kind][:depth]}
            both += len(wanted & {one.row for one in given[kind][:depth]})
            all_ += len(wanted)
        row[f"recall_{depth}"] = round(both / max(1, all_), 4)
    return row


if __name__ == "__main__":
    main(
        Path(sys.argv[1]),
        int(sys.argv[2]) if len(sys.argv) > 2 else ITEMS,
        sys.argv[3] if len(sys.argv) > 3 else "kindred-max",
    )
