"""Annotators in doubt: who is left out, and the gold that the others make."""

import numpy as np
import pytest

from evaluation.annotators.controls import against_organisers, control_accuracy, mean_ratings, reliable
from ingest.errors import UsageError

NAN = float("nan")


def test_the_annotators_of_the_thesis() -> None:
    # thesis 3.3.1: .969 .935 .966 .910 .475 with the mean of the others: the last one is left out
    draw = np.random.default_rng(5)
    truth = draw.uniform(0, 5, 400)
    ratings = truth[:, np.newaxis] + draw.normal(0, [0.3, 0.5, 0.4, 0.6, 4.5], (400, 5))
    assert reliable(ratings).tolist() == [True, True, True, True, False]


def test_a_question_is_right_within_a_point() -> None:
    known = np.array([4.0, NAN, 2.0, 0.0])
    ratings = np.array([[5.0, 3.0, NAN], [0.0, 0.0, 0.0], [1.0, 3.01, NAN], [0.0, 2.0, 4.0]])
    # 5 1 0 all right; 3 right, 3.01 and 2 wrong; 4 wrong, the others not answered
    assert control_accuracy(ratings, known) == pytest.approx([1, 1 / 3, 0])
    assert control_accuracy(ratings, known, within=2.0) == pytest.approx([1, 1, 0])
    assert np.isnan(control_accuracy(ratings, np.full(4, NAN))).all()


def test_control_questions_leave_out_who_agrees_by_chance() -> None:
    ratings = np.repeat(np.array([[0.0], [1.0], [3.0], [5.0]]), 3, axis=1)
    ratings[:, 2] += 2  # agrees perfectly, and is too high
    assert reliable(ratings).all()
    assert reliable(ratings, np.array([0.0, NAN, 3.0, NAN])).tolist() == [True, True, False]


def test_the_organisers_are_one_more_annotator() -> None:
    known = np.array([0.0, 2.0, 4.0, NAN])
    ratings = np.array([[1.0, 4.0, 2.0], [2.0, 2.0, 2.0], [3.0, 0.0, 2.0], [0.0, 9.0, 5.0]])
    assert against_organisers(ratings, known)[:2] == pytest.approx([1, -1])
    assert np.isnan(against_organisers(ratings, known)[2])


def test_what_is_not_applicable_counts_as_the_others_have_it() -> None:
    ratings = np.array([[1.0, NAN, 3.0], [NAN, NAN, NAN], [5.0, 4.0, 0.0]])
    assert mean_ratings(ratings, np.ones(3, dtype=bool)) == pytest.approx([2, 0, 3])
    # thesis 5.4: the author of a pair is rated 2, 3, 3, 0 and 0
    assert mean_ratings(np.array([[2.0, 3.0, 3.0, 0.0, 0.0]]), np.ones(5, dtype=bool)) == pytest.approx([1.6])


def test_what_does_not_fit_together_is_refused() -> None:
    with pytest.raises(UsageError, match="known answer for every pair"):
        control_accuracy(np.ones((3, 2)), np.ones(2))
    with pytest.raises(UsageError, match="every annotator"):
        mean_ratings(np.ones((3, 2)), np.ones(3, dtype=bool))
