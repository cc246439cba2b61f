"""Files as museums export them become records, with ten lines of mapping at most or none."""

import gzip
import io
import tarfile
import zipfile
from itertools import pairwise
from pathlib import Path

import pytest

from ingest import ingestion
from ingest.entries import Entry, Notes, entries
from ingest.errors import RejectedRow, UnreadableFile
from ingest.mapping import Mapping
from ingest.reading.settings import Limits
from ingest.record import Entity, Record, Value
from service.cli.mapping import chooser
from tests.documents import defaults
from tests.yaml_text import yaml_of

DATA = Path(__file__).parents[1] / "data" / "museums"
OWN = {
    name: Mapping.model_validate(declared)
    for name, declared in yaml_of((DATA / "mappings.yaml").read_text("utf-8"))["mappings"].items()
}


def read(path: Path, mapping: Mapping | None = None, notes: Notes | None = None) -> list[Entry]:
    chosen = mapping or chooser(defaults(), None)
    return list(entries([path], chosen, Limits(), notes or Notes(), lambda _: None))


def records(name: str, mapping: Mapping | None = None) -> list[Record]:
    notes = Notes()
    entries_read = read(DATA / name, mapping, notes)
    assert not notes.damaged
    return [entry.content for entry in entries_read if isinstance(entry.content, Record)]


def texts(values: tuple[Value, ...]) -> list[str]:
    return [value.text for value in values]


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("objekte.csv", 'UTF-8, semicolons between cells, " around them'),
        ("oeuvres.csv", 'Windows-1252, commas between cells, " around them'),
        ("utstillinger.txt", "UTF-16, tabs between cells"),
        ("collectie.xlsx", "sheet 'Objecten' of 2"),
        ("catalogo.ods", "sheet 'Catalogo'"),
        ("api.json", "an array of objects under response.docs"),
    ],
)
def test_how_a_file_is_made_is_found_out_and_said(name: str, title: str) -> None:
    notes = Notes()
    read(DATA / name, OWN[name.partition(".")[0]], notes)
    (sentence,) = notes.read_as()
    assert title in sentence
    assert not notes.damaged


def test_no_mapping_of_a_newcomer_has_more_than_ten_lines() -> None:
    lines = (DATA / "mappings.yaml").read_text("utf-8").splitlines()
    starts = [at for at, line in enumerate(lines) if line.startswith("  ") and line[2] != " "] + [len(lines)]
    assert len(starts) > len(OWN)
    assert all(after - at <= 10 for at, after in pairwise(starts))


def test_semicolons_and_quotes() -> None:
    first, second, third, _ = records("objekte.csv", OWN["objekte"])
    assert first.label == "Hafen von Hamburg; Abendstimmung"
    assert texts(first.creator) == ["Karl Müller"]
    assert texts(first.subject) == ["Hafen", "Schiff"]
    assert texts(second.date) == ["18. Jh."]
    assert third.label == 'Die "Alte Liebe"'


def test_windows_1252() -> None:
    first, second, _ = records("oeuvres.csv", OWN["oeuvres"])
    assert first.label == "“Vue de l’église”"
    assert (texts(first.creator), texts(first.subject)) == (["Camille Corot"], ["église", "paysage"])
    assert second.label == "Étude de chêne"


def test_html() -> None:
    first, second, _ = records("website.csv", OWN["website"])
    assert texts(first.description) == ["Stoneware with kaki glaze. Made at Mashiko & signed “S”."]
    assert texts(second.description) == ["White porcelain Joseon period"]


def test_tabs_in_utf_16_with_inches() -> None:
    museum = records("utstillinger.txt", OWN["utstillinger"])
    assert [record.label for record in museum] == [
        "Vinternatt i Rondane",
        "Brudeferd i Hardanger",
        'Kiste 24" bred',
    ]


