"""Shapes by an explainable boosting machine without interactions (Lou, Caruana & Gehrke 2012; interpret)."""

import warnings
from typing import Literal

import numpy as np
import numpy.typing as npt
from pydantic import Field

from models.shapes.base import ShapeSettings, Sum
from models.shapes.curves import FLAT, Curve
from models.types import Matrix


class EbmSettings(ShapeSettings):
    """Cyclic boosting of one feature at a time, averaged over bags: steps over quantile bins."""

    fit: Literal["ebm"] = Field(description="explainable boosting machine, no interactions")
    learning_rate: float = Field(0.04, gt=0, le=1, description="how far one round goes")
    rounds: int = Field(2000, ge=1, description="most rounds of boosting")
    patience: int = Field(100, ge=0, description="rounds without a gain on held-out pairs that end it")
    bins: int = Field(64, ge=2, description="most bins a feature")
    bags: int = Field(8, ge=1, description="models over different held-out pairs, averaged")
    samples: int = Field(4, ge=1, description="fewest pairs in a bin's side of a split")
    smoothing: int = Field(100, ge=0, description="first rounds that split at random, for smoothness")
    seed: int = Field(20130613, ge=0, description="of the bags")

    def learn(self, values: Matrix, gold: Matrix, rising: npt.NDArray[np.bool_]) -> Sum:
        """Fit the machine and read its bins and their scores."""
        from interpret.glassbox import ExplainableBoostingRegressor

        # a feature that never varies is no feature for the machine
        varied = np.array([len(np.unique(column)) > 1 for column in values.T], dtype=bool)
        if not varied.any() or np.ptp(gold) == 0:
            return Sum(float(gold.mean()), [FLAT] * values.shape[1])
        machine = ExplainableBoostingRegressor(
            feature_types=["continuous"] * int(varied.sum()),
            interactions=0,
            learning_rate=self.learning_rate,
            max_rounds=self.rounds,
            early_stopping_rounds=self.patience,
            max_bins=self.bins,
            outer_bags=self.bags,
            min_samples_leaf=self.samples,
            smoothing_rounds=self.smoothing,
            monotone_constraints=rising[varied].astype(int).tolist(),
            n_jobs=1,
            random_state=self.seed,
        )
        with warnings.catch_warnings():
            # that its own pictures leave missing values out concerns nobody here
            warnings.filterwarnings("ignore", message="Missing values detected")
            machine.fit(values[:, varied], gold)
        places = {term[0]: n for n, term in enumerate(machine.term_features_)}
        curves = iter(
            _curve(machine.bins_[n][0], machine.term_scores_[places[n]]) for n in range(int(varied.sum()))
        )
        return Sum(float(machine.intercept_), [next(curves) if own else FLAT for own in varied])


def _curve(cuts: Matrix, scores: Matrix) -> Curve:
    """The machine's first score is that of missing values, its last that of unknown ones.

    Its bins hold their lower cut, steps their upper edge: the edge is the number just below the cut.
    """
    return Curve(np.nextafter(np.asarray(cuts, np.float64), -np.inf), scores[1:-1].copy(), float(scores[0]))
