"""Reconciliation: a person writes down whose address a text is, and that counts whatever is built."""

import csv
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ingest.errors import UnreadableFile
from ingest.reconciliation import ReconciledText, Reconciliation, read, texts_of, write
from ingest.record import Entity, Record, values
from service.cli.root import app

VENICE = "http://sws.geonames.org/3164603"
ROWS = "id,title,creator,date\na,Boats,Gogh V. van,1885\nb,Ships,Vincent van Gogh,1886\nc,Cups,=1+1,1900\n"


def record(item: str, *places: str, own: str | None = None) -> Record:
    entities = (Entity("places", own, places[0]),) if own else ()
    return Record(id=item, title=values("x"), places=values(*places), entities=entities)


def test_a_table_counts_over_what_a_record_says() -> None:
    table = Reconciliation(
        [ReconciledText("places", "Venetië", VENICE), ReconciledText("places", "Delft", "-")]
    )
    assert len(table) == 2
    assert table.of(record("a", "VENETIË ", own="http://x.example/1")).entities == (
        Entity("places", VENICE, "VENETIË "),
    )
    assert table.of(record("b", "Delft", own="http://x.example/2")).entities == ()
    # of another part, and what the table does not name, nothing changes
    other = Record(id="c", title=values("x"), people=values("Delft"), places=values("Rome"))
    assert table.of(other) is other


def test_what_is_written_is_read_again_and_what_was_filled_in_stays(tmp_path: Path) -> None:
    records = [record("a", "Rome"), record("b", "rome"), record("c", "=1+1"), record("d", "Bath", own=VENICE)]
    file = tmp_path / "table.csv"
    write(file, texts_of(records, "places", [], {"Rome": "http://sws.geonames.org/3169070"}.get))
    with file.open(newline="") as opened:
        rows = list(csv.reader(opened))
    assert rows == [
        ["part", "text", "address", "items", "suggestion"],
        ["places", "Rome", "", "2", "http://sws.geonames.org/3169070"],
        ["places", "'=1+1", "", "1", ""],  # no spreadsheet runs it
        ["places", "Bath", VENICE, "1", ""],
    ]
    filled = [ReconciledText("places", "ROME", "http://www.wikidata.org/entity/Q220")]
    gone = [ReconciledText("people", "Ann", "-"), ReconciledText("places", "Oslo", VENICE)]
    write(file, texts_of(records, "places", [*filled, *gone]))
    again = {(row.part, row.text): row.address for row in read(file)}
    assert again["places", "Rome"] == "http://www.wikidata.org/entity/Q220"
    assert (again["people", "Ann"], again["places", "Oslo"], again["places", "=1+1"]) == ("-", VENICE, "")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("text,address\nRome,x\n", "needs the columns part, text, address"),
        ("part,text,address\ncolour,red,\n", "line 2: no part 'colour'"),
        ("part,text,address\nplaces,Rome,\nplaces,Bath,no address\n", "line 3: 'no address' is no address"),
    ],
)
def test_a_table_that_is_wrong_is_refused_with_its_line(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "table.csv"
    file.write_text(text)
    with pytest.raises(UnreadableFile, match=message):
        read(file)
    with pytest.raises(UnreadableFile, match="no file"):
        read(tmp_path / "none.csv")


def test_a_museum_says_that_two_spellings_are_one_maker(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KINDRED_STATE__DIRECTORY", str(tmp_path / "state"))
    (tmp_path / "rows.csv").write_text(ROWS)
    table = tmp_path / "makers.csv"

    def run(*arguments: str) -> dict[str, object]:
        ended = CliRunner().invoke(app, [*arguments, "--json"])
        assert ended.exit_code == 0, ended.output
        answer: dict[str, object] = json.loads(ended.stdout)
        return answer

    run("ingest", str(tmp_path / "rows.csv"))
    written = run("mapping", "reconcile", "creator", str(table))
    assert (written["texts"], written["with_an_address"]) == (3, 0)
    filled = (
        table.read_text().replace("van Gogh,,", "van Gogh,wd:Q5582,").replace("V. van,,", "V. van,wd:Q5582,")
    )
    table.write_text(filled)
    monkeypatch.setenv("KINDRED_INGEST__RECONCILIATION", str(table))
    again = run("ingest", str(tmp_path / "rows.csv"))
    assert (again["changed"], again["unchanged"]) == (2, 1)
    assert run("mapping", "reconcile", "creator", str(table))["with_an_address"] == 2
    table.write_text("part,text\n")
    refused = CliRunner().invoke(app, ["ingest", str(tmp_path / "rows.csv")])
    assert refused.exit_code != 0
    assert "needs the columns" in refused.output


def test_the_one_place_of_a_name_is_suggested_and_does_not_count(tmp_path: Path) -> None:
    (tmp_path / "rows.csv").write_text(
        'id,title,place\na,View,Venice\nb,View,"Paris, France"\nc,View,Springfield\nd,View,Xyz\n'
    )
    settings = tmp_path / "my.yaml"
    settings.write_text(
        f"state: {{directory: {tmp_path / 'state'}}}\nmappings:\n  places:\n    id: {{column: id}}\n"
        "    title: {column: title}\n    places: {column: place}\n"
    )
    out, config = tmp_path / "places.csv", ["--config", str(settings)]
    ingested = CliRunner().invoke(app, [*config, "ingest", str(tmp_path / "rows.csv"), "--mapping", "places"])
    assert ingested.exit_code == 0
    answer = CliRunner().invoke(app, [*config, "mapping", "reconcile", "places", str(out), "--json"])
    assert json.loads(answer.stdout) == {
        "file": str(out), "texts": 4, "with_an_address": 0, "with_a_suggestion": 2
    }  # fmt: skip
    with out.open(newline="") as opened:
        suggested = {row["text"]: row["suggestion"] for row in csv.DictReader(opened)}
    paris = "http://sws.geonames.org/2988507"
    # of the towns named Springfield none is meant for sure
    assert suggested == {"Venice": VENICE, "Paris, France": paris, "Springfield": "", "Xyz": ""}
    assert not any(row.address for row in read(out))
    absent = CliRunner().invoke(
        app,
        [*config, "mapping", "reconcile", "places", str(out), "--json"],
        env={"KINDRED_RESOURCES__WORDNET": str(tmp_path / "nowhere")},
    )
    assert json.loads(absent.stdout)["with_a_suggestion"] == 0
    assert "no address is suggested: " in absent.stderr
