"""Answers that clients may keep: each has a mark (ETag), and who still has the same is told so with 304.

The mark is made of what answers are given from (generation, system and live changes), of the address, and of
this Kindred with its settings. So it is known before any work is done for the answer.
"""

import hashlib
from typing import Final, cast

from fastapi import Depends, FastAPI
from starlette.requests import Request
from starlette.responses import Response

from service.paths.store import Paths
from service.sections import ServiceSettings
from service.settings import Settings
from service.web.api.dependencies import Configured, Now
from service.web.api.problems import Responses
from service.web.api.trace import trace

_LENGTH: Final = 32


class Unchanged(Exception):
    """What the client has is what it would be given; ``headers`` are those of the answer that says so."""

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
    """What tells one Kindred from another that may give other answers from the same collection."""
    return hashlib.sha256(f"{version} {settings.model_dump_json()}".encode()).hexdigest()


class ConditionalAnswer:
    """A dependency of routes whose answers come from the collection alone; only GET is looked at.

    ``personal``: the answer may also depend on who is logged in, as a page's may. ``paths``: it shows paths
    that are published.
    """

    def __init__(self, *, personal: bool, paths: bool = False) -> None:
        self._personal, self._paths = personal, paths

    def __call__(self, request: Request, now: Now, configured: Configured) -> None:
        """Mark the answer; raises ``Unchanged`` where the client has it already."""
        if request.method != "GET":
            return
        client = trace(request.scope).client if self._personal else None
        raw: bytes = request.scope.get("raw_path") or request.url.path.encode()
        parts = (
            now.mark,
            request.app.state.fingerprint,
            raw.hex(),
            request.scope["query_string"].hex(),
            client.id if client else "",
            cast("Paths", request.app.state.paths).publication() if self._paths else "",
        )
        tag = f'W/"{hashlib.sha256(" ".join(parts).encode()).hexdigest()[:_LENGTH]}"'
        headers = {"ETag": tag, "Cache-Control": _control(configured.service, own=client is not None)}
        if self._personal:
            headers["Vary"] = "Cookie"
        if _has(request.headers.get("if-none-match", ""), tag):
            raise Unchanged(headers)
        trace(request.scope).headers.update(headers)


def _control(service: ServiceSettings, *, own: bool) -> str:
    if own:
        return "private, no-cache"
    # what not everybody may read is nothing for a proxy to keep
    whose = "public" if service.reads == "everyone" else "private"
    if service.max_age:
        return f"{whose}, max-age={service.max_age}"
    return "no-cache" if whose == "public" else "private, no-cache"


def _has(given: str, tag: str) -> bool:
    """Whether a header names a mark; weak or not is all the same to it.

    >>> _has('"x", W/"a"', 'W/"a"'), _has('"a"', 'W/"a"'), _has("*", 'W/"a"')
    (True, True, False)
    """
    return tag.removeprefix("W/") in {one.strip().removeprefix("W/") for one in given.split(",")}


UNCHANGED: Final[Responses] = {
    304: {
        "description": "What the client has, as its If-None-Match names it, is still what it would be given"
    }
}
REVALIDATED: Final = [Depends(ConditionalAnswer(personal=False))]
REVALIDATED_PAGE: Final = [Depends(ConditionalAnswer(personal=True))]
REVALIDATED_START: Final = [Depends(ConditionalAnswer(personal=True, paths=True))]
