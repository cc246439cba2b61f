"""The Europeana Data Model: what its resources say of an object, as one flat row.

The object itself, its proxies and aggregations are laid together under names with prefixes (``dc:title``). A
value that is the address of an agent, a place, a concept or a time span that the record describes
too gets its label.
RDF/XML, JSON-LD and the answers of Europeana's record API come out alike.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from lxml import etree

from ingest.reading.row import CellRow, ExtractedText, Json
from ingest.reading.xml import NAMESPACES, prefixed, text_of

RECORD: Final = f"{{{NAMESPACES['rdf']}}}RDF"
"""The element of one record in RDF/XML."""

_RDF = f"{{{NAMESPACES['rdf']}}}"
_LANG = f"{{{NAMESPACES['xml']}}}lang"
_OBJECT = ("edm:ProvidedCHO",)
_ABOUT_IT = ("edm:ProvidedCHO", "ore:Proxy", "ore:Aggregation", "edm:EuropeanaAggregation")
_NAMES_ITS_OBJECT = ("ore:proxyFor", "edm:aggregatedCHO")
_LABELS = ("skos:prefLabel", "rdfs:label", "foaf:name", "skos:altLabel")
_ADDRESSES = frozenset(
    f"edm:{name}"
    for name in ("isShownBy", "isShownAt", "object", "rights", "hasView", "landingPage", "preview")
)
_API = {
    "providedCHOs": "edm:ProvidedCHO",
    "proxies": "ore:Proxy",
    "aggregations": "ore:Aggregation",
    "europeanaAggregation": "edm:EuropeanaAggregation",
    "agents": "edm:Agent",
    "places": "edm:Place",
    "concepts": "skos:Concept",
    "timespans": "edm:TimeSpan",
    "organizations": "foaf:Organization",
}
_API_KEY = re.compile(r"(dcterms|dc|edm|ore|skos|foaf)([A-Z]\w*)")
_SPACES = {address: prefix for prefix, address in NAMESPACES.items()}
_ITEM = "http://data.europeana.eu/item/"


class Node(NamedTuple):
    """A resource: its class, its address and what is said of it."""

    kind: str
    about: str
    said: list[tuple[str, ExtractedText]]


def from_xml(record: etree._Element) -> list[CellRow]:
    """A row for each object that an ``rdf:RDF`` element describes; one without an id where it names none.

    >>> rdf, e, dc = (NAMESPACES[prefix] for prefix in ("rdf", "edm", "dc"))
    >>> [row] = from_xml(etree.fromstring(
    ...     f"<r:RDF xmlns:r='{rdf}' xmlns:e='{e}' xmlns:d='{dc}'>"
    ...     "<e:ProvidedCHO r:about='x:1'><d:title>Veduta</d:title></e:ProvidedCHO></r:RDF>"))
    >>> row["@id"], row["dc:title"]
    ('x:1', [{'@value': 'Veduta'}])
    """
    return _rows(
        Node(
            prefixed(child.tag),
            child.get(_RDF + "about", ""),
            [_xml_said(each) for each in child if _named(each)],
        )
        for child in record
        if _named(child)
    )


def _named(element: etree._Element) -> bool:
    return isinstance(element.tag, str)


def _xml_said(element: etree._Element) -> tuple[str, ExtractedText]:
    address = element.get(_RDF + "resource")
    if address is None and len(element):  # a resource that is written out within
        address = element[0].get(_RDF + "about") if _named(element[0]) else None
    return prefixed(str(element.tag)), ExtractedText(text_of(element).strip(), element.get(_LANG), address)


def from_json(document: CellRow) -> list[CellRow]:
    """A row for each object of a JSON-LD document, or that of an answer of Europeana's record API.

    >>> [found] = from_json({"@graph": [{"@id": "x:1", "@type": "edm:ProvidedCHO", "dc:title": "Veduta"}]})
    >>> found["dc:title"]
    [{'@value': 'Veduta'}]
    """
    inner = document.get("object")
    held = inner if isinstance(inner, dict) else document
    if "proxies" in held or "aggregations" in held:
        nodes = list(_api_nodes(held))
        return [_flat(nodes, _labels(nodes))]  # an answer is of one object, whose id it writes in two ways
    graph = held.get("@graph")
    return _rows(_linked_nodes(graph if isinstance(graph, list) else [held]))


def _linked_nodes(graph: list[Json]) -> Iterator[Node]:
    waiting, number = [node for node in graph[::-1] if isinstance(node, dict)], 0
    while waiting:
        node = waiting.pop()
        number += 1
        kinds = [_short(kind) for kind in _list(node.get("@type", node.get("type"))) if isinstance(kind, str)]
        about = node.get("@id", node.get("id"))
        said = []
        for key, held in node.items():
            if not key.startswith("@"):
                for each in _list(held):
                    said += [(_short(key), found) for found in _linked_found(each)]
                    if isinstance(each, dict) and ("@type" in each or len(each) > 1) and "@value" not in each:
                        waiting.append(each)
        yield Node(next(iter(kinds), ""), about if isinstance(about, str) else "", said)


def _linked_found(held: Json) -> Iterator[ExtractedText]:
    if isinstance(held, dict):
        text, language, node = held.get("@value"), held.get("@language"), held.get("@id")
        if isinstance(text, str) or isinstance(node, str):
            yield ExtractedText(
                text if isinstance(text, str) else "",
                language if isinstance(language, str) else None,
                node if isinstance(node, str) else None,
            )
    elif isinstance(held, str | int | float) and not isinstance(held, bool):
        yield ExtractedText(str(held))


def _short(name: str) -> str:
    """A name with its prefix where it is a whole address: ``dc:title``; terms without one are common ones."""
    for address, prefix in _SPACES.items():
        if name.startswith(address):
            return f"{prefix}:{name[len(address) :]}"
    if ":" in name:
        return name
    return _BARE.get(name, name)


_BARE = {kind.partition(":")[2]: kind for kind in (*_API.values(), *_LABELS)}
_BARE |= {
    name: f"dc:{name}"
    for name in (
        "title",
        "creator",
        "contributor",
        "subject",
        "description",
        "date",
        "source",
        "type",
        "rights",
    )
}
_BARE |= {name: f"edm:{name}" for name in ("dataProvider", "provider", "isShownBy", "isShownAt", "object")}
_BARE |= {
    name: f"dcterms:{name}" for name in ("spatial", "temporal", "created", "issued", "alternative", "medium")
}


def _api_nodes(held: dict[str, Json]) -> Iterator[Node]:
    about = held.get("about")
    if isinstance(about, str):
        yield Node("edm:ProvidedCHO", about, [])
    for key, kind in _API.items():
        for node in _list(held.get(key)):
            if isinstance(node, dict):
                name = node.get("about")
                said = [(_api_key(key), found) for key, each in node.items() for found in _api_found(each)]
                yield Node(kind, name if isinstance(name, str) else "", said)


def _api_key(key: str) -> str:
    """The name of a property that the record API writes in one word.

    >>> _api_key("dcTitle"), _api_key("dctermsSpatial"), _api_key("prefLabel")
    ('dc:title', 'dcterms:spatial', 'skos:prefLabel')
    """
    match = _API_KEY.fullmatch(key)
    if match:
        return f"{match[1]}:{match[2][0].lower()}{match[2][1:]}"
    return _BARE.get(key, key)


def _api_found(held: Json) -> Iterator[ExtractedText]:
    if isinstance(held, dict):
        for language, texts in held.items():
            for text in _list(texts):
                if isinstance(text, str):
                    yield ExtractedText(text, None if language in ("def", "zxx", "und") else language)
    else:
        for text in _list(held):
            if isinstance(text, str | bool):
                yield ExtractedText(str(text).lower() if isinstance(text, bool) else text)


def _list(held: Json) -> list[Json]:
    return held if isinstance(held, list) else [] if held is None else [held]


def _rows(nodes: Iterator[Node]) -> list[CellRow]:
    every = list(nodes)
    labels = _labels(every)
    objects = dict.fromkeys(node.about for node in every if node.kind in _OBJECT and node.about)
    if len(objects) < 2:
        return [_flat(every, labels)]
    return [_flat([node for node in every if about in _objects_of(node)], labels) for about in objects]


def _objects_of(node: Node) -> set[str]:
    """The objects that a resource is about: itself, or those that a proxy or an aggregation names."""
    if node.kind in _OBJECT:
        return {node.about}
    return {found.entity or found.text for name, found in node.said if name in _NAMES_ITS_OBJECT}


def _labels(nodes: Sequence[Node]) -> dict[str, ExtractedText]:
    return {node.about: label for node in nodes if node.about and (label := _label(node))}


def _flat(nodes: Sequence[Node], labels: dict[str, ExtractedText]) -> CellRow:
    """One row of what several resources say of one object."""
    row: dict[str, list[Json]] = {}
    for kind in _ABOUT_IT:
        for name, found in (said for node in nodes if node.kind == kind for said in node.said):
            value = _value(name, found, labels)
            if value and value not in row.setdefault(name, []):
                row[name].append(value)
    objects = [node.about for node in nodes if node.kind in _OBJECT and node.about]
    return {"@id": _identifier(objects[0]) if objects else None, **row}


def _identifier(about: str) -> str:
    """The id of an object without what stands before all ids of Europeana."""
    return about.removeprefix(_ITEM).removeprefix("/")


def _label(node: Node) -> ExtractedText | None:
    """What to call a resource: in English, else in no language, else in the first."""
    for name in _LABELS:
        texts = [found for said, found in node.said if said == name and found.text]
        by_language = {found.language: found for found in reversed(texts)}
        if texts:
            return by_language.get("en") or by_language.get(None) or texts[0]
    return None


def _value(name: str, found: ExtractedText, labels: dict[str, ExtractedText]) -> dict[str, Json]:
    address = found.entity or (found.text if found.text in labels or _is_address(found.text) else None)
    text, language = found.text, found.language
    if address is not None:
        known = labels.get(address)
        written = found.text if found.entity else ""
        text, language = (known.text, known.language) if known else (written, language)
        if name in _ADDRESSES and not text:
            text = address
    value: dict[str, Json] = {"@value": text} if text or address else {}
    if language:
        value["@language"] = language
    if address is not None and name not in _ADDRESSES:
        value["@id"] = address
    return value


def _is_address(text: str) -> bool:
    return text.startswith(("http://", "https://")) and not any(mark.isspace() for mark in text)
