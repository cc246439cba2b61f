"""Workbooks: the rows of a sheet in .xlsx and .ods, read as they stream by.

Libraries for workbooks read styles, or a whole sheet, into memory first, which a hostile file of a few
kilobytes fills. Here the cells alone are read, by the same reader as all other XML.
"""

import re
import zipfile
from array import array
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from functools import lru_cache
from itertools import chain, islice
from tempfile import TemporaryFile
from typing import IO, Final

from lxml import etree

from ingest.errors import UnreadableFile
from ingest.reading import headings, merged_cells
from ingest.reading.inputs import Meter, metered
from ingest.reading.merged_cells import Merge, SheetLine, column
from ingest.reading.row import LocatedRow
from ingest.reading.settings import FileSettings
from ingest.reading.tables import checked, repeats
from ingest.reading.xml import elements
from ingest.storage.files import BAD_ZIP

_MAIN: Final = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_STRICT: Final = "{http://purl.oclc.org/ooxml/spreadsheetml/main}"
_LINKS: Final = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
_RELATION: Final = "{http://schemas.openxmlformats.org/package/2006/relationships}Relationship"
_TABLE: Final = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
_OFFICE: Final = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
_TEXT: Final = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"
_MOST_TITLES: Final = 8  # rows that are looked at for the header
_WIDEST: Final = 16_384
_LONGEST: Final = 1_048_576
_DATE_FORMATS: Final = frozenset({*range(14, 23), *range(27, 37), *range(45, 48), *range(50, 59)})
_IN_DATES: Final = re.compile(r"[ymdhs]", re.IGNORECASE)
_NOT_IN_DATES: Final = re.compile(r'"[^"]*"|\\.|\[[^\]]*\]|_.|\*.')


def rows(
    stream: IO[bytes], kind: str, reading: FileSettings, meter: Meter
) -> tuple[str, Iterator[LocatedRow]]:
    """How a workbook was read, in words, and the rows of one sheet.

    Raises ``UnreadableFile``, without the file's name, for no workbook, no such sheet, or no header.
    """
    with _sound():
        packed = zipfile.ZipFile(stream)
    book: _Xlsx | _Ods = _Xlsx(packed, meter) if kind == ".xlsx" else _Ods(packed, meter)
    names = list(book.sheets())
    if reading.sheet is not None and reading.sheet not in names:
        raise UnreadableFile(f"it has no sheet {reading.sheet!r}; its sheets are: {', '.join(names[:20])}")
    for name in [reading.sheet] if reading.sheet is not None else names:
        header, above, lines = _header(book.lines(name), reading.skip)
        if header is not None:
            made = f"sheet {name!r}" + (f" of {len(names)}" if len(names) > 1 else "")
            made += f", {above} rows above the header left" if above else ""
            below = list(islice(lines, 1))
            second = below[0].cells if below else []
            both = headings.header(header.cells, second, reading.header)
            columns = checked(both.names, header.number)
            rest = lines if both.rows == 2 else chain(below, lines)
            return f"{made}{both.made}{repeats(both.names)}", _rows(rest, columns)
    raise UnreadableFile("no sheet of it holds a row; the first row has to name the columns")


def _header(lines: Iterator[SheetLine], skip: int) -> tuple[SheetLine | None, int, Iterator[SheetLine]]:
    """The row that names the columns, how many rows stand above it, and the rows below it.

    The title of a sheet fills one cell, and stands over rows of several.
    """
    ahead = list(islice(lines, skip + 1 if skip else _MOST_TITLES))
    above = skip or next((at for at, line in enumerate(ahead) if sum(map(bool, line.cells)) > 1), 0)
    if above >= len(ahead):
        return None, above, lines
    return ahead[above], above, chain(ahead[above + 1 :], lines)


def _rows(lines: Iterator[SheetLine], columns: list[str]) -> Iterator[LocatedRow]:
    for number, cells, _ in lines:
        if any(cells[len(columns) :]):
            reason = f"{len(cells)} cells where the header names {len(columns)} columns"
            yield LocatedRow(number, None, reason)
        else:
            cells += [""] * (len(columns) - len(cells))
            yield LocatedRow(number, headings.row(columns, cells))


@contextmanager
def _sound() -> Iterator[None]:
    try:
        yield
    except (*BAD_ZIP, KeyError, ValueError, RuntimeError, OverflowError) as error:
        raise UnreadableFile(
            f"it is no sound workbook ({error}); save it again as .xlsx, or as .csv"
        ) from None


