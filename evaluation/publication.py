"""docs/results.md: all that was measured; the same pairs, settings and resources give the same bytes."""

import operator
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Literal, NamedTuple

import numpy as np

from evaluation.comparison import AblationResult, Comparison, SystemResult
from evaluation.correlation import RESAMPLES, Agreement
from evaluation.report import (
    ablation,
    beside,
    correlations,
    errors,
    intervals,
    labelled,
    shown_choices,
    single_features,
)
from evaluation.results import Result
from evaluation.sheets import Sheet, heads, markdown, number, signed, spread
from evaluation.significance import Difference, holm_of_defined, of_resampled
from ingest.errors import UsageError
from ingest.storage.files import unwritable_output, write_whole
from models.types import OFFICIAL

FINDINGS = "findings.md"
"""The file beside the results that people write; its headings begin at the second rank."""

TERMS = "terms.md"
"""The file beside the results with the chosen terms, which ``kindred select`` writes."""

WORST = "worst.md"
"""The file beside the results with the worst pairs."""

WORST_PAIRS = 50
"""Pairs of each type that it lists, as the thesis looks at."""

PUBLISHED = {
    "750 test pairs of the task": """\
official baseline   .6691 .4278 .4460 .5002 .4835 .3062 .5015 .5810 .4894
knowledge (RUN1)    .7256 .4568 .4467 .5762 .4858 .3090 .5015 .5810 .5103
14 features (RUN2)  .7457 .6618 .6518 .7466 .7244 .6533 .7404 .7751 .7124
21 features (RUN3)  .7461 .6656 .6544 .7411 .7257 .6545 .7417 .7763 .7132
Unitor, RBF         .7981 .8158 .6922 .7471 .7723 .6835 .7875 .7996 .7620
""",
    "750 training pairs of the task, 10-fold cross-validation": """\
official baseline   .658 .396 .474 .548 .472 .264 .498 .539 .481
knowledge           .727 .447 .465 .588 .480 .285 .497 .539 .503
14 features (RUN2)  .7777 .6680 .6767 .7609 .7329 .6412 .7516 .8024 .7264
21 features (RUN3)  .7866 .6941 .6965 .7654 .7492 .6551 .7586 .8067 .7390
""",
}
"""Published r by type in the official order, and the mean (*SEM 2013; thesis, Tables 5.3, 6.3 and 6.2)."""


class Target(NamedTuple):
    """A figure that a system is to reach, or for a bias not to exceed, on all pairs or on a directory's."""

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

_WRITTEN = """\
Written by `kindred results`; a new run writes it anew. What people add stands in a file of its own,
`findings.md`, which is included at the end, as is `terms.md`, which `kindred select` writes. The pairs that
`{name}` is most wrong about are in [worst.md](worst.md)."""
_SCORED = """\
Each system twice: every pair scored by a model of the other folds, and by a model that saw no pair of the
providers of its two records (*unseen*). r is over all pairs pooled. A system that is not trained is scored
once. Intervals are of {resamples:,} bootstrap resamples, drawn with replacement; the scores stay. {beside}"""
_ORDERED = """\
By the mean over the folds. *95 %* is the interval of the difference, both systems meeting the same
bootstrap resamples; *p* is two-sided by these, *Holm* the same corrected for the number of rows. An order
holds where the difference has the sign that was expected; it is more than chance where Holm's p is low."""
_APART = """\
`{name}` on the pairs of one directory by a model that was trained on those of the others, as `kindred train`
and then `kindred score` would do it: features are fitted on the records of either side alone."""
_OFF = "Pairs whose score is off by more than 4, 3 and 2, as in Table 6.4 of the thesis."
_ALONE = """\
As in Table 6.1 of the thesis: r of each feature alone. *informed* is the number of pairs that it tells
anything of; where it tells nothing it counts as 0."""
_WITHOUT = """\
The mean r over the folds and unseen where a feature, or all features of a measure, are left out and the
system is trained again; what costs most comes first."""
_OTHER = """\
**Other data**: the Europeana pairs of the task, with human gold. These figures cannot be compared with
those above; they show how far apart the systems were."""
_WORST = """\
Written by `kindred results`: for each type the {number} pairs that `{name}` is most wrong about, as gold,
score, directory and number of the pair, and the ids of the two records. Scores by {statement}."""


class ResultsReport(NamedTuple):
    """What is published: all systems, and one of them closely.

    ``apart`` are its results on the pairs of each directory, trained on the others. ``parts`` is what
    it loses without the features of each measure; empty where it is not trained.
    """

    comparison: Comparison
    close: SystemResult
    apart: Mapping[str, Result]
    parts: Sequence[AblationResult]


