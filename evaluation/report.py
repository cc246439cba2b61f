"""Results as documents for programs and as tables for people."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np
from rich import box
from rich.console import Console
from rich.table import Table

from evaluation import tables
from evaluation.comparison import Comparison
from evaluation.correlation import LIMITS
from evaluation.results import Result
from evaluation.tables import Sheet, heads
from evaluation.typed import Pairs
from models.systems import System
from models.types import SimilarityType

WIDTH = 96
"""Columns that the widest table takes: where the terminal has fewer, lines break."""


def document(result: Result) -> dict[str, object]:
    """A result for JSON: ``pearson`` by type, ``mean``, ``errors`` by limit and type, all by name.

    A correlation that is undefined is null, and ``undefined`` says why.
    """
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


def pairs_document(pairs: Pairs, directories: Sequence[Path]) -> dict[str, object]:
    """The pairs for JSON."""
    size = {"number": len(pairs), "records": pairs.size, "digest": pairs.digest}
    return {"directories": list(map(str, directories)), **size, "gold": pairs.gold_source}


def show_size(console: Console, pairs: Pairs) -> None:
    """Where pairs are from, and how many they are."""
    names = " + ".join(part.name for part in pairs.parts)
    show_line(console, f"{names}: {len(pairs):,} pairs of {pairs.size:,} records")


def show(console: Console, system: str, results: Sequence[Result]) -> None:
    """Tables of the correlations, of the large errors and of what carries over, and what they stand on."""
    named = tables.labelled(system, results)
    show_sheets(console, [tables.correlations(named), tables.errors(named), *tables.carried_over(named)])
    for name, result in named:
        show_line(console, f"{name}: {result.statement}.")
        for kind, reason in result.agreement.undefined.items():
            show_line(console, f"{name}: no correlation for {kind}, and no mean: {reason}.")
        if result.chosen:
            show_line(console, f"{name}: chosen in {tables.chosen(result)}.")


def show_comparison(console: Console, comparison: Comparison) -> None:
    """One table of all systems, one of the single features, and what they stand on."""
    named = [row for system in comparison.standings for row in tables.labelled(system.name, system.results)]
    show_sheets(console, [tables.correlations(named), tables.single_features(comparison.components)])
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
