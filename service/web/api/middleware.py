"""What holds for every request and answer, whatever the route."""

from collections.abc import Callable
from typing import Final

from starlette.datastructures import MutableHeaders
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

SECURITY: Final = {
    # pictures lie at the museums; everything else a page needs comes from here
    "Content-Security-Policy": (
        "default-src 'self'; img-src *; object-src 'none'; base-uri 'none'; form-action 'self';"
        " frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "strict-origin-when-cross-origin",
}


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
