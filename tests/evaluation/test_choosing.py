"""Terms chosen by what they bring and what they cost, and the command that does so."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest

from evaluation.choosing import (
    CandidateTerms,
    NestedSelection,
    SelectionLimits,
    SelectionStep,
    choose,
    predict_nested,
)
from evaluation.choosing import terms as terms_of
from evaluation.criteria import ChoosingPairs, FoldsAndProviders
from evaluation.fitting import INNER_FOLDS, folds
from evaluation.selecting import yaml
from features.measures.base import MeasureSettings
from features.measures.derived import KnownSettings
from features.measures.scope import Scope
from features.measures.tfidf import TfidfSettings
from features.measures.years import YearsSettings
from ingest.errors import ConfigError, PairsError, UsageError
from ingest.typed_files import GOLD, INPUT
from models.regressors.additive import AdditiveSettings
from models.types import EIGHT, OFFICIAL
from tests.evaluation.running import DATA, PROVIDERS, document, run
from tests.yaml_text import yaml_of

NAMES = ("words", "twin", "dates", "noise", "said")
DECLARED: Mapping[str, MeasureSettings] = {
    **dict.fromkeys(("words", "twin", "noise"), TfidfSettings(measure="tfidf", scope=Scope())),
    "dates": YearsSettings(measure="years"),
    "said": KnownSettings(measure="known", of="words"),
}
ROW = AdditiveSettings(
    title="t", regressor="additive", features=NAMES, ridge=1.0, ridge_of="each",
    among={"time": ("dates", "noise")},
)  # fmt: skip


FOLDS = FoldsAndProviders(INNER_FOLDS, 0)


def field(row: AdditiveSettings = ROW) -> CandidateTerms:
    return CandidateTerms.of(row, OFFICIAL, DECLARED, DECLARED)


@pytest.fixture
def learnt() -> ChoosingPairs:
    """200 pairs: general goes with words and a little with dates, the others with dates; twin is words."""
    rng = np.random.default_rng(1)
    values = rng.random((200, 5))
    values[:, 1] = values[:, 0]
    gold = np.repeat(values[:, [2]] * 5, 8, axis=1)
    gold[:, 0] = 4 * values[:, 0] + values[:, 2]
    providers = [(name, name) for name in rng.choice(["a", "b", "c"], 200).tolist()]
    known = np.full(gold.shape, True)
    return ChoosingPairs(values, gold, known, np.arange(200, dtype=np.intp), providers, np.zeros(200, bool))


def terms(steps: list[SelectionStep]) -> dict[str, tuple[str, ...]]:
    return terms_of(steps, OFFICIAL)


def test_each_type_gets_what_it_goes_with(learnt: ChoosingPairs) -> None:
    steps = choose(ROW, field(), learnt, SelectionLimits(price=0.01), FOLDS)
    chosen = terms(steps)
    assert chosen["general"][:2] == ("words", "dates")
    assert "twin" not in chosen["general"]  # it says nothing that words do not
    assert all(chosen[kind][0] == "dates" for kind in OFFICIAL[1:])
    assert terms(choose(ROW, field(), learnt, SelectionLimits(price=0.01), FOLDS)) == chosen
    general = [step for step in steps if step.kind == "general"]
    assert general[0].r["folds"] < general[1].r["folds"]
    assert general[0].gain == pytest.approx((general[0].r["folds"] + general[0].r["unseen"]) / 2)
    # the column of words, 1, and the term, .2; then dates are read by others already: the term alone
    assert [step.price for step in general[:2]] == pytest.approx([0.012, 0.002])


def test_a_price_and_limits_end_it(learnt: ChoosingPairs) -> None:
    assert {
        len(names) for names in terms(choose(ROW, field(), learnt, SelectionLimits(terms=1), FOLDS)).values()
    } == {1}
    few = choose(ROW, field(), learnt, SelectionLimits(features=1), FOLDS)
    assert {step.term for step in few} == {"dates"}
    # words would cost 2.4; dates, which others read by then, .4 and bring less: but a type has a term
    dear = choose(ROW, field(), learnt, SelectionLimits(price=2), FOLDS)
    assert set(terms(dear).values()) == {("dates",)}
    alone = ROW.model_copy(update={"among": {"general": ("words",)}})
    with pytest.raises(UsageError, match="raise --most-features"):
        choose(alone, field(alone), learnt, SelectionLimits(features=1), FOLDS)


def test_a_part_costs_where_it_is_not_read() -> None:
    one = field()
    assert one.cost("said", frozenset()) == pytest.approx(0.2 + 1.0 + 0.3)  # words, which it is made of
    assert one.cost("said", frozenset({"words"})) == pytest.approx(0.2 + 0.3)
    assert one.cost("dates", frozenset({"dates"})) == pytest.approx(0.2)


def test_among_says_what_a_type_may_use(learnt: ChoosingPairs) -> None:
    row = ROW.model_copy(update={"among": {"general": ("noise", "dates")}})
    assert set(terms(choose(row, field(row), learnt, SelectionLimits(price=0.0), FOLDS))["general"]) <= {
        "noise",
        "dates",
    }
    assert field(row).among["time"] == NAMES  # not named: all


def test_a_nested_choice_sees_nothing_of_what_it_scores(learnt: ChoosingPairs) -> None:
    first, second = folds(learnt.group, 2, 0)
    selection = NestedSelection("t", ROW, field(), learnt, EIGHT, SelectionLimits(terms=2), FOLDS)
    predicted = predict_nested(selection, [first, second], 2)
    assert not np.isnan(predicted.scores).any()
    # other gold of the pairs that a division tests changes neither its terms nor its scores
    gold = learnt.gold.copy()
    gold[first.test] = 5 - gold[first.test]
    scores, terms = selection._replace(learnt=learnt._replace(gold=gold)).scores(first)
    assert np.array_equal(scores, predicted.scores[first.test])
    assert predicted.chosen["fold 1"] == {"own": {kind: list(names) for kind, names in terms.items()}}
    assert terms["general"] == ("words", "dates")


def many(folder: Path) -> Path:
    """A directory of 36 pairs of three providers, whose titles share words as their gold says."""
    rng = np.random.default_rng(6)
    (folder / "pairs" / "text").mkdir(parents=True)
    words, ids, gold = np.array(["mill", "ship", "tree", "house", "bridge", "river"]), [], []
    for n in range(1, 37):
        titles = [set(rng.choice(words, 3)) for _ in "ab"]
        for side, title in zip("ab", titles, strict=True):
            text = f"dcTitle:\t{' '.join(sorted(title))}\ndcDescription:\t{words[n % 6]}\n"
            (folder / "pairs" / "text" / f"{n}{side}_x_{n}{side}.txt").write_text(text)
        ids.append("\t".join(f"urn:record:{'pqr'[n % 3]}:{n}{side}" for side in "ab"))
        gold.append("\t".join([str(5 * len(titles[0] & titles[1]) / 3)] * 8))
    (folder / INPUT).write_text("\n".join(ids) + "\n")
    (folder / GOLD).write_text("\n".join(gold) + "\n")
    return folder


LEAN = """
  lean:
    title: chosen
    regressor: additive
    ridge: 1
    ridge_of: each
    knots: 3
    own: {{general: [all_tfidf], author: [creator_tfidf], people: [person_tfidf], time: [date_tfidf],
          location: [location_tfidf], event: [verb_tfidf], subject: [subject_tfidf],
          description: [description_tfidf]}}
    among: {{general: [all_tfidf, title_tfidf]}}
