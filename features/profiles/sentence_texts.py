"""Which texts of a record get a sentence vector, and the vectors of many records at once.

``content``: titles, subjects and descriptions without boilerplate and context: what an item shows. ``all``:
these without boilerplate, with creators, dates and places. A title that begins the description stands once.
The encoders learnt English: titles, subjects and descriptions in another language have English words where
:mod:`features.text.glosses` has any.
"""

import hashlib
from collections.abc import Callable, Iterable, Sequence
from threading import Lock
from typing import Final, Literal, TypeAlias

from features.profiles.profile import SentenceVector
from features.profiles.record_language import declared, language_of
from features.text.boilerplate import Spans, content_spans
from features.text.caches import BoundedCache
from features.text.context import shown_spans
from features.text.glosses import glossed
from features.text.language_codes import Code
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

_REMEMBERED: Final = 24 << 20
"""Bytes of the cached vectors, some 50,000 of 384 bytes: titles and series come back by the thousand."""


def sentence_texts(record: Record) -> dict[TextName, str]:
    """The texts of a record by name; one that would be empty is left out.

    >>> from ingest.record import values
    >>> sentence_texts(Record(id="a", title=values("Venice"), description=values("Purchased 1979")))
    {'content': 'Venice', 'all': 'Venice'}
    >>> sentence_texts(Record(id="b", title=(Value("Brug over de Amstel", "nl"),)))["content"]
    'bridge over the Amstel'
    """
    language = language_of(record)
    title, subjects = _glossed(record.title, language), _glossed(record.subject, language, ", ")
    shown = _described(record, shown_spans, language)
    described = _described(record, content_spans, language)
    places = [Value(innermost(place.text)) for place in record.places]
    creators, rest = _text(record.creator), (_text(record.date), _text(places, ", "))
    texts: dict[TextName, str] = {
        "content": _sentences(("" if shown.startswith(title) else title, subjects, shown)),
        "all": _sentences(
            ("" if described.startswith(title) else title, creators, subjects, described, *rest)
        ),
    }
    return {name: text for name, text in texts.items() if text}


def _described(record: Record, spans: Callable[[str], Spans], language: Code) -> str:
    return _sentences(
        glossed(value.text[start:end], declared(value) or language)
        for value in record.description
        for start, end in spans(value.text)
    )


def _glossed(values: Iterable[Value], language: Code, between: str = ". ") -> str:
    return _text((Value(glossed(value.text, declared(value) or language)) for value in values), between)


class SentenceVectors:
    """Makes the vectors of records, each distinct text's once; threads may share it."""

    def __init__(self, encoder: Encoder) -> None:
        self._encoder = encoder
        # by digests of the texts, which may be long
        self._cache: BoundedCache[bytes, bytes] = BoundedCache(f"{__name__}.vectors", _REMEMBERED)
        self._lock = Lock()

    def of(self, records: Sequence[Record]) -> list[tuple[SentenceVector, ...]]:
        """The vectors of each record, in the order of the names; a text that has no known piece has none."""
        texts = [sentence_texts(record) for record in records]
        distinct = dict.fromkeys(text for each in texts for text in each.values())
        keys = {text: hashlib.blake2b(text.encode(), digest_size=16).digest() for text in distinct}
        # a thread that comes meanwhile would encode the same texts, and drop those that this one reads
        with self._lock:
            vectors = self._cache.known(keys.values())
            missing = [text for text, key in keys.items() if key not in vectors]
            if missing:
                for text, row in zip(missing, quantised(self._encoder.encode(missing)), strict=True):
                    # a vector of 0 says nothing, and is none
                    vectors[keys[text]] = row.tobytes() if row.any() else b""
                    self._cache.put(keys[text], vectors[keys[text]])
        return [
            tuple(
                SentenceVector(name, vector) for name, text in each.items() if (vector := vectors[keys[text]])
            )
            for each in texts
        ]


def open_vectors(encoder: EncoderName) -> SentenceVectors | None:
    """What makes the vectors, the model loaded; None where the encoder is not installed."""
    return SentenceVectors(open_encoder(encoder)) if fingerprint(encoder) else None


def _text(values: Iterable[Value], between: str = ". ") -> str:
    return between.join(filter(None, (value.text.strip() for value in values)))


def _sentences(texts: Iterable[str]) -> str:
    """Texts one after the other, each but the last ended by a full stop where it has no mark of its own."""
    filled = [text for text in map(str.strip, texts) if text]
    ended = [text if text[-1] in ".!?;:" else f"{text}." for text in filled[:-1]]
    return " ".join([*ended, *filled[-1:]])
