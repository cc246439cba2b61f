"""The processes that search a part of the items each, as they are asked over HTTP."""

import logging
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from time import monotonic
from typing import Final
from weakref import finalize

import httpx2
import msgspec

from ingest.errors import ConfigError
from service.search.engines.sharded.messages import PATH, PartAnswer, PartQuestion
from service.search.engines.sharded.secret import headers
from service.search.engines.sharded.settings import ShardedSettings

_LOG = logging.getLogger("kindred")

_REST_S: Final = 5.0
"""How long a searcher that did not answer is not asked again: nobody else shall wait for it."""

_AT_ONCE: Final = 32  # questions that one searcher may be asked at once
_SHOWN: Final = 200  # letters of what a searcher answers that the log shows at most


class Searchers:
    """All of them; raises ``ConfigError`` for an address that is none, and a secret that cannot be read."""

    def __init__(self, settings: ShardedSettings) -> None:
        self.deadline = settings.deadline
        self._searchers = [_Searcher(address) for address in settings.searchers]
        self._client = httpx2.Client(
            timeout=settings.deadline,
            headers=headers(settings),
            limits=httpx2.Limits(max_connections=None, max_keepalive_connections=None),
            follow_redirects=False,
            trust_env=False,
        )
        finalize(self, self._client.close)
        self._threads = ThreadPoolExecutor(max(1, len(self._searchers)) * _AT_ONCE, "searchers")

    def __len__(self) -> int:
        return len(self._searchers)

    def ask(self, questions: Sequence[PartQuestion]) -> list[PartAnswer | None]:
        """What each searcher says to its question; None where it does not answer until the deadline."""
        pairs = [*zip(self._searchers, questions, strict=True)]
        under_way = [self._threads.submit(one.ask, self._client, question) for one, question in pairs]
        wait(under_way, self.deadline)
        return [self._answer(one, each) for one, each in zip(self._searchers, under_way, strict=True)]

    def _answer(self, searcher: "_Searcher", under_way: "Future[PartAnswer | None]") -> PartAnswer | None:
        if under_way.done():
            return under_way.result()
        if not under_way.cancel():  # it was not even asked, where that can be cancelled
            searcher.rest(f"no answer within {self.deadline:g} s")
        return None


class _Searcher:
    """One of them, and until when it rests, where it did not answer the last time."""

    def __init__(self, address: str) -> None:
        try:
            self._url = httpx2.URL(f"{address}{PATH}")
        except httpx2.InvalidURL as error:
            raise ConfigError(f"index.searchers: {address} is no address: {error}") from error
        self._address, self._rests_until = address, 0.0

    def ask(self, client: httpx2.Client, question: PartQuestion) -> PartAnswer | None:
        """Its answer; None while it rests, and where there is none that counts."""
        now = monotonic()
        if now < self._rests_until:
            return None
        if self._rests_until:
            self._rests_until = now + _REST_S  # one question finds out whether it is back
        try:
            answer = client.post(self._url, content=msgspec.msgpack.encode(question))
            if answer.is_success:
                parts = msgspec.msgpack.decode(answer.content, type=PartAnswer)
                if parts.keys() == {*question.types}:
                    self._rests_until = 0.0
                    return parts
                why = "it does not answer what it was asked"
            else:
                why = answer.text or f"it answers {answer.status_code}"
        except (httpx2.HTTPError, OSError, ValueError) as error:  # ValueError: what cannot be read, or sent
            why = str(error) or type(error).__name__
        self.rest(why)
        return None

    def rest(self, why: str) -> None:
        """Do not ask it for a while, and say why."""
        self._rests_until = monotonic() + _REST_S
        shown = " ".join(why.split())[:_SHOWN]
        _LOG.warning("searcher %s: %s; its part is searched here", self._address, shown)
