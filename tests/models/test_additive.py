import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize
from scipy.stats import percentileofscore
from sklearn.kernel_ridge import KernelRidge

from features.arrays import Doubles
from models.regressors.additive import AdditiveSettings
from models.systems import fit
from models.types import OFFICIAL
from tests.environment import tries
from tests.models.test_regressors import GOLD, NAMES, SCORED, VALUES, declared


def likeness(learnt: Doubles, left: Doubles, right: Doubles, knots: int, width: float) -> Doubles:
    """How alike values of one feature are, by the definition: float64[left, right]."""
    inside = learnt[~np.isnan(learnt)].round(4)
    grid = np.unique(np.quantile(inside, np.linspace(0, 1, knots)).round(4))
    places = np.array([percentileofscore(inside, knot, kind="mean") / 100 for knot in grid])
    between = np.exp(-(np.subtract.outer(places, places) ** 2) / (2 * width**2))
    hats = np.eye(len(grid))
    alike = np.zeros((len(left), len(right)))
    for i, a in enumerate(left):
        # linear in either value between the knots
        line = between @ np.array([np.interp(a, grid, hat) for hat in hats])
        alike[i] = np.where(np.isnan(right), 0.0, np.interp(right, grid, line))
        if np.isnan(a):
            alike[i] = np.isnan(right)
    return alike


def kernel(learnt: Doubles, scored: Doubles, shares: Doubles) -> Doubles:
    total = np.zeros((len(scored), len(learnt)))
    for f, share in enumerate(shares):
        total += share * likeness(learnt[:, f], scored[:, f], learnt[:, f], 5, 0.4)
    return total


def test_curves_score_as_kernel_ridge_regression_does() -> None:
    # c is own to location and common besides, f only its own; the last column says who has people
    settings = declared(
        "additive", own={"location": ["c", "f"]}, not_applicable={"people": "p"}, knots=5, width=0.4,
        ridge=0.3, common=0.1,
    )  # fmt: skip
    assert settings.needs == (*NAMES, "f", "p")
    numbers = np.random.default_rng(2)
    extra = np.where(numbers.random(len(VALUES)) < 0.5, np.nan, numbers.random(len(VALUES)))
    present = np.resize([0.0, 1.0, 0.5], len(VALUES))
    system = fit("s", settings, np.column_stack([VALUES, extra, present]), GOLD)
    values = np.column_stack([VALUES, extra])
    scored = np.column_stack([SCORED, np.resize([np.nan, 0.0, 0.3, 2.0, -1.0], len(SCORED))])
    scored = np.concatenate([values, scored])
    even = np.array([1, 1, 1, 1, 1, 0]) / 5
    rows = {OFFICIAL[2]: present > 0}
    weights = {OFFICIAL[4]: np.array([0.1, 0.1, 1, 0.1, 0.1, 1]) / 2.4}
    for n, kind in enumerate(OFFICIAL):
        learnt = values[rows.get(kind, present >= 0)]
        gold = GOLD[rows.get(kind, present >= 0), n]
        machine = KernelRidge(alpha=0.3, kernel="precomputed")
        shares = weights.get(kind, even)
        machine.fit(kernel(learnt, learnt, shares), gold - gold.mean())
        expected = gold.mean() + machine.predict(kernel(learnt, scored, shares))
        assert system.raw(scored)[:, n] == pytest.approx(expected, abs=1e-9)


def test_what_never_varied_or_was_never_known_is_a_flat_line() -> None:
    values = np.column_stack([VALUES[:, 0], np.full(len(VALUES), 0.5), np.full(len(VALUES), np.nan)])
    settings = declared("additive", features=["a", "b", "c"])
    additive = fit("s", settings, values, GOLD).additive
    assert additive is not None
    for n in (1, 2):
        heights = additive.term(n, np.linspace(-1, 2, 13))
        assert heights == pytest.approx(np.zeros((13, 8)), abs=1e-12)


def test_beside_those_of_a_type_another_feature_weighs_common() -> None:
    # a and b say the same, so that what is learnt is shared between them by their weights
    values = np.column_stack([VALUES[:, 1], VALUES[:, 1]])
    for common in (0.05, 1.0):
        settings = declared("additive", features=["a", "b"], own={"time": ["a"]}, common=common)
        additive = fit("s", settings, values, GOLD).additive
        assert additive is not None
        ours, theirs = (np.ptp(additive.term(n, np.linspace(0, 1, 11)), axis=0) for n in (0, 1))
        share = np.where(np.array(OFFICIAL) == "time", common, 1.0)
        assert theirs == pytest.approx(share * ours)


