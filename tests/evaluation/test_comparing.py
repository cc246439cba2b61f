"""All systems side by side, ablation and published results, with a language that needs no models."""

from pathlib import Path

import pytest

from ingest.errors import UsageError
from tests.evaluation.running import DATA, LINKED, PROVIDERS, TYPES, document, run

pytestmark = pytest.mark.usefixtures("analysed")


def test_all_systems_side_by_side(config: Path) -> None:
    config.write_text(config.read_text().replace("systems:", LINKED.lstrip()) + PROVIDERS)
    answer = document(run(config, "evaluate", "--pairs", DATA, "--all", "--cv", "3", "--json"))
    rows = {each["system"]: each for each in answer["systems"]}  # type: ignore[attr-defined]
    assert list(answer["absent"]) == ["linked"]  # type: ignore[call-overload]
    assert "kindred wikipedia build" in answer["absent"]["linked"]  # type: ignore[index]
    assert "linked" not in rows
    assert [result["way"] for result in rows["plain"]["results"]] == ["cross-validation", "unseen"]
    (untrained,) = rows["T0"]["results"]  # scored once, with what carries over
    assert untrained["way"] == "untrained"
    assert untrained["bias"] > 0
    low, high = rows["plain"]["results"][0]["interval"]
    assert low <= rows["plain"]["results"][0]["mean"] <= high
    # the same figures as of the system alone
    alone = document(
        run(config, "evaluate", "--pairs", DATA, "--system", "plain", "--cv", "3", "--unseen", "--json")
    )
    assert alone["results"] == rows["plain"]["results"]
    features = {each["feature"]: each for each in answer["features"]}  # type: ignore[attr-defined]
    assert "linked" not in features
    assert features["creator_tfidf"]["informed"] == 3
    assert list(features["all_tfidf"]["pearson"]) == TYPES

    output = run(config, "evaluate", "--pairs", DATA, "--all", "--cv", "3").stdout
    shown = [line.split(",")[0] for line in output.splitlines() if line.startswith(("T0,", "plain,"))]
    assert shown[:3] == ["plain", "plain", "T0"]
    assert "linked is not scored" in output


def test_all_systems_on_pairs_of_too_few_providers(config: Path) -> None:
    answer = document(run(config, "evaluate", "--pairs", DATA, "--all", "--cv", "3", "--json"))
    rows = {each["system"]: each for each in answer["systems"]}  # type: ignore[attr-defined]
    assert [result["way"] for result in rows["plain"]["results"]] == ["cross-validation"]
    output = run(config, "evaluate", "--pairs", DATA, "--all", "--cv", "3").stdout
    assert "no test on collections never seen" in output


def test_ablation_by_feature_and_by_measure(config: Path) -> None:
    config.write_text(config.read_text() + PROVIDERS)
    answer = document(run(config, "evaluate", "--pairs", DATA, "--ablate", "--cv", "3", "--json"))
    ablation = answer["ablation"]
    assert {each["without"] for each in ablation} == {"all_tfidf", "title_tfidf"}  # type: ignore[attr-defined]
    changes = [each["change"] for each in ablation]  # type: ignore[attr-defined]
    assert changes == sorted(changes)
    measures = document(
        run(config, "evaluate", "--pairs", DATA, "--ablate", "--measures", "--cv", "3", "--json")
    )
    (only,) = measures["ablation"]  # type: ignore[misc]
    assert only["without"] == "tfidf"  # type: ignore[has-type]
    assert only["features"] == ["all_tfidf", "title_tfidf"]  # type: ignore[has-type]


def test_results_are_written_with_findings_and_the_same_twice(config: Path, tmp_path: Path) -> None:
    config.write_text(config.read_text() + PROVIDERS.replace("evaluation:", "evaluation:\n  folds: 3"))
    out = tmp_path / "docs" / "results.md"
    out.parent.mkdir()
    answer = document(run(config, "results", "--pairs", DATA, "--out", out, "--json"))
    assert answer["systems"] == ["plain", "T0"]
    first, worst = out.read_bytes(), Path(str(answer["worst"])).read_bytes()
    assert b"e5d5df8fcbb1d0a2" in first  # the digest of the pairs
    assert b"| T1 < T2 |" in first
    assert worst.count(b"  north:b1  north:b2\n") == 8  # six pairs: all are listed for every type
    assert run(config, "results", "--pairs", DATA, "--out", out).exception is None
    assert (out.read_bytes(), Path(str(answer["worst"])).read_bytes()) == (first, worst)
    (out.parent / "findings.md").write_text("## What the worst pairs show\n\nNames that differ.\n")
    assert run(config, "results", "--pairs", DATA, "--out", out).exception is None
    assert out.read_text().endswith("## What the worst pairs show\n\nNames that differ.\n")
    assert out.read_text().startswith(first.decode().rstrip())


@pytest.mark.parametrize(
    "arguments",
    [["--all", "--system", "T0"], ["--all", "--ablate"], ["--all", "--unseen"], ["--measures"]],
)
def test_options_that_contradict_each_other_are_refused(config: Path, arguments: list[str]) -> None:
    assert type(run(config, "evaluate", "--pairs", DATA, *arguments).exception) is UsageError
