"""Places that a text names, with everything they lie in (Venice: Veneto, Italy, Europe).

The longest names that the gazetteer or WordNet knows are read, of up to five tokens, each beginning and
ending with a capitalised word. What a place lies in is what it is a part of, step by step, but for what holds
half the world. A word for a nationality, a culture or a period (French, Etruscan, Edo) implies the country.

Of places of one name the one is meant that lies right in another place that the text names (Melbourne,
Florida). Otherwise it is the gazetteer's; or else an inner one (the city of New York, not the state), of
those the one with the most relations in WordNet. Where two have as many (Cambridge), the name stays as it is.

Inside the mention of a person nothing is a place, nor is what a street is called, nor a body of the sky. A
word whose use is mostly another (Rye, Nice) is one only inside the mention of a location, or after one like
*in*. What the recogniser calls a location and WordNet does not know is a town of the world, if one has that
name, and so is a lone word of another language; else a location is given in small letters as it stands.
"""

import re
from bisect import bisect_left
from collections.abc import Container, Iterable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import groupby, pairwise
from operator import itemgetter
from typing import Final, Literal, NamedTuple, TypeAlias

from features.knowledge.wordnet.files import PARTS_OF_SPEECH
from features.knowledge.wordnet.reader import WordNet, plain
from features.knowledge.wordnet.towns import TownPlaces
from features.profiles.profile import AnalysedValue
from features.text.annotation import Word
from features.text.names.cultures import steps_up
from features.text.places.gazetteer import Gazetteer, gazetteer
from features.text.places.towns import Town
from features.text.text_cache import text_cache
from ingest.record import Field

Width: TypeAlias = Literal["site", "city", "region", "country", "part", "continent"]
"""How wide a place is, narrow to wide."""

_LONGEST = 5
_HALF_THE_WORLD = (
    ("northern_hemisphere", 1), ("southern_hemisphere", 1), ("eastern_hemisphere", 1),
    ("western_hemisphere", 1), ("occident", 1), ("orient", 1), ("america", 2), ("eurasia", 1), ("earth", 1),
    ("atlantic", 1), ("pacific", 1), ("indian_ocean", 1),
)  # fmt: skip
_FILES = {"noun.location", "noun.object"}
_WIDTHS: Final[dict[Width, set[str]]] = {
    "continent": {"continent"},
    "country": {"country"},
    "city": {"city", "town", "municipality", "village", "borough", "capital", "port", "seat", "urban area"},
    "site": {"section"},
}
"""Words for kinds of places in WordNet, by how wide these are; what is none of them is a region."""
_HALF = 0.5
# PA after a comma, but neither Or nor Me
_ABBREVIATED = 2
_WHERE = {"at", "from", "in", "near", "to", "toward", "towards"}
_COMPASS = {
    "center", "centre", "east", "north", "northeast", "northwest", "south", "southeast", "southwest", "west",
}  # fmt: skip
# a language and a time, far more often than Latium and the state of Georgia
_NO_COUNTRY = {"georgian", "latin"}
_BREAKS = frozenset(',;:()[]/>"‘“”')
_ORIGIN = {"da", "de", "di", "of", "from", "in", "at"}
_BESIDE = {
    "after", "ancient", "artist", "attributed", "base", "circle", "copy", "culture", "early", "figure",
    "follower", "frame", "gem", "late", "manner", "mount", "of", "or", "possibly", "previously", "probably",
    "ring", "school", "style", "to", "workshop",
}  # fmt: skip
_ORDINAL: Final = re.compile(r"\d+(?:st|nd|rd|th)")
_OF_TIME = {"period", "era", "dynasty", "style"}
_CALLED = {
    "avenue", "ave", "boulevard", "close", "court", "crescent", "drive", "gardens", "lane", "park", "place",
    "road", "rd", "row", "square", "st", "street", "terrace", "way",
}  # fmt: skip


class Place(NamedTuple):
    """A place where a text names it, ``[start, end)``: its terms, the nearest place first.

    They are places of the gazetteer, names of synsets, towns, or the words as they stand. ``implied`` is
    True where an adjective tells of it, of a people, a culture or a period.
    """

    start: int
    end: int
    terms: tuple[str, ...]
    implied: bool = False


