"""Shapes by boosted trees of one split, folded exactly into steps (LightGBM)."""

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple, cast

import numpy as np
import numpy.typing as npt
from pydantic import Field

from models.shapes.base import ShapeSettings, Sum
from models.shapes.curves import Curve
from models.types import Matrix


class StumpSettings(ShapeSettings):
    """Gradient boosting of stumps: the sum of those that split one feature is a step function of it."""

    fit: Literal["stumps"] = Field(description="boosted trees of one split")
    learning_rate: float = Field(0.05, gt=0, le=1, description="how far one round goes")
    rounds: int = Field(600, ge=1, description="trees a type")
    bins: int = Field(64, ge=2, description="most bins a feature")
    samples: int = Field(20, ge=1, description="fewest pairs on a side of a split")
    l2: float = Field(1.0, ge=0, description="ridge on the leaves")
    bagging: float = Field(0.8, gt=0, le=1, description="part of the pairs that a tree sees")
    columns: float = Field(0.5, gt=0, le=1, description="part of the features that a tree sees")
    seed: int = Field(20130613, ge=0, description="of both parts")

    def learn(self, values: Matrix, gold: Matrix, rising: npt.NDArray[np.bool_]) -> Sum:
        """Boost the stumps and add up those of each feature."""
        import lightgbm

        booster = lightgbm.train(
            self._parameters(rising),
            lightgbm.Dataset(values, gold, params={"verbosity": -1, "max_bin": self.bins}),
            num_boost_round=self.rounds,
        )
        return folded(booster.dump_model(), values.shape[1])

    def _parameters(self, rising: npt.NDArray[np.bool_]) -> dict[str, object]:
        return {
            "objective": "regression",
            "num_leaves": 2,
            "learning_rate": self.learning_rate,
            "max_bin": self.bins,
            "min_data_in_leaf": self.samples,
            "lambda_l2": self.l2,
            "bagging_fraction": self.bagging,
            "bagging_freq": 1,
            "feature_fraction": self.columns,
            "monotone_constraints": rising.astype(int).tolist(),
            "seed": self.seed,
            "deterministic": True,
            "force_row_wise": True,
            "num_threads": 1,
            "verbosity": -1,
        }


class _Stump(NamedTuple):
    threshold: float
    below: float
    above: float
    missing: float


def folded(model: Mapping[str, object], features: int) -> Sum:
    """The sum of all stumps of a dumped LightGBM model as one curve a feature."""
    base = 0.0
    stumps: list[list[_Stump]] = [[] for _ in range(features)]
    for tree in cast("list[dict[str, Any]]", model["tree_info"]):
        root = tree["tree_structure"]
        if "split_feature" not in root:
            base += root["leaf_value"]
            continue
        stumps[root["split_feature"]].append(_stump(root))
    return Sum(base, [_curve(own) for own in stumps])


def _stump(root: Mapping[str, Any]) -> _Stump:
    below, above = root["left_child"]["leaf_value"], root["right_child"]["leaf_value"]
    threshold = root["threshold"]
    # where no value was missing in training LightGBM reads one as 0
    left = root["default_left"] if root["missing_type"] == "NaN" else threshold >= 0.0
    return _Stump(threshold, below, above, below if left else above)


def _curve(stumps: list[_Stump]) -> Curve:
    grid = np.unique([stump.threshold for stump in stumps])
    heights = np.full(len(grid) + 1, sum(stump.below for stump in stumps))
    for stump in stumps:
        heights[np.searchsorted(grid, stump.threshold) + 1 :] += stump.above - stump.below
    return Curve(grid, heights, float(sum(stump.missing for stump in stumps)))
