"""Forward selection: block by block it is the ridge regression that training does."""

import numpy as np
import pytest

from evaluation.fitting import Division, folds, unseen
from evaluation.forward import Forward, SelectionTrials, blocks
from features.arrays import Bools, Doubles
from models.regressors.additive import AdditiveSettings
from models.types import OFFICIAL

KNOTS, WIDTH, RIDGE = 5, 0.35, 2.0


@pytest.fixture
def values() -> Doubles:
    """Eighty pairs and six features, one of two values only, a fifth of the values not known."""
    rng = np.random.default_rng(3)
    values = rng.random((80, 6))
    values[:, 3] = values[:, 3] > 0.5
    values[rng.random(values.shape) < 0.2] = np.nan
    return values


@pytest.fixture
def gold(values: Doubles) -> Doubles:
    """Gold inside the scale, so that no score is clipped and no pair is beyond it."""
    noise = np.random.default_rng(4).normal(size=80) * 0.2
    gold: Doubles = 2 + np.nan_to_num(values[:, 0]) + np.nan_to_num(values[:, 1]) ** 2 / 2 + noise
    return gold


def settings(names: tuple[str, ...]) -> AdditiveSettings:
    return AdditiveSettings(
        title="t",
        regressor="additive",
        own=dict.fromkeys(OFFICIAL, names),
        knots=KNOTS,
        width=WIDTH,
        ridge=RIDGE,
        ridge_of="each",
    )


def test_the_terms_are_those_of_the_additive_regressor(values: Doubles, gold: Doubles) -> None:
    everything = np.arange(80)
    trials = SelectionTrials(blocks(values, KNOTS, WIDTH), [[Division("all", everything, everything)]])
    forward = Forward(trials, gold, np.full(80, True), RIDGE)
    for feature in (0, 3, 1):
        forward.add(feature)
    row = settings(("f0", "f3", "f1"))
    known = np.full((80, 8), True)
    shapes = row.fit(values[:, [0, 3, 1]], np.repeat(gold[:, np.newaxis], 8, axis=1), known, OFFICIAL)
    expected = shapes.raw(values[:, [0, 3, 1]])[:, 0]
    assert 0 < expected.min() < expected.max() < 5
    assert np.allclose(forward.raw, expected, atol=1e-9)


def refit(
    design: Doubles, gold: Doubles, known: Bools, divisions: list[Division], terms: list[int]
) -> Doubles:
    """The same by one regression of everything."""
    r = []
    for _, train, test in divisions:
        rows = train[known[train]]
        columns = design[:, terms].reshape(len(design), -1)
        base = gold[rows].mean()
        square = columns[rows].T @ columns[rows] + RIDGE * np.eye(columns.shape[1])
        weights = np.linalg.solve(square, columns[rows].T @ (gold[rows] - base))
        r.append(base + columns[test] @ weights)
    return np.concatenate(r)


def test_what_a_candidate_would_add_is_what_a_plain_refit_gives(values: Doubles, gold: Doubles) -> None:
    rng = np.random.default_rng(5)
    known = rng.random(80) < 0.9
    providers = [(str(name), str(name)) for name in rng.choice(["a", "b", "c"], 80)]
    ways = [folds(np.arange(80), 4, 0), unseen(providers)]
    design = blocks(values, KNOTS, WIDTH)
    trials = SelectionTrials(design, ways)
    forward, chosen = Forward(trials, gold, known, RIDGE), list[int]()
    for feature in (4, 0, 3):
        trial = forward.trial()
        for other in set(range(6)) - set(chosen):
            plain = refit(design, gold, known, trials.divisions, [*chosen, other])
            assert np.allclose(trial[:, other], plain, atol=1e-9)
        forward.add(feature)
        chosen.append(feature)
    last = refit(design, gold, known, trials.divisions, chosen)
    assert np.allclose(forward.raw, last, atol=1e-9)
    # pooled over the folds, then over the providers; what has nothing of the type is scored 0
    r = forward.agreement(forward.raw[:, np.newaxis])
    for way, pool in zip(r[:, 0], (slice(80), slice(80, 160)), strict=True):
        scores = np.where(known[trials.tested], last, 0.0)[pool]
        assert way == pytest.approx(np.corrcoef(gold[trials.tested][pool], scores)[0, 1])
