"""Texts in other languages than English, read by rules: words, small words, names, places, years.

There are no models for them. A word's lemma is its English word where :mod:`features.text.glosses` has one,
that of a small word an English small word's, and that of any other the word in small letters. Its tag is
PROPN for a name, PUNCT for a mark, NUM for a number, PART for a small word, else that of the English word, or
X. A name, of a person, an organisation or a place, is two or more capitalised words that stand together, or a
place of the gazetteer.
"""

import re
from collections.abc import Iterator
from typing import Final

from features.text.annotation import Analysis, Mention, Word
from features.text.glosses import CUT, MOST_WORDS, CompoundPart, english_parts, english_phrase, reading
from features.text.language_codes import ENGLISH, Code, stop_words
from features.text.places.gazetteer import gazetteer
from features.text.word_lists import word_list

_ABBREVIATION: Final = (
    r"(?<!\w)(?:(?:[^\W\d_]\.){2,}"  # J.M.
    r"|(?:[A-ZÀ-ÖØ-Þ]|(?i:[bcdpv]|ca|cat|cf|ed|etc|fig|fol|inv|nr|pp|(?:no|vol)(?=\.\s?\d)))\."
    r"(?!\w*\.\w)(?=\W|\d|$))"
)
_WORD: Final = re.compile(
    r"(?i:(?<!\w)(?:[cdjlmnst]|qu|dell|all|nell|sull|dall|un|quest|sant|jusqu|lorsqu|puisqu)['’](?=[^\W\d_]))"
    rf"|{_ABBREVIATION}"
    r"|['’]s(?=-)|de['’](?=\s)|[^\W\d_]+(?:[-'’][^\W\d_]+)*|[0-9]+(?:[.,:/][0-9]+)*|\w+|\.{2,}|\S"
)
"""Words; elided articles and prepositions apart, initials and usual abbreviations with their full stop."""
_INITIAL: Final = re.compile(r"[^\W\d_a-z]")
_PARTICLES: Final = word_list("particle in other languages")
_NOUN_ENDINGS: Final = tuple(word_list("ending of German nouns"))
_RANKS: Final = word_list("rank")
_GENRES: Final = word_list("genre in other languages")
"""What a title begins with before the name of whom or what it shows."""
_INSTITUTIONS: Final = word_list("institution")
"""Words that the names of organisations begin or end with: Collezione Gilbert."""
_PLACES: Final = word_list("place that is no person")
"""Words that the names of places begin or end with: Hereford Square."""
_TITLES: Final = word_list("title in other languages")
_OBJECTS: Final = word_list("kind of object")
_ADJECTIVE_ENDINGS: Final = ("te", "ige", "iges", "ische", "isches", "liche", "liches")
_MOST: Final = 5
"""Words of a name at most."""
_SMALL: Final = "PART"
"""The tag of small words. Without an English lemma each would be rare by itself in a collection of several
languages, and weigh as much as a rare noun."""
_WITHOUT_ENGLISH: Final = ("the", _SMALL)
"""Lemma and tag of a word within a form of several that has no English word of its own."""


def analyse(text: str, language: Code) -> Analysis:
    """The words, persons and places of a text.

    >>> analysis = analyse("Gezicht op Venetië, door Jan van Goyen", "nl")
    >>> [(word.form, word.tag) for word in analysis.words][:3]
    [('Gezicht', 'NOUN'), ('op', 'PART'), ('Venetië', 'PROPN')]
    >>> analysis.words[0].lemma
    'view'
    >>> [(one.kind, one.text) for one in analysis.mentions]
    [('location', 'Venetië'), ('person', 'Jan van Goyen')]
    >>> [word.form for word in analyse("Vue de l'église", "fr").words]
    ['Vue', 'de', "l'", 'église']
    """
    spans = [match.span() for match in _WORD.finditer(text)]
    forms = [text[start:end] for start, end in spans]
    small_words = stop_words(language)
    small = [_small(form) in small_words and form.lower() not in CUT for form in forms]
    named, persons = set[int](), set[int]()
    mentions: list[Mention] = []
    for first, beyond in _capitalised(text, spans, forms, small):
        # a word that begins a sentence has a capital that says nothing
        before = text[: spans[first][0]].rstrip(" \t\"'“”„»«([")
        starts = not before or before[-1] in ".!?:;\n"
        if starts:
            first = _behind_genre(forms, first, beyond)
        for begin, end, kind in _names(forms[first:beyond], starts=starts, language=language):
            named.update(range(first + begin, first + end))
            if kind == "person":
                persons.update(range(first + begin, first + end))
            start, stop = spans[first + begin][0], spans[first + end - 1][1]
            mentions.append(Mention(start, stop, kind, text[start:stop]))
    words: list[Word] = []
    place = 0
    while place < len(forms):
        count, meanings = english_phrase(forms[place : place + MOST_WORDS], language)
        if count and persons.isdisjoint(range(place, place + count)):
            for at, meaning in enumerate(meanings, place):
                known = reading(meaning) if meaning else _WITHOUT_ENGLISH
                words.append(Word(*spans[at], forms[at], *known))
            place += count
            continue
        tag = "PROPN" if place in named else _tag(forms[place], is_small=small[place])
        words += _read(forms[place], spans[place][0], tag, language, is_person=place in persons)
        place += 1
    return Analysis(tuple(words), tuple(mentions))


