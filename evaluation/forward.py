"""Forward selection of the terms of one type: what each further term would add, all of them at once.

A term is a block of columns: ``design`` of a feature's :class:`~models.regressors.additive.SplineFeature`.
The model of some terms is the ridge regression of the gold, less its mean, on their columns together: the
kernel ridge of an additive system whose terms count the same. With ``A`` the matrix of its normal equations,
the prediction gains, by block elimination, from a further block ``c``

    (T_c - T A^-1 G_c) (G_cc + ridge - G_c' A^-1 G_c)^-1 (b_c - G_c' A^-1 b)

``G``, ``b`` and ``T`` being the products of columns with each other and with the gold over the pairs trained
on, and the columns of the pairs tested. ``A`` is kept as its Cholesky factor, block by block, so that a
candidate costs a system of equations of its own few columns, and choosing one of them as much again.
"""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from evaluation.fitting import Division
from features.arrays import Bools, Doubles
from models.regressors.additive import SplineFeature
from models.types import SCALE

_FLAT = 1e-12


def blocks(values: Doubles, knots: int, width: float) -> Doubles:
    """The columns of every feature, float64[pairs, features, knots + 1], 0 where it has fewer."""
    columns = np.zeros((*values.shape, knots + 1))
    for n, column in enumerate(values.T):
        design = SplineFeature.of(column, knots, width).design
        columns[:, n, : design.shape[1]] = design
    return columns


class SelectionTrials:
    """What the selections of all types share: columns of features, and divisions in one or more ways.

    ``design`` is float64[pairs, features, columns]. Tested pairs of all divisions lie one after the other:
    ``tested`` are their places among the pairs, ``slices`` those of a division, ``pools`` those of a way.
    """

    def __init__(self, design: Doubles, ways: Sequence[Sequence[Division]]) -> None:
        self.design = design
        self.divisions = [division for way in ways for division in way]
        self.tested = np.concatenate([division.test for division in self.divisions])
        self.slices = _slices([len(division.test) for division in self.divisions])
        self.pools = _slices([sum(len(division.test) for division in way) for way in ways])
        self.columns = design[self.tested]
        self._grams: dict[bytes, Doubles] = {}

    def trained(self, known: Bools) -> Doubles:
        """1 where a pair that is ``known`` is trained on in a division, float64[pairs, divisions]."""
        counted = np.zeros((len(known), len(self.divisions)))
        for n, division in enumerate(self.divisions):
            counted[division.train, n] = known[division.train]
        return counted

    def products(self, trained: Doubles, feature: int) -> Doubles:
        """Products of all columns with a feature's over training pairs: float64[divisions, all, columns]."""
        n, features, width = self.design.shape
        own = (trained[:, :, np.newaxis] * self.design[:, np.newaxis, feature]).reshape(n, -1)
        products = self.design.reshape(n, -1).T @ own
        return products.reshape(features * width, -1, width).swapaxes(0, 1)

    def grams(self, trained: Doubles) -> Doubles:
        """Products of the columns of each feature with themselves, float64[divisions, features, w, w]."""
        key = trained.tobytes()
        if key not in self._grams:
            n, features, width = self.design.shape
            grams = np.empty((trained.shape[1], features, width, width))
            for feature in range(features):
                own = self.design[:, feature]
                squares = (own[:, :, np.newaxis] * own[:, np.newaxis]).reshape(n, -1)
                grams[:, feature] = (trained.T @ squares).reshape(-1, width, width)
            self._grams[key] = grams
        return self._grams[key].copy()