class _Name(NamedTuple):
    words: Sequence[Word]
    places: tuple[str, ...] = ()
    implied: bool = False
    towns: tuple[Town, ...] = ()


class WordNetPlaces:
    """The places of a WordNet and of the gazetteer, which is the better known where both have one."""

    def __init__(self, wordnet: WordNet, known: Gazetteer) -> None:
        self._wordnet, self._known = wordnet, known
        self._too_large = set(wordnet.named(_HALF_THE_WORLD))
        self._sky = set(wordnet.senses("celestial body", "n"))
        # there are no more of these than synsets and places of the gazetteer; a line leads up from a place
        self._of = cache(self._place_of)
        self.line = cache(lambda place: tuple(steps_up(place, self._around)))
        # names are whatever texts hold
        self.called = text_cache(1 << 16)(self._places_called)
        self.width = text_cache(1 << 16)(self._width)
        self._implied = text_cache(1 << 16)(self._implied_by)
        self._is_mostly_a_place = text_cache(1 << 16)(self._mostly)
        self._towns = TownPlaces(wordnet, self.called, self.width, self.line)

    def places_in(self, values: Iterable[AnalysedValue]) -> Iterator[tuple[AnalysedValue, Place]]:
        """The places of the values of one text, each with the value that it stands in, in text order."""
        names = [(value, name) for value in values for name in self._names(value)]
        sure = {name.places[0] for _, name in names if len(name.places) == 1 and not name.implied}
        meant = [None if name.towns else self._meant(name.places, sure) for _, name in names]
        lands = {up for place in set(meant) if place is not None for up in self.line(place)}
        for (value, name), known in zip(names, meant, strict=True):
            place = self._towns.meant(name.towns, lands) if name.towns else known
            terms = (_written(name.words).lower(),) if place is None else self.line(place)
            yield value, Place(name.words[0].start, name.words[-1].end, terms, name.implied)

    def _width(self, place: str) -> Width:
        """How wide a place of any term is; what stands for itself alone is a site."""
        if place in self._known:
            return self._known[place].kind
        if place in self._towns:
            return "city"
        if not self._is_synset(place):
            return "site"
        node = self._wordnet.node(place)
        kinds = {self._wordnet.label(up) for up in self._wordnet.ancestors(node)}
        width: Width = next((width for width, names in _WIDTHS.items() if kinds & names), "region")
        # the Grand Canal is narrower than Venice, in which it lies
        in_a_city = width == "region" and any(self.width(up) == "city" for up in self.line(place)[1:])
        return "site" if in_a_city else width

    def _names(self, value: AnalysedValue) -> Iterator[_Name]:
        if value.part == Field.CREATOR:
            yield from self._of_makers(value)
            return
        for kind, words in _pieces(value):
            names = list(self._names_in(words, kind))
            # of South Wales and Somerset County the known part is enough
            yield from names if names or kind != "location" else self._unknown(words)

    def _unknown(self, words: Sequence[Word]) -> Iterator[_Name]:
        """A location that WordNet lacks, as one name from capital to capital: a town, or as it stands."""
        capitals = [at for at, word in enumerate(words) if word.form[0].isupper() and word.tag != "DET"]
        if capitals:
            name = words[capitals[0] : capitals[-1] + 1]
            yield _Name(name, towns=self._towns.named(_written(name)))

    def _names_in(self, words: Sequence[Word], kind: str) -> Iterator[_Name]:
        at = 0
        while at < len(words):
            name = self._name_at(words, at, kind)
            if name is None and not kind and (named := self._towns.alone(words, at)):
                name = _Name(words[at : at + 1], towns=named)
            if name is not None:
                yield name
            at += len(name.words) if name else 1

    def _of_makers(self, value: AnalysedValue) -> Iterator[_Name]:
        """The places of a creator: what stands beside a name, what a firm is called, and of where one is."""
        pieces = groupby(value.words, key=lambda word: word.form in _BREAKS)
        names = [name for sign, piece in pieces if not sign for name in self._names_in(list(piece), "maker")]
        placed = {word.start for name in names for word in name.words}
        for name in names:
            start = name.words[0].start
            maker = next((maker for maker in value.names if maker.start <= start < maker.end), None)
            words = [word for word in value.words if maker and maker.start <= word.start < maker.end]
            named = [word for word in words if word.form.lower() not in _BESIDE and word.form[0].isalpha()]
            whole = all(word.start in placed for word in named)
            before = [word.form for word in value.words if word.start < start]
            # Greco-Roman, but neither Jack London nor French, Daniel; Lukas of Cyprus
            if maker is None or maker.kind != "person" or whole or (before and before[-1] in _ORIGIN):
                yield name

    def _name_at(self, words: Sequence[Word], at: int, kind: str) -> _Name | None:
        """The name of a place, or an adjective that implies one, that begins at a word."""
        first = words[at].form
        if not (first[0].isupper() or _ORDINAL.fullmatch(first)):
            return None
        for size in range(min(_LONGEST, len(words) - at), 0, -1):
            span = words[at : at + size]
            written = _written(span)
            implied = None if self._is_where(words, at, kind) else self._implied(written, span[0].tag)
            if implied is not None:
                return _Name(span, (implied,), implied=True)
            if span[-1].form[0].isupper() and (size > 1 or self._is_meant(words, at, kind)):
                places = self.called(written)
                if places:
                    return _Name(span, places)
        return None

    def _is_where(self, words: Sequence[Word], at: int, kind: str) -> bool:
        """Whether a word that is also a period names a place here: in Edo, where no *period* follows."""
        before = kind == "location" or (at > 0 and words[at - 1].form.lower() in _WHERE)
        after = words[at + 1].form.lower() if at + 1 < len(words) else ""
        return before and after not in _OF_TIME and self._known.named(words[at].form) is not None

    def _is_meant(self, words: Sequence[Word], at: int, kind: str) -> bool:
        """Whether a single word names a place here, if it ever does."""
        form = words[at].form
        after = words[at + 1].form if at + 1 < len(words) else ""
        if form.lower() in _COMPASS or (after[:1].isupper() and after.lower() in _CALLED):
            return False
        if len(form) <= _ABBREVIATED and not (form.isupper() and at == 0):
            return False
        alone = kind == "location" and sum(word.form[0].isupper() for word in words) == 1
        where = at > 0 and words[at - 1].form.lower() in _WHERE and words[at].tag == "PROPN"
        return alone or where or self._is_mostly_a_place(form)

    def _meant(self, places: Sequence[str], sure: Container[str] = ()) -> str | None:
        """Which of the places of one name is meant, given the other places that the text names."""
        for place in places:
            if len(places) > 1 and any(up in sure for up in self._around(place)):
                return place
        if places and places[0] in self._known:
            return places[0]
        related = {
            place: self._wordnet.relations(self._wordnet.node(place)) if self._is_synset(place) else 0
            for place in places
            if not any(place in self.line(other)[1:] for other in places)
        }
        best = [place for place, relations in related.items() if relations == max(related.values())]
        return best[0] if len(best) == 1 else None

    def _places_called(self, name: str) -> tuple[str, ...]:
        """The places of a name, that of the gazetteer first."""
        known = self._known.named(name)
        synsets = [self._of(node) for node in self._wordnet.senses(name, "n") if self._is_place(node)]
        return tuple(dict.fromkeys([known, *synsets] if known else synsets))

    def _place_of(self, node: int) -> str:
        """The gazetteer's place that a synset is, or else the synset."""
        name = self._wordnet.names[node]
        width = self._width(name)
        for word in self._wordnet.words(node):
            known = self._known.named(word)
            if known is not None and self._agree(node, known):
                kind = self._known[known].kind
                # WordNet has no word for a part of a continent
                if kind == width or (width == "region" and kind != "city"):
                    return known
        return name

    def _agree(self, node: int, known: str) -> bool:
        """Whether what a synset lies in is, as far as WordNet says, what a place of the gazetteer lies in."""
        around = {
            self._known.named(word)
            for up in self._wordnet.holonyms(node)
            if up not in self._too_large
            for word in self._wordnet.words(up)
        }
        return not around or not around.isdisjoint(self._known.line(known))

    def _around(self, place: str) -> tuple[str, ...]:
        """What a place lies right in."""
        if place in self._known:
            return self._known[place].within
        if place in self._towns:
            return self._towns.around(place)
        node = self._wordnet.node(place)
        return tuple(self._of(up) for up in self._wordnet.holonyms(node) if up not in self._too_large)

    def _is_synset(self, place: str) -> bool:
        return place[:8].isdecimal() and place[8:] == "-n"

    def _is_place(self, node: int) -> bool:
        wordnet = self._wordnet
        single = wordnet.is_instance(node) and node not in self._too_large
        earthly = wordnet.lexicographer(node) in _FILES and self._sky.isdisjoint(wordnet.ancestors(node))
        return single and earthly

    def _implied_by(self, adjective: str, tag: str) -> str | None:
        """The place that an adjective or a noun of nationality, a culture or a period is of."""
        if adjective.lower() in _NO_COUNTRY:
            return None
        implied = self._known.implied(adjective)
        if implied is not None:
            return self._meant(self.called(implied))
        one_word = " " not in adjective and tag in {"ADJ", "NOUN", "PROPN"}
        return self._country_of(adjective) if one_word else None

    def _country_of(self, word: str) -> str | None:
        """The place that WordNet derives a word from."""
        wordnet = self._wordnet
        for lemma in dict.fromkeys((plain(word), *(lemma for lemma, _ in wordnet.lemmas(word, "NOUN")))):
            if lemma in _NO_COUNTRY:
                return None
            known = self._known.implied(lemma)
            if known is not None:
                return self._meant(self.called(known))
            links = [link for node in wordnet.senses(lemma, "a") for link in wordnet.pertainyms(node)]
            for node in wordnet.senses(lemma, "n"):
                if wordnet.lexicographer(node) == "noun.person":
                    links.extend(wordnet.derivations(node))
            for link in links:
                if self._is_place(link.target):
                    # French is of what France means
                    meant = self._meant(self.called(link.target_word))
                    return self._of(link.target) if meant is None else meant
        return None

    def _mostly(self, word: str) -> bool:
        """Whether a word names places in more than half of its use, as any part of speech."""
        places = total = 0.0
        for pos in PARTS_OF_SPEECH:
            senses, counts = self._wordnet.senses(word, pos), self._wordnet.counts(word, pos)
            for rank, (node, count) in enumerate(zip(senses, counts, strict=True), 1):
                total += count + 1 / rank
                places += (count + 1 / rank) * self._is_place(node)
        if total:
            return places > _HALF * total
        # Limoges, that WordNet lacks, but not Tours, which may be more than one tour
        return not any(self._wordnet.lemmas(word, tag) for tag in ("NOUN", "VERB", "ADJ"))


