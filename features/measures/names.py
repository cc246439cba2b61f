"""Likeness of the makers of two items.

Two people or firms are compared by their names (:mod:`features.measures.name_forms`): 1 where it is the same
hand for sure, .65 within a school or between namesakes of two generations, .35 where a surname is shared, 0
where nothing is. Where both records give one address for it (VIAF, Wikidata, GND) it is 1, whatever the
names. A pupil, a school or a copy after somebody is not that somebody: beside the name itself it counts .7. A
maker that is a culture (French, unknown Austrian) is a school of its own: two of one culture count .6; a
culture and a person of that culture, or two people of one culture, .45; cultures that are part of another, or
of one larger culture, that much less (:func:`features.text.names.cultures.likeness`).

Two items compare by their best match, three quarters, and by the average of the best matches of either side
(thesis eq. 6.7), a quarter: a publisher or an engraver beside the maker makes the hand no other. Where a side
names people, its cultures do not count in the average.

An item whose makers are cultures has .6 with itself, and one whose maker is a single common surname less
than 1: neither names a person for sure. ``of: cultures`` compares cultures alone, those of people among them.
"""

import hashlib
from collections.abc import Callable, Sequence
from functools import cache
from typing import ClassVar, Final, Literal, NamedTuple, TypeAlias

import numpy as np
from pydantic import Field

from features.arrays import Arrays, Bools, Doubles, Ints, Longs, NewArrays, Rows
from features.compiled import compiled
from features.knowledge.resources import Resources
from features.measures.base import Column, Columns, EvidencePair, MeasureSettings, Theme, distinct
from features.measures.makers import CULTURE, CULTURES, Makers, keys, steps
from features.measures.matches import matches
from features.measures.name_forms import NameForm, fellows, forms_of, forms_table, same_hand
from features.measures.searchable import Steps
from features.measures.tables import ListSpillBuffer, end_to_end, largest, numbered
from features.measures.vocabulary import Vocabulary, written
from features.profiles.blocks import Block
from features.profiles.creators import Creator, creators
from features.profiles.profile import Occurrence, Profile
from features.text.names import cultures
from features.text.names.words import MODEL

DISTANT: Final = 0.7
"""What is left of a likeness where one name is only that of a teacher, a model or a manner."""
COMPATRIOTS: Final = 0.45
"""A person and a culture, or two people, of one culture: of one tradition, and hardly the same hand."""
BEST: Final = 0.75  # the share of the best match in the likeness of two items


class NamesSettings(MeasureSettings):
    """Likeness of makers."""

    VERSION: ClassVar[int] = 5
    EXAMPLES = ({"stated": True},)
    theme: ClassVar[Theme] = "makers"
    cost: ClassVar[float] = 65.0

    measure: Literal["names"] = Field(description="best matches of the makers' names")
    of: Literal["makers", "cultures"] = Field(
        "makers",
        description="`cultures`: only the cultures of makers compare, of persons those behind their"
        " names, the same being 1",
    )
    stated: bool = Field(
        False,
        description="`true`: beside the creator field, makers that title and description state count:"
        " *Copyright author of work: John Frith, 12 High Street*, *Photographer: ...*, *engraved by ...*,"
        " *etching after ...*",
    )

    def builder(self, resources: Resources) -> "NamesBuilder":
        """An empty builder."""
        return NamesBuilder(self)

    def column(self, arrays: Arrays, resources: Resources, columns: Columns) -> "NamesColumn":
        """The column over stored arrays."""
        return NamesColumn(self, arrays)


class _Maker(NamedTuple):
    """What is compared of a maker; ``distant`` is one that is only a model, ``address`` an authority's."""

    forms: tuple[NameForm, ...]
    cultures: tuple[str, ...]
    distant: bool
    address: str = ""


class _NamePlaces(NamedTuple):
    """Where a maker's name stands, and where its cultures do."""

    names: list[Occurrence]
    cultures: list[Occurrence]


_Makers: TypeAlias = dict[_Maker, _NamePlaces]


