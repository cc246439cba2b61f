"""Pages for people: the start, an item with its neighbours, the interface, and what went wrong."""

from bisect import bisect_right
from collections.abc import Sequence
from typing import Annotated, Final
from urllib.parse import urlencode

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import HTMLResponse
from starlette.exceptions import HTTPException

from ingest.errors import UnknownItem
from service.api.caching import KEPT_START
from service.api.dependencies import Configured, Now
from service.api.path_dependencies import Kept, told_here
from service.api.problems import Problem, kinds
from service.portal import overview
from service.portal.rendering import page

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)

_START: Final = 24
"""Items on the start page."""

_PATHS: Final = 3
"""Paths on the start page, the newest."""


@router.get("/", dependencies=KEPT_START)
def start(
    request: Request,
    now: Now,
    paths: Kept,
    configured: Configured,
    after: Annotated[str | None, Query()] = None,
) -> HTMLResponse:
    """The start page: what this is, and some items to begin a walk with."""
    ids = now.collection.ids
    begin = 0 if after is None else bisect_right(ids, after)
    if begin and begin == len(ids):
        raise UnknownItem(f"no item comes after {after!r}; the first are on the start page")
    records = [now.collection.record(row) for row in range(begin, min(begin + _START, len(ids)))]
    end = begin + len(records)
    return page(
        "start.html",
        records=records,
        first=begin + 1,
        last=end,
        total=len(ids),
        variant=now.variant,
        # these are for the beginning; who walks on has seen them
        stories=()
        if begin
        else [told_here(request, one, now, configured) for one in paths.all_published(_PATHS)],
        timeline=None if begin else overview.timeline(now.collection.facets),
        places=() if begin else overview.places(now.collection.facets),
        following=f"/?{urlencode({'after': ids[end - 1]})}" if records and end < len(ids) else None,
        previous=_previous(ids, begin),
    )


def _previous(ids: Sequence[str], begin: int) -> str | None:
    if begin == 0:
        return None
    return "/" if begin <= _START else f"/?{urlencode({'after': ids[begin - _START - 1]})}"


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
