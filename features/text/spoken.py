"""Which language a text is in: English, German, French, Dutch, Italian, Spanish or Swedish.

The detector is the package py3langid, over these languages alone. A record counts as English unless its text
says clearly otherwise: catalogues in English are full of titles in other languages. Short texts say it by
their words, where the detector is in doubt.
"""

import re
from collections.abc import Iterable
from functools import cache
from typing import Final, Protocol

from features.text.caches import text_cache
from features.text.glosses import is_english, is_known
from features.text.language_codes import ENGLISH, LANGUAGES, Code, stop_words

_SURE: Final = 0.9
"""How probable another language than English has to be."""
_LONG: Final = 3000
"""Characters that are looked at; a language shows in fewer."""
_ENGLISH_WORDS: Final = re.compile(
    r"(?i)(?<![\w'’])(?:the|and|with|from|by|his|her|this|which|of\sthe|purchased?|prints|photographs"
    r"|drawings|paintings|paper)(?![\w'’])"
)
"""Words that none of the other languages has as such."""
_WORD: Final = re.compile(r"[^\W\d_]{2,}")
_OWN_WORDS: Final = 2
"""So many words of a language settle a doubt, and more than twice as many as there are English ones."""


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
    return language if probability >= _SURE or _has_words_of(language, text) else ENGLISH


def is_rather_english(text: str, language: Code) -> bool:
    """Whether more words of a short text, as a holder's name, are English ones than of another language.

    >>> is_rather_english("Museum of Modern Art", "nl"), is_rather_english("Museum voor Moderne Kunst", "nl")
    (True, False)
    >>> is_rather_english("Jan Steen", "nl")  # names are of no language
    False
    """
    own, english = _words_of(language, text.lower())
    return len(english - own) > len(own - english)


def _has_words_of(language: Code, text: str) -> bool:
    """Whether the words of a text are rather those of a language than English ones."""
    own, english = _words_of(language, text)
    return len(own - english) >= max(_OWN_WORDS, 2 * len(english) + 1)


def _words_of(language: Code, text: str) -> tuple[set[str], set[str]]:
    """The words of a text that are known in a language, and those that are known in English."""
    words = set(_WORD.findall(text))
    small, small_english = stop_words(language), stop_words(ENGLISH)
    own = {word for word in words if word in small or is_known(word, language)}
    return own, {word for word in words if word in small_english or is_english(word)}


class _Detector(Protocol):
    def classify(self, text: str) -> tuple[str, float]: ...

    def set_languages(self, langs: Iterable[str]) -> None: ...


@cache
def _detector() -> _Detector:
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    detector: _Detector = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    detector.set_languages(LANGUAGES)
    return detector
