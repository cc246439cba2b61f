"""Pages of exploration paths for visitors: the list, the story, and the story without the site around it."""

from typing import Final

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from service.web.api.dependencies import Configured, Now
from service.web.api.middleware import SECURITY
from service.web.api.path_dependencies import PathStore, SeesDrafts, view_here
from service.web.portal.rendering import page

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)

EXPORTS: Final = {
    "jsonld": "JSON-LD",
    "iiif": "IIIF Collection",
    "csv": "CSV",
    "markdown": "Markdown",
    "html": "One HTML file",
}
"""The forms that the page of a path offers, by name."""

_FRAMED: Final = "Content-Security-Policy"


@router.get("/view/paths")
def view_paths(
    paths: PathStore, now: Now, configured: Configured, editable: SeesDrafts, request: Request
) -> HTMLResponse:
    """The published paths, the newest first."""
    stories = [view_here(request, path, now, configured) for path in paths.all_published()]
    return page("paths.html", stories=stories, editable=editable)


@router.get("/view/paths/{id}")
def view_path(
    id: str,  # noqa: A002 - as in the path
    paths: PathStore,
    now: Now,
    configured: Configured,
    editable: SeesDrafts,
    request: Request,
) -> HTMLResponse:
    """A published path as a story."""
    told = view_here(request, paths.published(id), now, configured)
    return page("path.html", told=told, draft=False, editable=editable, exports=EXPORTS)


@router.get("/embed/paths/{id}")
def embed_path(
    id: str,  # noqa: A002
    paths: PathStore,
    now: Now,
    configured: Configured,
    request: Request,
) -> HTMLResponse:
    """The same without the site around it: the one page that any other may show in a frame."""
    told = view_here(request, paths.published(id), now, configured)
    response = page("path_embed.html", told=told)
    policy = SECURITY[_FRAMED]
    response.headers[_FRAMED] = policy.replace("frame-ancestors 'none'", "frame-ancestors *")
    return response
