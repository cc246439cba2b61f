"""Terms chosen by museums left out: what counts, what a step is judged by, and the command."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest

from evaluation.choosing import CandidateTerms, SelectionLimits, choose
from evaluation.criteria import ChoosingPairs, FoldsAndProviders, MuseumsLeftOut
from evaluation.forward import blocks
from evaluation.typed import DirectoryPairs
from features.arrays import Doubles
from features.measures.base import MeasureSettings
from features.measures.scope import Scope
from features.measures.tfidf import TfidfSettings
from ingest.errors import PairsError, UsageError
from models.regressors.additive import AdditiveSettings
from models.types import OFFICIAL
from tests.evaluation.running import document, run

NAMES = ("fickle", "steady", "other")
DECLARED: Mapping[str, MeasureSettings] = dict.fromkeys(NAMES, TfidfSettings(measure="tfidf", scope=Scope()))
ROW = AdditiveSettings(title="t", regressor="additive", features=NAMES, ridge=1.0, ridge_of="each")
FIELD = CandidateTerms.of(ROW, OFFICIAL, DECLARED, DECLARED)
MUSEUMS = MuseumsLeftOut(("a", "b", "c"))


def sets(*numbers: int) -> tuple[DirectoryPairs, ...]:
    """Sets of so many pairs, one after the other."""
    firsts = np.cumsum([0, *numbers]).tolist()
    both = zip("abcd", firsts[:-1], numbers, strict=False)
    return tuple(DirectoryPairs(name, first, number, "", "") for name, first, number in both)


@pytest.fixture
def learnt() -> ChoosingPairs:
    """Sixty pairs of each of three museums, and thirty that only train; all types have the same gold.

    ``fickle`` goes with the gold in a, b and d, and is noise in c; ``steady`` goes with it everywhere,
    but less, and ``other`` less still.
    """
    rng = np.random.default_rng(2)
    own = sets(60, 60, 60, 30)
    truth = rng.random(210)
    fickle, steady = truth + rng.normal(0, 0.02, 210), truth + rng.normal(0, 0.35, 210)
    fickle[own[2].rows] = rng.random(60)
    values = np.column_stack([fickle, steady, truth + rng.normal(0, 0.5, 210)])
    gold = np.repeat(0.5 + 4 * truth[:, np.newaxis], 8, axis=1)
    providers = [(each.name, each.name) for each in own for _ in range(each.number)]
    known = np.full(gold.shape, True)
    return ChoosingPairs(
        values, gold, known, np.arange(210, dtype=np.intp), providers, np.zeros(210, bool), own
    )


def refit(learnt: ChoosingPairs, names: tuple[str, ...]) -> Doubles:
    """r within a, b and c, each by one ridge regression of the pairs of all other sets."""
    columns = [NAMES.index(name) for name in names]
    design = blocks(learnt.values, ROW.knots, ROW.width)[:, columns].reshape(210, -1)
    gold, r = learnt.gold[:, 0], []
    for each in learnt.sets[:3]:
        others = np.delete(np.arange(210), each.rows)
        base, own = gold[others].mean(), design[others]
        square = own.T @ own + np.eye(own.shape[1])
        weights = np.linalg.solve(square, own.T @ (gold[others] - base))
        scores = np.clip(base + design[each.rows] @ weights, 0, 5)
        r.append(np.corrcoef(scores, gold[each.rows])[0, 1])
    return np.array(r)


def test_a_step_raises_the_mean_of_museums_and_that_of_the_worst(learnt: ChoosingPairs) -> None:
    steps = [step for step in choose(ROW, FIELD, learnt, SelectionLimits(), MUSEUMS) if step.kind == "time"]
    fickle, steady = refit(learnt, ("fickle",)), refit(learnt, ("steady",))
    # in the mean of museums the fickle term is the better one, in the worst of the three it is none
    assert fickle.mean() > steady.mean()
    assert fickle.min() < 0.2 < steady.min()
    assert [step.term for step in steps[:2]] == ["steady", "other"]
    both = refit(learnt, ("steady", "other"))
    assert steps[0].r == pytest.approx({"museums": steady.mean(), "worst": steady.min()})
    assert steps[1].r == pytest.approx({"museums": both.mean(), "worst": both.min()})
    assert steps[1].gain == pytest.approx((both.mean() + both.min() - steady.mean() - steady.min()) / 2)


def test_a_museum_with_nothing_of_a_type_does_not_count_for_it(learnt: ChoosingPairs) -> None:
    gold = learnt.gold.copy()
    gold[learnt.sets[2].rows, 3] = 0  # c has no times
    gold[:180, 5] = 0  # no museum that is tested has events
    other = learnt._replace(gold=gold)
    steps = choose(ROW, FIELD, other, SelectionLimits(), MUSEUMS)
    first = {step.kind: step for step in reversed(steps)}
    assert first["general"].term == "steady"
    assert first["time"].term == "fickle"
    assert min(first["time"].r.values()) > 0.9
    # what counts nowhere has one term, as every type has
    assert [step.r for step in steps if step.kind == "event"] == [{"museums": 0, "worst": 0}]


def test_sets_are_those_of_the_pairs_that_are_left(learnt: ChoosingPairs) -> None:
    rows = np.array([0, 5, 59, 130, 180, 209])
    some = learnt.over(rows)
    assert [(each.name, each.first, each.number) for each in some.sets] == [
        ("a", 0, 3),
        ("c", 3, 1),
        ("d", 4, 2),
    ]
    ways = [way[0] for way in MUSEUMS.ways(some)]
    assert [(name, train.tolist(), test.tolist()) for name, train, test in ways] == [
        ("a", [3, 4, 5], [0, 1, 2]),
        ("c", [0, 1, 2, 4, 5], [3]),
    ]
    with pytest.raises(PairsError, match="no museum is left"):
        MUSEUMS.ways(learnt.over(rows[4:]))


def test_the_worst_third_is_rounded_up() -> None:
    r, gold = np.array([[0.8], [0.2], [0.4], [0.6]]), [np.array([0.0, 1.0])] * 4
    # .2 and .4 of four
    assert MUSEUMS.figures(r, gold).tolist() == [[pytest.approx(0.5)], [pytest.approx(0.3)]]
    assert FoldsAndProviders(2, 0).figures(r, gold) is r


LEAN = """\
  lean:
    title: chosen
    regressor: additive
    ridge: 1
    ridge_of: each
    knots: 3
    features: [all_tfidf, title_tfidf]
