"""Annotators whose work is in doubt: control questions, agreement with the others, and the gold of the rest.

Ratings are float64[pairs, annotators], NaN where an annotator did not rate a pair or chose *not applicable*.
"""

from typing import Final

import numpy as np

from evaluation.correlation import pearson
from evaluation.raters import LEAST_AGREEMENT, against_rest
from features.arrays import Bools, Doubles
from ingest.errors import UsageError

LEAST_ACCURACY: Final = 2 / 3
"""An annotator who answers fewer control questions rightly is stopped, and left out (thesis 5.3.3)."""

WITHIN: Final = 1.0
"""An answer is right that is no farther from the known one (SemEval-2014 task 10, 2.1)."""


def control_accuracy(ratings: Doubles, known: Doubles, within: float = WITHIN) -> Doubles:
    """The share of control questions that every annotator answers rightly: float64[annotators].

    ``known`` are the answers of the organisers float64[pairs], NaN for a pair that is no control question. A
    question that an annotator did not answer does not count. NaN for an annotator who answered none.

    >>> ratings = np.array([[5.0, 2.0, np.nan], [0.0, 1.0, np.nan], [3.0, 3.0, 3.0]])
    >>> control_accuracy(ratings, np.array([4.0, 0.5, np.nan])).tolist()  # 2 is not within 1 of 4
    [1.0, 0.5, nan]
    """
    answers, right = _controls(ratings, known)
    answered = ~np.isnan(answers)
    hits = (np.abs(np.where(answered, answers - right, np.inf)) <= within + 1e-9).sum(axis=0)
    number = answered.sum(axis=0)
    return np.where(number > 0, hits / np.maximum(number, 1), np.nan)


def against_organisers(ratings: Doubles, known: Doubles) -> Doubles:
    """Pearson's r of every annotator with the organisers over the control questions (SemEval-2012 task 6, 3).

    The source leaves out who has less than :data:`~evaluation.raters.LEAST_AGREEMENT`. NaN where a side does
    not vary over the questions that an annotator answered.

    >>> ratings = np.array([[5.0, 1.0], [3.0, 3.0], [1.0, 5.0]])
    >>> against_organisers(ratings, np.array([4.0, 3.0, 2.0])).round(4).tolist()
    [1.0, -1.0]
    """
    answers, right = _controls(ratings, known)
    answered = ~np.isnan(answers)
    columns = zip(answers.T, answered.T, strict=True)
    return np.array([pearson(own[there], right[there, 0]) for own, there in columns])


def reliable(ratings: Doubles, known: Doubles | None = None) -> Bools:
    """The annotators whose ratings count: bool[annotators].

    Each needs :data:`~evaluation.raters.LEAST_AGREEMENT` with the mean of the others (thesis 3.3.1), and with
    control questions :data:`LEAST_ACCURACY` in them (thesis 5.3.3). Who rated too little to be judged, or
    answered no control question, counts.

    >>> ratings = np.array([[0, 1, 0, 5], [2, 2, 3, 3], [4, 5, 4, 0], [5, 4, 5, 1]], dtype=float)
    >>> reliable(ratings).tolist()  # the fourth is the other way round
    [True, True, True, False]
    """
    doubtful = against_rest(ratings) < LEAST_AGREEMENT
    if known is not None:
        doubtful |= control_accuracy(ratings, known) < LEAST_ACCURACY
    return ~doubtful


def mean_ratings(ratings: Doubles, counted: Bools) -> Doubles:
    """The gold: of every pair the mean of those who count, float64[pairs]; 0 where none of them rated it.

    So the gold of typed similarity was made (thesis 5.3.3): *not applicable* is replaced by the mean of the
    others, or by 0 where there are no others.

    >>> ratings = np.array([[2.0, 3.0, 5.0], [np.nan, 4.0, 0.0], [np.nan, np.nan, 1.0]])
    >>> mean_ratings(ratings, np.array([True, True, False])).tolist()
    [2.5, 4.0, 0.0]
    """
    if counted.shape != ratings.shape[1:]:
        raise UsageError("say of every annotator whether their ratings count: one value for each")
    own = ratings[:, counted]
    rated = ~np.isnan(own)
    means: Doubles = np.where(rated, own, 0.0).sum(axis=1) / np.maximum(rated.sum(axis=1), 1)
    return means


def _controls(ratings: Doubles, known: Doubles) -> tuple[Doubles, Doubles]:
    """The ratings of the control questions, and their answers float64[questions, 1]."""
    if ratings.ndim != 2 or known.shape != ratings.shape[:1]:
        raise UsageError("give a known answer for every pair that is rated, and NaN for those that have none")
    there = ~np.isnan(known)
    return ratings[there], known[there, np.newaxis]
