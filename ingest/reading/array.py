"""The elements of a JSON array, one after the other, without reading the whole of it.

Only brackets and strings are looked at, so an element that is broken inside is still cut out whole
and can be refused on its own.
"""

import re
from collections.abc import Iterator
from typing import Protocol

_CHUNK = 1 << 18
_STRING = rb'"(?:[^"\\]|\\.)*+(?P<end>")?'  # without an end: the rest of it is not read yet
_TOKEN = re.compile(_STRING + rb"|[\[\]{},]", re.DOTALL)


class Readable(Protocol):
    """What bytes are read from."""

    def read(self, size: int, /) -> bytes:
        """The next bytes, at most ``size``; none at the end."""


class ArrayError(ValueError):
    """The bytes are no array, or one that does not end; ``line`` counts from 1."""

    def __init__(self, line: int, reason: str) -> None:
        """A line and what is wrong there."""
        super().__init__(reason)
        self.line = line


def elements(stream: Readable, longest: int, *, within: bool = False) -> Iterator[tuple[int, bytes]]:
    """The line and the bytes of every element; ``longest`` bounds one, in bytes.

    ``within``: the array stands in an object, which goes on behind it and has to end.

    Raises:
        ArrayError: no array at all, one that does not end, something behind it, or an element
            that is too long.

    >>> import io
    >>> list(elements(io.BytesIO(b'[{"a": 1},\\n {"b": "]"}]'), 100))
    [(1, b'{"a": 1}'), (2, b'{"b": "]"}')]
    """
    scan = _Scan(longest, within=within)
    while chunk := stream.read(_CHUNK):
        yield from scan.feed(chunk)
    scan.finish()


class _Scan:
    """What is known between two chunks: the bytes not given yet, and how deep the scan stands in them."""

    def __init__(self, longest: int, *, within: bool) -> None:
        self._longest = longest
        self._within = within
        self._ended = not within  # whether what the array stands in has ended
        self._held = b""
        self._scanned = 0  # bytes of _held that have been looked at
        self._depth = 0
        self._line = 1
        self._closed = False

    def feed(self, chunk: bytes) -> Iterator[tuple[int, bytes]]:
        self._held += chunk
        if self._depth == 0 and not self._closed:
            self._open()
        start = 0
        position = self._scanned
        while not self._closed and (token := _TOKEN.search(self._held, position)):
            mark = token.group()
            if mark[:1] == b'"' and token["end"] is None:
                position = token.start()
                break
            position = token.end()
            if self._ends_element(mark):
                yield from self._element(self._held[start : token.start()])
                start = position
        else:
            position = len(self._held)
        self._keep(start, position)

    def finish(self) -> None:
        if self._closed and not self._ended:
            raise ArrayError(self._line, "the file is cut short: what the array stands in does not end")
        if not self._closed:
            what = "holds no JSON array" if self._depth == 0 else "is cut short: the array does not end"
            line = self._line + self._held.rstrip().count(b"\n")
            raise ArrayError(line, f"the file {what}; write one as [{{...}}, {{...}}]")

    def _open(self) -> None:
        text = self._held.removeprefix(b"\xef\xbb\xbf")
        blank = len(text) - len(text.lstrip())
        if not text.strip():
            return
        if text[blank : blank + 1] != b"[":
            reason = "the file holds no array of objects and no object"
            raise ArrayError(self._line, reason)
        self._line += text[:blank].count(b"\n")
        self._held = text[blank + 1 :]
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

    def _keep(self, start: int, position: int) -> None:
        self._held = self._held[start:]
        self._scanned = position - start
        if self._closed and self._within:
            self._ended = self._ended or b"}" in self._held
            self._held = b""
        if self._closed and self._held.strip():
            raise ArrayError(self._line, "something stands behind the end of the array")
        if len(self._held) > self._longest:
            raise ArrayError(self._line, f"an element is longer than {self._longest // 1024 // 1024} MiB")
