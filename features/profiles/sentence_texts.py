"""Which texts of a record get a sentence vector, and the vectors of many records at once.

``content``: titles, subjects and what descriptions say without boilerplate and context: what an item shows
and tells, not who made it, when or where. ``all``: titles, subjects and
descriptions without boilerplate, with creators, dates and places. A title that the description begins with
stands in ``content`` and ``all`` once.
"""

import hashlib
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from threading import Lock
from typing import Final, Literal, TypeAlias

import numpy as np

from features.profiles.profile import SentenceVector
from features.text.boilerplate import Spans, content_spans
from features.text.context import shown_spans
from features.text.sentence_vectors import quantised
from features.text.sentences import Encoder, EncoderName, fingerprint, open_encoder
from ingest.record import Record, Value, innermost

TextName: TypeAlias = Literal["content", "all"]
"""The texts of a record that have a vector."""

PARTS: Final[dict[TextName, tuple[str, ...]]] = {
    "content": ("title", "subject", "description"),
    "all": ("title", "creator", "subject", "description", "date", "places"),
}
"""The parts of a record that each text is made of."""

_REMEMBERED: Final = 50_000
"""Texts whose vectors are kept, 384 bytes each: titles, media and series come back by the thousand."""


def sentence_texts(record: Record) -> dict[TextName, str]:
    """The texts of a record by name; one that would be empty is left out.

    >>> from ingest.record import values
    >>> sentence_texts(Record(id="a", title=values("Venice"), description=values("Purchased 1979")))
    {'content': 'Venice', 'all': 'Venice'}
    """
    title, subjects = _text(record.title), _text(record.subject, ", ")
    shown, described = _described(record, shown_spans), _described(record, content_spans)
    places = [Value(innermost(place.text)) for place in record.places]
    creators, rest = _text(record.creator), (_text(record.date), _text(places, ", "))
    texts: dict[TextName, str] = {
        "content": _sentences((_once(title, shown), subjects, shown)),
        "all": _sentences((_once(title, described), creators, subjects, described, *rest)),
    }
    return {name: text for name, text in texts.items() if text}


def _described(record: Record, spans: Callable[[str], Spans]) -> str:
    """Parts of the descriptions as one text."""
    return _sentences(
        value.text[start:end] for value in record.description for start, end in spans(value.text)
    )


def _once(title: str, described: str) -> str:
    return "" if described.startswith(title) else title


class SentenceVectors:
    """Makes the vectors of records, each distinct text's once; several threads may ask."""

    def __init__(self, encoder: Encoder) -> None:
        self._encoder = encoder
        # by digests of the texts, which may be long
        self._kept: OrderedDict[bytes, bytes] = OrderedDict()
        self._lock = Lock()

    def of(self, records: Sequence[Record]) -> list[tuple[SentenceVector, ...]]:
        """The vectors of each record, in the order of the names; a text that has no known piece has none."""
        texts = [sentence_texts(record) for record in records]
        keys = {text: _key(text) for each in texts for text in each.values()}
        # a thread that comes meanwhile would encode the same texts, and drop those that this one reads
        with self._lock:
            self._encode(keys)
            found = [
                tuple(
                    SentenceVector(name, vector)
                    for name, text in each.items()
                    if (vector := self._kept[keys[text]])
                )
                for each in texts
            ]
            for key in keys.values():
                self._kept.move_to_end(key)
            while len(self._kept) > _REMEMBERED:
                self._kept.popitem(last=False)
        return found

    def _encode(self, keys: Mapping[str, bytes]) -> None:
        missing = [text for text, key in keys.items() if key not in self._kept]
        if missing:
            made = quantised(self._encoder.encode(missing))
            # a vector of 0 says nothing, and is none
            said = np.asarray(made.any(axis=1))
            self._kept.update(
                (keys[text], row.tobytes() if says else b"")
                for text, row, says in zip(missing, made, said, strict=True)
            )


def open_vectors(encoder: EncoderName) -> SentenceVectors | None:
    """What makes the vectors, the model loaded; None where the encoder is not installed."""
    return SentenceVectors(open_encoder(encoder)) if fingerprint(encoder) else None


def _key(text: str) -> bytes:
    return hashlib.blake2b(text.encode(), digest_size=16).digest()


def _text(values: Iterable[Value], between: str = ". ") -> str:
    texts = (value.text.strip() for value in values)
    return between.join(text for text in texts if text)


def _sentences(texts: Iterable[str]) -> str:
    """Texts one after the other, each but the last ended by a full stop where it has no mark of its own."""
    found = [text for text in (each.strip() for each in texts) if text]
    ended = [text if text[-1] in ".!?;:" else f"{text}." for text in found[:-1]]
    return " ".join([*ended, *found[-1:]])
