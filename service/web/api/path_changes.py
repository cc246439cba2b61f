"""Exploration paths over HTTP: begun, changed, published; every change names the version that it read."""

from dataclasses import dataclass
from http import HTTPStatus
from typing import Annotated, Final

from fastapi import APIRouter, Body, Depends, Path, Query, Response

from ingest.errors import InvalidRequest, PathConflict, UnknownPath, VersionRequired
from service.paths import editing
from service.paths.editing import fitted
from service.paths.formats import FORMATS
from service.paths.model import MOST_VERSIONS, Content, ExplorationPath
from service.web.api import path_answers
from service.web.api.addresses import path_path
from service.web.api.dependencies import Now, Until
from service.web.api.path_dependencies import READING, Curating, PathId, PathStore, RawBody, Read, tagged
from service.web.api.path_requests import (
    ByRequest,
    ForkRequest,
    ImportQuery,
    PathQuery,
    PathRequest,
    StepRequest,
)
from service.web.api.path_schemas import PathDocument
from service.web.api.problems import documented
from service.web.api.requests import NoQuery

router = APIRouter(tags=["paths"])

_WRITING: Final = documented(400, 401, 403, 413, 422)
_CHANGING: Final = documented(400, 401, 403, 413, 422, errors=(UnknownPath, PathConflict, VersionRequired))


@dataclass(frozen=True, slots=True)
class PathRequestContext:
    """What every request that writes a path comes with, and how it is answered."""

    curator: Curating
    paths: PathStore
    now: Now
    response: Response

    def answer(self, path: ExplorationPath) -> PathDocument:
        """The path as it is now; its version is the ETag."""
        tagged(self.response, path)
        return path_answers.document(path, self.now)

    def made(self, path: ExplorationPath) -> PathDocument:
        """The path as it was made, with its address."""
        self.response.status_code = HTTPStatus.CREATED
        self.response.headers["Location"] = path_path(path.id)
        return self.answer(path)


_Writing = Annotated[PathRequestContext, Depends()]
_By = Annotated[ByRequest, Body(default_factory=ByRequest)]


@router.post(
    "/paths",
    operation_id="createPath",
    summary="Begin a path",
    response_description="It was made",
    status_code=201,
    responses=_WRITING | documented(404),
)
def create_path(
    given: Annotated[PathRequest, Body()],
    _: Annotated[NoQuery, Query()],
    writing: _Writing,
    until: Until,
) -> PathDocument:
    """Keep a path under an address of its own; type and reason of a step are proposed where it has none.

    A step without the key type is given the type and the reason that Kindred proposes; one with a type and
    without the key reason the reason of that type. A type of null says that it follows in no way that has a
    name.
    """
    name = writing.curator.called(given.curator)
    about = Content(title=given.title, text=given.text, curator=given.curator or name)
    content = editing.content(writing.now, about, [one.draft() for one in given.steps], until=until)
    return writing.made(writing.paths.create(content, name))


@router.post(
    "/import/paths",
    operation_id="importPath",
    summary="Begin a path from a document",
    response_description="It was made",
    status_code=201,
    responses=_WRITING,
    openapi_extra={
        "requestBody": {
            "required": True,
            "content": {
                "application/ld+json": {"schema": {"type": "object"}},
                "text/csv": {"schema": {"type": "string"}},
            },
        }
    },
)
def import_path(
    query: Annotated[ImportQuery, Query()],
    writing: _Writing,
    document: RawBody,
) -> PathDocument:
    """Take in a path that was exported; an item that is not here is kept as a withdrawn one."""
    read = FORMATS[query.format].read
    if read is None:
        raise InvalidRequest(f"{query.format} cannot be read")
    content = fitted(read(document), writing.now)
    return writing.made(writing.paths.create(content, writing.curator.called(query.curator), "imported"))


@router.put(
    "/paths/{id}",
    operation_id="changePath",
    summary="Change a path",
    response_description="The path as it is now",
    responses=_CHANGING,
)
def change_path(
    id: PathId,  # noqa: A002
    given: Annotated[PathRequest, Body()],
    _: Annotated[NoQuery, Query()],
    read: Read,
    writing: _Writing,
    until: Until,
) -> PathDocument:
    """Write the next version of a path, whole; 412 where it was changed since the version that was read.

    As every change of a path it needs If-Match with the ETag that was read. The curator stays where it is
    left out; a step whose item was withdrawn may stay. Visitors see it when it is published.
    """
    before = writing.paths.expect(id, read).content
    name = given.curator if "curator" in given.model_fields_set else before.curator
    about = Content(title=given.title, text=given.text, curator=name)
    drafts = [one.draft() for one in given.steps]
    content = editing.content(writing.now, about, drafts, before.steps, until)
    return writing.answer(writing.paths.change(id, read, content, writing.curator.called(given.curator)))


