"""The page of a picture: as large as the screen, to zoom into with mouse, touch and keys."""

import re
from importlib.metadata import distribution
from pathlib import Path
from typing import Annotated, Final

from fastapi import APIRouter, HTTPException, Query
from fastapi.responses import HTMLResponse

from ingest.record import web_address
from service.web.api.caching import REVALIDATED_PAGE
from service.web.api.dependencies import Now
from service.web.api.middleware import SECURITY
from service.web.portal.rendering import image_service, page

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)

LEAFLET: Final = Path(str(distribution("XStatic-Leaflet").locate_file("xstatic/pkg/leaflet/data")))
"""The folder of Leaflet, which zooms; only the pages of a picture and of a map load it."""

_POLICY: Final = "Content-Security-Policy"
_ORIGIN: Final = re.compile(r"https?://[\w.-]+(:\d+)?(?=/)")


@router.get("/view/picture", dependencies=REVALIDATED_PAGE)
def view_picture(item: Annotated[str, Query()], now: Now) -> HTMLResponse:
    """The picture of an item."""
    record = now.item(item)
    if web_address(record.image) is None:
        raise HTTPException(404)
    service = image_service(record.image)
    response = page("picture.html", record=record, service=service)
    if service and (origin := _ORIGIN.match(service)):
        # the page asks the museum's server how large its picture is; a tile that is not wanted any more is
        # given an empty picture, which Leaflet has as data
        policy = SECURITY[_POLICY].replace("img-src *", "img-src * data:")
        response.headers[_POLICY] = f"{policy}; connect-src 'self' {origin[0]}"
    return response
