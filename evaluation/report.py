"""Results as documents for programs and as tables for people."""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from rich import box
from rich.console import Console
from rich.table import Table

from evaluation.correlation import LIMITS
from evaluation.results import Result
from models.systems import System
from models.types import TYPES, SimilarityType

_SHORT = ("gen", "auth", "peop", "time", "loc", "event", "subj", "desc")


def document(result: Result) -> dict[str, object]:
    """A result for JSON: ``pearson`` by type, ``mean``, ``errors`` by limit and type, all by name.

    A correlation that is undefined is null, and ``undefined`` says why.
    """
    found = result.agreement
    shown: dict[str, object] = {
        "way": result.way,
        "statement": result.statement,
        "pearson": found.pearson,
        "mean": found.mean,
        "undefined": found.undefined,
        "errors": {f">{limit}": found.errors[limit] for limit in LIMITS},
    }
    if result.carry_over is not None:
        shown["within"] = result.carry_over.within
        shown["within_providers"] = result.carry_over.providers
        shown["bias"] = result.carry_over.bias
    return shown


def show(console: Console, system: str, results: Sequence[Result]) -> None:
    """Tables of the correlations, of the large errors and of what carries over, and what they stand on."""
    named = [(f"{system}, {result.label}", result) for result in results]
    rows = [
        (name, *(_number(r) for r in result.agreement.pearson.values()), _number(result.agreement.mean))
        for name, result in named
    ]
    console.print(_table("Pearson r", ["system", *_SHORT, "mean"], rows))
    errors = [
        (f"{name}, > {limit}", *(str(count) for count in result.agreement.errors[limit].values()))
        for name, result in named
        for limit in LIMITS
    ]
    console.print(_table("pairs with |gold - score|", ["system", *_SHORT], errors))
    for name, result in named:
        if result.carry_over is not None:
            found = result.carry_over
            figures = [("r, pooled", result.agreement.mean), ("r within providers", found.within)]
            figures += [(f"r within {provider}", r) for provider, r in found.providers.items()]
            figures += [("absolute bias", found.bias)]
            console.print(_table(name, ["mean over the types", ""], [(n, _number(f)) for n, f in figures]))
    for name, result in named:
        console.print(f"{name}: {result.statement}.", highlight=False, markup=False)
        for kind, reason in result.agreement.undefined.items():
            text = f"{name}: no correlation for {kind}, and no mean: {reason}."
            console.print(text, highlight=False, markup=False)


def weights(system: System) -> dict[str, Mapping[SimilarityType, float]]:
    """A system's weights for JSON: by feature, then by type; ``base`` is what a score starts from.

    >>> weights(System("demo", ("f",), np.full((1, 8), 2.0), np.ones(8), 0.0))["f"][SimilarityType.TIME]
    2.0
    """
    rows = zip((*system.features, "base"), (*system.weights.tolist(), system.base.tolist()), strict=True)
    return {name: dict(zip(TYPES, row, strict=True)) for name, row in rows}


def show_weights(console: Console, system: System) -> None:
    """The weights as a table, a row a feature."""
    rows = [(name, *(f"{value:.2f}" for value in row.values())) for name, row in weights(system).items()]
    console.print(_table(f"weights of {system.name}", ["feature", *_SHORT], rows))


def _number(value: float) -> str:
    return "–" if np.isnan(value) else f"{value:.4f}".replace("0.", ".", 1)


def _table(title: str, heads: Sequence[str], rows: Iterable[Sequence[str]]) -> Table:
    table = Table(
        title=f"\n{title}", title_justify="left", box=box.SIMPLE_HEAD, show_edge=False, padding=(0, 0)
    )
    for n, head in enumerate(heads):
        table.add_column(head, justify="right" if n else "left", no_wrap=bool(n))
    for row in rows:
        table.add_row(*row)
    return table
