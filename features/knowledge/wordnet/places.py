"""Places that a text names, with everything they lie in (Venice: Veneto, Italy, Europe).

Names are read by :mod:`.place_names`, and :mod:`.place_meanings` chooses among the places of one name. A name
that no list has is given in small letters as it stands, with what the place behind it lies in (Flinders
Street, Melbourne). A word of a person's name that the text gives in full is no place where it stands alone,
and Indians are of no place where the text names one in America.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence, Set
from functools import lru_cache
from itertools import pairwise
from operator import attrgetter
from typing import Final, NamedTuple

from features.knowledge.wordnet.place_knowledge import PlaceKnowledge, Width
from features.knowledge.wordnet.place_meanings import PlaceMeanings, is_beside
from features.knowledge.wordnet.place_names import MATERIALS, PlaceName, PlaceNames
from features.knowledge.wordnet.place_texts import foreign_values, people_words, written
from features.knowledge.wordnet.reader import WordNet
from features.profiles.profile import PLACES, AnalysedValue
from features.text.caches import text_cache
from features.text.places.gazetteer import Gazetteer, gazetteer
from ingest.record import Field

__all__ = ["Place", "Width", "WordNetPlaces", "places"]

_INDIANS: Final = {"indian", "indians"}
_AMERICAS: Final = {"central america", "mesoamerica", "north america", "south america"}


class Place(NamedTuple):
    """A place where a text names it, ``[start, end)``: its terms, the nearest place first.

    They are places of the gazetteer, names of synsets, towns, or the words as they stand. ``implied`` is
    True where an adjective tells of it, of a people, a culture or a period.
    """

    start: int
    end: int
    terms: tuple[str, ...]
    implied: bool = False


class WordNetPlaces:
    """The places of a WordNet and of the gazetteer, where texts name them.

    ``called`` gives the places of a name, ``line`` a place with all that it lies in, and ``width`` how wide
    it is.
    """

    def __init__(self, wordnet: WordNet, known: Gazetteer) -> None:
        knowledge = PlaceKnowledge(wordnet, known)
        self._known, self._names, self._meanings = knowledge, PlaceNames(knowledge), PlaceMeanings(knowledge)
        self.called, self.line, self.width = knowledge.called, knowledge.line, knowledge.width
        self._countries = text_cache(1 << 12)(self._countries_in)

    def places_in(
        self, values: Sequence[AnalysedValue], sources: Sequence[AnalysedValue] = ()
    ) -> Iterator[tuple[AnalysedValue, Place]]:
        """The places of the values of one text, each with the value that it stands in, in text order.

        ``sources`` say whose the text is: of places of one name that in the country of the holder is meant,
        where the text itself says nothing.
        """
        named = [
            (value, name)
            for value, foreign in zip(values, foreign_values(values), strict=True)
            for name in self._names.of(value, foreign=foreign)
        ]
        people = people_words(values) if named else set()
        beside = _beside(named)
        text = self._meanings.surroundings([name for _, name in named], lambda: self._of_holders(sources))
        meant = [
            self._meanings.meant(name, near, text) for (_, name), near in zip(named, beside, strict=True)
        ]
        lands = {up for place in set(meant) if place is not None for up in self.line(place)}
        for n, ((value, name), place) in enumerate(zip(named, meant, strict=True)):
            unsure = place is None and not name.stated
            if unsure or _is_material(name, value) or _is_american(name, place, lands):
                continue
            if _is_of_a_person(name, value, people):
                continue
            terms = (written(name.words).lower(),) if place is None else self.line(place)
            if place is None and beside[n] is not None and (around := meant[n + 1]) is not None:
                terms += self.line(around)
            yield value, Place(name.words[0].start, name.words[-1].end, terms, name.implied)

    def _of_holders(self, sources: Iterable[AnalysedValue]) -> frozenset[str]:
        """The countries that the sources of a text name."""
        return frozenset(country for value in sources if value.words for country in self._of_holder(value))

    def _of_holder(self, value: AnalysedValue) -> frozenset[str]:
        # most records of a collection have one source
        return self._countries(written(value.words), value)

    def _countries_in(self, _: str, value: AnalysedValue) -> frozenset[str]:
        places = (self._known.usual(name.places) for name in self._names.of(value))
        lines = (self.line(place) for place in places if place is not None)
        return frozenset(up for line in lines for up in line if self.width(up) == "country")


@lru_cache(maxsize=8)
def places(wordnet: WordNet) -> WordNetPlaces:
    """The places of a WordNet, each name looked up once."""
    return WordNetPlaces(wordnet, gazetteer())


def _beside(named: Sequence[tuple[AnalysedValue, PlaceName]]) -> list[PlaceName | None]:
    """Of every name that which stands right behind it in its value."""
    beside: list[PlaceName | None] = [None] * len(named)
    for n, ((value, name), (other, after)) in enumerate(pairwise(named)):
        if other is value and is_beside(name, after):
            beside[n] = after
    return beside


def _is_material(name: PlaceName, value: AnalysedValue) -> bool:
    """Whether what stands right behind makes a name that of a material, as in India paper."""
    behind = bisect_right(value.words, name.words[-1].start, key=attrgetter("start"))
    return behind < len(value.words) and value.words[behind].form.lower() in MATERIALS


def _is_american(name: PlaceName, place: str | None, lands: Set[str]) -> bool:
    """Whether Indians are those of America."""
    indian = name.implied and place == "india" and written(name.words).lower() in _INDIANS
    return indian and not _AMERICAS.isdisjoint(lands)


def _is_of_a_person(name: PlaceName, value: AnalysedValue, people: Set[str]) -> bool:
    """Whether a lone word is one of a person's name that the text gives in full."""
    start = name.words[0].start
    lone = len(name.words) == 1 and not name.implied and name.words[0].form in people
    own = any(one.kind == "person" and one.start <= start < one.end for one in value.mentions)
    return lone and not own and value.part not in (PLACES, Field.CREATOR)
