"""The commands train, evaluate and score from end to end, with a language that needs no models."""

import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from evaluation.typed import read_scores
from ingest.errors import PairsError, UnknownSystem, UsageError, WeightsMissing
from tests.evaluation.running import DATA, LINKED, PROVIDERS, TYPES, document, run

pytestmark = pytest.mark.usefixtures("analysed")
COMMANDS = ("bench", "evaluate", "options", "pairs")  # what says how they are called, and no more


def test_train_then_score_then_evaluate(config: Path, tmp_path: Path) -> None:
    trained = document(run(config, "train", "--pairs", DATA, "--system", "plain", "--json"))
    assert Path(str(trained["weights"])) == tmp_path / "state" / "weights" / "plain.json"
    assert trained["pairs"] == 6
    assert trained["features"].keys() == {"all_tfidf", "title_tfidf", "base"}  # type: ignore[attr-defined]

    out = tmp_path / "scores.txt"
    scored = document(run(config, "score", "--pairs", DATA, "--system", "plain", "--out", out, "--json"))
    assert scored == {
        "scores": str(out),
        "system": "plain",
        "stands_in_for": None,
        "pairs": 6,
        "fitted_on": "the records of these pairs",
    }
    scores = read_scores(out)
    assert scores.shape == (6, 8)

    answer = document(run(config, "evaluate", "--pairs", DATA, "--json"))
    (result,) = answer["results"]  # type: ignore[misc]
    assert answer["system"] == "plain"
    assert result["way"] == "weights"  # type: ignore[has-type]
    assert "these very pairs" in result["statement"]  # type: ignore[has-type]
    gold = read_scores(DATA / "STS.gs.europeana.txt")
    expected = [float(np.corrcoef(gold[:, n], scores[:, n])[0, 1]) for n in range(8)]
    assert list(result["pearson"]) == TYPES  # type: ignore[has-type]
    assert list(result["pearson"].values()) == pytest.approx(expected, abs=1e-3)  # type: ignore[has-type]
    assert result["mean"] == pytest.approx(np.mean(expected), abs=1e-3)  # type: ignore[has-type]


def test_pairs_are_known_again_whatever_their_gold_and_their_folder(config: Path, tmp_path: Path) -> None:
    other = tmp_path / "others"
    (other / "pairs").mkdir(parents=True)
    (other / "pairs" / "text").symlink_to(DATA / "pairs" / "text")
    (other / "STS.input.europeana.txt").write_text((DATA / "STS.input.europeana.txt").read_text())
    gold = (DATA / "STS.gs.europeana.txt").read_text().replace("3.6", "3.5")
    (other / "STS.gs.europeana.txt").write_text(gold)
    assert run(config, "train", "--pairs", other).exception is None
    output = " ".join(run(config, "evaluate", "--pairs", DATA).stdout.split())
    assert "trained on others (6 pairs" in output
    assert "these very pairs, so the figures flatter it" in output
    # another pair of the same texts is another
    lines = (other / "STS.input.europeana.txt").read_text().splitlines()
    lines[4] = lines[4].replace("port:9", "port:10")
    (other / "STS.input.europeana.txt").write_text("\n".join(lines) + "\n")
    output = " ".join(run(config, "evaluate", "--pairs", other).stdout.split())
    assert "the pairs of others (5 of 6) among these, so the figures flatter it" in output


def test_cross_validation_in_the_official_layout(config: Path) -> None:
    ended = run(config, "evaluate", "--pairs", DATA, "--system", "plain", "--cv", "3")
    assert ended.exception is None
    lines = ended.stdout.splitlines()
    assert lines[0] == "typed: 6 pairs of 9 records"
    head = next(line for line in lines if "gen" in line)
    types = ["gen", "auth", "peop", "time", "loc", "event", "subj", "desc"]
    assert head.split() == ["system", *types, "mean", "95", "%", "providers", "within", "centred", "bias"]
    assert "3-fold cross-validation" in ended.stdout
    assert "seed 20130613" in " ".join(ended.stdout.split())
    assert "plain, 3 folds, > 4" in ended.stdout


def test_an_untrained_system_says_that_folds_change_nothing(config: Path) -> None:
    plain = document(run(config, "evaluate", "--pairs", DATA, "--system", "T0", "--json"))
    folded = document(run(config, "evaluate", "--pairs", DATA, "--system", "T0", "--cv", "3", "--json"))
    assert plain == folded
    (result,) = plain["results"]  # type: ignore[misc]
    assert result["way"] == "untrained"  # type: ignore[has-type]
    assert "--cv and --unseen change nothing" in result["statement"]  # type: ignore[has-type]


