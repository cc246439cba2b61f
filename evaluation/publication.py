"""docs/results.md: everything that was measured of the systems, written by a command.

The same pairs, settings and resources give the same bytes: nothing of the day or the machine stands
in it. What people found by reading the worst pairs is kept in a file of its own, which the command
includes.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from evaluation import references, tables, targets
from evaluation.ablation import AblationResult
from evaluation.bootstrap import RESAMPLES
from evaluation.comparison import Comparison, SystemResult
from evaluation.results import Result
from evaluation.tables import Sheet, heads, markdown, number
from evaluation.typed import Pairs
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


_WRITTEN = """\
Written by `kindred results`; a new run writes it anew. What people add stands in a file of its own,
`findings.md`, which is included at the end, as is `terms.md`, which `kindred select` writes. The pairs that
`{name}` is most wrong about are in [worst.md](worst.md)."""
_SCORED = """\
Each system twice: every pair scored by a model of the other folds, and by a model that saw no pair of the
providers of its two records (*unseen*; r over all pairs pooled). A system that is not trained is scored
once. *95 %* is the bootstrap interval of the mean: groups of pairs that share records are drawn, with
replacement, {resamples:,} times; the scores stay. *within* is the mean r inside the providers, *bias* the
mean absolute difference between mean score and mean gold inside them."""
_ORDERED = """\
By the mean over the folds. *95 %* is the interval of the difference, both systems meeting the same
bootstrap resamples."""
_HELD_OUT = """\
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


@dataclass(frozen=True, eq=False)
class ResultsReport:
    """What is published: all systems, and one of them looked at closely.

    ``held_out`` are its results on the pairs of each directory, trained on the others. ``parts`` is what
    it loses without single features and without single measures; empty where it is not trained.
    """

    comparison: Comparison
    looked_at: SystemResult
    held_out: Mapping[str, Result]
    parts: Sequence[Sequence[AblationResult]]


def results(report: ResultsReport, included: Sequence[str]) -> str:
    """The text of the results; texts that stand beside them are included as they are."""
    comparison, close = report.comparison, report.looked_at.name
    named = [row for each in comparison.standings for row in tables.labelled(each.name, each.results)]
    seen = [row for each in comparison.standings for row in tables.labelled(each.name, each.results[:1])]
    blocks = [
        "# Results",
        _WRITTEN.format(name=close),
        "## Data and settings",
        *_settings(report),
        "## Systems",
        markdown(_systems(comparison)),
        *(f"`{name}` is not scored: {sentence}" for name, sentence in comparison.absent.items()),
        "## Pearson r with the gold",
        _SCORED.format(resamples=RESAMPLES),
        markdown(tables.correlations(named)),
        *_held_out(report),
        "## Order and targets",
        _ORDERED,
        markdown(targets.order(comparison)),
        markdown(targets.targets(comparison, close, report.held_out)),
        "## Large errors",
        _OFF,
        markdown(tables.errors(seen)),
        "## Single features",
        _ALONE,
        markdown(tables.single_features(comparison.components)),
        markdown(tables.informed_features(comparison.components)),
    ]
    if report.parts:
        blocks += [f"## What `{close}` loses without a part", _WITHOUT]
        blocks += [markdown(tables.ablation(close, parts)) for parts in report.parts]
    blocks += [
        "## Published figures",
        _OTHER,
        markdown(_published("750 test pairs of the task", references.TEST)),
        markdown(_published("750 training pairs of the task, 10-fold cross-validation", references.TRAIN)),
        *(text.strip() for text in included),
    ]
    return "\n\n".join(block for block in blocks if block) + "\n"


def worst(report: ResultsReport) -> str:
    """The pairs that a system is most wrong about, type by type: gold, score, and the two records."""
    grounds, found = report.comparison.grounds, report.looked_at.results[0]
    said = _WORST.format(number=WORST_PAIRS, name=report.looked_at.name, statement=found.statement)
    blocks = ["# Worst pairs", said]
    gold = grounds.gold[:, [tuple(grounds.pairs.types).index(kind) for kind in found.agreement.pearson]]
    off = np.abs(gold - found.scores).round(9)
    for n, kind in enumerate(found.agreement.pearson):
        rows = np.argsort(-off[:, n], kind="stable")[:WORST_PAIRS]
        lines = (_line(gold[row, n], found.scores[row, n], grounds.pairs, int(row)) for row in rows)
        blocks += [f"## {kind.capitalize()}", "\n".join(["```", *lines, "```"])]
    return "\n\n".join(blocks) + "\n"


def _line(gold: float, score: float, pairs: Pairs, row: int) -> str:
    left, right = pairs.ids[row]
    return f"{gold:.2f} {score:.2f}  {pairs.place(row)}  {left}  {right}"


def _held_out(report: ResultsReport) -> Iterable[str]:
    named = [(f"trained without {name}", result) for name, result in report.held_out.items()]
    if named:
        yield "## Directories held out"
        yield _HELD_OUT.format(name=report.looked_at.name)
        yield markdown(tables.correlations(named))


def _settings(report: ResultsReport) -> Iterable[str]:
    grounds = report.comparison.grounds
    pairs, seed = grounds.pairs, grounds.settings.seed
    facts = [
        *(("pairs", f"`{part.name}`: {part.number:,} pairs, digest `{part.digest}`") for part in pairs.parts),
        ("records", f"{pairs.size:,}"),
        ("gold", pairs.gold_source),
        ("folds", f"{len(grounds.folds(0))}; pairs that share a record, by any chain, in one; seed {seed}"),
        ("providers", ", ".join(sorted({name for pair in grounds.providers for name in pair}))),
    ]
    if grounds.unseen_refused:
        facts.append(("unseen", f"not tested: {grounds.unseen_refused}"))
    yield markdown(Sheet("", ("", ""), tuple(facts), words=2))
    for each in report.comparison.standings:
        for name, result in tables.labelled(each.name, each.results):
            if result.chosen:
                yield f"Chosen for {name}: {tables.chosen(result)}."


def _systems(comparison: Comparison) -> Sheet:
    rows = ((each.name, each.settings.title, str(len(each.settings.needs))) for each in comparison.standings)
    return Sheet("", ("system", "what it is", "features"), tuple(rows), words=2)


def _published(title: str, rows: Iterable[references.PublishedRow]) -> Sheet:
    found = ((row.system, *(number(r) for r in row.pearson), number(row.mean)) for row in rows)
    return Sheet(title, ("system", *heads(OFFICIAL), "mean"), tuple(found))


def write(report: ResultsReport, out: Path) -> Path:
    """Write the results to ``out`` and the worst pairs beside it; gives the path of these.

    Raises ``UsageError`` where either cannot be written.
    """
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