def _read(form: str, start: int, tag: str, language: Code, *, is_person: bool) -> Iterator[Word]:
    """A word, or the parts of a compound as a word each.

    A place is read by its English name, if it has another; a person's name is not (``is_person``).
    """
    parts = english_parts(form, language) if tag in ("X", "PROPN") and not is_person else ()
    if not parts or (tag == "PROPN" and not parts[0].english[:1].isupper()):
        parts = (CompoundPart(len(form), ""),)
    for letters, english in parts:
        written, form = form[:letters], form[letters:]
        lemma = stop_words(language)[_small(written)] if tag == _SMALL else written.lower()
        known = reading(english) if english else (lemma, tag)
        yield Word(start, start + letters, written, *known)
        start += letters


def _tag(form: str, *, is_small: bool) -> str:
    if not any(map(str.isalnum, form)):
        return "PUNCT"
    return "NUM" if form[0].isdigit() else _SMALL if is_small else "X"


def _small(form: str) -> str:
    """A form as small words are written: without the apostrophe of an elided article."""
    return form.lower().replace("’", "'").rstrip("'")


def _capitalised(
    text: str, spans: list[tuple[int, int]], forms: list[str], small: list[bool]
) -> Iterator[tuple[int, int]]:
    """The runs of capitalised words, with the particles between them."""
    place = 0
    while place < len(forms):
        # a small word in a capital may begin a name: De Keyser, La Tour
        particle = forms[place].lower() in _PARTICLES and any(map(_is_capital, forms[place + 1 : place + 2]))
        if not _is_capital(forms[place]) or (small[place] and not particle):
            place += 1
            continue
        first, end, at = place, place + 1, place + 1
        most = min(len(forms), first + 2 * _MOST)
        while at < most and not text[spans[at - 1][1] : spans[at][0]].strip(" "):
            if forms[at] == "." and len(forms[at - 1]) == 1 and spans[at][0] == spans[at - 1][1]:
                at += 1  # the J. of J.Smith
                continue
            if _is_capital(forms[at]) and not (small[at] and forms[at].lower() not in _PARTICLES):
                end = at + 1
            elif forms[at].lower() not in _PARTICLES:
                break
            at += 1
        yield first, end
        place = end


def _behind_genre(forms: list[str], first: int, beyond: int) -> int:
    """Where a name begins in a run that begins a sentence: Felipe IV in Retrato de Felipe IV."""
    begin = next((at for at in range(first + 1, beyond) if _is_capital(forms[at])), beyond)
    several = sum(map(_is_capital, forms[begin:beyond])) > 1
    known = gazetteer().named(" ".join(forms[begin:beyond])) is not None
    if begin < beyond and begin > first + 1 and (several or known or forms[first].lower() in _GENRES):
        return begin
    return first


def _is_capital(form: str) -> bool:
    return _INITIAL.match(form) is not None and form[0].isupper()


