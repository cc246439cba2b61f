"""Exploration paths over HTTP: made, changed, published, exported; every change names the version it read."""

from http import HTTPStatus
from typing import Annotated, Any, Final

from fastapi import APIRouter, Body, Path, Query, Request, Response

from ingest.errors import InvalidRequest, PathConflict, UnknownPath, VersionRequired
from service.api import answers, path_answers
from service.api.addresses import path_path
from service.api.dependencies import Configured, Now, Until
from service.api.path_dependencies import (
    Curating,
    Kept,
    OwnSite,
    RawBody,
    Read,
    SeesDrafts,
    tagged,
    told_here,
    visible,
)
from service.api.path_requests import (
    ByRequest,
    ChainQuery,
    ExportQuery,
    ForkRequest,
    ImportQuery,
    PathQuery,
    PathRequest,
    PathsQuery,
    ProposalQuery,
    StepRequest,
    SuggestionsQuery,
    WalkQuery,
)
from service.api.path_schemas import PathDocument, PathListing, PathVersions, Proposals, Walk
from service.api.problems import Responses, documented
from service.api.requests import NoQuery
from service.api.schemas import Similar
from service.paths import chains, editing, following, walking
from service.paths.formats import FORMATS, iiif
from service.paths.importing import taken_in
from service.paths.model import MOST_VERSIONS, Content, ExplorationPath
from service.paths.suggesting import suggesting
from service.recommender import Recommender

router = APIRouter(tags=["paths"])

PathId = Annotated[str, Path(description="The id of the path.", examples=["canaletto-in-venice-3fa9c17e"])]

_WRITING: Final = documented(400, 401, 403, 413, 422)
_CHANGING: Final = documented(400, 401, 403, 413, 422, errors=(UnknownPath, PathConflict, VersionRequired))
_READING: Final = documented(422, errors=(UnknownPath,))
_NO_BODY: Final = Body(default_factory=ByRequest)


def _binary(*media_types: str) -> Responses:
    content: dict[str, Any] = {name: {"schema": {"type": "string"}} for name in media_types}
    return {200: {"description": "The document", "content": content}}


@router.get(
    "/paths",
    operation_id="listPaths",
    summary="The published paths",
    response_description="Paths in short, the newest first",
    responses=documented(422),
)
def list_paths(query: Annotated[PathsQuery, Query()], paths: Kept, drafts: SeesDrafts) -> PathListing:
    """What visitors see; with `drafts` every path as it is now, where the caller may write paths."""
    found = paths.all() if query.drafts and drafts else paths.all_published()
    return PathListing(paths=[path_answers.summary(path) for path in found])


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
    curator: Curating,
    paths: Kept,
    now: Now,
    until: Until,
    response: Response,
) -> PathDocument:
    """Keep a path under an address of its own; type and reason of a step are proposed where it has none.

    A step without the key type is given the type and the reason that Kindred proposes; one with a type and
    without the key reason the reason of that type. A type of null says that it follows in no way that has a
    name.
    """
    name = curator.called(given.curator)
    about = Content(title=given.title, text=given.text, curator=given.curator or name)
    content = editing.content(now, about, [one.draft() for one in given.steps], until=until)
    return _made(paths.create(content, name), now, response)


@router.post(
    "/import/paths",
    operation_id="importPath",
    summary="Begin a path from a document",
    response_description="It was made",
    status_code=201,
    responses=_WRITING,
    dependencies=[OwnSite],
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
    curator: Curating,
    paths: Kept,
    now: Now,
    document: RawBody,
    response: Response,
) -> PathDocument:
    """Take in a path that was exported; an item that is not here is kept as a withdrawn one."""
    read = FORMATS[query.format].read
    if read is None:
        raise InvalidRequest(f"{query.format} cannot be read")
    content = taken_in(read(document), now)
    return _made(paths.create(content, curator.called(query.curator), "imported"), now, response)


@router.get(
    "/walk",
    operation_id="suggestPath",
    summary="A path by itself",
    response_description="Steps, each near the last and not near the earlier ones",
    responses=documented(404, 422),
)
def suggest_path(query: Annotated[WalkQuery, Query()], now: Now, until: Until) -> Walk:
    """Steps from an item, each near the last one and not near the earlier ones, with reasons.

    Nothing is kept.
    """
    laid = walking.walk(now, query.item, query.type, query.length, query.novelty, until)
    return path_answers.walk(laid, query.length, now)


@router.get(
    "/way",
    operation_id="findWay",
    summary="A way from one item to another",
    response_description="A chain of strong typed links; no steps where there is none",
    responses=documented(404, 422),
)
def find_way(query: Annotated[ChainQuery, Query()], now: Now, until: Until) -> Walk:
    """A chain of strong typed links from one item to another, as short as can be. Nothing is kept."""
    found = chains.between(now, query.left, query.right, query.type, query.floor, query.work, until)
    return path_answers.chain(found, query.floor, now)


