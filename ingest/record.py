"""Record and Field: the one type that every package shares; which ids and addresses a record may have.

A record is complete on its own: nothing downstream goes back to its source.
"""

import hashlib
import re
import unicodedata
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Final, NamedTuple
from urllib.parse import urlsplit

import msgspec

from ingest.errors import DamagedArtefact


class Field(StrEnum):
    """The six Dublin Core fields that are compared, in the order of the official files."""

    TITLE = "title"
    CREATOR = "creator"
    SUBJECT = "subject"
    DESCRIPTION = "description"
    DATE = "date"
    SOURCE = "source"


INDEXED: Final[Mapping[str, str]] = {
    "places": "place",
    "people": "person",
    "cultures": "culture",
    "periods": "period",
    "events": "event",
    "concepts": "concept",
    "materials": "material",
    "part_of": "part_of",
}
"""The parts of a record that a museum indexes apart from the six fields, and the filter for each."""

TEXTS: Final = (*(field.value for field in Field), *INDEXED)
"""All parts of a record that have values."""

STEP: Final = " > "
"""What stands between the places of a path, the widest first."""


class Value(NamedTuple):
    """One value of a field, with its language (BCP 47) where the source names it."""

    text: str
    language: str | None = None


class Entity(NamedTuple):
    """A thing that an authority names (GeoNames, AAT, Wikidata, VIAF, ...): which part of a record means it.

    ``address`` is written as :func:`ingest.values.entity_address` gives it, ``label`` as the record does.
    """

    part: str
    address: str
    label: str = ""


def values(*texts: str) -> tuple[Value, ...]:
    """Values without a language, for the many sources that name none."""
    return tuple(Value(text) for text in texts)


def innermost(place: str) -> str:
    """The name of a place whose value is the path to it, the widest place first."""
    return place.rpartition(STEP)[2].strip() or place


class Record(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One item of a collection, as its museum describes it.

    ``title`` to ``source`` are the six Dublin Core fields, each a tuple of values in source order. ``places``
    are place names that the source gives apart from the six (a museum's own place index), or paths to them
    (:func:`innermost`); they count as locations of the item. In the same way sources give the ``people`` that
    an item shows or is about, the ``cultures`` or peoples that it comes from, its ``periods`` by name, the
    ``events`` and ``concepts`` that it is about, its ``materials`` and techniques, and the set, series, album
    or book that it is ``part_of``; all these are ``INDEXED``. ``entities`` are the things that authorities
    name, each with the part of the record that means it. The rest is for display and filtering only.
    """

    id: str
    title: tuple[Value, ...] = ()
    creator: tuple[Value, ...] = ()
    subject: tuple[Value, ...] = ()
    description: tuple[Value, ...] = ()
    date: tuple[Value, ...] = ()
    source: tuple[Value, ...] = ()
    type: str | None = None
    places: tuple[Value, ...] = ()
    people: tuple[Value, ...] = ()
    cultures: tuple[Value, ...] = ()
    periods: tuple[Value, ...] = ()
    events: tuple[Value, ...] = ()
    concepts: tuple[Value, ...] = ()
    materials: tuple[Value, ...] = ()
    part_of: tuple[Value, ...] = ()
    image: str | None = None
    landing_page: str | None = None
    rights: str | None = None
    provider: str | None = None
    modified: str | None = None
    entities: tuple[Entity, ...] = ()

    def field(self, field: Field) -> tuple[Value, ...]:
        """The values of one of the six fields."""
        return self.part(field.value)

    def part(self, name: str) -> tuple[Value, ...]:
        """The values of one of ``TEXTS``."""
        texts: tuple[Value, ...] = getattr(self, name)
        return texts

    @property
    def label(self) -> str:
        """What to call the item on a page: its first title, else its id."""
        return self.title[0].text if self.title else self.id

    @property
    def has_text(self) -> bool:
        """Whether any of the six fields holds anything but blanks."""
        return any(value.text.strip() for field in Field for value in self.field(field))

    @property
    def fields_hash(self) -> bytes:
        """Digest of the six fields: two records with the same one are exact duplicates."""
        return _digest([self.field(field) for field in Field])

    @property
    def analysis_hash(self) -> bytes:
        """Digest of all that the language analysis reads: the six fields, what is indexed, what they name.

        A record that has nothing of a part has the digest that it had before there was such a part.
        """
        texts = [*(self.field(field) for field in Field), self.places]
        others = (name for name in INDEXED if name != "places")
        indexed = [(Value(name), *self.part(name)) for name in others if self.part(name)]
        return _digest([*texts, self.entities, *indexed] if self.entities or indexed else texts)


def _digest(content: Sequence[Sequence[NamedTuple]]) -> bytes:
    return hashlib.sha256(msgspec.json.encode(content)).digest()


_ENCODER = msgspec.json.Encoder()
_DECODER = msgspec.json.Decoder(Record)


def encode(record: Record) -> bytes:
    """A record as JSON bytes, for the catalogue."""
    return _ENCODER.encode(record)


def decode(data: bytes) -> Record:
    """The inverse of :func:`encode`; raises ``DamagedArtefact`` for bytes that are no record."""
    try:
        return _DECODER.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise DamagedArtefact(
            f"a stored record cannot be read ({error}); ingest its file again, then run: kindred build"
        ) from error


_LONGEST_ID: Final = 1000  # an id stands in addresses, which servers refuse from some 8,000 bytes on


def id_objection(item: str) -> str | None:
    """Why a text cannot be the id of an item; None where it can.

    An id stands in paths: ``.`` and ``..`` are taken out of these by browsers. A control character cannot be
    seen, and U+FFFD stands where bytes were no UTF-8, so that two such ids could be meant by one.
    """
    if not item.strip():
        return "the id is empty"
    if item in (".", ".."):
        return f"the id {item!r} is a step in a path; name the item otherwise"
    if "\ufffd" in item:
        return f"the id {item!r} holds U+FFFD, which stands for bytes that are no UTF-8"
    if len(item) > _LONGEST_ID:
        return f"the id {item[:40]!r}... has {len(item):,} characters; {_LONGEST_ID:,} are the most"
    if any(ord(character) < 32 or 127 <= ord(character) < 160 for character in item):
        return f"the id {item!r} holds a control character"
    if not any(unicodedata.category(character)[0] in "LNPS" for character in item):
        return f"the id {item!r} holds nothing that can be seen"
    return None


def web_address(text: str | None) -> str | None:
    """An address that may stand in a page as a link or a picture; None for any other text."""
    try:
        parts = urlsplit((text or "").strip())
    except ValueError:
        return None
    return parts.geturl() if parts.scheme in ("http", "https") and parts.netloc else None


def without_other_addresses(record: Record) -> tuple[Record, int]:
    """The record without a picture and a page that are no web addresses, and how many these were.

    Of several addresses in one text the first is the picture, or the page.
    """
    changes: dict[str, str | None] = {}
    for name in ("image", "landing_page"):
        text = (getattr(record, name) or "").strip()
        first = _BETWEEN_ADDRESSES.split(text, maxsplit=1)[0]
        if text and web_address(first) is None:
            changes[name] = None
        elif first != text:
            changes[name] = first
    dropped = list(changes.values()).count(None)
    return (msgspec.structs.replace(record, **changes), dropped) if changes else (record, 0)


_BETWEEN_ADDRESSES: Final = re.compile(r"[\s|;,]+(?=https?://)")
