"""The predicted categories of one feature, in 8 bits (see :mod:`features.measures.subjects`)."""

from typing import TypeVar

import numpy as np

from features.arrays import Bytes, Doubles, Int8s
from features.knowledge.subjects.model import Subjects
from features.profiles.blocks import Block

_RARE = 0.002
"""Keeps the weight of a rare category within bounds."""

_WIDTH = 64
"""Numbers that a processor multiplies at once, or a few times as many."""


class Predictor:
    """Predicts the categories of a feature in 8 bits: always the same for a vector, in whatever company."""

    def __init__(self, model: Subjects, branches: tuple[str, ...], depth: int, *, highest: bool) -> None:
        self._whole = model
        columns = self._whole.columns(branches, depth)
        self._columns = list(self._whole.highest(columns) if highest else columns)
        self._model = self._whole.over(self._columns)
        self.categories = self._model.categories
        # squares of the weights as whole numbers: sums of them times predictions are exact in float64
        self.weights: Doubles = _padded(np.rint(1000 / (self._model.frequencies + _RARE)))

    def __call__(self, vectors: Int8s, block: Block) -> Bytes:
        """Predictions uint8[texts, categories] in 255ths for the vectors of a block; 0 for a vector of 0.

        Behind the categories stand zeros, up to a width that a processor multiplies without a rest. All
        features over a block share the work.
        """
        every = block.once(Predictor, lambda: _in_bytes(self._whole, vectors))
        return _padded(every[:, self._columns])

    def totals(self, compare: str, predictions: Bytes) -> Doubles:
        """What a row's predictions come to: the square of their length, their sum, or P."""
        numbers = predictions.astype(np.float64)
        if compare == "cosine":
            totals: Doubles = (numbers * numbers) @ self.weights
        elif compare == "overlap":
            totals = numbers.sum(axis=1)
        else:
            totals = _any(numbers / 255)
        return totals


_Numbers = TypeVar("_Numbers", Bytes, Doubles)


def _padded(numbers: _Numbers) -> _Numbers:
    """Numbers with zeros behind the last axis, up to a multiple of ``_WIDTH``.

    >>> _padded(np.ones(3)).shape
    (64,)
    """
    width = -numbers.shape[-1] % _WIDTH
    return np.pad(numbers, [(0, 0)] * (numbers.ndim - 1) + [(0, width)])


def _in_bytes(model: Subjects, vectors: Int8s) -> Bytes:
    found: Bytes = np.rint(np.nan_to_num(model.predict(vectors)) * 255).astype(np.uint8)
    return found


def _any(likely: Doubles) -> Doubles:
    """P that there is any of some categories, from how likely each is: float64[texts] of [texts, categories].

    >>> _any(np.array([[0.6, 0.8], [0.0, 0.25]])).round(2).tolist()  # 1 - .4 x .2, 1 - 1 x .75
    [0.92, 0.25]
    """
    absent = np.ones(len(likely))
    # one category after the other, so that a text has the same P among others as alone
    for column in (1 - likely).T:
        absent *= column
    return 1 - absent
