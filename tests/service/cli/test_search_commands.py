"""``kindred search`` and ``items`` as commands of their own, over a state that other commands change."""

import json
from pathlib import Path

import pytest

from tests.service.operations.test_older_state import LEFT, catalogue, kindred

pytestmark = pytest.mark.slow


def test_build_makes_the_index_that_a_collection_lacks(tmp_path: Path) -> None:
    catalogue(tmp_path / "catalogue.sqlite", 2)
    assert kindred(tmp_path, "build").status == 0
    (index,) = tmp_path.glob("collection/*/search.sqlite")
    index.unlink()
    lacking = kindred(tmp_path, "search", "boat")
    assert lacking.status == 1
    assert lacking.err.startswith("kindred: resource-missing: ")
    assert "run: kindred build" in lacking.err
    assert json.loads(kindred(tmp_path, "items").out)["total"] == len(LEFT[2])
    assert json.loads(kindred(tmp_path, "build").out)["fitted"] == []
    assert index.exists()


def test_what_is_deleted_or_put_is_found_so_by_the_next_search(tmp_path: Path) -> None:
    catalogue(tmp_path / "catalogue.sqlite", 2)
    assert kindred(tmp_path, "build").status == 0
    assert kindred(tmp_path, "delete", "o:2").status == 0
    file = tmp_path / "put.json"
    file.write_text('{"id": "o:9", "title": "A zeppelin"}', encoding="utf-8")
    assert kindred(tmp_path, "put", str(file)).status == 0
    # what is only taken in waits for a build
    file = tmp_path / "taken.jsonl"
    file.write_text('{"id": "o:8", "title": "Another zeppelin"}\n', encoding="utf-8")
    assert kindred(tmp_path, "ingest", str(file)).status == 0
    assert [one["id"] for one in json.loads(kindred(tmp_path, "search", "zeppelin").out)["items"]] == ["o:9"]
    assert [one["id"] for one in json.loads(kindred(tmp_path, "items").out)["items"]] == ["o:1", "o:4", "o:9"]
    assert kindred(tmp_path, "rebuild").status == 0
    answer = json.loads(kindred(tmp_path, "search", "zeppelin", "--sort", "id").out)
    assert [one["id"] for one in answer["items"]] == ["o:8", "o:9"]
