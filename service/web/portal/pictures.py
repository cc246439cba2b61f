"""The page of a picture: as large as the screen, to zoom into with mouse, touch and keys."""

from importlib.metadata import distribution
from pathlib import Path
from typing import Annotated, Final

from fastapi import APIRouter, HTTPException, Query
from fastapi.responses import HTMLResponse

from ingest.record import web_address
from service.web.api.caching import REVALIDATED_PAGE
from service.web.api.dependencies import Now
from service.web.portal.rendering import page

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)

LEAFLET: Final = Path(str(distribution("XStatic-Leaflet").locate_file("xstatic/pkg/leaflet/data")))
"""The folder of Leaflet, which zooms; only this page loads it."""


@router.get("/view/picture", dependencies=REVALIDATED_PAGE)
def view_picture(item: Annotated[str, Query()], now: Now) -> HTMLResponse:
    """The picture of an item."""
    record = now.item(item)
    if web_address(record.image) is None:
        raise HTTPException(404)
    return page("picture.html", record=record)
