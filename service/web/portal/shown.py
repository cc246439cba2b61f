"""The neighbours that an item's page shows, each once, with the ways in which it is near."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from ingest.record import Record
from models.types import SimilarityType
from service.search.neighbours import Neighbour


@dataclass(slots=True)
class PageNeighbour:
    """A neighbour that a page shows, in one way or in several; ``score`` is the best of these."""

    record: Record
    score: float = 0.0
    types: list[SimilarityType] = field(default_factory=list)


def each_once(neighbours: Iterable[Neighbour]) -> dict[str, PageNeighbour]:
    """The neighbours of all types by their ids, the closest first."""
    found: dict[str, PageNeighbour] = {}
    for near in neighbours:
        one = found.setdefault(near.record.id, PageNeighbour(near.record))
        one.types.append(near.type)
        one.score = max(one.score, near.score)
    return dict(sorted(found.items(), key=lambda named: -named[1].score))
