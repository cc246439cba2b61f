"""From a requirement to its metrics: the table of the framework, and the command that reads it."""

from importlib import import_module
from itertools import product
from pathlib import Path
from typing import get_args

import numpy as np
import pytest

from evaluation.metrics.classes import class_metrics
from evaluation.metrics.composites import pearson_f1_hmean, spearman_f1_hmean, spearman_ncg_hmean
from evaluation.metrics.means import harmonic_mean
from evaluation.metrics.ranking import ncg
from evaluation.requirements import (
    METRICS,
    REQUIREMENTS,
    Cardinality,
    Information,
    Interest,
    Requirement,
    recommended,
)
from ingest.errors import UsageError
from tests.evaluation.running import run


@pytest.fixture
def config(tmp_path: Path) -> Path:
    path = tmp_path / "config.yaml"
    path.write_text(f"state: {{directory: {tmp_path / 'state'}}}\n")
    return path


def test_nine_of_eighteen_combinations_are_plausible() -> None:
    plausible: list[Requirement] = []
    for combination in product(get_args(Cardinality), get_args(Interest), get_args(Information)):
        try:
            plausible += recommended(*combination)
        except UsageError:
            continue
    assert plausible == sorted(REQUIREMENTS, key=plausible.index)
    assert len(set(plausible)) == len(REQUIREMENTS) == 9
    assert {name for one in REQUIREMENTS for name in one.metrics} == METRICS.keys()


@pytest.mark.parametrize("name", METRICS)
def test_the_function_of_every_metric_is_there_and_best_for_the_gold_itself(name: str) -> None:
    module, _, function = METRICS[name].function.rpartition(".")
    gold = np.array([0.0, 1.0, 2.0, 3.0, 4.0, 5.0])
    metric = getattr(import_module(module), function)
    assert metric(gold, gold) == pytest.approx(1)
    assert metric(gold, np.array([1.0, 0.0, 3.0, 2.0, 5.0, 3.4])) < 1


def test_composites_are_harmonic_means_of_their_parts() -> None:
    # order 0 1 2 5 4 3 against 0 .. 5: Spearman 1 - 6 * 8 / (6 * 35); nCG@1 3 / 5
    gold, scores = np.arange(6.0), np.array([0.0, 1.0, 2.0, 5.0, 4.0, 3.0])
    r = 1 - 48 / 210
    assert spearman_ncg_hmean(gold, scores, (1,)) == pytest.approx(2 * r * 0.6 / (r + 0.6))
    assert ncg(gold, scores, 1) == 0.6
    # F1 low 1; high: 3 and 4 named, 4 and 5 there: 1/2; harmonic 2/3
    assert class_metrics(gold, scores).f1_hmean == pytest.approx(2 / 3)
    assert spearman_f1_hmean(gold, scores) == pytest.approx(harmonic_mean(2 / 3, r))
    assert pearson_f1_hmean(gold, scores) == pytest.approx(harmonic_mean(2 / 3, r))


def test_the_command_names_the_metrics_of_a_list_of_neighbours(config: Path) -> None:
    wanted = ("--cardinality", "1:n", "--interest", "k-best", "--information", "rank")
    ended = run(config, "metric", *wanted)
    assert ended.exception is None
    assert "spearman_ncg_hmean" in ended.stdout
    assert "mean_ndcg" in ended.stdout
    assert "pearson_ncg_hmean" not in ended.stdout
    document = run(config, "metric", *wanted, "--json").stdout
    assert '"function": "evaluation.metrics.ranking.mean_ndcg"' in document


def test_without_an_option_the_command_names_all(config: Path) -> None:
    ended = run(config, "metric", "--json")
    assert ended.stdout.count('"cardinality"') == 9


def test_what_the_framework_has_no_metric_for_is_refused(config: Path) -> None:
    ended = run(config, "metric", "--cardinality", "1:1", "--information", "rank")
    assert isinstance(ended.exception, UsageError)
    assert "one score" in str(ended.exception)
    ended = run(config, "metric", "--interest", "k-best", "--information", "classification")
    assert isinstance(ended.exception, UsageError)
    assert "no classification of the k best" in str(ended.exception)
