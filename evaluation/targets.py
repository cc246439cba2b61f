"""Whether systems stand in the order, and reach the figures, that are expected of them."""

import operator
from itertools import pairwise

from evaluation.bootstrap import interval
from evaluation.comparison import Comparison
from evaluation.references import ORDER, TARGETS, Target
from evaluation.results import Result
from evaluation.tables import Sheet, number, signed, spread


def order(comparison: Comparison) -> Sheet:
    """Each system against the one before it in the expected order, by mean r over seen collections.

    The interval is that of the difference, both systems meeting the same bootstrap resamples.
    """
    seen = {standing.name: standing.results[0] for standing in comparison.standings}
    rows = []
    for (before, _), (name, relation) in pairwise(ORDER):
        if before not in seen or name not in seen:
            lacking = " and ".join(each for each in (before, name) if each not in seen)
            rows.append((f"{before} {relation} {name}", "", "", f"{lacking} not scored"))
            continue
        change = seen[name].agreement.mean - seen[before].agreement.mean
        holds = operator.lt if relation == "<" else operator.le
        rows.append(
            (
                f"{before} {relation} {name}",
                signed(change),
                spread(interval(seen[name].resampled - seen[before].resampled)),
                "holds" if holds(0, change) else "fails",
            )
        )
    return Sheet("Order", ("expected", "difference", "95 %", ""), tuple(rows))


def targets(comparison: Comparison) -> Sheet:
    """Each expected figure with the one that was found, and by how much it is met or missed."""
    found = {
        (standing.name, each.way): each for standing in comparison.standings for each in standing.results
    }
    rows = []
    for target in TARGETS:
        said = f"{target.system}, {target.way}, {target.figure}"
        bound = f"{'at most' if target.figure == 'bias' else 'at least'} {number(target.value)}"
        result = found.get((target.system, target.way))
        if result is None:
            rows.append((said, bound, "", "not scored"))
            continue
        value = figure(result, target)
        spare = target.value - value if target.figure == "bias" else value - target.value
        verdict = f"{'met' if spare >= 0 else 'missed'} by {number(abs(spare))}"
        rows.append((said, bound, number(value), verdict))
    return Sheet("Targets", ("figure", "expected", "found", ""), tuple(rows))


def figure(result: Result, target: Target) -> float:
    """The figure of a result that a target names."""
    if target.figure == "mean":
        return result.agreement.mean
    if target.figure == "lowest type":
        return min(result.agreement.pearson.values())
    return result.carry_over.bias if result.carry_over else float("nan")
