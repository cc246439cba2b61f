"""The same answers from several processes: ``python -m bench.sharded STATE [ITEMS [PROCESSES]]``.

Starts processes that search a part of the collection built in STATE each (``kindred shard``), one a core,
and asks them and the local index for the neighbours of random items (seeded), one after the other:

- *recall_10*, *score_lost*, *apart*, *proven*: as of ``bench.cluster``;
- *alone_p50_ms*, *alone_p99_ms*: the bare neighbours of one type by the local index, in this process;
- *p50_ms*, *p99_ms*: the same by the processes;
- answers over HTTP with scores and reasons, as ``bench.serving`` asks for them, and the memory of the service
  and of the processes that search.

Prints a table and writes bench/results/sharded-SYSTEM-ITEMS.json.
"""

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import numpy as np

from bench.cluster import LIMIT, TIMED, compared
from bench.neighbours import SEED
from bench.peers import latency
from bench.served import KINDRED, answers, configured, name, served
from bench.serving import addresses, answer_rates, memory
from bench.tables import publish
from models.types import OFFICIAL
from service.composition import open_provider, open_recommender
from service.search.engines.sharded.index import ShardedIndex

PORT = 8800


def main(state: Path, number: int, processes: int) -> None:
    """Measure and publish."""
    settings = configured(state, None)
    alone = open_recommender(settings)
    size = len(alone.collection)
    ids = [alone.collection.ids[row] for row in random.Random(SEED).sample(range(size), min(number, size))]
    # what a part takes is measured, and not what this process does where one is late
    del ShardedIndex.searched_here
    with _searching(processes) as searchers:
        os.environ |= {
            "KINDRED_INDEX__DEADLINE": "60",
            "KINDRED_INDEX__KIND": "sharded",
            "KINDRED_INDEX__SEARCHERS": json.dumps([f"http://127.0.0.1:{port}" for port in searchers]),
        }
        far = open_provider(configured(state, None))
        rows = []
        for kind in OFFICIAL:
            own = latency(partial(alone.nearest, types=[kind], limit=LIMIT), ids[:TIMED])
            beside = {f"alone_{key}": value for key, value in own.items()}
            rows.append({**compared(alone, far, kind, ids), **beside})
        with served() as pids:
            rates = {**answer_rates(addresses(settings.state.collection), 1), **memory(pids)}
        searching = memory([process.pid for process in searchers.values()])
    publish(
        name("sharded", settings, size),
        rows,
        items=size,
        queries=len(ids),
        processes=processes,
        recall_10_of_all=round(float(np.mean([row["recall_10"] for row in rows])), 4),
        **{f"http_{fact}": value for fact, value in rates.items()},
        **{f"searchers_{fact}": value for fact, value in searching.items()},
    )


@contextmanager
def _searching(processes: int) -> Iterator[dict[int, "subprocess.Popen[bytes]"]]:
    """Processes that search, by their ports; each has a core of its own, as long as there are some."""
    cores = sorted(os.sched_getaffinity(0))
    started = {
        PORT + at: subprocess.Popen(
            [*KINDRED, "shard", "--port", str(PORT + at)],
            preexec_fn=partial(os.sched_setaffinity, 0, {cores[at % len(cores)]}),
        )
        for at in range(processes)
    }
    try:
        for port, process in started.items():
            while not answers(port, "/health/live"):
                if process.poll() is not None:
                    sys.exit(f"the process for port {port} ended by itself")
                time.sleep(0.5)
        yield started
    finally:
        for process in started.values():
            process.send_signal(signal.SIGTERM)
            process.wait()


if __name__ == "__main__":
    main(
        Path(sys.argv[1]),
        int(sys.argv[2]) if len(sys.argv) > 2 else TIMED,
        int(sys.argv[3]) if len(sys.argv) > 3 else len(os.sched_getaffinity(0)),
    )
