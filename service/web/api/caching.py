"""Answers that clients may store: each has a mark (ETag), and a client that has the same is answered 304.

The mark is made of what answers are given from, of the address, and of this Kindred with its settings, so
that it is known before any work is done. That of an item or a path is made of what it holds: a change
names what it was made from by it.
"""

import hashlib
from typing import Final, cast

from fastapi import Depends, FastAPI
from fastapi.params import Depends as Dependency
from starlette.requests import Request
from starlette.responses import Response

from ingest.record import Record, encode
from ingest.storage.database import last_written
from service.languages.messages import spoken
from service.paths.model import ExplorationPath
from service.paths.store import PathsFile
from service.sections import ServiceSettings
from service.settings import Settings
from service.web.api.dependencies import Configured, Now
from service.web.api.problems import Responses
from service.web.api.trace import trace

_LENGTH: Final = 32
_SERVER: Final = frozenset(
    {"host", "port", "workers", "log", "proxies", "rate", "burst", "requests", "waiting"}
)
_PLACE: Final[dict[str, bool | set[str]]] = {
    **dict.fromkeys(
        ("state", "ingest", "harvest", "harvesting", "analysis", "resources", "evaluation"), True
    ),
    "index": {"urls", "key_file", "user", "password_file", "authority", "timeout", "retries"},
    "service": {*_SERVER, "patience", "seconds", "rebuild_after"},
}


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
    """A mark of this Kindred: another version, or other settings, may give other answers.

    Where a service lies, listens and logs changes no answer: of several servers of one state all give the
    same marks.
    """
    shaping = settings.model_dump_json(exclude=_PLACE)
    return hashlib.sha256(f"{version} {shaping}".encode()).hexdigest()


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
            spoken(),
            # pages of curators show what they said of pairs
            f"{client.id} {last_written(configured.state.feedback)}" if client else "",
            cast("PathsFile", request.app.state.paths).publication() if paths else "",
        )
        tag = f'W/"{hashlib.sha256(" ".join(parts).encode()).hexdigest()[:_LENGTH]}"'
        headers = {"ETag": tag, "Cache-Control": storable(configured.service, known=client is not None)}
        headers |= {"Vary": "Cookie"} if personal else {}
        _mark(request, tag, headers)

    return [Depends(revalidate)]


def storable(service: ServiceSettings, *, known: bool = False) -> str:
    """How long an answer may be stored, and by whom; ``known``: it is made for somebody who logged in."""
    # what not everybody may read is nothing for a proxy to store
    private = known or service.reads != "everyone"
    age = f"max-age={service.max_age}" if service.max_age and not known else "no-cache"
    return f"{'private, ' if private else 'public, ' if age != 'no-cache' else ''}{age}"


def item_tag(record: Record, version: str) -> str:
    """The mark of a record as this version of Kindred answers with it, so that a change can name it.

    >>> item_tag(Record(id="x:1"), "1.0") == item_tag(Record(id="x:1"), "1.1")
    False
    """
    return f'"{hashlib.sha256(version.encode() + encode(record)).hexdigest()[:_LENGTH]}"'


def tag_item(request: Request, response: Response, record: Record, service: ServiceSettings) -> None:
    """Mark the answer that is an item; raises ``Unchanged`` where the client has it."""
    tag = item_tag(record, request.app.version)
    _give(request, response, {"ETag": tag, "Cache-Control": storable(service), "Vary": "Accept"})


def tag_path(request: Request, response: Response, path: ExplorationPath, body: bytes) -> None:
    """Mark an answer with the version of the path in it, and with what else it says, as items' titles.

    If-Match reads the version alone. Raises ``Unchanged`` where a GET names the mark.
    """
    tag = f'"{path.version}.{hashlib.sha256(body).hexdigest()[:_LENGTH]}"'
    # the same address is answered with a draft to curators
    _give(request, response, {"ETag": tag, "Cache-Control": "private, no-cache"})


def _give(request: Request, response: Response, headers: dict[str, str]) -> None:
    if request.method == "GET" and names_tag(request.headers.get("if-none-match", ""), headers["ETag"]):
        raise Unchanged(headers)
    response.headers.update(headers)


def _revalidate_settings(request: Request) -> None:
    """The dependency of routes whose answers come from the settings alone: they need no collection."""
    tag = f'W/"{request.app.state.fingerprint[:_LENGTH]}"'
    _mark(request, tag, {"ETag": tag, "Cache-Control": "no-cache"})


def _mark(request: Request, tag: str, headers: dict[str, str]) -> None:
    """Send the headers with the answer; raises ``Unchanged`` where the client has the one of this mark."""
    if names_tag(request.headers.get("if-none-match", ""), tag):
        raise Unchanged(headers)
    trace(request.scope).headers.update(headers)


def names_tag(given: str, tag: str) -> bool:
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
