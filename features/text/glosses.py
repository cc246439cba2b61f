"""English words in the place of the commonest museum words of six other languages, for encoders of English.

``glosses.tsv`` has a row for each English word, and a column of its forms in each language, ``|`` between
them; a form may be of several words. Compounds of Dutch, German and Swedish are cut in two where a part is in
the table: a form with a hyphen before it ends compounds (-kerk), one with a hyphen behind it begins some
(kerk-). It is no translation: all other words, and the grammar, stay as they are. The table is written by
``python -m training glosses``.
"""

import re
import unicodedata
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from itertools import pairwise
from typing import Final, NamedTuple

from features.text.caches import text_cache
from features.text.names.parts import fold
from features.text.places.gazetteer import gazetteer
from features.text.spoken import Code, stop_words
from features.text.word_lists import word_list

_WORD: Final = re.compile(r"[^\W\d_]+")
_WITHIN: Final = frozenset({" ", "-", "'", "’"})
"""What may stand between the words of a form that has several."""

_LETTERS: Final[dict[Code, str]] = {"de": "äöü", "es": "ñ", "sv": "åäö"}
"""Letters of their own in a language, which are no accents there: Swedish får is a sheep, far a father."""

LINKS: Final[dict[Code, tuple[str, ...]]] = {
    "nl": ("", "s", "e", "en"), "de": ("", "s", "es", "e", "en", "n"), "sv": ("", "s", "e", "o", "u"),
}  # fmt: skip
"""What may stand between the parts of a compound, in the languages that write compounds as one word."""
_REST: Final = 3
"""Letters of a part of a compound at least."""
_LAST: Final = 4
"""Letters at least of a last part that is known where the first one is not."""
_FIRST: Final = 5
"""Letters at least of a first part that is known where the last one is not: these mislead more often."""

_PREFIXES: Final = word_list("prefix of verbs")
_PLACE_ENDINGS: Final = word_list("place ending")
_PARTICLES: Final = word_list("particle")


_ADJECTIVES: Final = word_list("adjective among glosses")


@dataclass(frozen=True, slots=True)
class _Glosses:
    """The English of the forms of a language by their keys, and what else the table says of these."""

    english: dict[str, str] = field(default_factory=dict)
    longest: dict[str, int] = field(default_factory=dict)
    """The most words of a form, by its first word."""
    begins: set[str] = field(default_factory=set)
    """The forms that begin compounds."""
    ends: set[str] = field(default_factory=set)


class _Word(NamedTuple):
    form: str
    key: str
    """The form in small letters, without accents."""
    english: str
    """The English of the word alone, or of the parts of a compound; empty where none is known."""
    longest: int
    """The most words of a form of the table that begins with it."""


def glossed(text: str, language: Code) -> str:
    """The text with English words in the place of those that the table has in a language.

    A capitalised word behind another one that is not known is a surname, and stays; in German, where nouns
    have capitals, it does not.

    >>> glossed("Portret van een vrouw met twee honden", "nl"), glossed("Reiterbildnis", "de")
    ('portrait van een woman met two dog', 'horseman portrait')
    >>> glossed("Nature morte à l'épée", "fr"), glossed("Jan de Visser", "nl")
    ("still life à l'sword", 'Jan de Visser')
    >>> glossed("The Hut of the Boers", "en")
    'The Hut of the Boers'
    """
    return _glossed(text, language) if language in _tables() else text


def english(form: str, language: Code) -> tuple[str, str]:
    """The English word for one word alone, and its universal part of speech; both empty where none is known.

    Of a compound it is the word for the last part that is known: the last part says what the thing is.

    >>> english("Vrouwen", "nl"), english("Reiterbildnis", "de"), english("tafelmodel", "nl")
    (('woman', 'NOUN'), ('portrait', 'NOUN'), ('table', 'NOUN'))
    >>> english("jeune", "fr"), english("chez", "fr"), english("woman", "en")
    (('young', 'ADJ'), ('', ''), ('', ''))
    """
    words = _word(form, language).english.split() if language in _tables() else []
    known = next((word for word in reversed(words) if word in _english_words()), "")
    return known, "" if not known else "ADJ" if known in _ADJECTIVES else "NOUN"


@text_cache(2000, longest=2000)  # the parts of a description are in two texts, and subjects come back
def _glossed(text: str, language: Code) -> str:
    text = unicodedata.normalize("NFC", text)
    spans = [match.span() for match in _WORD.finditer(text)]
    words = [_word(text[start:end], language) for start, end in spans]
    gaps = [text[end:start] for (_, end), (start, _) in pairwise(spans)]
    parts: list[str] = []
    place = at = 0
    while place < len(words):
        count, english = _phrase(words, gaps, place, language)
        if english and not _is_surname(words, gaps, place, language):
            parts += (text[at : spans[place][0]], english)
            at = spans[place + count - 1][1]
        place += count
    return "".join([*parts, text[at:]])


