"""English words in the place of the commonest museum words of six other languages, for encoders of English.

``glosses.tsv`` has a row for each English word, its lemma and its universal part of speech, and a column of
its forms in each language, ``|`` between them. A form of one word that has a capital, as a German noun or a
place, counts only with it. Compounds of Dutch, German and Swedish are cut in two where a part is in the
table: a form with a hyphen before it ends compounds (-kerk), one with a hyphen behind it begins some (kerk-).
It is no translation: all other words stay. The table is written by ``python -m training glosses``.
"""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from itertools import pairwise
from typing import Final, NamedTuple

from features.text.caches import text_cache
from features.text.language_codes import ENGLISH, LANGUAGES, Code, stop_words
from features.text.names.parts import fold
from features.text.places.gazetteer import gazetteer
from features.text.word_lists import word_list

_WORD: Final = re.compile(r"[^\W\d_]+")
_SPACES: Final = re.compile(r"[^\S\n]{2,}")
_ELIDED: Final = ("'", "’")
_WITHIN: Final = frozenset({" ", "-", "'", "’"})
"""What may stand between the words of a form that has several."""

_GLOSSED: Final = frozenset(LANGUAGES) - {ENGLISH}
"""The languages that the table has, which is read where a text is in one of them."""
MOST_WORDS: Final = 6
"""Words of a form at most."""
_LETTERS: Final[dict[Code, str]] = {"de": "äöü", "es": "ñ", "sv": "åäö"}
"""Letters of their own in a language, which are no accents there: Swedish får is a sheep, far a father."""

LINKS: Final[dict[Code, tuple[str, ...]]] = {
    "nl": ("", "s", "e", "en"), "de": ("", "s", "es", "e", "en", "n"), "sv": ("", "s", "e", "o", "u"),
}  # fmt: skip
"""What may stand between the parts of a compound, in the languages that write compounds as one word."""
CUT: Final = frozenset("cdjlmnst")
"""Small words that only are some before an apostrophe: the d of d'Azay."""
_REST: Final = 3
"""Letters of a part of a compound at least."""
_LAST: Final = 4
"""Letters at least of a last part that is known where the first one is not."""
_FIRST: Final = 5
"""Letters at least of a first part that is known where the last one is not: these mislead more often."""

_PREFIXES: Final = word_list("prefix of verbs")
_PLACE_ENDINGS: Final = word_list("place ending")
_PARTICLES: Final = word_list("particle")


@dataclass(frozen=True, slots=True)
class _Glosses:
    """The English of the forms of a language by their keys, and what else the table says of these."""

    english: dict[str, str] = field(default_factory=dict)
    longest: dict[str, int] = field(default_factory=dict)
    """The most words of a form, by its first word."""
    begins: set[str] = field(default_factory=set)
    """The forms that begin compounds."""
    ends: set[str] = field(default_factory=set)
    nouns: dict[str, str] = field(default_factory=dict)
    """The English of the forms that only count with a capital: of nouns in German, of places."""


class Reading(NamedTuple):
    """How an English word is read: its lemma and its universal part of speech."""

    lemma: str
    tag: str


class CompoundPart(NamedTuple):
    """A word, or one of the two parts of a compound: so many letters, with their English if any is known."""

    letters: int
    english: str


class _Word(NamedTuple):
    form: str
    key: str
    """The form in small letters, without accents."""
    parts: tuple[CompoundPart, ...]
    """The word, or the two parts of a compound of which the English of one is known at least."""
    longest: int
    """The most words of a form of the table that begins with it."""

    @property
    def english(self) -> str:
        """The English of the word alone, or of a compound; empty where none is known.

        A part of which none is known stays as it is written.
        """
        if len(self.parts) == 1:
            return self.parts[0].english
        written = self.form if len(self.form) == len(self.key) else self.key
        first, last = self.parts
        return f"{first.english or written[: first.letters]} {last.english or written[first.letters :]}"


def glossed(text: str, language: Code) -> str:
    """The text with English words in the place of those that the table has in a language.

    Small words of the language become English ones, but those within a name stay. A capitalised word behind
    another one that is not known is a surname, and stays; in German, where nouns have capitals, it does not.

    >>> glossed("Portret van een vrouw met twee honden", "nl"), glossed("Reiterbildnis", "de")
    ('portrait of a woman with two dog', 'horseman portrait')
    >>> glossed("Nature morte à l'épée", "fr"), glossed("Jan de Visser", "nl")
    ('still life at the sword', 'Jan de Visser')
    >>> glossed("The Hut of the Boers", "en")
    'The Hut of the Boers'
    """
    return _glossed(text, language) if language in _GLOSSED else text


