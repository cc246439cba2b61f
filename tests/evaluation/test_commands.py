"""The commands train, evaluate and score from end to end, with a language that needs no models."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import typer
from ruamel.yaml import YAML
from typer.testing import CliRunner, Result

from evaluation.commands import register
from evaluation.typed import read_scores
from ingest.errors import PairsError, UnknownSystem, UsageError, WeightsMissing
from service.context import Context
from service.settings import default_file

DATA = Path(__file__).parents[1] / "data" / "typed"
TYPES = ["general", "author", "people", "time", "location", "event", "subject", "description"]
CONFIG = """
state: {{directory: {state}}}
systems:
  plain:
    title: two cosines
    regressor: linear
    features: [all_tfidf, title_tfidf]
    missing: 0
  T0:
    title: baseline
    regressor: one
    one:
      general: all_tfidf
      author: creator_tfidf
      people: person_tfidf
      time: date_tfidf
      location: location_tfidf
      event: verb_tfidf
      subject: subject_tfidf
      description: description_tfidf
    missing: 0
service: {{system: plain}}
"""
PROVIDERS = """
evaluation:
  providers:
    - {name: bridge, prefix: "north:b"}
    - {name: docks, prefix: "port:7"}
"""

pytestmark = pytest.mark.usefixtures("analysed")


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in [name for name in os.environ if name.startswith("KINDRED_")]:
        monkeypatch.delenv(name)
    declared = YAML(typ="safe").load(default_file().read_text())
    named = set(re.findall(r"\w+_tfidf", CONFIG))
    declared["features"] = {name: row for name, row in declared["features"].items() if name in named}
    declared["systems"] = {}  # the project's own take long to train
    base = tmp_path / "base.yaml"
    YAML(typ="safe").dump(declared, base)
    monkeypatch.setattr("service.settings.default_file", lambda: base)
    path = tmp_path / "config.yaml"
    path.write_text(CONFIG.format(state=tmp_path / "state"))
    return path


def _run(config: Path, *arguments: str | Path) -> Result:
    app = typer.Typer()

    @app.callback()
    def start(ctx: typer.Context) -> None:
        ctx.obj = Context(config)

    register(app)
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def _document(result: Result) -> dict[str, object]:
    assert result.exception is None, result.exception
    found = json.loads(result.stdout)
    assert isinstance(found, dict)
    return found


def test_train_then_score_then_evaluate(config: Path, tmp_path: Path) -> None:
    trained = _document(_run(config, "train", "--pairs", DATA, "--system", "plain", "--json"))
    assert Path(str(trained["weights"])) == tmp_path / "state" / "weights" / "plain.json"
    assert trained["pairs"] == 6
    assert trained["features"].keys() == {"all_tfidf", "title_tfidf", "base"}  # type: ignore[attr-defined]

    out = tmp_path / "scores.txt"
    scored = _document(_run(config, "score", "--pairs", DATA, "--system", "plain", "--out", out, "--json"))
    assert scored == {"scores": str(out), "system": "plain", "stands_in_for": None, "pairs": 6}
    scores = read_scores(out)
    assert scores.shape == (6, 8)

    told = _document(_run(config, "evaluate", "--pairs", DATA, "--json"))
    (result,) = told["results"]  # type: ignore[misc]
    assert told["system"] == "plain"
    assert result["way"] == "weights"  # type: ignore[has-type]
    assert "these very pairs" in result["statement"]  # type: ignore[has-type]
    gold = read_scores(DATA / "STS.gs.europeana.txt")
    expected = [float(np.corrcoef(gold[:, n], scores[:, n])[0, 1]) for n in range(8)]
    assert list(result["pearson"]) == TYPES  # type: ignore[has-type]
    assert list(result["pearson"].values()) == pytest.approx(expected, abs=1e-3)  # type: ignore[has-type]
    assert result["mean"] == pytest.approx(np.mean(expected), abs=1e-3)  # type: ignore[has-type]


def test_what_was_trained_elsewhere_is_not_called_flattering(config: Path, tmp_path: Path) -> None:
    other = tmp_path / "others"
    (other / "pairs").mkdir(parents=True)
    (other / "pairs" / "text").symlink_to(DATA / "pairs" / "text")
    (other / "STS.input.europeana.txt").write_text((DATA / "STS.input.europeana.txt").read_text())
    gold = (DATA / "STS.gs.europeana.txt").read_text().replace("3.6", "3.5")
    (other / "STS.gs.europeana.txt").write_text(gold)
    assert _run(config, "train", "--pairs", other).exception is None
    said = _run(config, "evaluate", "--pairs", DATA)
    assert "trained on others (6 pairs" in " ".join(said.stdout.split())
    assert "these very pairs" not in said.stdout


def test_cross_validation_in_the_official_layout(config: Path) -> None:
    said = _run(config, "evaluate", "--pairs", DATA, "--system", "plain", "--cv", "3")
    assert said.exception is None
    lines = said.stdout.splitlines()
    assert lines[0] == f"{DATA}: 6 pairs of 9 records"
    head = next(line for line in lines if "gen" in line)
    types = ["gen", "auth", "peop", "time", "loc", "event", "subj", "desc"]
    assert head.split() == ["system", *types, "mean", "95", "%", "within", "bias"]
    assert "3-fold cross-validation" in said.stdout
    assert "seed 20130613" in " ".join(said.stdout.split())
    assert "plain, 3 folds, > 4" in said.stdout


def test_an_untrained_system_says_that_folds_change_nothing(config: Path) -> None:
    plain = _document(_run(config, "evaluate", "--pairs", DATA, "--system", "T0", "--json"))
    folded = _document(_run(config, "evaluate", "--pairs", DATA, "--system", "T0", "--cv", "3", "--json"))
    assert plain == folded
    (result,) = plain["results"]  # type: ignore[misc]
    assert result["way"] == "untrained"  # type: ignore[has-type]
    assert "--cv and --unseen change nothing" in result["statement"]  # type: ignore[has-type]


def test_an_undefined_correlation_is_null_and_said(config: Path) -> None:
    told = _document(_run(config, "evaluate", "--pairs", DATA, "--system", "T0", "--json"))
    (result,) = told["results"]  # type: ignore[misc]
    undefined = result["undefined"]  # type: ignore[has-type]
    assert undefined
    assert all(result["pearson"][kind] is None for kind in undefined)  # type: ignore[has-type]
    assert (result["mean"] is None) == bool(undefined)  # type: ignore[has-type]


def test_collections_never_seen(config: Path) -> None:
    config.write_text(config.read_text() + PROVIDERS)
    told = _document(_run(config, "evaluate", "--pairs", DATA, "--system", "plain", "--unseen", "--json"))
    (result,) = told["results"]  # type: ignore[misc]
    assert result["way"] == "unseen"  # type: ignore[has-type]
    assert "(providers: bridge, docks, mus, north, port)" in result["statement"]  # type: ignore[has-type]
    # of the other providers no two pairs stand inside
    assert result["within_providers"].keys() == {"bridge"}  # type: ignore[has-type]
    assert -1 <= result["within"] <= 1  # type: ignore[has-type]
    assert result["within"] == result["within_providers"]["bridge"]  # type: ignore[has-type]
    assert result["bias"] > 0  # type: ignore[has-type]
    said = _run(config, "evaluate", "--pairs", DATA, "--system", "plain", "--unseen")
    assert said.exception is None
    rows = [" ".join(line.split()) for line in said.stdout.splitlines()]
    for start in ("r, pooled ", "r within providers ", "r within bridge ", "absolute bias "):
        assert sum(row.startswith(start) for row in rows) == 1, start


def test_what_the_gold_is_stands_in_every_answer(config: Path, tmp_path: Path) -> None:
    pairs = shutil.copytree(DATA, tmp_path / "typed" / "train")
    told = _document(_run(config, "evaluate", "--pairs", pairs, "--system", "T0", "--json"))
    assert told["pairs"]["gold"] == "as given in STS.gs.europeana.txt"  # type: ignore[index]
    (tmp_path / "typed" / "README.md").write_text("The gold is **model-annotated**, not human.")
    gold = "model-annotated (README.md)"
    trained = _document(_run(config, "train", "--pairs", pairs, "--json"))
    assert trained["gold"] == gold
    assert str(trained["trained_on"]).endswith(f", gold: {gold})")
    config.write_text(config.read_text() + PROVIDERS)
    for way in ([], ["--system", "T0"], ["--cv", "3", "--unseen"]):
        told = _document(_run(config, "evaluate", "--pairs", pairs, *way, "--json"))
        assert told["pairs"]["gold"] == gold  # type: ignore[index]
        for result in told["results"]:  # type: ignore[attr-defined]
            assert result["statement"].endswith(f"; gold: {gold}")
        said = _run(config, "evaluate", "--pairs", pairs, *way)
        assert f"gold: {gold}." in " ".join(said.stdout.split())


def test_too_few_providers_are_refused(config: Path) -> None:
    told = _run(config, "evaluate", "--pairs", DATA, "--system", "plain", "--unseen")
    # pairs of north with port leave only pairs of mus with port, which touch port
    assert isinstance(told.exception, PairsError)
    assert "no pair is left to train on" in str(told.exception)


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (["evaluate", "--system", "T9"], UnknownSystem),
        (["train", "--system", "T0"], UsageError),
        (["score", "--out", "scores.txt"], WeightsMissing),
        (["evaluate", "--cv", "9"], PairsError),
        (["evaluate", "--cv", "1"], UsageError),
        (["train", "--out", DATA / "README.md"], UsageError),
    ],
)
def test_what_cannot_be_done_is_refused(
    config: Path, arguments: list[str | Path], error: type[Exception]
) -> None:
    refused = _run(config, *arguments, "--pairs", DATA).exception
    assert type(refused) is error


def test_importing_the_commands_is_cheap() -> None:
    code = (
        "import sys, typer, service.context; before = set(sys.modules); import evaluation.commands; "
        "print(sorted(set(sys.modules) - before))"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "['evaluation', 'evaluation.commands']"


LINKED = """
features:
  linked: {measure: link_vectors, scope: {}}
