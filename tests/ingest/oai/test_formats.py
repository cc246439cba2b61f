"""Metadata in other formats than simple Dublin Core, and what servers write of Dublin Core itself."""

from collections.abc import Sequence
from itertools import count
from pathlib import Path

import pytest
from lxml import etree

from ingest.catalogue import Catalogue
from ingest.entries import Notes
from ingest.errors import ConfigError
from ingest.oai.settings import HarvestSource
from ingest.reading.xml import NAMESPACES
from ingest.record import Record, Value
from service.settings import load
from tests.documents import defaults
from tests.environment import SHARED, needs_shared
from tests.ingest.oai.harvesting import harvested, refused
from tests.ingest.oai.server import Entry, Museum, Reply, header, serving, wrapped
from tests.ingest.test_museums import DATA, MANY_XML, read, records, texts

DC = NAMESPACES["dc"]
RECORDED = SHARED / "data" / "oai"
METIS = "metis-sandbox/src/test/resources"
SLOVENIA = "National and University Library of Slovenia"


class Disseminating(Museum):
    """Gives each record the metadata that stands at its title."""

    def shown(self, entry: Entry) -> str:
        return f"<record>{header(entry)}<metadata>{entry.title}</metadata></record>"

    def get(self, identifier: str) -> Reply:
        chosen = next(entry for entry in self.entries if entry.identifier == identifier)
        return wrapped(f"<GetRecord>{self.shown(chosen)}</GetRecord>")


def harvest(metadata: Sequence[str], prefix: str, state: Path) -> list[Record]:
    entries = [Entry(f"oai:m:{n}", f"2026-02-0{n}T00:00:00Z", one) for n, one in zip(count(1), metadata)]
    mapping = defaults().mappings[HarvestSource(url="http://m.example", prefix=prefix).read_by]
    with serving(Disseminating(entries).answer) as url:
        harvested(url, state, mapping=mapping, prefix=prefix)
    with Catalogue(state / "catalogue.sqlite", read_only=True) as catalogue:
        return list(catalogue.records())


@pytest.mark.parametrize(
    ("prefix", "name", "element"),
    [
        ("lido", "lido.xml", f"{{{NAMESPACES['lido']}}}lido"),
        ("edm", "edm.xml", f"{{{NAMESPACES['rdf']}}}RDF"),
        ("mods", "mods.xml", f"{{{NAMESPACES['mods']}}}mods"),
        ("marc21", "marc.xml", f"{{{NAMESPACES['marc']}}}record"),
    ],
)
def test_harvested_records_are_those_of_a_file(prefix: str, name: str, element: str, tmp_path: Path) -> None:
    tree = etree.parse(DATA / name)
    came = harvest([etree.tostring(one).decode() for one in tree.iter(element)], prefix, tmp_path)
    expected = sorted(records(name), key=lambda record: record.id)
    assert [record.id for record in came] == [record.id for record in expected]
    for record, due in zip(came, expected, strict=True):
        # who provides a record that does not say so is told by the source
        assert record.provider == (due.provider or "Test")
        for part in ("title", "creator", "subject", "description", "date", "source", "places", "entities"):
            assert getattr(record, part) == getattr(due, part), part


@pytest.mark.parametrize("space", [DC, "http://purl.org/dc/elements/1.1", "http://purl.org/dc/terms/", ""])
def test_dublin_core_whatever_the_namespace_is_called(space: str, tmp_path: Path) -> None:
    named = f' xmlns="{space}"'
    (record,) = harvest(
        [f"<dc{named}><title>Bridge of Sighs</title><coverage>Venice</coverage></dc>"], "oai_dc", tmp_path
    )
    assert (record.id, record.label, record.modified) == (
        "oai:m:1",
        "Bridge of Sighs",
        "2026-02-01T00:00:00Z",
    )
    assert record.places == (Value("Venice"),)


def test_languages_and_entities_of_html(tmp_path: Path) -> None:
    spaces = f'xmlns:oai_dc="{NAMESPACES["oai_dc"]}" xmlns:dc="{DC}"'
    titles = "<dc:title>Brug der Zuchten</dc:title><dc:title xml:lang='en'>Bridge &amp;amp; sighs</dc:title>"
    (record,) = harvest([f'<oai_dc:dc {spaces} xml:lang="nl">{titles}</oai_dc:dc>'], "oai_dc", tmp_path)
    assert record.title == (Value("Brug der Zuchten", "nl"), Value("Bridge & sighs", "en"))


def test_metadata_that_the_mapping_does_not_fit_is_refused_and_told(tmp_path: Path) -> None:
    assert harvest(["<other>1</other>"], "lido", tmp_path) == []
    assert "no id" in refused(tmp_path)["oai:m:1"]


def test_a_record_of_several_objects_is_refused_and_told(tmp_path: Path) -> None:
    assert harvest([MANY_XML], "edm", tmp_path) == []
    assert "describes 2 objects" in refused(tmp_path)["oai:m:1"]


def test_a_format_without_a_mapping_is_refused_with_the_settings(tmp_path: Path) -> None:
    config = tmp_path / "config.yaml"
    config.write_text("harvest: {city: {url: 'https://museum.example/oai', prefix: ese}}")
    with pytest.raises(ConfigError, match="no mapping 'ese'"):
        load(config)


@needs_shared("data/oai")
@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (
            "europeana-oai/server/src/test/resources/getRecord.xml",
            ("90402/BK_1978_399", "Beurs van beschilderd creme-wit fluweel", "", "1835", "Rijksmuseum"),
        ),
        (
            f"{METIS}/record/valid-record.xml",
            ("URN:NBN:SI:doc-35SZSOCF", "Molitve in premishlovanja", "Stanič, Valentin", "1826", SLOVENIA),
        ),
        (
            f"{METIS}/record/transform/bnf/bnf-record-expected.xml",
            (
                "http://gallica.bnf.fr/ark:/12148/btv1b110012843",
                "AḤMAD IBN YŪSUF",
                "Aḥmad ibn Yūsuf",
                "1601-1700",
                "Bibliothèque nationale de France",
            ),
        ),
        (
            f"{METIS}/record/media/europeana_record_with_technical_metadata.xml",
            ("1/12944", "WESTVLAAMS FILMJOURNAAL", "PYLYSER, JEAN-MARIE", "1984", "The Royal Belgian Film"),
        ),
        (
            f"{METIS}/record.problempatterns/P1_uppercase_title.xml",
            (
                "21/_providedCHO_MHC_EMC_10_ms_06",
                "LOWERCASE or UPPERCASE title",
                "Muzaffer Bey",
                "1921",
                "Koç Üniversitesi",
            ),
        ),
    ],
)
def test_recorded_records_in_edm(name: str, expected: tuple[str, ...]) -> None:
    (entry,) = read(RECORDED / name)
    assert isinstance(entry.content, Record)
    record = entry.content
    shown = (
        record.id,
        record.label,
        *(" ".join(texts(getattr(record, part))) for part in ("creator", "date")),
    )
    for text, due in zip((*shown, record.provider or ""), expected, strict=True):
        assert text.startswith(due)


@needs_shared("data/oai")
def test_a_recorded_archive_with_corrupt_records_gives_the_others() -> None:
    notes = Notes()
    entries_read = read(RECORDED / METIS / "zip/dataset-with-corrupt-records.zip", notes=notes)
    assert len([entry for entry in entries_read if isinstance(entry.content, Record)]) == 26
    assert [fault.split(": ")[1].rsplit("/", 1)[1] for fault in notes.damaged] == [
        "Sound_1.xml",
        "Sound_3.xml",
    ]
