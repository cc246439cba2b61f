"""What goes from the process that is asked to those that search a part of the items, and back."""

from collections.abc import Iterable, Mapping
from dataclasses import fields
from importlib.metadata import version
from typing import Final, Self, TypeAlias

import msgspec

from features.collection.collection import Collection
from features.measures.parts import cut
from models.systems import System
from models.types import SimilarityType
from service.search import cursors
from service.search.engines.local.index import PartResults
from service.search.engines.port import ProposedItem, Question
from service.search.facets import Filters
from service.search.queries import Check, WeightedSeed

PATH = "/shard"
"""Where a process that searches is asked."""

_CONTENT: Final = tuple(one.name for one in fields(Question) if one.name != "check")
"""What of a question goes along: all that it has but the check, which belongs to a process."""

PartAnswer: TypeAlias = dict[SimilarityType, PartResults]
"""The nearest of a part of the items, by type."""


class Scoring(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What scores depend on: the version of Kindred, the system, and the mark of the collection with it.

    >>> one = Scoring("1.0", "kindred", "a")
    >>> one.difference(one), one.difference(Scoring("1.0", "linear", "b"))
    ('', 'the system is linear there and kindred here')
    """

    version: str
    system: str
    mark: str

    @classmethod
    def of(cls, collection: Collection, system: System) -> Self:
        """That of a collection and a system in this process."""
        return cls(version("kindred"), system.name, cursors.mark(collection, system))

    def difference(self, asker: "Scoring") -> str:
        """What is other where a question is from; empty where nothing is."""
        if self.version != asker.version:
            return f"the version of Kindred is {asker.version} there and {self.version} here"
        if self.system != asker.system:
            return f"the system is {asker.system} there and {self.system} here"
        return "" if self.mark == asker.mark else "the collection or the weights are others there than here"


class PartQuestion(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A question for one of so many parts of the items, ``number`` from 0.

    It is for the ``scoring`` of whoever asks, and waited for so many ``seconds``. ``most`` items of each type
    are wanted. The rest is as of ``Question``.
    """

    scoring: Scoring
    seconds: float
    number: int
    of: int
    most: int
    seeds: tuple[WeightedSeed, ...]
    types: tuple[SimilarityType, ...]
    filters: Filters
    without: frozenset[str]
    among: frozenset[str] | None
    after: ProposedItem | None
    floors: Mapping[SimilarityType, float]

    @classmethod
    def about(
        cls, question: Question, most: int, scoring: Scoring, number: int, of: int, seconds: float
    ) -> Self:
        """The question for one part."""
        content = {name: getattr(question, name) for name in _CONTENT}
        return cls(scoring=scoring, seconds=seconds, number=number, of=of, most=most, **content)

    def question(self, check: Check) -> Question:
        """What is asked, of whatever items."""
        return Question(check=check, **{name: getattr(self, name) for name in _CONTENT})

    def rows(self, items: int) -> slice:
        """The rows of the part among so many items."""
        return cut(slice(0, items), self.number, self.of)


def merged(parts: Iterable[PartResults], most: int) -> list[ProposedItem]:
    """The best of all parts, each with the number of items of all parts that score as high.

    >>> one = PartResults([ProposedItem("b", 3.0, 1), ProposedItem("c", 2.0, 2)], 0)
    >>> other = PartResults([ProposedItem("a", 2.0, 1)], 0)
    >>> [tuple(each) for each in merged([one, other], 2)]
    [('b', 3.0, 1), ('a', 2.0, 3)]
    """
    every = list(parts)
    best = sorted((one for part in every for one in part.best), key=lambda one: (-one.bound, one.id))[:most]
    # many items may have one score: each score is counted once
    ranks = {score: sum(_as_high(part, score) for part in every) for score in {one.bound for one in best}}
    return [one._replace(tied_rank=ranks[one.bound]) for one in best]


def _as_high(part: PartResults, score: float) -> int:
    """How many items of a part score so high: as many as with the last of its best that does."""
    high = [one.tied_rank for one in part.best if one.bound >= score]
    return high[-1] if high else part.before


def by_type(
    parts: Iterable[Mapping[SimilarityType, PartResults]], most: int
) -> dict[SimilarityType, list[ProposedItem]]:
    """The best of all parts for each type."""
    every = list(parts)
    return {kind: merged([part[kind] for part in every], most) for kind in every[0]}
