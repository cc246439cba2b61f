"""Likeness of the makers of two items by the words of their names.

Two names compare by what they share of the shorter one, rare words counting more: the idf of the
common words over the idf of the name that has less of it, ``idf = ln(1 + N / df)`` over the items.
So 'Turner' fits 'Joseph Mallord William Turner', and 'Surname, Forename' fits either. A pupil, a school
or a copy after somebody is not that somebody: beside the name itself it counts .7. Two items compare by
the average of the best matches, half for each side (thesis eq. 6.7).
"""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Literal, NamedTuple, TypeAlias

import numpy as np
from pydantic import Field

from features.knowledge.resources import Resources
from features.measures.bags import Ints
from features.measures.base import (
    Array,
    Arrays,
    Bools,
    Column,
    Columns,
    Evidence,
    MeasureSettings,
    Scores,
    Theme,
)
from features.measures.idf import idf, looked_up
from features.measures.matches import matches
from features.measures.postings import Postings, inverted
from features.measures.tables import Longs, Table, row_sums
from features.measures.vocabulary import Vocabulary, written
from features.profiles.blocks import Block
from features.profiles.creators import Creator, creators
from features.profiles.occurrence import Occurrence
from features.profiles.profile import Profile
from features.text.names import Name

DISTANT: Final = 0.7
"""What is left of a likeness where one name is only that of a teacher, a model or a manner."""

_MODEL: Final = re.compile(
    r"school|circle|studio|workshop|follower|manner|style|imitator|pupil|assistant|after|cop(?:y|ied)"
)
"""Roles of a name that is not the maker's own."""

_EMPTY: Final = frozenset({"the", "of", "and", "for"})


class NamesSettings(MeasureSettings):
    """Likeness of makers."""

    measure: Literal["names"] = Field(description="best matches of the makers' names")
    stated: bool = Field(False, description="makers that title and description state count too")

    @property
    def theme(self) -> Theme:
        """Makers."""
        return "makers"

    @property
    def cost(self) -> float:
        """Makers that texts state."""
        return 120.0

    def builder(self, resources: Resources) -> "NamesBuilder":
        """An empty builder."""
        return NamesBuilder(self)

    def column(self, arrays: Arrays, resources: Resources, columns: Columns) -> "NamesColumn":
        """The column over stored arrays."""
        return NamesColumn(self, arrays)


class _Maker(NamedTuple):
    """What is compared of a name: its words, sorted, and whether it is only a model's."""

    words: tuple[str, ...]
    distant: bool


_Makers: TypeAlias = dict[_Maker, list[Creator]]


def _makers(settings: NamesSettings, profile: Profile) -> _Makers:
    """The distinct makers of an item with the places where they stand."""
    found: _Makers = {}
    for creator in creators(profile, stated=settings.stated):
        # sorted, so that sums over words come out the same whoever is asked first
        words = sorted({word for word in re.findall(r"\w+", creator.name.key) if len(word) > 1} - _EMPTY)
        if words:
            found.setdefault(_Maker(tuple(words), _distant(creator.name)), []).append(creator)
    return found


def _distant(name: Name) -> bool:
    return _MODEL.search(name.role or "") is not None


def _term(name: Name) -> str:
    return f"{name.role} {name.key}" if _distant(name) else name.key


@dataclass(frozen=True, slots=True, eq=False)
class Makers(Table):
    """The makers of every item, as numbers of the distinct makers of the table.

    Distinct maker m has the words ``words[word_starts[m]:word_starts[m + 1]]``, ascending, which count
    ``sizes[m]`` together; ``distant`` says whether the name is only a model's.
    """

    LISTS = ("makers",)
    SHARED = ("word_starts", "words", "sizes", "distant")

    starts: Longs
    makers: Ints
    word_starts: Longs
    words: Ints
    sizes: Scores
    distant: Bools


class NamesBuilder:
    """Collects the distinct makers of a collection and those of every item."""

    def __init__(self, settings: NamesSettings) -> None:
        self._settings = settings
        self._makers: dict[_Maker, int] = {}
        self._own: list[list[int]] = []
        self._frequencies: Counter[str] = Counter()

    def take(self, block: Block) -> None:
        """Take the makers of the next items."""
        for profile in block.profiles:
            found = _makers(self._settings, profile)
            self._own.append([self._makers.setdefault(maker, len(self._makers)) for maker in found])
            self._frequencies.update({word for maker in found for word in maker.words})

    def arrays(self) -> dict[str, Array]:
        """The makers of every item, and the vocabulary with its document frequencies."""
        words = sorted(self._frequencies)
        frequencies = np.array([self._frequencies[word] for word in words], np.int32)
        weights = idf(len(self._own), frequencies)
        number = {word: place for place, word in enumerate(words)}
        numbered = [[number[word] for word in maker.words] for maker in self._makers]
        table = _table(self._own, list(self._makers), numbered, lambda terms: weights[terms])
        return {**table.arrays(), "frequencies": frequencies, **written(words)}


