"""JSON: an array of objects, an object that holds such an array, an object a line, or one record alone.

An array is cut into its elements without reading the whole of it. Only brackets and strings are looked at, so
an element that is broken inside is still cut out whole and can be refused on its own.
"""

import re
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import chain, starmap
from typing import IO, Final, cast

import msgspec

from ingest.errors import UnreadableFile
from ingest.reading.encodings import BUFFER, UTF_8, as_utf8, buffered, by_mark, encoding_title
from ingest.reading.row import CellRow, LocatedRow
from ingest.reading.settings import FileSettings
from ingest.reading.tables import lines, too_long

# a bracket, a comma or a string; one without an end is not read to its end yet
_MARK: Final = re.compile(rb'"(?:[^"\\]|\\.)*+(?P<end>")?|[\[\]{},]', re.DOTALL)
_PATH_MARK: Final = re.compile(rb'"(?P<text>(?:[^"\\]|\\.)*+)(?P<end>")?|[\[\]{}:,]', re.DOTALL)
# keys under which services and programs put the list of their records
_WRAPPERS: Final = (
    *("items", "records", "results", "objects", "data", "docs", "response.docs", "rows", "artworks"),
    *("artObjects", "artworks.items", "hits.hits", "hits", "value", "member", "orderedItems", "entries"),
    *("collection", "collection.items", "records.record", "@graph"),
)
_LONGEST_STRING: Final = 16 * BUFFER  # bytes of one that stands before the array
_FORM: Final = "write one as [{...}, {...}]"
_DECODER: Final = msgspec.json.Decoder(dict[str, object])


def rows(
    stream: IO[bytes], reading: FileSettings, longest: int, *, by_lines: bool = False
) -> tuple[str, Iterator[LocatedRow]]:
    """How a JSON file is made, in words, and its records; ``by_lines``: each line of it holds one.

    Reading them raises ``UnreadableFile``, without the file's name, for no array or one that does not end.
    """
    text = buffered(stream.read)
    encoding = reading.encoding or by_mark(text.peek(1000)[:1000]) or UTF_8
    text = buffered(as_utf8(text, encoding).read)
    made = f"{encoding_title(encoding)}, "
    # where nothing but UTF-8 is expected, no more is looked at than what told the encoding
    head = text.peek(BUFFER)[: 1000 if reading.encoding is None and encoding == UTF_8 else BUFFER]
    start = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    chunks = iter(partial(text.read, BUFFER), b"")
    if by_lines:
        return f"{made}one object a line", _json_lines(text, longest)
    if not start.startswith(b"{"):
        return f"{made}an array of objects", starmap(decoded, elements(chunks, longest))
    if reading.form != "edm" or reading.records:
        for path in [reading.records] if reading.records else _WRAPPERS:
            if reading.records or _Scan([head]).seek(path):
                made += f"an array of objects under {path}"
                return made, starmap(decoded, elements(chunks, longest, path))
    first, _, rest = start.partition(b"\n")
    if rest.lstrip().startswith(b"{") and decoded(1, first).row is not None:
        return f"{made}one object a line", _json_lines(text, longest)
    return f"{made}one object", _alone(text, longest)


def decoded(line: int, data: bytes) -> LocatedRow:
    """The object that some bytes hold, or why there is none."""
    try:
        return LocatedRow(line, cast("CellRow", _DECODER.decode(data)))
    except UnicodeDecodeError:
        return LocatedRow(line, None, "not UTF-8; save the file as UTF-8")
    except msgspec.ValidationError as error:
        return LocatedRow(line, None, f"not a JSON object: {error}")
    except (msgspec.DecodeError, RecursionError) as error:
        return LocatedRow(line, None, f"not sound JSON: {error}")


def _json_lines(stream: IO[bytes], longest: int) -> Iterator[LocatedRow]:
    for number, data in lines(stream, longest):
        if data is None:
            yield too_long(number, longest)
        elif data.strip():
            yield decoded(number, data)


def _alone(stream: IO[bytes], longest: int) -> Iterator[LocatedRow]:
    data = b""
    for chunk in iter(partial(stream.read, BUFFER), b""):
        data += chunk
        if len(data) > longest:
            raise UnreadableFile(
                f"it holds one object of more than {longest:,} bytes; say where its records stand, with"
                " read: {records: PATH} in the mapping"
            )
    located = decoded(1, data.removeprefix(b"\xef\xbb\xbf"))
    if located.row is None:
        raise UnreadableFile(f"line 1: {located.reason}; where each line holds an object, name it .jsonl")
    yield located


