"""The processes that search a part of the items each, as they are asked over HTTP."""

import logging
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from time import monotonic
from typing import Final
from weakref import finalize

import httpx2
import msgspec

from service.search.engines.sharded.messages import PATH, PartAnswer, PartQuestion
from service.search.engines.sharded.secret import headers
from service.search.engines.sharded.settings import ShardedSettings

_LOG = logging.getLogger("kindred")

_REST_S: Final = 5.0
"""How long a searcher that did not answer is not asked again: nobody else shall wait for it."""

_AT_ONCE: Final = 8  # questions that may be under way at once


class Searchers:
    """All of them; raises ``ConfigError`` where their secret cannot be read."""

    def __init__(self, settings: ShardedSettings) -> None:
        self._searchers = [_Searcher(address) for address in settings.searchers]
        self._client = httpx2.Client(
            timeout=settings.deadline, headers=headers(settings), follow_redirects=False, trust_env=False
        )
        finalize(self, self._client.close)
        self._threads = ThreadPoolExecutor(max(1, len(self._searchers)) * _AT_ONCE, "searchers")

    def __len__(self) -> int:
        return len(self._searchers)

    def ask(self, questions: Sequence[PartQuestion]) -> list[PartAnswer | None]:
        """What each searcher says to its question; None where it does not answer."""
        pairs = zip(self._searchers, questions, strict=True)
        under_way = [self._threads.submit(one.ask, self._client, question) for one, question in pairs]
        return [each.result() for each in under_way]


class _Searcher:
    """One of them, and until when it rests."""

    def __init__(self, address: str) -> None:
        self._address, self._due = address, 0.0

    def ask(self, client: httpx2.Client, question: PartQuestion) -> PartAnswer | None:
        """Its answer; None while it rests, and where there is none that counts."""
        if monotonic() < self._due:
            return None
        try:
            answer = client.post(f"{self._address}{PATH}", content=msgspec.msgpack.encode(question))
            if answer.is_success:
                return msgspec.msgpack.decode(answer.content, type=PartAnswer)
            why = answer.text or f"it answers {answer.status_code}"
        except (httpx2.HTTPError, OSError, msgspec.DecodeError) as error:
            why = str(error) or type(error).__name__
        self._due = monotonic() + _REST_S
        _LOG.warning("searcher %s: %s; its part is searched here", self._address, why)
        return None
