"""Exploration paths over HTTP: begun, changed, published; every change names the version that it read."""

from collections.abc import Callable
from dataclasses import dataclass
from http import HTTPStatus
from typing import Annotated, Final

from fastapi import Body, Depends, Path, Query, Request, Response

from ingest.errors import InvalidRequest, PathConflict, UnknownPath, VersionRequired
from service.paths import editing
from service.paths.editing import fitted
from service.paths.formats import FORMATS
from service.paths.model import MOST_VERSIONS, Content, ExplorationPath, Signature
from service.web.api import path_answers
from service.web.api import path_requests as requests
from service.web.api.addresses import path_path
from service.web.api.caching import tag_path
from service.web.api.declaring import Operations
from service.web.api.dependencies import Curating, Now, PathId, PathStore, RawBody, Read, Until
from service.web.api.path_schemas import PathDocument

router = Operations(tags=["paths"])

_WRITING: Final = (400, 401, 403, 413)
_CHANGING: Final = (*_WRITING, UnknownPath, PathConflict, VersionRequired)
_AS_IT_IS: Final = "The path as it is now"


@dataclass(frozen=True, slots=True)
class PathWriter:
    """Writes paths for a curator, and answers with them."""

    curator: Curating
    paths: PathStore
    now: Now
    request: Request
    response: Response

    def signature(self, given: str) -> Signature:
        """Who makes a change; ``given`` is the name that came with it."""
        return Signature(self.curator.name, given.strip())

    def answer(self, path: ExplorationPath) -> PathDocument:
        """The path as it is now; its version begins the ETag."""
        document = path_answers.document(path, self.now)
        tag_path(self.request, self.response, path, document.model_dump_json().encode())
        return document

    def created(self, path: ExplorationPath) -> PathDocument:
        """A path that was made, with its address."""
        self.response.status_code = HTTPStatus.CREATED
        self.response.headers["Location"] = path_path(path.id)
        return self.answer(path)


@dataclass(frozen=True, slots=True)
class PathChange:
    """A change of the path ``id``, made from the version ``read``."""

    id: PathId
    read: Read
    writer: Annotated[PathWriter, Depends()]

    @property
    def before(self) -> Content:
        """What the path holds; raises ``PathConflict`` where it was changed since it was read."""
        return self.writer.paths.expect(self.id, self.read).content

    def write(self, content: Content, curator: str) -> PathDocument:
        """Make a content the next version."""
        by = self.writer.signature(curator)
        return self.writer.answer(self.writer.paths.change(self.id, self.read, content, by))

    def make(
        self, change: Callable[[str, int, Signature], ExplorationPath], given: requests.ByRequest
    ) -> PathDocument:
        """Make a change that needs no more than a name."""
        return self.writer.answer(change(self.id, self.read, self.writer.signature(given.curator)))


Writing = Annotated[PathWriter, Depends()]
Change = Annotated[PathChange, Depends()]
By = Annotated[requests.ByRequest, Body(default_factory=requests.ByRequest)]


@router.operation("POST /paths", "Begin a path", "It was made", *_WRITING, 404, status_code=201, worded=True)
def create_path(given: requests.PathRequest, writing: Writing, until: Until) -> PathDocument:
    """Keep a path under an address of its own; type and reason of a step are proposed where it has none.

    A step without the key type is given the type and the reason that Kindred proposes; one with a type and
    without the key reason the reason of that type. A type of null says that it follows in no way that has a
    name.
    """
    heading = Content(title=given.title, text=given.text, curator=given.curator)
    content = editing.content(writing.now, heading, given.drafts(), until=until)
    return writing.created(writing.paths.create(content, writing.signature(given.curator)))


