"""Tables: rows of CSV, TSV, JSON and JSON Lines files, plain or gzipped, read as they stream by.

What is broken in one row costs that row only, with its line and a reason. What breaks the whole file
(missing, cut short, not of the promised format) is an :class:`UnreadableFile`, raised when the
reading gets there: the rows before it have been given.
"""

import csv
import gzip
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, NamedTuple, Self, TypeAlias, cast

import msgspec

from ingest.array import ArrayError, elements
from ingest.errors import UnreadableFile
from ingest.mapping import Row

SUFFIXES = (".csv", ".tsv", ".json", ".jsonl", ".ndjson")
"""What is read; each also with ``.gz`` behind it."""

LONGEST_LINE = 16 * 1024 * 1024
"""Bytes of the longest line or row that is read, so that no file can fill the memory."""

Progress: TypeAlias = Callable[[int], None]
"""Told now and then how many bytes of the file, as it lies on the disk, have been read."""

_ROWS_BETWEEN_REPORTS = 256


class Located(NamedTuple):
    """What stands at a line (from 1; where a row takes several, its first): a row, or why there is none."""

    line: int
    row: Row | None
    reason: str | None = None


def kind(path: Path) -> str:
    """The format of a file by its name, one of :data:`SUFFIXES`, once it is sure that it can be opened.

    Raises:
        UnreadableFile: missing, a directory, or of a suffix that is not read.
    """
    name = path.name.lower().removesuffix(".gz")
    suffix = Path(name).suffix
    if not path.exists():
        raise UnreadableFile(f"{path} does not exist; check the name")
    if path.is_dir():
        raise UnreadableFile(f"{path} is a directory; name the files in it")
    if suffix not in SUFFIXES:
        known = ", ".join(SUFFIXES)
        raise UnreadableFile(
            f"{path} is of no known format; rename it to one of {known} (.gz behind it is fine)"
        )
    return suffix


def rows(path: Path, progress: Progress | None = None) -> Iterator[Located]:
    """The rows of a file, in its order.

    Raises:
        UnreadableFile: when the reading meets what makes the rest unreadable.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "two.csv")
    ...     _ = path.write_text("id,title\\na,View of Venice\\nb\\n")
    ...     for found in rows(path):
    ...         print(found)
    Located(line=2, row={'id': 'a', 'title': 'View of Venice'}, reason=None)
    Located(line=3, row=None, reason='1 cell where the header names 2 columns')
    """
    suffix = kind(path)
    with _opened(path) as (stream, raw):
        if suffix == ".json":
            found = _array(path, stream)
        elif suffix in (".csv", ".tsv"):
            found = _cells(path, stream, "," if suffix == ".csv" else "\t")
        else:
            found = _json_lines(stream)
        for number, located in enumerate(found):
            if progress and number % _ROWS_BETWEEN_REPORTS == 0:
                progress(raw.tell())
            yield located
        if progress:
            progress(raw.tell())


@contextmanager
def _opened(path: Path) -> Iterator[tuple[IO[bytes], IO[bytes]]]:
    """The bytes within a file and the file itself; what goes wrong in reading them has one name."""
    try:
        with path.open("rb") as raw:
            if path.name.lower().endswith(".gz"):
                with gzip.open(raw) as unpacked:
                    yield cast("IO[bytes]", unpacked), raw
            else:
                yield raw, raw
    except EOFError as error:
        raise UnreadableFile(f"{path} is cut short: the gzip data ends too early; fetch it again") from error
    except (gzip.BadGzipFile, zlib.error) as error:
        raise UnreadableFile(f"{path} is no sound gzip file ({error}); fetch it again") from error
    except OSError as error:
        raise UnreadableFile(f"{path} cannot be read: {error.strerror or error}") from error


class _Line(NamedTuple):
    number: int
    data: bytes | None  # None where it is longer than any line that is read


def _lines(stream: IO[bytes]) -> Iterator[_Line]:
    number = 0
    while data := stream.readline(LONGEST_LINE):
        number += 1
        if len(data) == LONGEST_LINE and not data.endswith(b"\n"):
            while (rest := stream.readline(LONGEST_LINE)) and not rest.endswith(b"\n"):
                pass
            yield _Line(number, None)
        else:
            yield _Line(number, data.removeprefix(b"\xef\xbb\xbf") if number == 1 else data)


