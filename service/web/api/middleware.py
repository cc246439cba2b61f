"""What holds for every request and answer, whatever the route."""

import logging
import re
from collections.abc import Callable
from dataclasses import dataclass
from http import HTTPStatus
from typing import Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from service.web.api.trace import trace
from service.web.asgi import Layer, at_start

_LOG = logging.getLogger("kindred")
# what scripts of other origins may use, send, and read of answers
_METHODS: Final = ("DELETE", "GET", "HEAD", "PATCH", "POST", "PUT")
_SENT: Final = ("Authorization", "Content-Type", "If-Match", "If-None-Match", "X-Request-ID")
_READ: Final = (
    *("ETag", "Location", "RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset", "Retry-After"),
    *("WWW-Authenticate", "X-Request-ID"),
)

V1: Final = "/v1"
_NEVER: Final = re.compile(r"q\s*=\s*0(\.0*)?")
_EMBEDDED: Final = re.compile(rb"(/v1)?(/items/.+/similar|/paths/[^/]+(/manifests/[0-9]+)?)")

SECURITY: Final = {
    # pictures lie at the museums; everything else a page needs comes from here
    "Content-Security-Policy": (
        "default-src 'self'; img-src *; object-src 'none'; base-uri 'none'; form-action 'self';"
        " frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "strict-origin-when-cross-origin",
}


async def security_headers(app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
    """Answer with headers that keep a browser from doing what no page here asks for."""

    def secure(headers: MutableHeaders, _: int) -> None:
        for name, value in SECURITY.items():
            headers.setdefault(name, value)

    await app(scope, receive, at_start(send, secure))


async def head_as_get(app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
    """Answer HEAD like GET; the server leaves the body out."""
    await app({**scope, "method": "GET"} if scope["method"] == "HEAD" else scope, receive, send)


async def versioned(app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
    """Answer below ``/v1`` as without it: today's addresses are those of version 1."""
    if scope["path"].startswith(f"{V1}/"):
        raw: bytes = scope.get("raw_path") or scope["path"].encode()
        scope = {**scope, "path": scope["path"].removeprefix(V1), "raw_path": raw.removeprefix(V1.encode())}
    await app(scope, receive, send)


async def encodings(app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
    """Leave gzip out of Accept-Encoding where the client refuses it, which ``gzip;q=0`` does."""
    given = Headers(scope=scope).get("accept-encoding", "")
    if not takes_gzip(given):
        rest = [pair for pair in scope["headers"] if pair[0] != b"accept-encoding"]
        scope = {**scope, "headers": rest}
    await app(scope, receive, send)


def takes_gzip(given: str) -> bool:
    """Whether an Accept-Encoding takes gzip (RFC 9110, 12.5.3).

    >>> [takes_gzip(given) for given in ("br, gzip", "gzip;q=0", "gzip; q=0.5", "*;q=0", "")]
    [True, False, True, False, False]
    """
    for one in given.lower().split(","):
        name, _, weight = one.partition(";")
        if name.strip() == "gzip":
            return not _NEVER.fullmatch(weight.strip())
    return False


@dataclass(frozen=True, slots=True)
class BodyLimit:
    """Reads a body whole, and refuses one that is longer than ``most`` bytes."""

    most: int
    refused: Callable[[Request, int], Response]

    async def __call__(self, app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on with the body that was read."""
        try:
            body = await self._read(Request(scope), receive)
        except ClientDisconnect:  # nobody waits for an answer
            return
        if body is None:
            await self.refused(Request(scope), self.most)(scope, receive, send)
            return
        waiting: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

        async def replay() -> Message:
            return waiting.pop() if waiting else await receive()

        await app(scope, replay, send)

    async def _read(self, request: Request, receive: Receive) -> bytes | None:
        announced = request.headers.get("content-length", "")
        if announced.isdecimal() and int(announced) > self.most:
            return None
        body, more = bytearray(), True
        while more:
            message = await receive()
            if message["type"] == "http.disconnect":
                raise ClientDisconnect
            body += message.get("body", b"")
            if len(body) > self.most:
                return None
            more = message.get("more_body", False)
        return bytes(body)


async def embedded(app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
    """Let scripts of any origin read what other sites embed: lists for the widget, paths for IIIF viewers.

    Only what anybody may read is opened: a browser sends neither a cookie nor a key along.
    """
    raw: bytes = scope.get("raw_path") or scope["path"].encode()

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            MutableHeaders(scope=message)["Access-Control-Allow-Origin"] = "*"
        await send(message)

    is_open = scope["method"] in ("GET", "HEAD") and _EMBEDDED.fullmatch(raw.partition(b"?")[0])
    await app(scope, receive, sending if is_open else send)


class CorsMiddleware(CORSMiddleware):
    """ASGI middleware: lets the pages of some origins call (CORS), never with cookies."""

    def __init__(
        self, app: ASGIApp, origins: tuple[str, ...], refused: Callable[[Request, str], Response]
    ) -> None:
        super().__init__(
            app, allow_origins=origins, allow_methods=_METHODS, allow_headers=_SENT, expose_headers=_READ
        )
        self._refused = refused

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or answer where it is a preflight."""
        headers = Headers(scope=scope) if scope["type"] == "http" else Headers()
        asks = "origin" in headers and "access-control-request-method" in headers
        if not asks or scope["method"] != "OPTIONS":
            await super().__call__(scope, receive, send)
            return
        answer = self.preflight_response(headers)
        if answer.status_code == HTTPStatus.BAD_REQUEST:
            problem = self._refused(Request(scope), bytes(answer.body).decode())
            problem.headers["Vary"] = answer.headers["Vary"]
            answer = problem
        await answer(scope, receive, send)


def faults(answer: Callable[[Request], Response]) -> Layer:
    """A layer: writes a fault of ours to the log with its traceback, and answers it like other failures."""

    async def layer(app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
        begun = False

        async def sending(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            await app(scope, receive, sending)
        except Exception:
            _LOG.exception("internal: %s %s", scope["method"], trace(scope).route)
            if begun:  # the connection is cut, so that half an answer is not read as a whole one
                raise
            await answer(Request(scope))(scope, receive, send)

    return layer


async def innermost(app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
    """Note the template of the address, and add the headers that a route asked for."""
    request = trace(scope)

    def add(headers: MutableHeaders, status: int) -> None:
        if status == HTTPStatus.OK:
            headers.update(request.headers)

    try:
        await app(scope, receive, at_start(send, add))
    finally:
        # the router has left the route there; what is mounted are files
        template: str | None = getattr(scope.get("route"), "path", None) or scope.get("root_path")
        request.route = template or request.route
