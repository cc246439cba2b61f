"""Which words of a value may name a place: its pieces, between the mentions of persons and the signs.

A text in another language than English is read by rules, which take any two capitalised words for a person:
there a piece of a person's mention may still name a place that the gazetteer knows. What stands in a
description behind the name of a museum or a library is where something is, not what it shows, and so is what
stands behind a label such as *References*. A word of a person's name that the record gives in full is no
place where it stands alone: *Wolverton's answer*.
"""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, pairwise
from operator import attrgetter, itemgetter
from typing import Final, NamedTuple

from features.profiles.profile import PEOPLE, AnalysedValue
from features.text.annotation import Word

BREAKS: Final = frozenset(',;:()[]/>"‘“”')
"""Signs at which a text is cut."""
_STOPS: Final = frozenset(".;")
_BACK: Final = 9
_DATED: Final = re.compile(
    r"[^,;()]+,[^,;()]+,?\s\(?(?:active|approximately|born|ca?\.?|b\.|d\.)?\s*-?\d{3,4}\b"
)
_KEEPERS: Final = frozenset(
    form
    for word in (
        "archive", "archives", "biblioteca", "bibliotheek", "bibliothek", "bibliothèque", "galleries",
        "gallery", "institution", "libraries", "library", "musea", "musei", "museo", "museu", "museum",
        "museums", "musée", "universidad", "universiteit", "university", "università", "universität",
        "université",
    )
    for form in (word, word.capitalize())
)  # fmt: skip
_SMALL: Final = frozenset({
    "and", "at", "d'", "da", "das", "de", "del", "della", "der", "des", "di", "du", "et", "for", "in", "l'",
    "la", "le", "les", "of", "och", "the", "und", "van", "y", "à", "&", "'s", ",", "(", "-",
})  # fmt: skip
_ENGLISH: Final = frozenset({"ADP", "AUX", "DET", "PRON", "SCONJ", "VERB"})
"""Kinds of words that are told in English alone."""
_AT: Final = frozenset({"bij", "från", "fra", "i", "nabij", "te", "vid"})
"""Words of other languages behind which a name is a place's."""
_OF: Final = frozenset(
    {"af", "d'", "de", "del", "della", "der", "di", "do", "du", "la", "van", "von", "över"}
)
_KINDS: Final = frozenset({
    "burg", "cap", "dorf", "eiland", "festung", "fleuve", "gemeente", "gemeinde", "insel", "kaap", "kloster",
    "provincie", "reichsstadt", "rivier", "schloss", "stad", "stadt", "vesting", "ville",
})  # fmt: skip
"""Words of other languages right before the name of a place."""
_PLACED: Final = frozenset({
    "ansicht", "berg", "caap", "carta", "carte", "città", "ciudad", "coast", "colonie", "eiland", "gemeente",
    "gezicht", "haven", "île", "insel", "isla", "isola", "kaap", "kaart", "karta", "karte", "kolonie", "kust",
    "mapa", "panorama", "pascaarte", "paskaart", "pianta", "plan", "plano", "plattegrond", "port", "porto",
    "puerto", "stad", "stadt", "veduta", "village", "ville", "vista", "vue", "vues", "vy", "waterkant",
})  # fmt: skip
"""Words of other languages for what a place is or shows: behind these and *of* stands its name."""
_LABELS: Final = frozenset({
    "bibliography", "citation", "collectie", "collection", "conservé", "conservée", "literature",
    "localisation", "provenance", "reference", "references", "repository", "standort",
})  # fmt: skip


class Piece(NamedTuple):
    """Some words of a value without a break: ``kind`` of mention, "" for none, and the sign right before.

    ``named`` is True where a capitalised word stands before that sign, ``foreign`` in another language than
    English; ``before`` are the two words before the piece where no sign is between.
    """

    words: Sequence[Word]
    kind: str = ""
    sign: str = ""
    named: bool = False
    foreign: bool = False
    before: tuple[str, ...] = ()

    def is_short(self, at: int) -> bool:
        """Whether the name of a state may be short at a word: it stands behind another name and a comma."""
        form = self.words[at].form
        beyond = at == 0 and self.named and self.sign in (",", "(") and form[0].isupper()
        return beyond and (len(form) > len("PA") or form.isupper())

    def is_placed(self, at: int) -> bool:
        """Whether what stands before a word of another language says that a place follows: Kaart van, i."""
        before = (*self.before, *(word.form for word in self.words[:at]))[-2:]
        if not self.foreign or not before:
            return False
        if before[-1] in _AT or before[-1].lower() in _KINDS:
            return True
        return before[-1] in _OF and len(before) > 1 and before[0].lower() in _PLACED