def _table(
    own: Sequence[Sequence[int]],
    makers: Sequence[_Maker],
    words: Sequence[Sequence[int]],
    weigh: Callable[[Ints], Scores],
) -> Makers:
    """The table of items' makers from the numbers of the words of each distinct maker."""
    starts, members = _end_to_end(own)
    word_starts, every = _end_to_end([sorted(each) for each in words])
    sizes = row_sums(word_starts, weigh(every))
    return Makers(
        starts, members, word_starts, every, sizes, np.array([maker.distant for maker in makers], np.bool_)
    )


def _end_to_end(lists: Sequence[Sequence[int]]) -> tuple[Longs, Ints]:
    starts = np.concatenate(([0], np.cumsum([len(each) for each in lists], dtype=np.int64)))
    return starts, np.array([one for each in lists for one in each], np.int32)


class NamesColumn(Column[Makers]):
    """Likeness of an item's makers to those of others."""

    def __init__(self, settings: NamesSettings, arrays: Arrays) -> None:
        super().__init__(Makers.of(arrays))
        self._settings = settings
        self._vocabulary = Vocabulary(arrays)
        self._frequencies = np.asarray(arrays["frequencies"], np.int32)
        self._postings = _postings(self.table)

    def read(self, block: Block) -> Makers:
        """The makers of the items of a block."""
        distinct: dict[_Maker, int] = {}
        own = [
            [distinct.setdefault(maker, len(distinct)) for maker in _makers(self._settings, profile)]
            for profile in block.profiles
        ]
        words = [self._numbers(block, maker.words) for maker in distinct]
        return _table(own, list(distinct), words, self._weigh)

    def informed(self, table: Makers) -> Bools:
        """Which items have a maker."""
        return np.diff(table.starts) > 0

    def similarities(self, query: Makers, table: Makers) -> Scores:
        """The average of the best matches of either side's makers."""
        # few makers are distinct: those are compared, then each item's own ones looked up
        own = np.zeros(len(table.sizes), np.bool_)
        own[table.makers] = True
        likeness = np.where(own, self._likeness(query, table), 0.0)
        filled = self.informed(table)
        starts, found = table.starts[:-1][filled], np.zeros(len(table))
        if filled.any():
            there = np.maximum.reduceat(likeness[:, table.makers], starts, axis=1).mean(axis=0)
            back = np.add.reduceat(likeness.max(axis=0)[table.makers], starts) / np.diff(table.starts)[filled]
            found[filled] = (there + back) / 2
        return found

    def evidence(self, block: Block, left: int, right: int) -> tuple[Evidence, ...]:
        """The pairs of names that are most alike."""
        table = self.of(block)
        ours, theirs = (_standing(self._settings, block.profiles[side]) for side in (left, right))
        likeness = self._likeness(table.row(left), table)[:, table.row(right).makers]
        return matches(likeness, ours, theirs)

    def _likeness(self, query: Makers, table: Makers) -> Scores:
        """Of the makers of one item to the distinct makers of a table, float64[query, table]."""
        postings = self._postings if table.words is self.table.words else _postings(table)
        found = np.zeros((len(query.makers), len(table.sizes)))
        for n, maker in enumerate(query.makers.tolist()):
            words = query.words[query.word_starts[maker] : query.word_starts[maker + 1]]
            shared = postings.sums(words, self._weigh(words), len(table.sizes))
            found[n] = shared / np.minimum(table.sizes, query.sizes[maker])
            found[n, table.distant != query.distant[maker]] *= DISTANT
        return found

    def _weigh(self, words: Ints) -> Scores:
        return looked_up(self._idf, idf(len(self.table), np.zeros(1, np.int32)).item(), words)

    @cached_property
    def _idf(self) -> Scores:
        return idf(len(self.table), self._frequencies)

    def _numbers(self, block: Block, words: Sequence[str]) -> list[int]:
        """The numbers of words; one that the collection lacks is numbered beyond its vocabulary."""
        size = len(self._vocabulary)
        return [
            number if number >= 0 else size + block.lexicon.number(word)
            for word, number in zip(words, self._vocabulary.numbers(words).tolist(), strict=True)
        ]


def _postings(table: Makers) -> Postings:
    """The distinct makers that have each word."""
    return inverted(table.word_starts, table.words, np.ones(len(table.words), np.uint8))


def _standing(settings: NamesSettings, profile: Profile) -> dict[int, list[Occurrence]]:
    """The distinct makers of an item, by their place among these, and where each stands."""
    return {
        place: [
            Occurrence(_term(one.name), one.part, one.index, one.name.start, one.name.end) for one in standing
        ]
        for place, standing in enumerate(_makers(settings, profile).values())
    }