@router.delete(
    "/paths/{id}",
    operation_id="deletePath",
    summary="Delete a path",
    response_description="It is gone, with all its versions",
    status_code=204,
    responses=_CHANGING,
)
def delete_path(
    id: PathId,  # noqa: A002
    _: Annotated[NoQuery, Query()],
    read: Read,
    writing: _Writing,
) -> None:
    """Remove a path with all its versions. Paths that were forked from it stay."""
    writing.paths.delete(id, read)


@router.post(
    "/paths/{id}/steps",
    operation_id="addStep",
    summary="Add a step to a path",
    response_description="The path as it is now",
    responses=_CHANGING,
)
def add_step(
    id: PathId,  # noqa: A002
    given: Annotated[StepRequest, Body()],
    _: Annotated[NoQuery, Query()],
    read: Read,
    writing: _Writing,
    until: Until,
) -> PathDocument:
    """Add an item as a step; what follows it then is given a type and a reason anew."""
    before = writing.paths.expect(id, read).content
    place = len(before.steps) if given.place is None else given.place - 1
    content = editing.added(writing.now, before, given.draft(), place, until)
    return writing.answer(writing.paths.change(id, read, content, writing.curator.called(given.curator)))


@router.post(
    "/paths/{id}/publish",
    operation_id="publishPath",
    summary="Publish a path",
    response_description="The path, which visitors see from now on",
    responses=_CHANGING,
)
def publish_path(
    id: PathId,  # noqa: A002
    given: _By,
    _: Annotated[NoQuery, Query()],
    read: Read,
    writing: _Writing,
) -> PathDocument:
    """Show a path to visitors as it is now."""
    return writing.answer(writing.paths.publish(id, read, writing.curator.called(given.curator)))


@router.post(
    "/paths/{id}/unpublish",
    operation_id="unpublishPath",
    summary="Take a path back from visitors",
    response_description="The path, which visitors see no more",
    responses=_CHANGING,
)
def unpublish_path(
    id: PathId,  # noqa: A002
    given: _By,
    _: Annotated[NoQuery, Query()],
    read: Read,
    writing: _Writing,
) -> PathDocument:
    """Show a path to visitors no more."""
    return writing.answer(writing.paths.unpublish(id, read, writing.curator.called(given.curator)))


@router.post(
    "/paths/{id}/undo",
    operation_id="undoPath",
    summary="Undo the last change of a path",
    response_description="The path as it is now",
    responses=_CHANGING,
)
def undo_path(
    id: PathId,  # noqa: A002
    given: _By,
    _: Annotated[NoQuery, Query()],
    read: Read,
    writing: _Writing,
) -> PathDocument:
    """Make what the path was before its last change the next version; again and again goes further back."""
    return writing.answer(writing.paths.undo(id, read, writing.curator.called(given.curator)))


@router.post(
    "/paths/{id}/versions/{number}/restore",
    operation_id="restoreVersion",
    summary="Go back to a version of a path",
    response_description="The path as it is now",
    responses=_CHANGING,
)
def restore_version(
    id: PathId,  # noqa: A002
    number: Annotated[
        int, Path(ge=1, le=MOST_VERSIONS, description="The number of the version.", examples=[1])
    ],
    given: _By,
    _: Annotated[NoQuery, Query()],
    read: Read,
    writing: _Writing,
) -> PathDocument:
    """Make what the path was in a version the next version."""
    return writing.answer(writing.paths.restore(id, read, number, writing.curator.called(given.curator)))


@router.post(
    "/paths/{id}/fork",
    operation_id="forkPath",
    summary="Begin a path from another",
    response_description="The new path",
    status_code=201,
    responses=_WRITING | READING,
)
def fork_path(
    id: PathId,  # noqa: A002
    given: Annotated[ForkRequest, Body(default_factory=ForkRequest)],
    query: Annotated[PathQuery, Query()],
    writing: _Writing,
) -> PathDocument:
    """Begin a path with what another one holds, now or in a version; it says where it is from."""
    origin = writing.paths.get(id, query.version)
    made = writing.paths.fork(id, origin.version, writing.curator.called(given.curator), given.title)
    return writing.made(made)
