"""Profile: what the language analysis found in a record, each thing with its field and offsets.

A profile belongs to a record's *content* (``Record.analysis_hash``), not to its id: two records
with the same words share one.
"""

from typing import Final, Literal, get_args

import msgspec

from features.text.annotation import Mention, Word
from features.text.dates.years import Period
from features.text.language_codes import ENGLISH
from features.text.names.names import Name
from ingest.errors import DamagedArtefact

Part = Literal[
    "title", "creator", "subject", "description", "date", "source",
    "places", "people", "cultures", "periods", "events", "concepts", "materials", "part_of",
]  # fmt: skip
"""A part of a record that has values: one of ``ingest.record.TEXTS``."""

EVERYWHERE: tuple[Part, ...] = ("title", "creator", "subject", "description", "date", "source")
"""The six fields: all parts but those that a museum indexes apart from them."""

PLACES = "places"
"""The part of a record that holds its own place index, beside the six Dublin Core fields."""

PEOPLE = "people"
"""The part of a record that holds its own index of persons."""

ORDER: Final[dict[str, int]] = {part: n for n, part in enumerate(get_args(Part))}
"""The place of each part in the order of the text."""


class Occurrence(msgspec.Struct, frozen=True):
    """A term at some offsets in value ``index`` of ``part``.

    ``tag`` is a word's universal part of speech; of a whole name the fact that it states, as ``sets``.
    """

    term: str
    part: str
    index: int
    start: int
    end: int
    tag: str = ""


class AnalysedValue(msgspec.Struct, frozen=True, array_like=True):
    """One value of a record after analysis.

    ``part`` is one of :data:`Part`, ``index`` the value's place in it; every offset below counts characters
    of that value. ``boilerplate`` are the parts ``[start, end)`` of a description
    that are about the record, and ``context`` those that are about the item's history. ``address`` is that
    of what the whole value names, where the record gives it.
    """

    part: str
    index: int
    words: tuple[Word, ...]
    mentions: tuple[Mention, ...]
    periods: tuple[Period, ...] = ()
    names: tuple[Name, ...] = ()
    boilerplate: tuple[tuple[int, int], ...] = ()
    context: tuple[tuple[int, int], ...] = ()
    address: str | None = None

    def is_boilerplate(self, at: int) -> bool:
        """Whether the character at an offset is part of boilerplate."""
        return any(start <= at < end for start, end in self.boilerplate)

    def is_context(self, at: int) -> bool:
        """Whether the character at an offset is part of context."""
        return any(start <= at < end for start, end in self.context)


class SentenceVector(msgspec.Struct, frozen=True, array_like=True):
    """The vector of a text of :mod:`.sentence_texts`: int8[384] as bytes; its length means nothing."""

    text: str
    numbers: bytes


class Profile(msgspec.Struct, frozen=True, array_like=True):
    """All analysed values of a record, in the order of the fields, its sentence vectors, if any, and the
    language that it is in.

    >>> value = AnalysedValue("title", 0, (Word(0, 6, "Venice", "Venice", "PROPN"),), ())
    >>> decode(encode(Profile((value,)))).values[0].words[0].lemma
    'Venice'
    """

    values: tuple[AnalysedValue, ...]
    vectors: tuple[SentenceVector, ...] = ()
    language: str = ENGLISH

    def vector(self, text: str) -> bytes | None:
        """The sentence vector of a text, if there is one."""
        return next((vector.numbers for vector in self.vectors if vector.text == text), None)


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
