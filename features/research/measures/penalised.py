"""Words aligned one by one, less what badly aligned words cost: Ebiquity-Core (Han 2013; thesis eq. 2.8).

    STS = T - P'

T is the mean of both directions of the best matches of words (as ``mihalcea``). A word is badly aligned where
its best match is below .05, or is its antonym in WordNet. P' is the mean of both directions of what these
words weigh over what all words of the side weigh, times ``penalty``. Their P'', for contradictions in syntax,
was never built. Values below 0 are 0.
"""

from collections.abc import Sequence
from typing import ClassVar, Final, Literal

import numpy as np
from pydantic import Field

from features.arrays import Arrays, Bools, Doubles
from features.knowledge.resources import ResourceName, Resources
from features.measures.bags import ScopedSettings
from features.measures.base import Columns, Theme, distinct
from features.measures.overlap import TermWeighting
from features.measures.selections import ScopeReader
from features.research.antonyms import Antonyms
from features.research.measures.mihalcea import MihalceaBuilder, MihalceaColumn, WordRows
from features.research.word_measures import WordMeasureName, needed_by, word_measure

BAD: Final = 0.05
"""A best match below it is none."""


class PenalisedSettings(ScopedSettings):
    """Align and penalize over one scope."""

    EXAMPLES = (
        {"scope": {"form": "lemma"}},
        {"word": "vectors", "penalty": 1.0, "weights": "none", "scope": {"form": "lemma"}},
    )
    cost: ClassVar[float] = 50.0
    theme: ClassVar[Theme] = "meaning"

    measure: Literal["penalised"] = Field(description="align and penalize (thesis eq. 2.8)")
    word: WordMeasureName = Field("boosted", description="how alike two words are, as of `mihalcea`")
    penalty: float = Field(0.5, ge=0, le=1, description="what badly aligned words cost")
    weights: TermWeighting = Field(
        "idf",
        description="`none`: every term counts 1; `idf`: a term counts `ln(1 + N / df)`, rare ones more",
    )

    @property
    def needs(self) -> tuple[ResourceName, ...]:
        """WordNet, for antonyms, what the words are compared by, and what the scope is read with."""
        return tuple(dict.fromkeys(("wordnet", *needed_by(self.word), *self.scope.needs)))

    def builder(self, resources: Resources) -> MihalceaBuilder:
        """An empty builder; raises ``ResourceMissing``."""
        return MihalceaBuilder(ScopeReader(self.scope, resources))

    def column(self, arrays: Arrays, resources: Resources, columns: Columns) -> "PenalisedColumn":
        """The column over stored arrays; raises ``ResourceMissing``."""
        return PenalisedColumn(self, ScopeReader(self.scope, resources), arrays, resources)


def penalised(
    best: Sequence[Doubles], bad: Sequence[Doubles], weights: Sequence[Doubles], penalty: float
) -> float:
    """T - P' of both sides; ``bad`` is 1 for badly aligned words, 0 for others.

    Two words that weigh 3 and 1 have best matches .8 and 0, the one of the other side .8: T is (.6 + .8) / 2,
    P' is .5 x (1/4 + 0) / 2.

    >>> side, other = np.array([0.8, 0.0]), np.array([0.8])
    >>> bad = [np.array([0.0, 1.0]), np.array([0.0])]
    >>> round(penalised([side, other], bad, [np.array([3.0, 1.0]), np.ones(1)], 0.5), 4)
    0.6375
    """
    value = 0.0
    for values, wrong, own in zip(best, bad, weights, strict=True):
        value += float(((values - penalty * wrong) * own).sum() / own.sum()) / 2
    return min(1.0, max(0.0, value))


class PenalisedColumn(MihalceaColumn):
    """Scores of an item's words with those of others, less those that match none."""

    def __init__(
        self, settings: PenalisedSettings, reader: ScopeReader, arrays: Arrays, resources: Resources
    ) -> None:
        super().__init__(settings.weights, reader, arrays, word_measure(settings.word, resources))
        self._penalty, self._antonyms = settings.penalty, Antonyms(resources.wordnet)

    def similarities(self, query: WordRows, table: WordRows) -> Doubles:
        """T - P' of an item with each row."""
        met, places = distinct(table.terms, int(table.terms.max(initial=-1)) + 1)
        words, own = self._named(table, met), self._named(query, query.terms)
        similar = self._words.of(words, own)
        opposed = np.array([[self._antonyms.has(one, two) for two in own] for one in words], np.bool_)
        opposed = opposed.reshape(similar.shape)
        weights, theirs = self._weights_of(query.terms), self._weights_of(met)
        values = np.zeros(len(table))
        for row in range(len(table)):
            members = places[table.starts[row] : table.starts[row + 1]]
            if len(members) and len(own):
                values[row] = self._value(similar[members], opposed[members], theirs[members], weights)
        return values

    def _value(self, similar: Doubles, opposed: Bools, theirs: Doubles, own: Doubles) -> float:
        best = [similar.max(axis=1), similar.max(axis=0)]
        rows, columns = similar.argmax(axis=1), similar.argmax(axis=0)
        wrong = [opposed[np.arange(len(rows)), rows], opposed[columns, np.arange(len(columns))]]
        bad = [
            ((values < BAD) | antonym).astype(np.float64) for values, antonym in zip(best, wrong, strict=True)
        ]
        return penalised(best, bad, [theirs, own], self._penalty)
