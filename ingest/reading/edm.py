"""The Europeana Data Model: the resources that describe an object, as one flat row.

The object itself, its proxies and aggregations are laid together under names with prefixes (``dc:title``).
The address of an agent, a place, a concept or a time span that the record describes too gets its label, and
a subject stands under the name of its class as well: ``dc:subject/edm:Agent``. RDF/XML, JSON-LD and the
answers of Europeana's record API come out alike.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from lxml import etree

from ingest.reading.row import CellRow, ExtractedText, Json
from ingest.reading.xml import NAMESPACES, prefixed, text_of

RECORD: Final = f"{{{NAMESPACES['rdf']}}}RDF"
"""The element of one record in RDF/XML."""

_RDF: Final = f"{{{NAMESPACES['rdf']}}}"
_LANG: Final = f"{{{NAMESPACES['xml']}}}lang"
_OBJECT: Final = "edm:ProvidedCHO"
_OF_THE_OBJECT: Final = (_OBJECT, "ore:Proxy", "ore:Aggregation", "edm:EuropeanaAggregation")
_NAMES_ITS_OBJECT: Final = ("ore:proxyFor", "edm:aggregatedCHO")
_LABELS: Final = ("skos:prefLabel", "rdfs:label", "foaf:name", "skos:altLabel")
_NO_LANGUAGE: Final = ("def", "zxx", "und")
_ADDRESSES: Final = frozenset(
    f"edm:{name}"
    for name in ("isShownBy", "isShownAt", "object", "rights", "hasView", "landingPage", "preview")
)
_OF_ANY_CLASS: Final = frozenset({"dc:subject", "dc:type", "edm:hasMet"})
_API: Final = {
    "providedCHOs": _OBJECT,
    "proxies": "ore:Proxy",
    "aggregations": "ore:Aggregation",
    "europeanaAggregation": "edm:EuropeanaAggregation",
    "agents": "edm:Agent",
    "places": "edm:Place",
    "concepts": "skos:Concept",
    "timespans": "edm:TimeSpan",
    "organizations": "foaf:Organization",
}
_API_KEY: Final = re.compile(r"(dcterms|dc|edm|ore|skos|foaf)([A-Z]\w*)")
_SPACES: Final = {address: prefix for prefix, address in NAMESPACES.items()}
_ITEM: Final = "http://data.europeana.eu/item/"
_TERMS: Final = {
    "dc": "title creator contributor subject description date source type rights",
    "edm": "dataProvider provider isShownBy isShownAt object",
    "dcterms": "spatial temporal created issued alternative medium",
}
# terms that are written without a prefix, with it
_BARE: Final = {kind.partition(":")[2]: kind for kind in (*_API.values(), *_LABELS)} | {
    name: f"{prefix}:{name}" for prefix, names in _TERMS.items() for name in names.split()
}


class EdmNode(NamedTuple):
    """A resource: its class, its address, and its statements, each the name of a property and its value."""

    kind: str
    address: str
    statements: list[tuple[str, ExtractedText]]


def from_xml(record: etree._Element) -> list[CellRow]:
    """A row for each object that an ``rdf:RDF`` element describes; one without an id where it names none."""
    return _rows(
        EdmNode(prefixed(node.tag), node.get(_RDF + "about", ""), list(map(_xml_statement, _elements(node))))
        for node in _elements(record)
    )


def _elements(parent: etree._Element) -> Iterator[etree._Element]:
    return (child for child in parent if isinstance(child.tag, str))


def _xml_statement(element: etree._Element) -> tuple[str, ExtractedText]:
    address = element.get(_RDF + "resource")
    if address is None and len(element) and isinstance(element[0].tag, str):
        address = element[0].get(_RDF + "about")  # of a resource that is written out within
    return prefixed(str(element.tag)), ExtractedText(text_of(element).strip(), element.get(_LANG), address)


def from_json(document: CellRow) -> list[CellRow]:
    """A row for each object of a JSON-LD document, or that of an answer of Europeana's record API."""
    inner = document.get("object")
    content = inner if isinstance(inner, dict) else document
    if "proxies" in content or "aggregations" in content:
        nodes = list(_api_nodes(content))
        return [_flat(nodes, _described(nodes))]  # an answer is of one object, whose id it writes in two ways
    graph = content.get("@graph")
    return _rows(_linked_nodes(graph if isinstance(graph, list) else [content]))


def _linked_nodes(graph: list[Json]) -> Iterator[EdmNode]:
    waiting = [node for node in graph[::-1] if isinstance(node, dict)]
    while waiting:
        node = waiting.pop()
        kinds = [_short(kind) for kind in _list(node.get("@type", node.get("type"))) if isinstance(kind, str)]
        statements: list[tuple[str, ExtractedText]] = []
        for key, values in node.items():
            for value in _list(values) if not key.startswith("@") else ():
                statements += [(_short(key), text) for text in _linked_texts(value)]
                if isinstance(value, dict) and ("@type" in value or len(value) > 1) and "@value" not in value:
                    waiting.append(value)
        address = _text_or_none(node.get("@id", node.get("id")))
        yield EdmNode(next(iter(kinds), ""), address or "", statements)


