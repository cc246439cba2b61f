"""The Cube on the tasks: weights by grid search, and a regression over its layers (thesis 4.3.4, 4.4).

The similarities of the words of all pairs are computed once, layer by layer; a choice of weights and of a
threshold is then scored in milliseconds. The thesis searched a grid of weights for each family of data sets.
Here the sets that may teach a test set choose them, one layer after the other, until no change of one weight
by a tenth or of the threshold raises r.

Words are compared by their lemmas, marks left out. Of the eight layers that of Collobert and Weston is CBOW
vectors, and vectors and clusters are those that Kindred trains (``features/research/weights``).
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final, NamedTuple

import numpy as np

from evaluation.correlation import pearson
from evaluation.tasks.benching import Lessons, learnt_once
from evaluation.tasks.datasets import TextPairs
from evaluation.tasks.regressors import linear
from evaluation.tasks.texts import TextWord, WordPairs
from features.arrays import Bools, Doubles, Longs, Singles
from features.compiled import compiled
from features.measures.bags import idf
from features.research.word_measures import WordMeasure, WordMeasureName

LAYERS: Final[Mapping[WordMeasureName, float]] = {
    "cbow": 3.0,
    "vectors": 3.0,
    "walks": 1.0,
    "articles": 0.2,
    "numbers": 1.0,
    "clusters": 1.0,
    "clark": 1.0,
    "brown": 1.0,
}
"""The layers in the order of the thesis with the powers of their curves (Table 4.4)."""
_STEPS: Final = tuple(step / 10 for step in range(11))
_THRESHOLDS: Final = (0.0, 0.1, 0.2, 0.3)
_SWEEPS: Final = 4


class CubeWeights(NamedTuple):
    """What each layer counts, float64[layers], and the threshold of proportional subtraction."""

    alphas: Doubles
    threshold: float


@dataclass(frozen=True, slots=True, eq=False)
class CubeTables:
    """The words of pairs compared by every layer.

    The cells of pair p are ``starts[p]`` to ``starts[p + 1]``, row by row of its ``sizes[p]``; ``values``
    float32[layers, cells] are the similarities behind their curves, and ``same`` bool[cells] says which are
    of a word with itself: 1 in every layer, whatever that counts. ``idfs`` are those of the words of all
    pairs, first of the left and then of the right side, from ``firsts[p]``.
    """

    starts: Longs
    sizes: Longs
    values: Singles
    same: Bools
    firsts: Longs
    idfs: Doubles

    def scores(self, weights: CubeWeights) -> Doubles:
        """The score of every pair, eq. 4.4; with a threshold by proportional subtraction, eq. 4.10."""
        return _scores(
            self.starts,
            self.sizes,
            self.values,
            self.same,
            self.firsts,
            self.idfs,
            weights.alphas.astype(np.float32),
            weights.threshold,
        )

    def layers(self) -> Doubles:
        """The score of every pair by every layer alone, float64[pairs, layers]."""
        alone = np.eye(len(self.values))
        return np.column_stack([self.scores(CubeWeights(row, 0.0)) for row in alone])


def cube_tables(pairs: WordPairs, layers: Mapping[WordMeasureName, tuple[WordMeasure, float]]) -> CubeTables:
    """All pairs by all layers, each a measure of words and the power of its curve.

    The rarity of a word is that among all texts of the pairs.
    """
    lemmas = [[_lemmas(text) for text in side] for side in (pairs.left, pairs.right)]
    rare = _rarities([*lemmas[0], *lemmas[1]])
    sizes = np.array([[len(text) for text in side] for side in lemmas], np.int64).T
    starts = np.concatenate([[0], np.cumsum(sizes[:, 0] * sizes[:, 1])])
    values = np.zeros((len(layers), starts[-1]), np.float32)
    for row, (measure, power) in enumerate(layers.values()):
        for place, (left, right) in enumerate(zip(*lemmas, strict=True)):
            if left and right:
                own = measure.of(left, right) ** power
                values[row, starts[place] : starts[place + 1]] = own.ravel()
    both = chain.from_iterable(zip(*lemmas, strict=True))
    idfs = np.array([rare[word] for text in both for word in text], np.float64)
    firsts = np.concatenate([[0], np.cumsum(sizes.sum(axis=1))])
    same = np.zeros(starts[-1], np.bool_)
    for place, (left, right) in enumerate(zip(*lemmas, strict=True)):
        same[starts[place] : starts[place + 1]] = [one == other for one in left for other in right]
    return CubeTables(starts, sizes, values, same, firsts, idfs)


def _lemmas(text: Sequence[TextWord]) -> list[str]:
    """The lemmas of a text, each once, without marks."""
    return list(dict.fromkeys(word.lemma.lower() for word in text if any(map(str.isalnum, word.lemma))))


def _rarities(texts: Sequence[Sequence[str]]) -> dict[str, float]:
    counts: dict[str, int] = {}
    for text in texts:
        for word in text:
            counts[word] = counts.get(word, 0) + 1
    weights = idf(len(texts), np.array(list(counts.values()), np.int32))
    return dict(zip(counts, weights.tolist(), strict=True))


@compiled
def _scores(
    starts: Longs,
    sizes: Longs,
    values: Singles,
    same: Bools,
    firsts: Longs,
    idfs: Doubles,
    alphas: Singles,
    threshold: float,
) -> Doubles:
    """Of every pair; 0 where a side has no word."""
    scores = np.zeros(len(sizes))
    for pair in range(len(sizes)):
        height, width = sizes[pair, 0], sizes[pair, 1]
        if height == 0 or width == 0:
            continue
        best = np.zeros(height + width)
        for i in range(height):
            for j in range(width):
                cell = starts[pair] + i * width + j
                most = np.float32(1.0 if same[cell] else 0.0)
                for layer in range(len(alphas)):
                    most = max(most, alphas[layer] * values[layer, cell])
                best[i] = max(best[i], most)
                best[height + j] = max(best[height + j], most)
        own = idfs[firsts[pair] : firsts[pair + 1]]
        if threshold > 0.0:
            positive, negative, above, below = 0.0, 0.0, 0.0, 0.0
            for k in range(height + width):
                if best[k] >= threshold:
                    positive += own[k] * best[k]
                    above += own[k]
                else:
                    negative += own[k] * (threshold - best[k])
                    below += own[k]
            value = (positive / above if above > 0.0 else 0.0) - (negative / below if below > 0.0 else 0.0)
            scores[pair] = max(0.0, value)
        else:
            left, right = own[:height], own[height:]
            there = (best[:height] * left).sum() / left.sum()
            back = (best[height:] * right).sum() / right.sum()
            scores[pair] = (there + back) / 2
    return scores


def grid_search(tables: Sequence[CubeTables], gold: Doubles) -> CubeWeights:
    """The weights and the threshold of highest r over some tables, layer by layer.

    >>> toy = CubeTables(
    ...     np.array([0, 1, 2, 3]), np.ones((3, 2), np.int64),
    ...     np.array([[0.9, 0.5, 0.1], [0.1, 0.9, 0.2]], np.float32),
    ...     np.zeros(3, np.bool_), np.array([0, 2, 4, 6]), np.ones(6))
    >>> weights = grid_search([toy], np.array([3.0, 2.0, 0.0]))  # the second layer misleads
    >>> bool(weights.alphas[0] > weights.alphas[1])
    True
    """

    def worth(weights: CubeWeights) -> float:
        r = pearson(gold, np.concatenate([table.scores(weights) for table in tables]))
        return -1.0 if np.isnan(r) else r

    best = CubeWeights(np.full(len(tables[0].values), 0.5), 0.0)
    highest = worth(best)
    for _ in range(_SWEEPS):
        before = highest
        for layer in range(-1, len(best.alphas)):
            for tried in _neighbours(best, layer):
                if (r := worth(tried)) > highest:
                    best, highest = tried, r
        if highest <= before:
            break
    return best


def _neighbours(weights: CubeWeights, layer: int) -> Iterator[CubeWeights]:
    """The same with every other weight of a layer; of layer -1 with every other threshold."""
    if layer < 0:
        yield from (weights._replace(threshold=threshold) for threshold in _THRESHOLDS)
    else:
        for step in _STEPS:
            alphas = weights.alphas.copy()
            alphas[layer] = step
            yield weights._replace(alphas=alphas)


class CubeModel(NamedTuple):
    """What lessons teach: the weights, and what scores the features of the regression."""

    weights: CubeWeights
    regression: Callable[[Doubles], Doubles]


class Cube:
    """The Cube over the sets of a task, each by what its lessons teach."""

    def __init__(
        self, tables: Mapping[str, CubeTables], thirty: Mapping[str, Doubles], lessons: Lessons
    ) -> None:
        """``tables`` and ``thirty``, the features of the regression, by the names of the sets."""
        self._tables, self._thirty = tables, thirty
        self._model = learnt_once(lessons, self._learnt)

    def scores(self, one: TextPairs) -> Doubles:
        """By the weights alone."""
        return self._tables[one.name].scores(self._model(one).weights)

    def regression(self, one: TextPairs) -> Doubles:
        """By a linear regression over the score, the scores of single layers, and the thirty features."""
        model = self._model(one)
        return model.regression(self._features(one.name, model.weights))

    def _learnt(self, names: list[str], gold: Doubles) -> CubeModel:
        weights = grid_search([self._tables[name] for name in names], gold)
        rows = np.vstack([self._features(name, weights) for name in names])
        return CubeModel(weights, linear(rows, gold))

    def _features(self, name: str, weights: CubeWeights) -> Doubles:
        table = self._tables[name]
        return np.column_stack([table.scores(weights), table.layers(), self._thirty[name]])
