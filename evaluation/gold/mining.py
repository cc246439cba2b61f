"""Pairs worth judging, drawn from a built collection by chains of neighbours (thesis 5.2; *SEM 2013, 3.2).

A chain begins at an item drawn at random and goes from neighbour to neighbour in one type, never to an item
twice. Two items that follow each other are a pair at distance one, two with one between them at distance two.
So the pairs are neither all alike, as nearest neighbours are, nor nearly all unrelated, as pairs drawn at
random are.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from ingest.errors import UsageError
from ingest.record import Record
from ingest.storage.files import unwritable_output, write_whole
from ingest.typed_files import ScoredPair, write_pairs
from models.types import SimilarityType

STEPS: Final = 5
"""The most steps of a chain, as in the task."""
STRATA: Final = "strata.tsv"
"""The file that says of every pair in which type and at what distance it was drawn."""
_TRIES: Final = (
    40  # chains that are begun for each pair that is wanted, before the collection counts as drawn
)

Neighbours = Callable[[str, SimilarityType], Sequence[str]]
"""The ids of the nearest items of an item in a type."""


class MinedPair(NamedTuple):
    """Two items, the type of the chain that they were drawn from, and how many steps lie between them."""

    left: str
    right: str
    type: SimilarityType
    distance: int


def chain(
    start: str, kind: SimilarityType, neighbours: Neighbours, draw: np.random.Generator
) -> Iterator[str]:
    """The items of one chain: each drawn from the nearest of the one before that were not met yet.

    >>> ring = {"a": ["b"], "b": ["a", "c"], "c": ["a", "b"]}
    >>> list(chain("a", "time", lambda item, _: ring[item], np.random.default_rng(1)))
    ['a', 'b', 'c']
    """
    met, item = {start}, start
    yield item
    for _ in range(STEPS):
        nearest = [other for other in neighbours(item, kind) if other not in met]
        if not nearest:
            return
        item = nearest[int(draw.integers(len(nearest)))]
        met.add(item)
        yield item


def mine(
    items: Sequence[str],
    types: Sequence[SimilarityType],
    neighbours: Neighbours,
    number: int,
    seed: int,
    advance: Callable[[int], None] = lambda _: None,
) -> list[MinedPair]:
    """Draw ``number`` pairs: as many of each type, and two at distance one for each at distance two.

    The same items, neighbours and seed give the same pairs. No two items stand in two pairs together. Raises
    ``UsageError`` where the collection has not so many. ``advance`` is called with 1 after every pair.

    >>> ring = {one: [other for other in "abcdef" if other != one] for one in "abcdef"}
    >>> drawn = mine("abcdef", ("time",), lambda item, _: ring[item], 3, 7)
    >>> [one.distance for one in drawn], len({frozenset(one[:2]) for one in drawn})
    ([1, 1, 2], 3)
    """
    draw = np.random.default_rng(seed)
    drawn: dict[frozenset[str], MinedPair] = {}
    for kind, distance, wanted in strata(types, number):
        tries = _TRIES * wanted
        while wanted and tries:
            tries -= 1
            for one in _pairs_of(
                chain(items[int(draw.integers(len(items)))], kind, neighbours, draw), kind, distance
            ):
                key = frozenset((one.left, one.right))
                if wanted and key not in drawn:
                    drawn[key] = one
                    wanted -= 1
                    advance(1)
        if wanted:
            raise UsageError(
                f"the collection has {len(drawn):,} such pairs, fewer than the {number:,} wanted: too few at"
                f" distance {distance} in {kind}. Ask for fewer, or leave the type out"
            )
    return list(drawn.values())


def strata(types: Sequence[SimilarityType], number: int) -> list[tuple[SimilarityType, int, int]]:
    """How many pairs are drawn of each type at each distance; what does not divide goes to the first.

    >>> strata(("time", "author"), 7)
    [('time', 1, 3), ('time', 2, 1), ('author', 1, 2), ('author', 2, 1)]
    """
    counts = []
    for place, kind in enumerate(types):
        own = number // len(types) + (place < number % len(types))
        counts += [(kind, 1, own - own // 3), (kind, 2, own // 3)]
    return counts


def _pairs_of(items: Iterator[str], kind: SimilarityType, distance: int) -> list[MinedPair]:
    met = list(items)
    return [MinedPair(*pair, kind, distance) for pair in zip(met, met[distance:], strict=False)]


def write_mined(pairs: Sequence[MinedPair], records: Mapping[str, Record], folder: Path) -> None:
    """Write the pairs in the layout of Typed-Similarity, without gold, and their strata beside them."""
    write_pairs(folder, [ScoredPair((one.left, one.right), ()) for one in pairs], records)
    lines = (f"{number}\t{one.type}\t{one.distance}\n" for number, one in enumerate(pairs, 1))
    write_whole(folder / STRATA, ("pair\ttype\tdistance\n" + "".join(lines)).encode(), unwritable_output)
