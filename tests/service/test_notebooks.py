"""A collection in Python: rows that pandas takes as they are, the documented example, and a light import."""

import dataclasses
import doctest
import os
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

from features.collection.build import build
from ingest.errors import CollectionMissing, ResourceMissing, UnknownItem, UnknownType
from models.types import OFFICIAL
from service import open_collection
from service.composition import open_recommender
from service.explain.closeness import closeness
from service.notebooks import OpenCollection
from service.search.facets import Filters
from tests.builders import NONE
from tests.documents import DOCS, ROOT, defaults
from tests.service.builders import items, record, served
from tests.service.museum import RECORDS


def plain_environment(patch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.startswith("KINDRED_")]:
        patch.delenv(name)


@pytest.fixture(scope="module")
def state(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("state")
    build(folder / "collection", items(RECORDS), served(defaults()), NONE, revision=0, pipeline="toy")
    return folder


@pytest.fixture
def museum(state: Path, monkeypatch: pytest.MonkeyPatch) -> OpenCollection:
    plain_environment(monkeypatch)
    return open_collection(state, system="T0-parsed")


def test_it_is_a_container_of_ids(museum: OpenCollection) -> None:
    assert len(museum) == len(RECORDS)
    assert list(museum) == [one.id for one in RECORDS]
    assert "m:01" in museum
    assert "m:99" not in museum
    assert 1 not in museum
    assert museum.types == OFFICIAL
    assert museum.record("m:01") == RECORDS[0]


def test_neighbours_are_rows_that_a_table_takes(museum: OpenCollection) -> None:
    rows = museum.similar("m:01", type="location", limit=3)
    assert [row.rank for row in rows] == [1, 2, 3]
    table = pd.DataFrame(rows)
    assert list(table.columns) == [field.name for field in dataclasses.fields(rows[0])]
    assert set(table.item) == {"m:01"}
    assert set(table.type) == {"location"}
    assert table.score.is_monotonic_decreasing
    assert table.closeness.tolist() == [closeness(score) for score in table.score]
    assert {row.type for row in museum.similar("m:01", limit=20)} <= set(OFFICIAL)


def test_they_are_those_of_the_service(museum: OpenCollection, state: Path) -> None:
    settings = defaults()
    there = settings.state.model_copy(update={"directory": state})
    now = open_recommender(settings.model_copy(update={"state": there}), "T0-parsed")
    expected = [(near.record.id, near.score, near.reason.text) for near in now.similar("m:01", "author", 5)]
    rows = museum.similar("m:01", type="author", limit=5)
    assert [(row.id, row.score, row.reason) for row in rows] == expected


def test_filters_hold(museum: OpenCollection) -> None:
    rows = museum.similar("m:01", type="location", floor=0, filters=Filters(first=1840, object=("drawing",)))
    assert {row.id for row in rows} == {"m:06", "m:07"}


def test_a_pair_has_a_row_for_each_type(museum: OpenCollection) -> None:
    table = pd.DataFrame(museum.score("m:01", "m:02")).set_index("type")
    assert tuple(table.index) == OFFICIAL
    assert table.score["author"] == 5
    assert table.closeness["author"] == "very close"
    assert table.reason["author"] == "Both are by Canaletto."
    assert table.facts["author"] == "maker Canaletto"


def test_contributions_add_up_to_the_score(museum: OpenCollection) -> None:
    rows = museum.explain("m:01", "m:02", type="location")
    assert sum(row.amount for row in rows) == pytest.approx(
        next(row.score for row in museum.score("m:01", "m:02") if row.type == "location")
    )
    assert (rows[0].left_words, rows[0].right_words) == ("Venice", "Venice")
    assert {row.type for row in museum.explain("m:01", "m:02")} >= {"location", "author"}
    # T0-parsed has no rule for items of the same texts: its cosines say it
    assert [row.value for row in museum.explain("m:01", "m:01", type="location")] == [pytest.approx(1.0)]


def test_an_item_has_a_row_with_all_its_texts(museum: OpenCollection) -> None:
    table = pd.DataFrame(museum.items()).set_index("id")
    assert table.title["m:05"] == "Approach to Venice"
    assert table.places["m:01"] == "Venice"
    assert table.provider["m:09"] == ""


def test_errors_are_ours(museum: OpenCollection, tmp_path: Path) -> None:
    with pytest.raises(UnknownItem, match="m:99"):
        museum.similar("m:99")
    with pytest.raises(UnknownType, match="has no similarity type 'foo'"):
        museum.explain("m:01", "m:02", type="foo")
    with pytest.raises(CollectionMissing, match="kindred build"):
        open_collection(str(tmp_path))


def test_a_record_that_the_collection_lacks_needs_the_models_it_was_built_with(
    museum: OpenCollection,
) -> None:
    with pytest.raises(ResourceMissing, match="other language models"):
        museum.score("m:01", record("new", "Boat"))


def test_a_configuration_of_ones_own_is_read(
    state: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain_environment(monkeypatch)
    config = tmp_path / "own.yaml"
    config.write_text(f"state: {{directory: {state}}}\nservice: {{system: T0-parsed}}\n")
    assert len(open_collection(config=str(config))) == len(RECORDS)


def test_the_package_is_imported_at_once() -> None:
    heavy = ("numpy", "pydantic", "fastapi", "msgspec")
    code = f"import sys, service; print([name for name in {heavy} if name in sys.modules])"
    process = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert process.stdout == "[]\n"


def test_the_documented_example_does_what_it_says(sample: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plain_environment(monkeypatch)
    monkeypatch.setenv("KINDRED_STATE__DIRECTORY", str(sample))
    failed, tried = doctest.testfile(
        str(DOCS / "python.md"), module_relative=False, optionflags=doctest.ELLIPSIS, encoding="utf-8"
    )
    assert tried > 15
    assert failed == 0
