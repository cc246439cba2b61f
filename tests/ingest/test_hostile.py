"""Files made to do harm end in an error of ours, within 256 MB and a minute of processor time each."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ingest.entries import Notes, entries
from ingest.mapping import Mapping
from ingest.reading.settings import Limits
from tests.documents import ROOT
from tests.ingest.hostile import FILES, MEMORY

Results = dict[str, dict[str, object]]


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Results:
    """What became of every file, read by one process that may have no more memory."""
    folder = tmp_path_factory.mktemp("hostile")
    for name, made in FILES.items():
        (folder / name).write_bytes(made())
    ended = subprocess.run(
        [sys.executable, "-m", "tests.ingest.hostile", str(folder)],
        cwd=ROOT,
        env=os.environ | {"OPENBLAS_NUM_THREADS": "1"},  # the stacks of its threads count as memory
        capture_output=True,
        text=True,
        check=False,
    )
    by_name = {each["name"]: each for each in map(json.loads, ended.stdout.splitlines())}
    assert ended.returncode == 0, (ended.stderr[-2000:], sorted(FILES.keys() - by_name.keys())[:1])
    return by_name


def test_there_are_many() -> None:
    assert len(FILES) >= 200
    assert MEMORY == 256 * 1024 * 1024


@pytest.mark.hostile
@pytest.mark.parametrize("name", FILES)
def test_it_ends_in_an_error_of_ours(name: str, results: Results) -> None:
    result = results[name]
    assert "untyped" not in result, result
    assert result["damaged"] or result["rejected"], result
    assert "root:x:" not in json.dumps(result)  # of /etc/passwd


def test_rows_that_were_read_at_once_are_timed_one_by_one(tmp_path: Path) -> None:
    path = tmp_path / "small.csv"
    path.write_text("id,title\n" + "1,View\n" * 100)
    mapping = Mapping.model_validate({"id": {"column": "id"}, "title": {"column": "title"}})
    notes = Notes()
    rows = entries([path], mapping, Limits(seconds=5), notes, lambda _: None)
    next(rows)
    time.sleep(5.1)
    assert list(rows) == []
    assert "takes more than 5 seconds to read" in notes.damaged[0]
