"""The Cube: words compared by several resources at once (thesis, chapter 4).

Each *layer* is a measure of two words. Its similarities are bent by a curve (``power``, Table 4.4) and
weighted by alpha (``weight``), and the highest of all layers counts (eq. 4.4):

    sim(A, B) = 1/2 (sum over w in A of idf(w) max over layers d and words of B of alpha sim_d(w, B)
                     / sum over w in A of idf(w) + the same from B)

*Hierarchical* (4.3.3): a layer that is ``lower`` counts only between two words of which no other layer says
anything, which is 0 here. The *threshold* (4.3.2) parts the words of both sides into those whose best
similarity reaches it and the others; ``variant`` says how these are weighed against each other (Table 4.2).
Scores below 0 are 0.

Layers of the thesis that can't be had are trained on the texts of Kindred's word vectors
(:mod:`features.research.word_layers`): ``cbow`` stands for the vectors of Collobert and Weston, ``vectors``
and ``clusters`` for those of word2vec, and ``clark`` and ``brown`` for these clusters. Its embeddings of
walks over WordNet are the walks themselves (``walks``); ``articles`` are those that a word may name in the
Wikipedia that was built; numbers are as printed. Any other measure of words may be a layer.
"""

from collections.abc import Sequence
from typing import ClassVar, Final, Literal, get_args

import numpy as np
import pydantic
from pydantic import Field, field_validator

from features.arrays import Arrays, Doubles, Integers
from features.knowledge.resources import ResourceName, Resources
from features.measures.bags import ScopedSettings
from features.measures.base import Columns, Theme, distinct
from features.measures.overlap import TermWeighting
from features.measures.selections import ScopeReader
from features.research.measures.mihalcea import MihalceaBuilder, MihalceaColumn, WordRows
from features.research.word_measures import WordMeasure, WordMeasureName, needed_by, word_measure

Variant = Literal["none", "convert", "add", "positives", "negatives", "subtract", "proportional"]
VARIANTS: Final[tuple[Variant, ...]] = get_args(Variant)


class CubeLayer(pydantic.BaseModel, frozen=True, extra="forbid"):
    """One layer: a measure of words, its weight, its curve, and whether it stands on the lower level."""

    word: WordMeasureName = Field(description="the measure of two words, as of `mihalcea`")
    weight: float = Field(1.0, ge=0, le=1, description="alpha: what its similarities count")
    power: float = Field(1.0, gt=0, description="the curve: similarities are raised to this power")
    lower: bool = Field(False, description="whether it counts only where no other layer says anything")


class CubeSettings(ScopedSettings):
    """The Cube over one scope."""

    EXAMPLES = (
        {"layers": [{"word": "vectors", "weight": 0.6, "power": 3.0}, {"word": "numbers"}]},
        {
            "layers": [{"word": "wup"}, {"word": "vectors", "lower": True}],
            "threshold": 0.3,
            "variant": "proportional",
            "scope": {"form": "lemma"},
        },
    )
    cost: ClassVar[float] = 50.0
    theme: ClassVar[Theme] = "meaning"

    measure: Literal["cube"] = Field(description="words by several layers (thesis, chapter 4)")
    layers: tuple[CubeLayer, ...] = Field(
        min_length=1,
        description="the layers; of every two words the highest of them counts",
    )
    threshold: float = Field(0.0, ge=0, le=1, description="the similarity that a word has to reach")
    variant: Variant = Field(
        "none",
        description="what becomes of the words below the threshold (Table 4.2): `none`: there is no"
        " threshold; `convert`: they are 0; `add`: subtracted; `positives`, `negatives`: only those above, or"
        " below, count; `subtract`: their mean is subtracted; `proportional`: by how far they lie"
        " below, which the thesis chose",
    )
    weights: TermWeighting = Field(
        "idf",
        description="`none`: every term counts 1; `idf`: a term counts `ln(1 + N / df)`, rare ones more",
    )

    @field_validator("layers")
    @classmethod
    def _once(cls, layers: tuple[CubeLayer, ...]) -> tuple[CubeLayer, ...]:
        if len({layer.word for layer in layers}) < len(layers):
            raise ValueError("a measure of words stands in two layers; name each once")
        return layers

    @property
    def needs(self) -> tuple[ResourceName, ...]:
        """What the layers read, and what the scope is read with."""
        own = [name for layer in self.layers for name in needed_by(layer.word)]
        return tuple(dict.fromkeys((*own, *self.scope.needs)))

    def builder(self, resources: Resources) -> MihalceaBuilder:
        """An empty builder; raises ``ResourceMissing``."""
        return MihalceaBuilder(ScopeReader(self.scope, resources))

    def column(self, arrays: Arrays, resources: Resources, columns: Columns) -> "CubeColumn":
        """The column over stored arrays; raises ``ResourceMissing``."""
        measures = [word_measure(layer.word, resources) for layer in self.layers]
        return CubeColumn(self, ScopeReader(self.scope, resources), arrays, Layers(self.layers, measures))


