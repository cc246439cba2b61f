"""Correlations beyond Pearson's r in one set of pairs: by rank, over several sets, weighted by confidence."""

from collections.abc import Sequence

import numpy as np
from scipy.stats import rankdata

from evaluation.correlation import pearson, weighted_pearson
from features.arrays import Doubles
from ingest.errors import UsageError


def require_pairs(gold: Doubles, scores: Doubles) -> None:
    """Raise ``UsageError`` unless there is one score for every gold value, in one dimension and finite.

    >>> require_pairs(np.zeros(3), np.zeros(2))
    Traceback (most recent call last):
    ingest.errors.UsageError: gold has shape (3,) and scores (2,): give one score for every gold value
    """
    if gold.ndim != 1 or gold.shape != scores.shape:
        shapes = f"gold has shape {gold.shape} and scores {scores.shape}"
        raise UsageError(f"{shapes}: give one score for every gold value")
    if not (np.isfinite(gold).all() and np.isfinite(scores).all()):
        raise UsageError("a value is NaN or infinite: leave its pair out, or put a number in its place")


def spearman(gold: Doubles, scores: Doubles) -> float:
    """Spearman's rank correlation: Pearson's r of ranks, equal values with their mean rank (Beyer 2.3.2.1).

    Without equal values it is 1 - 6 sum(d^2) / (n (n^2 - 1)), which the source prints with a bracket in the
    wrong place. NaN where a side does not vary.

    >>> round(spearman(np.array([1.0, 2.0, 3.0]), np.array([1.0, 30.0, 2.0])), 4)  # 1 - 6 * 2 / (3 * 8)
    0.5
    """
    require_pairs(gold, scores)
    return pearson(rankdata(gold), rankdata(scores))


def pooled_pearson(gold: Sequence[Doubles], scores: Sequence[Doubles]) -> float:
    """ALL: Pearson's r over the pairs of several sets put together (SemEval-2012 Task 6).

    A system that places the scores of one set higher than those of another, against the gold, loses by it.

    >>> gold = [np.array([0.0, 1.0]), np.array([4.0, 5.0])]
    >>> round(pooled_pearson(gold, [np.array([4.0, 5.0]), np.array([0.0, 1.0])]), 4)  # -15 / 17
    -0.8824
    """
    _require_sets(gold, scores)
    return pearson(np.concatenate(gold), np.concatenate(scores))


def normalised_pooled_pearson(gold: Sequence[Doubles], scores: Sequence[Doubles]) -> float:
    """ALLnrm: as ALL, but a least-squares line in each set has fitted scores to gold (SemEval-2012 Task 6).

    The lines know the gold, so that a system without any merit has a high figure too, where the sets differ
    in their mean gold. Scores that do not vary become the mean gold of their set.

    >>> gold = [np.array([0.0, 1.0]), np.array([4.0, 5.0])]
    >>> normalised_pooled_pearson(gold, [np.array([4.0, 5.0]), np.array([0.0, 1.0])])
    1.0
    """
    _require_sets(gold, scores)
    fitted = [_line(own, given) for own, given in zip(gold, scores, strict=True)]
    return pearson(np.concatenate(gold), np.concatenate(fitted))


def mean_by_size(correlations: Sequence[float], sizes: Sequence[int]) -> float:
    """Mean: correlations of sets, each weighted by its number of pairs (SemEval-2012 Task 6).

    A correlation that is missing or undefined, NaN, counts 0, as in SemEval-2014 Task 10.

    >>> round(mean_by_size([0.8, 0.5, float("nan")], [200, 100, 100]), 4)  # (160 + 50 + 0) / 400
    0.525
    """
    if len(correlations) != len(sizes) or sum(sizes) <= 0:
        raise UsageError("a mean by size needs the number of pairs of every set, and one pair at least")
    return float(np.average(np.nan_to_num(correlations), weights=sizes))


def sum_of_correlations(correlations: Sequence[float]) -> float:
    """The sum by which SemEval-2014 Task 3 ranks systems; a type that a system leaves out, NaN, counts 0.

    >>> round(sum_of_correlations([0.845, 0.750, 0.305, float("nan")]), 3)  # RTM-DCU run 1: 1.900
    1.9
    """
    return float(np.nansum(correlations))


def confidence_pearson(gold: Doubles, scores: Doubles, confidence: Doubles) -> float:
    """Pearson's r with every pair weighted by the system's confidence in it (SemEval-2012 Task 6, *SEM 2013).

    The papers give no formula; it is r of the weighted means and covariances. A system that gives no pair
    any confidence is taken to be equally sure of all, as in *SEM 2013. NaN where a side does not vary
    among the pairs with a weight.

    >>> gold, scores = np.array([1.0, 2.0, 3.0]), np.array([1.0, 3.0, 2.0])
    >>> round(confidence_pearson(gold, scores, np.array([50.0, 50.0, 0.0])), 4)
    1.0
    """
    require_pairs(gold, scores)
    require_pairs(gold, confidence)
    if (confidence < 0).any():
        raise UsageError("a confidence is below 0: give every pair a number from 0 to 100")
    weights = confidence if confidence.any() else np.ones(len(gold))
    # each side has standard deviation 1: whether it varies must not depend on its scale
    one, two = (_standard(side, weights)[:, np.newaxis] for side in (gold, scores))
    return float(weighted_pearson(one, two, weights[np.newaxis])[0, 0])


def _standard(side: Doubles, weights: Doubles) -> Doubles:
    """The values less their weighted mean, by their largest distance from it."""
    centred: Doubles = side - np.average(side, weights=weights)
    largest = float(np.abs(centred).max())
    tiny = 1e-12 * max(1.0, float(np.abs(side).max()))
    return centred / largest if largest > tiny else np.zeros_like(centred)


def _require_sets(gold: Sequence[Doubles], scores: Sequence[Doubles]) -> None:
    if not gold or len(gold) != len(scores):
        raise UsageError("there must be scores for every set of gold, and one set at least")
    for own, given in zip(gold, scores, strict=True):
        require_pairs(own, given)


def _line(gold: Doubles, scores: Doubles) -> Doubles:
    """The scores moved by the line that fits the gold best."""
    centred = scores - scores.mean()
    spread = float(centred @ centred)
    slope = float(centred @ gold) / spread if spread > 0 else 0.0
    line: Doubles = gold.mean() + slope * centred
    return line
