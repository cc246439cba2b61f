"""Small examples of what the parts of ingestion give: the one side is called, the other is due."""

import errno
import io
from datetime import UTC, datetime
from pathlib import Path

import pytest
from lxml import etree

from ingest.columns import texts_of
from ingest.entries import Notes
from ingest.errors import PathConflict, RejectedRow, UnknownItem
from ingest.guess_writing import mapping_name
from ingest.guessing import FileColumn, guessed
from ingest.ingestion import IngestSummary, ReasonCounts
from ingest.oai.progress import DAY, Slice, halves, moment, stamp
from ingest.oai.settings import HarvestSource
from ingest.oai.xml import decoded
from ingest.reading import edm, json_paths
from ingest.reading.encodings import as_utf8, by_mark, detected_encoding, encoding_title
from ingest.reading.headings import are_made_up, folded, header, name_columns, row
from ingest.reading.json_files import elements
from ingest.reading.row import TextPaths
from ingest.reading.settings import FileSettings
from ingest.reading.tables import dialect
from ingest.reading.xml import NAMESPACES, XmlRecord, clark, prefixed, text_of
from ingest.record import Field, Record, id_objection, innermost, values, web_address, without_other_addresses
from ingest.storage.files import unwritable, unwritable_output
from ingest.typed_files import read_text
from ingest.values import (
    delimiter,
    entity_address,
    has_html,
    has_subfields,
    plain_name,
    subfields,
    without_html,
)

ONE, TWO = Record(id="a", title=values("x")), Record(id="b", title=values("x"))


TABLE = [
    FileColumn("Inv. Nr.", ("A1", "A2"), 2),
    FileColumn("Künstler", ("Dürer", "Cranach"), 2),
    FileColumn("Titel", ("Hase", "Venus"), 2),
]
RDF = (
    f"<r:RDF xmlns:r='{NAMESPACES['rdf']}' xmlns:e='{NAMESPACES['edm']}' xmlns:d='{NAMESPACES['dc']}'>"
    "<e:ProvidedCHO r:about='x:1'><d:title>Veduta</d:title></e:ProvidedCHO></r:RDF>"
)


