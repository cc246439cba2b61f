"""Scores of any system, from its answer to the task or from a declared system, beside each other."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np

from evaluation import report, sheets
from evaluation.correlation import group_counts, interval, known, pearson, resampled_pearson
from evaluation.fitting import Prediction
from evaluation.metrics.correlation import spearman
from evaluation.metrics.errors import mean_absolute_difference, mean_square_difference
from evaluation.metrics.ranking import ndcg
from evaluation.results import EvaluationData, Result, evaluate, result
from evaluation.running import Run
from evaluation.sheets import Sheet, heads, number, signed, spread
from evaluation.significance import Difference, holm_of_defined, of_resampled, williams_test
from evaluation.typed import read_scores
from features.arrays import Doubles
from ingest.errors import PairsError, UsageError
from models.types import SimilarityType

METRICS: Final[Mapping[str, Callable[[Doubles, Doubles], float]]] = {
    "Pearson's r": pearson,
    "Spearman's rho": spearman,
    "nDCG@3": lambda gold, scores: ndcg(gold, scores, 3),
    "nDCG@10": lambda gold, scores: ndcg(gold, scores, 10),
    "MAD": mean_absolute_difference,
    "MSD": mean_square_difference,
}
"""What is told of scores with ``--metrics``, each of gold and scores of one type (Beyer 2.3)."""

_SAME: Final = 1 - 1e-6  # r of scores that differ by rounding alone


@dataclass(frozen=True, slots=True)
class Contest:
    """Two systems on the same pairs: by type the difference of r and Williams' p, and that of the mean."""

    by_type: dict[SimilarityType, Difference]
    corrected: dict[SimilarityType, float]
    mean: Difference


def evaluate_given(run: Run, files: list[Path], metrics: bool) -> None:
    """How well the scores in some files agree with the gold of the pairs."""
    data = run.data(run.pairs)
    results = [_given(data, file) for file in files]
    document: dict[str, object] = {
        "scores": [
            {"file": str(file), **report.document(one)} for file, one in zip(files, results, strict=True)
        ],
        "readers": data.readers,
    }
    if metrics:
        document["metrics"] = {
            str(file): _measured(data, one) for file, one in zip(files, results, strict=True)
        }
    named = list(zip((file.name for file in files), results, strict=True))

    def show() -> None:
        console = run.context.console
        sheets.show_sheets(console, [report.correlations(named, data.readers), report.intervals(named)])
        if metrics:
            sheets.show_sheets(console, [metrics_sheet(data, name, one) for name, one in named])

    run.answer(document, show)


def compare_two(run: Run, names: tuple[str, str], cv: int | None, unseen: bool) -> None:
    """Two systems on the same pairs, each a file of scores or a declared system, which is scored in folds."""
    data = run.data(run.pairs)
    one, two = (_of(run, data, name, cv, unseen) for name in names)
    if one.agreement.pearson.keys() != two.agreement.pearson.keys():
        raise UsageError("the two have scores of different types: compare systems of the same types")
    contest = contested(data, one, two)
    document = {
        "compared": [
            {"name": name, **report.document(each)} for name, each in zip(names, (one, two), strict=True)
        ],
        "differences": {
            "by_type": {
                kind: {**_document(each), "p_corrected": contest.corrected[kind]}
                for kind, each in contest.by_type.items()
            },
            "mean": _document(contest.mean),
        },
    }
    run.answer(document, lambda: sheets.show_sheets(run.context.console, [_sheet(names, one, two, contest)]))


def contested(data: EvaluationData, one: Result, two: Result) -> Contest:
    """Compare two results of the same pairs.

    Of each type Williams' test of two correlations that share the gold, with Holm's correction for the number
    of types; of the mean a paired bootstrap over groups of pairs that share records.
    """
    types, seed = tuple(one.agreement.pearson), data.settings.seed
    gold = data.gold_of(types)
    counts = group_counts(data.group, seed)
    resampled = resampled_pearson(gold, one.scores, counts) - resampled_pearson(gold, two.scores, counts)
    by_type = {
        kind: _of_type(gold[:, place], one.scores[:, place], two.scores[:, place], resampled[:, place])
        for place, kind in enumerate(types)
    }
    corrected = holm_of_defined([each.p for each in by_type.values()])
    mean = of_resampled(one.agreement.mean - two.agreement.mean, resampled.mean(axis=1))
    return Contest(by_type, dict(zip(types, corrected, strict=True)), mean)


