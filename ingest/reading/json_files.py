"""JSON: an array of objects, an object that holds such an array, an object a line, or one record alone.

An array is cut into its elements without reading the whole of it. Only brackets and strings are looked at, so
an element that is broken inside is still cut out whole and can be refused on its own.
"""

import re
from collections.abc import Iterable, Iterator
from functools import partial
from io import BufferedReader
from itertools import chain
from typing import IO, Final, cast

import msgspec

from ingest.errors import UnreadableFile
from ingest.reading.encodings import BUFFER, UTF_8, as_utf8, buffered, by_mark, encoding_title
from ingest.reading.row import CellRow, LocatedRow
from ingest.reading.settings import FileSettings
from ingest.reading.tables import lines, too_long

_MARK: Final = re.compile(rb'"(?:[^"\\]|\\.)*+(?P<end>")?|[\[\]{},]', re.DOTALL)
"""A bracket, a comma or a string; one without an end is not read to its end yet."""

_PATH_MARK: Final = re.compile(rb'"(?P<text>(?:[^"\\]|\\.)*+)(?P<end>")?|[\[\]{}:,]', re.DOTALL)
_WRAPPERS: Final = (
    *("items", "records", "results", "objects", "data", "docs", "response.docs", "rows", "artworks"),
    *("artObjects", "artworks.items", "hits.hits", "hits", "value", "member", "orderedItems", "entries"),
    *("collection", "collection.items", "records.record"),
)
"""Keys under which services and programs put the list of their records."""

_DECODER: Final = msgspec.json.Decoder(dict[str, object])


def rows(
    stream: IO[bytes], reading: FileSettings, longest: int, *, by_lines: bool = False
) -> tuple[str, Iterator[LocatedRow]]:
    """How a JSON file is made, in words, and its records; ``by_lines``: each line of it holds one.

    Raises:
        UnreadableFile: it holds no array or does not end (while it is read); without the file's name.
    """
    text = buffered(stream.read)
    encoding = reading.encoding or by_mark(text.peek(1000)[:1000]) or UTF_8
    text = buffered(as_utf8(text, encoding).read)
    made = f"{encoding_title(encoding)}, "
    head = text.peek(BUFFER)
    start = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    if by_lines:
        return f"{made}one object a line", _json_lines(text, longest)
    if not start.startswith(b"{"):
        return f"{made}an array of objects", _array(iter(partial(text.read, BUFFER), b""), longest)
    if reading.form != "edm" or reading.records:
        for path in [reading.records] if reading.records else _WRAPPERS:
            if _Seek(path).feed(head) is not None or reading.records:
                return f"{made}an array of objects under {path}", _wrapped(text, path, longest)
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


def _array(
    chunks: Iterator[bytes], longest: int, first_line: int = 1, *, within: bool = False
) -> Iterator[LocatedRow]:
    try:
        for line, data in elements(chunks, longest, within=within):
            yield decoded(line + first_line - 1, data)
    except ArrayError as broken:
        raise UnreadableFile(f"line {broken.line + first_line - 1}: {broken}") from None


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


def _wrapped(stream: BufferedReader, path: str, longest: int) -> Iterator[LocatedRow]:
    """The elements of the array at a path within an object."""
    seek = _Seek(path)
    chunks = iter(partial(stream.read, BUFFER), b"")
    rest = next((rest for chunk in chunks if (rest := seek.feed(chunk)) is not None), None)
    if rest is None:
        raise UnreadableFile(f"no array stands at {path!r} in it; name another under read: records")
    yield from _array(chain([b"[" + rest], chunks), longest, seek.line, within=True)


class _Seek:
    """Goes to the array at a path, through chunks that may be cut anywhere."""

    def __init__(self, path: str) -> None:
        self._path = [step.encode() for step in path.split(".")]
        self._depth = self._matched = 0
        self._key: bytes | None = None
        self._named = False  # whether the key that was read last is the next of the path
        self._waiting = b""
        self.line = 1

    def feed(self, chunk: bytes) -> bytes | None:
        """What stands behind the bracket of the array, once that has come."""
        data = self._waiting + chunk
        place = 0
        while token := _PATH_MARK.search(data, place):
            if data[token.start()] == 0x22 and token["end"] is None:
                break
            place = token.end()
            if self._opens_array(token.group()[:1], token["text"]):
                self.line += data.count(b"\n", 0, place)
                return data[place:]
        else:
            place = len(data)
        self.line += data.count(b"\n", 0, place)
        self._waiting = data[place:][-BUFFER * 16 :]
        return None

    def _opens_array(self, mark: bytes, text: bytes | None) -> bool:
        last = self._matched == len(self._path) - 1
        if mark == b'"':
            self._key = text if self._depth == self._matched + 1 else None
        elif mark == b":":
            self._named = self._depth == self._matched + 1 and self._key == self._path[self._matched]
        elif mark == b"[" and self._named and last:
            return True
        elif mark in (b"{", b"["):
            if self._named and mark == b"{" and not last:
                self._matched += 1
            self._depth += 1
            self._named = False
        elif mark in (b"}", b"]"):
            self._depth -= 1
            self._matched = max(0, min(self._matched, self._depth - 1))
        else:
            self._named = False
        return False