class Layers:
    """Several measures of words as one: the highest of their weighted, bent similarities."""

    def __init__(self, layers: tuple[CubeLayer, ...], measures: list[WordMeasure]) -> None:
        self._layers = list(zip(layers, measures, strict=True))

    def of(self, words: Sequence[str], others: Sequence[str]) -> Doubles:
        """The similarities of all words with all others, float64[words, others]; of the same, 1.

        >>> class Toy:
        ...     def of(self, words, others):
        ...         return np.array([[0.5 if one != two else 1.0 for two in others] for one in words])
        >>> cube = Layers((CubeLayer(word="vectors", weight=0.8, power=2.0),), [Toy()])
        >>> cube.of(["sea"], ["ocean", "sea"]).round(2).tolist()  # .8 x .25
        [[0.2, 1.0]]
        """
        upper, lower = np.zeros((2, len(words), len(others)))
        for layer, measure in self._layers:
            values = layer.weight * measure.of(words, others) ** layer.power
            np.maximum(lower if layer.lower else upper, values, out=lower if layer.lower else upper)
        same = np.array([[word == other for other in others] for word in words], np.bool_)
        best: Doubles = np.where(upper > 0, upper, lower)
        best[same.reshape(best.shape)] = 1.0
        return best


def parted(best: Doubles, weights: Doubles, threshold: float, variant: Variant) -> float:
    """The score of the best similarities of all words of both sides, by a variant (eq. 4.6 to 4.11).

    Words of .9 and .2 that weigh 1 and 3, at .5: positive sum .9 of 1, negative .6 of 3.

    >>> best, weights = np.array([0.9, 0.2]), np.array([1.0, 3.0])
    >>> {name: round(parted(best, weights, 0.5, name), 4) for name in VARIANTS[1:]}
    {'convert': 0.225, 'add': 0.075, 'positives': 0.9, 'negatives': 0.2, 'subtract': 0.7, 'proportional': 0.6}
    """
    reached = best >= threshold
    positive, negative = float((best * weights)[reached].sum()), float((best * weights)[~reached].sum())
    above, below = float(weights[reached].sum()), float(weights[~reached].sum())
    apart = float((weights * np.abs(threshold - best))[~reached].sum())
    scores = {
        "none": _share(positive + negative, above + below),
        "convert": _share(positive, above + below),
        "add": _share(positive - negative, above + below),
        "positives": _share(positive, above),
        "negatives": _share(negative, below),
        "subtract": _share(positive, above) - _share(negative, below),
        "proportional": _share(positive, above) - _share(apart, below),
    }
    return min(1.0, max(0.0, scores[variant]))


def _share(part: float, whole: float) -> float:
    return part / whole if whole > 0 else 0.0


class CubeColumn(MihalceaColumn):
    """Scores of an item's words with those of others, by all layers."""

    def __init__(self, settings: CubeSettings, reader: ScopeReader, arrays: Arrays, layers: Layers) -> None:
        super().__init__(settings.weights, reader, arrays, layers)
        self._cube = settings

    def similarities(self, query: WordRows, table: WordRows) -> Doubles:
        """The mean of both directions, eq. 4.4, or what the threshold leaves of both."""
        if self._cube.variant == "none":
            return super().similarities(query, table)
        met, places = distinct(table.terms, int(table.terms.max(initial=-1)) + 1)
        similar = self._words.of(self._named(table, met), self._named(query, query.terms))
        own, theirs = self._weights_of(query.terms), self._weights_of(met)
        return np.array(
            [
                self._parted(similar, own, theirs, places[table.starts[row] : table.starts[row + 1]])
                for row in range(len(table))
            ]
        )

    def _parted(self, similar: Doubles, own: Doubles, theirs: Doubles, members: Integers) -> float:
        if not len(members) or not len(own):
            return 0.0
        values = similar[members]
        best = np.concatenate([values.max(axis=1), values.max(axis=0)])
        weights = np.concatenate([theirs[members], own])
        return parted(best, weights, self._cube.threshold, self._cube.variant)
