"""State that earlier versions wrote is brought up to date, or refused with the command that makes it anew."""

import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tarfile
from contextlib import closing
from pathlib import Path
from typing import Literal, NamedTuple

import pytest

from features.collection.collection import Built
from features.collection.generation import FORMAT
from ingest.catalogue import Catalogue
from ingest.errors import DamagedArtefact
from service.operations.backup import backup, restore
from service.state import StateFolder
from tests.builders import NONE
from tests.documents import ROOT

OLDER = ROOT / "tests" / "data" / "older"
LEFT = {1: ["o:1", "o:2"], 2: ["o:1", "o:2", "o:4"]}
"""Format of the catalogue -> what it holds."""


class Ended(NamedTuple):
    status: int
    out: str
    err: str


def catalogue(path: Path, form: int) -> Path:
    with closing(sqlite3.connect(path)) as database:
        database.executescript((OLDER / f"catalogue-{form}.sql").read_text("utf-8"))
    return path


def collection(path: Path, form: int) -> Path:
    # the archives are our own; Debian's Python 3.11 knows no filter yet, later ones want one
    safe: dict[str, Literal["data"]] = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}
    shutil.unpack_archive(OLDER / f"collection-{form}.tar.gz", path, **safe)
    return path


def kindred(state: Path, *arguments: str) -> Ended:
    clean = {name: value for name, value in os.environ.items() if not name.startswith("KINDRED_")}
    clean |= {
        "KINDRED_STATE__DIRECTORY": str(state),
        "KINDRED_SERVICE__SYSTEM": "T0-parsed",
        "PYTHONPATH": str(ROOT),
    }
    program = "from service.cli.root import main; main()"
    ended = subprocess.run(
        [sys.executable, "-c", program, *arguments, "--json"],
        cwd=ROOT,
        env=clean,
        capture_output=True,
        text=True,
        check=False,
    )
    return Ended(ended.returncode, ended.stdout, ended.stderr)


@pytest.mark.parametrize("form", [1, 2])
def test_a_catalogue_is_read_as_it_is(tmp_path: Path, form: int) -> None:
    with Catalogue(catalogue(tmp_path / "catalogue.sqlite", form), read_only=True) as opened:
        assert list(opened.ids()) == LEFT[form]
        assert opened.format == form
        # which of them changed last is known, but not when
        assert {(one.id, one.at) for one in opened.newest(None, 9)} == {(one, None) for one in LEFT[form]}
        assert opened.versions(LEFT[form]) == opened.newest(None, 9)


@pytest.mark.parametrize("form", [1, 2])
def test_a_backup_of_a_catalogue_that_nobody_opened_since_can_be_restored(tmp_path: Path, form: int) -> None:
    state, other = StateFolder(tmp_path / "state"), StateFolder(tmp_path / "other")
    state.directory.mkdir()
    catalogue(state.catalogue, form)
    assert backup(state, tmp_path / "b.zip").items == len(LEFT[form])
    restore(other, tmp_path / "b.zip", replace=False)
    with Catalogue(other.catalogue) as opened:
        assert list(opened.ids()) == LEFT[form]


@pytest.mark.parametrize("form", [1, 2])
def test_a_catalogue_is_brought_up_to_date_by_who_writes(tmp_path: Path, form: int) -> None:
    path = catalogue(tmp_path / "catalogue.sqlite", form)
    with Catalogue(path) as opened:
        assert opened.format > form
        assert list(opened.ids()) == LEFT[form]
        before = opened.revision
        assert all(one.at for one in opened.newest(None, 9))
        assert opened.delete("o:1")
    with Catalogue(path) as again:
        assert list(again.ids()) == LEFT[form][1:]
        assert again.revision == before + 1


@pytest.mark.parametrize("form", [1, 2])
def test_a_collection_of_an_older_format_says_how_to_make_it_anew(tmp_path: Path, form: int) -> None:
    path = collection(tmp_path / "collection", form)
    with pytest.raises(DamagedArtefact, match=f"of format {form}, not {FORMAT}; run: kindred build"):
        Built.open(path, NONE)


@pytest.mark.slow
@pytest.mark.parametrize("form", [1, 2])
def test_build_makes_it_anew(tmp_path: Path, form: int) -> None:
    catalogue(tmp_path / "catalogue.sqlite", form)
    collection(tmp_path / "collection", form)
    before = kindred(tmp_path, "similar", "o:1", "--type", "author")
    assert (before.status, before.out) == (1, "")
    assert "run: kindred build" in before.err
    built = kindred(tmp_path, "build")
    assert built.status == 0, built.err
    assert json.loads(built.out)["items"] == len(LEFT[form])
    near = json.loads(kindred(tmp_path, "similar", "o:1", "--type", "author").out)
    assert near["neighbours"][0]["id"] == "o:2"
