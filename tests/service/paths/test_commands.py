"""``kindred paths`` as its main function runs it, over a collection on the disk."""

import json
from pathlib import Path
from typing import Any

import pytest

from features.collection.build import build
from ingest.ingestion import SAMPLE
from service.settings import load
from tests.builders import NONE
from tests.service.builders import items, served
from tests.service.cli.commands import Kindred
from tests.service.museum import RECORDS


@pytest.fixture(scope="module")
def museum_state(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("state")
    build(folder / "collection", items(RECORDS), served(load()), NONE, revision=1, pipeline="toy")
    return folder


@pytest.fixture
def kindred(
    museum_state: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Kindred:
    (tmp_path / "collection").symlink_to(museum_state / "collection")
    monkeypatch.setenv("KINDRED_STATE__DIRECTORY", str(tmp_path))
    monkeypatch.setenv("KINDRED_SERVICE__SYSTEM", "T0-parsed")
    monkeypatch.setenv("COLUMNS", "200")
    return Kindred(monkeypatch, capsys)


def stored(kindred: Kindred) -> dict[str, Any]:
    return kindred.document(
        "paths", "suggest", "m:01", "--type", "general", "--length", "4", "--keep", "Venice"
    )


def test_a_path_by_itself_is_shown_and_kept_where_wanted(kindred: Kindred) -> None:
    shown: dict[str, Any] = kindred.document("paths", "suggest", "m:01", "--type", "general", "--length", "4")
    assert len(shown["steps"]) == 4
    assert kindred.document("paths", "list") == {"paths": []}
    path = stored(kindred)
    assert path["steps"] == shown["steps"]
    listed: dict[str, Any] = kindred.document("paths", "list")
    assert [(one["id"], one["length"]) for one in listed["paths"]] == [(path["id"], 4)]
    assert kindred.document("paths", "show", path["id"]) == path
    for command in ("list", "show"):
        answer = kindred("paths", command, *([path["id"]] if command == "show" else []))
        assert path["id"] in answer.out
        assert "Venice" in answer.out
    assert path["steps"][1]["reason"] in kindred("paths", "show", path["id"]).out


@pytest.mark.parametrize("form", ["jsonld", "csv"])
def test_a_path_goes_out_and_comes_in(kindred: Kindred, tmp_path: Path, form: str) -> None:
    path, file = stored(kindred), tmp_path / f"path.{form}"
    assert kindred("paths", "export", path["id"], "--format", form, "--out", str(file)).status == 0
    printed = kindred("paths", "export", path["id"], "--format", form).out
    assert printed.splitlines() == file.read_text().splitlines()
    again: dict[str, Any] = kindred.document("paths", "import", str(file), "--curator", "Bo")
    assert (again["steps"], again["action"]) == (path["steps"], "imported")
    assert (again["changed_by"], again["signed"]) == ("", "Bo")  # no key is used at the command line


def test_the_example_paths_are_published_once(kindred: Kindred) -> None:
    used: dict[str, Any] = kindred.document("paths", "import", "--sample")
    assert {one["status"] for one in used["paths"]} == {"published"}
    assert [one["length"] for one in used["paths"]] == [7, 8, 8]
    assert kindred.document("paths", "import", "--sample") == {"paths": []}
    known = {json.loads(line)["id"] for line in SAMPLE.read_bytes().splitlines()}
    for one in used["paths"]:
        path: dict[str, Any] = kindred.document("paths", "show", one["id"])
        assert {step["id"] for step in path["steps"]} <= known
        assert all(step["type"] and step["reason"] and step["note"] for step in path["steps"][1:])


def test_an_export_names_the_service_that_it_is_told(kindred: Kindred) -> None:
    path = stored(kindred)
    answer = kindred("paths", "export", path["id"], "--format", "iiif", "--base", "https://k.example/")
    assert json.loads(answer.out)["id"] == f"https://k.example/paths/{path['id']}/export?format=iiif"
    answer = kindred("paths", "export", path["id"], "--format", "iiif")
    assert json.loads(answer.out)["id"].startswith("http://127.0.0.1:8000/paths/")


def test_a_way_between_two_items(kindred: Kindred) -> None:
    results: dict[str, Any] = kindred.document("paths", "between", "m:01", "m:07", "--floor", "0.5")
    assert [results["steps"][0]["id"], results["steps"][-1]["id"]] == ["m:01", "m:07"]
    assert "Palace in London" in kindred("paths", "between", "m:01", "m:07", "--floor", "0.5").out
    none = kindred("paths", "between", "m:01", "m:09", "--floor", "4.9")
    assert (none.status, none.out) == (0, "")
    assert "there is no way over links of 4.9 and more" in none.err


def test_a_path_that_ends_early_says_why(kindred: Kindred) -> None:
    answer = kindred("paths", "suggest", "m:09", "--type", "time")
    assert "nothing that the path does not have already is close to 'Spoon'" in answer.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("show", "none"), "unknown-path: no path 'none'"),
        (("export", "none"), "unknown-path: no path 'none'"),
        (("export", "none", "--format", "pdf"), "usage: a path is not written as 'pdf'"),
        (("import", "none.csv"), "unreadable-file: none.csv cannot be read"),
        (("import", "none", "--format", "iiif"), "usage: a path is not read as 'iiif'"),
        (("import",), "usage: name one file with a path, or --sample"),
        (("import", "x.csv", "--sample"), "usage: name one file with a path, or --sample"),
        (("suggest", "none"), "unknown-item: no item 'none'"),
        (("suggest", "m:01", "--type", "colour"), "unknown-type: "),
        (("between", "m:01", "m:01"), "invalid-request: a way leads from one item to another"),
    ],
)
def test_what_cannot_be_done_is_one_line(kindred: Kindred, arguments: tuple[str, ...], message: str) -> None:
    answer = kindred("paths", *arguments)
    assert answer.status in (1, 2)
    assert answer.err.startswith(f"kindred: {message}")
    assert answer.err.count("\n") == 1