service:"""


@pytest.fixture
def lean(config: Path) -> Path:
    """A configuration with an additive system of two candidates."""
    config.write_text(config.read_text().replace("service:", LEAN, 1))
    return config


@pytest.mark.usefixtures("analysed")
def test_the_command_leaves_out_the_museums_of_a_folder(lean: Path, museums: Path, tmp_path: Path) -> None:
    out = tmp_path / "terms.md"
    given = ("select", "--system", "lean", "--museums", museums)
    answer = document(run(lean, *given, "--out", out, "--json"))
    assert answer["pairs"]["number"] == 10  # type: ignore[index]
    assert list(answer["own"]) == list(OFFICIAL)  # type: ignore[call-overload]
    assert {"museums", "worst"} <= answer["steps"][0].keys()  # type: ignore[index]
    assert answer["nested"] == []
    assert "| type | term | museums | worst | gain | price |" in out.read_text()
    # what --pairs names only trains, and is counted among the pairs
    two = document(run(lean, *given, "--pairs", museums / "north", "--json"))
    assert two["pairs"]["number"] == 10  # type: ignore[index]
    assert two["steps"] != answer["steps"]
    assert "worst" in run(lean, *given).stdout


@pytest.mark.slow
@pytest.mark.usefixtures("analysed")
def test_nested_the_choice_is_repeated_without_each_museum(lean: Path, museums: Path, tmp_path: Path) -> None:
    out = tmp_path / "terms.md"
    given = ("select", "--system", "lean", "--museums", museums, "--nested")
    answer = document(run(lean, *given, "--out", out, "--json"))
    nested = answer["nested"]
    assert "terms were chosen anew" in nested["statement"]  # type: ignore[index]
    trained = {each["name"]: each["trained_on"] for each in nested["museums"]}  # type: ignore[index]
    assert trained == {"mint": 4 + 3, "north": 2 + 3, "quay": 4 + 3}
    written = out.read_text()
    assert "| mean of museums | 10 |" in written
    assert "Of 3 divisions those that choose the same term" in written
    assert "mean of museums" in run(lean, *given).stdout
    # inside what is left without the one museum that is tested no other is left to choose by
    alone = run(lean, *given, "--pairs", museums / "north", "--pairs", museums / "quay").exception
    assert type(alone) is PairsError


def test_no_pairs_are_refused(lean: Path) -> None:
    assert type(run(lean, "select", "--system", "lean").exception) is UsageError