service:"""


@pytest.fixture
def lean(config: Path) -> Path:
    """A configuration with an additive system of few candidates."""
    config.write_text(config.read_text().replace("service:", LEAN.format().strip("\n"), 1) + PROVIDERS)
    return config


@pytest.mark.usefixtures("analysed")
def test_the_command_prints_a_row_and_writes_the_steps(lean: Path, tmp_path: Path) -> None:
    out = tmp_path / "terms.md"
    arguments = ("select", "--pairs", DATA, "--system", "lean", "--out", out)
    answer = document(run(lean, *arguments, "--json"))
    assert list(answer["own"]) == list(OFFICIAL)  # type: ignore[call-overload]
    assert set(answer["own"]["general"]) <= {"all_tfidf", "title_tfidf"}  # type: ignore[index]
    assert {step["term"] for step in answer["steps"]} == set(answer["features"])  # type: ignore[attr-defined, call-overload]
    first = out.read_bytes()
    assert b"| type | term | folds | unseen | gain | price |" in first
    ended = run(lean, *arguments)
    assert ended.exception is None
    assert out.read_bytes() == first
    row = yaml_of(yaml(answer["own"]))  # type: ignore[arg-type]
    assert row == {"own": answer["own"]}
    assert yaml(answer["own"]) in ended.stdout  # type: ignore[arg-type]


@pytest.mark.slow
@pytest.mark.usefixtures("analysed")
def test_the_command_says_what_the_choice_is_worth(lean: Path, tmp_path: Path) -> None:
    lean.write_text(lean.read_text().replace("evaluation:", "evaluation:\n  folds: 2"))
    out, command = tmp_path / "terms.md", ("select", "--system", "lean", "--nested", "--json")
    few = run(lean, *command, "--pairs", DATA).exception
    assert type(few) is PairsError
    assert "two groups that share no record" in str(few)
    answer = document(run(lean, *command, "--pairs", many(tmp_path / "many"), "--out", out))
    assert [result["way"] for result in answer["nested"]] == ["cross-validation", "unseen"]  # type: ignore[attr-defined]
    assert all("chosen anew inside" in result["statement"] for result in answer["nested"])  # type: ignore[attr-defined]
    assert "| lean, 2 folds, nested |" in out.read_text()
    assert "| lean, unseen, nested |" in out.read_text()


@pytest.mark.usefixtures("analysed")
def test_what_cannot_be_chosen_for_is_refused(lean: Path) -> None:
    assert type(run(lean, "select", "--pairs", DATA, "--system", "plain").exception) is UsageError
    lean.write_text(lean.read_text().replace("    ridge_of: each\n", ""))
    refused = run(lean, "select", "--pairs", DATA, "--system", "lean").exception
    assert type(refused) is UsageError
    assert "ridge_of: each" in str(refused)
    lean.write_text(lean.read_text().replace("[all_tfidf, title_tfidf]}", "[all_tfidf, titel]}"))
    refused = run(lean, "select", "--pairs", DATA, "--system", "lean").exception
    assert isinstance(refused, ConfigError)
    assert "no feature 'titel'" in str(refused)
