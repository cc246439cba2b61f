"""The map and the timeline of an item's page: what is known of places and years is shown, and no more."""

import gzip
import re
from collections.abc import Iterator, Sequence
from html import unescape
from pathlib import Path
from urllib.parse import unquote

import numpy as np
import pytest
from fastapi.testclient import TestClient
from lxml import etree
from selenium.webdriver.common.keys import Keys

from features.collection.build import in_memory
from features.collection.delta import PutItem
from features.measures.places import PlacesSettings
from features.text.places.coordinates import Spot, spots
from features.text.places.gazetteer import gazetteer
from ingest.record import Record
from service.search.engines.local.index import LocalIndex
from service.search.recommender import Recommender
from service.search.spots import places_column
from service.settings import Settings
from service.web.api.addresses import view_path
from service.web.api.app import create_app
from service.web.portal.maps import HEIGHT, WIDTH, View
from service.web.portal.rendering import static_address
from tests.features.knowledge.test_places import MINI
from tests.service.builders import items, profiles, recommender, record, served, system, with_changes
from tests.service.conftest import running
from tests.service.museum import RECORDS
from tests.service.web.browsing import before_a_browser
from tests.service.web.test_accessibility import check
from tests.service.web.test_browser import CHROMIUM
from tests.service.web.test_pages import Outline


def knowing(records: Sequence[Record], settings: Settings) -> Recommender:
    """A recommender over a collection that knows the places of its items, in memory only."""
    features = served(settings) | {"places_near": PlacesSettings(measure="places")}
    collection, scores = in_memory(items(records), features, MINI), system(settings)
    return Recommender(LocalIndex(collection, scores), scores, profiles)


@pytest.fixture(scope="module")
def museum(settings: Settings) -> Recommender:
    return knowing(RECORDS, settings)


@pytest.fixture
def visitor(museum: Recommender, settings: Settings) -> Iterator[TestClient]:
    with TestClient(create_app(museum, settings)) as client:
        yield client


def section(page: str, name: str) -> str:
    """A section of a page; empty where it has none."""
    match = re.search(rf'<section class="{name}".*?</section>', page, re.DOTALL)
    return match[0] if match else ""


def entries(section: str) -> dict[str, str]:
    """What the list beside a map says of every place."""
    rows = re.findall(r"<p><strong>(.*?)</strong>: (.*?)</p>", section, re.DOTALL)
    return {unescape(place): " ".join(re.sub(r"<.*?>", "", words).split()) for place, words in rows}


def test_the_map_shows_where_the_item_and_its_neighbours_are(visitor: TestClient) -> None:
    where = section(visitor.get(view_path("m:01")).text, "where")
    rows = entries(where)
    assert rows["Venice"].startswith("this item, ")
    assert "Stone yard in Venice" in rows["Venice"]
    assert "Bridge in London" in rows["London"]
    assert "this item" not in rows["London"]


@pytest.mark.parametrize("address", [view_path("m:01"), "/view/where-when?item=m:01"])
def test_every_dot_leads_to_its_place_in_the_list(visitor: TestClient, address: str) -> None:
    page = visitor.get(address).text
    dots = [one for one in Outline(page).all("a") if (one["href"] or "").startswith("#place-")]
    assert len(dots) >= 2
    ids = {one["id"] for _, one in Outline(page).tags if "id" in one}
    assert {(one["href"] or "")[1:] for one in dots} <= ids
    assert [one["aria-label"] for one in dots if one["class"] == "own"] == [
        "Venice: this item and 4 neighbours"
    ]
    assert any((one["aria-label"] or "").startswith("London: ") for one in dots)


def test_the_outline_is_ours_and_small(visitor: TestClient) -> None:
    page = visitor.get(view_path("m:01")).text
    for outline, name in zip(Outline(page).all("use"), ("land", "borders"), strict=True):
        assert outline["href"] == f"{static_address('world.svg')}#{name}"
    drawing = visitor.get(static_address("world.svg"))
    assert drawing.status_code == 200
    paths = {one.get("id"): one.get("d", "") for one in etree.fromstring(drawing.content).iterfind("{*}path")}
    assert [*paths] == ["land", "borders"]
    for path in paths.values():  # a part without a step would end the drawing there
        assert re.fullmatch(r"(M\d+,\d+l-?\d+[,-][\d, -]+z?)+", path)
    assert len(gzip.compress(drawing.content)) < 21_000


def test_the_largest_towns_in_view_are_named_where_there_is_room(visitor: TestClient) -> None:
    page = visitor.get(view_path("m:01")).text
    towns = re.findall(r'<g class="town".*?<text x="(.*?)" y="(.*?)" dy="-3.2">(.*?)</text></g>', page)
    assert {"Paris", "Berlin"} <= {name for *_, name in towns}
    assert len(towns) == len({name for *_, name in towns}) <= 9
    # London and Venice have dots
    assert not {"London", "Venice"} & {name for *_, name in towns}


