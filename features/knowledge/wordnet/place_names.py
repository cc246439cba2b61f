"""The names of places that a value holds, whatever they mean.

The longest names that the gazetteer or WordNet knows are read, of up to five tokens, each beginning and
ending with a capitalised word. Inside the mention of a person nothing is a place in English, nor is what a
street is called, the language that something is in, or a material (India ink). A word whose use is mostly
another (Rye, Nice) is one only inside the mention of a location, or after one like *in*. What the recogniser
calls a location and WordNet does not know is a name as it stands.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import attrgetter
from typing import Final, NamedTuple

from features.knowledge.wordnet.place_knowledge import PlaceKnowledge
from features.knowledge.wordnet.place_texts import BREAKS, Piece, is_elsewhere, is_foreign, pieces, written
from features.profiles.profile import AnalysedValue
from features.text.annotation import Word
from features.text.places.towns import Town
from ingest.record import Field

_LONGEST: Final = 5
# PA after a comma, but neither Or nor Me
_ABBREVIATED: Final = 2
_GENITIVE: Final = 5
_WHERE: Final = {"at", "from", "in", "near", "to", "toward", "towards"}
_GENERAL: Final = {
    "capital", "center", "centre", "channel", "city", "coast", "continent", "east", "north", "northeast",
    "northwest", "south", "southeast", "southwest", "west",
}  # fmt: skip
"""Words for parts of any place."""
_ORIGIN: Final = {"da", "de", "di", "of", "from", "in", "at"}
_PARTICLES: Final = {"da", "de", "del", "della", "den", "der", "di", "du", "of", "van", "vom", "von"}
_ARTICLES: Final = {"Das", "De", "Der", "Die", "El", "Het", "Il", "La", "Le", "Les", "Los"}
_BESIDE: Final = {
    "after", "ancient", "artist", "attributed", "base", "circle", "copy", "culture", "early", "figure",
    "follower", "frame", "gem", "late", "manner", "mount", "of", "or", "possibly", "previously", "probably",
    "ring", "school", "style", "to", "workshop",
}  # fmt: skip
_BORN: Final = {"born", "född", "geboren", "nata", "nato", "né", "née"}
_PEOPLES: Final = {"culture", "people", "peoples", "school", "tribe", "tribes"}
"""What ends the name of a maker who is a people: Northern Indiana Tribes."""
_FORENAMES: Final = {
    "Adelaide", "Austin", "Charlotte", "Chad", "Florence", "Georgia", "Israel", "Jordan", "Kent", "Lorraine",
    "Madison", "Savannah", "Sofia", "Sydney", "Victoria", "Virginia",
}  # fmt: skip
_ORDINAL: Final = re.compile(r"\d+(?:st|nd|rd|th)")
_OF_TIME: Final = {"period", "era", "dynasty", "style"}
_BEGINNINGS: Final = {"el", "fort", "la", "los", "mount", "new", "port", "rio", "saint", "san", "santa"}
"""What begins the names of many places, though some of it names one alone."""
MATERIALS: Final = {
    "catholic", "catholics", "chine", "doors", "ink", "inks", "laid", "numeral", "numerals", "paper",
    "papers", "proof",
}  # fmt: skip
"""What is called by the name of a place without being from there: India paper, China ink."""
_LANGUAGE: Final = {"edition", "language", "script", "text", "translation"}
_DESCRIBED: Final = {"ADJ", "NOUN", "NUM", "PROPN"}
_CALLED: Final = {
    "avenue", "ave", "boulevard", "close", "court", "crescent", "drive", "gardens", "lane", "park", "place",
    "road", "rd", "row", "square", "st", "street", "terrace", "way",
}  # fmt: skip


class PlaceName(NamedTuple):
    """Words that name a place: the places and the towns of that name.

    ``implied`` is True where an adjective implies the place, ``stated`` where a text calls it a place.
    """

    words: Sequence[Word]
    places: tuple[str, ...] = ()
    implied: bool = False
    towns: tuple[Town, ...] = ()
    stated: bool = True


class PlaceNames:
    """Reads the names of the places that some knowledge has."""

    def __init__(self, known: PlaceKnowledge) -> None:
        self._known, self._listed, self._towns = known, known.listed, known.towns

    def of(self, value: AnalysedValue, *, foreign: bool = False) -> Iterator[PlaceName]:
        """The names of places in a value, in text order; ``foreign`` as of :class:`Piece`."""
        if value.part == Field.CREATOR:
            yield from self._of_makers(value)
            return
        for piece in pieces(value, foreign=foreign):
            names = list(self._in(piece))
            # of South Wales and Somerset County the known part is enough
            if not names and piece.kind == "location":
                names = list(self._unknown(piece.words))
            yield from (name for name in names if not is_elsewhere(value, name.words[0].start))

    def _unknown(self, words: Sequence[Word]) -> Iterator[PlaceName]:
        """A location that WordNet lacks, as one name from capital to capital: a town, or as it stands."""
        capitals = [at for at, word in enumerate(words) if word.form[0].isupper() and word.tag != "DET"]
        if not capitals:
            return
        name = words[capitals[0] : capitals[-1] + 1]
        towns = self._towns.named(written(name))
        if not towns:
            # the Port of Rotterdam
            last = next((at for at in range(len(name), 0, -1) if not name[at - 1].form[0].isupper()), 0)
            towns = self._towns.named(written(name[last:])) if last else ()
        if towns or len(name) > 1 or not self._known.is_word(name[0].form):
            yield PlaceName(name, towns=towns)

    def _in(self, piece: Piece) -> Iterator[PlaceName]:
        at, words = 0, piece.words
        while at < len(words):
            form = words[at].form
            # most words are small, and name nothing in English
            small = not (form[0].isupper() or form[0].isdigit())
            name = None if small and not piece.foreign else self._name_at(piece, at)
            if name is None and piece.foreign and form[0].isupper():
                name = self._foreign_at(piece, at)
            if name is not None:
                yield name
            at += len(name.words) if name else 1

    def _foreign_at(self, piece: Piece, at: int) -> PlaceName | None:
        """The name of a place in another language that no list has: as it stands where a place must follow,
        and else a lone town.
        """
        words = piece.words[at:]
        if piece.kind in ("", "person") and piece.is_placed(at):
            small = next((n for n, word in enumerate(words) if not word.form[0].isupper()), len(words))
            # van M. Bolstra
            if len(words[0].form) > _ABBREVIATED:
                return PlaceName(words[:small], towns=self._towns.named(written(words[:small])))
        towns = () if piece.kind else self._towns.alone(piece.words, at)
        return PlaceName(words[:1], towns=towns, stated=len(piece.words) == 1) if towns else None

    def _of_makers(self, value: AnalysedValue) -> Iterator[PlaceName]:
        """The places of a creator: what stands beside a name, what a firm is called, and of where one is."""
        parts = groupby(value.words, key=lambda word: word.form in BREAKS)
        foreign = is_foreign(value)
        own = [Piece(list(part), "maker", foreign=foreign) for sign, part in parts if not sign]
        names = [name for piece in own for name in self._in(piece)]
        placed = {word.start for name in names for word in name.words}
        for name in names:
            start = name.words[0].start
            before = [word.form for word in value.words if word.start < start]
            if not _BORN.isdisjoint(before[-2:]):
                continue
            maker = next((maker for maker in value.names if maker.start <= start < maker.end), None)
            words = [word for word in value.words if maker and maker.start <= word.start < maker.end]
            named = [word for word in words if word.form.lower() not in _BESIDE and word.form[0].isalpha()]
            whole = all(word.start in placed for word in named)
            people = bool(words) and words[-1].form.lower() in _PEOPLES
            # Greco-Roman, but neither Jack London nor French, Daniel; Lukas of Cyprus
            if (
                maker is None
                or maker.kind != "person"
                or whole
                or people
                or self._is_origin(value.words, name)
            ):
                yield name

    def _is_origin(self, words: Sequence[Word], name: PlaceName) -> bool:
        """Whether a creator says with *of* where one is from, or behind the last comma in which country."""
        at = bisect_left(words, name.words[0].start, key=attrgetter("start"))
        before = words[at - 1].form if at else ""
        if before.lower() in _ORIGIN:
            return True
        after = words[at + len(name.words)].form if at + len(name.words) < len(words) else ";"
        country = not name.implied and bool(name.places) and self._known.width(name.places[0]) == "country"
        # Wedgwood, England
        return before == "," and after in ";)" and country and name.words[0].form not in _FORENAMES

    def _name_at(self, piece: Piece, at: int) -> PlaceName | None:
        """The name of a place, or an adjective that implies one, that begins at a word."""
        first = piece.words[at].form
        name = None
        if first[0].isupper() or _ORDINAL.fullmatch(first):
            name = self._in_a_person(piece, at) if piece.kind == "person" else self._longest_at(piece, at)
        if name is None and piece.foreign and (piece.kind != "maker" or first[0].islower()):
            abroad = self._listed.implied_abroad(first)
            return PlaceName(piece.words[at : at + 1], (abroad,), implied=True) if abroad else None
        return name

    def _longest_at(self, piece: Piece, at: int) -> PlaceName | None:
        words, kind = piece.words, piece.kind
        for size in range(min(_LONGEST, len(words) - at), 0, -1):
            span = words[at : at + size]
            name = written(span)
            implied = None if self._is_where(words, at, kind) else self._known.implied(name, span[0].tag)
            if implied is not None:
                is_place = not _is_language(words, at, size)
                return PlaceName(span, (implied,), implied=True) if is_place else None
            if span[-1].form[0].isupper() and (size > 1 or self._is_meant(piece, at)):
                places = self._places(piece, at, name)
                if places:
                    return PlaceName(span, places)
        return None

    def _places(self, piece: Piece, at: int, name: str) -> tuple[str, ...]:
        """The places of a name where it stands: of what it is short for, of a genitive and of a compound."""
        places = self._known.called(self._listed.unabbreviated(name) if piece.is_short(at) else name)
        if places or not piece.foreign or " " in name or len(name) < _GENITIVE:
            return places
        # Danmarks Kirker, Bouin-Vendée
        parts = (name[:-1] if name.endswith("s") else "", name.rpartition("-")[2])
        known = next((place for part in parts if part != name and (place := self._listed.named(part))), None)
        return () if known is None else (known,)

    def _in_a_person(self, piece: Piece, at: int) -> PlaceName | None:
        """A place in what may be a person's name: at one of its ends, and behind a particle no town.

        In English it is one whose name is of another language (Brasil), or what stands alone behind a comma.
        """
        words = piece.words
        particle = at > 0 and words[at - 1].form.lower() in _PARTICLES and words[0].form not in _ARTICLES
        for size in range(min(_LONGEST, len(words) - at), 0, -1):
            name = written(words[at : at + size])
            places = self._places(piece, at, name) if at == 0 or at + size == len(words) else ()
            listed = bool(places) and places[0] in self._listed
            # Drachm, Rhodes
            alone = bool(places) and len(words) == 1 and piece.sign == ","
            if alone or (listed and (piece.foreign or not self._known.is_english(name))):
                person = particle and self._known.width(places[0]) == "city" and not piece.is_placed(at)
                return None if person else PlaceName(words[at : at + size], places)
        return None

    def _is_where(self, words: Sequence[Word], at: int, kind: str) -> bool:
        """Whether a word that is also a period names a place here: in Edo, where no *period* follows."""
        before = kind == "location" or (at > 0 and words[at - 1].form.lower() in _WHERE)
        after = words[at + 1].form.lower() if at + 1 < len(words) else ""
        return before and after not in _OF_TIME and self._listed.named(words[at].form) is not None

    def _is_meant(self, piece: Piece, at: int) -> bool:
        """Whether a single word names a place here, if it ever does."""
        words, kind = piece.words, piece.kind
        form = words[at].form
        after = words[at + 1].form if at + 1 < len(words) else ""
        if piece.is_short(at) and self._listed.unabbreviated(form) != form:
            return True
        if form.lower() in _GENERAL or (len(form) <= _ABBREVIATED and self._listed.named(form) is None):
            return False
        if after.lower() in MATERIALS or (after[:1].isupper() and self._is_part(form, after)):
            return False
        alone = kind == "location" and sum(word.form[0].isupper() for word in words) == 1
        where = at > 0 and words[at - 1].form.lower() in _WHERE and words[at].tag == "PROPN"
        return alone or where or self._known.is_mostly_a_place(form)

    def _is_part(self, form: str, after: str) -> bool:
        """Whether a word is a part of a longer name with the one behind it: of a street, or of a person."""
        if after.lower() in _CALLED or form.lower() in _BEGINNINGS:
            return True
        return form in _FORENAMES and not self._known.is_word(after)


def _is_language(words: Sequence[Word], at: int, size: int) -> bool:
    """Whether an adjective is a language, or part of the name of a material: in French, India ink."""
    after = words[at + size] if at + size < len(words) else None
    if after is not None and (after.form.lower() in MATERIALS or after.form.lower() in _LANGUAGE):
        return True
    alone = after is None or after.tag not in _DESCRIBED
    return alone and at > 0 and words[at - 1].form.lower() == "in"
