"""What Kindred read and worked out of a collection, for a museum to take home: CSV, JSON Lines, JSON-LD.

A record is exported with the interval of its dates in EDTF, the makers that its names stand for, the places
that it names with their coordinates, and its neighbours. What is exported as JSON-LD is EDM, and can be
taken in again: the museum's own texts stand where they stood.
"""

import csv
import io
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import msgspec

from features.measures.places import PlacesColumn
from features.text.dates.fields import dates_edtf
from features.text.names.names import NOBODY, names
from ingest.formulas import as_text
from ingest.record import INDEXED, Entity, Field, Record
from models.types import SCALE, SimilarityType
from service.search.recommender import Recommender
from service.search.spots import places_column, spots

FORMS: Final = ("csv", "jsonl", "jsonld")
"""The forms, as the names of their files end."""
_JOINED: Final = "|"
_CONTEXT: Final = {
    "dc": "http://purl.org/dc/elements/1.1/",
    "dcterms": "http://purl.org/dc/terms/",
    "edm": "http://www.europeana.eu/schemas/edm/",
    "skos": "http://www.w3.org/2004/02/skos/core#",
    "wgs84": "http://www.w3.org/2003/01/geo/wgs84_pos#",
    "kindred": "urn:kindred:terms:",
}
_TERMS: Final = {
    "places": "dcterms:spatial",
    "people": "dc:subject",
    "part_of": "dcterms:isPartOf",
    "periods": "dcterms:temporal",
    "materials": "dcterms:medium",
    "concepts": "dc:subject",
}


class Maker(msgspec.Struct, frozen=True):
    """A maker whom a name stands for: as written, as compared, and the nation where it is known."""

    name: str
    key: str
    nation: str | None


class ExportedPlace(msgspec.Struct, frozen=True):
    """A place that an item names, where it is, and its address in GeoNames where that is known."""

    name: str
    kind: str
    latitude: float
    longitude: float
    address: str | None


class ExportedNeighbour(msgspec.Struct, frozen=True):
    """A neighbour and its score, 0 to 5."""

    id: str
    score: float


class ExportedItem(NamedTuple):
    """A record with what Kindred read of it and worked out."""

    record: Record
    edtf: str | None
    makers: tuple[Maker, ...]
    places: tuple[ExportedPlace, ...]
    neighbours: dict[SimilarityType, tuple[ExportedNeighbour, ...]]


def exported(recommender: Recommender, k: int) -> Iterator[ExportedItem]:
    """Every item of a collection in the order of ids, with its ``k`` nearest neighbours of each type."""
    collection = recommender.collection
    column = places_column(collection)
    for row in range(len(collection)):
        yield _exported(recommender, column, collection.record(row), k)


def _exported(recommender: Recommender, column: PlacesColumn | None, record: Record, k: int) -> ExportedItem:
    collection = recommender.collection
    named = spots(collection, column, record.id) if column is not None else []
    near = (
        recommender.nearest(record.id, [*recommender.system.types], k, floors=recommender.system.floor)
        if k
        else {}
    )
    return ExportedItem(
        record,
        dates_edtf(value.text for value in record.date),
        tuple(_makers(record)),
        tuple(ExportedPlace(one.name, one.kind, one.latitude, one.longitude, one.address) for one in named),
        {
            kind: tuple(ExportedNeighbour(one.id, _rounded(one.bound)) for one in nearest if one.bound > 0)
            for kind, nearest in near.items()
        },
    )


def item_json_ld(recommender: Recommender, item: str) -> bytes:
    """One item as a JSON-LD document, without its neighbours; raises ``UnknownItem``."""
    column = places_column(recommender.collection)
    node = _object(_exported(recommender, column, recommender.item(item), 0))
    return msgspec.json.encode({"@context": _CONTEXT, **node})


def _makers(record: Record) -> Iterator[Maker]:
    for value in record.creator:
        for name in names(value.text):
            if name.kind not in NOBODY:
                yield Maker(name.text, name.key, name.cultures[0].key if name.cultures else None)


def _rounded(score: float) -> float:
    return round(min(max(score, SCALE[0]), SCALE[1]), 4)


def written(items: Iterator[ExportedItem], form: str, types: Sequence[SimilarityType]) -> Iterator[bytes]:
    """The bytes of an export in a form of ``FORMS``, item by item."""
    if form == "csv":
        return _csv(items, types)
    return _json_lines(items) if form == "jsonl" else _json_ld(items)


