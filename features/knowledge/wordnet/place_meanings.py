"""Which place a name means, of all that have that name, given what else its text names.

A place that lies in the one whose name stands right behind it is meant (Melbourne, Florida). Otherwise it is
the gazetteer's. Of other places of one name it is, in this order: one that lies right in a place that the
text names; an inner one (the city of New York, not the state), of those the one with the most relations in
WordNet, where it is also far the largest town of that name; one in a country that the text names; the largest
town, if most people of all its namesakes live there; one in the country of the holder. Where that leaves two
(Cambridge), the name stays as it is.
"""

from collections.abc import Callable, Sequence, Set
from typing import Final, NamedTuple

from features.knowledge.wordnet.place_knowledge import PlaceKnowledge
from features.knowledge.wordnet.place_names import PlaceName
from features.knowledge.wordnet.place_texts import written

_NEXT: Final = 2


class Surroundings(NamedTuple):
    """What a text names: the places that it names for ``sure``, all that these lie in, and the countries of
    its holder.
    """

    sure: frozenset[str]
    lands: frozenset[str]
    of_holder: Callable[[], frozenset[str]]


class PlaceMeanings:
    """Chooses among the places of one name."""

    def __init__(self, known: PlaceKnowledge) -> None:
        self._known, self._towns = known, known.towns

    def surroundings(
        self, names: Sequence[PlaceName], of_holder: Callable[[], frozenset[str]]
    ) -> Surroundings:
        """What the names of a text say for sure."""
        sure = [name for name in names if len(name.places) == 1]
        lands = frozenset(up for name in sure for up in self._known.line(name.places[0]))
        return Surroundings(frozenset(name.places[0] for name in sure if not name.implied), lands, of_holder)

    def meant(self, name: PlaceName, beside: PlaceName | None, text: Surroundings) -> str | None:
        """The place that a name means, given the name right behind it, or None where that is not sure."""
        places, known = name.places, self._known
        listed = bool(places) and places[0] in known.listed
        if name.implied or (listed and beside is None):
            return places[0] if name.implied else known.usual(places, text.sure)
        towns = name.towns or self._towns.namesakes(written(name.words))
        candidates = list(dict.fromkeys((*places, *self._towns.places_of(towns))))
        if beside is not None:
            around = {*beside.places, *self._towns.places_of(beside.towns)}
            inside = _within(candidates, around, lambda place: known.line(place)[1:])
            if inside is not None or listed:
                return places[0] if inside is None else inside
        return self._by_text(name, candidates, text) if candidates else None

    def _by_text(self, name: PlaceName, candidates: Sequence[str], text: Surroundings) -> str | None:
        """Which of the places of a name is meant, given what else its text names."""
        known, places = self._known, name.places
        towns = name.towns or self._towns.namesakes(written(name.words))
        inside = _within(candidates, text.lands, known.around)
        if inside is not None:
            return inside
        usual, largest = known.usual(places, text.sure), self._towns.far_the_largest(towns)
        if largest is None or largest != usual:
            inside = _within(candidates, text.lands, known.lands)
            if inside is not None:
                return inside
        cities = all(known.width(place) == "city" for place in places)
        sized = bool(places) or self._towns.is_likely(towns, stated=name.stated, elsewhere=bool(text.lands))
        if largest is not None and cities and sized:
            return largest
        of_holder = text.of_holder() if len(candidates) > 1 and name.stated else frozenset()
        inside = _within(candidates, of_holder, known.lands)
        return usual if inside is None else inside


def is_beside(name: PlaceName, after: PlaceName) -> bool:
    """Whether a name stands right behind another: Venice, Florida; Boston (Lincolnshire)."""
    return after.words[0].start - name.words[-1].end <= _NEXT


def _within(candidates: Sequence[str], lands: Set[str], around: Callable[[str], Sequence[str]]) -> str | None:
    """The first candidate that lies in one of some lands."""
    return next((one for one in candidates if not lands.isdisjoint(around(one))), None) if lands else None
