import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from pydantic import TypeAdapter, ValidationError
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVR

from features.arrays import Doubles
from features.measures.registry import FeatureSettings
from features.measures.tfidf import TfidfSettings
from ingest.errors import DamagedArtefact, PairsError
from models import artefact
from models.regressors.base import SystemSettings
from models.regressors.registry import DeclaredSystem
from models.systems import System, fit
from models.types import OFFICIAL

ADAPTER: TypeAdapter[DeclaredSystem] = TypeAdapter(DeclaredSystem)
NAMES = ("a", "b", "c", "d", "e")
ROWS: dict[str, dict[str, object]] = {
    "linear": {"regressor": "linear"},
    "additive": {"regressor": "additive", "knots": 4},
    "svr": {"regressor": "svr", "cost": 2.0},
    "boosted": {"regressor": "boosted", "trees": [{"rounds": 10, "extra": True}, {"rounds": 5}], "svr": {}},
}
ADDITIVE = ("linear", "additive")


def declared(name: str, **more: object) -> SystemSettings:
    return ADAPTER.validate_python({"title": "t", "features": NAMES, **ROWS[name], **more})


def pairs(number: int = 150, seed: int = 0) -> tuple[Doubles, Doubles]:
    """Values with gaps, a feature that never varies, one that is mostly 0; gold that rises with three."""
    numbers = np.random.default_rng(seed)
    values = numbers.random((number, len(NAMES)))
    values[numbers.random(values.shape) < 0.2] = np.nan
    values[:, 3] = 0.5
    values[numbers.random(number) < 0.6, 4] = 0.0
    known = np.nan_to_num(values, nan=0.3)
    gold = 2.0 * known[:, [0]] + np.sqrt(known[:, [1]]) + known[:, [4]] * np.linspace(0, 2, 8)
    return values, np.clip(gold + numbers.normal(scale=0.1, size=gold.shape), 0, 5)


VALUES, GOLD = pairs()
EDGES = np.repeat(np.array([[0.0], [1e-9], [0.5], [1.0], [np.nan], [-1.0], [2.0]]), len(NAMES), axis=1)
SCORED = np.concatenate([VALUES, pairs(40, 1)[0], EDGES])


@pytest.fixture(scope="module")
def systems() -> dict[str, System]:
    return {name: fit(name, declared(name), VALUES, GOLD) for name in ROWS}


@pytest.mark.parametrize("name", ROWS)
def test_it_learns(systems: dict[str, System], name: str) -> None:
    scores = systems[name].score(VALUES)
    assert not np.isnan(systems[name].raw(SCORED)).any()
    assert all(np.corrcoef(scores[:, n], GOLD[:, n])[0, 1] > 0.85 for n in range(8))


@pytest.mark.parametrize("name", ROWS)
def test_twice_the_same_digits(systems: dict[str, System], name: str) -> None:
    assert np.array_equal(fit(name, declared(name), VALUES, GOLD).raw(SCORED), systems[name].raw(SCORED))


@pytest.mark.parametrize("name", ROWS)
def test_the_scores_of_one_type_are_those_of_all(systems: dict[str, System], name: str) -> None:
    every = systems[name].raw(SCORED)
    for n, kind in enumerate(OFFICIAL):
        assert np.array_equal(systems[name].raw_of(SCORED, kind), every[:, n])
    assert systems[name].raw_of(SCORED[:0], OFFICIAL[0]).shape == (0,)


@pytest.mark.parametrize("name", ADDITIVE)
def test_terms_and_base_are_the_score(systems: dict[str, System], name: str) -> None:
    additive = systems[name].additive
    assert additive is not None
    assert additive.terms(SCORED).sum(axis=1) + additive.base == pytest.approx(
        systems[name].raw(SCORED), abs=1e-12
    )
    for n in range(len(NAMES)):
        one = slice(3, 4)
        assert np.array_equal(additive.term(n, SCORED[:, n], one), additive.term(n, SCORED[:, n])[:, one])
        inapplicable = ~additive.active[n]
        assert not additive.term(n, SCORED[:, n])[:, inapplicable].any()


@pytest.mark.parametrize("name", ADDITIVE)
def test_what_agrees_in_nothing_scores_the_base(systems: dict[str, System], name: str) -> None:
    additive = systems[name].additive
    assert additive is not None
    assert np.array_equal(additive.raw(np.zeros((1, 5)))[0], additive.base)