def _makers(settings: NamesSettings, profile: Profile) -> _Makers:
    """The distinct makers of an item with the places where they stand."""
    makers: _Makers = {}
    for creator in creators(profile, stated=settings.stated):
        name, model = creator.name, MODEL.search(creator.name.role or "") is not None
        own = [_occurrence(creator, culture.key, culture.start, culture.end) for culture in name.cultures]
        keys = tuple(sorted({culture.key for culture in name.cultures}))
        read: list[_Maker] = []
        if settings.of == "cultures":
            read = [_Maker((), (key,), False) for key in keys]
        elif (forms := forms_of(name)) or keys:
            read = [_Maker(forms, keys, model, creator.address or "")]
        for maker in read:
            places = makers.setdefault(maker, _NamePlaces([], []))
            term = f"{name.role} {name.key}" if model else name.key
            places.names.append(_occurrence(creator, term, name.start, name.end))
            places.cultures.extend(one for one in own if one.term in maker.cultures)
    return makers


def _occurrence(creator: Creator, term: str, start: int, end: int) -> Occurrence:
    return Occurrence(term, creator.part, creator.index, start, end)


class NamesBuilder:
    """Collects the distinct makers of a collection and those of every item."""

    def __init__(self, settings: NamesSettings) -> None:
        self._settings, self._items = settings, ListSpillBuffer()
        self._makers: dict[_Maker, int] = {}

    def take(self, block: Block) -> None:
        """Take the makers of the next items."""
        self._items.add(numbered((_makers(self._settings, one) for one in block.profiles), self._makers))

    def arrays(self) -> NewArrays:
        """The makers of every item, and the vocabulary with the fellowship of its words."""
        words = sorted({word for maker in self._makers for form in maker.forms for word in form.words})
        beside = {pair for maker in self._makers for pair in fellows(maker.forms)}
        number = {word: place for place, word in enumerate(words)}
        fellowship = np.bincount([number[word] for word, _ in beside], minlength=len(words))
        table = _table(self._items.whole(), list(self._makers), number.__getitem__)
        return {**table.arrays(), "fellowship": fellowship.astype(np.int32), **written(words)}


def _table(items: tuple[Longs, Ints], makers: Sequence[_Maker], number: Callable[[str], int]) -> Makers:
    """The table of items' makers; ``number`` gives the number of a word."""
    own = [[_places()[key] for key in maker.cultures] for maker in makers]
    forms = forms_table([maker.forms for maker in makers], [min(each, default=-1) for each in own], number)
    distant = np.array([maker.distant for maker in makers], np.bool_)
    digests = (hashlib.blake2b(maker.address.encode(), digest_size=8).digest() for maker in makers)
    known = np.array([maker.address != "" for maker in makers], np.bool_)
    addresses = np.fromiter(map(int.from_bytes, digests), np.uint64) * known
    culture_starts, numbers = end_to_end(own)
    return Makers(items[0], items[1], *forms, culture_starts, numbers, distant, addresses)


@cache
def _places() -> dict[str, int]:
    return {key: place for place, key in enumerate(cultures.keys())}


@cache
def _beside(place: int) -> Doubles:
    """How near a culture is to every one."""
    keys = cultures.keys()
    return np.array([cultures.likeness(keys[place], key) for key in keys])


