"""Results as documents for programs, and as sheets for the terminal and for Markdown."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from types import MappingProxyType

import numpy as np
from rich.console import Console

from evaluation.comparison import AblationResult, Comparison, Component
from evaluation.correlation import LIMITS, Agreement, Interval
from evaluation.readers import Readers
from evaluation.results import Result
from evaluation.sheets import Sheet, heads, number, show_line, show_sheets, signed, spread
from models.systems import System
from models.types import OFFICIAL, SimilarityType

Named = Sequence[tuple[str, Result]]
"""Results, each with the name that its row has."""


def labelled(name: str, results: Iterable[Result]) -> list[tuple[str, Result]]:
    """The results of a system, each named with how it was trained."""
    return [(f"{name}, {result.label}", result) for result in results]


BESIDE = """\
95 %: pairs that share a record or a text drawn together; providers: whole providers drawn. within: the mean r
inside the providers; centred: r where gold and scores are less the mean of the pairs of the same two
providers; bias: the mean absolute difference of mean score and mean gold inside them. The mean gold of these
pairs alone, as a score, reaches {means}."""
"""What the figures beside a pooled mean are."""


def correlations(named: Named, readers: Mapping[str, Readers] = MappingProxyType({})) -> Sheet:
    """Pearson r by type, the mean with its intervals, what is left of it without telling providers apart.

    The last rows are what two readers reach.
    """
    rows, types = [], _types(result.agreement.pearson for _, result in named)
    for name, result in named:
        beside = (spread(result.interval), *_beside(result))
        rows.append((name, *_figures(types, result.agreement), *beside))
        rows += [
            (f"of which {part}", *_figures(types, own), "", "", "", "", "")
            for part, own in result.parts.items()
        ]
    rows += [(name, *_readers(types, own), "", "", "", "", "") for name, own in ceilings(readers)]
    heading = ("system", *heads(types), "mean", "95 %", "providers", "within", "centred", "bias")
    return Sheet("Pearson r", heading, rows)


def _beside(result: Result) -> tuple[str, ...]:
    carried, pooled = result.carry_over, result.pooled
    if carried is None or pooled is None:
        return ("", "", "", "")
    return spread(pooled.interval), number(carried.within), number(pooled.centred), number(carried.bias, 2)


def beside(results: Iterable[Result]) -> str:
    """What the figures beside the pooled means of some results are; empty where there are none."""
    means = {number(result.pooled.by_means) for result in results if result.pooled}
    return BESIDE.format(means=" or ".join(sorted(means))) if means else ""


def ceilings(readers: Mapping[str, Readers]) -> list[tuple[str, Readers]]:
    """What two readers reach, by the name of a row.

    >>> ceilings({"train": Readers(400, {}, 0.95)})[0][0]
    'two readers, train (400 pairs)'
    """
    return [(f"two readers, {name} ({own.pairs:,} pairs)", own) for name, own in readers.items()]


def _readers(types: Iterable[SimilarityType], readers: Readers) -> list[str]:
    return [*(number(readers.pearson.get(kind, np.nan)) for kind in types), number(readers.mean)]


def intervals(named: Named) -> Sheet:
    """The bootstrap interval of r in each type."""
    types = _types(result.intervals for _, result in named)
    nothing = Interval(float("nan"), float("nan"))
    rows = [
        (name, *(spread(result.intervals.get(kind, nothing)) for kind in types)) for name, result in named
    ]
    return Sheet("95 % intervals of r", ("system", *heads(types)), rows)


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


def single_features(
    components: Sequence[Component],
    informed: bool = False,
    readers: Mapping[str, Readers] = MappingProxyType({}),
) -> Sheet:
    """Each feature's r with the gold (thesis, Table 6.1), of all pairs or of those it tells anything of."""
    r = [component.among_informed if informed else component.pearson for component in components]
    among = " among the pairs they tell anything of" if informed else ""
    rows = [
        (c.feature, str(c.informed), *map(number, own.values())) for c, own in zip(components, r, strict=True)
    ]
    types = _types(r)
    rows += [(name, "", *_readers(types, own)[:-1]) for name, own in ceilings(readers)]
    return Sheet(f"Pearson r of single features{among}", ("feature", "informed", *heads(types)), rows)


