"""Pages for people: the start, an item with its neighbours, the interface, and what went wrong."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final
from urllib.parse import urlencode

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import HTMLResponse
from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape
from starlette.exceptions import HTTPException

from features.text.date_fields import is_understood
from ingest.addresses import web_address
from ingest.errors import UnknownItem
from ingest.record import Field, Record, Value, innermost
from models.types import SCALE, SimilarityType, Types
from service.api.addresses import ItemId, item_path, similar_path, view_path
from service.api.caching import KEPT_PAGE
from service.api.dependencies import Configured, Now, Until
from service.api.problems import Problem, kinds
from service.portal import files
from service.recommender import Neighbour

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)

_START: Final = 24
"""Items on the start page."""


def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent / "templates"),
        autoescape=select_autoescape(default=True),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"web": web_address, "view": view_path, "understood": is_understood}
    environment.globals |= {"scale": SCALE, "static": files.address}
    return environment


_TEMPLATES: Final = _environment()


@dataclass(frozen=True, slots=True)
class Group:
    """The neighbours of one type, as a section of an item's page."""

    type: SimilarityType
    meaning: str
    neighbours: Sequence[Neighbour]


@router.get("/", dependencies=KEPT_PAGE)
def start(now: Now, after: Annotated[str | None, Query()] = None) -> HTMLResponse:
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
        following=f"/?{urlencode({'after': ids[end - 1]})}" if records and end < len(ids) else None,
        previous=_previous(ids, begin),
    )


def _previous(ids: Sequence[str], begin: int) -> str | None:
    if begin == 0:
        return None
    return "/" if begin <= _START else f"/?{urlencode({'after': ids[begin - _START - 1]})}"


@router.get("/view/items/{id}", dependencies=KEPT_PAGE)
def view_item(
    id: ItemId,  # noqa: A002 - as in the path
    now: Now,
    configured: Configured,
    until: Until,
) -> HTMLResponse:
    """An item, its neighbours by type, and links to walk on."""
    record = now.item(id)
    types = now.system.types
    groups = list(_groups(now.grouped(id, configured.service.page, until), types))
    found, silent = {group.type for group in groups}, now.silent(id)
    return page(
        "item.html",
        record=record,
        facts=list(_facts(record)),
        groups=groups,
        found=found,
        api=item_path(id),
        similar=similar_path(id),
        types=types,
        quiet=[row for kind, row in types.items() if kind not in (*found, *silent)],
        silent=[types[kind] for kind in silent],
        variant=now.variant,
    )


def _groups(near: dict[SimilarityType, list[Neighbour]], types: Types) -> Iterator[Group]:
    """The types in which something agrees; a neighbour that shares nothing fills no space."""
    for kind, found in near.items():
        shared = [near for near in found if near.shares]
        if shared:
            yield Group(kind, types[kind].heading, shared)


def _facts(record: Record) -> Iterator[tuple[str, tuple[Value, ...]]]:
    for field in Field:
        # the first title is the heading of the page
        shown = record.field(field)[1:] if field is Field.TITLE else record.field(field)
        if shown:
            yield ("other title" if field is Field.TITLE else field.value), shown
    if record.places:
        yield "places", tuple(Value(innermost(place.text)) for place in record.places)


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
    return path in ("/", "/docs", "/login", "/logout") or path.startswith(("/view/", "/problems/"))


def problem(request: Request, problem: Problem) -> Response:
    """The page of a failure."""
    # who has to log in first comes back to where a link led, not to what a form was sent to
    back = problem.instance if request.method == "GET" else "/"
    return page("problem.html", problem.status, problem=problem, back=back)


def page(template: str, status: int = 200, /, **context: object) -> HTMLResponse:
    """A page made from a template."""
    return HTMLResponse(_TEMPLATES.get_template(template).render(context), status)
