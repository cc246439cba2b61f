"""Reads the tables of MediaWiki's SQL dumps, one statement at a time.

A dump (``*-page.sql.gz`` and its like) is what mysqldump writes: a ``CREATE TABLE`` that names the
columns, then ``INSERT`` statements of many rows on one line each, some megabyte long. Only one line
is in memory at a time. Columns are found by their names, so that their order may change.
"""

import re
from collections.abc import Iterator, Sequence

import numpy as np

from features.arrays import Longs
from features.research.wikipedia.sources import Gzipped
from ingest.errors import UnreadableFile

DumpValue = bytes | None
"""A field of a row: its text, also where it is a number; None for NULL."""

_STRING = rb"'[^'\\]*+(?:(?:\\.|'')[^'\\]*+)*+'"
_VALUE = rb"(?:" + _STRING + rb"|[-+.\w]++)"
_COLUMN = re.compile(rb"\s*`(\w+)`\s")
_INSERT = re.compile(rb"INSERT INTO `(\w+)`\s*(?:\(([^)]*)\)\s*)?VALUES\s*")
_ESCAPE = re.compile(rb"\\(.)|''", re.DOTALL)
_ESCAPED = {b"0": b"\0", b"n": b"\n", b"r": b"\r", b"t": b"\t", b"b": b"\b", b"Z": b"\x1a"}
_DIGITS = b"0123456789,-"
_BRACKETS = b"(); \r\n"


class DumpTable:
    """A table of a dump; ``columns`` are those wanted, in the order wanted.

    Reading raises ``UnreadableFile`` where the file has no such table or column, or where a statement
    is not of the syntax.
    """

    def __init__(self, file: Gzipped, name: str, columns: Sequence[str]) -> None:
        self._file, self._name = file, name
        self._wanted = [column.encode() for column in columns]
        self._places: list[int] = []
        self._width = 0

    def rows(self) -> Iterator[tuple[DumpValue, ...]]:
        """The wanted fields of every row."""
        for line, start in self._statements():
            yield from self._parsed(line, start)

    def integers(self) -> Iterator[Longs]:
        """The wanted fields of every row as numbers, int64[rows, columns] for each statement."""
        for line, start in self._statements():
            body = line[start:]
            if body.translate(None, _DIGITS + _BRACKETS):
                # not all of the table's columns are numbers
                rows = list(self._parsed(line, start))
                yield np.array([[self._number(field) for field in row] for row in rows], np.int64)
                continue
            numbers = np.fromstring(body.translate(None, _BRACKETS), np.int64, sep=",")
            if not body.rstrip().endswith(b");") or len(numbers) != self._width * body.count(b"("):
                raise self._wrong("a row has too many fields or too few")
            yield numbers.reshape(-1, self._width)[:, self._places]

    def _statements(self) -> Iterator[tuple[bytes, int]]:
        """Each line of rows, with the place where its rows begin."""
        columns: list[bytes] = []
        declaring = False
        for line in self._file.lines():
            if declaring or line.startswith(b"CREATE TABLE"):
                first = not declaring
                declaring = b";" not in line
                if first and b"`" + self._name.encode() + b"`" not in line:
                    raise self._wrong(f"it does not hold the table {self._name!r}")
                column = _COLUMN.match(line)
                columns.extend(column.groups() if column else ())
            elif insert := _INSERT.match(line):
                named = re.findall(rb"`(\w+)`", insert[2]) if insert[2] else columns
                if insert[1] != self._name.encode():
                    raise self._wrong(f"it does not hold the table {self._name!r}")
                self._find(named)
                yield line, insert.end()
        self._find(columns)

    def _find(self, columns: list[bytes]) -> None:
        if not columns:
            raise self._wrong(f"it does not hold the table {self._name!r}")
        for column in self._wanted:
            if column not in columns:
                raise self._wrong(
                    f"the table {self._name!r} has no column {column.decode()!r};"
                    " take dumps of MediaWiki 1.43 or later"
                )
        self._width, self._places = len(columns), [columns.index(column) for column in self._wanted]

    def _parsed(self, line: bytes, start: int) -> Iterator[tuple[DumpValue, ...]]:
        groups = [b"(" + _VALUE + b")" if place in self._places else _VALUE for place in range(self._width)]
        pattern = re.compile(rb"\(" + b",".join(groups) + rb"\)\s*([,;])\s*", re.DOTALL)
        order = [sorted(self._places).index(place) for place in self._places]
        at, mark = start, b","
        for row in pattern.finditer(line, start):
            if row.start() != at or mark != b",":
                break
            at, mark = row.end(), row[len(order) + 1]
            yield tuple(_value(row[n + 1]) for n in order)
        if at != len(line) or mark != b";":
            raise self._wrong(f"a row cannot be read: {line[at : at + 60]!r}")

    def _number(self, field: DumpValue) -> int:
        try:
            return int(field or b"")
        except ValueError:
            raise self._wrong(f"{field!r} is no number") from None

    def _wrong(self, what: str) -> UnreadableFile:
        return UnreadableFile(f"{self._file.path} is no dump as expected: {what}")


def _value(field: bytes) -> DumpValue:
    if field[:1] != b"'":
        return None if field == b"NULL" else field
    text = field[1:-1]
    if b"\\" not in text and b"''" not in text:
        return text
    return _ESCAPE.sub(lambda sign: _ESCAPED.get(sign[1], sign[1]) if sign[1] else b"'", text)
