"""A museum that changes is harvested by a process that is killed again and again."""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import msgspec
import pytest

from ingest.catalogue import Catalogue
from ingest.oai.progress import Progress
from tests.ingest.oai.harvesting import harvested, titles
from tests.ingest.oai.independent import Repository, repository

pytestmark = pytest.mark.kills

RECORDS = 20_000
KILLS = 50
_RUN = """
import os
import sys
from pathlib import Path
from tests.ingest.oai.harvesting import harvested

while sys.stdin.readline():  # a process of its own for each run, without loading everything anew
    if child := os.fork():
        print(child, flush=True)
        os.waitpid(child, 0)
        print("ended", flush=True)
    else:
        harvested(sys.argv[1], Path(sys.argv[2]))
        os._exit(0)
"""


def progress(state: Path) -> Progress | None:
    if not (state / "catalogue.sqlite").exists():
        return None
    with Catalogue(state / "catalogue.sqlite") as catalogue:
        stored = catalogue.progress("museum")
    return msgspec.json.decode(stored, type=Progress) if stored else None


def start(url: str, state: Path) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-c", _RUN, url, str(state)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[3],
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[3])},
    )


def kill_at_random(parent: "subprocess.Popen[str]", museum: Repository, chance: random.Random) -> None:
    """Let it harvest for a moment, in which records change, then kill it."""
    assert parent.stdin
    assert parent.stdout
    parent.stdin.write("go\n")
    parent.stdin.flush()
    child = int(parent.stdout.readline())
    for _ in range(chance.randrange(1, 5)):
        museum.change()
        time.sleep(chance.random() * 0.06)
    os.kill(child, signal.SIGKILL)
    assert parent.stdout.readline() == "ended\n"


def test_a_harvest_that_is_killed_fifty_times_loses_nothing_and_repeats_nothing(tmp_path: Path) -> None:
    chance = random.Random(20260310)
    added: dict[int, int] = {}  # by the number of the harvest
    with repository(RECORDS) as (url, museum):
        parent = start(url, tmp_path)
        for _ in range(KILLS):
            kill_at_random(parent, museum, chance)
            if (reached := progress(tmp_path)) is not None:
                added[reached.first] = reached.counts.added
        parent.communicate()
        for _ in range(2):  # the one that was cut off, and one for what changed meanwhile
            last = harvested(url, tmp_path)
            added[last.first] = last.counts.added
        assert titles(tmp_path) == museum.titles
        assert sum(added.values()) == len(museum.titles)
        counts = harvested(url, tmp_path).counts
        assert (counts.added, counts.changed, counts.deleted) == (0, 0, 0)
