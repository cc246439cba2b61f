"""The towns of the world as places, and what each lies in.

A name that is also a word of English, or has less than four letters, is no town's where no other list knows
it. A town is far the largest of its name if it has three fifths of the people of all of these: *Fairfield*
and *Chatham* alone name no town.
"""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Final

from features.knowledge.wordnet.files import PARTS_OF_SPEECH
from features.knowledge.wordnet.reader import WordNet
from features.text.annotation import Word
from features.text.caches import text_cache
from features.text.places.gazetteer import name_key
from features.text.places.towns import BETWEEN, Town, towns

_SHORTEST: Final = 4
_FAR_THE_LARGEST: Final = 0.6
_MEDIUM: Final = 15_000
_LARGE: Final = 50_000


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

    def places_of(self, some: Sequence[Town]) -> list[str]:
        """Some towns as places."""
        return [self._place(town) for town in some]

    def namesakes(self, name: str) -> tuple[Town, ...]:
        """All towns of a name that is one, whatever else it means, by their own names."""
        return tuple(town for town in towns().named(name) if name_key(town.name) == name_key(name))

    def far_the_largest(self, some: Sequence[Town]) -> str | None:
        """The largest of some towns as a place, if nearly all people of these live there."""
        people = sum(town.people for town in some)
        return self._place(some[0]) if some and some[0].people >= _FAR_THE_LARGEST * people else None

    def is_likely(self, some: Sequence[Town], *, stated: bool, elsewhere: bool) -> bool:
        """Whether the largest of some towns is large enough to be meant.

        A small one is not where no text has ``stated`` that it is a place, or where it names places
        ``elsewhere``.
        """
        return some[0].people >= (_LARGE if elsewhere else 0 if stated else _MEDIUM)

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