def test_not_additive_says_so(systems: dict[str, System]) -> None:
    assert systems["svr"].additive is None
    assert systems["boosted"].additive is None


def test_support_vectors_score_as_scikit_learn_does(systems: dict[str, System]) -> None:
    filled, scored = np.nan_to_num(VALUES), np.nan_to_num(SCORED)
    scaler = StandardScaler().fit(filled)
    for n in range(8):
        machine = SVR(C=2.0, gamma=1 / 5, epsilon=0.1).fit(scaler.transform(filled), GOLD[:, n])
        expected = machine.predict(scaler.transform(scored))
        assert systems["svr"].raw(SCORED)[:, n] == pytest.approx(expected, abs=1e-9)


def test_boosted_trees_and_support_vectors_are_averaged(systems: dict[str, System]) -> None:
    alone = [
        fit("b", declared("boosted", trees=[trees], svr=None), VALUES, GOLD).raw(SCORED)
        for trees in ({"rounds": 10, "extra": True}, {"rounds": 5})
    ]
    support = fit("s", declared("svr", cost=1.0), VALUES, GOLD).raw(SCORED)
    assert systems["boosted"].raw(SCORED) == pytest.approx((sum(alone) + support) / 3, abs=1e-9)


@pytest.mark.parametrize("name", ["linear", "additive", "svr", "boosted"])
def test_a_type_sees_its_own_features_only(name: str) -> None:
    settings = declared(name, features=["a", "b"], own={"event": ["e"], "time": ["d", "e"]})
    assert settings.needs == ("a", "b", "d", "e")
    values = VALUES[:, [0, 1, 3, 4]]
    system = fit("s", settings, values, GOLD)
    moved = values.copy()
    moved[:, 3] = 1.0 - np.nan_to_num(values[:, 3])
    differs = np.any(system.raw(moved) != system.raw(values), axis=0)
    assert [OFFICIAL[n] for n in np.flatnonzero(differs)] == ["time", "event"]


def test_where_neither_has_anything_there_is_no_score_and_no_lesson() -> None:
    # the last column says whether either side has people; the gold of those without is noise
    present = np.resize([0.0, 1.0, 0.5], len(VALUES))
    values = np.column_stack([VALUES, present])
    gold = GOLD.copy()
    gold[present == 0, 2] = np.linspace(0, 5, int((present == 0).sum()))
    settings = declared("linear", not_applicable={"people": "p"})
    assert settings.needs == (*NAMES, "p")
    system = fit("s", settings, values, gold)
    scores = system.score(values)
    assert (scores[present == 0, 2] == 0).all()
    assert (scores[present == 0, 1] > 0).any()
    assert system.inapplicable(values).sum() == (present == 0).sum()
    rest = fit("s", declared("linear"), VALUES[present > 0], gold[present > 0])
    assert scores[present > 0, 2] == pytest.approx(rest.score(VALUES[present > 0])[:, 2])


def test_no_pairs_are_refused() -> None:
    with pytest.raises(PairsError, match="no pair"):
        fit("s", declared("linear"), np.zeros((0, 5)), np.zeros((0, 8)))


FEATURES: dict[str, FeatureSettings] = {name: TfidfSettings(measure="tfidf") for name in (*NAMES, "p")}


@pytest.mark.parametrize("name", ROWS)
def test_what_was_kept_scores_the_same(systems: dict[str, System], name: str, tmp_path: Path) -> None:
    settings = declared(name)
    artefact.save(tmp_path, systems[name], settings, FEATURES, trained_on="pairs", pairs=3)
    loaded = artefact.load(name, settings, FEATURES, (tmp_path,))
    assert np.array_equal(loaded.raw(SCORED), systems[name].raw(SCORED))
    first = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    artefact.save(tmp_path, systems[name], settings, FEATURES, trained_on="pairs", pairs=3)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == first


