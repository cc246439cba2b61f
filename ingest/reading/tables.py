"""Tables in text: CSV and its kin, whatever separates, quotes and encodes their cells.

A broken row costs that row, with its line and a reason. A header that cannot be used is an
``UnreadableFile``.
"""

import csv
import re
from collections import Counter
from collections.abc import Iterator
from typing import IO, NamedTuple, Self

from ingest.errors import UnreadableFile
from ingest.reading import headings
from ingest.reading.encodings import as_utf8, said
from ingest.reading.row import LocatedRow
from ingest.reading.settings import FileSettings

_SEPARATORS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}
_SAMPLE_ROWS = 200
_SAMPLE = 1 << 17
_SURE = 1 << 14


class Dialect(NamedTuple):
    """How the cells of a table are told apart."""

    separator: str
    quote: str  # empty: no cell is quoted
    skipped: int = 0  # lines before the header

    def __str__(self) -> str:
        """As a person says it."""
        between = _SEPARATORS.get(self.separator, repr(self.separator))
        return f"{between} between cells, " + (f"{self.quote} around them" if self.quote else "no quotes")

    def reader(self, lines: Iterator[str]) -> Iterator[list[str]]:
        """The rows of some lines."""
        if not self.quote:
            return csv.reader(lines, delimiter=self.separator, quoting=csv.QUOTE_NONE, strict=True)
        return csv.reader(lines, delimiter=self.separator, quotechar=self.quote, strict=True)


class _Line(NamedTuple):
    number: int
    data: bytes | None  # None where it is longer than any line that is read


def lines(stream: IO[bytes], longest: int) -> Iterator[_Line]:
    """The lines of a stream of UTF-8, numbered from 1, without a mark in front."""
    number = 0
    while data := stream.readline(longest):
        number += 1
        if len(data) == longest and not data.endswith(b"\n"):
            while (rest := stream.readline(longest)) and not rest.endswith(b"\n"):
                pass
            yield _Line(number, None)
        else:
            yield _Line(number, data.removeprefix(b"\xef\xbb\xbf") if number == 1 else data)


def too_long(line: int, longest: int) -> LocatedRow:
    """The place of a row that is longer than any that is read."""
    shown = f"{longest / 1024 / 1024:g} MiB" if longest >= 1024 * 1024 else f"{longest:,} bytes"
    return LocatedRow(line, None, f"longer than {shown} (ingest.limits.record); is a line break missing?")


def dialect(sample: str, reading: FileSettings, usual: str) -> Dialect:
    """How the cells of a table are told apart, by the rows at its beginning.

    That separator and that quote are chosen by which most rows have as many cells as the header.

    >>> str(dialect('id;title\\n1;"Venice; a view"\\n', FileSettings(), ","))
    'semicolons between cells, " around them'
    >>> str(dialect("id\\ttitle\\n1\\t12\\" record\\n2\\t\\"Untitled\\n", FileSettings(), ","))
    'tabs between cells, no quotes'
    """
    rows = sample.splitlines(keepends=True)
    named = rows[0].strip().lower() if rows else ""
    skipped, told = (1, named[4:5]) if named.startswith("sep=") and len(named) == 5 else (0, "")
    separators = [reading.separator or told] if reading.separator or told else [usual, *_SEPARATORS]
    single = ["'"] if any(f"'{mark}'" in sample for mark in separators) else []
    quotes = ['"', *single, ""] if reading.quote is None else [reading.quote]
    if reading.quote is None and any(_surely_quoted(sample, mark) for mark in separators):
        quotes.remove("")
    tried = (
        Dialect(separator, quote, skipped) for separator in dict.fromkeys(separators) for quote in quotes
    )
    return max(tried, key=lambda one: _fitness(one, rows[skipped:]))


def _surely_quoted(sample: str, separator: str) -> bool:
    """Whether a cell in quotes holds the separator, a line break or a quote that is doubled."""
    mark = re.escape(separator)
    inner = rf'(?:^|{mark})"[^"{mark}\n]*(?:""|[{mark}\n])[^"]*"(?:{mark}|$)'
    return re.search(inner, sample[:_SURE], re.MULTILINE) is not None


def _fitness(tried: Dialect, rows: list[str]) -> tuple[float, int, int]:
    """The share of rows with as many cells as the header, quoted cells, cells of the header."""
    reader = tried.reader(iter(rows))
    counts: list[int] = []
    while len(counts) <= _SAMPLE_ROWS:
        try:
            counts.append(len(next(reader)))
        except StopIteration:
            break
        except csv.Error:
            counts.append(-1)
    width, *others = counts or [0]
    others = [count for count in others if count]
    even = others.count(width) / len(others) if others else 0.5
    quoted = (
        sum(row.count(tried.quote + tried.separator) for row in rows[:_SAMPLE_ROWS]) if tried.quote else 0
    )
    return (round(even, 2) if width > 1 else -1.0), quoted, width