def test_a_timeline_is_looked_at_closer_and_wider(visitor: TestClient) -> None:
    def shown(address: str) -> tuple[list[str], dict[str, str]]:
        when = section(visitor.get(address).text, "when")
        links = re.findall(r'<a href="(/view/where-when[^"]*)">(.*?)</a>', when)
        ends = re.findall(r"<span>(.*?)</span>", when)[:2]
        return ends, {words: unescape(where) for where, words in links}

    ends, views = shown("/view/where-when?item=m:02")
    assert ends == ["44 BC", "1851"]
    assert [*views] == ["Fewer years"]  # 1,896 years, half of them about the item's own, 1725
    ends, views = shown(views["Fewer years"])
    assert ends == ["904", "1851"]
    assert [*views] == ["Fewer years", "More years", "Earlier", "All years"]
    ends, views = shown(views["Earlier"])
    assert ends == ["430", "1377"]
    assert {"More years", "Later"} & {*views} == {"Later"}  # twice as many years are all
    assert shown(views["All years"])[0] == ["44 BC", "1851"]
    swapped = visitor.get("/view/where-when?item=m:02&from=1750&to=1730").text
    rows = re.findall(r'<li>\s*<a href="/view/items/([^"]*)"', section(swapped, "when"))
    shown_items = [unquote(one) for one in rows]
    assert "m:01" in shown_items  # of 1738
    assert "m:12" not in shown_items  # of 44 BC
    assert visitor.get("/view/where-when?item=m:02&from=x").status_code == 422
    assert visitor.get("/view/where-when?item=none").status_code == 404


def test_there_is_no_map_where_no_place_is_known(settings: Settings) -> None:
    spoons = [record(f"s:{n}", "Spoon", "Hand", "A spoon.", "1850") for n in range(2)]
    spoons.append(record("s:3", "Spoon of wood", "Hand", "A spoon."))
    with TestClient(create_app(knowing(spoons, settings), settings)) as client:
        page = client.get(view_path("s:0")).text
    assert section(page, "where") == ""
    assert 'href="#where"' not in page
    # nor where the collection was built without the places of its items
    with TestClient(create_app(recommender(RECORDS, settings), settings)) as client:
        assert section(client.get(view_path("m:01")).text, "where") == ""


def test_an_item_that_was_put_is_on_the_map_at_once(museum: Recommender, settings: Settings) -> None:
    put = record("m:20", "View of London", "Canaletto", "A boat crosses the basin.", "1747")
    live = with_changes(museum, {"m:20": PutItem(put, profiles([put])[0])}, 1)
    with TestClient(create_app(live, settings)) as client:
        page = client.get(view_path("m:20")).text
        near = client.get(view_path("m:01")).text
    assert entries(section(page, "where"))["London"].startswith("this item")
    assert "View of London" in entries(section(near, "where"))["London"]
    assert re.search(r"<strong>This item</strong>.*?<span>1747</span>", section(page, "when"), re.DOTALL)


def test_stored_places_are_those_that_are_read(museum: Recommender) -> None:
    column = places_column(museum.collection)
    assert column is not None
    read = [column.spots(museum.collection.block(np.array([row])), 0) for row in range(len(RECORDS))]
    assert any(read)
    assert [column.spots(None, row) for row in range(len(RECORDS))] == read
    assert [museum.collection.stored_row(row) for row in range(len(RECORDS))] == [*range(len(RECORDS))]


def test_the_timeline_shows_years_as_they_are_understood(visitor: TestClient) -> None:
    when = section(visitor.get(view_path("m:02")).text, "when")
    lines = re.findall(r"<li.*?>(.*?)</li>", when, re.DOTALL)
    rows = [" ".join(unescape(re.sub(r"<.*?>", " ", line)).split()) for line in lines]
    assert rows[0] == "This item 1725"
    assert "View of Venice 1738" in rows
    assert "Church 44 BC" in rows
    # by year, the item itself before them
    assert rows.index("Church 44 BC") == 1
    assert rows.index("View of Venice 1738") < rows.index("Palace in Venice 1850")


def test_the_timeline_says_what_has_no_date(settings: Settings) -> None:
    dated = record("a:1", "View of Venice", "Canaletto", "A boat crosses the basin.", "1738")
    undated = record("a:2", "View of Venice in the morning", "Canaletto", "A boat sails.")
    other = record("a:3", "Venice", "Canaletto", "A boat stands.", "1700-1799")
    with TestClient(create_app(recommender([dated, undated, other], settings), settings)) as client:
        one, two = (section(client.get(view_path(item)).text, "when") for item in ("a:1", "a:2"))
    assert "1700 to 1799" in one
    assert "1 neighbour has no date that is understood." in one
    assert "This item has no date that is understood." in two
    assert "<strong>This item</strong>" not in two


def test_there_is_no_timeline_where_no_neighbour_has_years(settings: Settings) -> None:
    spoons = [record(f"s:{n}", f"Spoon {n} of wood", "Hand", "A spoon.") for n in range(3)]
    with TestClient(create_app(recommender(spoons, settings), settings)) as client:
        page = client.get(view_path("s:0")).text
    assert 'id="when"' not in page
    assert 'href="#when"' not in page