@router.operation(
    "POST /import/paths",
    "Begin a path from a document",
    "It was made",
    *_WRITING,
    status_code=201,
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
    query: Annotated[requests.ImportQuery, Query()], writing: Writing, document: RawBody
) -> PathDocument:
    """Take in a path that was exported; an item that is not here is kept as a withdrawn one."""
    read = FORMATS[query.format].read
    if read is None:
        raise InvalidRequest(f"{query.format} cannot be read")
    content = fitted(read(document), writing.now)
    return writing.created(writing.paths.create(content, writing.signature(query.curator), "imported"))


@router.operation("PUT /paths/{id}", "Change a path", _AS_IT_IS, *_CHANGING, worded=True)
def change_path(given: requests.PathRequest, change: Change, until: Until) -> PathDocument:
    """Write the next version of a path, whole; 412 where it was changed since the version that was read.

    As every change of a path it needs If-Match with the ETag that was read. The curator stays where it is
    left out; a step whose item was withdrawn may stay. Visitors see it when it is published.
    """
    before = change.before
    name = given.curator if "curator" in given.model_fields_set else before.curator
    heading = Content(title=given.title, text=given.text, curator=name)
    content = editing.content(change.writer.now, heading, given.drafts(), before.steps, until)
    return change.write(content, given.curator)


@router.operation(
    "DELETE /paths/{id}", "Delete a path", "It is gone, with all its versions", *_CHANGING, status_code=204
)
def delete_path(change: Change) -> None:
    """Remove a path with all its versions. Paths that were forked from it stay."""
    change.writer.paths.delete(change.id, change.read)


@router.operation("POST /paths/{id}/steps", "Add a step to a path", _AS_IT_IS, *_CHANGING, worded=True)
def add_step(given: requests.StepRequest, change: Change, until: Until) -> PathDocument:
    """Add an item as a step; what follows it then is given a type and a reason anew."""
    before = change.before
    place = len(before.steps) if given.place is None else given.place - 1
    content = editing.added(change.writer.now, before, given.draft(), place, until)
    return change.write(content, given.curator)


@router.operation(
    "POST /paths/{id}/publish", "Publish a path", "The path, which visitors see from now on", *_CHANGING
)
def publish_path(given: By, change: Change) -> PathDocument:
    """Show a path to visitors as it is now."""
    return change.make(change.writer.paths.publish, given)


@router.operation(
    "POST /paths/{id}/unpublish",
    "Take a path back from visitors",
    "The path, which visitors see no more",
    *_CHANGING,
)
def unpublish_path(given: By, change: Change) -> PathDocument:
    """Show a path to visitors no more."""
    return change.make(change.writer.paths.unpublish, given)


@router.operation("POST /paths/{id}/undo", "Undo the last change of a path", _AS_IT_IS, *_CHANGING)
def undo_path(given: By, change: Change) -> PathDocument:
    """Make what the path was before its last change the next version; again and again goes further back."""
    return change.make(change.writer.paths.undo, given)


@router.operation(
    "POST /paths/{id}/versions/{number}/restore", "Go back to a version of a path", _AS_IT_IS, *_CHANGING
)
def restore_version(
    id: PathId,
    number: Annotated[
        int, Path(ge=1, le=MOST_VERSIONS, description="The number of the version.", examples=[1])
    ],
    given: By,
    change: Change,
) -> PathDocument:
    """Make what the path was in a version the next version."""
    by = change.writer.signature(given.curator)
    return change.writer.answer(change.writer.paths.restore(id, change.read, number, by))


@router.operation(
    "POST /paths/{id}/fork",
    "Begin a path from another",
    "The new path",
    *_WRITING,
    UnknownPath,
    status_code=201,
)
def fork_path(
    id: PathId,
    given: Annotated[requests.ForkRequest, Body(default_factory=requests.ForkRequest)],
    query: Annotated[requests.PathQuery, Query()],
    writing: Writing,
) -> PathDocument:
    """Begin a path with what another one holds, now or in a version; it says where it is from."""
    origin = writing.paths.get(id, query.version)
    fork = writing.paths.fork(id, origin.version, writing.signature(given.curator), given.title)
    return writing.created(fork)
