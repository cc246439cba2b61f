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
from typing import TypeVar

import numpy as np

from bench.tables import publish
from features.collection.collection import Built
from models.types import OFFICIAL, SCALE, SimilarityType
from service.opening import open_resources, open_system
from service.search.engines.local.index import LocalIndex
from service.search.engines.port import ProposedItem, Question
from service.search.neighbours import Retrieval
from service.search.queries import WeightedSeed
from service.search.variants import choose
from service.settings import load

Nearest = Mapping[SimilarityType, Sequence[ProposedItem]]

ITEMS = 100
SEED = 20130613
NUMBERS = (100, 200, 300, 400, 600, 800, 1200, 1600)
WANTED = 0.95
DEPTHS = (10, 25)

_Answer = TypeVar("_Answer")


def main(state: Path, number: int, name: str) -> None:
    """Measure and publish."""
    os.environ["KINDRED_STATE__DIRECTORY"] = str(state)
    settings = load()
    resources = open_resources(settings)
    retrieval = choose(settings, resources, name).retrieval
    if retrieval is None:
        sys.exit(f"{name} scores every item: it declares no retrieval")
    collection, system = Built.open(settings.state.collection, resources), open_system(settings, name)
    whole = LocalIndex(collection, system)
    proposing = LocalIndex(collection, open_system(settings, retrieval.system))

    def candidates(number: int) -> Retrieval:
        return Retrieval(proposing, collection, system, number)

    size = len(collection)
    questions = [
        Question(seeds=(WeightedSeed(collection.ids[row]),), types=OFFICIAL)
        for row in random.Random(SEED).sample(range(size), min(number, size))
    ]
    first, second = questions[: len(questions) // 2], questions[len(questions) // 2 :]
    rows, least = _chosen(whole, proposing, candidates(max(NUMBERS)), first)
    more, seconds = _confirmed(whole, candidates(retrieval.candidates), retrieval.candidates, second)
    publish(
        "recall",
        rows + more,
        system=name,
        proposes=retrieval.system,
        items=size,
        queries_to_choose=len(first),
        queries_held_out=len(second),
        least_number_to_declare=least,
        declared=retrieval.candidates,
        **seconds,
    )


def _chosen(
    whole: LocalIndex, proposing: LocalIndex, candidates: Retrieval, questions: Sequence[Question]
) -> tuple[list[dict[str, object]], int | None]:
    """Recall with candidates cut at several numbers, and the least number that is enough."""
    exact, cut = list[Nearest](), dict[int, list[Nearest]]((number, []) for number in NUMBERS)
    for one in questions:
        exact.append(whole.propose(one, max(DEPTHS)))
        # all are scored once: with fewer candidates the answer is of those that are proposed first
        proposed = proposing.propose(one, max(NUMBERS))
        scored = candidates.nearest(one, max(NUMBERS))
        for number, nearest in cut.items():
            nearest.append({kind: _among(scored[kind], proposed[kind][:number]) for kind in OFFICIAL})
    rows, enough = list[dict[str, object]](), list[int]()
    for number, nearest in cut.items():
        own = [_row("to choose", number, kind, exact, nearest) for kind in OFFICIAL]
        rows += own
        if all(float(str(row[f"recall_{max(DEPTHS)}"])) >= WANTED for row in own):
            enough.append(number)
    return rows, min(enough, default=None)


def _among(scored: Sequence[ProposedItem], proposed: Sequence[ProposedItem]) -> Sequence[ProposedItem]:
    """The best of what was scored that is proposed."""
    ids = {one.id for one in proposed}
    return [one for one in scored if one.id in ids][: max(DEPTHS)]


def _confirmed(
    whole: LocalIndex, candidates: Retrieval, number: int, questions: Sequence[Question]
) -> tuple[list[dict[str, object]], dict[str, float]]:
    """Recall as it is declared, and seconds of CPU time for all eight types, p50."""
    exact, given, times = list[Nearest](), list[Nearest](), list[tuple[float, float]]()
    for one in questions:
        every, long = _timed(partial(whole.propose, one, max(DEPTHS)))
        near, short = _timed(partial(candidates.nearest, one, max(DEPTHS)))
        exact.append(every)
        given.append(near)
        times.append((long, short))
    long, short = np.median(np.array(times), axis=0).round(3).tolist()
    rows = [_row("held out", number, kind, exact, given) for kind in OFFICIAL]
    return rows, {"every_item_cpu_seconds": long, "candidates_cpu_seconds": short}


def _timed(ask: Callable[[], _Answer]) -> tuple[_Answer, float]:
    started = time.process_time()
    answer = ask()
    return answer, time.process_time() - started


def _row(
    part: str, number: int, kind: SimilarityType, exact: Sequence[Nearest], nearest: Sequence[Nearest]
) -> dict[str, object]:
    """Recall of one type, of all items together: a list of fewer neighbours counts less."""
    row: dict[str, object] = {"items": part, "candidates": number, "type": kind}
    pairs = [(right[kind], given[kind]) for right, given in zip(exact, nearest, strict=True)]
    for depth in DEPTHS:
        wanted, both = 0, 0
        for right, given in pairs:
            ids = {one.id for one in right[:depth]}
            wanted += len(ids)
            both += len(ids & {one.id for one in given[:depth]})
        row[f"recall_{depth}"] = round(both / max(1, wanted), 4)
    lost = [_mean(right) - _mean(given) for right, given in pairs]
    row["score_lost"] = round(float(np.mean(lost)), 4)
    return row


def _mean(proposals: Sequence[ProposedItem]) -> float:
    """The mean score of some neighbours, cut to the scale."""
    return float(np.clip([one.bound for one in proposals], *SCALE).mean()) if proposals else 0.0


if __name__ == "__main__":
    main(
        Path(sys.argv[1]),
        int(sys.argv[2]) if len(sys.argv) > 2 else ITEMS,
        sys.argv[3] if len(sys.argv) > 3 else "kindred-max",
    )