def english_parts(form: str, language: Code) -> tuple[CompoundPart, ...]:
    """A word by its parts: itself, or the two parts of a compound, each with its English if any is known.

    >>> english_parts("Vrouwen", "nl")
    (CompoundPart(letters=7, english='woman'),)
    >>> [tuple(part) for part in english_parts("Holzbrücke", "de")], tuple(english_parts("woman", "en")[0])
    ([(4, 'wood'), (6, 'bridge')], (5, ''))
    """
    if language not in _GLOSSED:
        return (CompoundPart(len(form), ""),)
    word = _word(form, language)
    if len(word.parts) > 1 and len(word.key) != len(form):  # ß counts as ss: where it is cut is not known
        return (CompoundPart(len(form), word.parts[1].english or word.parts[0].english),)
    return word.parts


def english_phrase(forms: Sequence[str], language: Code) -> tuple[int, list[str]]:
    """How many of the words at the beginning are one form of the table, and the English of each of these.

    Only forms of several words count: of one there are none. A word without English of its own has the empty
    text.

    >>> english_phrase(["nature", "morte", "aux", "fruits"], "fr")
    (2, ['still', 'life'])
    >>> english_phrase(["chemin", "de", "fer"], "fr"), english_phrase(["fleurs"], "fr")
    ((3, ['railway', '', '']), (0, []))
    """
    if language not in _GLOSSED:
        return 0, []
    longest = _tables()[language].longest.get(form_key(forms[0], language), 1)
    count, english = _longest([form_key(form, language) for form in forms[:longest]], language)
    words = english.split(maxsplit=count - 1) if count else []
    return count, [*words, *[""] * (count - len(words))]


def is_known(form: str, language: Code) -> bool:
    """Whether the table has a form in a language.

    >>> is_known("Blumen", "de"), is_known("flowers", "de")
    (True, False)
    """
    return language in _GLOSSED and form_key(form, language) in _tables()[language].english


def is_english(form: str) -> bool:
    """Whether a form is an English word of the table, or its plural.

    >>> is_english("flowers"), is_english("fleurs")
    (True, False)
    """
    word = form.lower()
    return word in _readings() or word.removesuffix("s") in _readings()


def reading(english: str) -> Reading:
    """How an English word of the table is read; of several the last, which says what the thing is.

    >>> reading("young"), reading("standing").lemma, reading("still life").lemma
    (Reading(lemma='young', tag='ADJ'), 'stand', 'life')
    """
    return _readings()[english.rpartition(" ")[2]]


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
        if english and (count > 1 or not _is_part_of_name(words, gaps, place, language)):
            parts += (text[at : spans[place][0]], english)
            at = spans[place + count - 1][1]
        elif _is_small(words, place, language) and _stands_alone(text, *spans[place]):
            is_elided = text.startswith(_ELIDED, spans[place][1])
            small = stop_words(language)[words[place].form.lower()]
            parts += (text[at : spans[place][0]], small, " " if is_elided else "")
            at = spans[place][1] + is_elided
        place += count
    return _SPACES.sub(" ", "".join([*parts, text[at:]])).strip()


def _phrase(words: list[_Word], gaps: list[str], place: int, language: Code) -> tuple[int, str]:
    """How many words from a place on have an English word together, and this; empty where none has."""
    first = words[place]
    keys = [first.key]
    for gap, word in zip(gaps[place:], words[place + 1 : place + first.longest], strict=False):
        if gap not in _WITHIN:
            break
        keys.append(word.key)
    count, english = _longest(keys, language)
    return (count, english) if count else (1, first.english)


def _longest(keys: Sequence[str], language: Code) -> tuple[int, str]:
    """The longest form of several words that keys begin with: how many, and its English; 0 for none."""
    known = _tables()[language].english
    for count in range(len(keys), 1, -1):
        if english := known.get(" ".join(keys[:count])):
            return count, english
    return 0, ""