def _json_lines(items: Iterator[ExportedItem]) -> Iterator[bytes]:
    for item in items:
        read = {"edtf": item.edtf, "makers": item.makers, "places_found": item.places}
        document = _texts(item.record) | read | {"neighbours": item.neighbours}
        yield msgspec.json.encode(document) + b"\n"


def _texts(record: Record) -> dict[str, object]:
    """What the museum gave of a record, without what it left empty."""
    fields: dict[str, object] = {"id": record.id}
    for part in (*(field.value for field in Field), *INDEXED):
        fields[part] = [value.text for value in record.part(part)]
    for part in ("type", "image", "landing_page", "rights", "provider", "modified"):
        fields[part] = getattr(record, part)
    fields["entities"] = record.entities
    return {name: content for name, content in fields.items() if content}


def _csv(items: Iterator[ExportedItem], types: Sequence[SimilarityType]) -> Iterator[bytes]:
    parts = (
        *(field.value for field in Field),
        *INDEXED,
        "type",
        "image",
        "landing_page",
        "rights",
        "provider",
    )
    places = ("places_found", "places_addresses", "latitudes", "longitudes")
    read = ("edtf", "makers", "makers_nations", *places, "addresses")
    yield _row(("id", *parts, *read, *(f"neighbours_{kind}" for kind in types)))
    for item in items:
        texts = _texts(item.record)
        own = [_text(texts.get(part, "")) for part in ("id", *parts)]
        facts = (
            # years and degrees may begin with a minus, and no text of a record stands in them
            item.edtf or "",
            _text([one.key for one in item.makers]),
            _text([one.nation or "" for one in item.makers]),
            _text([one.name for one in item.places]),
            _text([one.address or "" for one in item.places]),
            _cell([f"{one.latitude:g}" for one in item.places]),
            _cell([f"{one.longitude:g}" for one in item.places]),
            _text([f"{one.part}: {one.address}" for one in item.record.entities]),
        )
        near = (_text([one.id for one in item.neighbours.get(kind, ())]) for kind in types)
        yield _row((*own, *facts, *near))


def _text(content: object) -> str:
    """A cell of what records hold, which no spreadsheet runs."""
    return as_text(_cell(content))


def _cell(content: object) -> str:
    return _JOINED.join(map(str, content)) if isinstance(content, list) else str(content)


def _row(cells: Sequence[str]) -> bytes:
    text = io.StringIO()
    csv.writer(text).writerow(cells)
    return text.getvalue().encode()


def _json_ld(items: Iterator[ExportedItem]) -> Iterator[bytes]:
    """One JSON-LD document, whose graph has an object and the places that it names item by item."""
    yield b'{"@context": ' + msgspec.json.encode(_CONTEXT) + b', "@graph": [\n'
    between = b""
    for item in items:
        yield between + msgspec.json.encode(_object(item))
        between = b",\n"
    yield b"\n]}\n"


def _object(item: ExportedItem) -> dict[str, object]:
    record = item.record
    addresses: dict[tuple[str, str], Entity] = {(one.part, one.label): one for one in record.entities}
    node: dict[str, object] = {"@id": record.id, "@type": "edm:ProvidedCHO"}
    for field in Field:
        if texts := [_linked(field.value, value.text, addresses) for value in record.field(field)]:
            node[f"dc:{field.value}"] = texts
    for part, term in _TERMS.items():
        if texts := [_linked(part, value.text, addresses) for value in record.part(part)]:
            node[term] = [*node.get(term, ()), *texts]  # type: ignore[misc]
    singles = {"dc:type": record.type, "edm:isShownBy": record.image, "edm:isShownAt": record.landing_page}
    singles |= {"edm:rights": record.rights, "edm:dataProvider": record.provider}
    node |= {name: text for name, text in singles.items() if text}
    node["kindred:edtf"] = item.edtf
    node["kindred:place"] = [
        {
            **({"@id": one.address} if one.address else {}),
            "skos:prefLabel": one.name,
            "wgs84:lat": one.latitude,
            "wgs84:long": one.longitude,
        }
        for one in item.places
    ]
    node["kindred:maker"] = [
        {"skos:prefLabel": one.name, "kindred:nation": one.nation} for one in item.makers
    ]
    node |= {
        f"kindred:{kind}": [{"@id": one.id, "kindred:score": one.score} for one in nearest]
        for kind, nearest in item.neighbours.items()
    }
    return {name: content for name, content in node.items() if content}


def _linked(part: str, text: str, addresses: dict[tuple[str, str], Entity]) -> object:
    entity = addresses.get((part, text))
    return {"@id": entity.address, "skos:prefLabel": text} if entity else text