def rows(
    raw: IO[bytes], encoding: str, reading: FileSettings, usual: str, longest: int
) -> tuple[str, Iterator[LocatedRow]]:
    """How a table was read, in words, and its rows; ``usual`` separates cells where nothing tells what does.

    Raises:
        UnreadableFile: its header cannot be used (when the first row is asked for); the sentence lacks the
            name of the file.
    """
    texts = _Texts(as_utf8(raw, encoding), longest)
    sample = texts.sample(_SAMPLE)
    spoken = dialect(sample, reading, usual)
    second = _second_row_names(sample, spoken)
    made = f"{said(encoding)}, {spoken}" + (f", {headings.SECOND_ROW}" if second else "")
    return made, _cells(texts, spoken, longest, second=second)


def _second_row_names(sample: str, spoken: Dialect) -> bool:
    """Whether the second row of a table names its columns, and not the first."""
    try:
        return headings.in_second_row(spoken.reader(iter(sample.splitlines(keepends=True)[spoken.skipped :])))
    except csv.Error:
        return False  # reading the rows says so


def _cells(texts: "_Texts", spoken: Dialect, longest: int, *, second: bool) -> Iterator[LocatedRow]:
    """Rows of a table whose first or second row names the columns; a quoted cell may hold line breaks."""
    csv.field_size_limit(longest)  # of the whole process, and of 128 KiB otherwise
    for _ in range(spoken.skipped):
        next(texts)
    reader = spoken.reader(texts)
    header = _header(reader, texts, longest)
    if second:
        header = headings.of_both(header, _next_filled(reader))
    while True:
        line = texts.number + 1
        texts.begin()
        try:
            cells = next(reader)
        except StopIteration:
            return
        except _TooLong:
            reader = spoken.reader(texts)
            yield too_long(line, longest)
            continue
        except csv.Error as error:
            yield LocatedRow(line, None, f"not a sound row: {error}; are quotes doubled within quoted cells?")
            continue
        if cells and (len(cells) > 1 or cells[0].strip()):
            yield _row(line, header, cells)


class _TooLong(Exception):
    """A line or a row of a table is longer than any that is read."""


class _Texts:
    """The lines of a table as the csv module takes them, which goes on behind a line that is too long.

    Undecodable bytes travel as lone surrogates, and are found again in the row that they spoil.
    """

    def __init__(self, stream: IO[bytes], longest: int) -> None:
        self.number = 0  # of the line given last
        self._lines = lines(stream, longest)
        self._longest = longest
        self._row = 0  # characters of the row so far
        self._ahead: list[_Line] = []

    def sample(self, size: int) -> str:
        """The first lines, which are given again."""
        length = 0
        for line in self._lines:
            self._ahead.append(line)
            length += len(line.data or b"")
            if length >= size or line.data is None:
                break
        whole = [line.data.decode("utf-8", "replace") for line in self._ahead if line.data is not None]
        self._ahead.reverse()
        return "".join(whole)

    def begin(self) -> None:
        """A row begins."""
        self._row = 0

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> str:
        self.number, data = self._ahead.pop() if self._ahead else next(self._lines)
        if data is None:
            raise _TooLong
        self._row += len(data)
        if self._row > self._longest:
            raise _TooLong
        return data.decode("utf-8", "surrogateescape")


def _row(line: int, header: list[str], cells: list[str]) -> LocatedRow:
    while len(cells) > len(header) and not cells[-1].strip():
        cells.pop()  # spreadsheets close rows with separators
    if len(cells) != len(header):
        counted = "1 cell" if len(cells) == 1 else f"{len(cells)} cells"
        return LocatedRow(line, None, f"{counted} where the header names {len(header)} columns")
    if not sound(cells):
        return LocatedRow(line, None, "not UTF-8; save the file as UTF-8")
    return LocatedRow(line, headings.row(header, cells))


def sound(cells: list[str]) -> bool:
    """Whether all characters of some cells could be read."""
    try:
        "".join(cells).encode()
    except UnicodeEncodeError:
        return False
    return True


def _next_filled(reader: Iterator[list[str]]) -> list[str]:
    """The next row that is not blank; raises ``StopIteration`` where there is none."""
    cells: list[str] = []
    while not any(cells):
        cells = [cell.strip() for cell in next(reader)]
    return cells


def _header(reader: Iterator[list[str]], texts: _Texts, longest: int) -> list[str]:
    try:
        names = _next_filled(reader)
    except StopIteration:
        names = []
    except csv.Error as error:
        raise UnreadableFile(f"line 1: the header cannot be read: {error}") from None
    except _TooLong:
        raise UnreadableFile(f"line 1: the header is {too_long(1, longest).reason}") from None
    return checked(names, texts.number)


def checked(names: list[str], line: int) -> list[str]:
    """The names of columns, those without one by their place; raises ``UnreadableFile``."""
    if not any(names):
        raise UnreadableFile("no line names the columns: the file is empty, or holds blank lines only")
    if not sound(names) or "\ufffd" in "".join(names):
        raise UnreadableFile(f"line {line or 1}: the first line has to name the columns, in UTF-8")
    while not names[-1]:
        names.pop()
    names = [name or f"column {place}" for place, name in enumerate(names, 1)]
    twice = sorted(name for name, number in Counter(names).items() if number > 1)
    if twice:
        shown = ", ".join(map(repr, twice[:10]))
        raise UnreadableFile(f"line {line}: the header names {shown} more than once")
    return names
