"""Sets of twenty candidates, one of which belongs to the item that is asked for, and how often it is picked.

It tells what a system is worth in use without any gold: what belongs together is known from elsewhere.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Final, NamedTuple, TypeAlias

import numpy as np

from evaluation.correlation import RESAMPLES, Interval, interval
from features.arrays import Doubles
from ingest.errors import PairsError, UsageError

OTHERS: Final = 19
"""Candidates that do not belong to the item, beside the one that does (Beyer 2015, 4.3.2)."""

Relations: TypeAlias = Mapping[str, frozenset[str]]
"""For each item those that belong to it; it is among theirs."""


class OneOfTwenty(NamedTuple):
    """An item, and candidates of which the first belongs to it and the others do not."""

    query: str
    candidates: tuple[str, ...]

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """The item with each candidate."""
        return [(self.query, candidate) for candidate in self.candidates]


class Accuracy(NamedTuple):
    """The share of choices in which the right candidate was picked, with its 95 % bootstrap interval."""

    accuracy: float
    interval: Interval


def choices(
    relations: Relations,
    items: Collection[str],
    number: int,
    seed: int,
    *,
    queries: Collection[str] | None = None,
    categories: Mapping[str, str] | None = None,
    steps: int | None = None,
    others: int = OTHERS,
) -> list[OneOfTwenty]:
    """So many choices, or as many as there can be; by the seed alone, in whatever order items are given.

    Each is of another query, out of ``queries`` or of all that something belongs to. One of what belongs to
    it is the right candidate. The others are ``items`` that no chain of relations connects with the query
    or, with ``steps``, none of as many relations or fewer: where all things hang together, as articles do by
    their links, the source's rule leaves none. With ``categories`` those of the query's category come first,
    and the rest is filled up; a random other is told apart too easily by its maker or kind. Raises
    ``PairsError`` where there is no choice.

    >>> relations = {"a": frozenset("b"), "b": frozenset("a"), "c": frozenset("d"), "d": frozenset("c")}
    >>> choices(relations, "abcd", 9, 7, queries="a", others=2)
    [OneOfTwenty(query='a', candidates=('b', 'c', 'd'))]
    """
    if number < 1 or others < 1:
        raise UsageError("give a number of choices, and of other candidates, of 1 or more")
    draw, everything = np.random.default_rng(seed), sorted(set(items))
    candidates = relations.keys() if queries is None else queries
    waiting = sorted(query for query in set(candidates) if relations.get(query))
    result: list[OneOfTwenty] = []
    for at in draw.permutation(len(waiting)).tolist():
        query = waiting[at]
        connected = reached(relations, query, steps)
        apart = [item for item in everything if item not in connected]
        if len(apart) < others:
            continue
        belonging = sorted(relations[query])
        right = belonging[int(draw.integers(len(belonging)))]
        own = [item for item in apart if _same(categories, query, item)]
        wrong = _drawn(draw, own, others)
        wrong += _drawn(draw, sorted({*apart} - {*own}), others - len(wrong))
        result.append(OneOfTwenty(query, (right, *wrong)))
        if len(result) == number:
            return result
    if not result:
        raise PairsError(f"no item has another that belongs to it and {others} that do not; give more items")
    return result


def _same(categories: Mapping[str, str] | None, query: str, item: str) -> bool:
    return categories is not None and query in categories and categories.get(item) == categories[query]


def _drawn(draw: np.random.Generator, items: Sequence[str], number: int) -> list[str]:
    """So many of the items, or all of them."""
    if not items:
        return []
    rows: list[int] = draw.choice(len(items), min(number, len(items)), replace=False).tolist()
    return [items[row] for row in rows]


def reached(relations: Relations, query: str, steps: int | None = None) -> set[str]:
    """The item and all that chains of relations connect with it, of so many relations at most.

    >>> relations = {"a": frozenset("b"), "b": frozenset("ac"), "c": frozenset("b")}
    >>> sorted(reached(relations, "a", 1)), sorted(reached(relations, "a"))
    (['a', 'b'], ['a', 'b', 'c'])
    """
    connected, edge = {query}, {query}
    while edge and (steps is None or steps > 0):
        edge = {item for one in edge for item in relations.get(one, ())} - connected
        connected |= edge
        steps = None if steps is None else steps - 1
    return connected


def picked(scores: Doubles) -> Doubles:
    """For each choice whether the first of its candidates has the highest score: float64[choices], 1 or 0.

    ``scores`` are float64[choices, candidates]; NaN, no score, is below all. Of several with the highest one
    is picked at random, so that the first counts as its share of them.

    >>> picked(np.array([[0.9, 0.1, 0.2], [0.5, 0.5, 0.1], [0.1, 0.2, np.nan]])).tolist()
    [1.0, 0.5, 0.0]
    """
    if scores.ndim != 2 or scores.shape[1] < 2:
        raise UsageError("a choice is between two candidates or more: an array of choices by candidates")
    known = np.where(np.isnan(scores), -np.inf, scores)
    best = known == known.max(axis=1, keepdims=True)
    shares: Doubles = best[:, 0] / best.sum(axis=1)
    return shares


def accuracy(shares: Doubles, seed: int) -> Accuracy:
    """The mean of what :func:`picked` gives, with an interval that resamples the choices.

    >>> accuracy(np.ones(5), 3)
    Accuracy(accuracy=1.0, interval=Interval(low=1.0, high=1.0))
    """
    if not len(shares):
        raise UsageError("there is no choice: an accuracy needs one at least")
    rows = np.random.default_rng(seed).integers(0, len(shares), (RESAMPLES, len(shares)))
    return Accuracy(float(shares.mean()), interval(shares[rows].mean(axis=1)))


def difference(one: Doubles, two: Doubles, seed: int) -> Accuracy:
    """By how much one system picks better than another in the same choices, in the same resamples.

    >>> difference(np.ones(4), np.zeros(4), 3)
    Accuracy(accuracy=1.0, interval=Interval(low=1.0, high=1.0))
    """
    if one.shape != two.shape:
        raise UsageError("two systems are compared in the same choices")
    return accuracy(one - two, seed)