class ArrayError(ValueError):
    """The bytes are no array, or one that does not end; ``line`` counts from 1."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(reason)
        self.line = line


def elements(chunks: Iterable[bytes], longest: int, *, within: bool = False) -> Iterator[tuple[int, bytes]]:
    """The line and the bytes of every element of an array that comes in chunks; ``longest`` bounds one.

    ``within``: the array stands in an object, which goes on behind it and has to end.

    Raises:
        ArrayError: no array at all, one that does not end, something behind it, or an element
            of more than ``longest`` bytes.

    >>> list(elements([b'[{"a": 1},\\n {"b"', b': "]"}]'], 100))
    [(1, b'{"a": 1}'), (2, b'{"b": "]"}')]
    """
    scan = _Scan(longest, within=within)
    for chunk in chunks:
        yield from scan.feed(chunk)
    scan.finish()


class _Scan:
    """The state between two chunks: the bytes not given yet, and how deep the scan stands in them."""

    def __init__(self, longest: int, *, within: bool) -> None:
        self._longest = longest
        self._within = within
        self._ended = not within  # whether what the array stands in has ended
        self._waiting = b""
        self._scanned = 0  # bytes of _waiting that have been looked at
        self._depth = 0
        self._line = 1
        self._closed = False

    def feed(self, chunk: bytes) -> Iterator[tuple[int, bytes]]:
        self._waiting += chunk
        if self._depth == 0 and not self._closed:
            self._open()
        start = 0
        position = self._scanned
        while not self._closed and (token := _MARK.search(self._waiting, position)):
            mark = token.group()
            if mark[:1] == b'"' and token["end"] is None:
                position = token.start()
                break
            position = token.end()
            if self._ends_element(mark):
                yield from self._element(self._waiting[start : token.start()])
                start = position
        else:
            position = len(self._waiting)
        self._waiting = self._waiting[start:]
        self._scanned = position - start
        if self._closed and self._within:
            self._ended = self._ended or b"}" in self._waiting
            self._waiting = b""
        if self._closed and self._waiting.strip():
            raise ArrayError(self._line, "something stands behind the end of the array")
        if len(self._waiting) > self._longest:
            raise ArrayError(self._line, f"an element is longer than {self._longest // 1024 // 1024} MiB")

    def finish(self) -> None:
        if self._closed and not self._ended:
            raise ArrayError(self._line, "the file is cut short: what the array stands in does not end")
        if not self._closed:
            fault = "holds no JSON array" if self._depth == 0 else "is cut short: the array does not end"
            line = self._line + self._waiting.rstrip().count(b"\n")
            raise ArrayError(line, f"the file {fault}; write one as [{{...}}, {{...}}]")

    def _open(self) -> None:
        text = self._waiting.removeprefix(b"\xef\xbb\xbf")
        blank = len(text) - len(text.lstrip())
        if not text.strip():
            return
        if text[blank : blank + 1] != b"[":
            raise ArrayError(self._line, "the file holds no array of objects and no object")
        self._line += text[:blank].count(b"\n")
        self._waiting = text[blank + 1 :]
        self._scanned = 0
        self._depth = 1

    def _ends_element(self, mark: bytes) -> bool:
        if mark in (b"[", b"{"):
            self._depth += 1
        elif mark in (b"]", b"}"):
            self._depth -= 1
            self._closed = self._depth == 0
            return self._closed
        return mark == b"," and self._depth == 1

    def _element(self, data: bytes) -> Iterator[tuple[int, bytes]]:
        stripped = data.lstrip()
        self._line += data.count(b"\n", 0, len(data) - len(stripped))
        if stripped or not self._closed:
            yield self._line, stripped.rstrip()
        self._line += stripped.count(b"\n")
