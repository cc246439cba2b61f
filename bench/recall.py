"""What candidates lose: ``python -m bench.recall STATE [ITEMS] [SYSTEM]``.

A system that is not additive scores the items that an additive one proposes. For random items (seeded) the
nearest by scoring every item are compared with those among the candidates, by type. Recall at 10 and at 25
is the share of the first that is among the second. *Score lost* is by how much the mean score of the 25 is
lower, on the scale of 0 to 5: where a thousand items score nearly the same, recall tells less.

Over the first half of the items the candidates of each type are cut at several numbers: the least with which
every type has a recall at 25 of .95 is the one to declare. The second half tells the recall with the number
that is declared, and what both ways cost in CPU time. The collection in STATE has to be built for the
system, and STATE to have its weights.
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
    from features.measures.base import Rows
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
    from service.index.exact import ExactIndex

    from models.types import OFFICIAL
    from service.composition import open_system
    from service.index.local import LocalIndex
    from service.index.port import Asked, Seed
    from service.index.ranking import Eligible, best, best_of
    from service.settings import load

    system = open_system(load(), proposer)
    if system.additive is None:
        sys.exit(f"{proposer} is not additive")
    collection = recommender.collection
    proposing = ExactIndex(collection, system, system.additive)
    whole = LocalIndex(collection, recommender.system)
    exact = list["Nearest"]()
    cut: dict[int, list[Nearest]] = {number: [] for number in NUMBERS}
    for row in asked:
        one = Asked((Seed(row),))
        scores, may = whole.scores_of_each(one), Eligible(collection.duplicates)(one)
        proposed = proposing.nearest_of_each(one, max(NUMBERS))
        exact.append({kind: best(scores[:, OFFICIAL.index(kind)], may, max(DEPTHS)) for kind in OFFICIAL})
        for number, kept in cut.items():
            rows = {kind: _rows(found[:number]) for kind, found in proposed.items()}
            kept.append(
                {
                    kind: best_of(own, scores[own, OFFICIAL.index(kind)], max(DEPTHS))
                    for kind, own in rows.items()
                }
            )
    told, enough = list[dict[str, object]](), list[int]()
    for number, kept in cut.items():
        own = [_row("to choose", number, kind, exact, kept) for kind in OFFICIAL]
        told += own
        if all(float(str(row[f"recall_{max(DEPTHS)}"])) >= WANTED for row in own):
            enough.append(number)
    return told, min(enough, default=None)


def _rows(found: "Sequence[Found]") -> "Rows":
    return np.array(sorted(one.row for one in found), dtype=np.intp)


def _held_out(
    recommender: "Recommender", number: int, asked: Sequence[int]
) -> tuple[list[dict[str, object]], dict[str, float]]:
    """Recall as it is declared, and seconds of CPU time for all eight types, p50."""
    from models.types import OFFICIAL
    from service.index.local import LocalIndex
    from service.index.port import Asked, Seed

    whole = LocalIndex(recommender.collection, recommender.system)
    exact, found = list["Nearest"](), list["Nearest"]()
    taken = list[tuple[float, float]]()
    for row in asked:
        one = Asked((Seed(row),))
        every, long = _timed(partial(whole.nearest_of_each, one, max(DEPTHS)))
        near, short = _timed(partial(recommender.nearest, row, OFFICIAL, max(DEPTHS)))
        exact.append(every)
        found.append(dict(zip(OFFICIAL, near, strict=True)))
        taken.append((long, short))
    long, short = np.median(np.array(taken), axis=0).round(3).tolist()
    rows = [_row("held out", number, kind, exact, found) for kind in OFFICIAL]
    return rows, {"every_item_cpu_seconds": long, "candidates_cpu_seconds": short}


def _timed(ask: Callable[[], _Answer]) -> tuple[_Answer, float]:
    started = time.process_time()
    answer = ask()
    return answer, time.process_time() - started


def _row(
    asked: str, number: int, kind: "SimilarityType", exact: "Sequence[Nearest]", found: "Sequence[Nearest]"
) -> dict[str, object]:
    """Recall of one type, of all items together: a list of fewer neighbours counts less."""
    row: dict[str, object] = {"items": asked, "candidates": number, "type": kind}
    pairs = [(right[kind], given[kind]) for right, given in zip(exact, found, strict=True)]
    for depth in DEPTHS:
        wanted = [{one.row for one in right[:depth]} for right, _ in pairs]
        both = [
            len(rows & {one.row for one in given[:depth]})
            for rows, (_, given) in zip(wanted, pairs, strict=True)
        ]
        row[f"recall_{depth}"] = round(sum(both) / max(1, sum(map(len, wanted))), 4)
    lost = [_mean(right) - _mean(given) for right, given in pairs]
    row["score_lost"] = round(float(np.mean(lost)), 4)
    return row


def _mean(found: "Sequence[Found]") -> float:
    """The mean score of some neighbours, cut to the scale."""
    from models.types import SCALE

    return float(np.clip([one.score for one in found], *SCALE).mean()) if found else 0.0


if __name__ == "__main__":
    main(
        Path(sys.argv[1]),
        int(sys.argv[2]) if len(sys.argv) > 2 else ITEMS,
        sys.argv[3] if len(sys.argv) > 3 else "kindred-max",
    )
