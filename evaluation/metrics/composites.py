"""Two metrics as one: the harmonic mean, which is high only where both are."""

from collections.abc import Sequence

from evaluation.correlation import pearson
from evaluation.metrics.classes import class_metrics
from evaluation.metrics.correlation import spearman
from evaluation.metrics.means import harmonic_mean
from evaluation.metrics.ranking import CUTS, mean_ncg
from features.arrays import Doubles


def f1_hmean(gold: Doubles, scores: Doubles) -> float:
    """F1_hmean: the harmonic mean of F1_low and F1_high on a scale from 0 to 5 (Beyer 3.1.2).

    >>> import numpy as np
    >>> f1_hmean(np.array([0.0, 2.0, 5.0]), np.array([1.0, 1.0, 4.0]))  # F1 2/3 and 1: 2 * 2/3 / (5/3)
    0.8
    """
    return class_metrics(gold, scores).f1_hmean


def pearson_ncg_hmean(gold: Doubles, scores: Doubles, cuts: Sequence[int] = CUTS) -> float:
    """PCC_nCG_hmean: of the mean nCG@K and Pearson's r (Beyer 3.3).

    >>> import numpy as np
    >>> gold, scores = np.array([1.0, 2.0, 3.0]), np.array([1.0, 3.0, 2.0])
    >>> round(pearson_ncg_hmean(gold, scores, (1,)), 4)  # 2 / 3 and .5: 2 * 1 / 3 / (7 / 6)
    0.5714
    """
    return harmonic_mean(mean_ncg(gold, scores, cuts), pearson(gold, scores))


def spearman_ncg_hmean(gold: Doubles, scores: Doubles, cuts: Sequence[int] = CUTS) -> float:
    """SCC_nCG_hmean: of the mean nCG@K and Spearman's correlation (Beyer 3.3).

    >>> import numpy as np
    >>> gold, scores = np.array([1.0, 2.0, 3.0]), np.array([1.0, 30.0, 2.0])
    >>> round(spearman_ncg_hmean(gold, scores, (1,)), 4)  # 2 / 3 and .5
    0.5714
    """
    return harmonic_mean(mean_ncg(gold, scores, cuts), spearman(gold, scores))


def pearson_f1_hmean(gold: Doubles, scores: Doubles) -> float:
    """PCC_F1_hmean: of F1_hmean and Pearson's r (Beyer 3.3).

    >>> import numpy as np
    >>> pearson_f1_hmean(np.array([0.0, 2.0, 4.0]), np.array([0.0, 4.0, 2.0]))  # F1 high is 0
    0.0
    """
    return harmonic_mean(f1_hmean(gold, scores), pearson(gold, scores))


def spearman_f1_hmean(gold: Doubles, scores: Doubles) -> float:
    """SCC_F1_hmean: of F1_hmean and Spearman's correlation (Beyer 3.3).

    >>> import numpy as np
    >>> gold, scores = np.array([0.0, 2.0, 3.0, 4.0]), np.array([1.0, 3.0, 2.0, 5.0])
    >>> round(spearman_f1_hmean(gold, scores), 4)  # 1 and 1 - 6 * 2 / (4 * 15) = .8
    0.8889
    """
    return harmonic_mean(f1_hmean(gold, scores), spearman(gold, scores))
