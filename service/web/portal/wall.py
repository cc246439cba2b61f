"""The neighbours on the page of an item: each once, with all the ways in which it is alike."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import dropwhile
from typing import Final, NamedTuple

from ingest.record import Record
from models.types import SimilarityType
from service.search.recommender import ExplainedNeighbour

_SMALL_SCREEN: Final = 3


@dataclass(slots=True)
class PageNeighbour:
    """A neighbour that a page shows, in one way or in several; ``score`` is the best of these."""

    record: Record
    score: float = 0.0
    types: list[SimilarityType] = field(default_factory=list)


def each_once(neighbours: Iterable[ExplainedNeighbour]) -> dict[str, PageNeighbour]:
    """The neighbours of all types by their ids, the closest first."""
    rows: dict[str, PageNeighbour] = {}
    for near in neighbours:
        row = rows.setdefault(near.record.id, PageNeighbour(near.record))
        row.types.append(near.type)
        row.score = max(row.score, near.score)
    return dict(sorted(rows.items(), key=lambda item: -item[1].score))


class WallItem(NamedTuple):
    """A neighbour, and how it is alike; the first of ``ways`` is the one that is explained.

    ``near``: it is among the first three of a list, which are all that a small screen shows.
    """

    record: Record
    ways: tuple[ExplainedNeighbour, ...]
    near: bool


def wall(
    groups: Mapping[SimilarityType, Sequence[ExplainedNeighbour]], first: SimilarityType | None = None
) -> list[WallItem]:
    """The neighbours of all types, each once.

    Those of the type ``first`` come first, in the order of its list. Others, and all where none is named,
    come by their best place in any list; of equals first what is alike in more ways.
    """
    ways: dict[str, list[ExplainedNeighbour]] = {}
    places: dict[str, dict[SimilarityType, int]] = {}
    for kind, neighbours in groups.items():
        for place, near in enumerate(neighbours):
            ways.setdefault(near.record.id, []).append(near)
            places.setdefault(near.record.id, {})[kind] = place

    def order(item: str) -> tuple[int, int, int]:
        own = places[item]
        wanted = own.get(first, len(ways)) if first else 0
        return wanted, min(own.values()), -len(own)

    def prominence(near: ExplainedNeighbour) -> tuple[bool, bool, float]:
        return near.type != first, not near.pinned, -near.score

    # the sorts are stable: of equals the type that is named first comes first
    sorted_ways = {item: sorted(ways[item], key=prominence) for item in sorted(ways, key=order)}
    return [
        WallItem(own[0].record, own, min(places[item].values()) < _SMALL_SCREEN)
        for item, every in sorted_ways.items()
        # what leads a card is a way with a reason
        if (own := tuple(dropwhile(lambda near: not near.shares, every)))
    ]
