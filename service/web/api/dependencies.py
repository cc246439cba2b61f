"""What routes get: the recommender, the settings, stores, the client, and the version of a path it read."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Final, TypeAlias, cast
from urllib.parse import unquote

from fastapi import Depends, Header, Path, Request
from pydantic import AfterValidator

from ingest.errors import InvalidRequest, ReadOnly, UnknownPath, VersionRequired
from service.operations.keys import Client, Role
from service.operations.writing import Writer
from service.paths.model import ExplorationPath
from service.paths.store import PathsFile
from service.paths.views import PathView, path_view
from service.search.queries import Deadline
from service.search.recommender import Recommender
from service.sections import ServiceSettings
from service.settings import Settings
from service.web.access import clients
from service.web.access.limits import deadline

ItemId = Annotated[
    str,
    AfterValidator(unquote),
    Path(
        description="The item's id, percent-encoded; its slashes may also stand as they are.",
        examples=["sample:painting/canaletto-stonemasons-yard"],
    ),
]
"""The id of an item in a path."""

RecommenderSource: TypeAlias = Callable[[], Recommender]
"""Gives the recommender that answers now; raises an error of ours where there is none yet."""

# the version, and behind a full stop what else the answer is made of
_TAG: Final = re.compile(r'(?:W/)?"([1-9][0-9]{0,17})(?:\.[0-9a-f]{1,64})?"')


def recommender(request: Request) -> Recommender:
    """The recommender for one request, the same from its beginning to its end."""
    return cast("RecommenderSource", request.app.state.recommender)()


def state(name: str) -> object:
    """A dependency that gives what the application holds under a name."""

    async def get(request: Request) -> object:
        return getattr(request.app.state, name)

    return Depends(get)


Until = Annotated[Deadline, Depends(deadline)]
Now = Annotated[Recommender, Depends(recommender)]
Configured = Annotated[Settings, state("settings")]
PathStore = Annotated[PathsFile, state("paths")]


def takes_changes(configured: Configured) -> None:
    """Raises ``ReadOnly`` where the service takes no changes, whoever asks."""
    if not configured.service.writes:
        raise ReadOnly(
            "this service takes no changes; to allow them set service.writes: true in its configuration"
        )


def writer(
    request: Request, _open: Annotated[None, Depends(takes_changes)], _client: clients.Curator
) -> Writer:
    """Writes changes of items, for clients who may."""
    return cast("Writer", request.app.state.writer)


def curator(client: clients.Curator, _open: Annotated[None, Depends(takes_changes)]) -> Client:
    """The client that writes paths; raises ``ReadOnly``, and what ``clients.curator`` does."""
    return client


def editor(configured: Configured, visitor: clients.Visitor) -> Client | None:
    """The client where it may write paths, and so sees those that are not published; else None."""
    may_write = configured.service.writes and visitor is not None and visitor.role.reaches(Role.CURATOR)
    return visitor if may_write else None


def version_read(
    _: Annotated[Client, Depends(curator)],  # who may not write learns that first
    if_match: Annotated[str | None, Header(description="The ETag that was read.", examples=['"3"'])] = None,
) -> int:
    """The version that a change was made from; raises ``VersionRequired``, or ``InvalidRequest``."""
    if if_match is None:
        raise VersionRequired(
            'a change needs the header If-Match with the ETag of the path as it was read: If-Match: "3"'
        )
    tag = _TAG.fullmatch(if_match.strip())
    if tag is None:
        raise InvalidRequest(
            f"If-Match must be the ETag of the path, its version in quotes, not {if_match!r}"
        )
    return int(tag[1])


def public_base(request: Request, service: ServiceSettings) -> str:
    """Where the service is reached, without a slash at the end: as set, or as the request names it."""
    return service.address or str(request.base_url).rstrip("/")


async def body(request: Request) -> bytes:
    """The body as it came."""
    return await request.body()


Writing = Annotated[Writer, Depends(writer)]
Curating = Annotated[Client, Depends(curator)]
Editor = Annotated[Client | None, Depends(editor)]
Read = Annotated[int, Depends(version_read)]
RawBody = Annotated[bytes, Depends(body)]
PathId = Annotated[str, Path(description="The id of the path.", examples=["canaletto-in-venice-3fa9c17e"])]


@dataclass(frozen=True, slots=True)
class PathReader:
    """The paths as one client sees them, with the items of their steps as they are now."""

    request: Request
    paths: PathStore
    editor: Editor
    now: Now
    configured: Configured

    def visible(self, path: str, version: int | None = None) -> ExplorationPath:
        """A path: for curators as it is now or was in a version, for others as it is published."""
        if self.editor:
            return self.paths.get(path, version)
        published = self.paths.published(path)
        if version not in (None, published.version):
            raise UnknownPath(
                f"version {version} of the path {path!r} is not the published one; leave it out"
            )
        return published

    def view(self, path: ExplorationPath) -> PathView:
        """A path with the public addresses of the service, or those that this request came to."""
        base = public_base(self.request, self.configured.service)
        return path_view(path, self.now, self.configured.types, base)


Reading = Annotated[PathReader, Depends()]
