"""Record and Field: the one type that every package shares.

A record is complete on its own: nothing downstream goes back to its source.
"""

import hashlib
from enum import StrEnum
from typing import Final, NamedTuple

import msgspec

from ingest.errors import DamagedArtefact


class Field(StrEnum):
    """The six Dublin Core fields that are compared, in the order of the official files.

    >>> [field.value for field in Field]
    ['title', 'creator', 'subject', 'description', 'date', 'source']
    """

    TITLE = "title"
    CREATOR = "creator"
    SUBJECT = "subject"
    DESCRIPTION = "description"
    DATE = "date"
    SOURCE = "source"


STEP: Final = " > "
"""What stands between the places of a path, the widest first."""


class Value(NamedTuple):
    """One value of a field, with its language (BCP 47) where the source names it."""

    text: str
    language: str | None = None


class Entity(NamedTuple):
    """A thing that an authority names (GeoNames, AAT, Wikidata, VIAF, ...): which part of a record means it.

    ``address`` is written as ``ingest.entities`` writes it, ``label`` as the record does.
    """

    part: str
    address: str
    label: str = ""


def values(*texts: str) -> tuple[Value, ...]:
    """Values without a language, for the many sources that name none.

    >>> values("Venice", "canal")
    (Value(text='Venice', language=None), Value(text='canal', language=None))
    """
    return tuple(Value(text) for text in texts)


def innermost(place: str) -> str:
    """The name of a place whose value is the path to it, the widest place first.

    >>> innermost("Europe > Italia > Veneto > Verona"), innermost("Paris, Texas")
    ('Verona', 'Paris, Texas')
    """
    return place.rpartition(STEP)[2].strip() or place


class Record(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One item of a collection, as its museum describes it.

    ``title`` to ``source`` are the six Dublin Core fields, each a tuple of values in source order.
    ``places`` are place names that the source gives apart from the six (a museum's own place
    index), or paths to them (:func:`innermost`); they count as locations of the item. ``entities`` are the
    things that authorities name, each with the part of the record that means it. The rest is for
    display and filtering only.

    >>> record = Record(id="a:1", title=values("View of Venice"), date=values("1840"))
    >>> record.field(Field.TITLE)[0].text
    'View of Venice'
    >>> record.label
    'View of Venice'
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
    image: str | None = None
    landing_page: str | None = None
    rights: str | None = None
    provider: str | None = None
    modified: str | None = None
    entities: tuple[Entity, ...] = ()

    def field(self, field: Field) -> tuple[Value, ...]:
        """The values of one of the six fields."""
        found: tuple[Value, ...] = getattr(self, field.value)
        return found

    @property
    def label(self) -> str:
        """What to call the item on a page: its first title, else its id."""
        return self.title[0].text if self.title else self.id

    @property
    def has_text(self) -> bool:
        """Whether any of the six fields holds anything but blanks.

        >>> Record(id="a", title=values("  ")).has_text
        False
        """
        return any(value.text.strip() for field in Field for value in self.field(field))

    @property
    def fields_hash(self) -> bytes:
        """Digest of the six fields: two records with the same one are exact duplicates.

        >>> one, two = Record(id="a", title=values("x")), Record(id="b", title=values("x"))
        >>> one.fields_hash == two.fields_hash
        True
        >>> one.fields_hash == Record(id="a", subject=values("x")).fields_hash
        False
        """
        return _digest([self.field(field) for field in Field])

    @property
    def analysis_hash(self) -> bytes:
        """Digest of all that the language analysis reads (the six fields and the places)."""
        return _digest([*(self.field(field) for field in Field), self.places])


def _digest(content: list[tuple[Value, ...]]) -> bytes:
    return hashlib.sha256(msgspec.json.encode(content)).digest()


_ENCODER = msgspec.json.Encoder()
_DECODER = msgspec.json.Decoder(Record)


def encode(record: Record) -> bytes:
    """A record as JSON bytes, for the catalogue."""
    return _ENCODER.encode(record)


def decode(data: bytes) -> Record:
    """The inverse of :func:`encode`.

    Raises:
        DamagedArtefact: the bytes are no record.

    >>> decode(encode(Record(id="a", title=values("x")))).title[0].text
    'x'
    """
    try:
        return _DECODER.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise DamagedArtefact(
            f"a stored record cannot be read ({error}); ingest its file again, then run: kindred build"
        ) from error
