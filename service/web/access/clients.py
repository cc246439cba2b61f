"""The client of a request, by the key that it carries or the session of somebody who logged in."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Final
from urllib.parse import urlsplit

from fastapi import Depends, Security
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from ingest.errors import CrossSite, KeyRequired, KindredError, RoleTooLow
from service.operations.keys import Client, Keys, KeyUses, Role
from service.web.access.limits import UNCOUNTED
from service.web.access.rates import WrongKeys
from service.web.api.trace import trace
from service.web.asgi import Layer, Refusal

COOKIE: Final = "kindred-session"
_SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS"})
_BEARER: Final = HTTPBearer(auto_error=False, description="A key that `kindred keys add` made.")

# addresses that show nothing of the collection's items, or that one needs to log in
OPEN: Final = (*UNCOUNTED, "/problems/", "/login", "/logout", "/docs", "/openapi.json", "/robots.txt")


@dataclass(frozen=True, slots=True)
class ClientLayer:
    """A layer: finds the client of a request, and leaves it in the trace.

    Where ``wrong`` counts them, an address that sent too many wrong keys is refused before the next is looked
    up, with 429: whether that key counts is not known, so that 401 would say too much.
    """

    keys: Keys
    uses: KeyUses
    wrong: WrongKeys | None
    refused: Refusal

    async def __call__(self, app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on with its client in the trace."""
        request = Request(scope)
        try:
            await self._identify(request)
        except KindredError as error:
            await self.refused(request, error)(scope, receive, send)
            return
        await app(scope, receive, send)

    async def _identify(self, request: Request) -> None:
        traced = trace(request.scope)
        scheme, _, token = request.headers.get("authorization", "").partition(" ")
        session = request.cookies.get(COOKIE)
        if scheme.lower() == "bearer":
            traced.client = await self._looked_up(request.scope, self.keys.client, token.strip())
        elif session is not None and (request.method in _SAFE or same_site(request)):
            traced.client = await self._looked_up(request.scope, self.keys.in_session, session)
        elif session is not None:
            traced.foreign = True

    async def _looked_up(
        self, scope: Scope, holder: Callable[[str], Client | None], token: str
    ) -> Client | None:
        """The client whose key or session it is; raises ``RateLimited`` where too many wrong ones came."""
        refusal = self.wrong.refusal(scope, token) if self.wrong else None
        if refusal is not None:
            if scope["path"].startswith(UNCOUNTED):
                return None
            raise refusal
        client = await run_in_threadpool(self._noted, holder, token)
        if self.wrong:
            self.wrong.note(scope, token, counts=client is not None)
        return client

    def _noted(self, holder: Callable[[str], Client | None], token: str) -> Client | None:
        client = holder(token)
        if client is not None:
            self.uses.note(client.id)
        return client


def readers_only(refused: Refusal) -> Layer:
    """A layer for ``service.reads: keys``: refuses clients without a key, but for what is open to all."""

    async def layer(app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
        if trace(scope).client is None and not scope["path"].startswith(OPEN):
            error = KeyRequired(
                "reading needs a key here; send one that counts as Authorization: Bearer KEY, or log in at"
                " /login"
            )
            await refused(Request(scope), error)(scope, receive, send)
        else:
            await app(scope, receive, send)

    return layer


def same_site(request: Request) -> bool:
    """Whether a browser sent a request from a page of this service, as the browser itself says.

    The scheme is left out of it: a proxy may speak another one to the service than to the browser.
    """
    origin = request.headers.get("origin")
    if origin is None:
        return request.headers.get("sec-fetch-site") == "same-origin"
    return urlsplit(origin).netloc == request.headers.get("host")


def curator(request: Request, _: Annotated[HTTPAuthorizationCredentials | None, Security(_BEARER)]) -> Client:
    """The client, where it is a curator; raises ``KeyRequired``, ``RoleTooLow`` and ``CrossSite``."""
    traced, role = trace(request.scope), Role.CURATOR
    if traced.foreign:
        raise CrossSite(
            "this was sent from the page of another site, or does not say from which page;"
            " send it from the pages of this service"
        )
    client = traced.client
    if client is None:
        raise KeyRequired(
            f"this needs a key of role {role.value}; send one that counts as"
            " Authorization: Bearer KEY, or log in at /login"
        )
    if not client.role.reaches(role):
        raise RoleTooLow(
            f"this needs a key of role {role.value}; that of {client.name!r} has role {client.role.value}"
        )
    return client


def visitor(request: Request) -> Client | None:
    """The client of a request, None for somebody without a key."""
    return trace(request.scope).client


Curator = Annotated[Client, Depends(curator)]
Visitor = Annotated[Client | None, Depends(visitor)]