class NamesColumn(Column[Makers]):
    """Likeness of an item's makers to those of others."""

    def __init__(self, settings: NamesSettings, arrays: Arrays) -> None:
        super().__init__(Makers.of(arrays))
        self._settings, self._vocabulary = settings, Vocabulary(arrays)
        self._fellowship = np.asarray(arrays["fellowship"], np.int32)

    def read(self, block: Block) -> Makers:
        """The makers of the items of a block."""
        makers: dict[_Maker, int] = {}
        items = numbered((_makers(self._settings, profile) for profile in block.profiles), makers)
        words = [word for maker in makers for form in maker.forms for word in form.words]
        number = dict(zip(words, self._vocabulary.numbers_of(words, block.lexicon), strict=True))
        return _table(end_to_end(items), list(makers), number.__getitem__)

    def similarities(self, query: Makers, table: Makers) -> Doubles:
        """The best match and the average of the best matches of either side's makers."""
        named = query.named[query.makers]
        weights = np.where(named | ~named.any(), 1.0, 0.0)
        met, places = distinct(table.makers, len(table.distant))
        likeness = np.ascontiguousarray(np.maximum(*self._parts(query, table, met)).T)
        return _items(table.starts, places, likeness, weights / max(weights.sum(), 1.0), table.named[met])

    def searchable(self) -> Steps[Makers]:
        """The words of the names, the addresses and the cultures of the makers."""
        return Steps("names", keys, steps, ("", CULTURES))

    def evidence(self, block: Block, left: int, right: int) -> tuple[EvidencePair, ...]:
        """The pairs of names that are most alike, or of cultures where these weigh more."""
        table = self.of(block)
        # an item is compared with all its neighbours at once
        hands, near = block.once(
            (NamesColumn, self._settings, left),
            lambda: self._parts(table.row(left), table, np.arange(len(table.distant))),
        )
        makers = table.row(right).makers
        hands, near = hands[:, makers], near[:, makers]
        amounts = np.zeros((2 * len(hands), 2 * len(makers)))
        amounts[: len(hands), : len(makers)] = np.where(hands >= near, hands, 0.0)
        amounts[len(hands) :, len(makers) :] = np.where(hands < near, near, 0.0)
        return matches(amounts, self._standing(block, left), self._standing(block, right))

    def _standing(self, block: Block, item: int) -> dict[int, list[Occurrence]]:
        """Where the names of an item's makers stand, and behind them where their cultures do."""

        def standing() -> dict[int, list[Occurrence]]:
            spans = _makers(self._settings, block.profiles[item]).values()
            return dict(enumerate((*(one.names for one in spans), *(one.cultures for one in spans))))

        return block.once((_makers, self._settings, item), standing)

    def _parts(self, query: Makers, table: Makers, met: Rows) -> tuple[Doubles, Doubles]:
        """What names and what cultures give to the likeness to some makers, each float64[query, met]."""
        named, distant, addresses = table.named[met], table.distant[met], table.addresses[met]
        hands, near = np.zeros((len(query.makers), len(met))), np.zeros((len(query.makers), len(met)))
        forms, table_forms = query.forms, table.forms
        for n, maker in enumerate(query.makers.tolist()):
            hands[n] = same_hand(forms, maker, table_forms, met, self._fellowship)
            if query.addresses[maker]:
                hands[n, addresses == query.addresses[maker]] = 1.0
            own = query.cultures[query.culture_starts[maker] : query.culture_starts[maker + 1]]
            if len(own):
                beside = np.maximum.reduce([_beside(one) for one in own.tolist()])
                near[n] = largest(table.culture_starts, table.cultures, beside)[met]
            if self._settings.of == "makers":
                near[n] *= np.where(named | query.named[maker], COMPATRIOTS, CULTURE)
            far = distant != query.distant[maker]
            hands[n, far] *= DISTANT
            near[n, far] *= DISTANT
        return hands, near


@compiled
def _items(starts: Longs, makers: Ints, likeness: Doubles, weights: Doubles, named: Bools) -> Doubles:
    """Of every item by the likeness of its makers to the query's, float64[makers, query].

    ``weights`` are those of the query's makers in the average: a culture has none beside what is ``named``.
    """
    values, width = np.zeros(len(starts) - 1), len(weights)
    best = np.zeros(width)
    for row in range(len(values)):
        best[:] = 0.0
        people = 0
        for at in range(starts[row], starts[row + 1]):
            people += named[makers[at]]
        back, size = 0.0, 0
        for at in range(starts[row], starts[row + 1]):
            maker, most = makers[at], 0.0
            for n in range(width):
                most = max(most, likeness[maker, n])
                best[n] = max(best[n], likeness[maker, n])
            if people == 0 or named[maker]:
                back += most
                size += 1
        if size:
            there, most = 0.0, 0.0
            for n in range(width):
                there += weights[n] * best[n]
                most = max(most, best[n])
            values[row] = BEST * most + (1 - BEST) * (there + back / size) / 2
    return values
