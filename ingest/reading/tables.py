"""Tables in text: CSV and its kin, whatever separates, quotes and encodes their cells.

A broken row costs that row, with its line and a reason. A header that cannot be used, the whole file.
"""

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator
from itertools import chain, islice
from typing import IO, TYPE_CHECKING, NamedTuple, Self

from ingest.errors import UnreadableFile
from ingest.reading import headings
from ingest.reading.encodings import as_utf8, encoding_title
from ingest.reading.row import LocatedRow
from ingest.reading.settings import FileSettings

if TYPE_CHECKING:
    from typing_extensions import Buffer

_SEPARATORS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}
_SAMPLE_ROWS = 200
_SAMPLE = 1 << 17
_SURE = 1 << 14
_MOST_TITLES = 8
_SHOWN = 10  # of the headings that repeat


class Dialect(NamedTuple):
    """How the cells of a table are separated and quoted."""

    separator: str
    quote: str  # empty: no cell is quoted
    skipped: int = 0  # lines before the header

    def __str__(self) -> str:
        between = _SEPARATORS.get(self.separator, repr(self.separator))
        above = f", {self.skipped} lines above the header left" if self.skipped > 1 else ""
        above = ", the line above the header left" if self.skipped == 1 else above
        return f"{between} between cells, {f'{self.quote} around them' if self.quote else 'no quotes'}{above}"

    def reader(self, lines: Iterator[str]) -> Iterator[list[str]]:
        """The rows of some lines."""
        return csv.reader(
            lines,
            delimiter=self.separator,
            quotechar=self.quote or '"',
            quoting=csv.QUOTE_MINIMAL if self.quote else csv.QUOTE_NONE,
            strict=True,
        )


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
    """The result for a row that is longer than any that is read."""
    shown = f"{longest / 1024 / 1024:g} MiB" if longest >= 1024 * 1024 else f"{longest:,} bytes"
    return LocatedRow(line, None, f"longer than {shown} (ingest.limits.record); is a line break missing?")


def dialect(sample: str, reading: FileSettings, usual: str) -> Dialect:
    """The dialect of a table, by the rows at its beginning.

    That separator and that quote are chosen by which most rows have as many cells as the header.
    """
    rows = sample.splitlines(keepends=True)
    first = rows[0].strip().lower() if rows else ""
    skipped, declared = (1, first[4:5]) if first.startswith("sep=") and len(first) == 5 else (0, "")
    separator = reading.separator or declared
    separators = [separator] if separator else [usual, *_SEPARATORS]
    single = ["'"] if any(f"'{mark}'" in sample for mark in separators) else []
    quotes = ['"', *single, ""] if reading.quote is None else [reading.quote]
    if reading.quote is None and any(_surely_quoted(sample, mark) for mark in separators):
        quotes.remove("")
    skipped += reading.skip
    plain = [Dialect(mark, quote, skipped) for mark in dict.fromkeys(separators) for quote in quotes]
    titled = [one._replace(skipped=skipped + _titles(one, rows[skipped:])) for one in plain]
    # the header is where the mapping says it is; a line of one cell above rows of several is none
    candidates = plain if reading.skip else dict.fromkeys((*titled, *plain))
    return max(candidates, key=lambda candidate: _fitness(candidate, rows[candidate.skipped :]))


def _surely_quoted(sample: str, separator: str) -> bool:
    """Whether a cell in quotes holds the separator, a line break or a quote that is doubled."""
    mark = re.escape(separator)
    inner = rf'(?:^|{mark})"[^"{mark}\n]*(?:""|[{mark}\n])[^"]*"(?:{mark}|$)'
    return re.search(inner, sample[:_SURE], re.MULTILINE) is not None


def _titles(candidate: Dialect, rows: list[str]) -> int:
    """How many lines stand above the header: those with one cell, over a row that rows below it resemble."""
    widths = []
    for row in rows[: _MOST_TITLES + 2]:
        try:
            cells = next(candidate.reader(iter([row])), [])
        except csv.Error:
            return 0
        widths.append(sum(bool(cell.strip()) for cell in cells))
    above = next((at for at, width in enumerate(widths) if width > 1), 0)
    wide = [width for width in widths[above:] if width]
    return above if above <= _MOST_TITLES and len(wide) > 1 and min(wide) * 2 > max(wide) else 0


def _fitness(candidate: Dialect, rows: list[str]) -> tuple[float, int, int]:
    """The share of rows with as many cells as the header, quoted cells, cells of the header."""
    reader = candidate.reader(iter(rows))
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
    mark = candidate.quote + candidate.separator
    quoted = sum(row.count(mark) for row in rows[:_SAMPLE_ROWS]) if candidate.quote else 0
    return (round(even, 2) if width > 1 else -1.0), quoted, width


