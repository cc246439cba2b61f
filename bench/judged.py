"""Who ranks judged pairs best: ``python -m bench.judged STATE ADDRESS PAIRS...``.

Orders the partners of each item of the PAIRS (directories in the official layout, with gold) by what a
system scores, and by what the two ways of ``bench.elastic`` score over all records of the collection built in
STATE, on the Elasticsearch at ADDRESS:

- *ndcg_10*: over the items that have several judged partners, with the gold as gain; equal scores count as
  any order of them does on average;
- *top_tenth*: the mean gold of the tenth of all pairs that is scored highest.

The system is ``service.system``, in folds (no pair is scored by what was trained on it) and on collections
never seen (nor on any of its provider). A partner of which a way finds nothing scores 0. What is cached of
the pairs goes to STATE. Prints a table and writes bench/results/judged.json.
"""

import sys
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from sklearn.metrics import ndcg_score

from bench.elastic import WAYS, Elastic
from bench.served import configured
from bench.tables import publish
from evaluation.results import EvaluationData, Task
from evaluation.scoring import prepare
from evaluation.typed import Pairs, joined, read_directories
from features.arrays import Bools, Doubles, Longs
from features.collection.collection import Collection
from ingest.errors import UnknownItem
from service.composition import open_recommender
from service.settings import Settings

DEPTH = 10
TOP = 0.1


def main(state: Path, address: str, directories: Sequence[Path]) -> None:
    """Measure and publish."""
    settings = configured(state, None)
    pairs = joined(read_directories(directories, settings.types))
    collection = open_recommender(settings).collection
    known = np.array([_there(collection, left) and _there(collection, right) for left, right in pairs.ids])
    ways = {**_kindred(settings, pairs), **_elastic(address, collection, pairs, known)}
    gold = pairs.known_gold()[known]
    places = _several([ids for ids, there in zip(pairs.ids, known, strict=True) if there])
    rows = []
    for way, scores in ways.items():
        for place, kind in enumerate(pairs.types):
            own = np.nan_to_num(scores[known, place])  # with either side as the item that is asked for
            rows.append({"by": way, "type": kind, **_figures(gold[:, place], own, places)})
    publish(
        "judged",
        rows,
        pairs=int(known.sum()),
        items_of_several=len(places),
        gold="; ".join(sorted({part.gold_source for part in pairs.parts})),
        collection=len(collection),
    )


def _there(collection: Collection, item: str) -> bool:
    try:
        collection.row(_own(item))
    except UnknownItem:
        return False
    return True


def _own(item: str) -> str:
    return item.removeprefix("urn:record:")


def _kindred(settings: Settings, pairs: Pairs) -> dict[str, Doubles]:
    """The scores of the default system for all pairs, by how it was trained."""
    name = settings.service.system
    system = settings.system(name)
    grounds = EvaluationData(pairs, settings.evaluation)
    task = Task(name, system, grounds, prepare(settings, pairs, {name: system}).table.over(system.needs))
    results = {"in folds": task.cross_validated(0), "unseen": task.never_seen()}
    return {
        f"{name}, {way}": np.repeat(own.scores[:, :, np.newaxis], 2, axis=2) for way, own in results.items()
    }


def _elastic(address: str, collection: Collection, pairs: Pairs, known: Bools) -> dict[str, Doubles]:
    """What each way of Elasticsearch scores of one side of a pair when the other is asked for, by type."""
    elastic = Elastic(address, map(collection.record, range(len(collection))))
    by_way = dict[str, Doubles]()
    for way in WAYS:
        scores = np.zeros((len(pairs), len(pairs.types), 2))
        for place in np.flatnonzero(known).tolist():
            left, right = map(_own, pairs.ids[place])
            for side, (query, other) in enumerate([(left, right), (right, left)]):
                record = collection.record(collection.row(query))
                scores[place, :, side] = elastic.like(way, record, 1, among=[other]).get(other, 0.0)
        by_way[way] = scores
    elastic.close()
    return by_way


def _several(ids: Sequence[tuple[str, str]]) -> list[Longs]:
    """For each item that has several pairs their places, and on which side of them it stands."""
    places = defaultdict[str, list[tuple[int, int]]](list)
    for place, both in enumerate(ids):
        for side, item in enumerate(both):
            places[item].append((place, side))
    return [np.array(own) for own in places.values() if len(own) > 1]


def _figures(gold: Doubles, scores: Doubles, several: Sequence[Longs]) -> dict[str, float]:
    gains = [
        ndcg_score([gold[own[:, 0]]], [scores[own[:, 0], own[:, 1]]], k=DEPTH)
        for own in several
        if gold[own[:, 0]].max() > 0
    ]
    best = np.argsort(-scores.mean(axis=1), kind="stable")[: round(TOP * len(scores))]
    return {
        "ndcg_10": round(float(np.mean(gains)), 3),
        "top_tenth": round(float(gold[best].mean()), 2),
    }


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], [Path(given) for given in sys.argv[3:]])
