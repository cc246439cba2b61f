"""How fast all neighbours are worked out: ``python -m bench.batch STATE [SYSTEM [ITEMS]]``.

What ``kindred neighbours --all --k 50`` does, for the first ITEMS items of the collection built in STATE, all
eight types, written as Parquet in a folder that is thrown away; the start of the processes is part of it.
With one process, or few items, this one does the work, and nothing is started.
"""

import os
import sys
import tempfile
import time
from functools import partial
from pathlib import Path

K = 50
ITEMS = 4000


def main(state: Path, system: str | None, number: int) -> None:
    """Measure and publish."""
    os.environ["KINDRED_STATE__DIRECTORY"] = str(state)
    from bench.tables import publish
    from service.composition import open_recommender
    from service.search.batch.parquet import PARQUET
    from service.search.batch.runs import BatchManifest, claim, run
    from service.settings import load

    recommender = open_recommender(load(), system)
    size = len(recommender.collection)
    processes = load().analysis.workers
    batch = BatchManifest.of(recommender, K, [*recommender.system.types], 200, recommender.system.floor)
    batch = batch.model_copy(update={"items": min(number, size)})
    with tempfile.TemporaryDirectory() as folder:
        claim(Path(folder), batch)
        started = time.perf_counter()
        opening = partial(open_recommender, load(), system)
        run(recommender, opening, processes, batch, Path(folder), PARQUET)
        seconds = time.perf_counter() - started
    row = {
        "processes": processes,
        "k": K,
        "asked": batch.items,
        "items_s": round(batch.items / seconds, 1),
    }
    publish(f"batch-{batch.system}-{size}", [row], system=batch.system, items=size)


if __name__ == "__main__":
    main(
        Path(sys.argv[1]),
        sys.argv[2] if len(sys.argv) > 2 else None,
        int(sys.argv[3]) if len(sys.argv) > 3 else ITEMS,
    )