class _Book:
    """A zip file with parts of XML."""

    def __init__(self, packed: zipfile.ZipFile, meter: Meter) -> None:
        self._packed, self._meter = packed, meter

    def _elements(self, part: str, *wanted: str) -> Iterator[etree._Element]:
        with _sound(), self._packed.open(part) as stream:
            yield from elements(metered(stream, self._meter), list(wanted), self._meter.limits.record)

    def _filled(self, lines: Iterable[SheetLine]) -> Iterator[SheetLine]:
        """The rows that hold something, as many as a sheet can have."""
        for number, cells, _ in lines:
            if number > _LONGEST:
                raise UnreadableFile(
                    f"row {number:,} lies beyond the last row that a sheet can have; save it again"
                )
            while cells and not cells[-1]:
                cells.pop()
            self._meter.tick()
            if cells:
                yield SheetLine(number, cells)


class _Xlsx(_Book):
    def sheets(self) -> dict[str, str]:
        """The names of the sheets, each with the name of its part."""
        links = {
            link.get("Id", ""): link.get("Target", "")
            for link in self._elements("xl/_rels/workbook.xml.rels", _RELATION)
        }
        sheets: dict[str, str] = {}
        for sheet in self._named("xl/workbook.xml", "sheet"):
            link = sheet.get(_LINKS) or next((v for k, v in sheet.items() if str(k).endswith("}id")), "")
            target = links.get(str(link), "")
            part = target.lstrip("/") if target.startswith("/") else f"xl/{target}"
            if part in self._packed.NameToInfo:
                sheets[sheet.get("name", part)] = part
        return sheets

    def lines(self, name: str) -> Iterator[SheetLine]:
        with TemporaryFile() as file:
            texts = (_runs(entry) for entry in self._named("xl/sharedStrings.xml", "si", optional=True))
            strings, part = _Strings(texts, file), self.sheets()[name]
            with _sound(), self._packed.open(part) as stream:
                merges = merged_cells.of_xlsx(metered(stream, self._meter))
            lines = self._lines(part, strings, self._dates())
            merged = (line._replace(merges=merges.get(line.number, ())) for line in lines)
            yield from self._filled(merged_cells.filled_down(merged))

    def _named(self, part: str, *names: str, optional: bool = False) -> Iterator[etree._Element]:
        """The elements of some names in a part, in either form of the format."""
        if not optional or part in self._packed.NameToInfo:
            yield from self._elements(part, *(space + name for space in (_MAIN, _STRICT) for name in names))

    def _dates(self) -> tuple[set[int], datetime]:
        """The styles that show a number as a date, and the day from which days are counted."""
        base = datetime(1899, 12, 30)
        for book in self._named("xl/workbook.xml", "workbookPr"):
            if book.get("date1904") in ("1", "true"):
                base = datetime(1904, 1, 1)
        own: dict[str, bool] = {}
        shown: set[int] = set()
        for element in self._named("xl/styles.xml", "numFmt", "cellXfs", optional=True):
            if element.tag.endswith("numFmt"):
                code = _NOT_IN_DATES.sub("", element.get("formatCode", ""))
                own[element.get("numFmtId", "")] = _IN_DATES.search(code) is not None
            else:
                for place, style in enumerate(element):
                    number = style.get("numFmtId", "0")
                    if own.get(number, number.isdecimal() and int(number) in _DATE_FORMATS):
                        shown.add(place)
        return shown, base

    def _lines(self, part: str, strings: "_Strings", dates: tuple[set[int], datetime]) -> Iterator[SheetLine]:
        number = 0
        for row in self._named(part, "row"):
            stated = row.get("r", "")
            number = int(stated) if stated.isdecimal() and len(stated) < 10 else number + 1
            cells: list[str] = []
            for cell in row:
                place = column(cell.get("r", "")) if cell.get("r") else len(cells)
                if not 0 <= place < _WIDEST:
                    raise UnreadableFile(
                        f"row {number:,} has a cell beyond the last column that a sheet can have"
                    )
                cells += [""] * (place - len(cells))
                cells[place : place + 1] = [_cell(cell, strings, dates)]
            yield SheetLine(number, cells)


def _runs(entry: etree._Element) -> str:
    """The text of a string, of one or several runs; readings (ruby) are no part of it."""
    runs = (element for element in entry.iter(etree.Element) if str(element.tag).endswith("}t"))
    read = (run for run in runs if not str(getattr(run.getparent(), "tag", "")).endswith("}rPh"))
    return "".join(run.text or "" for run in read)


