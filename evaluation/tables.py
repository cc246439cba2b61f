"""Results as sheets of text: one shape for the terminal and for Markdown."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from evaluation.comparison import AblationResult, Component
from evaluation.correlation import LIMITS, Agreement, Interval
from evaluation.results import Result
from models.types import OFFICIAL, SimilarityType

_SHORT = dict(zip(OFFICIAL, ("gen", "auth", "peop", "time", "loc", "event", "subj", "desc"), strict=True))

Named = Sequence[tuple[str, Result]]
"""Results, each with the name that its row has."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """A table of text: what a row is about in the first columns, ``words`` of them, then figures."""

    title: str
    heads: tuple[str, ...]
    rows: Iterable[tuple[str, ...]]
    words: int = 1


def markdown(sheet: Sheet) -> str:
    """A sheet as Markdown.

    >>> print(markdown(Sheet("r", ("system", "mean"), (("T0", ".5"),))))
    r:
    <BLANKLINE>
    | system | mean |
    | --- | ---: |
    | T0 | .5 |
    """
    lines = [f"{sheet.title}:", ""] if sheet.title else []
    marks = ["---" if n < sheet.words else "---:" for n in range(len(sheet.heads))]
    cells = [sheet.heads, marks, *sheet.rows]
    lines += ["| " + " | ".join(cell.replace("|", r"\|") for cell in row) + " |" for row in cells]
    return "\n".join(lines)


def heads(types: Iterable[SimilarityType]) -> tuple[str, ...]:
    """Types as heads of columns.

    >>> heads(("general", "material"))
    ('gen', 'material')
    """
    return tuple(_SHORT.get(kind, kind) for kind in types)


def labelled(name: str, results: Iterable[Result]) -> list[tuple[str, Result]]:
    """The results of a system, each named with how it was trained."""
    return [(f"{name}, {result.label}", result) for result in results]


def correlations(named: Named) -> Sheet:
    """Pearson r by type, the mean with its bootstrap interval, and what carries over where it was tested."""
    rows, types = [], _types(result.agreement.pearson for _, result in named)
    for name, result in named:
        carried = result.carry_over
        over = (number(carried.within), number(carried.bias, 2)) if carried else ("", "")
        rows.append((name, *_figures(types, result.agreement), spread(result.interval), *over))
        rows += [
            (f"of which {part}", *_figures(types, own), "", "", "") for part, own in result.parts.items()
        ]
    return Sheet("Pearson r", ("system", *heads(types), "mean", "95 %", "within", "bias"), rows)


def _figures(types: Iterable[SimilarityType], agreement: Agreement) -> list[str]:
    return [*(number(agreement.pearson.get(kind, np.nan)) for kind in types), number(agreement.mean)]


def errors(named: Named) -> Sheet:
    """How many pairs are off by more than 4, 3 and 2 (thesis, Table 6.4)."""
    types = _types(result.agreement.pearson for _, result in named)
    rows = [
        (f"{name}, > {limit}", *(str(result.agreement.errors[limit].get(kind, "–")) for kind in types))
        for name, result in named
        for limit in LIMITS
    ]
    return Sheet("Pairs with |gold - score|", ("system", *heads(types)), rows)


def carried_over(named: Named) -> list[Sheet]:
    """What is left of a system by provider, of each result for which that was tested."""
    sheets = []
    for name, result in named:
        if carried := result.carry_over:
            figures = {"r, pooled": result.agreement.mean, "r within providers": carried.within}
            figures |= {f"r within {provider}": r for provider, r in carried.providers.items()}
            figures["absolute bias"] = carried.bias
            rows = [(label, number(figure)) for label, figure in figures.items()]
            sheets.append(Sheet(name, ("mean over the types", ""), rows))
    return sheets


def single_features(components: Sequence[Component]) -> Sheet:
    """Each feature's r with the gold, no information counting as 0 (thesis, Table 6.1)."""
    return _single("Pearson r of single features", [(each, each.pearson) for each in components])


def informed_features(components: Sequence[Component]) -> Sheet:
    """Each feature's r with the gold among the pairs of which it tells anything."""
    title = "Pearson r of single features among the pairs they tell anything of"
    return _single(title, [(each, each.among_informed) for each in components])


def _single(title: str, figures: Sequence[tuple[Component, Mapping[SimilarityType, float]]]) -> Sheet:
    rows = [(each.feature, str(each.informed), *map(number, pearson.values())) for each, pearson in figures]
    return Sheet(title, ("feature", "informed", *heads(_types(pearson for _, pearson in figures))), rows)


def _types(figures: Iterable[Iterable[SimilarityType]]) -> tuple[SimilarityType, ...]:
    """All types of which there is a figure; the official ones stand first in each."""
    return tuple(dict.fromkeys(chain(OFFICIAL, *figures)))


def ablation(name: str, parts: Iterable[AblationResult]) -> Sheet:
    """What a system loses without each part."""
    heads = ("without", "mean", "change", "unseen", "change unseen")
    rows = [
        (
            part.without,
            number(part.mean),
            signed(part.change),
            number(part.unseen),
            signed(part.unseen_change),
        )
        for part in parts
    ]
    return Sheet(f"Mean r of {name} without a part", heads, rows)


def chosen(result: Result) -> str:
    """The settings that were chosen in each division."""
    return "; ".join(
        f"{division}: {', '.join(f'{setting} {value}' for setting, value in settings.items())}"
        for division, settings in result.chosen.items()
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


def spread(interval: Interval) -> str:
    """An interval in one cell.

    >>> spread(Interval(0.6701, 0.6912))
    '.670-.691'
    """
    return "–" if np.isnan(interval.low) else f"{number(interval.low)}-{number(interval.high)}"
