"""The page of a picture, and what is shown where a picture does not load."""

import re
from collections.abc import Iterator
from pathlib import Path
from struct import pack
from zlib import compress, crc32

import pytest
from fastapi import FastAPI, Response
from fastapi.middleware.cors import CORSMiddleware
from fastapi.testclient import TestClient
from selenium.webdriver import Keys

from bench.served import free_port
from service.settings import Settings
from service.web.api.app import create_app
from service.web.portal.pictures import LEAFLET
from tests.service.builders import recommender, record
from tests.service.conftest import BACINO, YARD, Server, running
from tests.service.web.browsing import before_a_browser, in_chromium

PICTURE = "/static/leaflet/images/marker-icon-2x.png"  # 50 by 82 pixels


def test_a_picture_has_a_page_and_an_emblem_has_none(client: TestClient) -> None:
    page = client.get("/view/picture", params={"item": BACINO})
    assert 'src="https://museum.invalid/bacino.jpg"' in page.text
    assert "Example Museum · https://creativecommons.org/publicdomain/zero/1.0/" in page.text
    (link,) = re.findall('href="(/view/picture[^"]*)"', client.get(f"/view/items/{BACINO}").text)
    assert client.get(link).text == page.text
    assert "/view/picture" not in client.get(f"/view/items/{YARD}").text
    for item in (YARD, "none"):
        assert client.get("/view/picture", params={"item": item}).status_code == 404


def test_leaflet_comes_from_here(client: TestClient) -> None:
    for name in ("leaflet.js", "leaflet.css"):
        assert client.get(f"/static/leaflet/{name}").content == (Path(LEAFLET) / name).read_bytes()
    assert client.get("/static/leaflet/../../__init__.py").status_code == 404


@pytest.fixture(scope="module")
def pictured(settings: Settings) -> Iterator[Server]:
    port = free_port()
    here = f"http://127.0.0.1:{port}"
    records = [
        record("m:1", "Boat", "Ada", "A boat in Venice", image=here + PICTURE),
        record("m:2", "A second boat", "Ada", "A boat in Venice", image=f"{here}/static/none.png"),
    ]
    with running(create_app(recommender(records, settings), settings), port=port) as started:
        yield started


@pytest.mark.browser
@in_chromium
def test_a_picture_is_zoomed_by_keys_and_fits_at_first(pictured: Server) -> None:
    with before_a_browser(pictured.address) as person:
        person.visit("/view/items/m%3A1")
        person.until(lambda: bool(person.complaints()))  # of the neighbour's picture, which does not load
        person.leaving(person.one(".picture a").click)
        assert person.at == "/view/picture?item=m%3A1"
        person.until(lambda: bool(person.all("#zoom.ready img.leaflet-image-layer")))

        def width() -> float:
            return float(person.one("#zoom img.leaflet-image-layer").rect["width"])

        room, first = person.one("#zoom").rect, width()
        assert 0 < first < room["width"]
        person.one("#zoom").click()
        person.keys(Keys.ADD)
        person.until(lambda: width() > 1.1 * first)
        person.keys(Keys.SUBTRACT)
        person.until(lambda: width() < 1.1 * first)
        assert person.button("Full screen").is_displayed()
        assert person.faults() == []
        assert person.complaints() == []


def png(width: int, height: int) -> bytes:
    """A grey picture."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return pack(">I", len(data)) + kind + data + pack(">I", crc32(kind + data))

    lines = compress((b"\0" + b"\x99" * width) * height)
    head = pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", lines) + chunk(b"IEND", b"")


def image_server(requests: list[str]) -> FastAPI:
    """A museum's server of the IIIF Image API (2, level 1) with one picture of 3000 by 1800 pixels."""
    app = FastAPI()
    app.add_middleware(CORSMiddleware, allow_origins=["*"])

    @app.get("/iiif/1/info.json")
    def info() -> dict[str, object]:
        return {"width": 3000, "height": 1800, "tiles": [{"width": 512, "scaleFactors": [1, 2, 4]}]}

    @app.get("/iiif/1/{region}/{size}/0/default.jpg")
    def image(region: str, size: str) -> Response:
        requests.append(f"{region}/{size}")
        left, top, across, down = (0, 0, 3000, 1800) if region == "full" else map(int, region.split(","))
        assert left + across <= 3000
        assert top + down <= 1800
        width = int(size.strip("!,").split(",")[0])
        return Response(png(width, -(-down * width // across)), media_type="image/png")

    return app


@pytest.mark.browser
@in_chromium
def test_a_picture_of_an_image_server_is_zoomed_by_tiles(settings: Settings) -> None:
    requests = list[str]()
    with running(image_server(requests)) as museum:
        address = f"{museum.address}/iiif/1/full/!400,400/0/default.jpg"
        records = [record("m:1", "Boat", "Ada", "A boat", image=address), record("m:2", "Spoon")]
        app = create_app(recommender(records, settings), settings)
        with running(app) as service, before_a_browser(service.address) as person:
            person.visit("/view/picture?item=m%3A1")
            person.until(lambda: bool(person.all("#zoom.ready img.leaflet-tile-loaded")))
            person.one("#zoom").click()

            def closer() -> bool:
                person.keys(Keys.ADD)
                return any(one.endswith(",512,512/512,") for one in requests)

            person.until(closer)  # at full size a tile of 512 pixels has 512 of the picture
            assert person.complaints() == []
    tiles = [one for one in requests if "full" not in one]
    assert len(tiles) == len(set(tiles))
    for tile in tiles:
        region, size = tile.split("/")
        left, _, across, _ = map(int, region.split(","))
        assert across / int(size.strip(",")) in (1, 2, 4, 8) or left + across == 3000


@pytest.mark.browser
@in_chromium
def test_without_scripts_the_picture_is_there(pictured: Server) -> None:
    with before_a_browser(pictured.address, scripts=False) as person:
        person.visit("/view/picture?item=m%3A1")
        assert person.one("#zoom > img").rect["width"] == 50