def test_xlsx_with_years_and_days() -> None:
    first, second, third = records("collectie.xlsx", OWN["collectie"])
    assert texts(second.date) == ["1890"]
    assert texts(first.subject) == ["aardewerk", "landschap"]
    assert third.id == "BK-3"
    days = Mapping.model_validate(
        {
            "read": {"sheet": "Objecten"},
            "id": {"column": "Inventarisnummer"},
            "date": {"column": "Aangekocht op"},
            "title": {"column": "Breedte"},
        }
    )
    museum = records("collectie.xlsx", days)
    assert [texts(record.date) for record in museum] == [["1921-05-04"], [], ["1950-01-02"]]
    assert [record.label for record in museum] == ["24", "12.5", "13"]


def test_ods() -> None:
    first, second = records("catalogo.ods", OWN["catalogo"])
    assert (first.id, first.label, texts(first.creator)) == ("301", "Veduta di Venezia", ["Francesco Guardi"])
    assert texts(second.date) == ["1776-05-01"]


def test_nested_json() -> None:
    first, second = records("api.json", OWN["api"])
    assert (first.label, texts(first.places)) == ("Teapot", ["Etruria"])
    assert first.entities == (Entity("creator", "http://www.wikidata.org/entity/Q312636", "Josiah Wedgwood"),)
    assert (second.id, second.creator) == ("1921.5", ())


def test_airtable() -> None:
    first, second = records("airtable.csv", OWN["airtable"])
    assert (first.image, second.image) == ("https://dl.example/4.jpg", None)


def test_lido() -> None:
    first, second = records("lido.xml")
    assert first.id == "DE-Mb112/lido-obj00154983"
    assert first.title == (Value("Der Canal Grande in Venedig", "de"), Value("Il Canal Grande", "it"))
    assert texts(first.creator) == ["Canaletto"]  # and not who sold it
    assert texts(first.date) == ["um 1740"]
    assert texts(first.places) == ["Venedig", "Canal Grande"]
    assert texts(first.description) == ["Ansicht mit Gondeln und Palästen.", "Öl auf Leinwand"]
    assert texts(first.source) == ["Städtische Sammlung Musterstadt"]
    assert (first.type, first.provider) == ("Gemälde", "Museumsverbund Beispiel")
    assert first.image == "https://museum.example/bild/154983.jpg"
    assert first.landing_page == "https://museum.example/objekt/154983"
    assert first.rights == "http://creativecommons.org/publicdomain/zero/1.0/"
    assert set(first.entities) == {
        Entity("creator", "https://d-nb.info/gnd/118518844", "Canaletto"),
        Entity("subject", "http://vocab.getty.edu/aat/300006075", "Kanal"),
        Entity("concepts", "http://vocab.getty.edu/aat/300006075", "Kanal"),
        Entity("places", "http://sws.geonames.org/3164603", "Venedig"),
        Entity("type", "http://vocab.getty.edu/aat/300033618", "Gemälde"),
    }
    assert (second.label, texts(second.creator)) == ("Rialto bridge", ["Carlo Ponti"])
    assert (texts(second.date), second.type) == (["1865/1870"], "photographs")


@pytest.mark.parametrize("name", ["edm.xml", "edm.jsonld", "europeana-record.json"])
def test_edm_in_its_three_forms(name: str) -> None:
    (record,) = records(name)
    assert record.id == "90402/SK_A_1"
    assert set(record.title) == {Value("Gezicht op de Dogana", "nl"), Value("View of the Dogana", "en")}
    assert texts(record.creator) == ["Canaletto"]
    assert set(texts(record.subject)) == {"canal", "gondola", "painting"}
    assert texts(record.date) == ["1735 - 1745"]
    assert texts(record.places) == ["Venice"]
    assert record.image == "https://museum.example/SK-A-1.jpg"
    assert record.landing_page == "https://museum.example/SK-A-1"
    assert record.rights == "http://creativecommons.org/publicdomain/mark/1.0/"
    assert (record.type, record.provider) == ("painting", "Example Museum")
    assert set(record.entities) == {
        Entity("creator", "http://viaf.org/viaf/96032319", "Canaletto"),
        Entity("subject", "http://vocab.getty.edu/aat/300006075", "canal"),
        Entity("concepts", "http://vocab.getty.edu/aat/300006075", "canal"),
        Entity("places", "http://sws.geonames.org/3164603", "Venice"),
    }


