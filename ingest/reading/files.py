"""Files of every form: their rows as they stream by, whatever the file is.

What is broken in one row costs that row only, with its line and a reason. What breaks the whole file
(missing, cut short, not of the promised format) is an :class:`UnreadableFile`, raised when the
reading gets there: the rows before it have been given.
"""

import re
from collections.abc import Callable, Iterator
from itertools import chain
from pathlib import Path
from typing import Final, TypeAlias

from lxml import etree

from ingest.errors import InputError, RejectedRow, UnreadableFile
from ingest.reading import ead, edm, emu, json_files, sheets, tables
from ingest.reading.encodings import by_mark, detected_encoding
from ingest.reading.inputs import BOOKS, TABLES, Input, inputs, reading_bytes
from ingest.reading.row import LocatedRow, Row
from ingest.reading.settings import FileSettings, Limits
from ingest.reading.xml import NAMESPACES, DocumentHead, XmlRecord, clark, line_of, prefixed, records

ReadingProgress: TypeAlias = Callable[[int], None]
"""Called now and then with the bytes of the file, as it lies on the disk, that have been read."""

_ROWS_BETWEEN_REPORTS: Final = 256
_JSON_LINES: Final = (".jsonl", ".ndjson")
_DETECTED: Final = FileSettings()
_HEAD: Final = 1 << 18
_RECORDS_OF_AID: Final = 16  # as long as which a finding aid may be, which is many records
_EDM: Final = "edm"
_EAD: Final = "ead"
# which shipped mapping is for which elements
_FORMS: Final = (
    ("lido", {f"{{{NAMESPACES['lido']}}}lido"}),
    (_EDM, {f"{{{NAMESPACES['edm']}}}ProvidedCHO", f"{{{NAMESPACES['ore']}}}Aggregation"}),
    (_EAD, ead.SIGNS),
    ("mods", {f"{{{NAMESPACES['mods']}}}mods"}),
    ("tei", {f"{{{NAMESPACES['tei']}}}TEI"}),
    ("marcxml", {f"{{{NAMESPACES['marc']}}}record"}),
    ("oai-dc", {f"{{{NAMESPACES['oai_dc']}}}dc"}),
)
_OAI_ANSWER: Final = f"{{{NAMESPACES['oai']}}}OAI-PMH"
_EDM_IN_JSON: Final = re.compile(
    rb'"(?:edm:)?ProvidedCHO"|http://www\.europeana\.eu/schemas/edm/|"proxies"\s*:\s*\['
)
_OMEKA_IN_JSON: Final = re.compile(rb'"o:id"\s*:')


def known_form(given: Input) -> str | None:
    """The name of the shipped mapping for a file, by its beginning; None where its form is no known one."""
    if given.kind in TABLES or given.kind in BOOKS:
        return None
    with reading_bytes(given.name):
        head = given.opened().read(_HEAD)
    if given.kind.startswith(".j") or given.kind in _JSON_LINES:
        text = head.decode(by_mark(head) or "utf-8", "replace").encode("utf-8", "replace")
        return _EDM if _EDM_IN_JSON.search(text) else "omeka-s" if _OMEKA_IN_JSON.search(text) else None
    try:
        names = DocumentHead(head).names()
    except InputError:
        return None  # reading it says what is wrong
    return next((form for form, elements in _FORMS if names & elements), None)


def rows(
    path: Path,
    progress: ReadingProgress | None = None,
    *,
    limits: Limits | None = None,
    reading: FileSettings = _DETECTED,
) -> Iterator[LocatedRow]:
    """The rows of a file, in its order; of an archive one file after the other. Raises as :func:`read`."""
    for given in inputs(path, limits or Limits()):
        yield from read(given, reading, progress=progress)


def read(
    given: Input,
    reading: FileSettings,
    *,
    progress: ReadingProgress | None = None,
    note: Callable[[str], None] | None = None,
) -> Iterator[LocatedRow]:
    """The rows of one file; ``note`` is called before the first with how the file is made, in words.

    Raises ``UnreadableFile`` at what makes the rest unreadable; the rows before were given.
    """
    with reading_bytes(given.name):
        try:
            made, located_rows = _opened(given, reading)
            if note:
                note(made)
            number = 0
            for number, located in enumerate(located_rows, 1):
                if progress and number % _ROWS_BETWEEN_REPORTS == 1:
                    progress(given.position())
                yield located
        except UnreadableFile as broken:
            if broken.detail.startswith(given.meter.name):
                raise
            between = ", " if broken.detail.startswith("line ") else ": "
            raise UnreadableFile(f"{given.name}{between}{broken.detail}") from None
        if progress:
            progress(given.position())
        if not number:
            raise UnreadableFile(f"{given.name} holds no record; is it the file that was meant?")


