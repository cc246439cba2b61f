"""Pairs of several directories: divided together, figures for each, and one held out."""

import shutil
from pathlib import Path

import numpy as np
import pytest

from evaluation.fitting import labels
from evaluation.publication import Target
from evaluation.results import EvaluationData
from evaluation.scoring import prepare
from evaluation.typed import joined, read_directories
from features.arrays import Doubles
from ingest.errors import PairsError, UsageError
from ingest.typed_files import GOLD, INPUT
from models.types import OFFICIAL
from service.sections import EvaluationSettings
from service.settings import load
from tests.evaluation.running import DATA, PROVIDERS, document, run

GOLD_LINES = (DATA / GOLD).read_text().splitlines()


@pytest.fixture
def second(tmp_path: Path) -> Path:
    """Another directory: the second pair of the first, with one text otherwise, and three of its own."""
    folder = tmp_path / "second"
    (folder / "pairs" / "text").mkdir(parents=True)
    ids = [("north:b1", "mus:k/23"), ("a:1", "a:2"), ("a:2", "a:3"), ("a:4", "a:5")]
    (folder / INPUT).write_text("".join(f"urn:record:{one}\turn:record:{two}\n" for one, two in ids))
    titles = ["The Mill", "Model of a mill", "Ship", "Boat", "Boat", "House", "Tree", "Bush"]
    for n, title in enumerate(titles):
        name = f"{n // 2 + 1}{'ab'[n % 2]}_x_{n}.txt"
        (folder / "pairs" / "text" / name).write_text(f"dcTitle:\t{title}\n")
    (folder / GOLD).write_text("\n".join([GOLD_LINES[1], GOLD_LINES[0], GOLD_LINES[3], GOLD_LINES[2]]) + "\n")
    return folder


def test_pairs_of_both_are_read_with_their_own_texts(second: Path) -> None:
    pairs = joined(read_directories([DATA, second]))
    assert [(part.name, part.first, part.number) for part in pairs.parts] == [
        ("typed", 0, 6),
        ("second", 6, 4),
    ]
    # b1 and k/23 are described otherwise in the second: other texts, the same records
    assert pairs.sides[1] == ("north:b1", "mus:k/23")
    assert pairs.sides[6] == ("north:b1 (second)", "mus:k/23 (second)")
    assert pairs.ids[6] == pairs.ids[1]
    assert labels(pairs.ids)[6] == labels(pairs.ids)[1]
    assert (len(pairs.records), pairs.size) == (9 + 7, 9 + 5)
    assert pairs.place(7) == "second 2"


def test_what_does_not_go_together_is_refused(second: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="names a directory twice"):
        read_directories([DATA, DATA / ".." / "typed"])
    wide = shutil.copytree(second, tmp_path / "wide")
    (wide / GOLD).unlink()
    with pytest.raises(PairsError, match="the gold of wide has not the columns of that of typed"):
        joined(read_directories([DATA, wide]))


@pytest.mark.usefixtures("analysed")
def test_every_figure_is_given_for_each_directory(config: Path, second: Path) -> None:
    both = ("--pairs", DATA, "--pairs", second)
    answer = document(run(config, "evaluate", *both, "--system", "T0", "--json"))
    assert answer["pairs"]["number"] == 10  # type: ignore[index]
    (result,) = answer["results"]  # type: ignore[misc]
    each = result["directories"]  # type: ignore[has-type]
    assert {name: part["number"] for name, part in each.items()} == {"typed": 6, "second": 4}
    assert each["typed"]["pearson"].keys() == result["pearson"].keys()  # type: ignore[has-type]
    output = run(config, "evaluate", *both, "--system", "plain", "--cv", "3").stdout
    assert "typed + second: 10 pairs of 14 records" in output
    starts = [line[:14] for line in output.splitlines()]
    first = starts.index("plain, 3 folds")
    assert starts[first : first + 3] == ["plain, 3 folds", "of which typed", "of which secon"]


@pytest.mark.usefixtures("analysed")
def test_the_features_of_a_directory_are_fitted_on_its_own_records(config: Path, second: Path) -> None:
    def of(*directories: Path) -> Doubles:
        read = joined(read_directories(directories))
        systems = {"T0": settings.system("T0")}
        table = prepare(settings, read, systems).table
        return table.over(("all_tfidf", "creator_tfidf"))

    settings = load(config)
    alone, other = of(DATA), of(second)
    # words are as rare as they are among the records of the directory, whatever is beside it
    assert np.array_equal(of(DATA, second), np.vstack([alone, other]), equal_nan=True)
    whole = document(run(config, "evaluate", "--pairs", DATA, "--pairs", second, "--system", "T0", "--json"))
    part = document(run(config, "evaluate", "--pairs", DATA, "--system", "T0", "--json"))
    together = whole["results"][0]["directories"]["typed"]  # type: ignore[index]
    assert together["pearson"] == part["results"][0]["pearson"]  # type: ignore[index]


