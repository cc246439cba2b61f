"""Places that WordNet and a gazetteer know: by name, how wide each is, and what it lies in.

What a place lies in is what it is a part of, step by step, but for what holds half the world. A word for a
nationality, a culture or a period (French, Etruscan, Edo) implies the country.
"""

from collections.abc import Container, Sequence
from functools import cache
from typing import Final, Literal, TypeAlias

from features.knowledge.wordnet.files import PARTS_OF_SPEECH
from features.knowledge.wordnet.reader import WordNet, plain
from features.knowledge.wordnet.towns import TownPlaces
from features.text.caches import text_cache
from features.text.names.cultures import steps_up
from features.text.places.gazetteer import Gazetteer

Width: TypeAlias = Literal["site", "city", "region", "country", "part", "continent"]
"""How wide a place is, narrow to wide."""

_HALF_THE_WORLD: Final = (
    ("northern_hemisphere", 1), ("southern_hemisphere", 1), ("eastern_hemisphere", 1),
    ("western_hemisphere", 1), ("occident", 1), ("orient", 1), ("america", 2), ("eurasia", 1), ("earth", 1),
    ("atlantic", 1), ("pacific", 1), ("indian_ocean", 1),
)  # fmt: skip
_FILES: Final = {"noun.location", "noun.object"}
_WIDTHS: Final[dict[Width, set[str]]] = {
    "continent": {"continent"},
    "country": {"country"},
    "city": {"city", "town", "municipality", "village", "borough", "capital", "port", "seat", "urban area"},
    "site": {"section"},
}
"""Words for kinds of places in WordNet, by how wide these are; what is none of them is a region."""
_HALF: Final = 0.5
_SHORTEST: Final = 4
# a language and a time, far more often than Latium and the state of Georgia
_NO_COUNTRY: Final = {"georgian", "latin"}


