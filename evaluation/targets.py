"""Whether systems stand in the order, and reach the figures, that are expected of them."""

import operator
from collections.abc import Mapping
from itertools import pairwise

from evaluation.bootstrap import interval
from evaluation.comparison import Comparison
from evaluation.correlation import Agreement
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


def targets(comparison: Comparison, close: str, held_out: Mapping[str, Result]) -> Sheet:
    """Each expected figure with the one that was found, and by how much it is met or missed.

    ``held_out`` are the results of the system ``close`` on the pairs of a directory by a model of the others.
    """
    rows = []
    for target in TARGETS:
        said = f"{target.system}, {target.way}, {target.figure}"
        said += f", {target.directory}" if target.directory else ""
        bound = f"{'at most' if target.figure == 'bias' else 'at least'} {number(target.value)}"
        if target.way == "held out":
            found = held_out.get(target.directory) if target.system == close else None
            value = figure(found, found.agreement, target) if found else None
        else:
            value = _scored(comparison, target)
        if value is None:
            rows.append((said, bound, "", "not scored"))
            continue
        spare = target.value - value if target.figure == "bias" else value - target.value
        verdict = f"{'met' if spare >= 0 else 'missed'} by {number(abs(spare))}"
        rows.append((said, bound, number(value), verdict))
    return Sheet("Targets", ("figure", "expected", "found", ""), tuple(rows))


def _scored(comparison: Comparison, target: Target) -> float | None:
    results = (each for one in comparison.standings if one.name == target.system for each in one.results)
    result = next((each for each in results if each.way == target.way), None)
    if result is None or (target.directory and target.directory not in result.parts):
        return None
    return figure(result, result.parts[target.directory] if target.directory else result.agreement, target)


def figure(result: Result, agreement: Agreement, target: Target) -> float:
    """The figure of a result that a target names; ``agreement`` is over the pairs that it is of."""
    carried = result.carry_over
    if target.figure in ("within", "bias"):
        return getattr(carried, target.figure) if carried else float("nan")
    if target.figure == "mean":
        return agreement.mean
    if target.figure == "lowest type":
        return min(agreement.pearson.values())
    return agreement.pearson[target.figure]