_DECODER: msgspec.json.Decoder[dict[str, object]] = msgspec.json.Decoder(dict[str, object])


def _decoded(line: int, data: bytes) -> Located:
    try:
        return Located(line, cast("Row", _DECODER.decode(data)))
    except UnicodeDecodeError:
        return Located(line, None, "not UTF-8; save the file as UTF-8")
    except msgspec.ValidationError as error:
        return Located(line, None, f"not a JSON object: {error}")
    except (msgspec.DecodeError, RecursionError) as error:
        return Located(line, None, f"not sound JSON: {error}")


def _json_lines(stream: IO[bytes]) -> Iterator[Located]:
    for number, data in _lines(stream):
        if data is None:
            yield _too_long(number)
        elif data.strip():
            yield _decoded(number, data)


def _array(path: Path, stream: IO[bytes]) -> Iterator[Located]:
    try:
        for line, data in elements(stream, LONGEST_LINE):
            yield _decoded(line, data)
    except ArrayError as broken:
        raise UnreadableFile(f"{path}, line {broken.line}: {broken}") from None


def _too_long(line: int) -> Located:
    return Located(line, None, f"longer than {LONGEST_LINE // 1024 // 1024} MiB; is a line break missing?")


def _cells(path: Path, stream: IO[bytes], delimiter: str) -> Iterator[Located]:
    """Rows of a table whose first row names the columns; a quoted cell may hold line breaks."""
    csv.field_size_limit(LONGEST_LINE)  # of the whole process, and of 128 KiB otherwise
    texts = _Texts(stream)
    reader = csv.reader(texts, delimiter=delimiter, strict=True)
    header = _header(path, reader)
    while True:
        line = texts.number + 1
        try:
            cells = next(reader)
        except StopIteration:
            return
        except _TooLong:
            yield _too_long(line)
            continue
        except csv.Error as error:
            yield Located(line, None, f"not sound {'CSV' if delimiter == ',' else 'TSV'}: {error}")
            continue
        if cells:
            yield _row(line, header, cells)


class _TooLong(Exception):
    """A line of a table is longer than any that is read."""


class _Texts:
    """The lines of a table as the csv module takes them, which goes on behind a line that is too long.

    Undecodable bytes travel as lone surrogates, and are found again in the row that they spoil.
    """

    def __init__(self, stream: IO[bytes]) -> None:
        self.number = 0  # of the line given last
        self._lines = _lines(stream)

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> str:
        self.number, data = next(self._lines)
        if data is None:
            raise _TooLong
        return data.decode("utf-8", "surrogateescape")


def _row(line: int, header: list[str], cells: list[str]) -> Located:
    if len(cells) != len(header):
        counted = "1 cell" if len(cells) == 1 else f"{len(cells)} cells"
        return Located(line, None, f"{counted} where the header names {len(header)} columns")
    if not _sound(cells):
        return Located(line, None, "not UTF-8; save the file as UTF-8")
    return Located(line, cast("Row", dict(zip(header, cells, strict=True))))


def _sound(cells: list[str]) -> bool:
    try:
        "".join(cells).encode()
    except UnicodeEncodeError:
        return False
    return True


def _header(path: Path, reader: Iterator[list[str]]) -> list[str]:
    try:
        header = [name.strip() for name in next(reader, [])]
    except csv.Error as error:
        raise UnreadableFile(f"{path}, line 1: the header cannot be read: {error}") from None
    except _TooLong:
        raise UnreadableFile(f"{path}, line 1: the header is {_too_long(1).reason}") from None
    if not any(header) or not _sound(header):
        raise UnreadableFile(f"{path}, line 1: the first line has to name the columns, in UTF-8")
    twice = sorted({name for name in header if header.count(name) > 1})
    if twice:
        raise UnreadableFile(f"{path}, line 1: the header names {', '.join(map(repr, twice))} more than once")
    return header
