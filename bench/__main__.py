"""``make bench``: the default system on all shared records, from nothing to the served answer, and its peers.

Reads the records in ../shared, or the folder named. Elasticsearch takes part where
``tools/elasticsearch`` lies there. Nothing is measured, or published, on a busy machine.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bench.tables import LOAD, quiet

SHARED = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent.parent.parent / "shared"


def run(module: str, *arguments: str) -> None:
    """Run one measurement in a process of its own, so that its memory is its own."""
    print(f"\n{module}", flush=True)
    subprocess.run([sys.executable, "-m", module, *arguments], check=True)


@contextmanager
def elasticsearch() -> Iterator[list[str]]:
    """The address of one node, where there is one to start."""
    cluster = SHARED / "tools" / "elasticsearch" / "cluster"
    if not cluster.is_file():
        print(f"{cluster} is not there: Elasticsearch takes no part")
        yield []
        return
    try:
        started = subprocess.run(
            [cluster, "start", "--heap", "2g"], check=True, stdout=subprocess.PIPE, text=True
        )
        yield started.stdout.split()[:1]
    finally:
        subprocess.run([cluster, "wipe"], check=True)


records = SHARED / "data" / "records"
if not records.is_dir():
    sys.exit(f"no records in {SHARED}; name the folder that holds data/records: python -m bench FOLDER")
os.environ[LOAD] = str(quiet())
with tempfile.TemporaryDirectory() as folder:
    state = str(Path(folder) / "state")
    run("bench.pipeline", str(records), state)
    run("bench.neighbours", state)
    run("bench.search", state)
    run("bench.pages", state)
    run("bench.serving", state)
    run("bench.sharded", state)
    run("bench.load", state)
    run("bench.batch", state)
    with elasticsearch() as address:
        run("bench.peers", state, "100", *address)
run("bench.picture")
