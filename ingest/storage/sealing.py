"""Checksums for rows of SQLite files: SQLite has none, and a flipped bit would answer.

A sealed value is a zero byte, the CRC-32 of the content (4 bytes, big-endian) and the content. What rows of
older files hold, which have no checksum, is JSON or MessagePack: it begins with a brace or with a byte above
80 (hexadecimal), which one flipped bit does not make of a zero byte.
"""

from typing import Final
from zlib import crc32

import msgspec

from ingest.errors import DamagedArtefact

_MARK: Final = b"\0"
_BEGINS: Final = len(_MARK) + 4


def seal(content: bytes) -> bytes:
    """Bytes with their checksum before them.

    >>> seal(b"boat").hex(" ", 1)
    '00 d8 6e 83 4a 62 6f 61 74'
    """
    return _MARK + crc32(content).to_bytes(4, "big") + content


def sealed(content: bytes) -> bytes:
    """The same of what may be sealed already, for SQL: no content begins with the mark."""
    return content if content[:1] == _MARK else seal(content)


def row_checksum(*values: str | bytes | int | float | None) -> int:
    """The checksum of the values of a row, in their order; SQL has it under the same name.

    >>> row_checksum("boat", 3, None) == row_checksum("boat", 2, None)
    False
    """
    return crc32(msgspec.msgpack.encode(values))


def unseal(stored: bytes, what: str, remedy: str) -> bytes:
    """The content of sealed bytes; raises ``DamagedArtefact`` where it is not what was sealed.

    ``what`` it is and the ``remedy`` are named there. Bytes that were never sealed are given as they are.

    >>> unseal(seal(b"boat"), "a record", "ingest again")
    b'boat'
    """
    content, begin = stored[_BEGINS:], stored[:1]
    if begin == b"{" or begin > b"\x80":
        return stored
    if begin != _MARK or crc32(content).to_bytes(4, "big") != stored[len(_MARK) : _BEGINS]:
        raise DamagedArtefact(f"{what} is not what was stored (its checksum differs); {remedy}")
    return content
