"""Likeness of the makers of two items by the words of their names.

Two names compare by what they share of the shorter one, rare words counting more: the idf of the
common words over the idf of the name that has less of it, ``idf = ln(1 + N / df)`` over the items.
So 'Turner' fits 'Joseph Mallord William Turner', and 'Surname, Forename' fits either. A pupil, a school
or a copy after somebody is not that somebody: beside the name itself it counts .7. Two items compare by
the average of the best matches, half for each side (thesis eq. 6.7).
"""

import re
from array import array
from collections import Counter
from collections.abc import Callable
from typing import Final, Literal, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
from pydantic import Field

from features.collection import row_groups as twins
from features.knowledge.resources import Resources
from features.measures import kernels
from features.measures.bags import Bags, forward
from features.measures.base import (
    Arrays,
    Evidence,
    MeasureSettings,
    Rows,
    Scores,
    SeenColumn,
    Theme,
    distinct,
    parts,
)
from features.measures.idf import Rarity, idf
from features.measures.matches import matches
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

    def builder(self, resources: Resources) -> "NamesBuilder":  # noqa: ARG002
        """An empty builder."""
        return NamesBuilder(self)

    def column(self, arrays: Arrays, resources: Resources) -> "NamesColumn":  # noqa: ARG002
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


class NamesBuilder:
    """Collects the distinct makers of a collection and those of every item."""

    def __init__(self, settings: NamesSettings) -> None:
        self._settings = settings
        self._makers: dict[_Maker, int] = {}
        self._own = array("i")
        self._starts = array("q", [0])
        self._frequencies: Counter[str] = Counter()

    def take(self, block: Block) -> None:
        """Take the makers of the next items."""
        for profile in block.profiles:
            self._add(profile)

    def _add(self, profile: Profile) -> None:
        found = _makers(self._settings, profile)
        self._own.extend(self._makers.setdefault(maker, len(self._makers)) for maker in found)
        self._starts.append(len(self._own))
        self._frequencies.update({word for maker in found for word in maker.words})

    def arrays(self) -> dict[str, npt.NDArray[np.generic]]:
        """The makers of every item (CSR), the words of every maker (CSR), and what their words are."""
        words = Bags()
        for maker in self._makers:
            words.add(Counter(maker.words))
        frequencies = np.array([self._frequencies[word] for word in words.terms], np.int32)
        weights = dict(zip(words.terms, idf(len(self._starts) - 1, frequencies).tolist(), strict=True))
        return {
            "own": np.array(self._own, np.int32),
            "indptr": np.array(self._starts, np.int64),
            **forward(words.counts()),
            "sizes": np.array([sum(weights[word] for word in maker.words) for maker in self._makers]),
            "distant": np.array([maker.distant for maker in self._makers], np.bool_),
            "frequencies": frequencies,
            **words.vocabulary(),
        }


class _Seen(NamedTuple):
    """The distinct makers of an item, by number the words of each that the collection has, ascending.

    ``sizes`` are the sums of the idf of all their words. Of a row the makers' words as text and their
    places are left out.
    """

    words: tuple[kernels.Ints, ...]
    sizes: tuple[float, ...]
    distant: tuple[bool, ...]
    makers: tuple[_Maker, ...] = ()
    places: dict[str, list[Occurrence]] = {}  # noqa: RUF012 - never altered


