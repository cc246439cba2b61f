"""Middleware as plain functions: each answers an HTTP request, or lets the application below it answer."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeAlias

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ingest.errors import KindredError

Layer: TypeAlias = Callable[[ASGIApp, Scope, Receive, Send], Awaitable[None]]
"""Answers an HTTP request around an application."""

Refusal: TypeAlias = Callable[[Request, KindredError], Response]
"""Makes the answer to a request out of one of Kindred's errors."""


@dataclass(frozen=True, slots=True)
class Around:
    """ASGI middleware of a layer: what is not HTTP passes it."""

    app: ASGIApp
    layer: Layer

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, or pass the request on."""
        if scope["type"] == "http":
            await self.layer(self.app, scope, receive, send)
        else:
            await self.app(scope, receive, send)


def at_start(send: Send, change: Callable[[MutableHeaders, int], None]) -> Send:
    """Send an answer, but first change its headers; ``change`` gets them, and the status."""

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            change(MutableHeaders(scope=message), message["status"])
        await send(message)

    return sending