MANY_XML = """<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
  xmlns:edm="http://www.europeana.eu/schemas/edm/" xmlns:ore="http://www.openarchives.org/ore/terms/"
  xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:skos="http://www.w3.org/2004/02/skos/core#">
<edm:ProvidedCHO rdf:about="x:1"><dc:title>One</dc:title><dc:creator rdf:resource="a:1"/></edm:ProvidedCHO>
<edm:ProvidedCHO rdf:about="x:2"/>
<ore:Proxy rdf:about="p:2"><ore:proxyFor rdf:resource="x:2"/><dc:title>Two</dc:title></ore:Proxy>
<ore:Aggregation rdf:about="g:1"><edm:aggregatedCHO rdf:resource="x:1"/>
  <edm:object rdf:resource="http://x.org/1.jpg"/></ore:Aggregation>
<edm:Agent rdf:about="a:1"><skos:prefLabel>Canaletto</skos:prefLabel></edm:Agent>
</rdf:RDF>"""
MANY_JSON = """{"@graph": [
{"@id": "x:1", "@type": "edm:ProvidedCHO", "dc:title": "One", "dc:creator": {"@id": "a:1"}},
{"@id": "x:2", "@type": "edm:ProvidedCHO"},
{"@id": "p:2", "@type": "ore:Proxy", "ore:proxyFor": {"@id": "x:2"}, "dc:title": "Two"},
{"@id": "g:1", "@type": "ore:Aggregation", "edm:aggregatedCHO": {"@id": "x:1"},
 "edm:object": {"@id": "http://x.org/1.jpg"}},
{"@id": "a:1", "@type": "edm:Agent", "skos:prefLabel": "Canaletto"}]}"""