@router.get(
    "/paths/{id}",
    operation_id="getPath",
    summary="One path",
    response_description="The path; its version is the ETag",
    responses=_READING,
)
def get_path(
    id: PathId,  # noqa: A002 - the name of the parameter in the path
    query: Annotated[PathQuery, Query()],
    paths: Kept,
    drafts: SeesDrafts,
    now: Now,
    response: Response,
) -> PathDocument:
    """A path as it is published; to those who may write paths as it is now."""
    return _answered(visible(paths, id, drafts, query.version), now, response)


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
    curator: Curating,
    paths: Kept,
    now: Now,
    until: Until,
    response: Response,
) -> PathDocument:
    """Write the next version of a path, whole; 412 where it was changed since the version that was read.

    As every change of a path it needs If-Match with the ETag that was read. The curator stays where it is
    left out; a step whose item was withdrawn may stay. Visitors see it when it is published.
    """
    before = paths.expect(id, read).content
    name = given.curator if "curator" in given.model_fields_set else before.curator
    about = Content(title=given.title, text=given.text, curator=name)
    drafts = [one.draft() for one in given.steps]
    content = editing.content(now, about, drafts, before.steps, until)
    return _answered(paths.change(id, read, content, curator.called(given.curator)), now, response)


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
    _curator: Curating,
    paths: Kept,
) -> None:
    """Remove a path with all its versions. Paths that were forked from it stay."""
    paths.delete(id, read)


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
    curator: Curating,
    paths: Kept,
    now: Now,
    until: Until,
    response: Response,
) -> PathDocument:
    """Add an item as a step; what follows it then is given a type and a reason anew."""
    before = paths.expect(id, read).content
    place = len(before.steps) if given.place is None else given.place - 1
    content = editing.added(now, before, given.draft(), place, until)
    return _answered(paths.change(id, read, content, curator.called(given.curator)), now, response)


@router.post(
    "/paths/{id}/publish",
    operation_id="publishPath",
    summary="Publish a path",
    response_description="The path, which visitors see from now on",
    responses=_CHANGING,
)
def publish_path(
    id: PathId,  # noqa: A002
    given: Annotated[ByRequest, _NO_BODY],
    _: Annotated[NoQuery, Query()],
    read: Read,
    curator: Curating,
    paths: Kept,
    now: Now,
    response: Response,
) -> PathDocument:
    """Show a path to visitors as it is now."""
    return _answered(paths.publish(id, read, curator.called(given.curator)), now, response)


@router.post(
    "/paths/{id}/unpublish",
    operation_id="unpublishPath",
    summary="Take a path back from visitors",
    response_description="The path, which visitors see no more",
    responses=_CHANGING,
)
def unpublish_path(
    id: PathId,  # noqa: A002
    given: Annotated[ByRequest, _NO_BODY],
    _: Annotated[NoQuery, Query()],
    read: Read,
    curator: Curating,
    paths: Kept,
    now: Now,
    response: Response,
) -> PathDocument:
    """Show a path to visitors no more."""
    return _answered(paths.unpublish(id, read, curator.called(given.curator)), now, response)


@router.post(
    "/paths/{id}/undo",
    operation_id="undoPath",
    summary="Undo the last change of a path",
    response_description="The path as it is now",
    responses=_CHANGING,
)
def undo_path(
    id: PathId,  # noqa: A002
    given: Annotated[ByRequest, _NO_BODY],
    _: Annotated[NoQuery, Query()],
    read: Read,
    curator: Curating,
    paths: Kept,
    now: Now,
    response: Response,
) -> PathDocument:
    """Make what the path was before its last change the next version; again and again goes further back."""
    return _answered(paths.undo(id, read, curator.called(given.curator)), now, response)


@router.get(
    "/paths/{id}/versions",
    operation_id="listVersions",
    summary="The versions of a path",
    response_description="All versions in short, the newest first",
    responses=_READING | documented(401, 403),
)
def list_versions(
    id: PathId,  # noqa: A002
    _: Annotated[NoQuery, Query()],
    _curator: Curating,
    paths: Kept,
) -> PathVersions:
    """Every version, who made it, when and by what; for curators."""
    return PathVersions(versions=[path_answers.version(id, one) for one in paths.versions(id)])


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
    given: Annotated[ByRequest, _NO_BODY],
    _: Annotated[NoQuery, Query()],
    read: Read,
    curator: Curating,
    paths: Kept,
    now: Now,
    response: Response,
) -> PathDocument:
    """Make what the path was in a version the next version."""
    return _answered(paths.restore(id, read, number, curator.called(given.curator)), now, response)


