"""Metadata formats: an XML element becomes a row, which a mapping then turns into a record."""

from collections.abc import Callable
from typing import Final, TypeAlias

from lxml import etree

from ingest.mapping import Row

Reader: TypeAlias = Callable[[etree._Element], Row]
"""Makes the row of a record's metadata, which stands within ``<metadata>``."""


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


READERS: Final[dict[str, Reader]] = {"oai_dc": dublin_core}
"""The reader of a metadataPrefix."""


def reader(prefix: str) -> Reader:
    """The reader of a metadataPrefix; of one that has none of its own the leaves are read by their names."""
    return READERS.get(prefix, dublin_core)
