"""Pages for people: the start, exploration paths, the interface in words, and what went wrong."""

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Annotated, Final, NamedTuple
from urllib.parse import parse_qsl, urlencode

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import HTMLResponse
from starlette.exceptions import HTTPException

from features.collection.facets import FacetIndex
from ingest.errors import UnknownItem
from models.types import SCALE, Types
from service.languages.messages import N_, gettext, number, speaking, type_name
from service.search.facets import Filters, decades
from service.search.fulltext.finding import WordQuery
from service.web.access.clients import same_site
from service.web.api.caching import REVALIDATED_SETTINGS, REVALIDATED_START
from service.web.api.dependencies import Configured, Now, Reading
from service.web.api.middleware import SECURITY
from service.web.api.problems import Problem, kinds
from service.web.api.query_addresses import search_address
from service.web.api.trace import trace
from service.web.portal.about import about_path
from service.web.portal.rendering import FOLDER, page
from service.web.portal.searching import Choice

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)

_START: Final = 24  # items on the start page
_WIDGET: Final = "widget.js"
_PATHS: Final = 3  # paths on the start page, the newest

_DECADES: Final = 30  # decades of the timeline; what is older is one number
_PLACES: Final = 24  # places that are named

EXPORTS: Final = {
    "jsonld": "JSON-LD",
    "iiif": "IIIF Collection",
    "csv": "CSV",
    "markdown": "Markdown",
    "html": N_("One HTML file"),
}
"""The forms that the page of a path offers, by name."""

_FRAMED: Final = "Content-Security-Policy"


class Timeline(NamedTuple):
    """The last decades of the collection with a bar each, and all that is before them; None for nothing."""

    bars: Sequence[Choice]
    earlier: Choice | None


@router.get("/", dependencies=REVALIDATED_START)
def start(now: Now, reading: Reading, after: Annotated[str | None, Query()] = None) -> HTMLResponse:
    """The start page: what this is, and some items to begin a walk with."""
    nearby, total = now.index.around(after, _START), len(now.collection)
    begin, records = nearby.before, nearby.records
    if begin and not records:
        raise UnknownItem(f"no item comes after {after!r}; the first are on the start page")
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
        stories=() if begin else [reading.view(path) for path in reading.paths.all_published(_PATHS)],
        timeline=None if begin else timeline(now.collection.facets),
        places=() if begin else common_places(now.collection.facets),
        following=_after(records[-1].id) if records and end < total else None,
        previous=None if not begin else "/" if nearby.previous is None else _after(nearby.previous),
    )


def _after(item: str) -> str:
    return f"/?{urlencode({'after': item})}"


@router.get(f"/static/{_WIDGET}", dependencies=REVALIDATED_SETTINGS)
def widget(configured: Configured) -> Response:
    """The widget, which shows the types that the system scores where the page names none.

    It is there before a collection is, and shows nothing until then.
    """
    types = configured.system(configured.service.system).types(configured.types)
    words = {language: _widget_words(language, types) for language in configured.portal.languages}
    code = (FOLDER / _WIDGET).read_text(encoding="utf-8").replace("TYPES", " ".join(types))
    return Response(code.replace('"WORDS"', json.dumps(words)), media_type="text/javascript")


_TABS: Final = {"general": N_("On the whole"), "author": N_("Maker"), "location": N_("Place")}
"""Types that the widget calls otherwise than the pages do: it stands where nobody has read about them."""


def _widget_words(language: str, types: Types) -> dict[str, object]:
    """What the widget says in a language."""
    with speaking(language):
        score = gettext("{score} of {most}").format(score="SCORE", most=number(SCALE[1]))
        return {
            "types": {kind: gettext(_TABS[kind]) if kind in _TABS else type_name(kind) for kind in types},
            "heading": gettext("Similar items"),
            "nothing": gettext("Nothing close in this collection."),
            "later": gettext("Not to be had at the moment."),
            "more": gettext("More about how items are alike"),
            "score": score,
        }


@router.get("/view/paths")
def view_paths(reading: Reading) -> HTMLResponse:
    """The published paths, the newest first."""
    stories = [reading.view(path) for path in reading.paths.all_published()]
    return page("paths.html", stories=stories, editor=reading.editor)


@router.get("/view/paths/{id}")
def view_path(id: str, reading: Reading) -> HTMLResponse:
    """A published path as a story."""
    view = reading.view(reading.paths.published(id))
    return page(
        "path.html",
        view=view,
        about=about_path(view),
        draft=False,
        editor=reading.editor,
        exports=EXPORTS,
    )


@router.get("/embed/paths/{id}")
def embed_path(id: str, reading: Reading) -> HTMLResponse:
    """The same without the site around it: the one page that any other may show in a frame."""
    response = page("path_embed.html", view=reading.view(reading.paths.published(id)))
    policy = SECURITY[_FRAMED]
    response.headers[_FRAMED] = policy.replace("frame-ancestors 'none'", "frame-ancestors *")
    return response


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
    return path in ("/", "/edit", "/docs", "/login", "/logout", "/search", "/random") or path.startswith(
        ("/view/", "/problems/", "/edit/", "/embed/")
    )


def problem(request: Request, problem: Problem) -> Response:
    """The page of a failure."""
    # who has to log in first comes back to where a link led, not to what a form was sent to
    back = problem.instance if request.method == "GET" else "/"
    written = trace(request.scope).written.decode(errors="replace") if same_site(request) else ""
    fields = parse_qsl(written, keep_blank_values=True)
    return page("problem.html", problem.status, problem=problem, back=back, written=fields)


def timeline(facets: FacetIndex) -> Timeline:
    """The items of the collection by decade."""
    known = [one for one in decades(facets) if one.first <= datetime.now(UTC).year]
    if not known:
        return Timeline((), None)
    begin = known[-1].last + 1 - 10 * _DECADES
    bars = [
        Choice(one.label, _search(Filters(first=one.first, last=one.last)), one.items)
        for one in known
        if one.first >= begin
    ]
    items = facets.met(None, begin - 1)
    label = gettext("before {year}").format(year=begin)
    return Timeline(bars, Choice(label, _search(Filters(last=begin - 1)), items) if items else None)


def common_places(facets: FacetIndex) -> Sequence[Choice]:
    """The places that most items name."""
    common, _ = facets.commonest("place", _PLACES)
    return [Choice(one.spelled, _search(Filters(place=(one.spelled,))), one.items) for one in common]


def _search(filters: Filters) -> str:
    return search_address("/search", WordQuery(filters=filters))