@pytest.mark.parametrize("name", ROWS)
@pytest.mark.parametrize("at", [0.1, 0.5, 0.9])
def test_altered_numbers_are_refused(
    systems: dict[str, System], name: str, at: float, tmp_path: Path
) -> None:
    artefact.save(tmp_path, systems[name], declared(name), FEATURES, trained_on="pairs", pairs=3)
    (path,) = tmp_path.glob("*.npz")
    data = bytearray(path.read_bytes())
    data[int(len(data) * at)] ^= 1
    path.write_bytes(bytes(data))
    with pytest.raises(DamagedArtefact, match="kindred train"):
        artefact.load(name, declared(name), FEATURES, (tmp_path,))


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("additive", {"knots": 5}),
        ("additive", {"common": 0.1}),
        ("additive", {"own": {"people": ["a"]}}),
        ("svr", {"cost": 3.0}),
        ("boosted", {"svr": None}),
        ("linear", {"not_applicable": {"people": "p"}}),
        ("linear", {"own": {"people": ["p"]}}),
        ("linear", {"regressor": "svr"}),
    ],
)
def test_weights_of_other_settings_are_refused(
    systems: dict[str, System], name: str, change: dict[str, object], tmp_path: Path
) -> None:
    artefact.save(tmp_path, systems[name], declared(name), FEATURES, trained_on="pairs", pairs=3)
    other = declared(name, **change)
    with pytest.raises(DamagedArtefact, match="kindred train"):
        artefact.load(name, other, FEATURES, (tmp_path,))


def test_another_title_or_another_stand_in_asks_for_no_training(
    systems: dict[str, System], tmp_path: Path
) -> None:
    artefact.save(tmp_path, systems["additive"], declared("additive"), FEATURES, trained_on="pairs", pairs=3)
    other = declared("additive", title="other", fallback="T0")
    assert artefact.load("additive", other, FEATURES, (tmp_path,)).additive is not None


def test_shapes_whose_numbers_do_not_fit_are_refused(systems: dict[str, System]) -> None:
    arrays = systems["additive"].regressor.arrays()
    for name in ("grids", "heights", "missing", "base", "lengths"):
        with pytest.raises(DamagedArtefact):
            declared("additive").restore(arrays | {name: arrays[name][:-1]}, OFFICIAL)
    with pytest.raises(DamagedArtefact, match="ascend"):
        declared("additive").restore(arrays | {"grids": arrays["grids"][::-1]}, OFFICIAL)


def test_trees_that_are_none_are_refused(
    systems: dict[str, System], capfd: pytest.CaptureFixture[str]
) -> None:
    arrays = systems["boosted"].regressor.arrays()
    broken = declared("boosted").restore(arrays | {"time_0": np.frombuffer(b"tree", np.uint8)}, OFFICIAL)
    with pytest.raises(DamagedArtefact, match="trees"):
        broken.raw(SCORED)
    capfd.readouterr()


@pytest.mark.parametrize(
    "wrong",
    [
        {"regressor": "additive", "features": NAMES, "knots": 1},
        {"regressor": "additive", "features": NAMES, "width": 0},
        {"regressor": "additive", "features": NAMES, "common": 0},
        {"regressor": "additive", "features": NAMES, "missing": 0.0},
        {"regressor": "boosted", "features": NAMES, "trees": []},
        {"regressor": "linear", "own": {"time": ["a"]}},
        {"regressor": "linear", "features": ["a", "a"]},
        {"regressor": "linear", "features": ["a"], "own": {"time": ["b", "b"]}},
        {"regressor": "svr", "features": NAMES, "cost": 0},
    ],
)
def test_a_row_that_is_none_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        ADAPTER.validate_python({"title": "t", **wrong})


def test_scoring_curves_needs_neither_lightgbm_nor_scikit_learn(
    systems: dict[str, System], tmp_path: Path
) -> None:
    """In a process where both cannot be imported."""
    settings = declared("additive")
    artefact.save(tmp_path, systems["additive"], settings, FEATURES, trained_on="pairs", pairs=3)
    code = (
        "import sys; sys.modules['lightgbm'] = sys.modules['sklearn'] = None\n"
        "from pathlib import Path\nimport numpy as np\nfrom models import artefact\n"
        "m = artefact.manifest('additive', (Path(sys.argv[1]),))\n"
        "s = artefact.load('additive', m.declared, m.features, (Path(sys.argv[1]),))\n"
        "print(s.score(np.zeros((1, 5))).shape)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True, check=False,
        env={**os.environ, "PYTHONPATH": str(Path(artefact.__file__).parent.parent)},
    )  # fmt: skip
    assert done.stdout.strip() == "(1, 8)", done.stderr
