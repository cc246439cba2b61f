"""Profile: what the language analysis found in a record, each thing with its field and offsets.

A profile belongs to a record's *content* (``Record.analysis_hash``), not to its id: two records
with the same words share one.
"""

import msgspec

from features.annotation import Mention, Word
from features.names import Name
from features.years import Period
from ingest.errors import DamagedArtefact

PLACES = "places"
"""The part of a record that holds its own place index, beside the six Dublin Core fields."""


class AnalysedValue(msgspec.Struct, frozen=True, array_like=True):
    """One value of a record after analysis.

    ``part`` is the field (one of the six, or ``places``) and ``index`` the value's place in it;
    every offset below counts characters of that value.
    """

    part: str
    index: int
    words: tuple[Word, ...]
    mentions: tuple[Mention, ...]
    periods: tuple[Period, ...] = ()
    names: tuple[Name, ...] = ()


class Profile(msgspec.Struct, frozen=True, array_like=True):
    """All analysed values of a record, in the order of the fields.

    >>> value = AnalysedValue("title", 0, (Word(0, 6, "Venice", "Venice", "PROPN"),), ())
    >>> decode(encode(Profile((value,)))).values[0].words[0].lemma
    'Venice'
    """

    values: tuple[AnalysedValue, ...]


_ENCODER = msgspec.msgpack.Encoder()
_DECODER = msgspec.msgpack.Decoder(Profile)


def encode(profile: Profile) -> bytes:
    """A profile as MessagePack bytes."""
    return _ENCODER.encode(profile)


def decode(data: bytes) -> Profile:
    """The inverse of :func:`encode`; raises ``DamagedArtefact`` for other bytes."""
    try:
        return _DECODER.decode(data)
    except msgspec.DecodeError as error:
        raise DamagedArtefact(f"a profile cannot be read ({error}); make it anew: kindred build") from error