@pytest.mark.parametrize(("name", "written"), [("many.xml", MANY_XML), ("many.jsonld", MANY_JSON)])
def test_edm_of_several_objects_keeps_them_apart(name: str, written: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(written)
    one, two = (entry.content for entry in read(tmp_path / name))
    assert isinstance(one, Record)
    assert isinstance(two, Record)
    assert (one.id, one.label, texts(one.creator)) == ("x:1", "One", ["Canaletto"])
    assert (two.id, two.label, two.creator) == ("x:2", "Two", ())
    assert (one.image, two.image) == ("http://x.org/1.jpg", None)


def test_marcxml() -> None:
    first, second = records("marc.xml")
    assert (first.id, first.label) == ("92005291", "The little Venice")
    assert texts(first.creator) == ["Whistler, James McNeill"]
    assert (texts(first.subject), texts(first.places)) == (
        ["Lagoons", "Etchings"],
        ["Venice (Italy)", "Venice"],
    )
    assert (texts(first.date), first.landing_page) == (["1880"], "https://library.example/92005291")
    assert first.entities == (Entity("creator", "http://viaf.org/viaf/29656158", "Whistler, James McNeill"),)
    assert second.label == "Nocturne : palaces"


def test_marcxml_that_forgot_its_namespace(tmp_path: Path) -> None:
    path = tmp_path / "marc.xml"
    path.write_text((DATA / "marc.xml").read_text().replace(' xmlns="http://www.loc.gov/MARC21/slim"', ""))
    contents = [entry.content for entry in read(path, defaults().mapping("marcxml"))]
    assert [record.label for record in contents if isinstance(record, Record)] == [
        "The little Venice",
        "Nocturne : palaces",
    ]


def test_mods() -> None:
    (record,) = records("mods.xml")
    assert record.id == "exg-17"
    assert record.title == (Value("The Grand Canal looking east", "eng"), Value("Il Canal Grande", "ita"))
    assert texts(record.creator) == ["Canaletto"]
    assert (texts(record.subject), texts(record.places)) == (
        ["Canals", "paintings"],
        ["Venice", "Venice (Italy)"],
    )
    assert (texts(record.source), record.landing_page) == (["Example Gallery"], "https://gallery.example/17")


LIDO_EVENT = """<lido:lido xmlns:lido="http://www.lido-schema.org"><lido:lidoRecID>L1</lido:lidoRecID>
<lido:descriptiveMetadata><lido:objectIdentificationWrap><lido:titleWrap><lido:titleSet>
<lido:appellationValue>View</lido:appellationValue></lido:titleSet></lido:titleWrap></lido:objectIdentificationWrap>
<lido:eventWrap><lido:eventSet><lido:event><lido:eventType><lido:term>{}</lido:term></lido:eventType>
<lido:eventActor><lido:displayActorInRole>Max Müller</lido:displayActorInRole></lido:eventActor>
<lido:eventDate><lido:displayDate>1890</lido:displayDate></lido:eventDate>
</lido:event></lido:eventSet></lido:eventWrap></lido:descriptiveMetadata></lido:lido>"""


@pytest.mark.parametrize("event", ["création", "Tillverkning", "Entstehung", "creación", "realizzazione"])
def test_lido_names_makers_and_dates_in_the_languages_of_europe(event: str, tmp_path: Path) -> None:
    (tmp_path / "one.xml").write_text(LIDO_EVENT.format(event))
    (entry,) = read(tmp_path / "one.xml")
    assert isinstance(entry.content, Record)
    assert (texts(entry.content.creator), texts(entry.content.date)) == (["Max Müller"], ["1890"])


def test_mods_with_names_and_dates_in_parts(tmp_path: Path) -> None:
    name = "<namePart type='family'>{}</namePart><namePart type='given'>{}</namePart>"
    (tmp_path / "one.xml").write_text(
        "<mods xmlns='http://www.loc.gov/mods/v3' ID='m1'><titleInfo><title>Rhinoceros</title></titleInfo>"
        f"<name valueURI='http://viaf.org/viaf/1'>{name.format('Durer', 'Albrecht')}</name>"
        "<name><namePart type='family'>Cranach</namePart></name>"
        "<originInfo><dateCreated point='start'>1510</dateCreated><dateCreated point='end'>1515</dateCreated>"
        f"</originInfo><subject><name>{name.format('Smith', 'John')}</name></subject></mods>"
    )
    (entry,) = read(tmp_path / "one.xml")
    assert isinstance(entry.content, Record)
    assert texts(entry.content.creator) == ["Albrecht Durer", "Cranach"]
    assert entry.content.entities == (Entity("creator", "http://viaf.org/viaf/1", "Albrecht Durer"),)
    assert texts(entry.content.date) == ["1510/1515"]
    assert texts(entry.content.subject) == ["John Smith"]


def test_oai_dc_as_a_saved_answer() -> None:
    (record,) = records("oai.xml")
    assert (record.id, record.label, texts(record.places)) == (
        "oai:museum.example:1",
        "Bridge of Sighs",
        ["Venice"],
    )
    assert (record.landing_page, record.modified) == ("https://museum.example/1", "2024-01-01")
    refused = [entry.content for entry in read(DATA / "oai.xml") if isinstance(entry.content, RejectedRow)]
    assert [each.record_id for each in refused] == ["oai:museum.example:2"]


def test_omeka_s_and_omeka() -> None:
    (record,) = records("omeka-s.json")
    assert (record.label, texts(record.creator), texts(record.description)) == (
        "Market at Rialto",
        ["Canaletto"],
        ["Fish & fruit"],
    )
    assert record.entities == (Entity("creator", "http://www.wikidata.org/entity/Q182664", "Canaletto"),)
    (classic,) = records("omeka.csv", defaults().mapping("omeka"))
    assert (classic.id, texts(classic.creator)) == ("12", ["Union Press", "Anonymous"])
    assert texts(classic.subject) == ["labour", "strike", "poster", "red"]
    assert texts(classic.description) == ["Two-colour print"]


def test_collectiveaccess() -> None:
    (record,) = records("collectiveaccess.csv", defaults().mapping("collectiveaccess"))
    assert (record.id, record.label, texts(record.description)) == ("2001.1", "Dress", ["Silk with lace"])
    assert (texts(record.creator), texts(record.places), record.type) == (["Worth"], ["Paris"], "Costume")


@pytest.mark.parametrize("form", [".zip", ".tar", ".tar.gz", ".tgz"])
def test_archives_hold_any_of_them(form: str, tmp_path: Path) -> None:
    path = tmp_path / f"all{form}"
    names = ["edm.xml", "lido.xml", "README.md", "mods.xml"]
    if form == ".zip":
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for name in names:
                archive.write(DATA / name, f"export/{name}")
            archive.writestr("__MACOSX/._lido.xml", b"\0")
            archive.writestr("export/marc.xml.gz", gzip.compress((DATA / "marc.xml").read_bytes()))
    else:
        with tarfile.open(path, "w" if form == ".tar" else "w:gz") as archive:
            for name in names:
                archive.add(DATA / name, f"export/{name}")
            info = tarfile.TarInfo("export/marc.xml.gz")
            data = gzip.compress((DATA / "marc.xml").read_bytes())
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    notes = Notes()
    contents = [entry.content for entry in read(path, notes=notes)]
    assert not notes.damaged
    ids = [record.id for record in contents if isinstance(record, Record)]
    assert ids == ["90402/SK_A_1", "DE-Mb112/lido-obj00154983", "obj-2", "exg-17", "92005291", "92005292"]


def test_a_workbook_in_an_archive(tmp_path: Path) -> None:
    path = tmp_path / "book.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.write(DATA / "collectie.xlsx", "collectie.xlsx")
    entries_read = read(path, OWN["collectie"])
    assert [entry.content.id for entry in entries_read if isinstance(entry.content, Record)] == [
        "BK-1",
        "BK-2",
        "BK-3",
    ]


def test_a_broken_file_in_an_archive_costs_that_file(tmp_path: Path) -> None:
    path = tmp_path / "some.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("broken.xml", (DATA / "lido.xml").read_text()[:5000])
        archive.write(DATA / "mods.xml", "mods.xml")
    notes = Notes()
    entries_read = read(path, notes=notes)
    assert [entry.content.id for entry in entries_read if isinstance(entry.content, Record)] == ["exg-17"]
    (damage,) = notes.damaged
    assert "some.zip: broken.xml, line" in damage


def test_an_answer_without_records_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "none.xml"
    path.write_text(
        '<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/"><error code="noRecordsMatch"/></OAI-PMH>'
    )
    notes = Notes()
    assert read(path, notes=notes) == []
    assert "without a record" in notes.damaged[0]


def test_of_unknown_xml_the_element_that_comes_again_is_the_record(tmp_path: Path) -> None:
    path = tmp_path / "objects.xml"
    path.write_text(
        "<export><info>x</info><object><nr>1</nr><t>A</t></object><object><nr>2</nr><t>B</t></object></export>"
    )
    mapping = Mapping.model_validate({"id": {"column": "nr"}, "title": {"column": "t"}})
    assert [entry.content.label for entry in read(path, mapping) if isinstance(entry.content, Record)] == [
        "A",
        "B",
    ]


def test_a_sheet_that_is_not_there_is_named() -> None:
    mapping = OWN["collectie"].model_copy(
        update={"read": OWN["collectie"].read.model_copy(update={"sheet": "X"})}
    )
    notes = Notes()
    read(DATA / "collectie.xlsx", mapping, notes)
    assert "its sheets are: Lies mich, Objecten" in notes.damaged[0]


def test_size_is_told_of_what_lies_on_the_disk() -> None:
    advances: list[int] = []
    list(entries([DATA / "lido.xml"], chooser(defaults(), None), Limits(), Notes(), advances.append))
    assert sum(advances) == ingestion.size([DATA / "lido.xml"])
    with pytest.raises(UnreadableFile):
        ingestion.size([DATA / "nothing.xml"])
