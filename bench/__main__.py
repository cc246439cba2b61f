"""``make bench``: everything, over the records in ../shared (or the folder named)."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

SHARED = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent.parent.parent / "shared"


def run(module: str, *arguments: str) -> None:
    """Run one measurement in a process of its own, so that its memory is its own."""
    print(f"\n{module}")
    subprocess.run([sys.executable, "-m", module, *arguments], check=True)


if not (SHARED / "data" / "records").is_dir():
    sys.exit(f"no records in {SHARED}; name the folder that holds data/records: python -m bench FOLDER")
records = SHARED / "data" / "records"
# what the collection is built for beside service.system
os.environ["KINDRED_SERVICE__ALSO"] = '["T0", "T3"]'
with tempfile.TemporaryDirectory() as folder:
    state = str(Path(folder) / "state")
    run("bench.ingest", *(f"{name}={records / name}.jsonl.gz" for name in ("tate", "teenie", "cmoa", "tna")))
    run("bench.pipeline", str(records), state)
    for system in ("T0", "T3", "kindred"):
        run("bench.neighbours", state, system, "100")
    run("bench.throughput", state, "T3")
    run("bench.load", state, "kindred")
    run("bench.batch", state, "T3")
    run("bench.peers", state, "100")
run("bench.picture")