def results(report: ResultsReport, included: Sequence[str]) -> str:
    """The text of the results; texts that stand beside them are included as they are."""
    comparison, close = report.comparison, report.close.name
    named = [row for each in comparison.standings for row in labelled(each.name, each.results)]
    seen = [row for each in comparison.standings for row in labelled(each.name, each.results[:1])]
    systems = [(s.name, s.settings.title, str(len(s.settings.needs))) for s in comparison.standings]
    readers = comparison.grounds.readers
    apart = [(f"trained without {name}", result) for name, result in report.apart.items()]
    blocks = [
        "# Results",
        _WRITTEN.format(name=close),
        "## Data and settings",
        markdown(_data(comparison)),
        *(f"Chosen for {name}: {shown_choices(result)}." for name, result in named if result.chosen),
        "## Systems",
        markdown(Sheet("", ("system", "what it is", "features"), systems, words=2)),
        *(f"`{name}` is not scored: {sentence}" for name, sentence in comparison.absent.items()),
        "## Pearson r with the gold",
        _SCORED.format(resamples=RESAMPLES, beside=beside(result for _, result in named)).strip(),
        markdown(correlations(named, readers)),
        markdown(intervals(named)),
    ]
    if apart:
        blocks += ["## Directories held out", _APART.format(name=close), markdown(correlations(apart))]
    blocks += [
        "## Order and targets",
        _ORDERED,
        markdown(_order(comparison)),
        markdown(_targets(comparison, close, report.apart)),
        "## Large errors",
        _OFF,
        markdown(errors(seen)),
        "## Single features",
        _ALONE,
        markdown(single_features(comparison.components, readers=readers)),
        markdown(single_features(comparison.components, informed=True)),
    ]
    if report.parts:
        parts = markdown(ablation(close, report.parts, readers))
        blocks += [f"## What `{close}` loses without a part", _WITHOUT, parts]
    blocks += ["## Published figures", _OTHER]
    blocks += [markdown(_published(title, text)) for title, text in PUBLISHED.items()]
    blocks += [text.strip() for text in included]
    return "\n\n".join(block for block in blocks if block) + "\n"


def worst(report: ResultsReport) -> str:
    """The pairs that a system is most wrong about, type by type: gold, score, and the two records."""
    data, result = report.comparison.grounds, report.close.results[0]
    heading = _WORST.format(number=WORST_PAIRS, name=report.close.name, statement=result.statement)
    blocks = ["# Worst pairs", heading]
    for kind, scores in zip(result.agreement.pearson, result.scores.T, strict=True):
        gold = data.gold[:, tuple(data.pairs.types).index(kind)]
        lines = [
            f"{gold[row]:.2f} {scores[row]:.2f}  {data.pairs.place(row)}  {'  '.join(data.pairs.ids[row])}"
            for row in np.argsort(-np.abs(gold - scores).round(9), kind="stable")[:WORST_PAIRS].tolist()
        ]
        blocks += [f"## {kind.capitalize()}", "\n".join(["```", *lines, "```"])]
    return "\n\n".join(blocks) + "\n"


def _data(comparison: Comparison) -> Sheet:
    data = comparison.grounds
    pairs, seed = data.pairs, data.settings.seed
    facts = [
        *(("pairs", f"`{part.name}`: {part.number:,} pairs, digest `{part.digest}`") for part in pairs.parts),
        ("records", f"{pairs.size:,}"),
        ("gold", pairs.gold_source),
        ("folds", f"{len(data.folds(0))}; pairs that share a record, by any chain, in one; seed {seed}"),
        ("providers", data.provider_names),
    ]
    if data.unseen_refused:
        facts.append(("unseen", f"not tested: {data.unseen_refused}"))
    return Sheet("", ("", ""), facts, words=2)


def _published(title: str, text: str) -> Sheet:
    lines = [line.partition("  ") for line in text.splitlines()]
    rows = [(name, *(number(float(r)) for r in figures.split())) for name, _, figures in lines]
    return Sheet(title, ("system", *heads(OFFICIAL), "mean"), rows)


def _order(comparison: Comparison) -> Sheet:
    """Each system against the one before it in the expected order, by mean r over the same resamples."""
    seen = {standing.name: standing.results[0] for standing in comparison.standings}
    steps = [(before, name, relation) for (before, _), (name, relation) in pairwise(ORDER)]
    changes = [_change(seen.get(before), seen.get(name)) for before, name, _ in steps]
    corrected = holm_of_defined([float("nan") if change is None else change.p for change in changes])
    rows = []
    for (before, name, relation), change, p in zip(steps, changes, corrected, strict=True):
        expected = f"{before} {relation} {name}"
        if change is None:
            lacking = " and ".join(each for each in (before, name) if each not in seen)
            rows.append((expected, "", "", "", "", f"{lacking} not scored"))
            continue
        holds = (operator.lt if relation == "<" else operator.le)(0, change.difference)
        figures = signed(change.difference), spread(change.interval), number(change.p), number(p)
        rows.append((expected, *figures, "holds" if holds else "fails"))
    return Sheet("Order", ("expected", "difference", "95 %", "p", "Holm", ""), rows)


def _change(before: Result | None, after: Result | None) -> Difference | None:
    """From one system to the next; None where one of them was not scored."""
    if before is None or after is None:
        return None
    return of_resampled(after.agreement.mean - before.agreement.mean, after.resampled - before.resampled)


def _targets(comparison: Comparison, close: str, apart: Mapping[str, Result]) -> Sheet:
    """Each expected figure with the measured one; ``apart`` are those of ``close`` by left-out directory."""
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


def write(report: ResultsReport, out: Path) -> Path:
    """Write the results and, beside them, the worst pairs, whose path it gives; raises ``UsageError``."""
    beside = out.with_name(WORST)
    included = [_included(out.with_name(name)) for name in (TERMS, FINDINGS)]
    write_whole(beside, worst(report).encode(), unwritable_output)
    write_whole(out, results(report, included).encode(), unwritable_output)
    return beside


def _included(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8") if path.is_file() else ""
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path} cannot be read ({error}); save it as UTF-8") from None
