"""What holds for every request and answer, whatever the route."""

import logging
from collections.abc import Callable
from http import HTTPStatus
from typing import Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from service.web.api.trace import trace

_LOG = logging.getLogger("kindred")

SECURITY: Final = {
    # pictures lie at the museums; everything else a page needs comes from here
    "Content-Security-Policy": (
        "default-src 'self'; img-src *; object-src 'none'; base-uri 'none'; form-action 'self';"
        " frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "strict-origin-when-cross-origin",
}


_METHODS: Final = ("DELETE", "GET", "HEAD", "PATCH", "POST", "PUT")
_SENT: Final = ("Authorization", "Content-Type", "If-Match", "If-None-Match", "X-Request-ID")
_READ: Final = (
    "ETag",
    "Location",
    "RateLimit-Limit",
    "RateLimit-Remaining",
    "RateLimit-Reset",
    "Retry-After",
    "WWW-Authenticate",
    "X-Request-ID",
)
_REFUSED: Final = 400


class SecurityHeaders:
    """ASGI middleware: headers that keep a browser from doing what no page here asks for."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer with the headers added."""

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in SECURITY.items():
                    headers.setdefault(name, value)
            await send(message)

        await self._app(scope, receive, sending)


class HeadMiddleware:
    """ASGI middleware: HEAD is answered like GET, and the server leaves the body out."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a HEAD request on as GET."""
        if scope["type"] == "http" and scope["method"] == "HEAD":
            scope = {**scope, "method": "GET"}
        await self._app(scope, receive, send)


class BodyLimit:
    """ASGI middleware: reads a body whole, and refuses one that is longer than ``most`` bytes."""

    def __init__(self, app: ASGIApp, most: int, refused: Callable[[Request, int], Response]) -> None:
        self._app = app
        self._most = most
        self._refused = refused

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on with the body that was read."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        try:
            body = await self._read(Request(scope), receive)
        except ClientDisconnect:  # nobody waits for an answer
            return
        if body is None:
            await self._refused(Request(scope), self._most)(scope, receive, send)
            return
        waiting: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

        async def replay() -> Message:
            return waiting.pop() if waiting else await receive()

        await self._app(scope, replay, send)

    async def _read(self, request: Request, receive: Receive) -> bytes | None:
        announced = request.headers.get("content-length", "")
        if announced.isdecimal() and int(announced) > self._most:
            return None
        body, more = bytearray(), True
        while more:
            message = await receive()
            if message["type"] == "http.disconnect":
                raise ClientDisconnect
            body += message.get("body", b"")
            if len(body) > self._most:
                return None
            more = message.get("more_body", False)
        return bytes(body)


class CorsMiddleware(CORSMiddleware):
    """ASGI middleware: lets the pages of some origins call, never with cookies.

    A preflight that is refused is a problem document, as every failure is.
    """

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
        if answer.status_code == _REFUSED:
            problem = self._refused(Request(scope), bytes(answer.body).decode())
            problem.headers["Vary"] = answer.headers["Vary"]
            answer = problem
        await answer(scope, receive, send)


class Faults:
    """ASGI middleware: a fault of ours is said in the log with its traceback, and answered like others."""

    def __init__(self, app: ASGIApp, fault: Callable[[Request], Response]) -> None:
        self._app = app
        self._fault = fault

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, whatever happens."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        begun = False

        async def sending(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            await self._app(scope, receive, sending)
        except Exception:
            _LOG.exception("internal: %s %s", scope["method"], trace(scope).route)
            if begun:  # the connection is cut, so that half an answer is not taken for a whole one
                raise
            await self._fault(Request(scope))(scope, receive, send)


class Innermost:
    """ASGI middleware: notes the template of the address, and adds the headers that a route asked for."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        found = trace(scope)

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start" and message["status"] == HTTPStatus.OK:
                MutableHeaders(scope=message).update(found.headers)
            await send(message)

        try:
            await self._app(scope, receive, sending)
        finally:
            # the router has left there what it found
            found.route = _template(scope) or found.route


def _template(scope: Scope) -> str | None:
    path: str | None = getattr(scope.get("route"), "path", None)
    return path or scope.get("root_path")  # what is mounted are files