@lru_cache(maxsize=8)
def places(wordnet: WordNet) -> WordNetPlaces:
    """The places of a WordNet, each name looked up once."""
    return WordNetPlaces(wordnet, gazetteer())


def _pieces(value: AnalysedValue) -> Iterator[tuple[str, Sequence[Word]]]:
    """A text cut at its mentions and at signs: pieces with their kind of mention, without people."""
    kinds = [""] * len(value.words)
    starts = [word.start for word in value.words]
    for mention in value.mentions:
        if mention.kind != "date":
            first, beyond = bisect_left(starts, mention.start), bisect_left(starts, mention.end)
            kinds[first:beyond] = [f"{mention.kind} {mention.start}"] * (beyond - first)
    marked = (
        ("" if word.form in _BREAKS else kind or " ", word)
        for kind, word in zip(kinds, value.words, strict=True)
    )
    for kind, words in groupby(marked, key=itemgetter(0)):
        if kind and not kind.startswith("person"):
            yield kind.split(" ")[0], [word for _, word in words]


def _written(words: Sequence[Word]) -> str:
    """A name as it stands, with one blank where the text has some."""
    gaps = ("" if before.end == word.start else " " for before, word in pairwise(words))
    return words[0].form + "".join(gap + word.form for gap, word in zip(gaps, words[1:], strict=True))
