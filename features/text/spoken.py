"""Which language a text is in: English, German, French, Dutch, Italian, Spanish or Swedish.

The detector is the package py3langid, over these languages alone. A record counts as English unless its text
says clearly otherwise: catalogues in English are full of titles in other languages.
"""

import re
from collections.abc import Iterable
from functools import cache
from importlib import resources
from typing import Final, Protocol, TypeAlias

from features.text.caches import text_cache

Code: TypeAlias = str
"""A language by its two letters."""

ENGLISH: Final = "en"
LANGUAGES: Final = (ENGLISH, "de", "fr", "nl", "it", "es", "sv")
"""The languages that are told apart."""

_SURE: Final = 0.9
"""How probable another language than English has to be."""
_LONG: Final = 3000
"""Characters that are looked at; a language shows in fewer."""
_ENGLISH_WORDS: Final = re.compile(
    r"(?i)(?<![\w'’])(?:the|and|with|from|by|his|her|this|which|of\sthe|purchased?|prints|photographs"
    r"|drawings|paintings|paper)(?![\w'’])"
)
"""Words that none of the other languages has as such."""
_TAG: Final = re.compile(r"[A-Za-z]{2,3}")
_THREE: Final = {
    "eng": "en", "ger": "de", "deu": "de", "fre": "fr", "fra": "fr", "dut": "nl", "nld": "nl", "ita": "it",
    "spa": "es", "swe": "sv",
}  # fmt: skip


def base(tag: str) -> Code | None:
    """The language of a tag (BCP 47) in small letters; None where the tag names none.

    >>> base("nl-BE"), base("de_AT"), base("DUT"), base("ger"), base("und")
    ('nl', 'de', 'nl', 'de', None)
    """
    match = _TAG.match(tag)
    code = match[0].lower() if match else "und"
    return None if code in ("und", "mul", "zxx") else _THREE.get(code, code)


def spoken(texts: Iterable[str]) -> Code:
    """The language of the texts of a record; English where none shows clearly.

    >>> spoken(["Stilleven met bloemen", "Een vaas met bloemen en vruchten op een stenen tafel."])
    'nl'
    >>> spoken(["Vue de la Seine", "etching on paper, printed from one plate"]), spoken(["Nude"])
    ('en', 'en')
    """
    text = ". ".join(texts)[:_LONG]
    if not text.strip() or _ENGLISH_WORDS.search(text):
        return ENGLISH
    return _detected(text)


@text_cache(2000, longest=_LONG)  # asked as a record is read, and again as its texts are encoded
def _detected(text: str) -> Code:
    language, probability = _detector().classify(text)
    return language if probability >= _SURE else ENGLISH


@cache
def stop_words(language: Code) -> frozenset[str]:
    """The small words of a language, none of one that is not known.

    >>> "aan" in stop_words("nl"), stop_words("pl")
    (True, frozenset())
    """
    table = resources.files("features.text").joinpath("stop_words.tsv").read_text("utf-8")
    rows = dict(line.split("\t") for line in table.splitlines()[1:])
    return frozenset(rows.get(language, "").split())


class _Detector(Protocol):
    def classify(self, text: str) -> tuple[str, float]: ...

    def set_languages(self, langs: Iterable[str]) -> None: ...


@cache
def _detector() -> _Detector:
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    detector: _Detector = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    detector.set_languages(LANGUAGES)
    return detector
