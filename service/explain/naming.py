"""Which evidence of people, events and places a sentence may name: what surely is such a thing."""

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from features.facts.sets import SetName, set_names
from features.measures.base import EvidencePair, Theme
from features.measures.scope import Scope
from features.profiles.profile import PLACES, Occurrence
from features.text.caches import text_cache
from features.text.names.cultures import is_culture
from features.text.names.figures import FIGURE
from features.text.names.parts import fold
from features.text.places.gazetteer import gazetteer
from features.text.word_lists import word_list
from ingest.record import Field, Record
from service.explain.keeping import QUALIFIER
from service.explain.makers import natural
from service.explain.person_names import people_of
from service.explain.phrases import name_around, opening, stem, surface, texts, word_set

_NO_KIND: Final = word_list("no kind of people")
"""Words for people that in a record are about the record, or name a thing: a guide, an ensemble of dress."""

_RANKS: Final = word_list("rank")
"""Ranks and titles, which stand with a capital letter before a name, and say what somebody is."""

_EVENTS: Final = word_list("kind of event")
"""Nouns that make an event of a name that they stand in."""

_NO_ACTIONS: Final = word_list("no action")
"""What is done with a record or a work, or how and where somebody stands: nothing that happens."""

_MATERIAL: Final = re.compile(
    r"(?i)(?:['’]s)?[\s-]+(?:paper|papier|chine?|ink|proof|silk|ware|leather|wax|vellum|tissue)\b"
)
"""What makes the name of a place before it that of a material: Japan paper."""

_ABBREVIATED: Final = re.compile(r"(?:(?:Esq|Bart|Ph\.D|M\.P|R\.A|K\.C|Q\.C|J\.P|F\.R\.S)\.,?\s?)+(?<!\s)")
"""What follows a name and is no place: Esq. M.P."""

_NAMED_SO: Final = re.compile(
    r"\b(?:(?i:plantages?|plantations?|sociëteit|soci[ée]té|(?:stoom)?schip|(?:steam)?ship|steamer|schooner|yacht|hoeve"
    r"|hotel|fregat|navire|barco|schiff|dampfer)|S\.S\.|H\.M\.S\.|HMS)\s+[\"“„«'‘]?((?:[^\W\d_a-z][\w'’-]*\s+)*)\Z"
)
"""What makes the name behind it that of an estate, a house or a ship."""

_TITLE: Final = re.compile(r"(?i)\b(?:mrs?|ms|miss|mme|dr|sir)\.?\s+\Z")
"""What makes the word behind it a surname."""

_OF_RECORD: Final = re.compile(
    r"(?i)(?:['’]s?)?\s+(?:names?|stamps?|labels?|papers|records|collections?|archives?)\b"
)
"""What makes a word for people before it one about the record: a family name, a photographer's stamp."""

_FAMILIES: Final = word_list("family")
_NAME_BEFORE: Final = re.compile(r"[^\W\d_a-z][\w'’-]+\s+\Z")
"""What makes a word for a family the name of one: the Chiarini family."""

_INITIAL: Final = re.compile(r"\s+[A-Z]\.")
_WITHIN: Final = re.compile(r"[^\W\d_],?\s\Z")
_LOWER: Final = re.compile(r"\b[^\W\d_A-Z]{5,}\b")  # a word in small letters that is no particle

_PLACE: Final = re.compile(
    r"(?i)\b(?:avenue|building|creek|department|hall|house|island|map|oaks|office|papers|parish|park|place|records"
    r"|river|road|square|street|town|track)\b"
)
"""What makes the name of an event that of a place or a thing: Battle Creek."""

_NEAR: Final = 60  # letters before a word that may tell what it names
_WORD: Final = re.compile(r"[^\W\d_]+")

_CITED: Final = re.compile(
    r"\.\s+\d{1,3}\b(?!\s+[^\W\d_])|[.,]?\s+(?:(?:pp?|nos?|nr|vol|cat|pl)\.?\s*|n°\s*)\d"
)
"""What makes the name before it that of a catalogue: *Schl. 123*, *Reed, no. 12*."""

_PARTS: Final = re.compile(r",|&|\b(?:and|en|et|und|e|y|och)\b")
_ONE_NAME: Final = re.compile(r"[^\W\d_a-z][\w'’-]+(?: [^\W\d_a-z][\w'’-]+)?")

_OF_TEXTS: Final = frozenset({"words", "meaning", "topics"})

_SHORT: Final = 4  # letters of what stands in capital letters and is an abbreviation


def nameable_in(theme: Theme, evidence: EvidencePair, left: Record, right: Record) -> EvidencePair | None:
    """What of some evidence a sentence of a theme may name; None where a side has nothing of the kind."""
    may_name = _TESTS.get(theme)
    if may_name is None or evidence.whole:
        return evidence
    ours = tuple(one for one in evidence.left if may_name(one, left))
    theirs = tuple(one for one in evidence.right if may_name(one, right))
    return replace(evidence, left=ours, right=theirs) if ours and theirs else None


def is_beside_makers(evidence: EvidencePair, theme: Theme, scope: Scope | None) -> bool:
    """Whether a word of texts stands beside the makers' names alone, such as where they were born.

    Only what compares the creator field names such words.
    """
    if theme not in _OF_TEXTS or (scope is not None and scope.parts == (Field.CREATOR,)):
        return False
    return all(one.part == Field.CREATOR for side in (evidence.left, evidence.right) for one in side)


