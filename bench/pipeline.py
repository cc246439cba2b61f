"""The whole way of the shared records, step by step: ``python -m bench.pipeline RECORDS STATE``.

RECORDS is the folder of {tate,teenie,cmoa,tna}.jsonl.gz, STATE a folder to keep the result in (it
must be new). Runs the commands that a user would run and measures time and memory of each: the
proportional set size of all its processes together, sampled twice a second.
"""

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

from bench.tables import publish

COLLECTIONS = ("tate", "teenie", "cmoa", "tna")


def main(records: Path, state: Path) -> None:
    """Ingest, analyse, fit; then nothing to do; then open."""
    if state.exists():
        sys.exit(f"{state} exists; name a new folder")
    environment = {**os.environ, "KINDRED_STATE__DIRECTORY": str(state)}
    steps = [
        (f"ingest {name}", ["ingest", str(records / f"{name}.jsonl.gz"), "--mapping", name])
        for name in COLLECTIONS
    ]
    steps += [("build", ["build", "--json"]), ("build again", ["build", "--json"])]
    rows = [_measured(name, arguments, environment) for name, arguments in steps]
    publish("pipeline", rows, processors=len(os.sched_getaffinity(0)))


def _measured(name: str, arguments: list[str], environment: dict[str, str]) -> dict[str, object]:
    kindred = Path(sys.executable).with_name("kindred")
    started = time.perf_counter()
    process = subprocess.Popen(
        [str(kindred), *arguments],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        start_new_session=True,
    )
    peak = [0]
    watch = threading.Thread(target=_watch, args=(process, peak), daemon=True)
    watch.start()
    said, _ = process.communicate()
    if process.returncode not in (0, 3):
        sys.exit(f"{name} failed: {process.returncode}")
    watch.join()
    print(said, file=sys.stderr)
    return {"step": name, "seconds": round(time.perf_counter() - started, 1), "peak_mib": peak[0]}


def _watch(process: "subprocess.Popen[str]", peak: list[int]) -> None:
    while process.poll() is None:
        peak[0] = max(peak[0], sum(_pss(pid) for pid in _session(process.pid)) // 1024)
        time.sleep(0.5)


def _session(leader: int) -> list[int]:
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if os.getsid(int(folder.name)) == leader:
                found.append(int(folder.name))
        except OSError:
            continue
    return found


def _pss(pid: int) -> int:
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return sum(int(line.split()[1]) for line in lines if line.startswith("Pss:"))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
