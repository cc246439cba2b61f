"""How the characters of a file are written: found out from its bytes, and read as UTF-8 whatever it was."""

import codecs
import io
from collections.abc import Iterator
from typing import IO

from typing_extensions import Buffer

from ingest.reading.code_pages import SAMPLE, of_one_byte

UTF_8 = "utf-8"
_CHUNK = 1 << 18
_MARKS = ((codecs.BOM_UTF8, UTF_8), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))
_SAID = {UTF_8: "UTF-8", "utf-16": "UTF-16", "utf-16-le": "UTF-16", "utf-16-be": "UTF-16"}
_SAID |= {"iso8859-1": "Latin-1", "iso8859-2": "ISO-8859-2", "koi8-r": "KOI8-R"}
_SAID |= {f"cp{number}": f"Windows-{number}" for number in range(1250, 1259)}


def said(encoding: str) -> str:
    """What people call an encoding.

    >>> said("latin-1"), said("CP1252"), said("mac-roman")
    ('Latin-1', 'Windows-1252', 'mac-roman')
    """
    name = codecs.lookup(encoding).name
    return _SAID.get(name, name)


def by_mark(head: bytes) -> str | None:
    """The encoding that the first bytes tell: a byte order mark, or the noughts of UTF-16.

    >>> by_mark(b"\\xff\\xfei\\x00d\\x00"), by_mark(b"i\\x00d\\x00;\\x00n\\x00"), by_mark(b"id;title")
    ('utf-16', 'utf-16-le', None)
    """
    for mark, name in _MARKS:
        if head.startswith(mark):
            return name
    sample = head[: len(head) // 2 * 2][:1000]
    if len(sample) >= 4:
        even, odd = sample[::2].count(0), sample[1::2].count(0)
        if odd * 2 > len(sample) // 2 and not even:
            return "utf-16-le"
        if even * 2 > len(sample) // 2 and not odd:
            return "utf-16-be"
    return None


def found_out(stream: IO[bytes]) -> str:
    """The encoding of a whole table: UTF-16 by its marks, UTF-8 where its bytes say so, else one of a byte.

    Which of those it is, :mod:`ingest.reading.code_pages` decides by the lines that are not ASCII.

    A byte or two that are no UTF-8 between many characters that are do not make it another encoding: they
    spoil their rows.

    >>> found_out(io.BytesIO("id;título".encode())), found_out(io.BytesIO(b"id;t\\xedtulo"))
    ('utf-8', 'latin-1')
    >>> found_out(io.BytesIO("id;title\\n1;Девушка с персиками, холст, масло".encode("cp1251")))
    'cp1251'
    >>> found_out(io.BytesIO(b"id;title\\n1;\\x84Schiff\\x93"))
    'cp1252'
    """
    head = stream.read(_CHUNK)
    marked = by_mark(head)
    if marked is not None:
        return marked
    sound = broken = 0
    high: set[int] = set()
    sample = b""
    for text in _decoded(stream, head):
        if not text.isascii():
            bad = [ord(character) - 0xDC00 for character in text if "\udc80" <= character <= "\udcff"]
            broken += len(bad)
            high.update(bad)
            sound += sum(character > "\x7f" for character in text) - len(bad)
            if len(sample) < SAMPLE:
                sample += _not_ascii(text)
    return UTF_8 if broken <= sound else of_one_byte(sample[:SAMPLE], high)


def _not_ascii(text: str) -> bytes:
    """The lines with other characters than those of ASCII, as the bytes that they were."""
    lines = text.encode(UTF_8, "surrogateescape").splitlines(keepends=True)
    return b"".join(line for line in lines if not line.isascii())


def _decoded(stream: IO[bytes], head: bytes) -> Iterator[str]:
    decoder = codecs.getincrementaldecoder(UTF_8)("surrogateescape")
    while head:
        yield decoder.decode(head)
        head = stream.read(_CHUNK)
    yield decoder.decode(b"", final=True)


class _Recoded(io.RawIOBase):
    """The bytes of another encoding as UTF-8; what cannot be read becomes U+FFFD."""

    def __init__(self, stream: IO[bytes], encoding: str) -> None:
        super().__init__()
        self._stream = stream
        self._decoder = codecs.getincrementaldecoder(encoding)("replace")
        self._held = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Buffer, /) -> int:
        view = memoryview(buffer).cast("B")
        while not self._held:
            data = self._stream.read(_CHUNK)
            self._held = self._decoder.decode(data, final=not data).encode(UTF_8, "replace")
            if not data:
                break
        given = self._held[: len(view)]
        self._held = self._held[len(given) :]
        view[: len(given)] = given
        return len(given)


def as_utf8(stream: IO[bytes], encoding: str) -> IO[bytes]:
    """A stream of UTF-8 over one of any encoding.

    >>> as_utf8(io.BytesIO("ž".encode("utf-16")), "utf-16").read().decode()
    'ž'
    """
    if codecs.lookup(encoding).name in (UTF_8, "utf-8-sig"):
        return stream
    return io.BufferedReader(_Recoded(stream, encoding), _CHUNK)