def _text_or_none(value: Json) -> str | None:
    return value if isinstance(value, str) else None


def _linked_texts(value: Json) -> Iterator[ExtractedText]:
    if isinstance(value, dict):
        text, address = _text_or_none(value.get("@value")), _text_or_none(value.get("@id"))
        if text is not None or address is not None:
            yield ExtractedText(text or "", _text_or_none(value.get("@language")), address)
    elif isinstance(value, str | int | float) and not isinstance(value, bool):
        yield ExtractedText(str(value))


def _short(name: str) -> str:
    """A name with its prefix where it is a whole address: ``dc:title``; terms without one are common ones."""
    for address, prefix in _SPACES.items():
        if name.startswith(address):
            return f"{prefix}:{name[len(address) :]}"
    return _BARE.get(name, name)


def _api_nodes(content: dict[str, Json]) -> Iterator[EdmNode]:
    about = content.get("about")
    if isinstance(about, str):
        yield EdmNode(_OBJECT, about, [])
    for key, kind in _API.items():
        for node in _list(content.get(key)):
            if isinstance(node, dict):
                statements = [
                    (_api_key(name), text) for name, value in node.items() for text in _api_texts(value)
                ]
                yield EdmNode(kind, _text_or_none(node.get("about")) or "", statements)


def _api_key(key: str) -> str:
    """The name of a property that the record API writes in one word: ``dc:title`` for ``dcTitle``."""
    match = _API_KEY.fullmatch(key)
    return f"{match[1]}:{match[2][0].lower()}{match[2][1:]}" if match else _BARE.get(key, key)


def _api_texts(value: Json) -> Iterator[ExtractedText]:
    if isinstance(value, dict):
        for language, texts in value.items():
            for text in _list(texts):
                if isinstance(text, str):
                    yield ExtractedText(text, None if language in _NO_LANGUAGE else language)
    else:
        for text in _list(value):
            if isinstance(text, str | bool):
                yield ExtractedText(str(text).lower() if isinstance(text, bool) else text)


def _list(value: Json) -> list[Json]:
    return value if isinstance(value, list) else [] if value is None else [value]


def _rows(nodes: Iterable[EdmNode]) -> list[CellRow]:
    every = list(nodes)
    described = _described(every)
    objects = dict.fromkeys(node.address for node in every if node.kind == _OBJECT and node.address)
    if len(objects) < 2:
        return [_flat(every, described)]
    return [_flat([node for node in every if item in _objects_of(node)], described) for item in objects]


def _objects_of(node: EdmNode) -> set[str]:
    """The objects that a resource describes: itself, or those that a proxy or an aggregation names."""
    if node.kind == _OBJECT:
        return {node.address}
    return {value.entity or value.text for name, value in node.statements if name in _NAMES_ITS_OBJECT}


def _described(nodes: Sequence[EdmNode]) -> dict[str, tuple[str, ExtractedText]]:
    """Class and label of the resources that have a label, by their addresses."""
    return {node.address: (node.kind, label) for node in nodes if node.address and (label := _label(node))}


def _flat(nodes: Sequence[EdmNode], described: Mapping[str, tuple[str, ExtractedText]]) -> CellRow:
    labels = {address: label for address, (_, label) in described.items()}
    row: dict[str, list[Json]] = {}
    for kind in _OF_THE_OBJECT:
        for name, text in (pair for node in nodes if node.kind == kind for pair in node.statements):
            value = _value(name, text, labels)
            of_class, _ = described.get(str(value.get("@id")), ("", None))
            columns = (name, f"{name}/{of_class}") if of_class and name in _OF_ANY_CLASS else (name,)
            for column in columns if value else ():
                if value not in row.setdefault(column, []):
                    row[column].append(value)
    objects = [node.address for node in nodes if node.kind == _OBJECT and node.address]
    return {"@id": objects[0].removeprefix(_ITEM).removeprefix("/") if objects else None, **row}


def _label(node: EdmNode) -> ExtractedText | None:
    """What to call a resource: in English, else in no language, else in the first."""
    for label in _LABELS:
        texts = [text for name, text in node.statements if name == label and text.text]
        by_language = {text.language: text for text in reversed(texts)}
        if texts:
            return by_language.get("en") or by_language.get(None) or texts[0]
    return None


def _value(name: str, given: ExtractedText, labels: dict[str, ExtractedText]) -> dict[str, Json]:
    text, language, address = given
    if not address:
        is_address = text in labels or (
            text.startswith(("http://", "https://")) and text == "".join(text.split())
        )
        text, address = ("", text) if is_address else (text, None)
    if address is not None:
        if known := labels.get(address):
            text, language = known.text, known.language
        if name in _ADDRESSES and not text:
            text = address
    value: dict[str, Json] = {"@value": text} if text or address else {}
    if language:
        value["@language"] = language
    if address is not None and name not in _ADDRESSES:
        value["@id"] = address
    return value
