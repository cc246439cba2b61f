"""Answers for a part of the items, in a process that searches for others."""

from collections.abc import Callable

import msgspec

from ingest.errors import InvalidRequest, OtherCollection
from service.search import cursors
from service.search.engines.local.index import LocalIndex
from service.search.engines.sharded.messages import PartAnswer, PartQuestion
from service.search.recommender import Recommender


class PartSearch:
    """Searches parts of the collection that ``source`` gives, which has no live changes."""

    def __init__(self, source: Callable[[], Recommender]) -> None:
        self._source = source
        self._known: tuple[LocalIndex, str] | None = None

    def __call__(self, body: bytes) -> bytes:
        """The answer to a question, both as they are sent.

        Raises ``InvalidRequest``, ``OtherCollection``, and what the source raises.
        """
        try:
            asked = msgspec.msgpack.decode(body, type=PartQuestion)
        except (msgspec.DecodeError, InvalidRequest) as error:
            raise InvalidRequest(f"the question for a part of the items cannot be read: {error}") from None
        if not 0 <= asked.number < asked.of:
            raise InvalidRequest(f"there is no part {asked.number} of {asked.of}")
        return msgspec.msgpack.encode(self._answer(asked))

    def _answer(self, asked: PartQuestion) -> PartAnswer:
        index, mark = self._now()
        if asked.mark != mark:
            raise OtherCollection(
                "the collection or the weights here are others than where the question is from"
            )
        return index.among(asked.rows(len(index.collection)), asked.question(), asked.most)

    def _now(self) -> tuple[LocalIndex, str]:
        """What searches now, and its mark."""
        index, known = self._source().index, self._known
        if not isinstance(index, LocalIndex):
            raise TypeError("parts are of the local index")
        if known is None or known[0] is not index:
            known = self._known = index, cursors.mark(index.collection, index.system)
        return known
