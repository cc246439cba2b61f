"""Scores as a decision: which pairs are not alike, which are, and how often gold and scores agree on it."""

from typing import NamedTuple

import numpy as np

from evaluation.metrics.correlation import require_pairs
from evaluation.metrics.means import harmonic_mean
from features.arrays import Bools, Doubles

LOW = 1.5
"""Below it, of 5, a pair has a low similarity (Beyer 3.1.2)."""

HIGH = 3.5
"""Above it, of 5, a pair has a high similarity (Beyer 3.1.2)."""


class Decision(NamedTuple):
    """How well a class is recognised.

    ``precision`` and ``recall`` are 0 where nothing is, or should be, in the class, and so is ``f1``,
    unless the class is empty on both sides: then there is nothing to judge, and the three are NaN.
    """

    precision: float
    recall: float
    f1: float
    accuracy: float


class ClassMetrics(NamedTuple):
    """The decisions on low and on high similarity and their means (Beyer 3.1.2)."""

    low: Decision
    high: Decision
    accuracy_macro: float
    accuracy_hmean: float
    f1_macro: float
    f1_hmean: float


def decision(actual: Bools, predicted: Bools) -> Decision:
    """Precision, recall, F1 and accuracy of a class (Beyer 2.3.2.2).

    >>> actual, predicted = np.array([True, True, False, False]), np.array([True, False, False, True])
    >>> decision(actual, predicted)  # one hit of two named, of two there are; two of four are right
    Decision(precision=0.5, recall=0.5, f1=0.5, accuracy=0.5)
    """
    hits = int(np.count_nonzero(actual & predicted))
    positives, named = int(np.count_nonzero(actual)), int(np.count_nonzero(predicted))
    accuracy = float(np.mean(actual == predicted)) if len(actual) else float("nan")
    if not positives and not named:
        return Decision(float("nan"), float("nan"), float("nan"), accuracy)
    precision, recall = hits / named if named else 0.0, hits / positives if positives else 0.0
    return Decision(precision, recall, 2 * hits / (positives + named), accuracy)


def class_metrics(gold: Doubles, scores: Doubles, low: float = LOW, high: float = HIGH) -> ClassMetrics:
    """Acc_low, F1_low, Acc_high, F1_high, and of both their macro and harmonic means (Beyer 3.1.2).

    A score is of low similarity below ``low`` and of high similarity above ``high``; the text of the source
    has
    "below 3.5" for F1_high, a misprint. Scores on another scale than the gold are first ``scaled_to``.

    >>> gold, scores = np.array([0.0, 1.0, 4.0, 5.0]), np.array([1.0, 2.0, 3.0, 4.0])
    >>> metrics = class_metrics(gold, scores)
    >>> round(metrics.low.f1, 4), metrics.low.accuracy  # low: 1 hit, 1 named, 2 there are
    (0.6667, 0.75)
    >>> round(metrics.high.f1, 4), round(metrics.f1_hmean, 4)
    (0.6667, 0.6667)
    """
    require_pairs(gold, scores)
    lower, higher = decision(gold < low, scores < low), decision(gold > high, scores > high)
    return ClassMetrics(
        lower,
        higher,
        float(np.mean([lower.accuracy, higher.accuracy])),
        harmonic_mean(lower.accuracy, higher.accuracy),
        float(np.mean([lower.f1, higher.f1])),
        harmonic_mean(lower.f1, higher.f1),
    )


def scaled_to(gold: Doubles, scores: Doubles) -> Doubles:
    """Scores times the coefficient of their regression on the gold through the origin (Beyer 4.1).

    Scores that are all 0 stay 0.

    >>> scaled_to(np.array([0.0, 2.0, 4.0]), np.array([0.0, 0.5, 1.0])).tolist()  # (1 + 4) / (.25 + 1) = 4
    [0.0, 2.0, 4.0]
    """
    require_pairs(gold, scores)
    spread = float(scores @ scores)
    return scores * (float(gold @ scores) / spread) if spread > 0 else scores
