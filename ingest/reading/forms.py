"""The known forms of XML and JSON, told from the beginning of a file, and the records of XML files."""

import re
from collections.abc import Callable, Iterator
from itertools import chain
from typing import IO

from lxml import etree

from ingest.errors import InputError, RejectedRow, UnreadableFile
from ingest.reading import edm
from ingest.reading.encodings import by_mark
from ingest.reading.inputs import TABLES, Input, reading_bytes
from ingest.reading.row import LocatedRow, Row
from ingest.reading.settings import FileSettings
from ingest.reading.xml import NAMESPACES, DocumentHead, XmlRecord, clark, line_of, prefixed, records

_HEAD = 1 << 18
_FORMS = (
    ("lido", {f"{{{NAMESPACES['lido']}}}lido"}),
    ("edm", {f"{{{NAMESPACES['edm']}}}ProvidedCHO", f"{{{NAMESPACES['ore']}}}Aggregation"}),
    ("mods", {f"{{{NAMESPACES['mods']}}}mods"}),
    ("marcxml", {f"{{{NAMESPACES['marc']}}}record"}),
    ("oai-dc", {f"{{{NAMESPACES['oai_dc']}}}dc"}),
)
"""Which mapping is for which elements."""

_ANSWER = f"{{{NAMESPACES['oai']}}}OAI-PMH"
_EDM = re.compile(rb'"(?:edm:)?ProvidedCHO"|http://www\.europeana\.eu/schemas/edm/|"proxies"\s*:\s*\[')
_OMEKA = re.compile(rb'"o:id"\s*:')


def known(given: Input) -> str | None:
    """The name of the shipped mapping that a file is for, if its form is a known one."""
    if given.kind in TABLES or given.kind in (".xlsx", ".ods"):
        return None
    with reading_bytes(given.name):
        head = given.opened().read(_HEAD)
    if given.kind.startswith(".j") or given.kind == ".ndjson":
        text = head.decode(by_mark(head) or "utf-8", "replace").encode("utf-8", "replace")
        return "edm" if _EDM.search(text) else "omeka-s" if _OMEKA.search(text) else None
    try:
        names = DocumentHead(head).names()
    except InputError:
        return None  # reading it says what is wrong
    return next((form for form, elements in _FORMS if names & elements), None)


def rows(
    opened: Callable[[], IO[bytes]], reading: FileSettings, longest: int
) -> tuple[str, Iterator[LocatedRow]]:
    """How an XML file is made, in words, and its records.

    Raises:
        UnreadableFile: it is no sound XML; the sentence lacks the name of the file.
    """
    head = DocumentHead(opened().read(_HEAD))
    if reading.form == "edm":
        found = records(opened(), [edm.RECORD], longest, _edm)
        return "EDM in RDF/XML", chain.from_iterable(found)
    if reading.records is not None:
        wanted = [clark(name, reading.namespaces) for name in reading.records.split("|")]
    else:
        known = next(
            (elements for form, elements in _FORMS if form != "edm" and elements & head.names()), None
        )
        wanted = sorted(known) if known else [head.usual_records()]
        if wanted == [_ANSWER]:
            raise UnreadableFile("it is an answer of an OAI-PMH server without a record")
    shown = ", ".join(prefixed(name, reading.namespaces) for name in wanted)
    return f"XML, each {shown} a record", records(opened(), wanted, longest, _reader(reading))


def record(element: etree._Element, reading: FileSettings) -> Row:
    """The record that an element holds, as a mapping takes it: what harvested pages are read with, too.

    Raises:
        RejectedRow: it describes several objects, and whoever gave it takes it for one.
    """
    if reading.form != "edm":
        return XmlRecord(element, reading.namespaces)
    first, *others = edm.from_xml(element)
    if others:
        raise RejectedRow(f"it describes {len(others) + 1} objects, and a record is one")
    return first


def _edm(element: etree._Element) -> list[LocatedRow]:
    return [LocatedRow(line_of(element), row) for row in edm.from_xml(element)]


def _reader(reading: FileSettings) -> Callable[[etree._Element], LocatedRow]:
    return lambda element: LocatedRow(line_of(element), record(element, reading))
