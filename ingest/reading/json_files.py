"""JSON: an array of objects, an object that holds such an array, an object a line, or one record alone."""

import re
from collections.abc import Iterator
from typing import IO, cast

import msgspec

from ingest.errors import UnreadableFile
from ingest.reading.array import ArrayError, Readable, elements
from ingest.reading.encodings import UTF_8, as_utf8, by_mark, said
from ingest.reading.row import CellRow, LocatedRow
from ingest.reading.settings import FileSettings
from ingest.reading.tables import lines, too_long

_SAMPLE = 1 << 18
_CHUNK = 1 << 18
_TOKEN = re.compile(rb'"(?P<text>(?:[^"\\]|\\.)*+)(?P<end>")?|[\[\]{}:,]', re.DOTALL)
_WRAPPERS = (
    "items",
    "records",
    "results",
    "objects",
    "data",
    "docs",
    "response.docs",
    "rows",
    "artworks",
    "artObjects",
    "artworks.items",
    "hits.hits",
    "hits",
    "value",
    "member",
    "orderedItems",
    "entries",
    "collection",
    "collection.items",
    "records.record",
)
"""Keys under which services and programs put the list of their records."""

_DECODER: msgspec.json.Decoder[dict[str, object]] = msgspec.json.Decoder(dict[str, object])


def by_lines(stream: IO[bytes], reading: FileSettings, longest: int) -> tuple[str, Iterator[LocatedRow]]:
    """Objects line by line."""
    stream, encoding = _text(stream, reading)
    return f"{encoding}, one object a line", _json_lines(stream, longest)


def rows(stream: IO[bytes], reading: FileSettings, longest: int) -> tuple[str, Iterator[LocatedRow]]:
    """How a JSON file is made, in words, and its records.

    Raises:
        UnreadableFile: it holds no array or does not end (while it is read); without the file's name.
    """
    stream, encoding = _text(stream, reading)
    head = stream.read(_SAMPLE)
    start = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    whole = _Resumed(head, stream)
    if not start.startswith(b"{"):
        return f"{encoding}, an array of objects", _array(whole, longest)
    if reading.form != "edm" or reading.records:
        for path in [reading.records] if reading.records else _WRAPPERS:
            if _Seek(path).feed(head) is not None or reading.records:
                return f"{encoding}, an array of objects under {path}", _wrapped(whole, path, longest)
    if _is_lines(start):
        return f"{encoding}, one object a line", _json_lines(cast("IO[bytes]", whole), longest)
    return f"{encoding}, one object", _alone(whole, longest)


def _text(stream: IO[bytes], reading: FileSettings) -> tuple[IO[bytes], str]:
    if reading.encoding is not None:
        return as_utf8(stream, reading.encoding), said(reading.encoding)
    head = stream.read(1000)
    found = by_mark(head) or UTF_8
    return as_utf8(cast("IO[bytes]", _Resumed(head, stream)), found), said(found)


class _Resumed:
    """A stream with what was read of it already in front again."""

    def __init__(self, head: bytes, stream: Readable) -> None:
        self._head, self._stream = head, stream

    def read(self, size: int = -1) -> bytes:
        given = self._head if size < 0 else self._head[:size]
        self._head = self._head[len(given) :]
        return given or self._stream.read(size)

    def readline(self, size: int = -1) -> bytes:
        end = self._head.find(b"\n") + 1 or len(self._head)
        given = self._head[: min(end, size) if size >= 0 else end]
        self._head = self._head[len(given) :]
        if given.endswith(b"\n") or len(given) == size:
            return given
        return given + cast("IO[bytes]", self._stream).readline(size - len(given) if size >= 0 else -1)


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


def _array(stream: Readable, longest: int) -> Iterator[LocatedRow]:
    try:
        for line, data in elements(stream, longest):
            yield decoded(line, data)
    except ArrayError as broken:
        raise UnreadableFile(f"line {broken.line}: {broken}") from None


def _is_lines(start: bytes) -> bool:
    """Whether the first line holds a whole object and another begins behind it."""
    first, _, rest = start.partition(b"\n")
    return rest.lstrip().startswith(b"{") and decoded(1, first).row is not None


def _alone(stream: Readable, longest: int) -> Iterator[LocatedRow]:
    data = b""
    while chunk := stream.read(_CHUNK):
        data += chunk
        if len(data) > longest:
            raise UnreadableFile(
                f"it holds one object of more than {longest:,} bytes; say where its records stand, with"
                " read: {records: PATH} in the mapping"
            )
    found = decoded(1, data.removeprefix(b"\xef\xbb\xbf"))
    if found.row is None:
        raise UnreadableFile(f"line 1: {found.reason}; where each line holds an object, name it .jsonl")
    yield found


def _wrapped(stream: Readable, path: str, longest: int) -> Iterator[LocatedRow]:
    """The elements of the array at a path within an object."""
    seek = _Seek(path)
    while True:
        chunk = stream.read(_CHUNK)
        if not chunk:
            raise UnreadableFile(f"no array stands at {path!r} in it; name another under read: records")
        rest = seek.feed(chunk)
        if rest is not None:
            break
    inner = _Resumed(b"[" + rest, stream)
    try:
        for line, data in elements(inner, longest, within=True):
            yield decoded(line + seek.line - 1, data)
    except ArrayError as broken:
        raise UnreadableFile(f"line {broken.line + seek.line - 1}: {broken}") from None


class _Seek:
    """Goes to the array at a path; what it is fed may be cut anywhere."""

    def __init__(self, path: str) -> None:
        self._path = [step.encode() for step in path.split(".")]
        self._depth = self._matched = 0
        self._key: bytes | None = None
        self._named = False  # whether the key that was read last is the next of the path
        self._held = b""
        self.line = 1

    def feed(self, chunk: bytes) -> bytes | None:
        """What stands behind the bracket of the array, once that has come."""
        data = self._held + chunk
        place = 0
        while token := _TOKEN.search(data, place):
            if data[token.start()] == 0x22 and token["end"] is None:
                break
            place = token.end()
            if self._take(token.group()[:1], token["text"]):
                self.line += data.count(b"\n", 0, place)
                return data[place:]
        else:
            place = len(data)
        self.line += data.count(b"\n", 0, place)
        self._held = data[place:][-_CHUNK * 16 :]
        return None

    def _take(self, mark: bytes, text: bytes | None) -> bool:
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