def _names(forms: list[str], *, starts: bool, language: Code) -> Iterator[tuple[int, int, str]]:
    """The person or the places that a run of capitalised words names, by the places of its words."""
    known = gazetteer()
    if known.named(" ".join(forms)) is not None:
        yield 0, len(forms), "location"
        return
    if language == "es" and "y" in forms and not _is_one_name(forms, forms.index("y")):
        at = forms.index("y")
        yield from _names(forms[:at], starts=starts, language=language)
        further = _names(forms[at + 1 :], starts=False, language=language)
        yield from ((at + 1 + begin, at + 1 + end, kind) for begin, end, kind in further)
        return
    begin, end = _name(forms, starts=starts, language=language)
    if 2 <= sum(map(_is_capital, forms[begin:end])) <= _MOST:
        yield begin, end, _kind(forms[begin], forms[end - 1], language)
        return
    for at, form in enumerate(forms):
        if known.named(form) is not None:
            yield at, at + 1, "location"


def _is_one_name(forms: list[str], y: int) -> bool:
    """Whether *y* joins the two surnames of one person (Ramón y Cajal), and not two names."""
    is_place = gazetteer().named(" ".join(forms[:y])) is not None
    return not is_place and sum(map(_is_capital, forms[:y])) > 1 and sum(map(_is_capital, forms[y:])) == 1


def _kind(first: str, last: str, language: Code) -> str:
    """What a name is of, by its first and last words.

    The last counts as it is written: surnames are words of the language too.

    >>> _kind("Collezione", "Gilbert", "it"), _kind("Hereford", "Square", "es"), _kind("Juan", "Torres", "es")
    ('organisation', 'location', 'person')
    """
    words = {first.lower(), _english(first, language), last.lower()}
    kinds = (("organisation", _INSTITUTIONS), ("location", _PLACES))
    return next((kind for kind, listed in kinds if not listed.isdisjoint(words)), "person")


def _name(forms: list[str], *, starts: bool, language: Code) -> tuple[int, int]:
    """Which words of a run may be a name.

    >>> _name(["De", "Oscar", "Lanstrum"], starts=True, language="es")
    (1, 3)
    >>> _name(["The", "Dawn"], starts=True, language="es")
    (0, 0)
    """
    begin, end = 0, len(forms)
    if language == "de":
        # every noun of German has a capital, and so has whatever begins a sentence
        nouns = any(_is_german_noun(form) for form in forms if _is_capital(form))
        if (
            starts
            and (nouns or forms[0].lower().endswith(_ADJECTIVE_ENDINGS))
            and _PARTICLES.isdisjoint(forms)
        ):
            return 0, 0
        begin = 1 if starts and forms[0] == "Von" else _behind_nouns(forms)
    elif starts and language != "nl" and forms[0].lower() in _PARTICLES:
        begin = 1  # Da Percy; but Dutch names begin so: De Keyser
    elif starts and _is_common(forms[0], language) and _PARTICLES.intersection(forms[1:2]):
        begin = 2  # Evangelio de Mateo
    begin += sum(form.lower() in _TITLES for form in forms[begin : begin + 1])
    while end - begin > 2 and _is_behind_name(forms[end - 1], language):
        end -= 1
    if begin >= end or forms[begin].lower() in stop_words(ENGLISH):  # The Dawn
        return 0, 0
    return begin, end


def _is_behind_name(form: str, language: Code) -> bool:
    """Whether a word at the end of a run is no part of the name: the one of Federico Zeris Katalog."""
    return _english(form, language) in _OBJECTS or form.lower() in _PARTICLES


def _english(form: str, language: Code) -> str:
    return english_parts(form, language)[-1].english


def _is_common(form: str, language: Code) -> bool:
    """Whether a word is known, and neither a name nor a rank."""
    english = _english(form, language)
    return english.islower() and english not in _RANKS


def _behind_nouns(forms: list[str]) -> int:
    """Where a name may begin in a run of German words: behind the nouns.

    >>> _behind_nouns(["Kupferstich", "Albrecht", "Dürers"]), _behind_nouns(["Haus", "Hof"])
    (1, 2)
    >>> _behind_nouns(["Bildnis", "Kaiser", "Wilhelms"])
    1
    """
    names = (at for at, form in enumerate(forms) if _is_capital(form) and not _is_german_noun(form))
    return next(names, len(forms))


def _is_german_noun(form: str) -> bool:
    """Whether a capitalised word is a noun or an adjective, and no forename and no rank."""
    english = [part.english for part in english_parts(form.rpartition("-")[2] or form, "de")]
    # the English of a forename has a capital, and a rank is part of a name
    known = all(word.islower() and word not in _RANKS for word in english)
    return known or form.lower().endswith(_NOUN_ENDINGS)