class Forward:
    """The terms chosen so far for one type, and what each other one would add.

    ``gold`` is float64[pairs]. Pairs that are not ``known`` have nothing of the type: they are not trained
    on, and where they are tested their score is 0. ``ridge`` is the penalty of every column. ``raw``,
    float64[tested], are the scores of the tested pairs by the terms chosen so far, not clipped.
    """

    def __init__(self, trials: SelectionTrials, gold: Doubles, known: Bools, ridge: float) -> None:
        self._trials, self._ridge = trials, ridge
        # a type that no pair has anything of is learnt from all, as where it is trained
        self._trained = trials.trained(known if known.any() else np.ones_like(known))
        base = gold @ self._trained / np.maximum(self._trained.sum(axis=0), 1.0)
        n, features, width = trials.design.shape
        errors = self._trained * (gold[:, np.newaxis] - base)
        products = trials.design.reshape(n, -1).T @ errors
        self._cross = np.ascontiguousarray(products.T).reshape(-1, features, width)
        self._gram = trials.grams(self._trained)
        self._factor = np.zeros((len(base), features * width, 0))
        self._left = np.zeros((len(trials.tested), 0))
        lengths = [len(trials.tested[at]) for at in trials.slices]
        self.raw: Doubles = np.repeat(base, lengths)
        self._gold, self._inapplicable = gold[trials.tested], ~known[trials.tested]

    def add(self, feature: int) -> None:
        """Choose a term."""
        trials, width = self._trials, self._trials.design.shape[2]
        at = slice(feature * width, (feature + 1) * width)
        own = self._factor[:, at]
        left = trials.products(self._trained, feature) - self._factor @ own.swapaxes(1, 2)
        inverse = np.linalg.inv(np.linalg.cholesky(left[:, at] + self._ridge * np.eye(width)))
        fresh = left @ inverse.swapaxes(1, 2)
        pull = (inverse @ self._cross[:, feature, :, np.newaxis])[..., 0]
        shaped = fresh.reshape(*self._gram.shape)
        columns = np.empty((len(self.raw), width))
        for n, rows in enumerate(trials.slices):
            # column by column of what is left of the tested pairs' own columns
            columns[rows] = (trials.columns[rows, feature] - self._left[rows] @ own[n].T) @ inverse[n].T
            self.raw[rows] += columns[rows] @ pull[n]
        self._cross -= (shaped @ pull[:, np.newaxis, :, np.newaxis])[..., 0]
        self._gram -= shaped @ shaped.swapaxes(2, 3)
        self._factor = np.concatenate([self._factor, fresh], axis=2)
        self._left = np.hstack([self._left, columns])

    def trial(self) -> Doubles:
        """The scores of the tested pairs with each feature chosen besides, float64[tested, features]."""
        features, width = self._trials.design.shape[1:]
        known = self._gram + self._ridge * np.eye(width)
        weights = np.linalg.solve(known, self._cross[..., np.newaxis])[..., 0]
        scores = np.empty((len(self.raw), features))
        for n, rows in enumerate(self._trials.slices):
            chosen = (self._factor[n].reshape(features, width, -1) * weights[n, :, :, np.newaxis]).sum(axis=1)
            scores[rows] = np.einsum("rcw,cw->rc", self._trials.columns[rows], weights[n])
            scores[rows] -= self._left[rows] @ chosen.T
        scores += self.raw[:, np.newaxis]
        return scores

    @property
    def golds(self) -> list[Doubles]:
        """The gold of the tested pairs of each way."""
        return [self._gold[pool] for pool in self._trials.pools]

    def agreement(self, raw: Doubles) -> Doubles:
        """Pearson r with gold of scores float64[tested, n], over each way: float64[ways, n]; 0: undefined."""
        scores = np.clip(raw, *SCALE)
        scores[self._inapplicable] = 0.0
        return np.array([_pearson(self._gold[pool], scores[pool]) for pool in self._trials.pools])


def _pearson(gold: Doubles, scores: Doubles) -> Doubles:
    gold_off, scores_off = gold - gold.mean(), scores - scores.mean(axis=0)
    spread = np.sqrt((gold_off @ gold_off) * np.einsum("nc,nc->c", scores_off, scores_off))
    defined = spread > _FLAT
    r: Doubles = np.where(defined, gold_off @ scores_off / np.where(defined, spread, 1.0), 0.0)
    return r


def _slices(lengths: Sequence[int]) -> list[slice]:
    ends = np.cumsum([0, *lengths]).tolist()
    return [slice(start, end) for start, end in pairwise(ends)]
