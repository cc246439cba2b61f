"""Which encoding of one byte a character a text is in, where its bytes alone do not say.

Two libraries decide, each what it can. charset-normalizer tells scripts apart: Russian read as Latin-1 is a
mess of symbols. It cannot tell Czech in Windows-1250 from French in Windows-1252, since every byte is a
letter in both; there py3langid says which language it is.
Where neither library is sure, the text is taken for one of Western Europe.
"""

import re
from collections.abc import Iterable, Set
from functools import cache
from typing import Final, Protocol

from charset_normalizer import from_bytes

SAMPLE: Final = 1 << 14
"""The bytes that are looked at; an encoding shows in fewer."""

_SCRIPTS: Final = ("cp1251", "cp1253", "koi8_r")
"""Encodings of other scripts than the Latin one: Cyrillic, Greek, Cyrillic."""

_LATIN: Final = ("cp1252", "latin_1", "cp1250", "iso8859_2")
_CONTROLS: Final = frozenset(range(0x80, 0xA0))
"""Control characters in ISO 8859; letters, quotes and dashes in the encodings of Windows."""

_WORD: Final = re.compile(rb"[A-Za-z\x80-\xff]{4,}")
_FEWEST_WORDS: Final = 3
"""Different words with letters beyond ASCII that show a script; fewer may be symbols or misprints."""

_CLEANER: Final = 0.3
"""How much cleaner a text has to be in another script: shares of its letters that cannot stand so."""

_CENTRAL: Final = ("cs", "hr", "hu", "pl", "ro", "sk", "sl")
"""Languages that are written in Windows-1250 and ISO-8859-2, and not in Latin-1."""

_OTHERS: Final = (
    *("ca", "da", "de", "en", "es", "et", "eu", "fi", "fr", "ga", "gl", "is", "it", "nl", "nn", "no", "pt"),
    *("sv", "lt", "lv", "tr"),
)
_SURE: Final = 0.9
_CHARACTERS: Final = 4000
"""Of a text whose language is asked."""


def of_one_byte(sample: bytes, high: Set[int]) -> str:
    """The encoding of a text: Latin-1 or Windows-1252, unless ``sample`` clearly says another.

    ``sample`` holds lines with bytes above 127, of which ``high`` are those of the whole text.

    >>> of_one_byte("Kościół świętej Anny".encode("cp1250"), set("ścłę".encode("cp1250")) - {0x63})
    'cp1250'
    >>> of_one_byte("Die Brücke über die Isar".encode("cp1252"), {0xFC})
    'latin-1'
    """
    windows = not high.isdisjoint(_CONTROLS)
    west = "cp1252" if windows and _is_decodable(high, "cp1252") else "latin-1"
    central = "cp1250" if windows else "iso8859_2"
    script = _script(sample)
    if script is not None and _is_decodable(high, script):
        return script
    if not _is_decodable(high, central) or bytes(high).decode(central) == bytes(high).decode(west):
        return west
    language, probability = _languages().classify(sample.decode(central, "replace")[:_CHARACTERS])
    return central if language in _CENTRAL and probability >= _SURE else west


def _is_decodable(high: Set[int], encoding: str) -> bool:
    try:
        bytes(high).decode(encoding)
    except UnicodeDecodeError:
        return False
    return True


def _script(sample: bytes) -> str | None:
    """The encoding in which the words are clearly cleaner than in all of the Latin script."""
    words = dict.fromkeys(word for word in _WORD.findall(sample) if not word.isascii())
    if len(words) < _FEWEST_WORDS:
        return None
    text = b" ".join(words)
    readings = from_bytes(
        text,
        steps=1,
        chunk_size=len(text),
        threshold=1.0,
        cp_isolation=[*_SCRIPTS, *_LATIN],
        preemptive_behaviour=False,
    )
    messes = dict.fromkeys((*_SCRIPTS, *_LATIN), 1.0)  # of those that it leaves out
    messes |= {name: one.chaos for one in readings for name in one.could_be_from_charset}
    script = min(_SCRIPTS, key=messes.__getitem__)
    return script if min(messes[name] for name in _LATIN) - messes[script] >= _CLEANER else None


class _Detector(Protocol):
    """What is used of py3langid."""

    def classify(self, text: str) -> tuple[str, float]:
        """The most probable language of a text, and how probable it is."""
        ...

    def set_languages(self, langs: Iterable[str]) -> None:
        """Tell these languages apart and no others."""
        ...


@cache
def _languages() -> _Detector:
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    detector: _Detector = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    detector.set_languages((*_CENTRAL, *_OTHERS))
    return detector
