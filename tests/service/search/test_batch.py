"""``kindred neighbours``: every item's neighbours as Parquet, begun, stopped, continued and refused."""

import json
import os
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from features.collection import build as collections
from ingest.errors import UsageError
from models.types import OFFICIAL
from service.composition import open_recommender
from service.search.batch.parquet import PARQUET, SCHEMA
from service.search.batch.runs import MANIFEST, BatchManifest, claim, run
from service.settings import load
from tests.builders import NONE, RECORDS, items, record
from tests.service.builders import served
from tests.service.cli.commands import Kindred


@pytest.fixture
def state(tmp_path: Path) -> Path:
    build(tmp_path / "state")
    return tmp_path / "state"


def build(folder: Path, *more: str) -> None:
    records = [*RECORDS, *(record(item, "View of Venice in Bath") for item in more)]
    folder.mkdir(exist_ok=True)
    features = served(load())
    collections.build(folder / "collection", items(records), features, NONE, revision=1, pipeline="toy")


@pytest.fixture
def kindred(state: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Kindred:
    for name in os.environ:
        if name.startswith("KINDRED_"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("KINDRED_STATE__DIRECTORY", str(state))
    monkeypatch.setenv("KINDRED_SERVICE__SYSTEM", "T0-parsed")
    monkeypatch.setenv("KINDRED_ANALYSIS__PROCESSES", "1")
    monkeypatch.setenv("COLUMNS", "200")
    return Kindred(monkeypatch, capsys)


def summary(kindred: Kindred, out: Path, *more: str) -> dict[str, Any]:
    answer = kindred("neighbours", "--all", "--out", str(out), "--part", "2", "--json", *more)
    assert answer.status == 0, answer.err
    assert "neighbours" in answer.err  # the progress
    read: dict[str, Any] = json.loads(answer.out)
    return read


def rows(out: Path) -> list[dict[str, Any]]:
    results: list[dict[str, Any]] = pq.read_table(out).to_pylist()
    return results


def test_the_parts_hold_every_items_neighbours(kindred: Kindred, tmp_path: Path) -> None:
    answer = summary(kindred, tmp_path / "out", "--k", "3")
    assert (answer["items"], answer["parts"], answer["written"]) == (6, 3, 3)
    assert answer["types"] == list(OFFICIAL)
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        MANIFEST,
        *(f"part-{n:05}.parquet" for n in range(3)),
    ]
    recommender = open_recommender(load())
    expected = [
        {"id": item, "type": kind, "rank": rank, "neighbour": near.record.id, "score": near.score}
        for item in recommender.collection.ids
        for kind in OFFICIAL
        for rank, near in enumerate(recommender.similar(item, kind, 3), 1)
    ]
    written = rows(tmp_path / "out")
    scores = [(one.pop("score"), other.pop("score")) for one, other in zip(written, expected, strict=True)]
    assert written == expected
    assert [score for score, _ in scores] == pytest.approx([score for _, score in scores], abs=1e-6)
    assert pq.read_schema(tmp_path / "out" / "part-00000.parquet").equals(SCHEMA)
    first = pq.read_table(tmp_path / "out" / "part-00000.parquet").to_pylist()
    assert {row["id"] for row in first} == {"t:1", "t:2"}


@pytest.mark.slow
def test_several_processes_write_the_same(
    kindred: Kindred, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    alone = summary(kindred, tmp_path / "alone")
    monkeypatch.setenv("KINDRED_ANALYSIS__PROCESSES", "2")
    together = summary(kindred, tmp_path / "together")
    assert {**together, "directory": ""} == {**alone, "directory": ""}
    assert rows(tmp_path / "together") == rows(tmp_path / "alone")


@pytest.mark.slow
@pytest.mark.usefixtures("kindred")
def test_several_processes_notice_another_collection(tmp_path: Path, state: Path) -> None:
    now = open_recommender(load())
    batch = BatchManifest(
        generation=now.mark, system="T0-parsed", k=2, types=(OFFICIAL[0],), items=6, part=2, floors={}
    )
    claim(tmp_path / "out", batch)
    build(state, "z:1")
    with pytest.raises(UsageError, match="changed since the run began"):
        run(now, partial(open_recommender, load()), 2, batch, tmp_path / "out", PARQUET)


def test_some_types_only(kindred: Kindred, tmp_path: Path) -> None:
    answer = summary(kindred, tmp_path / "out", "--type", "location", "--type", "author")
    assert answer["types"] == ["author", "location"]
    assert {row["type"] for row in rows(tmp_path / "out")} == {"author", "location"}


def test_lists_end_at_the_floor(kindred: Kindred, tmp_path: Path) -> None:
    summary(kindred, tmp_path / "all", "--floor", "0")
    every, least = rows(tmp_path / "all"), 2.5
    expected = [row for row in every if row["score"] >= least]
    assert 0 < len(expected) < len(every)
    assert summary(kindred, tmp_path / "high", "--floor", str(least))["floors"] == dict.fromkeys(
        OFFICIAL, least
    )
    assert rows(tmp_path / "high") == expected
    # T0-parsed has no floors of its own
    assert summary(kindred, tmp_path / "own")["floors"] == {}
    assert rows(tmp_path / "own") == every
    other = kindred("neighbours", "--all", "--out", str(tmp_path / "own"), "--floor", "1")
    assert (other.status, "floors" in other.err) == (2, True)


def test_a_run_that_was_stopped_goes_on(kindred: Kindred, tmp_path: Path) -> None:
    out = tmp_path / "out"
    summary(kindred, out)
    whole = rows(out)
    stored = (out / "part-00000.parquet").stat().st_mtime_ns
    (out / "part-00001.parquet").unlink()
    (out / "part-00002.parquet").write_bytes(b"PAR1 cut")
    assert summary(kindred, out)["written"] == 2
    assert rows(out) == whole
    assert (out / "part-00000.parquet").stat().st_mtime_ns == stored
    assert summary(kindred, out)["written"] == 0


def test_a_kill_leaves_whole_parts(tmp_path: Path, kindred: Kindred, monkeypatch: pytest.MonkeyPatch) -> None:
    out, replace = tmp_path / "out", Path.replace

    def stopped(path: Path, target: Path) -> Path:
        if "part-00001" in path.name:
            raise KeyboardInterrupt
        return replace(path, target)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", stopped)
        assert kindred("neighbours", "--all", "--out", str(out), "--part", "2").status == 130
    assert [path.name for path in out.glob("part-*")] == ["part-00000.parquet"]
    assert summary(kindred, out)["written"] == 2


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--k", "4"], "(k 25, not 4)"),
        (["--type", "time"], "types general author people"),
        (["--part", "3"], "(part 2, not 3)"),
        (["--system", "linear"], "linear"),
    ],
)
def test_other_neighbours_are_refused(
    kindred: Kindred, tmp_path: Path, more: list[str], message: str
) -> None:
    out = tmp_path / "out"
    summary(kindred, out)
    answer = kindred("neighbours", "--all", "--out", str(out), "--part", "2", *more)
    assert answer.status in (1, 2)
    assert message in answer.err
    if answer.status == 2:
        assert "holds other neighbours" in answer.err
        assert kindred("neighbours", "--all", "--out", str(out), "--part", "2", *more, "--anew").status == 0