class PlaceKnowledge:
    """The places of a WordNet and of the gazetteer, which is the better known where both have one.

    ``listed`` is the gazetteer, and ``towns`` are the towns of the world.
    """

    def __init__(self, wordnet: WordNet, known: Gazetteer) -> None:
        self._wordnet, self.listed = wordnet, known
        self._too_large = set(wordnet.named(_HALF_THE_WORLD))
        self._sky = set(wordnet.senses("celestial body", "n"))
        # there are no more of these than synsets and places of the gazetteer; a line leads up from a place
        self._of = cache(self._place_of)
        self.line = cache(lambda place: tuple(steps_up(place, self.around)))
        # names are whatever texts hold
        self.called = text_cache(1 << 16)(self._places_called)
        self.width = text_cache(1 << 16)(self._width)
        self.implied = text_cache(1 << 16)(self._implied_by)
        self.is_mostly_a_place = text_cache(1 << 16)(self._mostly)
        self.towns = TownPlaces(wordnet, self.called, self.width, self.line)

    def _width(self, place: str) -> Width:
        """How wide a place of any term is; what stands for itself alone is a site."""
        if place in self.listed:
            return self.listed[place].kind
        if place in self.towns:
            return "city"
        if not _is_synset(place):
            return "site"
        node = self._wordnet.node(place)
        kinds = {self._wordnet.label(up) for up in self._wordnet.ancestors(node)}
        width: Width = next((width for width, names in _WIDTHS.items() if kinds & names), "region")
        # the Grand Canal is narrower than Venice, in which it lies
        in_a_city = width == "region" and any(self.width(up) == "city" for up in self.line(place)[1:])
        return "site" if in_a_city else width

    def is_english(self, name: str) -> bool:
        """Whether a name has a sense in English, or is the gazetteer's own of a place."""
        return name.lower() in self.listed or bool(self._wordnet.senses(name, "n"))

    def is_word(self, form: str) -> bool:
        """Whether a word is one of English, or too short for the name of a place that no list knows."""
        wordnet = self._wordnet
        if len(form) < _SHORTEST:
            return True
        if any(wordnet.lexicographer(node) == "noun.location" for node in wordnet.senses(form, "n")):
            return False
        return any(wordnet.senses(form, pos) for pos in PARTS_OF_SPEECH)

    def usual(self, places: Sequence[str], sure: Container[str] = ()) -> str | None:
        """Which of the places of one name is meant, given the other places that the text names."""
        for place in places:
            if len(places) > 1 and any(up in sure for up in self.around(place)):
                return place
        if places and places[0] in self.listed:
            return places[0]
        related = {
            place: self._wordnet.relations(self._wordnet.node(place)) if _is_synset(place) else 0
            for place in places
            if not any(place in self.line(other)[1:] for other in places)
        }
        best = [place for place, relations in related.items() if relations == max(related.values())]
        return best[0] if len(best) == 1 else None

    def _places_called(self, name: str) -> tuple[str, ...]:
        """The places of a name, that of the gazetteer first."""
        known = self.listed.named(name)
        synsets = [self._of(node) for node in self._wordnet.senses(name, "n") if self._is_place(node)]
        return tuple(dict.fromkeys([known, *synsets] if known else synsets))

    def _place_of(self, node: int) -> str:
        """The gazetteer's place that a synset is, or else the synset."""
        name = self._wordnet.names[node]
        width = self._width(name)
        for word in self._wordnet.words(node):
            known = self.listed.named(word)
            if known is not None and self._agree(node, known):
                kind = self.listed[known].kind
                # WordNet has no word for a part of a continent
                if kind == width or (width == "region" and kind != "city"):
                    return known
        return name

    def _agree(self, node: int, known: str) -> bool:
        """Whether what a synset lies in is, as far as WordNet says, what a place of the gazetteer lies in."""
        around = {
            self.listed.named(word)
            for up in self._wordnet.holonyms(node)
            if up not in self._too_large
            for word in self._wordnet.words(up)
        }
        return not around or not around.isdisjoint(self.listed.line(known))

    def lands(self, place: str) -> tuple[str, ...]:
        """The regions and countries that a place lies in."""
        return tuple(up for up in self.line(place)[1:] if self.width(up) in ("region", "country"))

    def around(self, place: str) -> tuple[str, ...]:
        """What a place lies right in."""
        if place in self.listed:
            return self.listed[place].within
        if place in self.towns:
            return self.towns.around(place)
        node = self._wordnet.node(place)
        return tuple(self._of(up) for up in self._wordnet.holonyms(node) if up not in self._too_large)

    def _is_place(self, node: int) -> bool:
        wordnet = self._wordnet
        single = wordnet.is_instance(node) and node not in self._too_large
        earthly = wordnet.lexicographer(node) in _FILES and self._sky.isdisjoint(wordnet.ancestors(node))
        return single and earthly

    def _implied_by(self, adjective: str, tag: str) -> str | None:
        """The place that an adjective or a noun of nationality, a culture or a period is of."""
        if adjective.lower() in _NO_COUNTRY:
            return None
        implied = self.listed.implied(adjective)
        if implied is not None:
            return self.usual(self.called(implied))
        one_word = " " not in adjective and tag in {"ADJ", "NOUN", "PROPN"}
        return self._country_of(adjective) if one_word else None

    def _country_of(self, word: str) -> str | None:
        """The place that WordNet derives a word from."""
        wordnet = self._wordnet
        for lemma in dict.fromkeys((plain(word), *(lemma for lemma, _ in wordnet.lemmas(word, "NOUN")))):
            if lemma in _NO_COUNTRY:
                return None
            known = self.listed.implied(lemma)
            if known is not None:
                return self.usual(self.called(known))
            links = [link for node in wordnet.senses(lemma, "a") for link in wordnet.pertainyms(node)]
            for node in wordnet.senses(lemma, "n"):
                if wordnet.lexicographer(node) == "noun.person":
                    links.extend(wordnet.derivations(node))
            for link in links:
                if self._is_place(link.target):
                    # French is of what France means
                    meant = self.usual(self.called(link.target_word))
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


def _is_synset(place: str) -> bool:
    return place[:8].isdecimal() and place[8:] == "-n"
