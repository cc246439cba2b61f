"""The page of where and when an item and its neighbours are: a map and a timeline to look closer at."""

from itertools import chain
from typing import Annotated, Final
from urllib.parse import urlencode

from fastapi import APIRouter, Query
from fastapi.responses import HTMLResponse

from service.web.api.caching import REVALIDATED_PAGE
from service.web.api.dependencies import Now, Until
from service.web.portal.maps import HEIGHT, WIDTH, map_of
from service.web.portal.rendering import page
from service.web.portal.timelines import Window, times_of
from service.web.portal.wall import each_once

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)

_NEIGHBOURS: Final = 24  # neighbours of each type
_PLACES: Final = 100  # places on the map
_LINES: Final = 60  # neighbours of the timeline
_Year = Annotated[int | None, Query(ge=-9999, le=9999)]


@router.get("/view/where-when", dependencies=REVALIDATED_PAGE)
def view_where_when(
    item: Annotated[str, Query()],
    now: Now,
    until: Until,
    from_: Annotated[_Year, Query(alias="from")] = None,
    to: _Year = None,
) -> HTMLResponse:
    """Where and when an item and its neighbours of all types are; of the timeline some years, if asked."""
    record = now.item(item)
    groups = now.grouped(item, _NEIGHBOURS, until)
    near = each_once(one for one in chain.from_iterable(groups.values()) if one.shares)
    times = times_of(now.collection, record, near, _LINES, from_, to)
    return page(
        "where_when.html",
        record=record,
        map=map_of(now.collection, record, near, _PLACES),
        map_size=(WIDTH, HEIGHT),
        times=times,
        views=[] if times is None else [(words, _address(item, view)) for words, view in times.views],
    )


def _address(item: str, view: Window) -> str:
    return f"/view/where-when?{urlencode({'item': item, 'from': view.first, 'to': view.last})}#when"
