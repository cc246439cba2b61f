"""Which town of the world a name means that neither WordNet nor the gazetteer knows, and what it lies in.

A name that is also a word of English, or has less than four letters, means no town. Of towns of one name the
one is meant that lies in a region that the text also names, or else in such a country. Where there is none,
it is the largest, if it has four fifths of the people of all towns of that name: *Fairfield* and *Chatham*
alone name no town.
"""

from collections.abc import Callable, Sequence, Set
from functools import cache
from typing import Final

from features.knowledge.wordnet.files import PARTS_OF_SPEECH
from features.knowledge.wordnet.reader import WordNet
from features.text.annotation import Word
from features.text.places.towns import BETWEEN, Town, towns
from features.text.text_cache import text_cache

_SHORTEST: Final = 4
_FAR_THE_LARGEST: Final = 0.8


class TownPlaces:
    """Towns as places, joined to those of WordNet and of the gazetteer.

    ``called`` gives the places of a name, ``width`` how wide a place is, and ``line`` a place with all that
    it lies in.
    """

    def __init__(
        self,
        wordnet: WordNet,
        called: Callable[[str], Sequence[str]],
        width: Callable[[str], str],
        line: Callable[[str], tuple[str, ...]],
    ) -> None:
        self._wordnet, self._called, self._width, self._line = wordnet, called, width, line
        self.named = text_cache(1 << 16)(self._towns_named)
        self._place = cache(self._place_of)

    def __contains__(self, place: str) -> bool:
        # no other term has this mark, and so the towns are read only where one is named
        return BETWEEN in place and place in towns()

    def around(self, place: str) -> tuple[str, ...]:
        """What a town lies right in: its region, or else its country."""
        town = towns()[place]
        country = self._country(town)
        regions = self._called(town.region) if town.region else ()
        region = next((one for one in regions if country in self._line(one)[1:]), country)
        return (region,) if region else ()

    def meant(self, candidates: Sequence[Town], lands: Set[str]) -> str | None:
        """Which of the towns of one name is meant, given all that the other places of the text lie in."""
        lines = [self._line(self._place(town)) for town in candidates]
        for line in lines:
            if not lands.isdisjoint(line[1:2]):
                return line[0]
        for line in lines:
            if any(up in lands and self._width(up) == "country" for up in line[1:]):
                return line[0]
        people = sum(town.people for town in candidates)
        return lines[0][0] if candidates[0].people >= _FAR_THE_LARGEST * people else None

    def alone(self, words: Sequence[Word], at: int) -> tuple[Town, ...]:
        """The towns that a word of another language than English names, between small ones: i Heilbronn."""
        beside = (*words[max(0, at - 1) : at], *words[at + 1 : at + 2])
        if words[at].tag != "X" or not words[at].form[0].isupper():
            return ()
        return () if any(word.form[0].isupper() for word in beside) else self.named(words[at].form)

    def _towns_named(self, name: str) -> tuple[Town, ...]:
        """The towns of a name that is no word, the largest first."""
        if len(name) < _SHORTEST or any(self._wordnet.senses(name, pos) for pos in PARTS_OF_SPEECH):
            return ()
        return towns().named(name)

    def _place_of(self, town: Town) -> str:
        """The place of WordNet or the gazetteer that a town is, or else its term."""
        country = self._country(town)
        cities = (one for one in self._called(town.name) if self._width(one) == "city")
        return next((one for one in cities if country in self._line(one)[1:]), town.term)

    def _country(self, town: Town) -> str:
        return next((one for one in self._called(town.country) if self._width(one) == "country"), "")