def _cell(cell: etree._Element, strings: "_Strings", dates: tuple[set[int], datetime]) -> str:
    kind = cell.get("t", "n")
    if kind == "inlineStr":
        return _runs(cell)
    text = next((child.text or "" for child in cell if str(child.tag).endswith("}v")), "").strip()
    if kind == "s":
        return strings[text]
    if kind in ("str", "d"):
        return text
    if kind == "b":
        return "yes" if text == "1" else "no"
    if kind == "e" or not text:
        return ""
    style = cell.get("s", "0")
    is_date = style.isdecimal() and int(style[:9]) in dates[0]
    return _day(text, dates[1]) if is_date else _number(text)


def _number(text: str) -> str:
    """A number as people write it."""
    if text.lstrip("-").isdecimal():
        return text
    try:
        value = float(text)
    except ValueError:
        return text
    return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)


def _day(text: str, base: datetime) -> str:
    try:
        moment = base + timedelta(days=float(text))
    except (ValueError, OverflowError):
        return text
    return f"{moment:%Y-%m-%d}" if not (moment.hour or moment.minute) else f"{moment:%Y-%m-%d %H:%M}"


class _Strings:
    """The shared strings of a workbook, in a file aside: there may be a million."""

    def __init__(self, strings: Iterable[str], file: IO[bytes]) -> None:
        self._file = file
        self._ends = array("Q", [0])
        end = 0
        for text in strings:
            data = text.encode("utf-8", "replace")
            self._file.write(data)
            end += len(data)
            self._ends.append(end)
        self._file.flush()
        self._get = lru_cache(maxsize=10_000)(self._read)

    def __getitem__(self, number: str) -> str:
        place = int(number) if number.isdecimal() and len(number) < 10 else -1
        if not 0 <= place < len(self._ends) - 1:
            raise UnreadableFile(
                f"a cell names the text {number[:20]}, which it does not have; save it again"
            )
        return self._get(place)

    def _read(self, place: int) -> str:
        self._file.seek(self._ends[place])
        return self._file.read(self._ends[place + 1] - self._ends[place]).decode()


class _Ods(_Book):
    def sheets(self) -> list[str]:
        return list(dict.fromkeys(name for name, *_ in self._repeated()))

    def lines(self, name: str) -> Iterator[SheetLine]:
        return self._filled(merged_cells.filled_down(self._lines(name)))

    def _lines(self, name: str) -> Iterator[SheetLine]:
        number = 0
        for table, cells, times, spans in self._repeated():
            if table == name:
                merges = [Merge(place, number + rows) for place, rows in spans]
                for at in range(times if cells else 1):
                    yield SheetLine(min(number + at + 1, _LONGEST + 1), cells.copy(), merges)
                number += times if cells or number + times < _LONGEST else 1

    def _repeated(self) -> Iterator[tuple[str, list[str], int, list[tuple[int, int]]]]:
        """Every row with the name of its sheet, how many times it stands there, and its merges.

        A merge is the place of its cell and over how many rows it reaches.
        """
        for row in self._elements("content.xml", _TABLE + "table-row"):
            table = next(row.iterancestors(_TABLE + "table"), None)
            name = table.get(_TABLE + "name", "") if table is not None else ""
            cells, spans = _ods_cells(row)
            yield name, cells, _times(row, "number-rows-repeated", _LONGEST), spans


def _times(element: etree._Element, name: str, most: int) -> int:
    text = element.get(_TABLE + name, "1")
    return max(1, min(int(text), most)) if text.isdecimal() and len(text) < 10 else 1


def _ods_cells(row: etree._Element) -> tuple[list[str], list[tuple[int, int]]]:
    cells: list[str] = []
    spans: list[tuple[int, int]] = []
    blank = 0
    for cell in row:
        times = _times(cell, "number-columns-repeated", _WIDEST)
        text = _ods_text(cell)
        if not text:
            blank += times
            continue
        if len(cells) + blank + times > _WIDEST:
            raise UnreadableFile("a row has a cell beyond the last column that a sheet can have")
        cells += [""] * blank
        if (rows := _times(cell, "number-rows-spanned", _LONGEST)) > 1:
            spans.append((len(cells), rows))
        cells += [text] * times
        blank = 0
    return cells, spans


def _ods_text(cell: etree._Element) -> str:
    kind = cell.get(_OFFICE + "value-type")
    if kind == "date":
        return cell.get(_OFFICE + "date-value", "").removesuffix("T00:00:00").replace("T", " ")
    if kind == "float":
        return _number(cell.get(_OFFICE + "value", ""))
    for blank in cell.iter(_TEXT + "s", _TEXT + "tab", _TEXT + "line-break"):
        blank.text = " "
    return "\n".join("".join(map(str, part.itertext())) for part in cell if part.tag == _TEXT + "p")
