"""Answers for a part of the items, in a process that searches for others."""

from collections.abc import Callable
from time import monotonic

import msgspec

from ingest.errors import InvalidRequest, OtherCollection
from service.search.engines.local.index import LocalIndex
from service.search.engines.port import Question
from service.search.engines.sharded.messages import PartAnswer, PartQuestion, Scoring
from service.search.queries import Deadline, WeightedSeed
from service.search.recommender import Recommender


class PartSearch:
    """Searches parts of the collection that ``source`` gives, which has no live changes."""

    def __init__(self, source: Callable[[], Recommender]) -> None:
        self._source = source
        self._known: tuple[LocalIndex, Scoring] | None = None

    def __call__(self, body: bytes, arrived: float) -> bytes:
        """The answer to a question that arrived at a moment (``time.monotonic``), both as they are sent.

        Raises ``InvalidRequest``, ``OtherCollection``, ``TimedOut`` where nobody waits for it any more, and
        what the source raises.
        """
        try:
            part = msgspec.msgpack.decode(body, type=PartQuestion)
        except (msgspec.DecodeError, InvalidRequest) as error:
            raise InvalidRequest(f"the question for a part of the items cannot be read: {error}") from None
        if not 0 <= part.number < part.of:
            raise InvalidRequest(f"there is no part {part.number} of {part.of}")
        check = Deadline(part.seconds - (monotonic() - arrived))
        check()
        index, scoring = self._now()
        if difference := scoring.difference(part.scoring):
            raise OtherCollection(difference)
        answer: PartAnswer = index.among(part.rows(len(index.collection)), part.question(check), part.most)
        return msgspec.msgpack.encode(answer)

    def warm(self) -> None:
        """Search once in all types and once in one, so that the first question finds all loaded."""
        index, _ = self._now()
        seed, types = WeightedSeed(index.collection.ids[0]), tuple(index.system.types)
        for own in (types, types[:1]):
            index.among(None, Question(seeds=(seed,), types=own), 1)

    def _now(self) -> tuple[LocalIndex, Scoring]:
        """What searches now, and what its scores depend on."""
        index, known = self._source().index, self._known
        if not isinstance(index, LocalIndex):
            raise TypeError("parts are of the local index")
        if known is None or known[0] is not index:
            known = self._known = index, Scoring.of(index.collection, index.system)
        return known
