"""Cursors: where an answer ended, as a text that a client hands back to go on.

A cursor is a JSON object in base64url, opaque to clients. In the collection that it was made for the next
page begins behind its score and id. Where the collection was built again since, all scores may have moved a
little (rare words weigh by the whole collection): then this and all following pages have the best of the
items that no page before has given, so that none comes twice and none that stayed is lost.
"""

import hashlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Sequence
from typing import Final, TypeVar

import msgspec

from features.collection.collection import Collection
from features.collection.digests import BYTES, digest
from ingest.errors import InvalidRequest
from models.systems import System

_VERSION: Final = 1
_NONE: Final = "the cursor is none that Kindred gave; leave it out to begin anew"
_Place = TypeVar("_Place")

REMEMBERED: Final = 500
"""Given items that a cursor remembers, the last ones; those before score higher than all these."""


class Cursor(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The last item of an answer by its score and id, and the query and collection of the answer.

    ``collection`` is empty where the collection has changed since the first page.

    >>> one = Cursor("q", "g", 3.25, "a:1")
    >>> decode(encode(one), "q") == one
    True
    """

    query: str
    collection: str
    score: float
    id: str
    given: bytes = b""
    version: int = _VERSION

    @property
    def complete(self) -> bool:
        """Whether it remembers all items that were given."""
        return len(self.given) < REMEMBERED * BYTES

    def following(self, ids: Sequence[str]) -> bytes:
        """``given`` for the next cursor, after a page of these items."""
        return (self.given + b"".join(map(digest, ids)))[-REMEMBERED * BYTES :]


def encode(place: object) -> str:
    """Where an answer ended as text that may stand in an address as it is: JSON in base64url.

    >>> decoded(encode((7, "x:1")), tuple[int, str])
    (7, 'x:1')
    """
    return urlsafe_b64encode(msgspec.json.encode(place)).decode().rstrip("=")


def decoded(text: str, kind: type[_Place]) -> _Place:
    """The inverse of :func:`encode`; raises ``InvalidRequest`` for any other text."""
    try:
        data = urlsafe_b64decode(text.encode() + b"=" * (-len(text) % 4))
        return msgspec.json.decode(data, type=kind)
    except (ValueError, msgspec.DecodeError):
        raise InvalidRequest(_NONE) from None


def decode(text: str, query: str) -> Cursor:
    """The cursor of a search; raises ``InvalidRequest`` for any other text, or another query's.

    >>> try:
    ...     decode("x", "q")
    ... except InvalidRequest as error:
    ...     print(error.detail)
    the cursor is none that Kindred gave; leave it out to begin anew
    """
    cursor = decoded(text, Cursor)
    if cursor.version != _VERSION or len(cursor.given) % BYTES or len(cursor.given) > REMEMBERED * BYTES:
        raise InvalidRequest(_NONE)
    if cursor.query != query:
        raise InvalidRequest(
            "the cursor belongs to another question; repeat what was asked when it was given, or leave it out"
        )
    return cursor


def mark(collection: Collection, system: System) -> str:
    """A digest of a collection and a system: equal marks mean that every score is the same."""
    digest = hashlib.sha256(collection.manifest.model_dump_json().encode())
    if not collection.manifest.files:  # of a generation the manifest has the checksum of the ids
        digest.update("\0".join(collection.ids).encode())
    rules = (sorted(each.items()) for each in (system.not_applicable, system.applies, system.both))
    digest.update(repr((system.name, system.features, *rules)).encode())
    for name, array in sorted(system.regressor.arrays().items()):
        digest.update(name.encode() + repr((array.shape, array.dtype.str)).encode() + array.tobytes())
    return digest.hexdigest()[:16]
