"""``kindred dates``: what is read of dates, and why some have no interval."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ingest.catalogue import Catalogue
from ingest.record import Record, values
from service.cli.root import app
from service.operations.date_report import report

DATES = {
    "a": ("c. 1725",),
    "b": ("modern", "18th century"),
    "c": ("undated",),
    "d": ("11/12/13",),
    "e": ("c. 194051955",),
    "f": ("modern",),
    "g": ("modern",),
    "h": ("???",),
    "i": (),
}


def records() -> list[Record]:
    return [Record(id=item, title=values("x"), date=values(*texts)) for item, texts in DATES.items()]


def run(*arguments: str) -> str:
    done = CliRunner().invoke(app, list(arguments), catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.stdout


def test_a_date_without_an_interval_has_a_reason() -> None:
    dates = report(records())
    assert (dates.records, dates.records_without_date, dates.records_with_interval) == (9, 1, 2)
    assert (dates.strings, dates.strings_with_interval) == (7, 2)
    reasons = {one.reason.value: (one.strings, one.records, one.examples) for one in dates.without}
    assert reasons == {
        "no date known": (1, 1, ("undated",)),
        "ambiguous": (1, 1, ("11/12/13",)),
        "number that is no year": (1, 1, ("c. 194051955",)),
        "no number and no period": (1, 3, ("modern",)),
        "empty": (1, 1, ("???",)),
    }


def test_no_date_at_all_leaves_nothing_to_be_explained() -> None:
    dates = report([Record(id="a", title=values("x"))])
    assert (dates.share_of_strings, dates.share_of_records, dates.without) == (1.0, 1.0, ())


def test_long_spans_and_falling_ranges_are_named() -> None:
    texts = ("1900 BC - 200 BC", "November 1959 - January 1950", "1950 - 1959", "18th century")
    dates = report([Record(id=text, title=values("x"), date=values(text)) for text in texts])
    assert {one.reason.value: one.examples for one in dates.doubtful} == {
        "long span": ("1900 BC - 200 BC",),
        "falling range": ("November 1959 - January 1950",),
    }


@pytest.fixture
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("KINDRED_STATE__DIRECTORY", str(tmp_path))
    with Catalogue(tmp_path / "catalogue.sqlite") as catalogue:
        catalogue.put_many(records())
    return tmp_path


@pytest.mark.usefixtures("state")
def test_the_command_reads_the_catalogue() -> None:
    answer = json.loads(run("dates", "report", "--examples", "0", "--json"))
    assert answer["strings_with_interval"] == 2
    assert answer["share_of_records"] == 0.25
    assert [one["examples"] for one in answer["without"]] == [[]] * 5
    assert "11/12/13" in run("dates", "report")


def test_the_command_reads_dates_without_a_collection() -> None:
    answer = json.loads(run("dates", "read", "--json", "--", "slutet av 1700-talet", "-0043~", "modern"))
    assert answer["dates"] == [
        {"text": "slutet av 1700-talet", "first": 1766, "last": 1799, "edtf": "1766/1799", "reason": None},
        {"text": "-0043~", "first": -44, "last": -44, "edtf": "-0043~", "reason": None},
        {"text": "modern", "first": None, "last": None, "edtf": None, "reason": "no number and no period"},
    ]
    shown = run("dates", "read", "c. 1725", "modern")
    assert "1725~" in shown
    assert "no number and no period" in shown
