"""What museums index beside the six fields: shipped mappings and the guess find it, with its addresses."""

from pathlib import Path

import pytest

from ingest.entries import Notes, entries
from ingest.guess_writing import written
from ingest.guessing import FileColumn, guess_of, guessed
from ingest.mapping import Mapping
from ingest.reading.settings import Limits
from ingest.record import INDEXED, Entity, Record
from service.cli.mapping import chooser
from tests.documents import defaults
from tests.yaml_text import yaml_of

AAT, GND = "http://vocab.getty.edu/aat", "https://d-nb.info/gnd"

DATA = Path(__file__).parents[1] / "data" / "indexed"


def record(path: Path) -> Record:
    """The one record of a file, by the mapping that is chosen for it."""
    (entry,) = entries([path], chooser(defaults(), None), Limits(), Notes(), lambda _: None)
    assert isinstance(entry.content, Record)
    return entry.content


def indexed(of: Record) -> dict[str, list[str]]:
    """What is indexed of a record, by part."""
    return {part: [value.text for value in of.part(part)] for part in INDEXED if of.part(part)}


@pytest.mark.parametrize(
    ("name", "expected", "entities"),
    [
        (
            "lido.xml",
            {
                "people": ["Canaletto"],
                "cultures": ["italienisch"],
                "periods": ["Barock"],
                "events": ["Regata Storica"],
                "concepts": ["Boote"],
                "materials": ["Leinwand"],
                "part_of": ["Veduten, Mappe 2"],
            },
            {
                Entity("people", f"{GND}/118518844", "Canaletto"),
                Entity("cultures", f"{AAT}/300111198", "italienisch"),
                Entity("concepts", f"{AAT}/300178749", "Boote"),
                Entity("materials", f"{AAT}/300014078", "Leinwand"),
            },
        ),
        (
            "edm.xml",
            {
                "people": ["Canaletto"],
                "periods": ["Baroque"],
                "events": ["Regata Storica"],
                "concepts": ["boats"],
                "materials": ["oil on canvas"],
                "part_of": ["Views of Venice"],
            },
            {
                Entity("people", f"{GND}/118518844", "Canaletto"),
                Entity("concepts", f"{AAT}/300178749", "boats"),
                Entity("events", "http://example.org/event", "Regata Storica"),
            },
        ),
        (
            "mods.xml",
            {
                "people": ["Canaletto"],
                "periods": ["Baroque"],
                "events": ["Biennale"],
                "concepts": ["boats"],
                "materials": ["canvas"],
                "part_of": ["Views of Venice"],
            },
            {
                Entity("people", f"{GND}/118518844", "Canaletto"),
                Entity("concepts", f"{AAT}/300178749", "boats"),
            },
        ),
        (
            "marc.xml",
            {
                "places": ["Venice"],
                "people": ["Charles III, King of Spain"],
                "cultures": ["Italians"],
                "periods": ["Baroque"],
                "events": ["Biennale"],
                "concepts": ["Boats"],
                "materials": ["canvas"],
                "part_of": ["Views of Venice"],
            },
            {
                Entity("people", f"{GND}/118560107", "Charles III, King of Spain"),
                Entity("concepts", f"{AAT}/300178749", "Boats"),
            },
        ),
    ],
)
def test_a_form_says_what_its_museum_indexes(
    name: str, expected: dict[str, list[str]], entities: set[Entity]
) -> None:
    one = record(DATA / name)
    assert indexed(one) == expected
    assert {entity for entity in one.entities if entity.part in INDEXED} == entities


HEADINGS = {
    "en": ("Sitter", "Culture", "Style", "Event", "Iconclass", "Materials and techniques", "Series"),
    "de": ("Dargestellte Person", "Kultur", "Epoche", "Ereignis", "Thesaurusbegriff", "Technik", "Teil von"),
    "fr": (
        "Personne représentée",
        "Civilisation",
        "Mouvement",
        "Évènement",
        "Vedette matière",
        "Matériaux",
        "Fait partie de",
    ),
    "nl": (
        "Afgebeelde persoon",
        "Cultuur",
        "Stijl",
        "Gebeurtenis",
        "Classificatiecode",
        "Materiaal",
        "Reeks",
    ),
    "it": (
        "Persona raffigurata",
        "Ambito culturale",
        "Corrente",
        "Evento",
        "Concetto",
        "Materia e tecnica",
        "Raccolta",
    ),
    "es": ("Retratado", "Grupo étnico", "Estilo", "Acontecimiento", "Concepto", "Técnica", "Forma parte de"),
    "sv": ("Avbildad person", "Kulturgrupp", "Stilperiod", "Händelse", "Ämnesrubrik", "Teknik", "Ingår i"),
}


@pytest.mark.parametrize("language", HEADINGS)
def test_headings_of_what_is_indexed_are_guessed(language: str) -> None:
    others = [FileColumn("ID", ("1", "2"), 2), FileColumn("Title", ("View", "Boats"), 2)]
    columns = [FileColumn(heading, ("Ada", "Tom"), 2) for heading in HEADINGS[language]]
    parts = guessed([*others, *columns]).parts
    own = [part for part in INDEXED if part != "places"]
    assert {part: parts.get(part) for part in own} == {
        part: [column] for part, column in zip(own, columns, strict=True)
    }


def test_what_is_guessed_to_be_indexed_is_read_into_the_fields_too(tmp_path: Path) -> None:
    path = tmp_path / "foto.csv"
    path.write_text(
        "nr;titel;inhoud.persoon.naam;classificatiecode;materiaal;periode\n"
        "1;Foto;Gonggrijp, Maria$Hall, Tom;61B2$44B241;papier$inkt;1880\n"
        "2;Kaart;Gonggrijp, Maria;61B2;papier;1890-1895\n",
        encoding="utf-8",
    )
    declared = yaml_of(written("foto", guess_of(path, Limits())))["mappings"]["foto"]
    mapping = Mapping.model_validate(declared)
    first, _ = (entry.content for entry in entries([path], mapping, Limits(), Notes(), lambda _: None))
    assert isinstance(first, Record)
    assert indexed(first) == {
        "people": ["Gonggrijp, Maria", "Hall, Tom"],
        "concepts": ["61B2", "44B241"],
        "materials": ["papier", "inkt"],
    }
    assert [value.text for value in first.subject] == ["Gonggrijp, Maria", "Hall, Tom", "61B2", "44B241"]
    assert [value.text for value in first.description] == ["papier", "inkt"]
    # years are no name of a period
    assert [value.text for value in first.date] == ["1880"]
