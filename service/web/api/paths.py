"""Exploration paths over HTTP, read, suggested and exported; ``path_changes`` changes them."""

from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Request, Response

from ingest.errors import InvalidRequest, UnknownPath
from service.paths import chains, following, walking
from service.paths.formats import FORMATS, iiif
from service.paths.suggesting import suggesting
from service.web.api import answers, path_answers
from service.web.api.dependencies import Configured, Now, Until
from service.web.api.path_dependencies import (
    READING,
    Curating,
    PathId,
    PathStore,
    SeesDrafts,
    tagged,
    view_here,
    visible,
)
from service.web.api.path_requests import (
    ChainQuery,
    ExportQuery,
    PathQuery,
    PathsQuery,
    ProposalQuery,
    SuggestionsQuery,
    WalkQuery,
)
from service.web.api.path_schemas import PathDocument, PathListing, PathSummary, PathVersions, Proposals, Walk
from service.web.api.problems import Responses, documented
from service.web.api.requests import NoQuery
from service.web.api.schemas import Similar

router = APIRouter(tags=["paths"])


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
def list_paths(query: Annotated[PathsQuery, Query()], paths: PathStore, drafts: SeesDrafts) -> PathListing:
    """What visitors see; with `drafts` every path as it is now, where the caller may write paths."""
    found = paths.all() if query.drafts and drafts else paths.all_published()
    return PathListing(paths=[PathSummary.model_validate(path.summary()) for path in found])


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
    responses=READING,
)
def get_path(
    id: PathId,  # noqa: A002 - the name of the parameter in the path
    query: Annotated[PathQuery, Query()],
    paths: PathStore,
    drafts: SeesDrafts,
    now: Now,
    response: Response,
) -> PathDocument:
    """A path as it is published; to those who may write paths as it is now."""
    path = visible(paths, id, drafts, query.version)
    tagged(response, path)
    return path_answers.document(path, now)


@router.get(
    "/paths/{id}/versions",
    operation_id="listVersions",
    summary="The versions of a path",
    response_description="All versions in short, the newest first",
    responses=READING | documented(401, 403),
)
def list_versions(
    id: PathId,  # noqa: A002
    _: Annotated[NoQuery, Query()],
    _curator: Curating,
    paths: PathStore,
) -> PathVersions:
    """Every version, who made it, when and by what; for curators."""
    return PathVersions(versions=[path_answers.version(id, one) for one in paths.versions(id)])


@router.get(
    "/paths/{id}/suggestions",
    operation_id="suggestSteps",
    summary="What may come next on a path",
    response_description="Items that are like the whole path, best first; none of them is in it",
    responses=READING,
)
def suggest_steps(
    id: PathId,  # noqa: A002
    query: Annotated[SuggestionsQuery, Query()],
    paths: PathStore,
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
    responses=READING,
)
def propose_type(
    id: PathId,  # noqa: A002
    query: Annotated[ProposalQuery, Query()],
    paths: PathStore,
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
    responses=_binary(*(form.media_type for form in FORMATS.values())) | READING,
)
def export_path(
    id: PathId,  # noqa: A002
    query: Annotated[ExportQuery, Query()],
    paths: PathStore,
    drafts: SeesDrafts,
    now: Now,
    configured: Configured,
    request: Request,
) -> Response:
    """The path as JSON-LD, as an IIIF Collection, as CSV, as Markdown or as one HTML file."""
    path = visible(paths, id, drafts)
    form = FORMATS[query.format]
    document = form.write(view_here(request, path, now, configured))
    response = Response(document, media_type=form.media_type)
    response.headers["Content-Disposition"] = f'attachment; filename="{path.id}{form.suffix}"'
    tagged(response, path)
    return response


@router.get(
    "/paths/{id}/manifests/{place}",
    operation_id="getManifest",
    summary="A step of a path as an IIIF Manifest",
    response_class=Response,
    responses=_binary(iiif.MEDIA_TYPE) | READING,
)
def get_manifest(
    id: PathId,  # noqa: A002
    place: Annotated[int, Path(ge=1, description="Which step, from 1.", examples=[1])],
    _: Annotated[NoQuery, Query()],
    paths: PathStore,
    drafts: SeesDrafts,
    now: Now,
    configured: Configured,
    request: Request,
) -> Response:
    """What the IIIF Collection of the path refers to: a Manifest of one canvas with the item's picture."""
    told = view_here(request, visible(paths, id, drafts), now, configured)
    if place > len(told.stops):
        raise UnknownPath(f"the path {id!r} has {len(told.stops)} steps; name one of them")
    response = Response(iiif.manifest(told, told.stops[place - 1]), media_type=iiif.MEDIA_TYPE)
    tagged(response, told.path)
    return response
