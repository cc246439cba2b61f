"""The longest text that two texts share: in one piece (substring), or with gaps (subsequence).

With ``norm: both`` its length l is divided by the mean length of both texts, 2 l / (a + b). With ``norm:
first`` it is divided by the length of the first text alone, l / a, as Clough and Stevenson (2011) do: the
measure is directional there, and an item that others are compared with is the first.
"""

from collections.abc import Iterator
from typing import Literal

import numpy as np
from pydantic import Field

from features.arrays import Arrays, Ints
from features.compiled import compiled
from features.knowledge.resources import Resources
from features.measures.base import Columns
from features.measures.selections import ScopeReader
from features.research.measures.texts import SharedRun, TextColumn, TextRows, TextSettings

CommonKind = Literal["substring", "subsequence"]
LengthNorm = Literal["both", "first"]


class CommonTextSettings(TextSettings):
    """The longest common text over one scope."""

    EXAMPLES = ({"kind": "substring"}, {"kind": "subsequence"}, {"kind": "subsequence", "norm": "first"})

    measure: Literal["common_text"] = Field(description="the longest text that both share")
    kind: CommonKind = Field(description="`substring`: in one piece; `subsequence`: with gaps")
    norm: LengthNorm = Field(
        "both",
        description="what its length is divided by: the mean length of both texts, or that of the first"
        " (Clough and Stevenson 2011). With `first` the value of two items changes with their order",
    )

    def column(self, arrays: Arrays, resources: Resources, columns: Columns) -> "CommonTextColumn":
        """The column over stored arrays, used where they lie."""
        return CommonTextColumn(self, ScopeReader(self.scope, resources), arrays)


def normed(norm: LengthNorm, common: int, first: int, second: int) -> float:
    """The length of what is common over that of both texts, or of the first.

    >>> normed("both", 3, 4, 6), normed("first", 3, 4, 6)  # 2 x 3 / (4 + 6); 3 / 4
    (0.6, 0.75)
    """
    return common / first if norm == "first" else 2 * common / (first + second)


def substring(one: str, other: str) -> SharedRun:
    """The longest common substring of two texts.

    >>> substring("the boat", "a boat")
    SharedRun(left=3, right=1, size=5)
    """
    left, right, size = _longest(TextRows.written([one]).points, TextRows.written([other]).points)
    return SharedRun(int(left), int(right), int(size))


@compiled
def _longest(one: Ints, other: Ints) -> tuple[int, int, int]:
    """The first of the longest runs that both have; difflib takes many times as long for long texts."""
    lengths = np.zeros(len(other) + 1, np.int64)
    left, right, longest = 0, 0, 0
    for i in range(len(one)):
        diagonal = 0
        for j in range(len(other)):
            above = lengths[j + 1]
            lengths[j + 1] = diagonal + 1 if one[i] == other[j] else 0
            diagonal = above
            if lengths[j + 1] > longest:
                longest = lengths[j + 1]
                left, right = i + 1 - longest, j + 1 - longest
    return left, right, longest


def subsequence(one: str, other: str) -> list[SharedRun]:
    """The longest common subsequence of two texts, as runs of characters.

    >>> subsequence("boats", "bats")  # b, and ats
    [SharedRun(left=0, right=0, size=1), SharedRun(left=2, right=1, size=3)]
    """
    from rapidfuzz.distance import LCSseq

    return [
        SharedRun(step.src_start, step.dest_start, step.src_end - step.src_start)
        for step in LCSseq.opcodes(one, other)
        if step.tag == "equal"
    ]


class CommonTextColumn(TextColumn):
    """Texts compared by the longest text that they share."""

    def __init__(self, settings: CommonTextSettings, reader: ScopeReader, arrays: Arrays) -> None:
        super().__init__(reader, arrays)
        self._settings = settings

    def similarity(self, one: str, other: str) -> float:
        """The length of what they share, normed."""
        return normed(self._settings.norm, self._length(one, other), len(one), len(other))

    def spans(self, one: str, other: str) -> Iterator[SharedRun]:
        """What they share, in one run or in several."""
        if self._settings.kind == "subsequence":
            return iter(subsequence(one, other))
        return iter([substring(one, other)])

    def _length(self, one: str, other: str) -> int:
        from rapidfuzz.distance import LCSseq

        if self._settings.kind == "subsequence":
            return LCSseq.similarity(one, other)
        return substring(one, other).size
