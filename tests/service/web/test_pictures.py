"""The page of a picture, and what is shown where a picture does not load."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from selenium.webdriver import Keys

from service.settings import Settings
from service.web.api.app import create_app
from service.web.portal.pictures import LEAFLET
from tests.service.builders import recommender, record
from tests.service.conftest import BACINO, YARD, Server, running
from tests.service.web.browsing import before_a_browser, in_chromium
from tests.service.web.test_deploying import free_port

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


@pytest.mark.browser
@in_chromium
def test_without_scripts_the_picture_is_there(pictured: Server) -> None:
    with before_a_browser(pictured.address, scripts=False) as person:
        person.visit("/view/picture?item=m%3A1")
        assert person.one("#zoom > img").rect["width"] == 50
