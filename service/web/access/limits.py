"""How much is worked on at once, and for how long: what comes beyond is put off with 503 and Retry-After."""

import asyncio
from typing import Final, cast

import anyio
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ingest.errors import Busy, InvalidRequest
from ingest.record import TEXTS, Record
from service.search.queries import Deadline, Search
from service.sections import ServiceSettings
from service.web.asgi import Refusal
from service.web.metrics import Metrics

# addresses that may be asked as often as one likes, and are answered whatever else is worked on
UNCOUNTED: Final = ("/health/", "/metrics", "/static/", "/portal/")

_DEADLINE: Final = "kindred.deadline"


class RequestLimits:
    """A layer: so many requests are worked on at once, so many wait their turn, others are put off.

    A request waits at most ``service.seconds`` and is worked on at most as long (see :func:`deadline`). Its
    turn is over when the answer is made, however slowly the client takes it: what is made waits in memory.
    """

    def __init__(self, service: ServiceSettings, metrics: Metrics, refused: Refusal) -> None:
        self._service = service
        self._metrics = metrics
        self._refused = refused
        self._turns = anyio.Semaphore(service.requests)
        self._waiting = 0

    async def __call__(self, app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer when it is the request's turn."""
        if scope["path"].startswith(UNCOUNTED):
            await app(scope, receive, send)
        elif await self._turn():
            await self._answer(app, scope, receive, send)
        else:
            busy = Busy("more is asked at the moment than this service works on; ask again in a while")
            await self._refused(Request(scope), busy)(scope, receive, send)

    async def _turn(self) -> bool:
        """Wait for a turn; False where too many wait, or it does not come in time."""
        try:
            self._turns.acquire_nowait()
        except anyio.WouldBlock:
            if self._waiting >= self._service.waiting:
                return False
        else:
            return True
        self._waiting += 1
        try:
            with self._metrics.waiting.track_inprogress(), anyio.move_on_after(self._service.seconds):
                await self._turns.acquire()
                return True
        finally:
            self._waiting -= 1
        return False

    async def _answer(self, app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
        made = asyncio.Queue[Message | None]()
        sender: asyncio.Task[None] | None = None

        async def pass_on() -> None:
            while (message := await made.get()) is not None:
                await send(message)

        async def keep(message: Message) -> None:
            nonlocal sender
            made.put_nowait(message)
            # until it is sure that an answer comes in parts, a failure can still become a problem
            if message.get("more_body") and sender is None:
                sender = asyncio.create_task(pass_on())

        try:
            with self._metrics.working.track_inprogress():
                await app({**scope, _DEADLINE: Deadline(self._service.seconds)}, receive, keep)
        finally:
            self._turns.release()
            made.put_nowait(None)
            if sender is not None:
                await sender
        if sender is None:
            await pass_on()


def deadline(request: Request) -> Deadline:
    """The time at which work on a request has to end."""
    return cast("Deadline", request.scope[_DEADLINE])


def check_work(search: Search, items: int, scored: int, service: ServiceSettings) -> None:
    """Refuse a question of several seeds that takes more comparisons than are allowed.

    ``scored``: how many types the system has. One seed is always allowed. Raises ``InvalidRequest``.
    """
    types = scored if search.type is None else 1
    work = len(search.seeds) * items * types
    if len(search.seeds) > 1 and work > service.work:
        raise InvalidRequest(
            f"{len(search.seeds)} seeds, {items:,} items and {types} types are {work:,} comparisons,"
            f" more than this service makes for one question ({service.work:,}); name fewer seeds, or a type"
        )


def check_text(record: Record, service: ServiceSettings) -> None:
    """Refuse a record with more text than is analysed for one request; raises ``InvalidRequest``."""
    length = sum(len(value.text) for name in TEXTS for value in record.part(name))
    if length > service.text:
        raise InvalidRequest(
            f"the texts of the record have {length:,} characters, more than this service analyses for one"
            f" request ({service.text:,}); shorten them, or take the record in by kindred ingest"
        )
