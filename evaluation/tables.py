"""Results as sheets of text: one shape for the terminal and for Markdown."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from evaluation.ablation import Ablated
from evaluation.bootstrap import Interval
from evaluation.components import Component
from evaluation.correlation import LIMITS
from evaluation.results import Result
from models.types import TYPES

SHORT = ("gen", "auth", "peop", "time", "loc", "event", "subj", "desc")
"""The eight types as heads of columns."""

Named = Sequence[tuple[str, Result]]
"""Results, each with the name that its row has."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """A table of text: what a row is about in the first columns, ``words`` of them, then figures."""

    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    words: int = 1


def labelled(name: str, results: Iterable[Result]) -> list[tuple[str, Result]]:
    """The results of a system, each named with how it was trained."""
    return [(f"{name}, {result.label}", result) for result in results]


def correlations(named: Named) -> Sheet:
    """Pearson r by type, the mean with its bootstrap interval, and what carries over where it was tested."""
    rows = []
    for name, result in named:
        found, carried = result.agreement, result.carry_over
        rows.append(
            (
                name,
                *(number(r) for r in found.pearson.values()),
                number(found.mean),
                spread(result.interval),
                number(carried.within) if carried else "",
                number(carried.bias, 2) if carried else "",
            )
        )
    return Sheet("Pearson r", ("system", *SHORT, "mean", "95 %", "within", "bias"), tuple(rows))


def errors(named: Named) -> Sheet:
    """How many pairs are off by more than 4, 3 and 2 (thesis, Table 6.4)."""
    rows = (
        (f"{name}, > {limit}", *(str(count) for count in result.agreement.errors[limit].values()))
        for name, result in named
        for limit in LIMITS
    )
    return Sheet("Pairs with |gold - score|", ("system", *SHORT), tuple(rows))


def carried_over(name: str, result: Result) -> Sheet | None:
    """What is left of a system by provider; None where it was not looked for."""
    found = result.carry_over
    if found is None:
        return None
    figures = [("r, pooled", result.agreement.mean), ("r within providers", found.within)]
    figures += [(f"r within {provider}", r) for provider, r in found.providers.items()]
    figures += [("absolute bias", found.bias)]
    return Sheet(name, ("mean over the types", ""), tuple((what, number(f)) for what, f in figures))


def single_features(found: Iterable[Component]) -> Sheet:
    """Each feature's r with the gold, no information counting as 0 (thesis, Table 6.1)."""
    rows = (
        (each.feature, str(each.informed), *(number(each.pearson[kind]) for kind in TYPES)) for each in found
    )
    return Sheet("Pearson r of single features", ("feature", "informed", *SHORT), tuple(rows))


def informed_features(found: Iterable[Component]) -> Sheet:
    """Each feature's r with the gold among the pairs of which it tells anything."""
    rows = (
        (each.feature, str(each.informed), *(number(each.among_informed[kind]) for kind in TYPES))
        for each in found
    )
    title = "Pearson r of single features among the pairs they tell anything of"
    return Sheet(title, ("feature", "informed", *SHORT), tuple(rows))


def ablation(name: str, found: Iterable[Ablated]) -> Sheet:
    """What a system loses without each part."""
    rows = (
        (
            each.without,
            number(each.mean),
            signed(each.change),
            number(each.unseen),
            signed(each.unseen_change),
        )
        for each in found
    )
    heads = ("without", "mean", "change", "unseen", "change unseen")
    return Sheet(f"Mean r of {name} without a part", heads, tuple(rows))


def chosen(result: Result) -> str:
    """The settings that were chosen in each division."""
    return "; ".join(
        f"{division}: {', '.join(f'{setting} {value}' for setting, value in taken.items())}"
        for division, taken in result.chosen.items()
    )


def number(value: float, digits: int = 3) -> str:
    """A figure as the papers print it; a dash where it is undefined.

    >>> number(0.6806), number(-0.05), number(1.0), number(float("nan")), number(-0.0001)
    ('.681', '-.050', '1.000', '–', '.000')
    """
    if np.isnan(value):
        return "–"
    shown = f"{value:.{digits}f}"
    if float(shown) == 0:
        shown = shown.removeprefix("-")
    return shown.replace("0.", ".", 1) if abs(float(shown)) < 1 else shown


def signed(value: float, digits: int = 3) -> str:
    """A change, with its sign.

    >>> signed(0.0123), signed(-0.0123), signed(0.0001)
    ('+.012', '-.012', '.000')
    """
    shown = number(value, digits)
    return f"+{shown}" if value > 0 and shown.strip(".0") else shown


def spread(found: Interval) -> str:
    """An interval in one cell.

    >>> spread(Interval(0.6701, 0.6912))
    '.670-.691'
    """
    return "–" if np.isnan(found.low) else f"{number(found.low)}-{number(found.high)}"
