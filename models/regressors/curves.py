"""Curves: lines between knots on the scale of a feature's values.

A generalised additive model is ``raw = base + sum over the features of shape(value)``, with one
shape for each feature and type and a value of its own for no information (NaN).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from features.arrays import Array, Bools, Doubles, Rows
from ingest.errors import DamagedArtefact
from models.regressors.base import AdditiveRegressor, Polyline, fitting

_STRAIGHT = 1e-12
"""Two lines whose slopes differ by less are one: heights that were added up differ by as much."""


class Curve(NamedTuple):
    """One feature's curve for one type: a height at every knot; the outer ones hold beyond them."""

    grid: Doubles
    heights: Doubles
    missing: float

    def at_zero(self) -> float:
        """Its height where the feature is 0."""
        return float(np.interp(0.0, self.grid, self.heights))


@dataclass(frozen=True)
class Shapes(AdditiveRegressor):
    """Shape functions of all features and types, ready to score.

    ``grids[f]`` is float64[k], ascending knots, and ``heights[f]`` float64[k, types]; ``missing``
    float64[f, types] stands for NaN.

    >>> eight, knots = np.ones((1, 8)), np.array([0.0, 1.0])
    >>> curves = Shapes((knots,), (np.concatenate([0 * eight, 2 * eight]),), eight, np.zeros(8))
    >>> curves.raw(np.array([[0.25], [3.0], [np.nan]]))[:, 0].tolist()
    [0.5, 2.0, 1.0]
    """

    grids: tuple[Doubles, ...]
    heights: tuple[Doubles, ...]
    missing: Doubles
    base: Doubles

    def __post_init__(self) -> None:
        types = len(self.base)
        fitting(self.missing, len(self.grids), types)
        if len(self.heights) != len(self.grids):
            raise DamagedArtefact(f"{len(self.grids)} grids do not fit {len(self.heights)} shapes")
        for grid, heights in zip(self.grids, self.heights, strict=True):
            fitting(heights, len(grid), types)
            if len(grid) < 2 or not (np.diff(grid) > 0).all():
                raise DamagedArtefact("the knots of a curve do not ascend, or are less than two")

    @property
    def width(self) -> int:
        """How many features it sees."""
        return len(self.grids)

    def term(self, feature: int, values: Doubles, types: slice = slice(None)) -> Doubles:
        """The shape's height at each value."""
        known = ~np.isnan(values)
        at = np.where(known, values, 0.0)
        grid, heights = self.grids[feature], self.heights[feature][:, types]
        left = np.clip(np.searchsorted(grid, at) - 1, 0, len(grid) - 2)
        part = np.clip((at - grid[left]) / (grid[left + 1] - grid[left]), 0.0, 1.0)[..., np.newaxis]
        terms = heights[left] * (1.0 - part) + heights[left + 1] * part
        return np.where(known[..., np.newaxis], terms, self.missing[feature, types])

    def terms(self, values: Doubles) -> Doubles:
        """Every feature's height at its value, all at once: for some pairs, not for a whole collection."""
        known = ~np.isnan(values)
        at = np.where(known, values, 0.0)
        lengths, grids, heights = self._table
        features = np.arange(self.width)
        left = np.clip((grids < at[..., np.newaxis]).sum(axis=-1) - 1, 0, lengths - 2)
        start, end = grids[features, left], grids[features, left + 1]
        part = np.clip((at - start) / (end - start), 0.0, 1.0)[..., np.newaxis]
        terms = heights[features, left] * (1.0 - part) + heights[features, left + 1] * part
        return np.where(known[..., np.newaxis], terms, self.missing)

    def line(self, feature: int, at: int) -> Polyline:
        """The shape itself."""
        knots, heights = self.grids[feature], self.heights[feature][:, at]
        # the knots of all types lie in one grid; where this one's line does not bend it needs none
        bends = np.abs(np.diff(np.diff(heights) / np.diff(knots))) > _STRAIGHT
        own = np.concatenate(([True], bends, [True]))
        return Polyline(knots[own], np.ascontiguousarray(heights[own]), float(self.missing[feature, at]))

    @cached_property
    def _table(self) -> tuple[Rows, Doubles, Doubles]:
        """The lengths of the grids, and grids and heights as one array each, filled up to the longest."""
        lengths = np.array([len(grid) for grid in self.grids], dtype=np.intp)
        most = int(lengths.max(initial=0))
        grids = np.full((self.width, most), np.inf)
        heights = np.zeros((self.width, most, len(self.base)))
        for n, length in enumerate(lengths):
            grids[n, :length], heights[n, :length] = self.grids[n], self.heights[n]
        return lengths, grids, heights

    @property
    def active(self) -> Bools:
        """Where a shape, or its value for no information, is not 0 throughout."""
        moved = [(heights != 0).any(axis=0) for heights in self.heights]
        active: Bools = np.array(moved, bool).reshape(-1, len(self.base)) | (self.missing != 0)
        return active

    def arrays(self) -> dict[str, Array]:
        """Grids and heights laid end to end, and the length of each grid."""
        return {
            "grids": np.concatenate([*self.grids, np.zeros(0)]),
            "lengths": np.array([len(grid) for grid in self.grids], dtype=np.int32),
            "heights": np.concatenate([*self.heights, np.zeros((0, len(self.base)))]),
            "missing": self.missing,
            "base": self.base,
        }


def joined(curves: Sequence[Sequence[Curve]], base: Doubles) -> Shapes:
    """The curves of some types, ``curves[type][feature]``, over knots that all types share.

    Every shape is shifted to be 0 where the feature is 0, and the base by as much the other way.
    """
    base = base.copy()
    grids, heights, missing = [], [], []
    for own in zip(*curves, strict=True):
        grid = np.unique(np.concatenate([curve.grid for curve in own]))
        shared = np.stack([np.interp(grid, curve.grid, curve.heights) for curve in own], axis=1)
        start = np.array([curve.at_zero() for curve in own])
        base += start
        grids.append(grid)
        heights.append(shared - start)
        missing.append(np.array([curve.missing for curve in own]) - start)
    return Shapes(tuple(grids), tuple(heights), np.array(missing).reshape(-1, len(base)), base)
