"""Metadata formats: a harvested record as a mapping takes it, by the same paths as records of files."""

from typing import Final

from lxml import etree

from ingest.oai.protocol import Item
from ingest.reading.forms import record
from ingest.reading.row import Row
from ingest.reading.settings import FileSettings
from ingest.reading.xml import NAMESPACES, clark

_OAI: Final = f"{{{NAMESPACES['oai']}}}"
_DC: Final = f"{{{NAMESPACES['dc']}}}"
_ELEMENTS: Final = (
    *("title", "creator", "subject", "description", "publisher", "contributor", "date", "type"),
    *("format", "identifier", "source", "language", "relation", "coverage", "rights"),
)
"""The names of simple Dublin Core (ISO 15836-1)."""


def held(item: Item, reading: FileSettings) -> Row | None:
    """What a mapping takes of a record: all of it where it names ``oai:record``, else the metadata alone.

    None where the record came without metadata. Simple Dublin Core is put into its namespace, which not all
    servers name right.
    """
    element = item.metadata
    if element is None:
        return None
    if etree.QName(element).localname == "dc":
        _name_right(element)
    names = [clark(name, reading.namespaces) for name in (reading.records or "").split("|") if name]
    return record(_whole(item, element) if f"{_OAI}record" in names else element, reading)


def _name_right(element: etree._Element) -> None:
    for one in element.iter(etree.Element):
        name = etree.QName(one).localname
        if name in _ELEMENTS:
            one.tag = _DC + name


def _whole(item: Item, metadata: etree._Element) -> etree._Element:
    """The record with its header, in the namespace of the protocol, whatever the server wrote."""
    found = etree.Element(f"{_OAI}record")
    header = etree.SubElement(found, f"{_OAI}header")
    etree.SubElement(header, f"{_OAI}identifier").text = item.header.identifier
    etree.SubElement(header, f"{_OAI}datestamp").text = item.header.datestamp
    etree.SubElement(found, f"{_OAI}metadata").append(metadata)
    return found
