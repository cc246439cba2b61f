"""Settings are chosen from what is trained on alone, and the choice is right where the answer is known."""

import numpy as np
import pytest

from evaluation import fitting as fitting_module
from evaluation.fitting import INNER_FOLDS, fitting, folds, inner_means, labels, predict
from features.arrays import Doubles, Rows
from ingest.errors import PairsError
from models.regressors.linear import LinearSettings
from models.systems import System, SystemSettings, fit
from models.types import Types

ROW = LinearSettings(
    title="demo", regressor="linear", features=("known", "number"), select={"missing": (0, 0.5, 1)}
)


def _toy(pairs: int = 60) -> tuple[Doubles, Doubles, Rows]:
    """Gold is 5 times the first feature, 2.5 where it is unknown; the second is the pair's number."""
    rng = np.random.default_rng(7)
    known = rng.uniform(0, 1, pairs)
    gold = np.repeat(known[:, np.newaxis] * 5, 8, axis=1)
    unknown = np.arange(pairs) % 4 == 0
    known[unknown], gold[unknown] = np.nan, 2.5
    ids = [(f"a{n // 2}", f"b{n}") for n in range(pairs)]  # two pairs in a row share a record
    return np.column_stack([known, np.arange(pairs) / pairs]), gold, labels(ids)


def test_the_better_candidate_is_chosen() -> None:
    values, gold, group = _toy()
    fitted = fitting("demo", ROW)(values, gold, group, 5)
    assert fitted.chosen == {"missing": 0.5}
    assert isinstance(fitted.row, LinearSettings)
    assert fitted.row.missing == 0.5
    assert not fitted.row.select
    assert fitted.system.score(values) == pytest.approx(gold)
    means = inner_means("demo", ROW, values, gold, group, 5)
    assert means[1] == pytest.approx(1)
    assert max(means[0], means[2]) < 0.99


def test_the_first_of_equal_candidates_is_chosen() -> None:
    values, gold, group = _toy()
    values[:, 0] = np.nan_to_num(values[:, 0], nan=0.5)  # nothing is missing: what it counts as is the same
    assert fitting("demo", ROW)(values, gold, group, 5).chosen == {"missing": 0}


def test_nothing_is_chosen_where_there_is_no_choice() -> None:
    values, gold, group = _toy()
    plain = ROW.model_copy(update={"select": {}})
    fitted = fitting("demo", plain)(values, gold, group, 5)
    assert (fitted.chosen, fitted.row) == ({}, plain)


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> list[tuple[set[int], bool]]:
    """The numbers of the pairs that every fit saw, and whether it was the last: by the chosen row."""
    calls: list[tuple[set[int], bool]] = []

    def spy(name: str, settings: SystemSettings, values: Doubles, gold: Doubles, types: Types) -> System:
        calls.append(({round(number * 60) for number in values[:, 1]}, settings == CHOSEN))
        assert len(values) == len(gold)
        return fit(name, settings, values, gold, types)

    monkeypatch.setattr(fitting_module, "fit_chosen", spy)
    return calls


CHOSEN = ROW.model_copy(update={"select": {}, "missing": 0.5})


def test_a_choice_never_sees_what_tests_the_system(seen: list[tuple[set[int], bool]]) -> None:
    values, gold, group = _toy()
    for division in folds(group, 4, 5):
        seen.clear()
        train, test = set(division.train.tolist()), set(division.test.tolist())
        prediction = predict(
            fitting("demo", ROW), values, gold, group, [division], 5, np.zeros(len(gold), bool)
        )
        assert list(prediction.chosen.values()) == [{"missing": 0.5}]
        assert len(seen) == 3 * INNER_FOLDS + 1
        for pairs, _ in seen:
            assert pairs <= train
            assert not pairs & test
        *inner, (last, by_chosen) = seen
        assert last == train
        assert by_chosen
        # each inner fold leaves out whole groups, and all inner folds together leave out every pair once
        left_out = [train - pairs for pairs, _ in inner[:INNER_FOLDS]]
        assert sorted(row for rows in left_out for row in rows) == sorted(train)
        for rows in left_out:
            groups = {group[row] for row in rows}
            assert not groups & {group[row] for row in train - rows}


def test_gold_of_the_test_fold_changes_no_choice() -> None:
    values, gold, group = _toy()
    (division, *_) = folds(group, 4, 5)
    other = gold.copy()
    other[division.test] = 5 - other[division.test]
    before = predict(fitting("demo", ROW), values, gold, group, [division], 5, np.zeros(len(gold), bool))
    after = predict(fitting("demo", ROW), values, other, group, [division], 5, np.zeros(len(gold), bool))
    assert before.chosen == after.chosen
    assert np.array_equal(before.scores[division.test], after.scores[division.test])


def test_too_few_groups_to_choose_are_refused() -> None:
    values, gold, _ = _toy(4)
    with pytest.raises(PairsError, match="two groups that share no record"):
        fitting("demo", ROW)(values, gold, np.zeros(4, dtype=np.intp), 5)
