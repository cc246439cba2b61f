"""Pages of exploration paths for visitors: the list, the story, and the story without the site around it."""

from typing import Final

from fastapi import APIRouter
from fastapi.responses import HTMLResponse

from service.web.api.middleware import SECURITY
from service.web.api.path_dependencies import Reading
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
def view_paths(reading: Reading) -> HTMLResponse:
    """The published paths, the newest first."""
    stories = [reading.view(path) for path in reading.paths.all_published()]
    return page("paths.html", stories=stories, editable=reading.drafts)


@router.get("/view/paths/{id}")
def view_path(id: str, reading: Reading) -> HTMLResponse:
    """A published path as a story."""
    view = reading.view(reading.paths.published(id))
    return page("path.html", view=view, draft=False, editable=reading.drafts, exports=EXPORTS)


@router.get("/embed/paths/{id}")
def embed_path(id: str, reading: Reading) -> HTMLResponse:
    """The same without the site around it: the one page that any other may show in a frame."""
    response = page("path_embed.html", view=reading.view(reading.paths.published(id)))
    policy = SECURITY[_FRAMED]
    response.headers[_FRAMED] = policy.replace("frame-ancestors 'none'", "frame-ancestors *")
    return response
