"""ROUGE (Lin 2004): the n-grams, subsequences and pairs of words that two texts share.

The measures of summaries, here of any two texts: the harmonic mean of the shares of either side, so that the
value is symmetric. ``1`` to ``4`` count n-grams, ``l`` the longest common subsequence, ``w`` the same where
words in a row count more, ``s`` pairs of words in order with any gap, ``su`` these and single words. A text
of too few words to have an n-gram or a pair is not compared: NaN.

The libraries that have all of them were no choice: the one that is whole installs its tests as a package
``tests`` beside everybody's own.
"""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from typing import Final, Literal

import numpy as np
from pydantic import Field

from features.arrays import Arrays, Bools, Ints
from features.compiled import compiled
from features.knowledge.resources import Resources
from features.measures.base import Columns
from features.measures.selections import ScopeReader
from features.research.measures.texts import SharedRun, TextColumn, TextRows, TextSettings
from features.research.measures.tiling import common_runs

RougeKind = Literal["1", "2", "3", "4", "l", "w", "s", "su"]
_LEAST: Final[dict[RougeKind, int]] = {"1": 1, "2": 2, "3": 3, "4": 4, "l": 1, "w": 1, "s": 2, "su": 1}
"""How many words a text needs."""
_WEIGHT: Final = 1.2
"""k words in a row count k to this power."""


class RougeSettings(TextSettings):
    """ROUGE over one scope."""

    EXAMPLES = ({"kind": "1"}, {"kind": "l", "scope": {"form": "lemma"}}, {"kind": "su"})

    measure: Literal["rouge"] = Field(description="ROUGE (Lin 2004), the F-score of both sides")
    kind: RougeKind = Field(
        description="`1` to `4`: n-grams; `l`: the longest common subsequence; `w`: the same, words in a row"
        " count more; `s`: pairs of words with gaps; `su`: these and single words",
    )

    def column(self, arrays: Arrays, resources: Resources, columns: Columns) -> "RougeColumn":
        """The column over stored arrays, used where they lie."""
        return RougeColumn(self.kind, ScopeReader(self.scope, resources), arrays)


class RougeColumn(TextColumn):
    """Texts compared by ROUGE."""

    def __init__(self, kind: RougeKind, reader: ScopeReader, arrays: Arrays) -> None:
        super().__init__(reader, arrays)
        self._kind: RougeKind = kind

    def informed(self, table: TextRows) -> Bools:
        """Which texts have an n-gram, a pair or a word."""
        counts = [len(table.text(row).split()) for row in range(len(table))]
        enough: Bools = np.array(counts, np.int64) >= _LEAST[self._kind]
        return enough

    def similarity(self, one: str, other: str) -> float:
        """The F-score of the words of both."""
        return rouge(self._kind, one.split(), other.split())

    def spans(self, one: str, other: str) -> Iterator[SharedRun]:
        """The words that both have, in runs."""
        sides = one.split(" "), other.split(" ")
        starts = [[sum(map(len, words[:at])) + at for at in range(len(words))] for words in sides]
        for run in common_runs(*sides):
            last = run.left + run.size - 1
            end = starts[0][last] + len(sides[0][last])
            yield SharedRun(starts[0][run.left], starts[1][run.right], end - starts[0][run.left])


def rouge(kind: RougeKind, one: list[str], other: list[str]) -> float:
    """One measure of two lists of words; 0 where a list is empty.

    Two of three and of four words are shared, in a row: 2 x 2 / (3 + 4) and 2 x 1 / (2 + 3).

    >>> one, other = "the old boat".split(), "an old boat sank".split()
    >>> round(rouge("1", one, other), 4), round(rouge("2", one, other), 4)
    (0.5714, 0.4)
    """
    if not one or not other:
        return 0.0
    if kind == "l":
        from rapidfuzz.distance import LCSseq

        return 2 * LCSseq.similarity(one, other) / (len(one) + len(other))
    if kind == "w":
        return _weighted(one, other)
    left, right = (Counter(_units(kind, words)) for words in (one, other))
    total = left.total() + right.total()
    return 2 * (left & right).total() / total if total else 0.0


def _units(kind: RougeKind, words: list[str]) -> Iterator[tuple[str, ...]]:
    """What is counted of a text.

    >>> list(_units("2", ["a", "b", "c"])), list(_units("s", ["a", "b", "c"]))
    ([('a', 'b'), ('b', 'c')], [('a', 'b'), ('a', 'c'), ('b', 'c')])
    """
    if kind in ("s", "su"):
        yield from combinations(words, 2)
    size = 1 if kind == "su" else 0 if kind == "s" else int(kind)
    if size:
        yield from (tuple(words[at : at + size]) for at in range(len(words) - size + 1))


def _weighted(one: list[str], other: list[str]) -> float:
    """The harmonic mean of both sides' shares of the weighted subsequence, unbent."""
    numbers = {word: number for number, word in enumerate(dict.fromkeys((*one, *other)))}
    left, right = (np.array([numbers[word] for word in words], np.int32) for words in (one, other))
    common = float(_subsequence(left, right)) ** (1 / _WEIGHT)
    shares = common / len(one), common / len(other)
    return 2 * shares[0] * shares[1] / sum(shares) if common else 0.0


@compiled
def _subsequence(one: Ints, other: Ints) -> float:
    """The highest sum over the runs of a common subsequence of their weighted lengths (Lin 2004)."""
    best = np.zeros((len(one) + 1, len(other) + 1))
    runs = np.zeros((len(one) + 1, len(other) + 1))
    for i in range(len(one)):
        for j in range(len(other)):
            if one[i] == other[j]:
                run = runs[i, j]
                best[i + 1, j + 1] = best[i, j] + (run + 1) ** _WEIGHT - run**_WEIGHT
                runs[i + 1, j + 1] = run + 1
            else:
                best[i + 1, j + 1] = max(best[i, j + 1], best[i + 1, j])
    return float(best[len(one), len(other)])
