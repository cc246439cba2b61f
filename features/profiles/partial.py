"""Parts of stored records and profiles, read without the rest, when a whole collection is gone through.

Most of a profile is its words, and most of a record its texts. They are stepped over, not decoded.
"""

from collections.abc import Callable
from typing import Final, TypeVar

import msgspec

from features.profiles.dated import dating
from features.profiles.profile import EVERYWHERE
from features.text.annotation import Mention
from features.text.names.listed import maker_name
from features.text.names.names import Name
from ingest.errors import DamagedArtefact
from ingest.record import Value, innermost

_Part = TypeVar("_Part")


class Described(msgspec.Struct, frozen=True, gc=False):
    """What a record says of its item beside the six fields, but for its addresses and rights.

    >>> from ingest.record import Record, encode, values
    >>> parts = described(encode(Record(id="a:1", title=values("View"), provider="Tate", type="print")))
    >>> parts.provider, parts.type, parts.image, parts.places
    ('Tate', 'print', None, ())
    """

    provider: str | None = None
    type: str | None = None
    image: str | None = None
    places: tuple[Value, ...] = ()
    people: tuple[Value, ...] = ()
    cultures: tuple[Value, ...] = ()
    periods: tuple[Value, ...] = ()
    events: tuple[Value, ...] = ()
    concepts: tuple[Value, ...] = ()
    materials: tuple[Value, ...] = ()
    part_of: tuple[Value, ...] = ()

    def indexed(self, part: str) -> list[str]:
        """The names of one of ``ingest.record.INDEXED``, of a path the last."""
        given: tuple[Value, ...] = getattr(self, part)
        return [innermost(value.text) for value in given]


class Years(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """The years of a period, and whether it is a named one: :class:`features.text.dates.years.Period`."""

    first: int
    last: int
    written: msgspec.Raw
    start: int
    end: int
    text: msgspec.Raw
    approximate: bool = False
    named: bool = False


class _Value(msgspec.Struct, frozen=True, array_like=True, gc=False):
    part: str
    index: int
    words: msgspec.Raw
    mentions: tuple[Mention, ...]
    periods: tuple[Years, ...] = ()
    names: tuple[Name, ...] = ()


class NamedYearsAndPlaces(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """The locations, years and makers that the texts of a record name.

    >>> from features.text.annotation import Mention
    >>> from features.profiles.profile import AnalysedValue, Profile, encode
    >>> from features.text.dates.years import periods
    >>> title = AnalysedValue("title", 0, (), (Mention(0, 4, "location", "Bath"),), periods("Bath, 1799"))
    >>> date = AnalysedValue("date", 0, (), (), periods("1801-05"))
    >>> parts = named(encode(Profile((title, date))))
    >>> parts.locations, [(one.first, one.last) for one in parts.years]
    (['Bath'], [(1801, 1805)])
    """

    values: tuple[_Value, ...]

    @property
    def locations(self) -> list[str]:
        """The places that are mentioned, in text order, some more than once."""
        return [one.text for value in self.values for one in value.mentions if one.kind == "location"]

    @property
    def makers(self) -> list[str]:
        """The makers that the creator field names, as lists of makers have them."""
        every = [name for value in self.values if value.part == "creator" for name in value.names]
        return [*filter(None, map(maker_name, every))]

    @property
    def years(self) -> list[Years]:
        """As the measures of time read them: those of the date field alone where it names any."""
        return [one for value in dating(self.values, ("date",), EVERYWHERE) for one in value.periods]


_DESCRIBED: Final = msgspec.json.Decoder(Described)
_NAMED: Final = msgspec.msgpack.Decoder(NamedYearsAndPlaces)


def described(record: bytes) -> Described:
    """Of an encoded record; raises ``DamagedArtefact`` for other bytes."""
    return _read(_DESCRIBED.decode, record)


def named(profile: bytes) -> NamedYearsAndPlaces:
    """Of an encoded profile; raises ``DamagedArtefact`` for other bytes."""
    return _read(_NAMED.decode, profile)


def _read(decode: Callable[[bytes], _Part], data: bytes) -> _Part:
    try:
        return decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        sentence = f"a stored item cannot be read ({error}); make it anew: kindred build"
        raise DamagedArtefact(sentence) from error