@router.post(
    "/paths/{id}/fork",
    operation_id="forkPath",
    summary="Begin a path from another",
    response_description="The new path",
    status_code=201,
    responses=_WRITING | _READING,
)
def fork_path(
    id: PathId,  # noqa: A002
    given: Annotated[ForkRequest, Body(default_factory=ForkRequest)],
    query: Annotated[PathQuery, Query()],
    curator: Curating,
    paths: Kept,
    now: Now,
    response: Response,
) -> PathDocument:
    """Begin a path with what another one holds, now or in a version; it says where it is from."""
    origin = paths.get(id, query.version)
    made = paths.fork(id, origin.version, curator.called(given.curator), given.title)
    return _made(made, now, response)


@router.get(
    "/paths/{id}/suggestions",
    operation_id="suggestSteps",
    summary="What may come next on a path",
    response_description="Items that are like the whole path, best first; none of them is in it",
    responses=_READING,
)
def suggest_steps(
    id: PathId,  # noqa: A002
    query: Annotated[SuggestionsQuery, Query()],
    paths: Kept,
    drafts: SeesDrafts,
    now: Now,
    configured: Configured,
    until: Until,
) -> Similar:
    """Items like all steps of a path, the last above all, and unlike those of `unlike`."""
    path = visible(paths, id, drafts)
    asked = query.search(path.id, configured.service)
    items = path.content.items
    search = suggesting(now, items, asked, query.unlike, work=configured.service.work)
    return answers.similar(search, now.variant, now.search(search, until), explain=query.explain)


@router.get(
    "/paths/{id}/proposal",
    operation_id="proposeType",
    summary="In which way an item follows a step",
    response_description="The types in which it is close, the strongest first, each with the reason",
    responses=_READING,
)
def propose_type(
    id: PathId,  # noqa: A002
    query: Annotated[ProposalQuery, Query()],
    paths: Kept,
    drafts: SeesDrafts,
    now: Now,
    until: Until,
) -> Proposals:
    """The types in which an item is close to a step of the path; none where nothing is."""
    now.item(query.item)
    items = visible(paths, id, drafts).content.items
    if query.after is not None and query.after not in items:
        raise InvalidRequest(f"the item {query.after!r} is not in the path; name one of its steps")
    after = query.after or (items[-1] if items else None)
    known = after is not None and now.holds(after)
    found = following.proposals(now, str(after), query.item, until) if known else []
    return path_answers.proposals(query.item, after, found)


@router.get(
    "/paths/{id}/export",
    operation_id="exportPath",
    summary="A path as a document",
    response_class=Response,
    responses=_binary(*(form.media_type for form in FORMATS.values())) | _READING,
)
def export_path(
    id: PathId,  # noqa: A002
    query: Annotated[ExportQuery, Query()],
    paths: Kept,
    drafts: SeesDrafts,
    now: Now,
    configured: Configured,
    request: Request,
) -> Response:
    """The path as JSON-LD, as an IIIF Collection, as CSV, as Markdown or as one HTML file."""
    path = visible(paths, id, drafts)
    form = FORMATS[query.format]
    document = form.write(told_here(request, path, now, configured))
    response = Response(document, media_type=form.media_type)
    response.headers["Content-Disposition"] = f'attachment; filename="{path.id}{form.suffix}"'
    tagged(response, path)
    return response


@router.get(
    "/paths/{id}/manifests/{place}",
    operation_id="getManifest",
    summary="A step of a path as an IIIF Manifest",
    response_class=Response,
    responses=_binary(iiif.MEDIA_TYPE) | _READING,
)
def get_manifest(
    id: PathId,  # noqa: A002
    place: Annotated[int, Path(ge=1, description="Which step, from 1.", examples=[1])],
    _: Annotated[NoQuery, Query()],
    paths: Kept,
    drafts: SeesDrafts,
    now: Now,
    configured: Configured,
    request: Request,
) -> Response:
    """What the IIIF Collection of the path refers to: a Manifest of one canvas with the item's picture."""
    told = told_here(request, visible(paths, id, drafts), now, configured)
    if place > len(told.stops):
        raise UnknownPath(f"the path {id!r} has {len(told.stops)} steps; name one of them")
    response = Response(iiif.manifest(told, told.stops[place - 1]), media_type=iiif.MEDIA_TYPE)
    tagged(response, told.path)
    return response


def _answered(path: ExplorationPath, now: Recommender, response: Response) -> PathDocument:
    tagged(response, path)
    return path_answers.document(path, now)


def _made(path: ExplorationPath, now: Recommender, response: Response) -> PathDocument:
    response.status_code = HTTPStatus.CREATED
    response.headers["Location"] = path_path(path.id)
    return _answered(path, now, response)