def test_an_undefined_correlation_is_null_and_said(config: Path) -> None:
    answer = document(run(config, "evaluate", "--pairs", DATA, "--system", "T0", "--json"))
    (result,) = answer["results"]  # type: ignore[misc]
    undefined = result["undefined"]  # type: ignore[has-type]
    assert undefined
    assert all(result["pearson"][kind] is None for kind in undefined)  # type: ignore[has-type]
    assert (result["mean"] is None) == bool(undefined)  # type: ignore[has-type]


def test_collections_never_seen(config: Path) -> None:
    config.write_text(config.read_text() + PROVIDERS)
    answer = document(run(config, "evaluate", "--pairs", DATA, "--system", "plain", "--unseen", "--json"))
    (result,) = answer["results"]  # type: ignore[misc]
    assert result["way"] == "unseen"  # type: ignore[has-type]
    assert "(providers: bridge, docks, mus, north, port)" in result["statement"]  # type: ignore[has-type]
    # of the other providers no two pairs stand inside
    assert result["within_providers"].keys() == {"bridge"}  # type: ignore[has-type]
    assert -1 <= result["within"] <= 1  # type: ignore[has-type]
    assert result["within"] == result["within_providers"]["bridge"]  # type: ignore[has-type]
    assert result["bias"] > 0  # type: ignore[has-type]
    ended = run(config, "evaluate", "--pairs", DATA, "--system", "plain", "--unseen")
    assert ended.exception is None
    rows = [" ".join(line.split()) for line in ended.stdout.splitlines()]
    for start in ("r, pooled ", "r within providers ", "r within bridge ", "absolute bias "):
        assert sum(row.startswith(start) for row in rows) == 1, start


def test_what_the_gold_is_stands_in_every_answer(config: Path, tmp_path: Path) -> None:
    pairs = shutil.copytree(DATA, tmp_path / "typed" / "train")
    answer = document(run(config, "evaluate", "--pairs", pairs, "--system", "T0", "--json"))
    assert answer["pairs"]["gold"] == "as given in STS.gs.europeana.txt"  # type: ignore[index]
    (tmp_path / "typed" / "README.md").write_text("The gold is **model-annotated**, not human.")
    gold = "model-annotated (README.md)"
    trained = document(run(config, "train", "--pairs", pairs, "--json"))
    assert trained["gold"] == gold
    assert str(trained["trained_on"]).endswith(f", gold: {gold})")
    config.write_text(config.read_text() + PROVIDERS)
    for way in ([], ["--system", "T0"], ["--cv", "3", "--unseen"]):
        answer = document(run(config, "evaluate", "--pairs", pairs, *way, "--json"))
        assert answer["pairs"]["gold"] == gold  # type: ignore[index]
        for result in answer["results"]:  # type: ignore[attr-defined]
            assert result["statement"].endswith(f"; gold: {gold}")
        ended = run(config, "evaluate", "--pairs", pairs, *way)
        assert f"gold: {gold}." in " ".join(ended.stdout.split())


def test_too_few_providers_are_refused(config: Path) -> None:
    refused = run(config, "evaluate", "--pairs", DATA, "--system", "plain", "--unseen")
    # pairs of north with port leave only pairs of mus with port, which touch port
    assert isinstance(refused.exception, PairsError)
    assert "no pair is left to train on" in str(refused.exception)


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
    refused = run(config, *arguments, "--pairs", DATA).exception
    assert type(refused) is error


def test_what_stands_in_is_said_before_it_scores(config: Path, tmp_path: Path) -> None:
    stood_in_for = LINKED.replace("regressor: linear", "regressor: linear\n    fallback: T0")
    config.write_text(config.read_text().replace("systems:", stood_in_for.lstrip()))
    ended = run(
        config, "score", "--pairs", DATA, "--system", "linked", "--out", tmp_path / "no" / "scores.txt"
    )
    # the scores are written last, and cannot be
    assert type(ended.exception) is UsageError
    assert "T0 answers in place of linked, which lacks wikipedia: " in " ".join(ended.stderr.split())


def test_importing_the_commands_is_cheap() -> None:
    code = (
        "import sys, typer, service.cli.context; before = set(sys.modules); import evaluation.commands; "
        "print(sorted(set(sys.modules) - before))"
    )
    imported = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    own = (f"evaluation.commands.{name}" for name in COMMANDS)
    expected = ["evaluation", "evaluation.commands", *own]
    assert imported.stdout.strip() == str(expected)
