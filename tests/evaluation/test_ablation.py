"""What a part is worth, on pairs where the answer is known."""

from itertools import product

import numpy as np
import pytest

from evaluation.comparison import ablate
from evaluation.results import EvaluationData, Task
from evaluation.typed import Pairs
from features.arrays import Doubles
from ingest.errors import UsageError
from ingest.record import Record
from models.regressors.linear import LinearSettings, OneSettings
from models.types import OFFICIAL
from service.sections import EvaluationSettings


def _task() -> Task:
    """Gold is 1 + a + 3 b; each of the four corners of (a, b) stands 40 times in each of three providers."""
    corners = list(product("xyz", (0.0, 1.0), (0.0, 1.0), range(40)))
    values: Doubles = np.array([[a, b, 0.5] for _, a, b, _ in corners])
    ids = [(f"{name}:{n}a", f"{name}:{n}b") for n, (name, *_) in enumerate(corners)]
    left, right = ([Record(id=pair[side]) for pair in ids] for side in (0, 1))
    gold = np.repeat((1 + values[:, 0] + 3 * values[:, 1])[:, np.newaxis], 8, axis=1)
    settings = LinearSettings(title="demo", regressor="linear", features=("a", "b", "idle"))
    grounds = EvaluationData(Pairs(ids, left, right, gold), EvaluationSettings())
    return Task("demo", settings, grounds, values)


def test_a_part_is_worth_what_it_explains() -> None:
    parts = ablate(_task(), {"idle": ["idle"], "a": ["a"], "b": ["b"]}, 0)
    assert [each.without for each in parts] == ["b", "a", "idle"]
    b, a, idle = parts
    # var a = 1/4, var 3b = 9/4: b alone has r = sqrt(9/10), a alone r = sqrt(1/10)
    assert idle.mean == pytest.approx(1)
    assert idle.change == pytest.approx(0)
    assert idle.unseen_change == pytest.approx(0)
    assert a.unseen == pytest.approx(np.sqrt(0.9))  # every provider has the same corners
    assert b.unseen == pytest.approx(np.sqrt(0.1))
    assert a.unseen_change == pytest.approx(np.sqrt(0.9) - 1)
    assert a.mean == pytest.approx(np.sqrt(0.9), abs=0.01)  # a fold has not quite as many of each corner
    assert b.mean == pytest.approx(np.sqrt(0.1), abs=0.05)
    assert b.change == pytest.approx(b.mean - 1)


def test_several_features_are_left_out_together() -> None:
    (part,) = ablate(_task(), {"both": ["b", "idle"]}, 5)
    assert part.features == ("b", "idle")
    assert part.unseen == pytest.approx(np.sqrt(0.1))


def test_the_values_themselves_stay() -> None:
    task = _task()
    before = task.values.copy()
    ablate(task, {"a": ["a"]}, 2)
    assert np.array_equal(task.values, before)


def test_one_provider_has_no_unseen_figure() -> None:
    task = _task()
    ids = [(f"x:{n}a", f"x:{n}b") for n in range(len(task.values))]
    left, right = ([Record(id=pair[side]) for pair in ids] for side in (0, 1))
    grounds = EvaluationData(Pairs(ids, left, right, task.grounds.gold), EvaluationSettings())
    (part,) = ablate(Task("demo", task.settings, grounds, task.values), {"a": ["a"]}, 5)
    assert part.mean == pytest.approx(np.sqrt(0.9), abs=0.01)
    assert np.isnan(part.unseen)
    assert np.isnan(part.unseen_change)


def test_a_system_without_training_is_refused() -> None:
    task = _task()
    row = OneSettings(title="one", regressor="one", one=dict.fromkeys(OFFICIAL, "a"))
    with pytest.raises(UsageError, match="ablate another system"):
        ablate(Task("one", row, task.grounds, task.values[:, :1]), {"a": ["a"]}, 0)