def _is_small(words: list[_Word], place: int, language: Code) -> bool:
    """Whether a word is a small one, and stands in no name: van, but not that of Vincent van Gogh."""
    form = words[place].form
    if form.lower() not in stop_words(language) or not (form.islower() or _begins(words, place)):
        return False
    if not 0 < place < len(words) - 1:
        return True
    before, behind = words[place - 1], words[place + 1]
    named = _is_name(behind.form, language) or (behind.form[0].isupper() and not behind.english)
    return not (named and before.form[0].isupper() and not before.english)


def _stands_alone(text: str, start: int, end: int) -> bool:
    """Whether a small word is one where it stands: not in s. d., and not in Pas-de-Calais."""
    before, behind = text[start - 1 : start], text[end : end + 1]
    is_abbreviation = end - start < _REST and (
        behind == "." or (text[start:end] in CUT and behind not in _ELIDED)
    )
    return not is_abbreviation and "-" not in (before, behind)


def _begins(words: list[_Word], place: int) -> bool:
    """Whether a word has its capital because the text begins with it: Das Haus, and not De Keyser."""
    return place == 0 and len(words) > 1 and bool(words[1].english or words[1].form.islower())


def _is_part_of_name(words: list[_Word], gaps: list[str], place: int, language: Code) -> bool:
    """Whether a word is a surname, or a forename that the table has as that of a saint: Jonas."""
    if words[place].english[:1].isupper() and gaps[place : place + 1] == [" "]:
        behind = words[place + 1]
        if behind.form[0].isupper() and not behind.english and words[place].form[0].isupper():
            return True
    return _is_surname(words, gaps, place, language)


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
    noun = table.nouns.get(key, "") if form[0].isupper() else ""
    english = noun or table.english.get(key.replace("-", " "), "")
    parts = _cut(form, key, language, table) if not english and language in LINKS else ()
    return _Word(form, key, parts or (CompoundPart(len(form), english),), table.longest.get(key, 1))


def _cut(word: str, key: str, language: Code, table: _Glosses) -> tuple[CompoundPart, ...]:
    """The parts of a compound: both known, else the longest last part, else the longest first one."""
    if gazetteer().named(word) is not None:
        return ()
    known = table.english

    def parts(cut: int, first: str, last: str) -> tuple[CompoundPart, CompoundPart]:
        return CompoundPart(cut, first), CompoundPart(len(key) - cut, last)

    cuts = range(_REST, len(key) - _REST + 1)
    lasts = [cut for cut in cuts if key[cut:] in table.ends]
    for cut in lasts:
        if first := _first(key[:cut], language, table):
            return parts(cut, first, known[key[cut:]])
    for cut in lasts:
        if len(key) - cut >= _LAST and key[:cut] not in _PREFIXES and not _names_place(word, key[cut:]):
            return parts(cut, "", known[key[cut:]])
    for cut in reversed(cuts):
        if cut >= _FIRST and key[:cut] in table.begins:
            return () if _is_name(word, language) else parts(cut, known[key[:cut]], "")
    return ()


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
def _tables() -> dict[Code, _Glosses]:
    head, *rows = _rows()
    tables = {language: _Glosses() for language in head[3:]}
    for english, _, _, *columns in rows:
        for (language, glosses), forms in zip(tables.items(), columns, strict=True):
            for form in filter(None, forms.split("|")):
                words = [form_key(word, language) for word in _WORD.findall(form)]
                key = " ".join(words)
                if form.strip("-")[0].isupper() and len(words) == 1:
                    glosses.nouns[key] = english
                    continue
                glosses.english[key] = english
                glosses.longest[words[0]] = max(glosses.longest.get(words[0], 1), len(words))
                if form[0] == "-":
                    glosses.ends.add(key)
                if form[-1] == "-":
                    glosses.begins.add(key)
    return tables


@cache
def _readings() -> dict[str, Reading]:
    readings: dict[str, Reading] = {}
    for english, lemmas, tags, *_ in _rows()[1:]:
        for word, lemma, tag in zip(english.split(), lemmas.split(), tags.split(), strict=True):
            readings.setdefault(word, Reading(lemma, tag))
    return readings


def _rows() -> list[list[str]]:
    table = resources.files("features.text").joinpath("glosses.tsv").read_text("utf-8")
    return [line.split("\t") for line in table.splitlines()]