def _phrase(words: list[_Word], gaps: list[str], place: int, language: Code) -> tuple[int, str]:
    """How many words from a place on have an English word together, and this; empty where none has."""
    first = words[place]
    for count in range(min(first.longest, len(words) - place), 1, -1):
        if _WITHIN.issuperset(gaps[place : place + count - 1]):
            key = " ".join(word.key for word in words[place : place + count])
            if english := _tables()[language].english.get(key):
                return count, english
    return 1, first.english


def _is_surname(words: list[_Word], gaps: list[str], place: int, language: Code) -> bool:
    """Whether a word stands behind a forename or an initial, perhaps with particles between."""
    if not _is_name(words[place].form, language):
        return False
    before = place - 1
    while before >= 0 and gaps[before] == " " and words[before].form.lower() in _PARTICLES:
        before -= 1
    if before < 0:
        return False
    word = words[before]
    named = word.form[0].isupper() and not word.english and word.form.lower() not in stop_words(language)
    return named and (gaps[before] == " " or (gaps[before] == ". " and len(word.form) == 1))


@text_cache(20_000)
def _word(form: str, language: Code) -> _Word:
    table = _tables()[language]
    key = form_key(form, language)
    english = table.english.get(key) or (_cut(form, key, language, table) if language in LINKS else "")
    return _Word(form, key, english, table.longest.get(key, 1))


def _cut(word: str, key: str, language: Code, table: _Glosses) -> str:
    """The English of a compound: both parts known, else the longest last part, else the longest first one."""
    if gazetteer().named(word) is not None:
        return ""
    written, known = word if len(word) == len(key) else key, table.english
    cuts = range(_REST, len(key) - _REST + 1)
    lasts = [cut for cut in cuts if key[cut:] in table.ends]
    for cut in lasts:
        if first := _first(key[:cut], language, table):
            return f"{first} {known[key[cut:]]}"
    for cut in lasts:
        if len(key) - cut >= _LAST and key[:cut] not in _PREFIXES and not _names_place(word, key[cut:]):
            return f"{written[:cut]} {known[key[cut:]]}"
    for cut in reversed(cuts):
        if cut >= _FIRST and key[:cut] in table.begins:
            return "" if _is_name(word, language) else f"{known[key[:cut]]} {written[cut:]}"
    return ""


def _first(key: str, language: Code, table: _Glosses) -> str:
    """The English of a first part, without the letters that link it to the last one."""
    stems = (key.removesuffix(link) for link in LINKS[language] if key.endswith(link))
    return next((table.english[stem] for stem in stems if stem in table.begins), "")


def _names_place(word: str, last: str) -> bool:
    """Whether a capitalised word ends as places do: Middelburg is no castle."""
    return word[0].isupper() and last in _PLACE_ENDINGS


def _is_name(word: str, language: Code) -> bool:
    """Whether a capital says that a word is a name: every noun of German has one."""
    return language != "de" and word[0].isupper()


def form_key(word: str, language: Code) -> str:
    """A form in small letters, without accents that are no letters of their own in the language.

    >>> form_key("Château", "fr"), form_key("Får", "sv")
    ('chateau', 'får')
    """
    own = _LETTERS.get(language, "")
    return "".join(letter if letter in own else fold(letter) for letter in word.lower())


@cache
def _english_words() -> frozenset[str]:
    return frozenset(
        word for table in _tables().values() for english in table.english.values() for word in english.split()
    )


@cache
def _tables() -> dict[Code, _Glosses]:
    table = resources.files("features.text").joinpath("glosses.tsv").read_text("utf-8")
    head, *rows = (line.split("\t") for line in table.splitlines())
    tables = {language: _Glosses() for language in head[1:]}
    for english, *columns in rows:
        for (language, glosses), forms in zip(tables.items(), columns, strict=True):
            for form in filter(None, forms.split("|")):
                words = [form_key(word, language) for word in _WORD.findall(form)]
                key = " ".join(words)
                glosses.english[key] = english
                glosses.longest[words[0]] = max(glosses.longest.get(words[0], 1), len(words))
                if form[0] == "-":
                    glosses.ends.add(key)
                if form[-1] == "-":
                    glosses.begins.add(key)
    return tables
