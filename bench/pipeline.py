"""The whole way of the shared records, step by step: ``python -m bench.pipeline RECORDS STATE``.

RECORDS is the folder of {tate,teenie,cmoa,tna,walters}.jsonl.gz, STATE a folder to keep the result in (it
must be new). Runs the commands that a user would run and measures time and memory of each: the
proportional set size of all its processes together, sampled four times a second.
"""

import json
import os
import subprocess
import sys
import threading
import time
import urllib.request
from pathlib import Path

from bench.tables import publish

PORT = 8765
COLLECTIONS = ("tate", "teenie", "cmoa", "tna", "walters")


def main(records: Path, state: Path) -> None:
    """Ingest, analyse and fit; then build with nothing to do; then start the service."""
    if state.exists():
        sys.exit(f"{state} exists; name a new folder")
    os.environ["KINDRED_STATE__DIRECTORY"] = str(state)
    rows = []
    for name in COLLECTIONS:
        file = records / f"{name}.jsonl.gz"
        rows.append(_row(f"ingest {name}", _Run("ingest", str(file), "--mapping", name, "--json").end()))
    build = _Run("build", "--json").end()
    fit = json.loads(build.output)["fit_seconds"]
    rows.append(_row("analyse", build, upto=build.seconds - fit))
    rows.append(_row("fit", build, since=build.seconds - fit))
    rows.append(_row("build again", _Run("build", "--json").end()))
    rows.append(_row("serve until ready", _served()))
    publish("pipeline", rows, processors=len(os.sched_getaffinity(0)))


class _Run:
    """A command under way, its memory watched: samples of (seconds since the start, KiB)."""

    def __init__(self, *arguments: str) -> None:
        kindred = Path(sys.executable).with_name("kindred")
        self._started = time.perf_counter()
        self.process = subprocess.Popen(
            [str(kindred), *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            start_new_session=True,
        )
        self.output = ""
        self.seconds = 0.0
        self.samples: list[tuple[float, int]] = []
        self._watch = threading.Thread(target=self._sample, daemon=True)
        self._watch.start()

    def end(self) -> "_Run":
        """Wait for the end; anything but success ends the measurement."""
        self.output, _ = self.process.communicate()
        self.seconds = time.perf_counter() - self._started
        self._watch.join()
        if self.process.returncode:
            sys.exit(f"{self.process.args!r} failed: {self.process.returncode}")
        return self

    def _sample(self) -> None:
        while self.process.poll() is None:
            memory = sum(_pss(pid) for pid in _session(self.process.pid))
            self.samples.append((time.perf_counter() - self._started, memory))
            time.sleep(0.25)


def _served() -> _Run:
    run = _Run("serve", "--port", str(PORT))
    started = time.perf_counter()
    while True:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{PORT}/health/ready", timeout=5) as answer:
                answer.read()
            break
        except OSError:
            time.sleep(0.05)
    ready = time.perf_counter() - started
    run.process.terminate()
    run.end()
    run.seconds = ready
    return run


def _row(step: str, run: _Run, since: float = 0.0, upto: float = float("inf")) -> dict[str, object]:
    peak = max((memory for when, memory in run.samples if since <= when <= upto), default=0)
    return {"step": step, "seconds": round(min(upto, run.seconds) - since, 1), "peak_mib": peak // 1024}


def _session(leader: int) -> list[int]:
    pids = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if os.getsid(int(folder.name)) == leader:
                pids.append(int(folder.name))
        except OSError:
            continue
    return pids


def _pss(pid: int) -> int:
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return sum(int(line.split()[1]) for line in lines if line.startswith("Pss:"))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