def rows(
    raw: IO[bytes], encoding: str, reading: FileSettings, usual: str, longest: int
) -> tuple[str, Iterator[LocatedRow]]:
    """How a table was read, in words, and its rows; ``usual`` separates cells where nothing else shows.

    Reading the first row raises ``UnreadableFile``, without the file's name, for a header that is no use.
    """
    texts = _Texts(io.BufferedReader(_LineEnds(as_utf8(raw, encoding))), longest)
    sample = texts.sample(_SAMPLE)
    chosen = dialect(sample, reading, usual)
    header = _ahead(chosen, sample, reading.header)
    made = f"{encoding_title(encoding)}, {chosen}{header.made}{repeats(header.names)}"
    return made, _cells(texts, chosen, longest, reading.header if header.rows == 2 else 1)


def _ahead(chosen: Dialect, sample: str, rows: int) -> headings.TableHeader:
    """The header in a sample; one without a name where it cannot be read, which reading the rows says."""
    reader = chosen.reader(iter(sample.splitlines(keepends=True)[chosen.skipped :]))
    try:
        return headings.header(_next_filled(reader), _next_filled(reader, []), rows)
    except (StopIteration, csv.Error):
        return headings.TableHeader([], 1)


def _cells(texts: "_Texts", chosen: Dialect, longest: int, rows: int) -> Iterator[LocatedRow]:
    """Rows of a table below ``rows`` that name its columns; a quoted cell may hold line breaks."""
    csv.field_size_limit(longest)  # of the whole process, and of 128 KiB otherwise
    for _ in islice(texts, chosen.skipped):
        pass
    reader = chosen.reader(texts)
    header = _header(reader, texts, longest, rows)
    while True:
        line = texts.number + 1
        texts.row_length = 0
        try:
            cells = next(reader)
        except StopIteration:
            return
        except _TooLong:
            reader = chosen.reader(texts)
            yield too_long(line, longest)
            continue
        except csv.Error as error:
            yield LocatedRow(line, None, f"not a sound row: {error}; are quotes doubled within quoted cells?")
            continue
        if cells and (len(cells) > 1 or cells[0].strip()):
            yield _row(line, header, cells)


class _LineEnds(io.RawIOBase):
    """A stream whose lines end as those of old Macintoshes do, with CR alone, with LF; others as they are."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream, self._ahead = stream, stream.read(_SAMPLE)
        self._old = b"\r" in self._ahead and b"\n" not in self._ahead

    def readable(self) -> bool:
        """It is read."""
        return True

    def readinto(self, buffer: "Buffer") -> int:
        """Fill a buffer."""
        view = memoryview(buffer)
        data = self._ahead[: len(view)] or self._stream.read(len(view))
        self._ahead = self._ahead[len(view) :]
        view[: len(data)] = data.replace(b"\r", b"\n") if self._old else data
        return len(data)


class _TooLong(Exception):
    """A line or a row of a table is longer than any that is read."""


class _Texts:
    """The lines of a table for the csv module, which goes on behind a line that is too long.

    Undecodable bytes travel as lone surrogates, and are seen in the row that they spoil.
    """

    def __init__(self, stream: IO[bytes], longest: int) -> None:
        self.number = 0  # of the line given last
        self.row_length = 0  # characters of the row so far
        self._lines = lines(stream, longest)
        self._longest = longest

    def sample(self, size: int) -> str:
        """The first lines, which are given again."""
        ahead: list[_Line] = []
        length = 0
        for line in self._lines:
            ahead.append(line)
            length += len(line.data or b"")
            if length >= size or line.data is None:
                break
        self._lines = chain(ahead, self._lines)
        return "".join(line.data.decode("utf-8", "replace") for line in ahead if line.data is not None)

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> str:
        self.number, data = next(self._lines)
        self.row_length += len(data or b"")
        if data is None or self.row_length > self._longest:
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


def _next_filled(reader: Iterator[list[str]], *none: list[str]) -> list[str]:
    """The next row that is not blank; where there is none the default, or ``StopIteration``."""
    stripped = ([cell.strip() for cell in row] for row in reader)
    return next((cells for cells in stripped if any(cells)), *none)


def _header(reader: Iterator[list[str]], texts: _Texts, longest: int, rows: int) -> list[str]:
    try:
        names = _next_filled(reader)
        if rows != 1:
            names = headings.header(names, _next_filled(reader, []), rows).names
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
    return numbered(names)


def repeats(names: list[str]) -> str:
    """Which names a header has more than once, to be added to how a file is made; empty for none."""
    twice = [name for name, number in Counter(names).items() if name and number > 1]
    return f", numbered since they repeat: {', '.join(twice[:_SHOWN])}" if twice else ""


def numbered(names: list[str]) -> list[str]:
    """The names of columns, each once: the second and later ones of a name with their number.

    >>> numbered(["id", "image", "image", "image 2"])
    ['id', 'image', 'image 3', 'image 2']
    """
    used, distinct = set(names), list[str]()
    numbers: Counter[str] = Counter()
    for name in names:
        numbers[name] += 1
        own = name if numbers[name] == 1 else f"{name} {numbers[name]}"
        while own != name and own in used:
            numbers[name] += 1
            own = f"{name} {numbers[name]}"
        used.add(own)
        distinct.append(own)
    return distinct
