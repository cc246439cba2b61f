"""What each feature tells by itself: its correlation with the gold of every type (thesis, Table 6.1)."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from evaluation.correlation import pearson
from evaluation.scoring import FeatureTable
from features.arrays import Doubles
from models.types import SimilarityType


@dataclass(frozen=True, slots=True)
class Component:
    """A feature against the gold.

    ``pearson`` is over all pairs, a pair without information counting as 0; ``among_informed`` over
    the ``informed`` pairs alone. NaN where a side does not vary.
    """

    feature: str
    informed: int
    pearson: dict[SimilarityType, float]
    among_informed: dict[SimilarityType, float]


def components(table: FeatureTable, gold: Doubles, types: Iterable[SimilarityType]) -> list[Component]:
    """Every feature of a table against gold float64[pairs, types], in the table's order.

    >>> table = FeatureTable(("f",), np.array([[np.nan], [1.0], [0.5]]))
    >>> (found,) = components(table, np.array([[0.0], [2.0], [4.0]]), ["time"])
    >>> # 0, 1, .5 with 0, 2, 4: 1 / sqrt(.5 * 8); informed: 1, .5 with 2, 4
    >>> found.informed, round(found.pearson["time"], 4), found.among_informed["time"]
    (2, 0.5, -1.0)
    """
    found, kinds = [], tuple(types)
    for name, column in zip(table.names, table.values.T, strict=True):
        informed = ~np.isnan(column)
        filled = np.where(informed, column, 0.0)
        found.append(
            Component(
                feature=name,
                informed=int(informed.sum()),
                pearson={kind: pearson(filled, gold[:, n]) for n, kind in enumerate(kinds)},
                among_informed={
                    kind: pearson(column[informed], gold[informed, n]) for n, kind in enumerate(kinds)
                },
            )
        )
    return found