def names_event(phrase: str) -> bool:
    """Whether some words are the name of an event.

    >>> [phrase for phrase in ("Allegheny County Fair", "a fair", "County Fair Road") if names_event(phrase)]
    ['Allegheny County Fair']
    """
    words = phrase.split()
    of_event = any(stem(word) in _EVENTS for word in words)
    return len(words) > 1 and of_event and not phrase.islower() and not _PLACE.search(phrase)


def may_name_event(*records: Record) -> bool:
    """Whether each of some records has a noun that makes an event of a name."""
    return all(any(_has_event(text) for *_, text in texts(record)) for record in records)


@text_cache(4096, longest=100_000)  # asked of a text beside all its neighbours
def _has_event(text: str) -> bool:
    return any(stem(word) in _EVENTS for word in _WORD.findall(text))


def _is_action(one: Occurrence, record: Record) -> bool:
    """Whether a word tells of what happens; its term may be a lemma, or the word itself."""
    text = surface(record, one).casefold()
    return _NO_ACTIONS.isdisjoint((one.term, text, text.removesuffix("ed"), text.removesuffix("ing")))


def _is_site(one: Occurrence, record: Record) -> bool:
    """Whether a word for a place is not that of a material, a cited catalogue or a set of several places."""
    text = opening(record, one)
    # New York (State) is no place called State
    if _MATERIAL.match(text, one.end) or QUALIFIER.match(text, max(0, one.start - 1)):
        return False
    name = text[one.start : one.end]
    if _ABBREVIATED.fullmatch(name) and gazetteer().named(name) is None:
        return False
    if one.part != Field.DESCRIPTION:
        return True
    is_known = gazetteer().named(text[one.start : one.end]) is not None
    within = [text[set_.start : set_.end] for set_ in _sets(text) if set_.start <= one.start < set_.end]
    is_cited = one.term == text[one.start : one.end].casefold() and _CITED.match(text, one.end) is not None
    if not is_known and (within or is_cited):
        return False
    # a sheet of the Turin, Como and Maggiore sketchbook shows one of these places
    return not any(sum(map(_is_name, _PARTS.split(name))) > 1 for name in within)


def _is_name(part: str) -> bool:
    return _ONE_NAME.fullmatch(part.strip()) is not None


@text_cache(256, longest=100_000)  # asked of every name in a description, which may be long
def _sets(text: str) -> tuple[SetName, ...]:
    return tuple(set_names(text))


def _is_word(one: Occurrence, record: Record) -> bool:
    """Whether it is a word or a number, no sign such as ¾."""
    return any(letter.isalpha() or letter.isdecimal() for letter in surface(record, one))


def _is_person(one: Occurrence, record: Record) -> bool:
    """Whether a name in a description is not that of a maker, in whatever form, of the holder or a set."""
    text = opening(record, one)
    named_so = _NAMED_SO.search(text, max(0, one.start - _NEAR), one.start)
    # on the ship Captain James Cook is a person
    if named_so and not any(stem(word) in _RANKS for word in named_so[1].split()):
        return False
    if one.part != Field.DESCRIPTION:
        return True
    if any(set_.start <= one.start < set_.end for set_ in _sets(text)):
        return False
    name = word_set(name_around(text, one))
    holders = (word_set(value.text) for value in record.source)
    return not any(name <= words for words in holders) and name.isdisjoint(_surnames(record))


def _surnames(record: Record) -> set[str]:
    """The last words of the makers' names, without accents."""
    names = (natural(value.text).split() for value in record.creator)
    return {fold(words[-1]) for words in names if words}


def _is_kind(one: Occurrence, record: Record) -> bool:
    """Whether a word says what people are: no name but that of a deity or the like, no nation, and nothing
    that a record has of itself.
    """
    if one.tag == FIGURE:
        return True
    text = surface(record, one)
    word, whole = stem(text), opening(record, one)
    if word in _FAMILIES and _NAME_BEFORE.search(whole, max(0, one.start - _NEAR), one.start):
        return False
    if _TITLE.search(whole, max(0, one.start - _NEAR), one.start) or _INITIAL.match(whole, one.end):
        return False
    if (
        word in _NO_KIND
        or _OF_RECORD.match(whole, one.end)
        or is_culture(text)
        # a people of North America, and a town
        or (text[:1].isupper() and gazetteer().named(text) is not None)
        or (text.isupper() and len(text) <= _SHORT)
    ):
        return False
    if word in _RANKS or not text[:1].isupper():
        return True
    # within a sentence a capital letter makes a name, in a title where other words have none
    is_sentence = one.part == Field.DESCRIPTION or (
        one.part == Field.TITLE and len(_LOWER.findall(whole)) > 1
    )
    within = is_sentence and _WITHIN.search(whole, max(0, one.start - _NEAR), one.start) is not None
    return not (within and one.tag == "PROPN") and not _is_of_name(text, record)


def _is_of_name(text: str, record: Record) -> bool:
    """Whether a word is part of the name of a person or a place that fields of a record are about."""
    own = word_set(text)
    places = (word_set(value.text) for value in record.part(PLACES))
    return any(own <= one.words for one in people_of(record)) or any(own <= words for words in places)


_TESTS: Final[dict[Theme, Callable[[Occurrence, Record], bool]]] = {
    "events": _is_action,
    "kinds": _is_kind,
    "people": _is_person,
    "places": _is_site,
    "words": _is_word,
    "meaning": _is_word,
}
