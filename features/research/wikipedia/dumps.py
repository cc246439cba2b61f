"""Wikipedia from the official SQL dumps: the tables page, redirect, linktarget and pagelinks.

Only the main namespace is kept. The memory it takes is that of the titles of articles and redirects
(their bytes and 32 more each), 16 bytes for each page, and 16 for each link target that is a page;
links pass through in batches.
"""

import re
from array import array
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from features.arrays import Longs
from features.processes import batched
from features.research.wikipedia.phrases import places
from features.research.wikipedia.sources import BATCH, Gzipped, Pages, Titles, WikipediaSource
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
    """A table of a dump of mysqldump, one line in memory at a time; ``columns`` are those wanted, in order.

    A ``CREATE TABLE`` names the columns, which may stand in any order; ``INSERT`` statements follow, of many
    rows on one line each, some megabyte long.
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


PAGE, REDIRECT, TARGET, LINKS = (
    f"*-{table}.sql.gz" for table in ("page", "redirect", "linktarget", "pagelinks")
)
_MAIN = b"0"


class DumpSource(WikipediaSource):
    """Reads articles in the order of the dump."""

    kind = "dumps"

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self._ids = np.empty(0, np.int64)
        self._order = np.empty(0, np.int64)

    @property
    def size(self) -> int:
        """The bytes that will be read."""
        return self.bytes_of(PAGE, REDIRECT, TARGET, LINKS, self.TEXTS, self.ANCHORS)

    def pages(self) -> Pages:
        """The pages of the main namespace; a redirect out of it, or to what is not there, leads nowhere."""
        titles, ids, redirects = Titles(), array("q"), array("b")
        wanted = ("page_id", "page_namespace", "page_title", "page_is_redirect")
        for number, namespace, title, redirect in self._table(PAGE, "page", wanted).rows():
            if namespace == _MAIN and number and title:
                titles.add(title)
                ids.append(int(number))
                redirects.append(redirect == b"1")
        known = np.array(ids, np.int64)
        self._order = np.argsort(known)
        self._ids = known[self._order]
        target = np.where(np.array(redirects, np.int8), -1, np.arange(len(titles)))
        for starts, aims in self._redirects(titles):
            here = (starts >= 0) & (aims >= 0)
            here[here] = target[starts[here]] < 0
            target[starts[here]] = aims[here]
        return Pages.of(titles, target)

    def links(self, pages: Pages) -> Iterator[tuple[Longs, Longs]]:
        """Every link between pages of the main namespace, one batch for each statement of the dump."""
        ids, aims = self._targets(pages.titles)
        wanted = ("pl_from", "pl_from_namespace", "pl_target_id")
        for rows in self._table(LINKS, "pagelinks", wanted).integers():
            main = rows[rows[:, 1] == 0]
            page = self._pages(main[:, 0])
            article = np.where(page >= 0, pages.article[page], -1)
            # the links of a redirect page are its own, not those of the article it leads to
            own = (article >= 0) & (pages.own[article] == page)
            yield np.where(own, article, -1), _values(ids, aims, main[:, 2])

    def _targets(self, titles: Titles) -> tuple[Longs, Longs]:
        """The ids of link targets that are pages, ascending, and their pages."""
        ids, aims = [np.empty(0, np.int64)], [np.empty(0, np.int64)]
        table = self._table(TARGET, "linktarget", ("lt_id", "lt_namespace", "lt_title"))
        for batch in batched((row for row in table.rows() if row[1] == _MAIN), BATCH):
            pages = titles.find([title or b"" for _, _, title in batch])
            numbers = _numbers([number for number, _, _ in batch])
            ids.append(numbers[pages >= 0])
            aims.append(pages[pages >= 0])
        known = np.concatenate(ids)
        order = np.argsort(known)
        return known[order], np.concatenate(aims)[order]

    def _redirects(self, titles: Titles) -> Iterator[tuple[Longs, Longs]]:
        wanted = ("rd_from", "rd_namespace", "rd_title", "rd_interwiki")
        rows = self._table(REDIRECT, "redirect", wanted).rows()
        # an empty interwiki and NULL both mean this wiki
        here = ((start, title) for start, namespace, title, wiki in rows if namespace == _MAIN and not wiki)
        for batch in batched(here, BATCH):
            starts = self._pages(_numbers([start for start, _ in batch]))
            yield starts, titles.find([title or b"" for _, title in batch])

    def _pages(self, ids: Longs) -> Longs:
        return _values(self._ids, self._order, ids)

    def _table(self, pattern: str, name: str, columns: Sequence[str]) -> DumpTable:
        return DumpTable(self.open(pattern), name, columns)


def _numbers(fields: Sequence[DumpValue]) -> Longs:
    return np.array([int(field or 0) for field in fields], np.int64)


def _values(keys: Longs, values: Longs, wanted: Longs) -> Longs:
    """The value of each wanted key, -1 where it is not among the keys, which ascend."""
    at = places(keys, wanted)
    return np.where(at >= 0, values[at], -1) if len(values) else np.full(len(wanted), -1)
