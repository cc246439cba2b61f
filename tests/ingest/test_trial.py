"""A trial tells what would come of files, columns that are absent or unused among it; guesses of mappings."""

from pathlib import Path

import pytest

from features.text.dates.fields import is_understood
from features.text.names.placeholders import says_no_maker
from ingest.errors import UnreadableFile
from ingest.guess_writing import mapping_name, written
from ingest.guessing import FileColumn, guess_of, guessed
from ingest.mapping import Mapping
from ingest.reading.settings import Limits
from ingest.trial import Judges, Report, tried
from tests.yaml_text import yaml_of

DATA = Path(__file__).parents[1] / "data" / "museums"


def trial(name: str | Path, **declared: object) -> Report:
    mapping = Mapping.model_validate(declared)
    return tried([DATA / name], mapping, Limits(), Judges(is_understood, says_no_maker), lambda _: None)


def test_what_a_table_would_come_to() -> None:
    report = trial(
        "objekte.csv",
        id={"column": "Inventarnr."},
        title={"column": "Titel"},
        creator={"column": "Künstler"},
        date={"column": "Datirung"},
    )
    assert (report.read, report.records, report.rejected) == (4, 4, 0)
    assert report.filled["creator"] == 0.75
    assert report.absent == {"Datirung": ("date",)}
    assert list(report.unused) == ["Datierung", "Schlagworte", "Beschreibung"]
    assert report.placeholder_makers.examples == (("Unbekannt", "A 12/2"),)
    first = report.shown[0]
    assert (first.line, first.record.id, dict(first.source)["Datierung"]) == (2, "A 12/1", "um 1860")
    assert len(report.shown) == 3


def test_html_and_dates_are_told(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("id,title,date\n1,<p>View</p>,long ago\n2,3 < 4,1900\n3,,\n")
    report = trial(path, id={"column": "id"}, title={"column": "title"}, date={"column": "date"})
    assert report.html.examples == (("<p>View</p>", "1"),)
    assert (report.html.records, report.dates_not_understood.records) == (1, 1)
    (reason,) = report.reasons
    assert (reason.number, "line 4: no text in any" in reason.example) == (1, True)


def test_paths_into_trees_are_used_or_not() -> None:
    report = trial("api.json", id={"column": "objectNumber"}, title={"column": "titles[type=main].text"})
    assert "titles[].text" not in report.unused
    assert "production.date.text" in report.unused
    xml = trial(
        "mods.xml", id={"column": ".//*[local-name()='recordIdentifier']"}, title={"column": "mods:titleInfo"}
    )
    assert "mods:titleInfo/mods:title" not in xml.unused
    assert "mods:abstract" in xml.unused


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        (
            "objekte.csv",
            {"id": ["Inventarnr."], "title": ["Titel"], "creator": ["Künstler"], "date": ["Datierung"]},
        ),
        ("oeuvres.csv", {"id": ["Numéro"], "title": ["Titre"], "creator": ["Auteur"], "places": ["Lieu"]}),
        ("website.csv", {"id": ["id"], "title": ["title"], "description": ["body"], "date": ["year"]}),
        ("utstillinger.txt", {"id": ["Inventarnummer"], "title": ["Tittel"], "subject": ["Emneord"]}),
        (
            "collectie.xlsx",
            {"id": ["Inventarisnummer"], "creator": ["Vervaardiger"], "subject": ["Trefwoorden"]},
        ),
        (
            "catalogo.ods",
            {"id": ["Inventario"], "title": ["Titolo"], "creator": ["Autore"], "date": ["Datazione"]},
        ),
        ("airtable.csv", {"id": ["Name"], "title": ["Name"], "creator": ["Artist"], "date": ["Year"]}),
        (
            "api.json",
            {"id": ["objectNumber"], "title": ["titles[].text"], "places": ["production.place[].name"]},
        ),
    ],
)
def test_a_mapping_is_guessed_in_the_languages_of_europe(name: str, parts: dict[str, list[str]]) -> None:
    guess = {
        part: [one.path for one in columns] for part, columns in guess_of(DATA / name, Limits()).parts.items()
    }
    assert {part: guess.get(part) for part in parts} == parts


def test_what_is_guessed_reads_the_file() -> None:
    for name in ("objekte.csv", "oeuvres.csv", "website.csv", "catalogo.ods", "airtable.csv", "api.json"):
        text = written(mapping_name(DATA / name), guess_of(DATA / name, Limits()))
        (declared,) = yaml_of(text)["mappings"].values()
        report = trial(name, **declared)
        assert report.records == report.read > 0
        assert not report.absent
        assert not report.html.records


def test_columns_are_told_by_what_they_hold() -> None:
    table = [
        FileColumn("aa", ("X-1", "X-2", "X-3"), 3),
        FileColumn("bb", ("1840", "c. 1900", "1750"), 3),
        FileColumn("cc", tuple("A long text about what is seen here. " * 4 + str(n) for n in range(3)), 3),
        FileColumn("dd", tuple(f"https://m.example/{n}.jpg" for n in range(3)), 3),
        FileColumn("ee", ("View", "Boat", "Canal"), 3),
    ]
    guess = {part: columns[0].path for part, columns in guessed(table).parts.items()}
    assert guess == {"id": "aa", "date": "bb", "description": "cc", "image": "dd", "title": "ee"}


def test_nothing_is_guessed_from_nothing(tmp_path: Path) -> None:
    path = tmp_path / "empty.csv"
    path.write_text("id,title\n")
    with pytest.raises(UnreadableFile, match="holds no record"):
        guess_of(path, Limits())
