"""Results as documents for programs, and as sheets of text for the terminal and for Markdown."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np
from rich import box
from rich.console import Console
from rich.table import Table

from evaluation.comparison import AblationResult, Comparison, Component
from evaluation.correlation import LIMITS, Agreement, Interval
from evaluation.results import Result
from models.systems import System
from models.types import OFFICIAL, SimilarityType

_SHORT = dict(zip(OFFICIAL, ("gen", "auth", "peop", "time", "loc", "event", "subj", "desc"), strict=True))

Named = Sequence[tuple[str, Result]]
"""Results, each with the name that its row has."""


class Sheet(NamedTuple):
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


def single_features(components: Sequence[Component], informed: bool = False) -> Sheet:
    """Each feature's r with the gold (thesis, Table 6.1), of all pairs or of those it tells anything of."""
    r = [component.among_informed if informed else component.pearson for component in components]
    among = " among the pairs they tell anything of" if informed else ""
    rows = [
        (c.feature, str(c.informed), *map(number, own.values())) for c, own in zip(components, r, strict=True)
    ]
    return Sheet(f"Pearson r of single features{among}", ("feature", "informed", *heads(_types(r))), rows)


def _types(figures: Iterable[Iterable[SimilarityType]]) -> tuple[SimilarityType, ...]:
    """All types of which there is a figure; the official ones stand first in each."""
    return tuple(dict.fromkeys(chain(OFFICIAL, *figures)))


def ablation(name: str, parts: Iterable[AblationResult]) -> Sheet:
    """What a system loses without each part."""
    heads = ("without", "mean", "change", "unseen", "change unseen")
    rows = [
        (p.without, number(p.mean), signed(p.change), number(p.unseen), signed(p.unseen_change))
        for p in parts
    ]
    return Sheet(f"Mean r of {name} without a part", heads, rows)


def shown_choices(result: Result) -> str:
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


WIDTH = 96
"""Columns that the widest table takes: where the terminal has fewer, lines break."""


def document(result: Result) -> dict[str, object]:
    """A result for JSON, by name; a correlation that is undefined is null, and ``undefined`` says why."""
    agreement, carried = result.agreement, result.carry_over
    answer: dict[str, object] = {
        "way": result.way,
        "statement": result.statement,
        "pearson": agreement.pearson,
        "mean": agreement.mean,
        "interval": list(result.interval),
        "undefined": agreement.undefined,
        "floor": result.floor,
        "errors": {f">{limit}": agreement.errors[limit] for limit in LIMITS},
    }
    if carried is not None:
        answer |= {"within": carried.within, "within_providers": carried.providers, "bias": carried.bias}
    if result.parts:
        answer["directories"] = {
            name: {"number": part.pairs, "pearson": part.pearson, "mean": part.mean}
            for name, part in result.parts.items()
        }
    return {**answer, "chosen": result.chosen} if result.chosen else answer


def comparison_document(comparison: Comparison) -> dict[str, object]:
    """All systems for JSON: each with its features and results, those left out, and the single features."""
    systems = [
        {
            "system": system.name,
            "title": system.settings.title,
            "features": system.settings.needs,
            "results": [document(result) for result in system.results],
        }
        for system in comparison.standings
    ]
    return {"systems": systems, "absent": comparison.absent, "features": comparison.components}


def show(console: Console, system: str, results: Sequence[Result]) -> None:
    """Tables of the correlations, of the large errors and of what carries over, and what they stand on."""
    named = labelled(system, results)
    show_sheets(console, [correlations(named), errors(named), *carried_over(named)])
    for name, result in named:
        show_line(console, f"{name}: {result.statement}.")
        for kind, reason in result.agreement.undefined.items():
            show_line(console, f"{name}: no correlation for {kind}, and no mean: {reason}.")
        if result.chosen:
            show_line(console, f"{name}: chosen in {shown_choices(result)}.")


def show_comparison(console: Console, comparison: Comparison) -> None:
    """One table of all systems, one of the single features, and what they stand on."""
    named = [row for system in comparison.standings for row in labelled(system.name, system.results)]
    show_sheets(console, [correlations(named), single_features(comparison.components)])
    for statement in dict.fromkeys(result.statement for _, result in named):
        names = ", ".join(name for name, result in named if result.statement == statement)
        show_line(console, f"{names}: {statement}.")
    if comparison.grounds.unseen_refused:
        show_line(console, f"no test on collections never seen: {comparison.grounds.unseen_refused}")
    for name, sentence in comparison.absent.items():
        show_line(console, f"{name} is not scored: {sentence}")


def show_sheets(console: Console, sheets: Iterable[Sheet]) -> None:
    """Sheets as tables, none cut off."""
    console.width = max(console.width, WIDTH)
    for sheet in sheets:
        table = Table(
            title=f"\n{sheet.title}",
            title_justify="left",
            box=box.SIMPLE_HEAD,
            show_edge=False,
            padding=(0, 0),
        )
        for n, head in enumerate(sheet.heads):
            table.add_column(head, justify="left" if n < sheet.words else "right", no_wrap=n >= sheet.words)
        for row in sheet.rows:
            table.add_row(*row)
        console.print(table)


def show_line(console: Console, text: str) -> None:
    """A sentence, as it is."""
    console.print(text, highlight=False, markup=False)


def weights(system: System) -> dict[str, Mapping[SimilarityType, float]]:
    """A system's weights for JSON: by feature, then by type; ``base`` is what a score starts from.

    The weight of a shape function is what a value of 1 adds to that of 0. A system that is not
    additive has none.

    >>> from models.regressors.linear import Weighted
    >>> line = Weighted(np.full((1, 8), 2.0), np.ones(8))
    >>> weights(System("demo", ("f",), line))["f"]["time"]
    2.0
    """
    additive = system.additive
    if additive is None:
        return {}
    most, least = (additive.terms(np.full(additive.width, value)) for value in (1.0, 0.0))
    names = (*system.features[: additive.width], "base")
    rows = np.vstack([most - least, additive.base]).tolist()
    return {name: dict(zip(system.types, row, strict=True)) for name, row in zip(names, rows, strict=True)}


def show_weights(console: Console, system: System) -> None:
    """The weights as a table, a row a feature."""
    rows = [(name, *(f"{value:.2f}" for value in row.values())) for name, row in weights(system).items()]
    show_sheets(console, [Sheet(f"Weights of {system.name}", ("feature", *heads(system.types)), rows)])
