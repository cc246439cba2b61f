"""How pairs are divided for training and testing: grouped folds, and collections never seen."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from features.arrays import Rows
from ingest.errors import PairsError, UsageError
from ingest.record import Record
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
