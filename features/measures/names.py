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
from typing import Final, Literal, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
from pydantic import Field

from features.creators import Creator, creators
from features.measures.bags import Bags
from features.measures.base import Arrays, Evidence, MeasureSettings, Remembered, Scores, Theme
from features.measures.matches import matches
from features.measures.rarity import Rarity, idf
from features.names import Name
from features.profile import Profile
from features.resources import Resources
from features.scope import Occurrence

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

    def add(self, profile: Profile) -> None:
        """Take the makers of the next item."""
        found = _makers(self._settings, profile)
        self._own.extend(self._makers.setdefault(maker, len(self._makers)) for maker in found)
        self._starts.append(len(self._own))
        self._frequencies.update({word for maker in found for word in maker.words})

    def arrays(self) -> dict[str, npt.NDArray[np.generic]]:
        """The makers of every item (CSR), those that have each word (CSR), and what their words are."""
        words = Bags()
        for maker in self._makers:
            words.add(Counter(maker.words))
        frequencies = np.array([self._frequencies[word] for word in words.terms], np.int32)
        weights = dict(zip(words.terms, idf(len(self._starts) - 1, frequencies).tolist(), strict=True))
        having = words.counts().tocsc()
        return {
            "own": np.array(self._own, np.int32),
            "indptr": np.array(self._starts, np.int64),
            "having": having.indices.astype(np.int32),
            "having_indptr": having.indptr.astype(np.int64),
            "sizes": np.array([sum(weights[word] for word in maker.words) for maker in self._makers]),
            "distant": np.array([maker.distant for maker in self._makers], np.bool_),
            "frequencies": frequencies,
            **words.vocabulary(),
        }


class _Seen(NamedTuple):
    """The distinct makers of a profile, the sum of their words' idf, and where they stand."""

    makers: tuple[_Maker, ...]
    sizes: tuple[float, ...]
    places: dict[str, list[Occurrence]]


class NamesColumn:
    """Likeness of a profile's makers to those of every item."""

    def __init__(self, settings: NamesSettings, arrays: Arrays) -> None:
        self._settings = settings
        self._own = np.asarray(arrays["own"], np.int32)
        self._starts = np.asarray(arrays["indptr"], np.int64)
        self._having = np.asarray(arrays["having"], np.int32)
        self._having_starts = np.asarray(arrays["having_indptr"], np.int64)
        self._sizes = np.asarray(arrays["sizes"], np.float64)
        self._distant = np.asarray(arrays["distant"], np.bool_)
        self._rarity = Rarity(len(self._starts) - 1, arrays)
        self._seen = Remembered(self._see)

    def compare(self, profile: Profile) -> Scores:
        """Likeness to the makers of every item; NaN where either side has none."""
        counts = np.diff(self._starts)
        scores = np.full(len(counts), np.nan)
        ours, informed = self._seen(profile), counts > 0
        if not ours.makers or not informed.any():
            return scores
        # few makers are distinct: compare with those, then look each item's own ones up
        starts = self._starts[:-1][informed]
        best, there = np.zeros(len(self._sizes)), np.zeros(len(starts))
        for maker, size in zip(ours.makers, ours.sizes, strict=True):
            likeness = self._with_known(maker, size)
            best = np.maximum(best, likeness)
            there += np.maximum.reduceat(likeness[self._own], starts)
        back = np.add.reduceat(best[self._own], starts)
        scores[informed] = (there / len(ours.makers) + back / counts[informed]) / 2
        highest: Scores = np.minimum(scores, 1.0)
        return highest

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
        return _Seen(tuple(found), tuple(sum(map(self._rarity, maker.words)) for maker in found), places)

    def _with_known(self, maker: _Maker, size: float) -> Scores:
        """Likeness of a maker to every maker of the collection."""
        shared = np.zeros(len(self._sizes))
        for word in maker.words:
            number = self._rarity.ids.get(word)
            if number is not None:
                having = self._having[self._having_starts[number] : self._having_starts[number + 1]]
                shared[having] += self._rarity(word)
        likeness: Scores = shared / np.minimum(self._sizes, size)
        likeness[self._distant != maker.distant] *= DISTANT
        return likeness

    def _likeness(self, left: Profile, right: Profile) -> Scores:
        """Likeness of the makers of two profiles, float64[left, right]."""
        ours, theirs = self._seen(left), self._seen(right)
        likeness = np.zeros((len(ours.makers), len(theirs.makers)))
        for row, one in enumerate(ours.makers):
            for at, two in enumerate(theirs.makers):
                shared = sum(self._rarity(word) for word in one.words if word in two.words)
                alike = shared / min(ours.sizes[row], theirs.sizes[at])
                likeness[row, at] = alike if one.distant == two.distant else alike * DISTANT
        return likeness