def is_foreign(value: AnalysedValue) -> bool:
    """Whether a value is in another language than English: some word is of no kind that is known."""
    return any(word.tag == "X" for word in value.words)


def foreign_values(values: Sequence[AnalysedValue]) -> list[bool]:
    """Of the values of one text, whether each is in another language than English.

    One that names alone are in has the language of the others.
    """
    sure = [is_foreign(value) for value in values]
    if not any(
        one for one, value in zip(sure, values, strict=True) if value.part in ("title", "description")
    ):
        return sure
    return [
        one or _ENGLISH.isdisjoint(word.tag for word in value.words)
        for one, value in zip(sure, values, strict=True)
    ]


def pieces(value: AnalysedValue, *, foreign: bool = False) -> Iterator[Piece]:
    """The pieces of a value that may name places."""
    if _is_dated_person(value):
        return
    kinds = _kinds(value)
    marked = (
        ("" if word.form in BREAKS else kind or " ", word)
        for kind, word in zip(kinds, value.words, strict=True)
    )
    sign, named, last = "", False, tuple[str, ...]()
    for kind, group in groupby(marked, key=itemgetter(0)):
        words = [word for _, word in group]
        if kind:
            piece = Piece(words, kind.split(" ")[0], sign, named, foreign, last)
            if piece.kind != "person" or foreign or value.part == "title":
                yield piece
            named, last = words[-1].form[0].isupper(), (*last, *(word.form for word in words))[-2:]
        sign, last = ("", last) if kind else (words[-1].form, ())


def _kinds(value: AnalysedValue) -> list[str]:
    """Of every word the kind of its mention and where that begins; "" for none."""
    kinds = [""] * len(value.words)
    starts = [word.start for word in value.words]
    for mention in value.mentions:
        if mention.kind != "date":
            first, beyond = bisect_left(starts, mention.start), bisect_left(starts, mention.end)
            kinds[first:beyond] = [f"{mention.kind} {mention.start}"] * (beyond - first)
    return kinds


def _is_dated_person(value: AnalysedValue) -> bool:
    """Whether a subject is a person as libraries write one: Woolf, Virginia, 1882-1941."""
    if value.part not in ("subject", PEOPLE) or len(value.words) < 3:
        return False
    commas = [at for at, word in enumerate(value.words) if word.form == ","]
    if not commas or commas[0] > 3:
        return False
    behind = value.words[commas[0]].end
    if any(mention.kind == "person" and 0 < mention.start - behind < 2 for mention in value.mentions):
        return True
    return _DATED.match(written(value.words)) is not None


def people_words(values: Iterable[AnalysedValue]) -> set[str]:
    """The words of the names of persons that some values give in full: of two words at least, in English."""
    words = set[str]()
    for value in values:
        full = [one for one in value.mentions if one.kind == "person" and " " in one.text]
        full = [] if full and is_foreign(value) else full
        for mention in full:
            words.update(part.strip(",.'’") for part in mention.text.split())
        if _is_dated_person(value):
            words.update(word.form for word in value.words)
    return words


def is_elsewhere(value: AnalysedValue, start: int) -> bool:
    """Whether what begins at an offset of a description says where something is kept, or what is cited."""
    if value.part != "description":
        return False
    words = value.words
    at = bisect_left(words, start, key=attrgetter("start"))
    first = next((n for n in range(at, 0, -1) if words[n - 1].form in _STOPS), 0)
    if first + 1 < at and words[first + 1].form == ":" and words[first].form.lower() in _LABELS:
        return True
    for word in reversed(words[max(first, at - _BACK) : at]):
        if word.form in _KEEPERS:
            return True
        if not (word.form[0].isupper() or word.form in _SMALL):
            return False
    return False


def written(words: Sequence[Word]) -> str:
    """A name as it stands, with one blank where the text has some."""
    gaps = ("" if before.end == word.start else " " for before, word in pairwise(words))
    return words[0].form + "".join(gap + word.form for gap, word in zip(gaps, words[1:], strict=True))
