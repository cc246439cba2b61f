"""What a mapping leaves of a file is named; where it leaves half, nothing is taken until somebody says so."""

import json
from pathlib import Path

import pytest

from tests.service.cli.commands import Kindred

ROWS = [
    {
        "id": f"a{number}",
        "title": f"View {number}",
        "maker": maker,
        "dated": str(1650 + number),
        "place": place,
        "credit": f"Gift {number}",
    }
    for number, (maker, place) in enumerate([("Jan Both", "Utrecht"), ("Ada Reed", "Leiden")])
]


@pytest.fixture
def kindred(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Kindred:
    return Kindred(monkeypatch, capsys)


@pytest.fixture
def objects(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("KINDRED_STATE__DIRECTORY", str(tmp_path / "state"))
    path = tmp_path / "objects.json"
    path.write_text(json.dumps(ROWS), encoding="utf-8")
    return path


def test_a_file_that_is_half_unread_is_not_taken(kindred: Kindred, objects: Path) -> None:
    answer = kindred("ingest", str(objects))
    assert answer.status == 2
    message = " ".join(answer.err.split())
    assert "does not read 4 of the 6 columns" in message
    assert "Nothing was written" in message
    assert "creator: {column: maker}  # sure" in answer.out
    assert not (objects.parent / "state").exists()


def test_yes_takes_it_and_names_what_is_left(kindred: Kindred, objects: Path) -> None:
    answer = kindred("ingest", str(objects), "--yes")
    assert answer.status == 0
    message = " ".join(answer.err.split())
    assert "nothing uses: maker, dated, place, credit" in message
    assert "'maker', which seems to be for creator; add creator: {column: maker}" in message
    assert "title, filled" in answer.out


def test_programs_get_the_same(kindred: Kindred, objects: Path) -> None:
    document = json.loads(kindred("ingest", str(objects), "--yes", "--json").out)
    assert document["filled"]["title"] == 1
    assert document["unused"] == {
        "maker": "Jan Both",
        "dated": "1650",
        "place": "Utrecht",
        "credit": "Gift 0",
    }
    assert [(one["column"], one["part"]) for one in document["left"]] == [
        ("maker", "creator"),
        ("dated", "date"),
        ("place", "places"),
    ]


def test_a_named_mapping_that_leaves_a_maker_says_so(kindred: Kindred, objects: Path) -> None:
    config = objects.parent / "my.yaml"
    config.write_text(
        "mappings: {mine: {id: {column: id}, title: {column: title}, date: {column: dated}}}",
        encoding="utf-8",
    )
    answer = kindred("--config", str(config), "ingest", str(objects), "--mapping", "mine")
    assert answer.status == 0
    assert "add creator: {column: maker}" in " ".join(answer.err.split())
    assert "for date" not in answer.err