class NamesColumn(SeenColumn[_Seen]):
    """Likeness of an item's makers to those of every item."""

    def __init__(self, settings: NamesSettings, arrays: Arrays) -> None:
        super().__init__()
        self._settings = settings
        self._own = np.asarray(arrays["own"], np.int32)
        self._indptr = np.asarray(arrays["indptr"], np.int64)
        self._starts = np.asarray(arrays["starts"], np.int64)
        self._terms = np.asarray(arrays["terms"], np.int32)
        self._sizes = np.asarray(arrays["sizes"], np.float64)
        self._distant = np.asarray(arrays["distant"], np.bool_)
        self._rarity = Rarity(len(self._indptr) - 1, arrays)

    def alike(self) -> twins.Keys:
        """Keys of the rows by what is compared of them."""
        return twins.of_lists(self._indptr, self._own)

    def pair(self, left: Profile, right: Profile) -> float:
        """Likeness of the makers of two profiles; NaN where either has none."""
        likeness = self._likeness(left, right)
        if not likeness.size:
            return float("nan")
        return min(1.0, float(likeness.max(axis=1).mean() + likeness.max(axis=0).mean()) / 2)

    def evidence(self, left: Profile, right: Profile) -> tuple[Evidence, ...]:
        """The pairs of names that are most alike."""
        return matches(self._likeness(left, right), self._seen(left).places, self._seen(right).places)

    def _see(self, profile: Profile) -> _Seen:
        found = _makers(self._settings, profile)
        places = {
            str(number): [
                Occurrence(
                    _term(creator.name), creator.part, creator.index, creator.name.start, creator.name.end
                )
                for creator in standing
            ]
            for number, standing in enumerate(found.values())
        }
        words = [self._rarity.vocabulary.numbers(maker.words) for maker in found]
        return _Seen(
            tuple(numbers[numbers >= 0] for numbers in words),
            tuple(sum(self._rarity.of(numbers).tolist()) for numbers in words),
            tuple(maker.distant for maker in found),
            tuple(found),
            places,
        )

    def _stored(self, row: int, profile: Callable[[], Profile]) -> _Seen:  # noqa: ARG002
        own = self._own[int(self._indptr[row]) : int(self._indptr[row + 1])].tolist()
        return _Seen(
            tuple(self._terms[int(self._starts[maker]) : int(self._starts[maker + 1])] for maker in own),
            tuple(self._sizes[own].tolist()),
            tuple(self._distant[own].tolist()),
        )

    def _compared(self, seen: _Seen, rows: Rows | None) -> Scores:
        """Likeness to the makers of every item; NaN where either side has none."""
        # few makers are distinct: compare with those, then look each item's own ones up
        indptr, own, known = self._indptr, self._own, np.arange(len(self._sizes))
        if rows is not None:
            indptr, places = parts(indptr, rows)
            known, own = distinct(own[places], len(self._sizes))
        counts = np.diff(indptr)
        scores = np.full(len(counts), np.nan)
        informed = counts > 0
        if not seen.words or not informed.any():
            return scores
        starts = indptr[:-1][informed]
        best, there = np.zeros(len(known)), np.zeros(len(starts))
        for words, size, distant in zip(seen.words, seen.sizes, seen.distant, strict=True):
            likeness = self._with_known(known, words, size, distant=distant)
            best = np.maximum(best, likeness)
            there += np.maximum.reduceat(likeness[own], starts)
        back = np.add.reduceat(best[own], starts)
        scores[informed] = (there / len(seen.words) + back / counts[informed]) / 2
        highest: Scores = np.minimum(scores, 1.0)
        return highest

    def _with_known(self, known: Rows, words: kernels.Ints, size: float, *, distant: bool) -> Scores:
        """Likeness of a maker to some makers of the collection."""
        shared = kernels.shared_of(known, self._starts, self._terms, words, self._rarity.of(words))
        likeness: Scores = shared / np.minimum(self._sizes[known], size)
        likeness[self._distant[known] != distant] *= DISTANT
        return likeness

    def _likeness(self, left: Profile, right: Profile) -> Scores:
        """Likeness of the makers of two profiles, float64[left, right]."""
        ours, theirs = self._seen(left), self._seen(right)
        likeness = np.zeros((len(ours.makers), len(theirs.makers)))
        for row, one in enumerate(ours.makers):
            for at, two in enumerate(theirs.makers):
                common = [word for word in one.words if word in two.words]
                shared = sum(self._rarity.of(self._rarity.vocabulary.numbers(common)).tolist())
                alike = shared / min(ours.sizes[row], theirs.sizes[at])
                likeness[row, at] = alike if one.distant == two.distant else alike * DISTANT
        return likeness
