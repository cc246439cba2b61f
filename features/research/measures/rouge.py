"""ROUGE (Lin 2004): the n-grams, subsequences and pairs of words that two texts share.

The measures of summaries, here of any two texts: the harmonic mean of the shares of either side, so that the
value is symmetric. ``1`` to ``4`` count n-grams, ``l`` the longest common subsequence, ``w`` the same where
words in a row count more (weight 1.2), ``s`` pairs of words in order with any gap, ``su`` these and single
words. A text of too few words to have an n-gram or a pair is not compared: NaN.

They are those of the library ``rouge-metric``, which computes what ROUGE-1.5.5 does. That leaves the last
word out of the single words of ``su``, and weighs the second text of ``w`` twice, so that a text and itself
are less than 1 there; here the mean of both orders counts.
"""

from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, Final, Literal

import numpy as np
from pydantic import Field

from features.arrays import Arrays, Bools
from features.knowledge.resources import Resources
from features.measures.base import Columns
from features.measures.selections import ScopeReader
from features.research.measures.texts import SharedRun, TextColumn, TextRows, TextSettings
from features.research.measures.tiling import common_runs
from ingest.errors import ResourceMissing

if TYPE_CHECKING:
    from rouge_metric import PyRouge

RougeKind = Literal["1", "2", "3", "4", "l", "w", "s", "su"]
_NAMES: Final[dict[RougeKind, str]] = {
    "1": "rouge-1",
    "2": "rouge-2",
    "3": "rouge-3",
    "4": "rouge-4",
    "l": "rouge-l",
    "w": "rouge-w-1.2",
    "s": "rouge-s*",
    "su": "rouge-su*",
}
_LEAST: Final[dict[RougeKind, int]] = {"1": 1, "2": 2, "3": 3, "4": 4, "l": 1, "w": 1, "s": 2, "su": 2}
"""How many words a text needs."""


class RougeSettings(TextSettings):
    """ROUGE over one scope."""

    EXAMPLES = ({"kind": "1"}, {"kind": "l", "scope": {"form": "lemma"}}, {"kind": "su"})

    measure: Literal["rouge"] = Field(description="ROUGE (Lin 2004), the F-score of both sides")
    kind: RougeKind = Field(
        description="`1` to `4`: n-grams; `l`: the longest common subsequence; `w`: the same, words in a row"
        " count more; `s`: pairs of words with gaps; `su`: these and single words",
    )

    def column(self, arrays: Arrays, resources: Resources, columns: Columns) -> "RougeColumn":
        """The column over stored arrays; raises ``ResourceMissing`` without the library."""
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
    """One measure of two lists of words; 0 where a list is empty. Raises ``ResourceMissing``.

    Two of three and of four words are shared, in a row: 2 x 2 / (3 + 4) and 2 x 1 / (2 + 3).

    >>> one, other = "the old boat".split(), "an old boat sank".split()
    >>> round(rouge("1", one, other), 4), round(rouge("2", one, other), 4)
    (0.5714, 0.4)
    """
    if not one or not other:
        return 0.0
    if kind == "w":
        return (_f_score(kind, one, other) + _f_score(kind, other, one)) / 2
    return _f_score(kind, one, other)


def _f_score(kind: RougeKind, one: list[str], other: list[str]) -> float:
    return float(_library(kind).evaluate_tokenized([[one]], [[[other]]])[_NAMES[kind]]["f"])


@cache
def _library(kind: RougeKind) -> "PyRouge":
    """What computes one of the measures."""
    try:
        from rouge_metric import PyRouge
    except ImportError:
        raise ResourceMissing("rouge-metric is not installed; run: pip install 'kindred[research]'") from None
    return PyRouge(
        rouge_n=(int(kind),) if kind.isdecimal() else (),
        rouge_l=kind == "l",
        rouge_w=kind == "w",
        rouge_s=kind == "s",
        rouge_su=kind == "su",
        skip_gap=None,
    )
