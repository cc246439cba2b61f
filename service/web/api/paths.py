"""Exploration paths over HTTP, read, suggested and exported; ``path_changes`` changes them."""

from typing import Annotated, Any

from fastapi import Path, Query, Response

from ingest.errors import InvalidRequest, UnknownPath
from service.paths import chains, following, walking
from service.paths.formats import FORMATS, iiif
from service.paths.model import MOST_VERSIONS
from service.paths.walking import suggestion_search
from service.search.cursors import decoded, encode
from service.web.api import answers, path_answers
from service.web.api import path_requests as requests
from service.web.api.caching import UNCHANGED, tag_path
from service.web.api.declaring import Operations
from service.web.api.dependencies import Curating, Editor, Now, PathId, PathStore, Reading, Until
from service.web.api.paging import Paged
from service.web.api.path_schemas import PathDocument, PathListing, PathSummary, PathVersions, Proposals, Walk
from service.web.api.problems import Responses
from service.web.api.schemas import Similar
from service.web.api.sparse import sparse

router = Operations(tags=["paths"])


def _documents(*media_types: str) -> Responses:
    content: dict[str, Any] = {
        name: {"schema": {"type": "object" if "json" in name else "string"}} for name in media_types
    }
    return {200: {"description": "The document", "content": content}}


@router.operation("GET /paths", "The published paths", "Paths in short, the newest first")
def list_paths(
    query: Annotated[requests.PathsQuery, Query()], paths: PathStore, editor: Editor
) -> PathListing:
    """What visitors see; with `drafts` every path as it is now, where the caller may write paths."""
    listed = paths.all if query.drafts and editor else paths.all_published
    behind = query.cursor and decoded(query.cursor, tuple[str, str])
    shown, last = query.page(listed(query.limit + 1, behind or None))
    return PathListing(
        paths=[PathSummary.model_validate(path.summary()) for path in shown],
        next=last and encode((last.changed, last.id)),
    )


@router.operation(
    "GET /walk",
    "A path by itself",
    "Steps, each near the last and not near the earlier ones",
    404,
    worded=True,
)
def suggest_path(query: Annotated[requests.WalkQuery, Query()], now: Now, until: Until) -> Walk:
    """Steps from an item, each near the last one and not near the earlier ones, with reasons.

    Nothing is kept.
    """
    steps = walking.walk(now, query.item, query.type, query.length, query.novelty, until)
    return path_answers.walk(steps, query.length, now)


@router.operation(
    "GET /way",
    "A way from one item to another",
    "A chain of strong typed links; no steps where there is none",
    404,
    worded=True,
)
def find_way(query: Annotated[requests.ChainQuery, Query()], now: Now, until: Until) -> Walk:
    """A chain of strong typed links from one item to another, as short as can be. Nothing is kept."""
    chain = chains.between(now, query.left, query.right, query.type, query.floor, query.work, until)
    return path_answers.chain(chain, query.floor, now)


@router.operation(
    "GET /paths/{id}", "One path", "The path; its version begins the ETag", UnknownPath, also=UNCHANGED
)
def get_path(
    id: PathId, query: Annotated[requests.PathQuery, Query()], reading: Reading, response: Response
) -> PathDocument:
    """A path as it is published; to those who may write paths as it is now."""
    path = reading.visible(id, query.version)
    document = path_answers.document(path, reading.now, names=reading.editor is not None)
    tag_path(reading.request, response, path, document.model_dump_json().encode())
    return document


@router.operation(
    "GET /paths/{id}/versions",
    "The versions of a path",
    "All versions in short, the newest first",
    401,
    403,
    UnknownPath,
)
def list_versions(
    id: PathId, query: Annotated[Paged, Query()], _curator: Curating, paths: PathStore
) -> PathVersions:
    """Every version, who made it, when and by what; for curators."""
    (before,) = decoded(query.cursor, tuple[int]) if query.cursor else (MOST_VERSIONS,)
    shown, last = query.page([one for one in paths.versions(id) if one.version < before])
    versions = [path_answers.version(id, one) for one in shown]
    return PathVersions(versions=versions, next=last and encode((last.version,)))


@router.operation(
    "GET /paths/{id}/suggestions",
    "What may come next on a path",
    "Items that are like the whole path, best first; none of them is in it",
    UnknownPath,
    response_model=Similar,
    worded=True,
)
def suggest_steps(
    id: PathId, query: Annotated[requests.SuggestionsQuery, Query()], reading: Reading, until: Until
) -> Similar | Response:
    """Items like all steps of a path, the last above all, and unlike those of `unlike`."""
    path, now, service = reading.visible(id), reading.now, reading.configured.service
    options = query.search(path.id, service)
    search = suggestion_search(now, path.content.items, options, query.unlike, work=service.work)
    near = answers.similar(search, now.variant, now.search(search, until), explain=query.explain)
    return sparse(near, query.fields, "neighbours")


@router.operation(
    "GET /paths/{id}/proposal",
    "In which way an item follows a step",
    "The types in which it is close, the strongest first, each with the reason",
    UnknownPath,
    worded=True,
)
def propose_type(
    id: PathId, query: Annotated[requests.ProposalQuery, Query()], reading: Reading, until: Until
) -> Proposals:
    """The types in which an item is close to a step of the path; none where nothing is."""
    now = reading.now
    now.item(query.item)
    items = reading.visible(id).content.items
    if query.after is not None and query.after not in items:
        raise InvalidRequest(f"the item {query.after!r} is not in the path; name one of its steps")
    after = query.after or (items[-1] if items else None)
    known = after is not None and now.holds(after)
    proposals = following.proposals(now, str(after), query.item, until) if known else []
    return path_answers.proposals(query.item, after, proposals)


@router.operation(
    "GET /paths/{id}/export",
    "A path as a document",
    "The document",
    UnknownPath,
    also=UNCHANGED | _documents(*(form.media_type for form in FORMATS.values())),
    response_class=Response,
    worded=True,
)
def export_path(id: PathId, query: Annotated[requests.ExportQuery, Query()], reading: Reading) -> Response:
    """The path as JSON-LD, as an IIIF Collection, as CSV, as Markdown or as one HTML file."""
    path, form = reading.visible(id), FORMATS[query.format]
    response = Response(form.write(reading.view(path)), media_type=form.media_type)
    response.headers["Content-Disposition"] = f'attachment; filename="{path.id}{form.suffix}"'
    tag_path(reading.request, response, path, bytes(response.body))
    return response


@router.operation(
    "GET /paths/{id}/manifests/{place}",
    "A step of a path as an IIIF Manifest",
    "The document",
    UnknownPath,
    also=UNCHANGED | _documents(iiif.MEDIA_TYPE),
    response_class=Response,
    worded=True,
)
def get_manifest(
    id: PathId,
    place: Annotated[int, Path(ge=1, description="Which step, from 1.", examples=[1])],
    reading: Reading,
) -> Response:
    """What the IIIF Collection of the path refers to: a Manifest of one canvas with the item's picture."""
    view = reading.view(reading.visible(id))
    if place > len(view.stops):
        raise UnknownPath(f"the path {id!r} has {len(view.stops)} steps; name one of them")
    response = Response(iiif.manifest(view, view.stops[place - 1]), media_type=iiif.MEDIA_TYPE)
    tag_path(reading.request, response, view.path, bytes(response.body))
    return response
