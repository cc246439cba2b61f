"""What the routes get from the application that holds them."""

from collections.abc import Callable
from typing import Annotated, TypeAlias, cast

from fastapi import Depends, Request

from ingest.errors import ReadOnly
from service.operations.writing import Writer
from service.search.queries import Deadline
from service.search.recommender import Recommender
from service.settings import Settings
from service.web.access.clients import Curator
from service.web.access.limits import deadline

Source: TypeAlias = Callable[[], Recommender]
"""Gives the recommender that answers now; raises an error of ours where there is none yet."""


def recommender(request: Request) -> Recommender:
    """The recommender for one request, the same from its beginning to its end."""
    return cast("Source", request.app.state.recommender)()


def settings(request: Request) -> Settings:
    """The settings of the application."""
    return cast("Settings", request.app.state.settings)


def takes_changes(request: Request) -> None:
    """Raises ``ReadOnly`` where the service takes no changes, whoever asks."""
    if not settings(request).service.writes:
        raise ReadOnly(
            "this service takes no changes; to allow them set service.writes: true in its configuration"
        )


def writer(
    request: Request,
    _open: Annotated[None, Depends(takes_changes)],
    _client: Curator,
) -> Writer:
    """What changes are written with, for those who may."""
    return cast("Writer", request.app.state.writer)


Until = Annotated[Deadline, Depends(deadline)]
Now = Annotated[Recommender, Depends(recommender)]
Configured = Annotated[Settings, Depends(settings)]
Writing = Annotated[Writer, Depends(writer)]
