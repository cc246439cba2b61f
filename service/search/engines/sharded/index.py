"""The index that asks other processes for a part of the items each, and searches what they do not answer."""

from functools import cached_property

from features.collection.collection import Built
from models.systems import System
from models.types import SimilarityType
from service.search.engines.local.index import LocalIndex
from service.search.engines.local.precomputed import PrecomputedNeighbours
from service.search.engines.port import ProposedItem, Question
from service.search.engines.sharded.messages import PartAnswer, PartQuestion, Scoring, by_type
from service.search.engines.sharded.searchers import Searchers


class ShardedIndex(LocalIndex):
    """Exact neighbours, as of the local index: of the items that were built each searcher finds the nearest
    among a part.

    A part that is not answered in time, or over another collection, is searched here. So is everything while
    there are live changes, of which searchers know nothing.
    """

    def __init__(
        self,
        built: Built,
        system: System,
        known: PrecomputedNeighbours | None = None,
        *,
        searchers: Searchers,
    ) -> None:
        super().__init__(built, system, known)
        self._searchers = searchers

    def _searched(self, question: Question, number: int) -> dict[SimilarityType, list[ProposedItem]]:
        size = len(self._searchers)
        if self.changed or not size:
            return super()._searched(question, number)
        for item in (*(seed.id for seed in question.seeds), *question.without):
            self.collection.row(item)  # raises what no searcher shall have to
        seconds = self._searchers.deadline
        parts = [
            PartQuestion.about(question, number, self._scoring, part, size, seconds) for part in range(size)
        ]
        answers = self._searchers.ask(parts)
        question.check()
        if not any(answers):
            return super()._searched(question, number)
        return by_type(
            (
                self.searched_here(one, question) if answer is None else answer
                for one, answer in zip(parts, answers, strict=True)
            ),
            number,
        )

    def searched_here(self, part: PartQuestion, question: Question) -> PartAnswer:
        """The answer to a part that no searcher has answered."""
        return self.among(part.rows(len(self.collection)), question, part.most)

    @cached_property
    def _scoring(self) -> Scoring:
        return Scoring.of(self._built, self.system)