def elements(chunks: Iterable[bytes], longest: int, path: str | None = None) -> Iterator[tuple[int, bytes]]:
    """The line and the bytes of every element of an array that comes in chunks.

    ``path``: the array stands there in an object, which goes on behind it and has to end. Raises
    ``UnreadableFile`` for no array, one that does not end, something behind it, or an element of more than
    ``longest`` bytes.
    """
    scan = _Scan(chunks)
    if path is None:
        scan.open(longest)
    elif not scan.seek(path):
        raise UnreadableFile(f"no array stands at {path!r} in it; name another under read: records")
    depth = 1
    for mark in scan.marks(longest):
        sign = mark[0]
        if sign != b",":
            depth += 1 if sign in b"[{" else -1
        if depth == 0 or (sign == b"," and depth == 1):
            data = scan.data[scan.start : mark.start()]
            element = data.lstrip()
            if element or depth:
                yield scan.line + data.count(b"\n", 0, len(data) - len(element)), element.rstrip()
            scan.drop(mark.end())
        if depth == 0:
            break
    else:
        line = scan.line + scan.data[scan.start :].rstrip().count(b"\n")
        raise UnreadableFile(f"line {line}: the file is cut short: the array does not end; {_FORM}")
    rest = chain([scan.data[scan.start :]], scan.chunks)
    if path is None and any(part.strip() for part in rest):
        raise UnreadableFile(f"line {scan.line}: something stands behind the end of the array")
    if path is not None and not sum(b"}" in part for part in rest):  # a sum reads to the end of the file
        raise UnreadableFile(
            f"line {scan.line}: the file is cut short: what the array stands in does not end"
        )


class _Scan:
    """JSON that comes in chunks, cut anywhere: ``data`` from ``start`` on is to be read, from ``line`` on."""

    def __init__(self, chunks: Iterable[bytes]) -> None:
        self.chunks = iter(chunks)
        self.data, self.start, self.line = b"", 0, 1
        self._place = 0  # up to which marks were given

    def drop(self, end: int) -> None:
        """Go on behind what was read."""
        self.line += self.data.count(b"\n", self.start, end)
        self.start = end

    def marks(self, longest: int | None) -> Iterator[re.Match[bytes]]:
        """Brackets and commas; without ``longest`` strings and colons too, and what is read is dropped."""
        pattern = _PATH_MARK if longest is None else _MARK
        chunk = b"-"
        while chunk:
            while mark := pattern.search(self.data, self._place):
                if mark["end"] is None and self.data[mark.start()] == 0x22:
                    self._place = mark.start()
                    break
                self._place = mark.end()
                if longest is None or mark["end"] is None:
                    yield mark
            else:
                self._place = len(self.data)
            if longest is None:
                self._place = max(self._place, len(self.data) - _LONGEST_STRING)
                self.drop(self._place)
            else:
                self._check_length(longest)
            chunk = next(self.chunks, b"")
            self.data = self.data[self.start :] + chunk
            self._place -= self.start
            self.start = 0

    def _check_length(self, longest: int) -> None:
        if len(self.data) - self.start > longest:
            raise UnreadableFile(f"line {self.line}: an element is longer than {longest // 1024 // 1024} MiB")

    def open(self, longest: int) -> None:
        """Go behind the bracket with which the array begins; blanks before it count as an element."""
        while not self.data.strip():
            self._check_length(longest)
            if not (chunk := next(self.chunks, b"")):
                break
            self.data = (self.data + chunk).removeprefix(b"\xef\xbb\xbf")
        start = self.data.lstrip()
        if not start:
            raise UnreadableFile(f"line 1: the file holds no JSON array; {_FORM}")
        if not start.startswith(b"["):
            raise UnreadableFile("line 1: the file holds no array of objects and no object")
        self._place = len(self.data) - len(start) + 1
        self.drop(self._place)

    def seek(self, path: str) -> bool:
        """Go behind the bracket of the array at a path; whether there is one."""
        steps = [step.encode() for step in path.split(".")]
        depth = matched = 0
        key: bytes | None = None
        named = False  # whether the key that was read last is the next of the path
        for mark in self.marks(None):
            sign, last = mark.group()[:1], matched == len(steps) - 1
            if sign == b'"':
                key = mark["text"] if depth == matched + 1 else None
            elif sign == b":":
                named = depth == matched + 1 and key == steps[matched]
            elif sign == b"[" and named and last:
                self.drop(mark.end())
                return True
            else:
                matched += sign == b"{" and named and not last
                depth += (sign in b"[{") - (sign in b"]}")
                if sign in b"]}":
                    matched = max(0, min(matched, depth - 1))
                named = False
        return False