def _of_type(gold: Doubles, one: Doubles, two: Doubles, resampled: Doubles) -> Difference:
    """The difference of r over the pairs that have gold, its bootstrap interval, and Williams' p."""
    own = ~np.isnan(gold)
    sides = ((gold[own], one[own]), (gold[own], two[own]), (one[own], two[own]))
    first, second, between = (pearson(*both) for both in sides)
    bounds = interval(resampled[~np.isnan(resampled)])
    if between > _SAME:
        return Difference(first - second, bounds, 1.0)
    try:
        p = williams_test(first, second, between, int(own.sum())).p
    except UsageError:  # an r that is undefined or perfect has no test
        p = float("nan")
    return Difference(first - second, bounds, p)


def metrics_sheet(data: EvaluationData, name: str, own: Result) -> Sheet:
    """Every metric of :data:`METRICS` for each type."""
    rows = [(metric, *map(number, figures.values())) for metric, figures in _measured(data, own).items()]
    return Sheet(name, ("metric", *heads(tuple(own.agreement.pearson))), rows)


def _measured(data: EvaluationData, own: Result) -> dict[str, dict[SimilarityType, float]]:
    types = tuple(own.agreement.pearson)
    columns = {
        kind: known(gold, scores)
        for kind, gold, scores in zip(types, data.gold_of(types).T, own.scores.T, strict=True)
    }
    return {
        name: {kind: metric(*sides) if len(sides[0]) else float("nan") for kind, sides in columns.items()}
        for name, metric in METRICS.items()
    }


def _given(data: EvaluationData, file: Path) -> Result:
    types = tuple(data.pairs.types)
    scores = read_scores(file, types)
    if len(scores) != len(data.pairs):
        raise PairsError(f"{file} has {len(scores):,} lines; the pairs are {len(data.pairs):,}, a line each")
    # NA in an answer says that there is nothing of the type, which counts 0, as kindred score writes it
    predicted = Prediction(np.nan_to_num(scores, nan=0.0), {})
    return result(
        data, types[: scores.shape[1]], "given", "given", f"scores of {file.name}, as given", predicted
    )


def _of(run: Run, data: EvaluationData, name: str, cv: int | None, unseen: bool) -> Result:
    """The scores of a file of that name, else those of the declared system in folds, or unseen."""
    if Path(name).is_file():
        return _given(data, Path(name))
    named = replace(run, name=name, system=run.context.settings.system(name))
    return evaluate(named.task(run.pairs), None if unseen else cv or 0, unseen)[0]


def _sheet(names: tuple[str, str], one: Result, two: Result, contest: Contest) -> Sheet:
    rows = [
        (
            kind,
            number(one.agreement.pearson[kind]),
            number(two.agreement.pearson[kind]),
            signed(each.difference),
            spread(each.interval),
            number(each.p),
            number(contest.corrected[kind]),
        )
        for kind, each in contest.by_type.items()
    ]
    means = number(one.agreement.mean), number(two.agreement.mean)
    whole = contest.mean
    rows.append(("mean", *means, signed(whole.difference), spread(whole.interval), number(whole.p), ""))
    columns = ("type", *(Path(name).name for name in names), "difference", "95 %", "p", "Holm")
    return Sheet("Pearson's r, and p by Williams' test; of the mean by a paired bootstrap", columns, rows)


def _document(difference: Difference) -> dict[str, object]:
    # what is undefined is NaN, which JSON has as null
    return {
        "difference": difference.difference,
        "p": difference.p,
        "interval": list(difference.interval),
    }
