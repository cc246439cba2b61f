"""What stands directly around the routes, and what catches whatever none foresaw."""

import logging
from collections.abc import Callable
from http import HTTPStatus

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from service.web.api.trace import trace

_LOG = logging.getLogger("kindred")


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
