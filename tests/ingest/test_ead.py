"""EAD 2002 and EAD 3: components of finding aids with what they inherit, or the whole as one record."""

from pathlib import Path

import pytest

from ingest.mapping import Mapping
from ingest.reading.files import known_form, rows
from ingest.reading.inputs import inputs
from ingest.reading.settings import FileSettings, Limits
from ingest.record import Record
from service.basic_settings import load_basic

AID = """<?xml version="1.0"?>
<ead xmlns="urn:isbn:1-931666-22-9" xmlns:xlink="http://www.w3.org/1999/xlink">
<eadheader><eadid>low-papers</eadid></eadheader>
<archdesc level="collection"><did><unittitle>Ann Low papers</unittitle><unitdate>1880-1930</unitdate>
<origination label="Creator"><persname>Low, Ann, 1860-1935</persname></origination>
<repository><corpname>Archive of Leeds</corpname></repository></did>
<scopecontent><head>Scope</head><p>Letters and sketches.</p></scopecontent>
<controlaccess><persname>Reed, Jo</persname><subject>Painters</subject></controlaccess>
<dsc><c01 level="series"><did><unitid>1</unitid><unittitle>Letters</unittitle>
<unitdate>1890-1899</unitdate></did>
<c02 level="item"><did><unitid>1.1</unitid><unittitle>To Tom Hall<lb/>from Paris</unittitle></did>
<controlaccess><geogname>Paris</geogname><genreform>letters</genreform></controlaccess></c02>
<c02 level="item"><did><unitid>1.2</unitid><unittitle>To Jo</unittitle><unitdate>1895</unitdate>
<origination><persname>Hall, Tom</persname></origination>
<dao xlink:href="https://archive.example.org/1.jpg"/></did></c02></c01>
<c01 level="series"><did><unitid>2</unitid><unittitle>Sketches</unittitle></did></c01>
</dsc></archdesc></ead>"""

AID_3 = """<?xml version="1.0"?>
<ead xmlns="http://ead3.archivists.org/schema/"><control><recordid>mill</recordid></control>
<archdesc level="fonds"><did><unittitle>The mill</unittitle>
<unitdatestructured><daterange><fromdate>1801</fromdate><todate>1850</todate></daterange></unitdatestructured>
<origination><corpname><part>Mill of Hall</part><part>Accounts</part></corpname></origination></did>
</archdesc></ead>"""


def read(text: str, folder: Path, **reading: str) -> list[Record]:
    """The records of a file, by the shipped mapping for EAD."""
    path = folder / "aid.xml"
    path.write_text(text, encoding="utf-8")
    assert [known_form(given) for given in inputs(path, Limits())] == ["ead"]
    mapping: Mapping = load_basic().mapping("ead")
    settings = FileSettings.model_validate({"form": "ead"} | reading)
    return [mapping.apply(row) for _, row, _ in rows(path, reading=settings) if row is not None]


def texts(record: Record, part: str) -> list[str]:
    return [value.text for value in getattr(record, part)]


def test_a_component_inherits_what_it_lacks(tmp_path: Path) -> None:
    first, second, third = read(AID, tmp_path)
    assert (first.id, texts(first, "title")) == ("low-papers/1.1", ["To Tom Hall from Paris"])
    # of the collection the creator and the repository, of the series the dates, and no term of the collection
    assert texts(first, "creator") == ["Ann Low"]
    assert texts(first, "date") == ["1890-1899"]
    assert texts(first, "source") == ["Archive of Leeds"]
    assert texts(first, "part_of") == ["Ann Low papers", "Letters"]
    assert (texts(first, "places"), first.type, texts(first, "subject")) == (["Paris"], "letters", [])
    # what it has itself comes first
    assert (texts(second, "creator"), texts(second, "date")) == (["Tom Hall"], ["1895"])
    assert second.image == "https://archive.example.org/1.jpg"
    # a series without components is the lowest there is
    assert (third.id, texts(third, "date")) == ("low-papers/2", ["1880-1930"])


def test_the_mapping_says_what_a_record_is(tmp_path: Path) -> None:
    every = read(AID, tmp_path, described="components")
    numbers = ("1", "1.1", "1.2", "2")
    assert [record.id for record in every] == [f"low-papers/{number}" for number in numbers]
    (whole,) = read(AID, tmp_path, described="collection")
    assert (whole.id, texts(whole, "description")) == ("low-papers", ["Letters and sketches."])
    assert texts(whole, "people") == ["Reed, Jo"]


def test_ead_3_without_components_is_one_record(tmp_path: Path) -> None:
    (whole,) = read(AID_3, tmp_path)
    assert (whole.id, texts(whole, "date")) == ("mill", ["1801-1850"])
    assert texts(whole, "creator") == ["Mill of Hall Accounts"]


@pytest.mark.parametrize("number", ["", "<unitid>7</unitid>"])
def test_components_without_a_finding_aid(tmp_path: Path, number: str) -> None:
    part = "<c level='item'><did>{}<unittitle>Map of {}</unittitle></did></c>"
    inner = "".join(part.format(number, place) for place in ("Delft", "Leiden"))
    outer = f"<c level='file'><did><unittitle>Maps</unittitle></did>{inner}</c>"
    one, two = read(f"<records><record id='4.A_1'>{outer}</record></records>", tmp_path)
    # the second of one number is told apart by its place
    own = ("4.A_1/7", "4.A_1/7/1.2") if number else ("4.A_1/1.1", "4.A_1/1.2")
    assert (one.id, two.id) == own