systems:
  linked:
    title: needs what is not there
    regressor: linear
    features: [all_tfidf, linked]
"""


def test_all_systems_side_by_side(config: Path) -> None:
    config.write_text(config.read_text().replace("systems:", LINKED.lstrip()) + PROVIDERS)
    told = _document(_run(config, "evaluate", "--pairs", DATA, "--all", "--cv", "3", "--json"))
    rows = {each["system"]: each for each in told["systems"]}  # type: ignore[attr-defined]
    assert list(told["absent"]) == ["linked"]  # type: ignore[call-overload]
    assert "kindred wikipedia build" in told["absent"]["linked"]  # type: ignore[index]
    assert "linked" not in rows
    assert [result["way"] for result in rows["plain"]["results"]] == ["cross-validation", "unseen"]
    (untrained,) = rows["T0"]["results"]  # scored once, with what carries over
    assert untrained["way"] == "untrained"
    assert untrained["bias"] > 0
    low, high = rows["plain"]["results"][0]["interval"]
    assert low <= rows["plain"]["results"][0]["mean"] <= high
    # the same figures as of the system alone
    alone = _document(
        _run(config, "evaluate", "--pairs", DATA, "--system", "plain", "--cv", "3", "--unseen", "--json")
    )
    assert alone["results"] == rows["plain"]["results"]
    features = {each["feature"]: each for each in told["features"]}  # type: ignore[attr-defined]
    assert "linked" not in features
    assert features["creator_tfidf"]["informed"] == 3
    assert list(features["all_tfidf"]["pearson"]) == TYPES

    said = _run(config, "evaluate", "--pairs", DATA, "--all", "--cv", "3").stdout
    rows_said = [line.split(",")[0] for line in said.splitlines() if line.startswith(("T0,", "plain,"))]
    assert rows_said[:3] == ["plain", "plain", "T0"]
    assert "linked is not scored" in said


def test_all_systems_on_pairs_of_too_few_providers(config: Path) -> None:
    told = _document(_run(config, "evaluate", "--pairs", DATA, "--all", "--cv", "3", "--json"))
    rows = {each["system"]: each for each in told["systems"]}  # type: ignore[attr-defined]
    assert [result["way"] for result in rows["plain"]["results"]] == ["cross-validation"]
    said = _run(config, "evaluate", "--pairs", DATA, "--all", "--cv", "3").stdout
    assert "no test on collections never seen" in said


def test_ablation_by_feature_and_by_measure(config: Path) -> None:
    config.write_text(config.read_text() + PROVIDERS)
    told = _document(_run(config, "evaluate", "--pairs", DATA, "--ablate", "--cv", "3", "--json"))
    found = told["ablation"]
    assert {each["without"] for each in found} == {"all_tfidf", "title_tfidf"}  # type: ignore[attr-defined]
    changes = [each["change"] for each in found]  # type: ignore[attr-defined]
    assert changes == sorted(changes)
    measures = _document(
        _run(config, "evaluate", "--pairs", DATA, "--ablate", "--measures", "--cv", "3", "--json")
    )
    (only,) = measures["ablation"]  # type: ignore[misc]
    assert only["without"] == "tfidf"  # type: ignore[has-type]
    assert only["features"] == ["all_tfidf", "title_tfidf"]  # type: ignore[has-type]


def test_results_are_written_with_findings_and_the_same_twice(config: Path, tmp_path: Path) -> None:
    config.write_text(config.read_text() + PROVIDERS.replace("evaluation:", "evaluation:\n  folds: 3"))
    out = tmp_path / "docs" / "results.md"
    out.parent.mkdir()
    told = _document(_run(config, "results", "--pairs", DATA, "--out", out, "--json"))
    assert told["systems"] == ["plain", "T0"]
    first, worst = out.read_bytes(), Path(str(told["worst"])).read_bytes()
    assert b"e5d5df8fcbb1d0a2" in first  # the digest of the pairs
    assert b"| T1 < T2 |" in first
    assert worst.count(b"  north:b1  north:b2\n") == 8  # six pairs: all are listed for every type
    assert _run(config, "results", "--pairs", DATA, "--out", out).exception is None
    assert (out.read_bytes(), Path(str(told["worst"])).read_bytes()) == (first, worst)
    (out.parent / "findings.md").write_text("## What the worst pairs show\n\nNames that differ.\n")
    assert _run(config, "results", "--pairs", DATA, "--out", out).exception is None
    assert out.read_text().endswith("## What the worst pairs show\n\nNames that differ.\n")
    assert out.read_text().startswith(first.decode().rstrip())


@pytest.mark.parametrize(
    "arguments",
    [["--all", "--system", "T0"], ["--all", "--ablate"], ["--all", "--unseen"], ["--measures"]],
)
def test_options_that_contradict_each_other_are_refused(config: Path, arguments: list[str]) -> None:
    assert type(_run(config, "evaluate", "--pairs", DATA, *arguments).exception) is UsageError
