"""Answers that clients may store: each has a mark (ETag), and a client that has the same is answered 304.

The mark is made of what answers are given from, of the address, and of this Kindred with its settings, so
that it is known before any work is done.
"""

import hashlib
from typing import Final, cast

from fastapi import Depends, FastAPI
from fastapi.params import Depends as Dependency
from starlette.requests import Request
from starlette.responses import Response

from service.paths.store import PathsFile
from service.settings import Settings
from service.web.api.dependencies import Configured, Now
from service.web.api.problems import Responses
from service.web.api.trace import trace

_LENGTH: Final = 32


class Unchanged(Exception):
    """The client already has the answer; ``headers`` are those of the answer 304."""

    def __init__(self, headers: dict[str, str]) -> None:
        super().__init__()
        self.headers = headers


def install(app: FastAPI) -> None:
    """Let an application answer 304."""
    app.add_exception_handler(Unchanged, _unchanged)


async def _unchanged(_: Request, error: Exception) -> Response:
    headers = error.headers if isinstance(error, Unchanged) else {}
    varies = [headers["Vary"]] if "Vary" in headers else []
    return Response(status_code=304, headers={**headers, "Vary": ", ".join([*varies, "Accept-Encoding"])})


def fingerprint(version: str, settings: Settings) -> str:
    """A mark of this Kindred: another version, or other settings, may give other answers."""
    return hashlib.sha256(f"{version} {settings.model_dump_json()}".encode()).hexdigest()


def _revalidated(*, personal: bool = False, paths: bool = False) -> list[Dependency]:
    """The dependency of routes whose answers come from the collection alone; only GET is looked at.

    ``personal``: it may also depend on who is logged in. ``paths``: it shows published paths.
    """

    def revalidate(request: Request, now: Now, configured: Configured) -> None:
        if request.method != "GET":
            return
        client = trace(request.scope).client if personal else None
        raw: bytes = request.scope.get("raw_path") or request.url.path.encode()
        parts = (
            now.mark,
            request.app.state.fingerprint,
            raw.hex(),
            request.scope["query_string"].hex(),
            client.id if client else "",
            cast("PathsFile", request.app.state.paths).publication() if paths else "",
        )
        tag = f'W/"{hashlib.sha256(" ".join(parts).encode()).hexdigest()[:_LENGTH]}"'
        service = configured.service
        # what not everybody may read is nothing for a proxy to store
        private = client is not None or service.reads != "everyone"
        age = f"max-age={service.max_age}" if service.max_age and client is None else "no-cache"
        whose = "private, " if private else "public, " if age != "no-cache" else ""
        headers = {"ETag": tag, "Cache-Control": f"{whose}{age}"} | ({"Vary": "Cookie"} if personal else {})
        _mark(request, tag, headers)

    return [Depends(revalidate)]


def _revalidate_settings(request: Request) -> None:
    """The dependency of routes whose answers come from the settings alone: they need no collection."""
    tag = f'W/"{request.app.state.fingerprint[:_LENGTH]}"'
    _mark(request, tag, {"ETag": tag, "Cache-Control": "no-cache"})


def _mark(request: Request, tag: str, headers: dict[str, str]) -> None:
    """Send the headers with the answer; raises ``Unchanged`` where the client has the one of this mark."""
    if _has(request.headers.get("if-none-match", ""), tag):
        raise Unchanged(headers)
    trace(request.scope).headers.update(headers)


def _has(given: str, tag: str) -> bool:
    """Whether a header names a mark, be it weak or strong; ``*`` names every one (RFC 9110, 13.1.2)."""
    named = {one.strip().removeprefix("W/") for one in given.split(",")}
    return given.strip() == "*" or tag.removeprefix("W/") in named


UNCHANGED: Final[Responses] = {
    304: {
        "description": "What the client has, as its If-None-Match names it, is still what it would be given"
    }
}
REVALIDATED: Final = _revalidated()
REVALIDATED_PAGE: Final = _revalidated(personal=True)
REVALIDATED_START: Final = _revalidated(personal=True, paths=True)
REVALIDATED_SETTINGS: Final = [Depends(_revalidate_settings)]
