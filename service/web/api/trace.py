"""What is known of one request, from its arrival to its answer: for the log, the metrics and the routes."""

import re
from dataclasses import dataclass, field
from time import perf_counter
from typing import Final, cast
from uuid import uuid4

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Receive, Scope, Send

from service.operations.keys import Client
from service.web.asgi import at_start
from service.web.logs import REQUEST, REQUESTS, about
from service.web.metrics import Metrics

REQUEST_ID: Final = "X-Request-ID"
_SANE: Final = re.compile(r"[A-Za-z0-9._:@/+=-]{1,128}")
_TRACE: Final = "kindred.trace"


@dataclass(slots=True)
class Trace:
    """One request: its id, who sent it, the template of the address, headers for an answer that is 200.

    ``foreign``: it came with a session, but from the page of another site. ``written``: the form that came
    without a key that counts any more.
    """

    request: str
    client: Client | None = None
    foreign: bool = False
    written: bytes = b""
    route: str = "none"
    headers: dict[str, str] = field(default_factory=dict)


def trace(scope: Scope) -> Trace:
    """The trace of a request that came through :class:`Traced`."""
    return cast("Trace", scope[_TRACE])


@dataclass(frozen=True, slots=True)
class Traced:
    """A layer: gives every request an id, or takes the client's, and notes how it was answered."""

    metrics: Metrics

    async def __call__(self, app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on with its trace."""
        given = Headers(scope=scope).get(REQUEST_ID, "")
        traced = Trace(given if _SANE.fullmatch(given) else uuid4().hex)
        token, arrival = REQUEST.set(traced.request), perf_counter()
        answers: list[tuple[int, float]] = []  # the status, and the seconds until it was known

        def begin(headers: MutableHeaders, status: int) -> None:
            headers[REQUEST_ID] = traced.request
            answers.append((status, perf_counter() - arrival))

        try:
            await app({**scope, _TRACE: traced}, receive, at_start(send, begin))
        except Exception:
            answers.append((500, perf_counter() - arrival))
            raise
        finally:
            if answers:  # else the client went before there was an answer
                self._note(scope["method"], traced, *answers[0])
            REQUEST.reset(token)

    def _note(self, method: str, traced: Trace, status: int, seconds: float) -> None:
        self.metrics.answered(method, traced.route, status, seconds)
        facts = about(
            method=method,
            route=traced.route,
            status=status,
            milliseconds=round(seconds * 1000, 1),
            key=traced.client.id if traced.client else None,
        )
        REQUESTS.info("%s %s %d", method, traced.route, status, extra=facts)
