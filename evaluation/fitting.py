"""How pairs are divided, how systems are fitted to some pairs and tested on others, and what carries over.

A row of ``systems`` may list candidates for its settings under ``select``. They are compared by a
cross-validation inside the pairs to train on, so that what tests the system had no part in the choice.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
from pydantic import JsonValue

from evaluation.correlation import pearson
from features.arrays import Doubles, Rows
from ingest.errors import PairsError, UsageError
from ingest.record import Record
from models.systems import System, SystemSettings
from models.systems import fit as fit_chosen
from models.types import EIGHT, Types
from service.sections import ProviderRule


class Division(NamedTuple):
    """The rows to train on and the rows to test, and what it is called."""

    name: str
    train: Rows
    test: Rows


def labels(ids: Sequence[tuple[str, str]]) -> Rows:
    """The group of each pair by its number, int[pairs]: a chain of shared records joins the pairs of a group.

    >>> labels([("a", "b"), ("c", "d"), ("b", "c"), ("e", "f")]).tolist()
    [0, 0, 0, 1]
    """
    parent: dict[str, str] = {}

    def root(record: str) -> str:
        while (above := parent.setdefault(record, record)) != record:
            parent[record] = parent[above]
            record = above
        return record

    for left, right in ids:
        parent[root(left)] = root(right)
    numbers: dict[str, int] = {}
    return np.array([numbers.setdefault(root(left), len(numbers)) for left, _ in ids], dtype=np.intp)


def folds(group: Rows, number: int, seed: int) -> list[Division]:
    """Divide pairs into folds of about one size such that no group, hence no record, is in two of them.

    ``group`` is int[pairs], as ``labels`` gives it, of all pairs or of some. Groups are shuffled by
    ``seed`` and dealt out largest first, each to the smallest fold. Raises ``UsageError`` for fewer
    than two folds, ``PairsError`` where there are fewer groups than folds.

    >>> [division.test.tolist() for division in folds(np.array([0, 0, 0, 1]), 2, 0)]
    [[0, 1, 2], [3]]
    """
    if number < 2:
        raise UsageError(f"a cross-validation needs two folds at least, not {number}")
    groups = [np.flatnonzero(group == each) for each in np.unique(group)]
    if len(groups) < number:
        raise PairsError(
            f"{len(group)} pairs make only {len(groups)} groups that share no record; "
            f"{number} folds need as many: ask for fewer with --cv"
        )
    order = np.random.default_rng(seed).permutation(len(groups))
    dealt: list[list[int]] = [[] for _ in range(number)]
    for rows in sorted((groups[n] for n in order), key=len, reverse=True):
        min(dealt, key=len).extend(rows.tolist())
    everything = np.arange(len(group))
    return [
        Division(f"fold {n}", np.setdiff1d(everything, rows), np.sort(np.array(rows, dtype=np.intp)))
        for n, rows in enumerate(dealt, 1)
    ]


def provider(record: Record, rules: Sequence[ProviderRule]) -> str:
    """Who provides a record: the first rule whose prefix and source fit, else the prefix of its id.

    >>> from ingest.record import values
    >>> rules = [
    ...     ProviderRule(name="teenie", prefix="cmoa:", source="Teenie"),
    ...     ProviderRule(name="art", prefix="cmoa:"),
    ... ]
    >>> provider(Record(id="cmoa:1", source=values("The Teenie Harris Archive")), rules)
    'teenie'
    >>> provider(Record(id="cmoa:2", source=values("Paintings")), rules), provider(Record(id="vam:3"), rules)
    ('art', 'vam')
    """
    for rule in rules:
        named = not rule.source or any(rule.source in value.text for value in record.source)
        if named and record.id.startswith(rule.prefix):
            return rule.name
    return record.id.partition(":")[0]


def unseen(providers: Sequence[tuple[str, str]], strict: bool = True) -> list[Division]:
    """Strict divisions: one for each pair of providers, trained on no pair that touches either.

    ``providers`` are those of both records of every pair. Where nothing is left to train on ``PairsError`` is
    raised, or, where ``strict`` is false, the pairs stay untested.

    >>> for name, train, test in unseen([("a", "a"), ("b", "a"), ("b", "b"), ("c", "c")]):
    ...     print(name, train.tolist(), test.tolist())
    a [2, 3] [0]
    a with b [3] [1]
    b [0, 3] [2]
    c [0, 1, 2] [3]
    """
    names = [tuple(sorted(set(pair))) for pair in providers]
    divisions = []
    for touched in sorted(set(names)):
        test = [row for row, name in enumerate(names) if name == touched]
        train = [row for row, name in enumerate(names) if not set(name) & set(touched)]
        if train:
            divisions.append(
                Division(" with ".join(touched), np.array(train, np.intp), np.array(test, np.intp))
            )
        elif strict:
            raise PairsError(
                f"without {' and '.join(touched)} no pair is left to train on; the test on collections "
                "never seen needs pairs of more providers (config.yaml names them: evaluation.providers)"
            )
    return divisions


INNER_FOLDS = 5
"""Folds of the cross-validation that chooses."""


class FittedSystem(NamedTuple):
    """A system, the row that it was fitted by, and what was chosen for that row; often nothing."""

    system: System
    row: SystemSettings
    chosen: Mapping[str, JsonValue]


Fit: TypeAlias = Callable[[Doubles, Doubles, Rows, int], FittedSystem]
"""Fits a system to values float64[pairs, features], gold float64[pairs, types], groups and a seed alone."""


def fitting(name: str, settings: SystemSettings, types: Types = EIGHT) -> Fit:
    """How a declared system is fitted: as it stands, or with the first candidate of the highest mean r."""

    def fit(values: Doubles, gold: Doubles, group: Rows, seed: int) -> FittedSystem:
        candidates, best = settings.candidates, 0
        if len(candidates) > 1:
            best = int(np.argmax(inner_means(name, settings, values, gold, group, seed, types)))
        chosen, row = candidates[best]
        return FittedSystem(fit_chosen(name, row, values, gold, types), row, chosen)

    return fit


def inner_means(
    name: str,
    settings: SystemSettings,
    values: Doubles,
    gold: Doubles,
    group: Rows,
    seed: int,
    types: Types = EIGHT,
) -> list[float]:
    """The mean r of every candidate in folds, undefined ones 0; ``PairsError`` if all pairs hang together."""
    number = min(INNER_FOLDS, len(np.unique(group)))
    if number < 2:
        raise PairsError(
            f"system {name!r} chooses among settings, for which the {len(gold)} pairs it is trained on"
            " must make two groups that share no record; train it on more pairs"
        )
    divisions = folds(group, number, seed)
    means = []
    for _, candidate in settings.candidates:
        scores = np.full(gold.shape, np.nan)
        for _, train, test in divisions:
            system = fit_chosen(name, candidate, values[train], gold[train], types)
            scores[test] = system.score(values[test])
        r = [pearson(own, given) for own, given in zip(gold.T, scores.T, strict=True)]
        means.append(float(np.mean(np.nan_to_num(r))))
    return means


class Prediction(NamedTuple):
    """Scores float64[pairs, types], and by division the settings that were chosen in it, if any."""

    scores: Doubles
    chosen: dict[str, Mapping[str, JsonValue]]


def predict(
    fit: Fit,
    values: Doubles,
    gold: Doubles,
    group: Rows,
    divisions: Sequence[Division],
    seed: int,
    advance: Callable[[int], None] = lambda _: None,
) -> Prediction:
    """Score each pair by the model of the division that tests it; divisions together test every pair once.

    ``fit`` is given the pairs to train on alone. ``advance`` is called with 1 after every division.

    >>> from models.regressors.linear import LinearSettings
    >>> line = fitting("demo", LinearSettings(title="demo", regressor="linear", features=("f",)))
    >>> values, rows = np.array([[0.0], [1.0], [0.5]]), np.arange(3)
    >>> gold = np.repeat([[1.0], [3.0], [5.0]], 8, axis=1)
    >>> divisions = [Division("1", rows[:2], rows[2:]), Division("2", rows[1:], rows[:2])]
    >>> scores = predict(line, values, gold, rows, divisions, 0).scores
    >>> scores[:, 0].round(4).tolist()  # 7 - 4f, 7 - 4f, 1 + 2f
    [5.0, 3.0, 2.0]
    """
    scores = np.full(gold.shape, np.nan)
    chosen = {}
    for name, train, test in divisions:
        fitted = fit(values[train], gold[train], group[train], seed)
        scores[test] = fitted.system.score(values[test])
        if fitted.chosen:
            chosen[name] = fitted.chosen
        advance(1)
    return Prediction(scores, chosen)


class CarryOver(NamedTuple):
    """What is left of a system on collections never seen, beside the pooled correlations.

    ``within`` is the mean over providers of the mean r over types, each r over the pairs whose two
    records are both of that provider; a type whose gold or scores do not vary there is left out,
    and so is a provider where none does. ``bias`` is the mean over these providers and all
    types of |mean(score - gold)| over the same pairs. NaN where no provider has such pairs.
    """

    within: float
    bias: float
    providers: dict[str, float]


def carry_over(gold: Doubles, scores: Doubles, providers: Sequence[tuple[str, str]]) -> CarryOver:
    """Within-provider correlation and bias of scores.

    >>> gold = np.repeat([[0.0], [2.0], [4.0], [1.0]], 8, axis=1)
    >>> carry_over(gold, gold / 2 + 1, [("a", "a"), ("a", "a"), ("a", "a"), ("a", "b")])
    CarryOver(within=1.0, bias=0.0, providers={'a': 1.0})

    The scores are 1, 2, 3 of 0, 2, 4: right in order, and of mean 2 both.
    """
    means: dict[str, float] = {}
    biases: list[float] = []
    for name in sorted({left for left, right in providers if left == right}):
        rows = [row for row, pair in enumerate(providers) if pair == (name, name)]
        within = [pearson(own, given) for own, given in zip(gold[rows].T, scores[rows].T, strict=True)]
        if defined := [r for r in within if not np.isnan(r)]:
            means[name] = float(np.mean(defined))
            biases.append(float(np.mean(np.abs((scores[rows] - gold[rows]).mean(axis=0)))))
    if not means:
        return CarryOver(float("nan"), float("nan"), {})
    return CarryOver(float(np.mean(list(means.values()))), float(np.mean(biases)), means)
