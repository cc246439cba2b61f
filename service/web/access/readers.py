"""Who may read: everyone, or with ``service.reads: keys`` only who has a key."""

from collections.abc import Callable
from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from ingest.errors import KeyRequired, KindredError
from service.web.api.trace import trace

OPEN: Final = (
    "/health/",
    "/metrics",
    "/static/",
    "/problems/",
    "/login",
    "/logout",
    "/docs",
    "/openapi.json",
)
"""What tells nothing of the collection's items, and what one needs to log in."""


class Readers:
    """ASGI middleware: who asks for anything else without a key is told that one is needed."""

    def __init__(self, app: ASGIApp, refused: Callable[[Request, KindredError], Response]) -> None:
        self._app = app
        self._refused = refused

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or refuse it."""
        if scope["type"] == "http" and trace(scope).client is None and not scope["path"].startswith(OPEN):
            error = KeyRequired(
                "reading needs a key here; send one that counts as Authorization: Bearer KEY, or log in at"
                " /login"
            )
            await self._refused(Request(scope), error)(scope, receive, send)
            return
        await self._app(scope, receive, send)
