"""Who asks: the key that a request carries, or the session of somebody who logged in.

A route that only some may use asks for them: ``client: Curator`` gives who it is, or ends with 401 or 403.
"""

from collections.abc import Callable
from typing import Annotated, Final
from urllib.parse import urlsplit

from fastapi import Depends, Security
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from ingest.errors import CrossSite, KeyRequired, KindredError, RoleTooLow
from service.web.access.keys import Client, Keys, KeyUses, Role
from service.web.access.rates import UNCOUNTED, WrongKeys
from service.web.api.trace import trace

COOKIE: Final = "kindred-session"

_SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS"})

_BEARER: Final = HTTPBearer(auto_error=False, description="A key that `kindred keys add` made.")


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


class ClientMiddleware:
    """ASGI middleware: finds out who asks, for whatever comes after it.

    Where ``wrong`` counts them, an address that sent too many wrong keys is refused before the next is looked
    up, with 429: whether that key counts is not known, so that 401 would say too much.
    """

    def __init__(
        self,
        app: ASGIApp,
        keys: Keys,
        uses: KeyUses,
        wrong: WrongKeys | None,
        refused: Callable[[Request, KindredError], Response],
    ) -> None:
        self._app = app
        self._keys = keys
        self._uses = uses
        self._wrong = wrong
        self._refused = refused

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on with its client in the trace."""
        if scope["type"] == "http":
            request = Request(scope)
            try:
                await self._identify(request)
            except KindredError as error:
                await self._refused(request, error)(scope, receive, send)
                return
        await self._app(scope, receive, send)

    async def _identify(self, request: Request) -> None:
        found = trace(request.scope)
        scheme, _, token = request.headers.get("authorization", "").partition(" ")
        session = request.cookies.get(COOKIE)
        if scheme.lower() == "bearer":
            found.client = await self._looked_up(request.scope, self._keys.client, token.strip())
        elif session is not None and (request.method in _SAFE or same_site(request)):
            found.client = await self._looked_up(request.scope, self._keys.in_session, session)
        elif session is not None:
            found.foreign = True

    async def _looked_up(
        self, scope: Scope, holder: Callable[[str], Client | None], token: str
    ) -> Client | None:
        """Who holds a key or a session; raises ``RateLimited`` where too many wrong ones came."""
        refusal = self._wrong.refusal(scope, token) if self._wrong else None
        if refusal is not None:
            if scope["path"].startswith(UNCOUNTED):
                return None
            raise refusal
        client = await run_in_threadpool(self._noted, holder, token)
        if self._wrong:
            self._wrong.note(scope, token, counts=client is not None)
        return client

    def _noted(self, holder: Callable[[str], Client | None], token: str) -> Client | None:
        client = holder(token)
        if client is not None:
            self._uses.note(client.id)
        return client


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


def same_site(request: Request) -> bool:
    """Whether a browser sent a request from a page of this service, as the browser itself says.

    The scheme is left out of it: a proxy may speak another one to the service than to the browser.
    """
    origin = request.headers.get("origin")
    if origin is None:
        return request.headers.get("sec-fetch-site") == "same-origin"
    return urlsplit(origin).netloc == request.headers.get("host")


class Needs:
    """A dependency of routes: gives who asks where their role suffices.

    Raises ``KeyRequired``, ``RoleTooLow``, and ``CrossSite`` for what a browser sends from elsewhere.
    """

    def __init__(self, role: Role) -> None:
        self._role = role

    def __call__(
        self, request: Request, _: Annotated[HTTPAuthorizationCredentials | None, Security(_BEARER)]
    ) -> Client:
        """Who asks."""
        found = trace(request.scope)
        if found.foreign:
            raise CrossSite(
                "this was sent from the page of another site, or does not say from which page;"
                " send it from the pages of this service"
            )
        if found.client is None:
            raise KeyRequired(
                f"this needs a key of role {self._role.value}; send one that counts as"
                " Authorization: Bearer KEY, or log in at /login"
            )
        if not found.client.role.reaches(self._role):
            raise RoleTooLow(
                f"this needs a key of role {self._role.value}; that of {found.client.name!r}"
                f" has role {found.client.role.value}"
            )
        return found.client


def visitor(request: Request) -> Client | None:
    """Who asks, None for somebody without a key."""
    return trace(request.scope).client


Curator = Annotated[Client, Depends(Needs(Role.CURATOR))]
Visitor = Annotated[Client | None, Depends(visitor)]
