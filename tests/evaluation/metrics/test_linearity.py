"""Tukey's ladder: it sees a curve, and none where there is none."""

import numpy as np
import pytest

from evaluation.correlation import pearson
from evaluation.metrics.genres import pearson_within
from evaluation.metrics.linearity import LADDER, ladder
from ingest.errors import UsageError

DRAW = np.random.default_rng(3)
GOLD = DRAW.uniform(0.5, 4, 200)


def test_the_rung_that_makes_a_line_is_the_best() -> None:
    curves = {"log": np.exp(GOLD), "square root": GOLD**2, "square": np.sqrt(GOLD)}
    for name, scores in curves.items():
        rungs = {rung.transformation: rung for rung in ladder(GOLD, scores + DRAW.normal(0, 0.01, 200))}
        assert rungs.keys() == LADDER.keys()
        best = max(rungs.values(), key=lambda rung: rung.r)
        assert best.transformation == name
        assert best.z > 0
        assert best.p < 0.01


def test_where_there_is_a_line_no_rung_is_better() -> None:
    # far from 0, where every rung is nearly a line
    for rung in ladder(GOLD, GOLD + 20 + DRAW.normal(0, 1, 200)):
        assert rung.p > 0.05
        assert rung.r == pytest.approx(pearson(GOLD, GOLD + DRAW.normal(0, 1, 200)), abs=0.1)


def test_what_has_no_logarithm_has_no_figure() -> None:
    log, root, square = ladder(np.array([1.0, 2.0, 3.0, 5.0]), np.array([0.0, 1.0, 3.0, 4.0]))
    assert np.isnan([log.r, log.z, log.p]).all()
    assert root.r < 1
    assert square.r < 1
    assert np.isnan(ladder(np.array([1.0, 2.0]), np.array([-1.0, 2.0]))[1].r)


def test_genres_of_a_set() -> None:
    genres = ["a", "b"] * 100
    within = pearson_within(GOLD, GOLD * 2, genres)
    assert within == {"a": pytest.approx(1), "b": pytest.approx(1)}
    assert np.isnan(pearson_within(GOLD[:3], GOLD[:3], ["a", "a", "b"])["b"])
    with pytest.raises(UsageError, match="name one for every pair"):
        pearson_within(GOLD, GOLD, ["a"])