@tries(30)
@given(
    st.lists(st.sampled_from([0.0, 0.0632, 0.50005, 1.0]), min_size=1, max_size=3), st.integers(0, 2**32 - 1)
)
def test_the_last_digits_of_a_value_hardly_move_a_score(masses: list[float], seed: int) -> None:
    # most values are equal up to rounding, and the gold goes up with the last digit
    numbers = np.random.default_rng(seed)
    digits = numbers.integers(-3, 4, (200, 1)) * 10.0 ** -numbers.integers(8, 17, (200, 1))
    values = numbers.choice(masses, (200, 1)) + digits
    alone = numbers.random(len(values)) < 0.2
    values[alone] = numbers.random((int(alone.sum()), 1))
    gold = np.clip(2.5 + 2.5 * np.sign(digits) + numbers.normal(size=(200, 8)), 0, 5)
    system = fit("s", declared("additive", features=["a"], knots=9), values, gold)
    moved = np.abs(system.raw(values + 1e-9) - system.raw(values))
    # a curve spans the scale, 5, and its knots are 1e-4 apart at least: 5 / 1e-4 x 1e-9
    assert moved.max() < 5e-5


def test_terms_all_at_once_are_those_made_one_by_one() -> None:
    numbers = np.random.default_rng(5)
    values = numbers.random((40, 3))
    values[numbers.random(values.shape) < 0.3] = np.nan
    values[:, 2] = 0.5  # a feature that never varies
    settings = AdditiveSettings(title="t", regressor="additive", features=("a", "b", "c"), knots=5)
    curves = settings.fit(values, numbers.random((40, 8)) * 5, np.ones((40, 8), bool), OFFICIAL)
    scored = np.concatenate([values, [[-1.0, 2.0, np.nan], [0.0, 1.0, 0.5]]])
    apart = np.stack([curves.term(n, scored[:, n]) for n in range(3)], axis=1)
    assert (curves.terms(scored) == apart).all()
    assert (curves.terms(scored[0]) == apart[0]).all()
    assert curves.raw(np.repeat(scored, 9, axis=0))[::9] == pytest.approx(curves.raw(scored), abs=1e-12)


def test_a_pair_at_an_end_of_the_scale_may_be_beyond_it() -> None:
    # twenty values of one feature, gold 0 below the middle and 5 above but for the ones next to it
    values = np.linspace(0.0, 1.0, 20)[:, np.newaxis]
    gold = np.repeat([0.0, 1.0, 2.0, 5.0], (8, 3, 3, 6))
    settings = declared("additive", features=["a"], own={}, knots=5, width=0.4, ridge=0.3)
    likes = likeness(values[:, 0], values[:, 0], values[:, 0], 5, 0.4)

    def loss(pulls: Doubles) -> float:
        scores = gold.mean() + likes @ pulls
        errors = np.clip(scores, 0, 5) - gold
        # inside the scale clipping changes nothing: a pair beyond the other end is as wrong as it is far
        errors = np.where((gold > 0) & (gold < 5), scores - gold, errors)
        return float(errors @ errors + 0.3 * pulls @ likes @ pulls)

    best = minimize(loss, np.zeros(20), method="L-BFGS-B", options={"maxiter": 5000, "maxfun": 200000})
    raw = fit("s", settings, values, np.repeat(gold[:, np.newaxis], 8, axis=1)).raw(values)[:, 0]
    assert raw == pytest.approx(gold.mean() + likes @ best.x, abs=0.01)
    assert raw.min() < 0
    assert raw.max() > 5


def lean(**more: object) -> AdditiveSettings:
    """A row of which each type has one feature or two of its own, and none is common."""
    own = dict.fromkeys(OFFICIAL, ("a", "b")) | {"time": ("c",), "people": ("b",)}
    row = {"title": "t", "regressor": "additive", "own": own, "knots": 5}
    return AdditiveSettings.model_validate({**row, "not_applicable": {"people": "p"}, **more})


def test_types_of_nothing_but_their_own_features() -> None:
    settings = lean(ridge_of="each")
    assert settings.sees == ("a", "b", "c")
    assert settings.needs == ("a", "b", "c", "p")
    assert settings.columns("time").tolist() == [2]
    numbers = np.random.default_rng(3)
    values = np.column_stack([numbers.random((60, 3)), np.resize([1.0, 0.0], 60)])
    gold = np.repeat(5 * values[:, :1], 8, axis=1)
    gold[:, OFFICIAL.index("time")] = 5 * values[:, 2]
    system = fit("lean", settings, values, gold)
    additive = system.additive
    assert additive is not None
    moving = {kind: np.flatnonzero(additive.active[:, n]).tolist() for n, kind in enumerate(OFFICIAL)}
    assert moving["general"] == [0, 1]
    assert (moving["time"], moving["people"]) == ([2], [1])
    scores = system.score(values)
    assert (scores[1::2, OFFICIAL.index("people")] == 0).all()  # nothing of people is there


def test_a_penalty_is_of_all_terms_or_of_each() -> None:
    values = np.random.default_rng(4).random((40, 4))
    gold = np.repeat(1 + 3 * values[:, :1] * values[:, 1:2], 8, axis=1)
    each = fit("s", lean(ridge_of="each", ridge=0.6), values, gold).score(values)
    # of two terms that weigh a half each: half the kernel with half the penalty
    both = fit("s", lean(ridge=0.3), values, gold).score(values)
    assert each[:, 0] == pytest.approx(both[:, 0])
    alone = fit("s", lean(ridge=0.6), values, gold).score(values)
    at = OFFICIAL.index("people")  # one term
    assert each[:, at] == pytest.approx(alone[:, at])
