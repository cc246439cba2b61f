"""TEI: an inscription in EpiDoc and the description of a manuscript, without their edited texts."""

from pathlib import Path

from ingest.reading.files import known_form, rows
from ingest.reading.inputs import inputs
from ingest.reading.settings import Limits
from ingest.record import Record
from service.basic_settings import load_basic

INSCRIPTION = """<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader><fileDesc>
<titleStmt><title>Epitaph of Julia</title><editor>A. Low</editor></titleStmt>
<publicationStmt><authority>Corpus of Hall</authority><idno type="filename">H000012</idno>
<availability><licence target="https://creativecommons.org/licenses/by/4.0/">CC BY</licence></availability>
</publicationStmt><sourceDesc><msDesc><msIdentifier><settlement>Leeds</settlement>
<repository>City Museum</repository><idno>1901.4</idno></msIdentifier>
<physDesc><objectDesc><supportDesc><support>Broken <objectType>stele</objectType> of
<material>marble</material>.</support></supportDesc></objectDesc></physDesc>
<history><origin><origPlace>Ostia</origPlace><origDate notBefore="0101" notAfter="0150"/></origin>
<provenance type="found"><placeName>Via Laurentina</placeName></provenance></history></msDesc></sourceDesc>
</fileDesc><profileDesc><textClass><keywords><term>funerary</term></keywords></textClass></profileDesc></teiHeader>
<text><body><div type="edition"><ab>D M <supplied reason="lost">IVLIAE</supplied></ab></div>
<div type="apparatus"><p>1: ILVIAE lapis</p></div>
<div type="translation"><p>To the spirits of the dead. For Julia.</p></div></body></text></TEI>"""

MANUSCRIPT = """<TEI xmlns="http://www.tei-c.org/ns/1.0" xml:id="ms7"><teiHeader><fileDesc>
<titleStmt><title>Description of MS 7</title></titleStmt><publicationStmt><p>Unpublished</p></publicationStmt>
<sourceDesc><msDesc><msIdentifier><settlement>Leeds</settlement><repository>City Library</repository>
<idno>MS 7</idno></msIdentifier><msContents><summary>A book of hours.</summary>
<msItem><author>Hall, Ada</author>
<title>Hours of the Virgin</title></msItem></msContents><physDesc><decoDesc><decoNote>Six miniatures of saints
</decoNote></decoDesc></physDesc><history><origin>Made in <origPlace>Bruges</origPlace>,
<origDate>c. 1450</origDate></origin></history></msDesc></sourceDesc></fileDesc></teiHeader></TEI>"""


def read(text: str, folder: Path) -> Record:
    path = folder / "text.xml"
    path.write_text(text, encoding="utf-8")
    assert [known_form(given) for given in inputs(path, Limits())] == ["tei"]
    mapping = load_basic().mapping("tei")
    (record,) = [mapping.apply(row) for _, row, _ in rows(path, reading=mapping.read) if row is not None]
    return record


def test_an_inscription_is_described_and_not_edited(tmp_path: Path) -> None:
    record = read(INSCRIPTION, tmp_path)
    assert (record.id, record.type, record.label) == ("H000012", "stele", "Epitaph of Julia")
    assert [value.text for value in record.description] == [
        "Broken stele of marble.",
        "To the spirits of the dead. For Julia.",
    ]
    assert [value.text for value in record.creator] == []
    assert [value.text for value in record.date] == ["0101/0150"]
    assert [value.text for value in record.places] == ["Ostia", "Via Laurentina"]
    assert [value.text for value in record.source] == ["City Museum, Leeds"]
    assert [value.text for value in (*record.subject, *record.materials)] == ["funerary", "marble"]
    assert record.rights == "https://creativecommons.org/licenses/by/4.0/"


def test_a_manuscript_has_its_author_and_its_own_title_first(tmp_path: Path) -> None:
    record = read(MANUSCRIPT, tmp_path)
    assert (record.id, record.label) == ("MS 7", "Hours of the Virgin")
    assert [value.text for value in record.creator] == ["Ada Hall"]
    assert [value.text for value in record.date] == ["c. 1450"]
    assert [value.text for value in record.description] == ["A book of hours.", "Six miniatures of saints"]
