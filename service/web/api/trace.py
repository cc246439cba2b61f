"""What is known of one request, from its arrival to its answer: for the log, the metrics and the routes."""

import re
from dataclasses import dataclass, field
from time import perf_counter
from typing import Final, cast
from uuid import uuid4

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from service.web.access.keys import Client
from service.web.logs import REQUEST, REQUESTS, about
from service.web.metrics import Metrics

REQUEST_ID: Final = "X-Request-ID"
_SANE: Final = re.compile(r"[A-Za-z0-9._:@/+=-]{1,128}")
_TRACE: Final = "kindred.trace"
_FAULT: Final = 500


@dataclass(slots=True)
class Trace:
    """One request: its id, who sent it, the template of the address, headers for an answer that is 200.

    ``foreign`` says that it came with a session, but from the page of another site.
    """

    request: str
    client: Client | None = None
    foreign: bool = False
    route: str = "none"
    headers: dict[str, str] = field(default_factory=dict)


def trace(scope: Scope) -> Trace:
    """The trace of a request that came through :class:`Traced`."""
    return cast("Trace", scope[_TRACE])


class Traced:
    """ASGI middleware: gives every request an id, and tells the log and the metrics how it was answered.

    An id that the client sends is kept where it is short and of plain characters.
    """

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self._app = app
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on with its trace."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        given = Headers(scope=scope).get(REQUEST_ID, "")
        traced = Trace(given if _SANE.fullmatch(given) else uuid4().hex)
        token = REQUEST.set(traced.request)
        answered = _Answered(perf_counter())

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message)[REQUEST_ID] = traced.request
                answered.begin(message["status"])
            await send(message)

        try:
            await self._app({**scope, _TRACE: traced}, receive, sending)
        except Exception:
            answered.begin(_FAULT)
            raise
        finally:
            self._told(scope["method"], traced, answered)
            REQUEST.reset(token)

    def _told(self, method: str, traced: Trace, answered: "_Answered") -> None:
        if answered.status is None:  # the client went before there was an answer
            return
        self._metrics.answered(method, traced.route, answered.status, answered.seconds)
        facts = about(
            method=method,
            route=traced.route,
            status=answered.status,
            milliseconds=round(answered.seconds * 1000, 1),
            key=traced.client.id if traced.client else None,
        )
        REQUESTS.info("%s %s %d", method, traced.route, answered.status, extra=facts)


class _Answered:
    """When the first answer to a request began, and what it was."""

    def __init__(self, asked: float) -> None:
        self._asked = asked
        self.status: int | None = None
        self.seconds = 0.0

    def begin(self, status: int) -> None:
        if self.status is None:
            self.status = status
            self.seconds = perf_counter() - self._asked