def test_the_figures_of_a_directory_are_of_its_own_pairs(second: Path) -> None:
    pairs = joined(read_directories([DATA, second]))
    gold = pairs.known_gold()
    # right in the order of the first directory, the wrong way round in that of the second
    scores = np.vstack([gold[:6] / 2 + 1, 5 - gold[6:]])
    parts = EvaluationData(pairs, EvaluationSettings()).of_each_part(gold, scores, OFFICIAL)
    assert (parts["typed"].pairs, parts["second"].pairs) == (6, 4)
    assert parts["typed"].pearson["general"] == pytest.approx(1)
    assert parts["second"].pearson["general"] == pytest.approx(-1)
    assert (
        EvaluationData(read_directories([DATA])[0], EvaluationSettings()).of_each_part(gold, scores, OFFICIAL)
        == {}
    )


@pytest.mark.usefixtures("analysed")
def test_weights_name_all_directories_and_are_known_on_each(config: Path, second: Path) -> None:
    answer = document(run(config, "train", "--pairs", DATA, "--pairs", second, "--json"))
    first, _, other = str(answer["trained_on"]).partition(" + ")
    assert first.startswith("typed (6 pairs, e5d5df8fcbb1d0a2, gold: ")
    assert other.startswith("second (4 pairs, ")
    output = " ".join(run(config, "evaluate", "--pairs", second).stdout.split())
    assert "these very pairs, so the figures flatter it" in output
    third = shutil.copytree(second, second.with_name("third"))
    # other gold, and one pair of four is another
    (third / GOLD).write_text("\n".join(reversed(GOLD_LINES[:4])) + "\n")
    (third / INPUT).write_text((third / INPUT).read_text().replace("urn:record:a:5", "urn:record:a:6"))
    output = " ".join(run(config, "evaluate", "--pairs", third, "--pairs", second).stdout.split())
    assert "the pairs of third (3 of 4), second among these, so the figures flatter it" in output


@pytest.mark.usefixtures("analysed")
def test_one_directory_is_held_out(config: Path, second: Path) -> None:
    answer = document(run(config, "evaluate", "--pairs", DATA, "--test", second, "--json"))
    (result,) = answer["results"]  # type: ignore[misc]
    assert result["way"] == "held out"  # type: ignore[has-type]
    # the pair that stands in both is not trained on
    assert "less the 1 pairs that are tested" in result["statement"]  # type: ignore[has-type]
    assert answer["pairs"]["number"] == 4  # type: ignore[index]
    refused = run(config, "evaluate", "--pairs", DATA, "--test", DATA).exception
    assert type(refused) is UsageError
    assert (
        type(run(config, "evaluate", "--pairs", DATA, "--test", second, "--unseen").exception) is UsageError
    )
    # what is not trained sees no pair in any case
    answer = document(run(config, "evaluate", "--pairs", DATA, "--test", second, "--system", "T0", "--json"))
    assert answer["results"][0]["way"] == "untrained"  # type: ignore[index]


@pytest.mark.usefixtures("analysed")
def test_scores_are_of_one_directory(config: Path, second: Path, tmp_path: Path) -> None:
    out = tmp_path / "scores.txt"
    refused = run(config, "score", "--pairs", DATA, "--pairs", second, "--system", "T0", "--out", out)
    assert type(refused.exception) is UsageError
    assert not out.exists()


@pytest.mark.usefixtures("analysed")
def test_results_of_several_directories(
    config: Path, second: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = (
        Target("plain", "cross-validation", "mean", -1, "second"),
        Target("plain", "held out", "event", -1, "second"),
        Target("plain", "unseen", "within", -1),
        Target("plain", "held out", "mean", 0, "third"),
        Target("other", "unseen", "mean", 0),
    )
    monkeypatch.setattr("evaluation.publication.TARGETS", expected)
    (tmp_path / "terms.md").write_text("## Terms of `plain`\n")
    config.write_text(config.read_text() + PROVIDERS.replace("evaluation:", "evaluation:\n  folds: 3"))
    out = tmp_path / "results.md"
    assert run(config, "results", "--pairs", DATA, "--pairs", second, "--out", out).exception is None
    written = out.read_text()
    assert "| pairs | `typed`: 6 pairs, digest `e5d5df8fcbb1d0a2` |" in written
    assert "| trained without second |" in written
    assert "| of which second |" in written
    assert "## Terms of `plain`" in written
    verdicts = [line.split("|")[1::3] for line in written.splitlines() if "at least" in line]
    assert [figure.strip() for figure, _ in verdicts][:2] == [
        "plain, cross-validation, mean, second",
        "plain, held out, event, second",
    ]
    assert [verdict.split()[0] for _, verdict in verdicts] == ["met", "met", "met", "not", "not"]
    assert (tmp_path / "worst.md").read_text().count("  second 2  a:1  a:2\n") == 8
