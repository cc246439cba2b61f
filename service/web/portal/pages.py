"""Pages for people: the start, an item with its neighbours, the interface, and what went wrong."""

from typing import Annotated, Final
from urllib.parse import urlencode

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import HTMLResponse
from starlette.exceptions import HTTPException

from ingest.errors import UnknownItem
from service.web.api.caching import REVALIDATED, REVALIDATED_START
from service.web.api.dependencies import Configured, Now
from service.web.api.path_dependencies import PathStore, view_here
from service.web.api.problems import Problem, kinds
from service.web.portal import overview
from service.web.portal.files import FOLDER
from service.web.portal.rendering import page

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)

_START: Final = 24
"""Items on the start page."""

_WIDGET: Final = "widget.js"

_PATHS: Final = 3
"""Paths on the start page, the newest."""


@router.get("/", dependencies=REVALIDATED_START)
def start(
    request: Request,
    now: Now,
    paths: PathStore,
    configured: Configured,
    after: Annotated[str | None, Query()] = None,
) -> HTMLResponse:
    """The start page: what this is, and some items to begin a walk with."""
    found, total = now.index.around(after, _START), len(now.collection)
    if found.before and not found.records:
        raise UnknownItem(f"no item comes after {after!r}; the first are on the start page")
    begin, records = found.before, found.records
    end = begin + len(records)
    return page(
        "start.html",
        records=records,
        first=begin + 1,
        last=end,
        total=total,
        ways=len(now.system.types),
        variant=now.variant,
        # these are for the beginning; who walks on has seen them
        stories=()
        if begin
        else [view_here(request, one, now, configured) for one in paths.all_published(_PATHS)],
        timeline=None if begin else overview.timeline(now.collection.facets),
        places=() if begin else overview.places(now.collection.facets),
        following=_after(records[-1].id) if records and end < total else None,
        previous=None if not begin else "/" if found.previous is None else _after(found.previous),
    )


def _after(item: str) -> str:
    return f"/?{urlencode({'after': item})}"


@router.get(f"/static/{_WIDGET}", dependencies=REVALIDATED)
def widget(now: Now) -> Response:
    """The widget, which shows the types that the system scores where the page names none."""
    code = (FOLDER / _WIDGET).read_text(encoding="utf-8")
    return Response(code.replace("TYPES", " ".join(now.system.types)), media_type="text/javascript")


@router.get("/docs")
def interface(request: Request) -> HTMLResponse:
    """The interface in words, from the same document that programs read."""
    return page("docs.html", document=request.app.openapi())


@router.get("/problems/{code}")
def explain_problem(code: str) -> HTMLResponse:
    """What a kind of problem means: the address that a problem's type names."""
    for kind in kinds():
        if kind.code == code:
            return page("kind.html", kind=kind)
    raise HTTPException(404)


def is_page(path: str) -> bool:
    """Whether an address is one for people, who want to read of a failure on a page."""
    return path in ("/", "/docs", "/login", "/logout", "/search", "/random") or path.startswith(
        ("/view/", "/problems/", "/edit/", "/embed/")
    )


def problem(request: Request, problem: Problem) -> Response:
    """The page of a failure."""
    # who has to log in first comes back to where a link led, not to what a form was sent to
    back = problem.instance if request.method == "GET" else "/"
    return page("problem.html", problem.status, problem=problem, back=back)
