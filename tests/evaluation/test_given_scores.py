"""``kindred evaluate`` with the scores of any program, and with two systems against each other."""

from pathlib import Path

import numpy as np
import pytest

from evaluation.typed import read_scores
from ingest.errors import PairsError, UnknownSystem, UsageError
from tests.evaluation.running import DATA, TYPES, document, run

pytestmark = pytest.mark.usefixtures("analysed")
GOLD = DATA / "STS.gs.europeana.txt"


@pytest.fixture
def scores(tmp_path: Path) -> Path:
    """The gold, but for general scores that are turned round, one that has nothing and one that is wrong."""
    lines = [line.split("\t") for line in GOLD.read_text().splitlines()]
    for cells in lines:
        cells[0] = f"{5 - float(cells[0]):g}"
    lines[5][7] = "NA"
    lines[1][4] = "2"
    file = tmp_path / "mine.txt"
    file.write_text("".join("\t".join(cells) + "\n" for cells in lines))
    return file


def test_the_scores_of_any_program_are_measured(config: Path, scores: Path) -> None:
    answer = document(run(config, "evaluate", "--pairs", DATA, "--scores", scores, "--metrics", "--json"))
    (own,) = answer["scores"]  # type: ignore[misc]
    assert own["file"] == str(scores)  # type: ignore[has-type]
    assert own["statement"].startswith("scores of mine.txt, as given; gold: ")  # type: ignore[has-type]
    r = own["pearson"]  # type: ignore[has-type]
    assert (r["general"], r["time"]) == pytest.approx((-1, 1))
    # NA is 0 where the gold has .4, the lowest of six
    gold = read_scores(GOLD)[:, 7]
    expected = np.corrcoef(gold, [*gold[:5], 0])[0, 1]
    assert r["description"] == pytest.approx(expected)
    metrics = answer["metrics"][str(scores)]  # type: ignore[index]
    assert metrics["Spearman's rho"]["general"] == pytest.approx(-1)
    assert (metrics["nDCG@3"]["time"], metrics["MAD"]["time"]) == pytest.approx((1, 0))
    assert "Spearman" in run(config, "evaluate", "--pairs", DATA, "--scores", scores, "--metrics").stdout


def test_two_systems_are_compared(config: Path, scores: Path) -> None:
    answer = document(run(config, "evaluate", "--pairs", DATA, "--compare", scores, "T0", "--json"))
    mine, baseline = answer["compared"]  # type: ignore[misc]
    assert (mine["name"], baseline["name"]) == (str(scores), "T0")  # type: ignore[has-type]
    of = answer["differences"]["by_type"]  # type: ignore[index]
    assert list(of) == TYPES
    expected = -1 - baseline["pearson"]["general"]  # type: ignore[has-type]
    assert of["general"]["difference"] == pytest.approx(expected)
    # the general scores are turned round exactly: an r of -1 has no test
    assert of["general"]["p"] is None
    assert 0 < of["location"]["p"] <= of["location"]["p_corrected"] <= 1
    low, high = of["general"]["interval"]
    assert low <= high < 0
    # no date is read of these words: r is undefined, and so is its difference
    assert of["time"]["difference"] is None
    assert "Holm" in run(config, "evaluate", "--pairs", DATA, "--compare", scores, "T0").stdout


def test_a_file_against_itself_is_no_better(config: Path, scores: Path) -> None:
    answer = document(run(config, "evaluate", "--pairs", DATA, "--compare", scores, scores, "--json"))
    of = answer["differences"]["by_type"]  # type: ignore[index]
    assert {(of[kind]["difference"], of[kind]["p"]) for kind in TYPES} == {(0.0, 1.0)}


@pytest.mark.parametrize(
    ("options", "error", "sentence"),
    [
        (["--scores", "SCORES", "--system", "T0"], UsageError, "leave out other ways"),
        (["--compare", "SCORES", "T0", "--ablate"], UsageError, "leave out --system"),
        (["--compare", "SCORES", "nobody"], UnknownSystem, "nobody"),
        (["--metrics"], UsageError, "add --scores"),
        (["--scores", "gone.txt"], PairsError, "cannot be read"),
        (["--scores", "SHORT"], PairsError, "has 1 lines; the pairs are 6"),
    ],
)
def test_what_makes_no_sense_is_refused(
    config: Path, scores: Path, options: list[str], error: type[Exception], sentence: str
) -> None:
    short = scores.with_name("short.txt")
    short.write_text("1 2 3 4 5 0 1 2\n")
    named = {"SCORES": scores, "SHORT": short}
    result = run(config, "evaluate", "--pairs", DATA, *(named.get(one, one) for one in options))
    assert isinstance(result.exception, error)
    assert sentence in str(result.exception)
