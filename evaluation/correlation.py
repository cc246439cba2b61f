"""How well scores agree with gold: Pearson's r, bootstrap intervals, large errors, and where lists end."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from features.arrays import Doubles, Longs, Rows
from models.types import OFFICIAL, SimilarityType

LIMITS = (4, 3, 2)
"""Errors larger than these are counted (thesis, Table 6.4)."""

RESAMPLES = 2000
"""How often groups of pairs are drawn for a bootstrap interval."""

ALIKE = 2.5
"""Gold from here on is nearer to 3, related, than to 2, somewhat related."""

_FLAT = 1e-12


class Agreement(NamedTuple):
    """Scores against gold, by type.

    ``pearson`` is NaN where it is undefined, and ``undefined`` says why; then ``mean`` is NaN too.
    ``errors`` counts, for each of ``LIMITS``, the pairs with |gold - score| above it.
    """

    pairs: int
    pearson: dict[SimilarityType, float]
    mean: float
    undefined: dict[SimilarityType, str]
    errors: dict[int, dict[SimilarityType, int]]


def agreement(gold: Doubles, scores: Doubles, types: Iterable[SimilarityType] = OFFICIAL) -> Agreement:
    """Compare float64[pairs, types] with as many scores; without gold of a type a pair is left out of it.

    >>> gold = np.repeat([[0.0], [2.0], [4.0]], 8, axis=1)
    >>> result = agreement(gold, np.column_stack([gold[:, :7] / 2, [4.5, 4.5, 4.5]]))
    >>> result.pearson["general"], result.pearson["description"], result.mean
    (1.0, nan, nan)
    >>> result.undefined["description"]
    'every score of the system is 4.5'
    >>> [result.errors[limit]["description"] for limit in LIMITS]  # off by 4.5, 2.5 and .5
    [1, 1, 2]
    """
    columns = [(kind, *known(own, given)) for kind, own, given in zip(types, gold.T, scores.T, strict=True)]
    r = {kind: pearson(own, given) for kind, own, given in columns}
    reasons = {kind: _reason(own, given) for kind, own, given in columns}
    errors = {
        limit: {kind: int(np.count_nonzero(np.abs(own - given) > limit)) for kind, own, given in columns}
        for limit in LIMITS
    }
    undefined = {kind: reason for kind, reason in reasons.items() if reason}
    return Agreement(len(gold), r, unweighted_mean(list(r.values())), undefined, errors)


def known(one: Doubles, two: Doubles) -> tuple[Doubles, Doubles]:
    """Two columns without the places where one of them is NaN, as gold is that nobody gave.

    >>> [side.tolist() for side in known(np.array([1.0, np.nan, 3.0]), np.array([4.0, 5.0, 6.0]))]
    [[1.0, 3.0], [4.0, 6.0]]
    """
    both = ~(np.isnan(one) | np.isnan(two))
    return one[both], two[both]


def pearson(one: Doubles, two: Doubles) -> float:
    """Pearson's r; NaN where a side does not vary or there are fewer than two values.

    >>> round(pearson(np.array([1.0, 2.0, 3.0]), np.array([1.0, 3.0, 2.0])), 4)  # cov 1/2 of 1 * 1
    0.5
    >>> pearson(np.array([1.0, 2.0]), np.array([0.1 + 0.2, 0.3]))  # but for rounding one value
    nan
    """
    if _is_constant(one) or _is_constant(two):
        return float("nan")
    a, b = one - one.mean(), two - two.mean()
    return float(np.clip(a @ b / np.sqrt((a @ a) * (b @ b)), -1.0, 1.0))


def unweighted_mean(values: list[float]) -> float:
    """Mean of the types, each counting the same (thesis 6.3.5); NaN as soon as one is NaN."""
    return float(np.mean(values)) if values else float("nan")


def defined_mean(values: Iterable[float]) -> float:
    """The mean of what is defined; NaN for nothing.

    >>> defined_mean([1.0, float("nan"), 2.0])
    1.5
    """
    defined = [value for value in values if not np.isnan(value)]
    return float(np.mean(defined)) if defined else float("nan")


def _is_constant(column: Doubles) -> bool:
    """Whether a column has fewer than two values or all are one, rounding errors aside."""
    return len(column) < 2 or bool(np.ptp(column) <= _FLAT * max(1.0, float(np.abs(column).max())))


def _reason(gold: Doubles, scores: Doubles) -> str:
    if len(gold) < 2:
        return "a correlation needs two pairs at least"
    if _is_constant(gold):
        return f"every gold score is {gold[0]:g}"
    return f"every score of the system is {scores[0]:g}" if _is_constant(scores) else ""


class Interval(NamedTuple):
    """Between these two lie 95 % of the resampled figures; NaN where none is defined."""

    low: float
    high: float


def resampled_means(gold: Doubles, scores: Doubles, group: Rows, seed: int) -> Doubles:
    """The mean over the columns of Pearson's r in each bootstrap resample: float64[RESAMPLES].

    As :func:`resampled_pearson` over the resamples of :func:`group_counts`: two systems on the same pairs
    meet the same resamples, and may be subtracted. NaN where a correlation is undefined in a resample.
    """
    means: Doubles = resampled_pearson(gold, scores, group_counts(group, seed)).mean(axis=1)
    return means


def resampled_pearson(gold: Doubles, scores: Doubles, counts: Longs) -> Doubles:
    """Pearson's r of each column in each resample, float64[resamples, columns]; the scores stay.

    ``counts``, int[resamples, pairs], says how often each pair is in a resample.
    """
    # centred first: only rounding errors depend on it
    return weighted_pearson(_centred(gold), _centred(scores), counts)


def _centred(columns: Doubles) -> Doubles:
    number = np.maximum((~np.isnan(columns)).sum(axis=0), 1)
    centred: Doubles = columns - np.nansum(columns, axis=0) / number
    return centred


def group_counts(group: Rows, seed: int) -> Longs:
    """How often each pair is drawn in each resample, int[RESAMPLES, pairs], by the seed alone.

    Pairs that share a record are not independent. Whole groups, int[pairs] by ``fitting.labels``, are drawn
    with replacement, as many as there are.
    """
    _, position = np.unique(group, return_inverse=True)
    number = int(position.max()) + 1
    drawn = np.random.default_rng(seed).multinomial(number, np.full(number, 1 / number), size=RESAMPLES)
    counts: Longs = drawn[:, position]
    return counts


def provider_counts(providers: Sequence[tuple[str, str]], seed: int) -> Longs:
    """The same where providers are drawn, as many as there are: what other collections would give.

    A pair of two records of one provider is there as often as that is drawn, one of two providers as often as
    the product of both.

    >>> counts = provider_counts([("a", "a"), ("a", "b"), ("b", "b")], 0)
    >>> sorted({tuple(row) for row in counts.tolist()})  # b twice, each once, a twice
    [(0, 0, 2), (1, 1, 1), (2, 0, 0)]
    """
    names = sorted({name for pair in providers for name in pair})
    place = {name: n for n, name in enumerate(names)}
    drawn = np.random.default_rng(seed).multinomial(
        len(names), np.full(len(names), 1 / len(names)), size=RESAMPLES
    )
    left = drawn[:, [place[name] for name, _ in providers]]
    right = drawn[:, [place[name] for _, name in providers]]
    inside = np.array([one == two for one, two in providers], dtype=bool)
    counts: Longs = np.where(inside, left, left * right)
    return counts


def weighted_pearson(one: Doubles, two: Doubles, counts: Longs | Doubles) -> Doubles:
    """Pearson's r of each column with pairs counted several times: float64[resamples, columns].

    ``one`` and ``two`` are float64[pairs, columns], ``counts`` int[resamples, pairs]. A pair that is NaN in a
    column does not count there.

    >>> one, two = np.array([[1.0], [2.0], [3.0]]), np.array([[1.0], [3.0], [2.0]])
    >>> weighted_pearson(one, two, np.array([[1, 1, 1], [1, 1, 0], [0, 2, 0]])).round(4).tolist()
    [[0.5], [1.0], [nan]]
    """
    weights = counts.astype(np.float64)
    present = ~(np.isnan(one) | np.isnan(two))
    one, two = np.where(present, one, 0.0), np.where(present, two, 0.0)
    with np.errstate(invalid="ignore", divide="ignore"):
        total = weights @ present.astype(np.float64)
        mean_one, mean_two = weights @ one / total, weights @ two / total
        covariance = weights @ (one * two) / total - mean_one * mean_two
        variance_one = weights @ one**2 / total - mean_one**2
        variance_two = weights @ two**2 / total - mean_two**2
        r = covariance / np.sqrt(variance_one * variance_two)
    return np.where((variance_one > _FLAT) & (variance_two > _FLAT), np.clip(r, -1.0, 1.0), np.nan)


def interval(resampled: Doubles) -> Interval:
    """The middle 95 % of resampled figures; a resample in which the figure is undefined is left out.

    >>> interval(np.arange(0.0, 101.0)), interval(np.array([np.nan]))
    (Interval(low=2.5, high=97.5), Interval(low=nan, high=nan))
    """
    known = resampled[~np.isnan(resampled)]
    return Interval(*np.percentile(known, (2.5, 97.5)).tolist() if len(known) else (np.nan, np.nan))


def floors(gold: Doubles, scores: Doubles, types: Iterable[SimilarityType]) -> dict[SimilarityType, float]:
    """For each type the score at which a list should end, since most pairs below it are not alike.

    At it the fewest pairs stand on the wrong side; of equally good scores it is the lowest, in steps of .05.
    ``gold`` and ``scores`` are float64[pairs, types]; a pair of score 0, which ends every list, is left out.

    >>> scores = np.array([[1.0], [1.5], [2.2], [3.0]])
    >>> floors(np.array([[0.0], [1.0], [3.0], [4.0]]), scores, ("time",))
    {'time': 1.55}
    """
    grid = np.arange(0.0, 5.0, 0.05)
    best = {}
    for kind, column, column_scores in zip(types, gold.T, scores.T, strict=True):
        own, given = known(column, column_scores)
        alike, listed = own[given > 0] >= ALIKE, given[given > 0]
        wrong = [np.count_nonzero((listed >= floor) != alike) for floor in grid]
        best[kind] = round(float(grid[int(np.argmin(wrong))]), 2)
    return best