def _opened(given: Input, reading: FileSettings) -> tuple[str, Iterator[LocatedRow]]:
    """How a file is made, in words, and its rows; sentences of errors lack the name of the file."""
    longest = given.meter.limits.record
    if given.kind in TABLES:
        _refuse_workbook(given)
        usual = "," if given.kind == ".csv" else "\t"
        encoding = reading.encoding or detected_encoding(given.opened())
        return tables.rows(given.opened(), encoding, reading, usual, longest)
    if given.kind in BOOKS:
        return sheets.rows(given.opened(), given.kind, reading, given.meter)
    if given.kind.startswith(".j") or given.kind in _JSON_LINES:
        by_lines = given.kind in _JSON_LINES
        made, located_rows = json_files.rows(given.opened(), reading, longest, by_lines=by_lines)
        return made, _edm_objects(located_rows) if reading.form == _EDM else located_rows
    return _xml_rows(given, reading, longest)


def _refuse_workbook(given: Input) -> None:
    """Raise ``UnreadableFile`` for a workbook that bears the name of a table in text."""
    head = given.opened().read(8)
    for sign, what, ending in (
        (b"PK\x03\x04", "a workbook or a zip archive", ".xlsx, .ods or .zip"),
        (b"\xd0\xcf\x11\xe0", "an old workbook, which is not read: save it as .xlsx", ".xlsx"),
    ):
        if head.startswith(sign):
            raise UnreadableFile(f"it is {what}; let its name end in {ending}")


def _edm_objects(located_rows: Iterator[LocatedRow]) -> Iterator[LocatedRow]:
    for located in located_rows:
        objects = edm.from_json(located.row) if isinstance(located.row, dict) else [located.row]
        yield from (located._replace(row=row) for row in objects)


def _xml_rows(given: Input, reading: FileSettings, longest: int) -> tuple[str, Iterator[LocatedRow]]:
    head = DocumentHead(given.opened().read(_HEAD))
    if reading.form == _EDM:
        by_record = records(
            given.opened(),
            [edm.RECORD],
            longest,
            lambda element: [LocatedRow(line_of(element), row) for row in edm.from_xml(element)],
        )
        return "EDM in RDF/XML", chain.from_iterable(by_record)
    if reading.form == _EAD:
        by_aid = records(
            given.opened(),
            ead.ROOTS,
            longest * _RECORDS_OF_AID,
            lambda element: [
                LocatedRow(line_of(node), row) for node, row in ead.from_element(element, reading.described)
            ],
        )
        return f"EAD, a record for each of: {reading.described}", chain.from_iterable(by_aid)
    if reading.records is not None:
        wanted = [clark(name, reading.namespaces) for name in reading.records.split("|")]
    else:
        forms = (
            elements for form, elements in _FORMS if form not in (_EDM, _EAD) and elements & head.names()
        )
        wanted = sorted(next(forms, None) or [head.usual_records()])
        if wanted == [_OAI_ANSWER]:
            raise UnreadableFile("it is an answer of an OAI-PMH server without a record")
    shown = ", ".join(prefixed(name, reading.namespaces) for name in wanted)
    return f"XML, each {shown} a record", records(
        given.opened(), wanted, longest, lambda node: LocatedRow(line_of(node), row_of(node, reading))
    )


def row_of(element: etree._Element, reading: FileSettings) -> Row:
    """The record that an element of XML is; raises ``RejectedRow`` where it describes several objects."""
    if reading.form == _EAD:
        return next(ead.from_element(element, reading.described))[1]
    if emu.is_record(element):
        emu.name_parts(element)
    if reading.form != _EDM:
        return XmlRecord(element, reading.namespaces)
    first, *others = edm.from_xml(element)
    if others:
        raise RejectedRow(f"it describes {len(others) + 1} objects, and a record is one")
    return first
