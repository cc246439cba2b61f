"""Whether systems stand in the order, and reach the figures, that are expected of them."""

import operator
from collections.abc import Mapping
from itertools import pairwise
from typing import Literal, NamedTuple

from evaluation.comparison import Comparison
from evaluation.correlation import Agreement, interval
from evaluation.results import Result
from evaluation.tables import Sheet, number, signed, spread


class Target(NamedTuple):
    """A figure that a system is to reach: at least, or for a bias at most.

    Where ``directory`` is named it is of the pairs of that directory: those of all were scored, or, held out,
    those alone.
    """

    system: str
    way: Literal["cross-validation", "unseen", "held out"]
    figure: Literal["mean", "event", "within", "bias"]
    value: float
    directory: str = ""


ORDER = (
    ("T0", ""),
    ("T1", "<"),
    ("T2", "<"),
    ("T3", "<="),
    ("Unitor", "<"),
    ("kindred", "<"),
    ("kindred-max", "<="),
)
"""The systems by their mean, each with how it stands to the one before."""

TARGETS = (
    Target("T3", "cross-validation", "mean", 0.75),
    Target("kindred", "cross-validation", "mean", 0.875, "train"),
    Target("kindred", "cross-validation", "mean", 0.87, "walters"),
    Target("kindred", "unseen", "mean", 0.855),
    Target("kindred", "unseen", "within", 0.80),
    Target("kindred", "unseen", "bias", 0.12),
    Target("kindred", "held out", "mean", 0.83, "walters"),
    Target("kindred", "held out", "event", 0.68, "walters"),
    Target("kindred-max", "cross-validation", "mean", 0.895, "train"),
    Target("kindred-max", "unseen", "mean", 0.86),
)
"""What the systems are to reach."""


def order(comparison: Comparison) -> Sheet:
    """Each system against the one before it in the expected order, by mean r over seen collections.

    The interval is that of the difference, both systems meeting the same bootstrap resamples.
    """
    seen = {standing.name: standing.results[0] for standing in comparison.standings}
    rows = []
    for (before, _), (name, relation) in pairwise(ORDER):
        expected = f"{before} {relation} {name}"
        if lacking := [each for each in (before, name) if each not in seen]:
            rows.append((expected, "", "", f"{' and '.join(lacking)} not scored"))
            continue
        change = seen[name].agreement.mean - seen[before].agreement.mean
        difference = spread(interval(seen[name].resampled - seen[before].resampled))
        holds = (operator.lt if relation == "<" else operator.le)(0, change)
        rows.append((expected, signed(change), difference, "holds" if holds else "fails"))
    return Sheet("Order", ("expected", "difference", "95 %", ""), rows)


def targets(comparison: Comparison, close: str, apart: Mapping[str, Result]) -> Sheet:
    """Each expected figure with the one that was measured, and by how much it is met or missed.

    ``apart`` are the results of the system ``close`` on the pairs of a directory by a model of the others.
    """
    rows = []
    for target in TARGETS:
        name = ", ".join(filter(None, (target.system, target.way, target.figure, target.directory)))
        bound = f"{'at most' if target.figure == 'bias' else 'at least'} {number(target.value)}"
        if target.way == "held out":
            result = apart.get(target.directory) if target.system == close else None
            value = _figure(result, result.agreement, target) if result else None
        else:
            value = _scored(comparison, target)
        if value is None:
            rows.append((name, bound, "", "not scored"))
            continue
        spare = target.value - value if target.figure == "bias" else value - target.value
        rows.append(
            (name, bound, number(value), f"{'met' if spare >= 0 else 'missed'} by {number(abs(spare))}")
        )
    return Sheet("Targets", ("figure", "expected", "found", ""), rows)


def _scored(comparison: Comparison, target: Target) -> float | None:
    results = (result for own in comparison.standings if own.name == target.system for result in own.results)
    result = next((result for result in results if result.way == target.way), None)
    if result is None or (target.directory and target.directory not in result.parts):
        return None
    return _figure(result, result.parts[target.directory] if target.directory else result.agreement, target)


def _figure(result: Result, agreement: Agreement, target: Target) -> float:
    """The figure of a result that a target names; ``agreement`` is over the pairs that it is of."""
    if target.figure in ("within", "bias"):
        return getattr(result.carry_over, target.figure, float("nan"))
    return agreement.mean if target.figure == "mean" else agreement.pearson[target.figure]
