"""What a museum takes home: its records with years, makers, places and neighbours, in three forms."""

import csv
import json
from pathlib import Path

import msgspec
import pytest

from features.collection.build import build
from ingest.entries import Notes, entries
from ingest.reading.settings import Limits
from ingest.record import Record, Value
from service.basic_settings import load_basic
from service.settings import load
from tests.builders import NONE, RECORDS, items
from tests.service.builders import served
from tests.service.cli.commands import Kindred


@pytest.fixture
def kindred(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Kindred:
    build(tmp_path / "collection", items(RECORDS), served(load()), NONE, revision=1, pipeline="toy")
    monkeypatch.setenv("KINDRED_STATE__DIRECTORY", str(tmp_path))
    monkeypatch.setenv("KINDRED_SERVICE__SYSTEM", "T0-parsed")
    return Kindred(monkeypatch, capsys)


def test_json_lines_have_what_was_read_and_the_neighbours(kindred: Kindred, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    assert kindred("export", str(out), "--neighbours", "2").status == 0
    documents = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert [one["id"] for one in documents] == sorted(record.id for record in RECORDS)
    for document, record in zip(documents, sorted(RECORDS, key=lambda one: one.id), strict=True):
        assert document.get("title", []) == [value.text for value in record.title]
        assert (document["edtf"] is None) <= (not record.date)
        for nearest in document["neighbours"].values():
            assert len(nearest) <= 2
            assert all(0 < one["score"] <= 5 and one["id"] != record.id for one in nearest)


def test_csv_has_a_row_for_each_item(kindred: Kindred, tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    assert kindred("export", str(out), "--neighbours", "1").status == 0
    with out.open(encoding="utf-8", newline="") as file:
        rows = {row["id"]: row for row in csv.DictReader(file)}
    assert rows.keys() == {record.id for record in RECORDS}
    for record in RECORDS:
        assert rows[record.id]["creator"] == "|".join(value.text for value in record.creator)
        assert {"edtf", "makers", "places_found", "neighbours_general"} <= rows[record.id].keys()


def test_no_text_of_a_record_is_a_formula(kindred: Kindred, tmp_path: Path) -> None:
    formula = msgspec.structs.replace(RECORDS[0], title=(Value('=HYPERLINK("http://a.example")'),))
    build(tmp_path / "collection", items([formula]), served(load()), NONE, revision=1, pipeline="toy")
    out = tmp_path / "out.csv"
    assert kindred("export", str(out)).status == 0
    with out.open(encoding="utf-8", newline="") as file:
        (row,) = csv.DictReader(file)
    assert row["title"] == '\'=HYPERLINK("http://a.example")'


def test_json_ld_can_be_taken_in_again(kindred: Kindred, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonld"
    assert kindred("export", str(out)).status == 0
    mapping, notes = load_basic().mapping("edm"), Notes()
    read = [entry.content for entry in entries([out], mapping, Limits(), notes, lambda _: None)]
    assert not notes.damaged
    again = {record.id: record for record in read if isinstance(record, Record)}
    assert again.keys() == {record.id for record in RECORDS}
    for record in RECORDS:
        for part in ("title", "creator", "description", "date"):
            assert [one.text for one in again[record.id].part(part)] == [
                one.text for one in record.part(part)
            ]


def test_a_name_without_a_form_is_refused_and_nothing_is_written(kindred: Kindred, tmp_path: Path) -> None:
    answer = kindred("export", str(tmp_path / "out.xml"))
    assert answer.status == 2
    assert "let it end in one of: .csv, .jsonl, .jsonld" in answer.err
    assert not (tmp_path / "out.xml").exists()
