"""Calls from the pages of other origins (CORS): which may call, and what their scripts may send and read."""

from collections.abc import Callable
from typing import Final

from starlette.datastructures import Headers
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

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