def test_another_collection_is_refused_unless_anew(kindred: Kindred, state: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    summary(kindred, out)
    (out / "notes.txt").write_text("mine", encoding="utf-8")
    build(state, "t:7")
    answer = kindred("neighbours", "--all", "--out", str(out), "--part", "2")
    assert answer.status == 2
    assert answer.err.startswith(f"kindred: usage: {out} holds other neighbours (generation ")
    assert "items 6, not 7); name another folder, or add --anew" in answer.err
    (out / "notes.txt").unlink()
    assert summary(kindred, out, "--anew")["written"] == 4
    assert "t:7" in {row["id"] for row in rows(out)}


def test_a_folder_that_is_not_ours_is_refused(kindred: Kindred, tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / "part-00000.parquet").write_bytes(b"x")
    answer = kindred("neighbours", "--all", "--out", str(out))
    assert (answer.status, "holds parts without _manifest.json" in answer.err) == (2, True)
    (out / MANIFEST).write_text("{}", encoding="utf-8")
    assert "cannot be read" in kindred("neighbours", "--all", "--out", str(out)).err
    assert summary(kindred, out, "--anew")["written"] == 3


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--out", "x"], "kindred: usage: neighbours are written of every item; say so: --all"),
        (["--all"], "Missing option '--out'"),
        (["--all", "--out", "x", "--k", "0"], "--k"),
        (["--all", "--out", "x", "--type", "place"], "kindred: unknown-type: "),
        (["--all", "--out", "x", "--system", "x"], "kindred: unknown-system: "),
    ],
)
def test_what_cannot_be_done(kindred: Kindred, arguments: list[str], message: str) -> None:
    answer = kindred("neighbours", *arguments)
    assert (answer.status, answer.out) == (2, "")
    assert message in answer.err


def test_a_folder_that_is_a_file(kindred: Kindred, tmp_path: Path) -> None:
    (tmp_path / "out").write_text("x", encoding="utf-8")
    answer = kindred("neighbours", "--all", "--out", str(tmp_path / "out"))
    assert answer.status == 2
    assert answer.err.startswith(f"kindred: usage: {tmp_path / 'out'} cannot be written: ")
