"""Whether a line is the right curve between scores and gold: Tukey's ladder of transformations."""

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

import numpy as np

from evaluation.correlation import pearson
from evaluation.metrics.correlation import require_pairs
from evaluation.significance import steiger_test
from features.arrays import Doubles


class Rung(NamedTuple):
    """A transformation, Pearson's r with it, and Steiger's Z and two-sided p against r without it."""

    transformation: str
    r: float
    z: float
    p: float


LADDER: Final[Mapping[str, Callable[[Doubles], Doubles]]] = {
    "log": np.log,
    "square root": np.sqrt,
    "square": np.square,
}
"""Name -> the transformation of one side, from that which bends most upwards on."""


def ladder(gold: Doubles, scores: Doubles) -> list[Rung]:
    """Pearson's r where the scores are transformed, and whether it is another than that of the scores.

    O'Shea et al. (2013, 4.1) test so whether Pearson's r, which knows lines alone, is the right metric: where
    no rung is significantly better, it is. To transform the gold, give it as the scores. The source's p are
    one-tailed. NaN for a logarithm of what is not above 0 and a root of what is below, and where r is 1, -1
    or undefined.

    >>> gold = np.array([1.0, 2.1, 2.9, 4.2, 5.0])
    >>> [(rung.transformation, round(rung.r, 3)) for rung in ladder(gold, gold**2)]
    [('log', 0.973), ('square root', 1.0), ('square', 0.915)]
    """
    require_pairs(gold, scores)
    plain = pearson(gold, scores)
    return [_rung(name, change, gold, scores, plain) for name, change in LADDER.items()]


def _rung(
    name: str, change: Callable[[Doubles], Doubles], gold: Doubles, scores: Doubles, plain: float
) -> Rung:
    undefined = float("nan")
    lowest = float(scores.min()) if len(scores) else undefined
    if not (lowest > 0 or name == "square" or (name == "square root" and lowest == 0)):
        return Rung(name, undefined, undefined, undefined)
    changed = change(scores)
    r = pearson(gold, changed)
    if len(gold) < 4 or not (abs(r) < 1 - 1e-12 and abs(plain) < 1 - 1e-12):
        return Rung(name, r, undefined, undefined)
    return Rung(name, r, *steiger_test(r, plain, pearson(scores, changed), len(gold)))
