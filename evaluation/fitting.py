"""How pairs are divided, how systems are fitted to some pairs and tested on others, and what carries over.

A row of ``systems`` may list candidates for its settings under ``select``. They are compared by a
cross-validation inside the pairs to train on, so that what tests the system had no part in the choice.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
from pydantic import JsonValue

from evaluation.correlation import known, pearson
from features.arrays import Bools, Doubles, Rows
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


def labels(ids: Sequence[tuple[str, str]], texts: Sequence[tuple[bytes, bytes]] = ()) -> Rows:
    """The group of each pair by its number, int[pairs]: a chain of shared records joins the pairs of a group.

    ``texts`` has for each pair what tells the texts of its records: records of the same texts are joined too.

    >>> labels([("a", "b"), ("c", "d"), ("b", "c"), ("e", "f")]).tolist()
    [0, 0, 0, 1]
    >>> labels([("a", "b"), ("c", "d")], [(b"ship", b"boat"), (b"mill", b"ship")]).tolist()  # a is as d
    [0, 0]
    """
    parent: dict[str | bytes, str | bytes] = {}

    def root(record: str | bytes) -> str | bytes:
        while (above := parent.setdefault(record, record)) != record:
            parent[record] = parent[above]
            record = above
        return record

    for left, right in ids:
        parent[root(left)] = root(right)
    for pair, own in zip(ids, texts, strict=bool(texts)):
        for record, text in zip(pair, own, strict=True):
            parent[root(text)] = root(record)
    numbers: dict[str | bytes, int] = {}
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
        r = [pearson(*known(own, given)) for own, given in zip(gold.T, scores.T, strict=True)]
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
    same: Bools,
    advance: Callable[[int], None] = lambda _: None,
) -> Prediction:
    """Score each pair by the model of the division that tests it; divisions together test every pair once.

    ``fit`` is given the pairs to train on alone. ``same``, bool[pairs], says which pairs are of the same
    texts (see ``System.score_pairs``). ``advance`` is called with 1 after every division.

    >>> from models.regressors.linear import LinearSettings
    >>> line = fitting("demo", LinearSettings(title="demo", regressor="linear", features=("f",)))
    >>> values, rows = np.array([[0.0], [1.0], [0.5]]), np.arange(3)
    >>> gold = np.repeat([[1.0], [3.0], [5.0]], 8, axis=1)
    >>> divisions = [Division("1", rows[:2], rows[2:]), Division("2", rows[1:], rows[:2])]
    >>> scores = predict(line, values, gold, rows, divisions, 0, np.zeros(3, bool)).scores
    >>> scores[:, 0].round(4).tolist()  # 7 - 4f, 7 - 4f, 1 + 2f
    [5.0, 3.0, 2.0]
    """
    scores = np.full(gold.shape, np.nan)
    chosen = {}
    for name, train, test in divisions:
        fitted = fit(values[train], gold[train], group[train], seed)
        scores[test] = fitted.system.score_pairs(values[test], same[test])
        if fitted.chosen:
            chosen[name] = fitted.chosen
        advance(1)
    return Prediction(scores, chosen)
