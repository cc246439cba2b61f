"""A disk that fails in the middle of a write: a reader sees what was there before, or all that was written.

``RLIMIT_FSIZE`` lets every file of a process grow up to a size and no further, so that writes of Python's, of
NumPy's and of SQLite's fail at a place that a seed chooses. ``KINDRED_SEED`` tries other places.
"""

import os
import random
import resource
import shutil
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import NamedTuple

import pytest

from features.collection import generation
from features.collection.blobs import Blobs, Ids
from ingest.catalogue import Catalogue
from service.operations.backup import backup
from service.operations.keys import Keys
from service.paths.store import PathsFile
from service.state import StateFolder
from tests.documents import ROOT
from tests.environment import PATIENCE, SEED

LARGEST = 1 << 22
"""Bytes: no file of these states is larger, so that some writes succeed."""

ROWS = "id,title,creator,date\n" + "".join(f"d:{n},Boat {n},Hand,18{n:02}\n" for n in range(30))
PUT = '[{"id": "d:1", "title": "Boat", "creator": "Hand", "date": "1801"}]'

pytestmark = pytest.mark.kills


class Ended(NamedTuple):
    status: int
    error: str


def kindred(state: Path, *arguments: str, most: int | None = None) -> Ended:
    """Run a command over a state; no file that it writes may have more than ``most`` bytes."""
    plain = {name: value for name, value in os.environ.items() if not name.startswith("KINDRED_")}
    limit = None if most is None else partial(resource.setrlimit, resource.RLIMIT_FSIZE, (most, most))
    ended = subprocess.run(
        [sys.executable, "-c", "from service.cli.root import main; main()", *arguments],
        cwd=ROOT,
        env={**plain, "KINDRED_STATE__DIRECTORY": str(state)},
        preexec_fn=limit,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    return Ended(ended.returncode, ended.stderr)


def seen(state: Path) -> dict[str, object]:
    """All that a reader sees of a state."""
    folder = StateFolder(state)
    opened = generation.read(folder.collection)
    with Catalogue(folder.catalogue, read_only=True) as catalogue, PathsFile(folder.paths) as paths:
        return {
            "records": list(catalogue.records()),
            "revision": opened.manifest.revision,
            "items": list(Ids(Blobs(opened.arrays, "ids"))),
            "paths": [(path.content, path.version) for path in paths.all()],
            "keys": len(Keys(folder.keys).all()),
        }


def copied(source: Path, target: Path) -> Path:
    """A state of its own; what is never written over is linked."""

    def copy(one: str, other: str) -> str:
        if one.endswith(".npy"):
            Path(other).hardlink_to(one)
        else:
            shutil.copy2(one, other)
        return other

    return Path(shutil.copytree(source, target, copy_function=copy))


@pytest.fixture(scope="module")
def before(sample: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A state with records, a collection, paths, a key, and a file and a backup beside it."""
    folder = tmp_path_factory.mktemp("disk")
    state = copied(sample, folder / "state")
    (folder / "rows.csv").write_text(ROWS, encoding="utf-8")
    (folder / "put.json").write_text(PUT, encoding="utf-8")
    backup(StateFolder(state), folder / "backup.zip")
    assert kindred(state, "paths", "import", "--sample").status == 0
    assert kindred(state, "keys", "add", "Portal").status == 0
    with PathsFile(StateFolder(state).paths) as paths:
        path = paths.all()[0].id
    file = str(folder / "path.jsonld")
    assert kindred(state, "paths", "export", path, "--format", "jsonld", "--out", file).status == 0
    return state


def _built(state: Path) -> None:
    assert kindred(state, "ingest", str(state.parent / "rows.csv")).status == 0


def _unchanged(_: Path) -> None:
    pass


COMMANDS: dict[str, tuple[list[str], Callable[[Path], None], int]] = {
    "ingest": (["ingest", "{}/rows.csv"], _unchanged, 6),
    "build": (["build"], _built, 4),
    "put": (["put", "{}/put.json"], _unchanged, 4),
    "path": (["paths", "import", "{}/path.jsonld"], _unchanged, 5),
    "key": (["keys", "add", "Curator", "--role", "curator"], _unchanged, 6),
    "delete": (["delete", "sample:painting/canaletto-stonemasons-yard"], _unchanged, 5),
    "backup": (["backup", "{}/other.zip"], _unchanged, 5),
    "restore": (["restore", "{}/backup.zip", "--replace"], _unchanged, 6),
}
"""What is run, what goes before it, and at how many places the disk fails."""


@pytest.mark.parametrize("name", COMMANDS)
def test_a_write_that_fails_leaves_what_was_there_or_all_that_was_written(
    before: Path, tmp_path: Path, name: str
) -> None:
    arguments, prepare, tries = COMMANDS[name]
    command = [argument.format(before.parent) for argument in arguments]
    begun = copied(before, tmp_path / "begun")
    shutil.copy2(before.parent / "rows.csv", tmp_path / "rows.csv")
    prepare(begun)
    whole = copied(begun, tmp_path / "whole")
    assert kindred(whole, *command).status == 0
    states = [seen(begun), seen(whole)]
    draw = random.Random(f"{SEED} {name}")
    failed = 0
    for number in range(tries):
        state = copied(begun, tmp_path / str(number))
        # sizes of all orders of magnitude, from nothing at all
        most = 0 if number == 0 else int(2 ** draw.uniform(9, LARGEST.bit_length()))
        ended = kindred(state, *command, most=most)
        message = f"KINDRED_SEED={SEED}: {name} with files of {most} bytes at most: {ended}"
        assert "Traceback" not in ended.error, message
        assert seen(state) in states[:1] if ended.status else seen(state) == states[1], message
        failed += bool(ended.status)
        if ended.status:  # where there is room again it goes on
            assert kindred(state, *command).status == 0, message
            assert seen(state) == states[1], message
    assert failed, "the disk never failed"
