"""The same answers from a cluster: ``python -m bench.cluster STATE ADDRESS [ITEMS [SYSTEM]]``.

Sends the collection built in STATE to the Elasticsearch at ADDRESS, lets it answer, and removes it at the
end:

- *sent_items_s*: items sent and taken a second, from nothing to an index that may answer;
- *recall_10*: for random items (seeded) and each type, the share of the ten places of the local exact index
  that the cluster's answer fills as well. An item whose score is that of the tenth counts as one of the ten;
- *score_lost*: by how much the mean score of the ten is lower, on the scale of 0 to 5;
- *proven*: the share of the answers that say of themselves that they are exact;
- *apart*: the largest difference of the two scores of one pair;
- *p50_ms*, *p99_ms*: the bare neighbours of one type, asked in this process, and what the peers of
  ``bench.elastic`` find for the same items on the same server;
- answers over HTTP with scores and reasons, and the memory of a service, as ``bench.serving`` asks for them.

Prints a table and writes bench/results/cluster-SYSTEM-ITEMS.json.
"""

import json
import os
import random
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import numpy as np

from bench.elastic import WAYS, Elastic
from bench.neighbours import SEED
from bench.peers import latency
from bench.served import configured, name, served
from bench.serving import addresses, answer_rates, memory
from bench.tables import publish
from models.types import OFFICIAL, SCALE, SimilarityType
from service.composition import open_provider, open_recommender
from service.search.engines.elastic.settings import cluster
from service.search.engines.port import Results
from service.search.recommender import Recommender
from service.settings import Settings

LIMIT = 10
TIMED = 200
"""Items that answers are timed for."""

SETTLED = 1e-6
"""Scores nearer than this are equal: they are told apart at 6 decimals."""


def main(state: Path, address: str, number: int, system: str | None) -> None:
    """Measure and publish."""
    settings = configured(state, system)
    near = open_recommender(settings)
    size = len(near.collection)
    ids = [near.collection.ids[row] for row in random.Random(SEED).sample(range(size), min(number, size))]
    os.environ |= {
        "KINDRED_INDEX__KIND": "elasticsearch",
        "KINDRED_INDEX__URLS": json.dumps([address]),
        "KINDRED_INDEX__NAME": "kindred-bench",
    }
    there = configured(state, system)
    peers = _peers(address, near, ids)
    with _sent(there) as sent:
        far = open_provider(there)
        rows = [compared(near, far, kind, ids) for kind in OFFICIAL]
        with served() as pids:
            answers = {**answer_rates(addresses(settings.state.collection), 1), **memory(pids)}
    publish(
        name("cluster", settings, size),
        [*rows, *peers],
        items=size,
        queries=len(ids),
        candidates=cluster(there).candidates,
        recall_10_of_all=round(float(np.mean([row["recall_10"] for row in rows])), 4),
        **sent,
        **{f"http_{fact}": value for fact, value in answers.items()},
    )


@contextmanager
def _sent(settings: Settings) -> Iterator[dict[str, float]]:
    """The items sent to the cluster, which then answers: how many a second, and how large they lie there."""
    from service.search.engines.elastic import building
    from service.search.engines.elastic.client import connect
    from service.search.engines.elastic.generations import FITTED, Generations
    from service.search.engines.elastic.sending import Outbox

    client, started = connect(cluster(settings)), time.monotonic()
    made = building.build(settings)
    seconds = time.monotonic() - started
    try:
        building.switch(settings, made.index, Generations(client, cluster(settings)))
        stored = client.indices.stats(index=made.index)["_all"]["primaries"]["store"]["size_in_bytes"]
        yield {"sent_items_s": round(made.items / seconds), "bytes_of_an_item": round(stored / made.items)}
    finally:
        client.indices.delete(index=[made.index, f"{made.index}{FITTED}"])
        with Outbox(settings.state.outbox) as outbox:
            outbox.forget(made.index)


def compared(
    near: Recommender, far: Callable[[], Recommender], kind: SimilarityType, ids: Sequence[str]
) -> dict[str, object]:
    """One type: the cluster's answers beside those of the local exact index."""
    shares, lost, apart, proven = list[float](), list[float](), [0.0], 0
    for item in ids:
        wanted, given = near.nearest(item, [kind], LIMIT)[kind], far().nearest(item, [kind], LIMIT)[kind]
        proven += given.exact
        if wanted:
            least = wanted[-1].bound - SETTLED
            shares.append(min(sum(one.bound >= least for one in given), len(wanted)) / len(wanted))
            lost.append((_sum(wanted) - _sum(given)) / len(wanted))
        known = {one.id: one.bound for one in wanted}
        apart += [abs(one.bound - known[one.id]) for one in given if one.id in known]
    return {
        "by": near.system.name,
        "type": kind,
        "recall_10": round(float(np.mean(shares)), 4),
        "lists": len(shares),
        "proven": round(proven / len(ids), 3),
        "apart": round(max(apart), 7),
        "score_lost": round(float(np.mean(lost)), 4),
        **latency(lambda item: far().nearest(item, [kind], LIMIT), ids[:TIMED]),
    }


def _sum(results: Results) -> float:
    return float(np.clip([one.bound for one in results], *SCALE).sum())


def _peers(address: str, near: Recommender, ids: Sequence[str]) -> list[dict[str, object]]:
    collection, records = near.collection, [near.item(item) for item in ids[:TIMED]]
    elastic = Elastic(address, map(collection.record, range(len(collection))))
    nothing = dict.fromkeys(("type", "recall_10", "lists", "proven", "apart", "score_lost"), "")
    rows = [
        {"by": way, **nothing, **latency(partial(elastic.like, way, limit=LIMIT), records)} for way in WAYS
    ]
    elastic.close()
    return rows


if __name__ == "__main__":
    main(
        Path(sys.argv[1]),
        sys.argv[2],
        int(sys.argv[3]) if len(sys.argv) > 3 else 1000,
        sys.argv[4] if len(sys.argv) > 4 else None,
    )
