"""Metadata formats: what a mapping takes of an XML element, and turns into a record."""

from collections.abc import Callable
from functools import partial
from typing import TypeAlias

from lxml import etree

from ingest.mapping import Mapping
from ingest.reading.forms import record
from ingest.reading.row import Held, Row
from ingest.reading.settings import Reading

Reader: TypeAlias = Callable[[etree._Element], Held]
"""Makes what a mapping takes of a record's metadata, which stands within ``<metadata>``."""


def dublin_core(element: etree._Element) -> Row:
    """The elements of simple Dublin Core: each name once, with a list of its texts.

    >>> dublin_core(etree.fromstring('<dc xmlns:d="http://purl.org/dc/elements/1.1/"><d:title>A</d:title></dc>'))
    {'title': ['A']}
    """
    row: dict[str, list[str]] = {}
    for one in element.iter(etree.Element):
        text = (one.text or "").strip()
        if text and len(one) == 0:
            row.setdefault(etree.QName(one).localname, []).append(text)
    return {name: list(texts) for name, texts in row.items()}


def reader(mapping: Mapping) -> Reader:
    """How a mapping takes the metadata: by paths as it takes files of that form, or as simple Dublin Core."""
    if mapping.read == Reading():
        return dublin_core
    return partial(record, reading=mapping.read)