@pytest.mark.browser
@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here; Debian: apt-get install chromium")
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_no_fault_in_either(
    museum: Recommender, settings: Settings, tmp_path: Path, scheme: str
) -> None:
    with running(create_app(museum, settings)) as server:
        check(server, [view_path("m:01"), view_path("m:12"), "/view/where-when?item=m:01"], scheme, tmp_path)


@pytest.mark.browser
@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here; Debian: apt-get install chromium")
def test_the_map_is_zoomed_by_keys_and_its_dots_part(museum: Recommender, settings: Settings) -> None:
    with (
        running(create_app(museum, settings)) as server,
        before_a_browser(server.address) as person,
    ):
        person.visit("/view/where-when?item=m:01")
        person.until(lambda: bool(person.all("#map.ready .leaflet-marker-icon")))
        assert len(person.all("#map path.land, #map path.borders")) == 2
        assert person.all("#map .town")

        def dots() -> list[str]:
            return person.texts("#map .own, #map .near")

        def zoomed(key: str) -> list[str]:
            person.keys(key)
            return dots()

        person.tab_to(person.one("#map"))
        person.until(lambda: zoomed(Keys.SUBTRACT) == ["3×"])  # all places are one cluster

        def opened() -> list[str]:
            person.one("#map .own").click()  # closer, so that they part; while it moves nothing is done
            return dots()

        person.until(lambda: opened() == ["1", "2", "3"])
        assert person.complaints() == []


@pytest.mark.browser
@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here; Debian: apt-get install chromium")
def test_without_scripts_the_map_is_a_drawing(museum: Recommender, settings: Settings) -> None:
    with (
        running(create_app(museum, settings)) as server,
        before_a_browser(server.address, scripts=False) as person,
    ):
        person.visit("/view/where-when?item=m:01")
        assert person.one("#map svg.map").is_displayed()


@pytest.mark.parametrize(
    "names",
    [["venice"], ["venice", "london"], ["japan", "united states"], ["venice", "new zealand", "alaska"]],
)
def test_a_view_shows_all_its_spots(names: list[str]) -> None:
    known = {one.name.lower(): one for one in spots().values()}
    shown = [known[name] for name in names]
    view = View.of(shown)
    for one in shown:
        x, y = view.place(one)
        assert 0 <= x <= WIDTH
        assert 0 <= y <= HEIGHT


def test_a_view_is_as_wide_as_its_spots_are_apart_on_the_globe() -> None:
    # on 60 degrees north a degree of longitude is half as long as one of latitude
    view = View.of([Spot("a", "city", 60.0, 0.0), Spot("b", "city", 60.0, 80.0)])
    assert view.height == pytest.approx(1.45 * 40 * HEIGHT / WIDTH)
    across, down = view.scale
    assert across == pytest.approx(down / 2)
    assert down == pytest.approx(HEIGHT / view.height)
    # so that the two stand as far from the edges as two on the equator that are half as many degrees apart
    level = View.of([Spot("a", "city", 0.0, 0.0), Spot("b", "city", 0.0, 40.0)])
    ends = [view.place(Spot("", "city", 60.0, at)) for at in (0.0, 80.0)]
    assert ends == [level.place(Spot("", "city", 0.0, at)) for at in (0.0, 40.0)]


def test_a_view_keeps_directions() -> None:
    view = View.of([Spot("a", "city", 50.0, 0.0), Spot("b", "city", 40.0, 10.0)])
    (left, up), (right, down) = (view.place(Spot("", "city", *at)) for at in ((50.0, 0.0), (40.0, 10.0)))
    assert left < right
    assert up < down


def test_the_places_with_coordinates_lie_near_what_they_lie_in() -> None:
    """Smaller countries are no wider than this: what is further from their middle is a mistake."""
    known, far = spots(), []
    for term, spot in known.items():
        assert -60 <= spot.latitude <= 85
        assert -180 <= spot.longitude <= 180
        around = gazetteer().line(term)[1:] if term in gazetteer() else ()
        countries = [known[up] for up in around if up in known and known[up].kind == "country"]
        large = {"United States", "Russia", "Canada", "China", "Australia", "Brazil", "Japan"}
        if countries and not {one.name for one in countries} & large:
            away = min(
                abs(one.latitude - spot.latitude) + abs(one.longitude - spot.longitude) for one in countries
            )
            if away > 17:
                far.append((spot, away))
    assert far == []


def test_most_countries_regions_and_cities_of_the_gazetteer_have_a_spot() -> None:
    path = Path(__file__).parents[3] / "features" / "text" / "places" / "gazetteer.tsv"
    rows = [line.split("\t") for line in path.read_text("utf-8").splitlines()[1:]]
    terms = [row[0] for row in rows if row[1] in {"country", "region", "city"}]
    assert sum(term in spots() for term in terms) > 0.95 * len(terms)