@pytest.mark.parametrize(
    ("result", "due"),
    [
        ([field.value for field in Field], ["title", "creator", "subject", "description", "date", "source"]),
        (values("Venice", "canal"), (("Venice", None), ("canal", None))),
        (Record(id="a", title=values("  ")).has_text, False),
        (ONE.fields_hash == TWO.fields_hash, True),
        (ONE.fields_hash == Record(id="a", subject=values("x")).fields_hash, False),
        (innermost("Paris, Texas"), "Paris, Texas"),
        (id_objection("tna:Photo 447/1(27)"), None),
        (id_objection(".."), "the id '..' is a step in a path; name the item otherwise"),
        (id_objection("\u200f\u202e"), "the id '\\u200f\\u202e' holds nothing that can be seen"),
        (id_objection("x" * 1001), f"the id '{'x' * 40}'... has 1,001 characters; 1,000 are the most"),
        (id_objection("\u05d0"), None),
        (id_objection("a\0"), "the id 'a\\x00' holds a control character"),
        (web_address("ftp://museum.example/1"), None),
        (
            without_other_addresses(Record(id="a", image="data:,x", landing_page="http://a.example/")),
            (Record(id="a", landing_page="http://a.example/"), 1),
        ),
        (
            without_other_addresses(Record(id="a", image="http://a.example/1,2.jpg; http://a.example/3.jpg")),
            (Record(id="a", image="http://a.example/1,2.jpg"), 0),
        ),
        (
            [has_subfields(text) for text in ("10$aTitle", "‡a Title", "Price $5", "$5")],
            [True, True, False, False],
        ),
        ([delimiter(text) for text in ("  |aTitle|bRest", "Title ǂb Rest", "Title")], ["|", "ǂ", None]),
        (subfields("Title ‡b Rest", "a"), ["Title"]),
        ((subfields("Title", "a"), subfields("Title", "b")), (["Title"], [])),
        (
            [has_html(text) for text in ("<p>View</p>", "c. <1800>, 3 < 4", "Tom &amp; Jerry")],
            [True, False, False],
        ),
        (without_html("3 < 4 &amp; 5"), "3 < 4 & 5"),
        (plain_name("Goya, Francisco de, 1746-1828"), "Francisco de Goya"),
        ((plain_name("Canaletto (painter)"), plain_name("(unknown)")), ("Canaletto", "(unknown)")),
        (entity_address("wikidata:Q182664"), "http://www.wikidata.org/entity/Q182664"),
        (entity_address("https://www.geonames.org/3164603/venice.html"), "http://sws.geonames.org/3164603"),
        (entity_address("Venice"), None),
        (are_made_up(["A", "B"]), True),
        ((are_made_up(["0", "1"]), are_made_up(["100", "245"])), (True, False)),
        ((name_columns(["100", "245", "260"]), name_columns(["Inv. Nr.", "Titel", "Regal"])), (True, True)),
        (name_columns(["245", "View of Venice"]), False),
        (name_columns(["A 1", "View of Venice", "Canaletto"]), False),
        (by_mark(b"\xff\xfei\x00d\x00"), "utf-16"),
        ((by_mark(b"i\x00d\x00;\x00n\x00"), by_mark(b"id;title")), ("utf-16-le", None)),
        (as_utf8(io.BytesIO("ž".encode("utf-16")), "utf-16").read().decode(), "ž"),
        (detected_encoding(io.BytesIO("id;título".encode())), "utf-8"),
        (detected_encoding(io.BytesIO(b"id;t\xedtulo")), "latin-1"),
        (detected_encoding(io.BytesIO("1;Девушка с персиками, холст, масло".encode("cp1251"))), "cp1251"),
        (detected_encoding(io.BytesIO(b"id;title\n1;\x84Schiff\x93")), "cp1252"),
        (
            str(dialect('id\ttitle\n1\t12" record\n2\t"Untitled\n', FileSettings(), ",")),
            "tabs between cells, no quotes",
        ),
        (json_paths.parsed("titles[type=main].text"), (("titles", ("type=main",)), ("text", ()))),
        (json_paths.parsed("Height [cm"), None),
        (
            json_paths.take({"makers": [{"wikidata": "Q1"}]}, TextPaths("makers[]", "name", "wikidata")),
            [("", None, "Q1")],
        ),
        ((prefixed("{http://purl.org/dc/elements/1.1/}title"), prefixed("title")), ("dc:title", "title")),
        (text_of(etree.fromstring("<p>View <i>of</i> Venice</p>")), "View of Venice"),
        (
            edm.from_json({"@graph": [{"@id": "x:1", "@type": "edm:ProvidedCHO", "dc:title": "Veduta"}]}),
            [{"@id": "x:1", "dc:title": [{"@value": "Veduta"}]}],
        ),
        (moment("yesterday"), None),
        (stamp(datetime(2013, 2, 27, 9, tzinfo=UTC), DAY), "2013-02-27"),
        (halves(Slice("2001-01-01", "2001-01-01"), DAY, "", ""), None),
        (HarvestSource(url="https://museum.example/oai", prefix="lido").read_by, "lido"),
        (IngestSummary(read=3000, seconds=0.5, rejects_file="rejects.jsonl").records_per_second, 6000.0),
        (PathConflict("the path was changed since version 3", 4).version, 4),
        (RejectedRow("no text in any of the six fields", "a:1").record_id, "a:1"),
        (str(UnknownItem("no item 'x' in the collection")), "no item 'x' in the collection"),
        (
            unwritable(Path("/data/walks"), OSError(errno.ENOSPC, "No space left on device")).detail,
            (
                "/data/walks cannot be written (No space left on device); free some space on its disk and"
                " repeat: what was there before is kept"
            ),
        ),
        (
            unwritable_output(Path("scores.txt"), OSError(errno.EACCES, "Permission denied")).detail,
            "scores.txt cannot be written: Permission denied; name another file",
        ),
        (texts_of({"Inv. no.": "7", "title": ""}), [("Inv. no.", "7")]),
        (texts_of({"titles": [{"text": "View"}]}), [("titles[].text", "View")]),
        (mapping_name(Path("Meine Objekte (2).csv.gz")), "meine-objekte-2"),
        (FileColumn("makers[].name", (), 0).called, "makers"),
        (FileColumn("lido:title/lido:text", (), 0).called, "title"),
        (guessed(TABLE).parts, {"id": TABLE[:1], "title": TABLE[2:], "creator": TABLE[1:2]}),
        (moment("2013-02-27T09:10:56Z"), datetime(2013, 2, 27, 9, 10, 56, tzinfo=UTC)),
        (
            halves(Slice("2001-01-01", "2001-01-04"), DAY, "", ""),
            (("2001-01-01", "2001-01-02"), ("2001-01-03", "2001-01-04")),
        ),
        (
            decoded('<?xml version="1.0" encoding="ISO-8859-2"?><a>Łódź</a>'.encode("iso-8859-2"))[-8:],
            "Łódź</a>",
        ),
        (decoded('<?xml version="1.0" encoding="ISO-8859-1"?><a>é</a>'.encode())[-6:], ">é</a>"),
        (edm.from_xml(etree.fromstring(RDF)), [{"@id": "x:1", "dc:title": [{"@value": "Veduta"}]}]),
        ([encoding_title(name) for name in ("latin-1", "CP1252")], ["Latin-1", "Windows-1252"]),
        (encoding_title("mac-roman"), "mac-roman"),
        ((folded("Künstler/in"), folded("objectNumber")), ("kunstler in", "object number")),
        (folded("Numéro d'inventaire"), "numero d inventaire"),
        ((are_made_up(["Column1", "Column2"]), are_made_up(["Unnamed: 0", "Unnamed: 3"])), (True, True)),
        (header(["Column1", "Column2", "Column3"], ["245", " ", ""], 2).names, ["245", "Column2", "Column3"]),
        (
            row(["245", "650", "650"], ["Venice", "Canals", "Boats"]),
            {"245": "Venice", "650": ["Canals", "Boats"]},
        ),
        (
            list(elements([b'[{"a": 1},\n {"b"', b': "]"}]'], 100)),
            [(1, b'{"a": 1}'), (2, b'{"b": "]"}')],
        ),
        (
            list(json_paths.nodes({"titles": [{"text": "View"}, {"text": "Veduta"}]}, "titles[].text")),
            ["View", "Veduta"],
        ),
        (
            json_paths.take({"title": {"@value": "Veduta", "@language": "it"}}, TextPaths("title")),
            [("Veduta", "it", None)],
        ),
        (
            json_paths.take(
                {"makers": [{"name": "Canaletto", "w": "Q1"}]}, TextPaths("makers[]", "name", "w")
            ),
            [("Canaletto", None, "Q1")],
        ),
        (
            list(json_paths.leaves({"id": 1, "titles": [{"text": "View"}]})),
            [("id", "1"), ("titles[].text", "View")],
        ),
        (
            str(dialect('id;title\n1;"Venice; a view"\n', FileSettings(), ",")),
            'semicolons between cells, " around them',
        ),
        (clark("dc:title", {}), "{http://purl.org/dc/elements/1.1/}title"),
        (clark("object", {}), "object"),
        (
            XmlRecord(etree.fromstring("<o><t xml:lang='it'>Veduta</t></o>")).take(TextPaths("t")),
            [("Veduta", "it", None)],
        ),
        (Record(id="a:1", title=values("View"), date=values("1840")).field(Field.DATE), (("1840", None),)),
        ((ONE.label, Record(id="c").label), ("x", "c")),
        (innermost("Europe > Italia > Veneto > Verona"), "Verona"),
        (web_address("https://museum.example/1.jpg"), "https://museum.example/1.jpg"),
        (web_address("javascript:alert(1)"), None),
        (subfields("10$aDialectica :$ba novel /$cby nobody", "ab"), ["Dialectica :", "a novel /"]),
        (
            without_html("<p>View of <em>Venice</em></p><p>by &Eacute;douard</p>").split(),
            ["View", "of", "Venice", "by", "Édouard"],
        ),
        (plain_name("Rijn, Rembrandt van (1606-1669)"), "Rembrandt van Rijn"),
        (plain_name("Pieter Bruegel, the Elder"), "Pieter Bruegel, the Elder"),
        (entity_address("https://www.wikidata.org/wiki/Q182664"), "http://www.wikidata.org/entity/Q182664"),
        (entity_address("aat:300033618"), "http://vocab.getty.edu/aat/300033618"),
    ],
)
def test_an_example(result: object, due: object) -> None:
    assert result == due


def test_a_text_of_a_pair_is_read_by_field(tmp_path: Path) -> None:
    path = tmp_path / "1a_tate_N05230.txt"
    path.write_text("dcTitle:\tView of Venice\ndcSubject:\tcanal\tboat\n", encoding="utf-8")
    assert read_text(path) == {Field.TITLE: ("View of Venice",), Field.SUBJECT: ("canal", "boat")}


def test_notes_and_reasons_that_are_alike_come_together() -> None:
    notes, reasons = Notes(), ReasonCounts()
    for file in ("a.csv", "b.csv"):
        notes.made(file, "UTF-8, commas between cells")
    assert notes.read_as() == ("a.csv and 1 more: UTF-8, commas between cells",)
    for line, cells in ((3, 2), (9, 4)):
        reasons.add("a.csv", line, f"{cells} cells where the header names 3 columns")
    (reason,) = reasons.commonest()
    assert (reason.number, reason.example) == (2, "a.csv, line 3: 2 cells where the header names 3 columns")
