"""Both baselines of cross-level similarity, as its organisers describe them (SemEval-2014, task 3).

How long the passages are that two texts share, over the characters of the longer text: LCS has the longest
common substring, GST all tiles of six characters or more. The texts are compared as they are given, with
their capitals and marks. A word and a sense are compared by their definitions in WordNet 3.0, of which the
most alike two count. A word without a definition has the mean of the others.

The paper says that lengths are normalised, not by which: over the longer text both sums of four r are within
.004 of those printed, 1.363 and 1.721.
"""

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np

from evaluation.tasks.datasets import LEVELS, TextPairs
from features.arrays import Doubles
from features.research.measures.common_text import substring
from features.research.measures.tiling import tiles

LEAST: Final = 6
"""How many characters in a row make a tile."""

Shared = Callable[[str, str], int]
"""How many characters two texts share."""


def common_substring(one: str, other: str) -> int:
    """The length of the longest common substring.

    >>> common_substring("the boat", "a boat")
    5
    """
    return substring(one, other).size


def common_tiles(one: str, other: str) -> int:
    """The characters of all tiles of at least ``LEAST``.

    >>> common_tiles("boats of Venice", "Venice boats")  # 'Venice'; 'boats' has five
    6
    """
    return sum(tile.size for tile in tiles(one, other, LEAST))


BASELINES: Final = {"LCS of the task": common_substring, "GST of the task": common_tiles}
"""The baselines by the names of their rows."""


def scores(pairs: TextPairs, shared: Shared, definitions: Callable[[str], Sequence[str]]) -> Doubles:
    """The share of every pair, float64[pairs]; of words without a definition the mean of the others.

    ``definitions`` gives those of a word or a sense, as they stand in the pairs of words with senses.

    >>> one = TextPairs("toy", ("the boat", "sea"), ("a boat", "the sea"), np.zeros(2))
    >>> scores(one, common_substring, lambda word: []).round(4).tolist()  # 5 / 8 and 3 / 7
    [0.625, 0.4286]
    """
    if pairs.level != LEVELS[-1]:
        return np.array(
            [_share(shared, left, right) for left, right in zip(pairs.left, pairs.right, strict=True)]
        )
    values = np.array(
        [
            _of_senses(shared, definitions(left), definitions(right))
            for left, right in zip(pairs.left, pairs.right, strict=True)
        ]
    )
    unknown = np.isnan(values)
    values[unknown] = values[~unknown].mean() if not unknown.all() else 0.0
    return values


def _share(shared: Shared, one: str, other: str) -> float:
    longer = max(len(one), len(other))
    return shared(one, other) / longer if longer else 0.0


def _of_senses(shared: Shared, left: Sequence[str], right: Sequence[str]) -> float:
    values = [_share(shared, one, other) for one in left for other in right]
    return max(values, default=float("nan"))