def _types(figures: Iterable[Iterable[SimilarityType]]) -> tuple[SimilarityType, ...]:
    """All types of which there is a figure; the official ones stand first in each."""
    return tuple(dict.fromkeys(chain(OFFICIAL, *figures)))


def ablation(
    name: str, parts: Iterable[AblationResult], readers: Mapping[str, Readers] = MappingProxyType({})
) -> Sheet:
    """What a system loses without each part."""
    heads = ("without", "mean", "change", "unseen", "change unseen")
    rows = [
        (p.without, number(p.mean), signed(p.change), number(p.unseen), signed(p.unseen_change))
        for p in parts
    ]
    rows += [(label, number(own.mean), "", "", "") for label, own in ceilings(readers)]
    return Sheet(f"Mean r of {name} without a part", heads, rows)


def shown_choices(result: Result) -> str:
    """The settings that were chosen in each division."""
    return "; ".join(
        f"{division}: {', '.join(f'{setting} {value}' for setting, value in settings.items())}"
        for division, settings in result.chosen.items()
    )


def document(result: Result) -> dict[str, object]:
    """A result for JSON, by name; a correlation that is undefined is null, and ``undefined`` says why."""
    agreement, carried = result.agreement, result.carry_over
    answer: dict[str, object] = {
        "way": result.way,
        "statement": result.statement,
        "pearson": agreement.pearson,
        "mean": agreement.mean,
        "interval": list(result.interval),
        "intervals": {kind: list(each) for kind, each in result.intervals.items()},
        "undefined": agreement.undefined,
        "floor": result.floor,
        "errors": {f">{limit}": agreement.errors[limit] for limit in LIMITS},
    }
    if carried is not None and result.pooled is not None:
        answer |= {"within": carried.within, "within_providers": carried.providers, "bias": carried.bias}
        answer |= {"centred": result.pooled.centred, "by_means": result.pooled.by_means}
        answer["interval_providers"] = list(result.pooled.interval)
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


def show(
    console: Console,
    system: str,
    results: Sequence[Result],
    readers: Mapping[str, Readers] = MappingProxyType({}),
) -> None:
    """Tables of the correlations, of the large errors and of what carries over, and what they stand on."""
    named = labelled(system, results)
    sheets = [correlations(named, readers), intervals(named), errors(named), *carried_over(named)]
    show_sheets(console, sheets)
    if sentence := beside(results):
        show_line(console, sentence)
    for name, result in named:
        show_line(console, f"{name}: {result.statement}.")
        for kind, reason in result.agreement.undefined.items():
            show_line(console, f"{name}: no correlation for {kind}, and no mean: {reason}.")
        if result.chosen:
            show_line(console, f"{name}: chosen in {shown_choices(result)}.")


def show_comparison(console: Console, comparison: Comparison) -> None:
    """One table of all systems, one of the single features, and what they stand on."""
    named = [row for system in comparison.standings for row in labelled(system.name, system.results)]
    readers = comparison.grounds.readers
    show_sheets(
        console,
        [
            correlations(named, readers),
            intervals(named),
            single_features(comparison.components, readers=readers),
        ],
    )
    if sentence := beside(result for _, result in named):
        show_line(console, sentence)
    for statement in dict.fromkeys(result.statement for _, result in named):
        names = ", ".join(name for name, result in named if result.statement == statement)
        show_line(console, f"{names}: {statement}.")
    if comparison.grounds.unseen_refused:
        show_line(console, f"no test on collections never seen: {comparison.grounds.unseen_refused}")
    for name, sentence in comparison.absent.items():
        show_line(console, f"{name} is not scored: {sentence}")


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


def gain(figures: Mapping[str, Mapping[str, float]]) -> Sheet:
    """r before and after a training on pairs of one's own."""
    rows = [
        (kind, number(before), number(figures["after"][kind]), signed(figures["after"][kind] - before))
        for kind, before in figures["before"].items()
    ]
    return Sheet("Pearson's r, weights at hand and in folds", ("type", "before", "after", "gain"), rows)


def show_weights(console: Console, system: System) -> None:
    """The weights as a table, a row a feature."""
    rows = [(name, *(f"{value:.2f}" for value in row.values())) for name, row in weights(system).items()]
    show_sheets(console, [Sheet(f"Weights of {system.name}", ("feature", *heads(system.types)), rows)])
