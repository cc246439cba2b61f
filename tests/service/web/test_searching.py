"""Search over HTTP: for programs, on its page, and what the start page shows of the whole."""

import re
from collections.abc import Iterator
from html import unescape
from urllib.parse import quote

import pytest
from fastapi.testclient import TestClient

from features.collection.facets import NAMED
from service.composition import open_provider
from service.search.recommender import Recommender
from service.sections import StateSettings
from service.settings import Settings
from service.web.api.app import create_app
from tests.service import museum
from tests.service.builders import recommender, record
from tests.service.conftest import new_key, pages
from tests.service.operations.live_machine import Machine
from tests.service.web.test_pages import Outline


@pytest.fixture(scope="module")
def shown(settings: Settings) -> Recommender:
    return recommender(museum.RECORDS, settings)


@pytest.fixture
def client(shown: Recommender, settings: Settings) -> Iterator[TestClient]:
    with TestClient(create_app(shown, settings), raise_server_exceptions=False) as opened:
        yield opened


def listed(client: TestClient, path: str) -> list[str]:
    return [one["id"] for one in client.get(path).json()["items"]]


# -- for programs --------------------------------------------------------------------------------


def test_items_are_searched_filtered_and_sorted(client: TestClient) -> None:
    assert listed(client, "/items?q=boat&sort=id") == ["m:01", "m:03", "m:04", "m:05", "m:08", "m:10"]
    assert listed(client, "/items?q=boat&sort=oldest&provider=Tate&provider=National+Gallery") == [
        "m:01",
        "m:03",
        "m:08",
        "m:05",
    ]
    assert listed(client, "/items?object=painting&from=1800") == ["m:05"]
    assert listed(client, "/items?image=true") == ["m:01", "m:08"]
    assert listed(client, "/items?q=boat&limit=1") == ["m:10"]


@pytest.mark.parametrize("order", ["", "&sort=id", "&sort=title", "&sort=newest"])
def test_next_leads_through_all_that_was_found(client: TestClient, order: str) -> None:
    whole = client.get(f"/items?q=boat&limit=100&from=1700{order}").json()
    seen: list[str] = []
    for page in pages(client, f"/items?q=boat&limit=2&from=1700{order}"):
        assert page["total"] == whole["total"] == 6
        seen += [one["id"] for one in page["items"]]
    assert seen == [one["id"] for one in whole["items"]]


def test_facets_come_where_they_are_asked_for(client: TestClient) -> None:
    assert client.get("/items?q=regatta").json()["facets"] is None
    assert client.get("/items?q=regatta&facets=true").json()["facets"] == {
        "provider": [{"name": "Example Museum", "items": 1}, {"name": "Tate", "items": 1}],
        "object": [{"name": "print", "items": 1}],
        "maker": [{"name": "Michele Marieschi", "items": 2}],
        "place": [{"name": "Venice", "items": 1}],
        **{facet: [] for facet in NAMED if facet not in ("provider", "object", "maker", "place")},
        "decade": [{"from": 1740, "to": 1749, "items": 2}],
    }


def test_nothing_found_is_no_failure(client: TestClient) -> None:
    answer = client.get("/items?q=vencie&provider=Tat").json()
    assert (answer["total"], answer["items"], answer["next"], answer["suggestion"]) == (0, [], None, None)
    assert answer["notes"] == [
        "no item has the provider 'Tat'; there are: Tate, Example Museum, National Gallery"
    ]
    assert client.get("/items?q=vencie").json()["suggestion"] == "venice"


@pytest.mark.parametrize(
    "path",
    [
        "/items?sort=best",
        "/items?sort=relevance",
        "/items?q=a&cursor=WyJiIl0",
        "/items?cursor=WzNd",
        "/items?offset=3",
        "/items?q=a&q=b",
    ],
)
def test_what_does_not_fit_is_refused(client: TestClient, path: str) -> None:
    answer = client.get(path)
    assert (answer.status_code, answer.json()["type"]) == (422, "/problems/invalid-request")


def test_live_changes_are_found_at_once(settings: Settings, tmp_path_factory: pytest.TempPathFactory) -> None:
    state = StateSettings(directory=tmp_path_factory.mktemp("state"))
    service = settings.service.model_copy(update={"writes": True})
    changed = settings.model_copy(update={"state": state, "service": service})
    machine = Machine(changed, 1)
    machine.put(*map(machine.made, ("x:1", "x:2")))
    app = create_app(open_provider(changed), changed)
    app.state.writer = machine.writer
    key = {"Authorization": f"Bearer {new_key(changed)}"}
    with TestClient(app, headers=key) as client:
        assert client.get("/items?q=zeppelin").json()["total"] == 0
        put = {"title": "A zeppelin over Friedrichshafen", "provider": "Zeppelin Museum", "date": "1929"}
        assert client.put("/items/x:9", json=put).status_code == 201
        answer = client.get("/items?q=zeppelin&facets=true").json()
        assert [one["id"] for one in answer["items"]] == ["x:9"]
        assert answer["facets"]["provider"] == [{"name": "Zeppelin Museum", "items": 1}]
        assert "A zeppelin over Friedrichshafen" in client.get("/search?q=zeppelin").text
        assert client.put("/items/x:9", json={"title": "An airship"}).status_code == 200
        assert (client.get("/items?q=zeppelin").json()["total"], listed(client, "/items?q=airship")) == (
            0,
            ["x:9"],
        )
        assert client.delete("/items/x:9").status_code == 204
        assert client.get("/items?q=airship").json()["total"] == 0


# -- for people ----------------------------------------------------------------------------------


def links(page: str) -> dict[str, str]:
    """The words of every link and where it leads; of two with the same words the first."""
    addresses: dict[str, str] = {}
    for address, inside in re.findall(r'<a[^>]* href="([^"]*)"[^>]*>(.*?)</a>', page, re.DOTALL):
        words = " ".join(unescape(re.sub(r"<[^>]*>", " ", inside)).split())
        addresses.setdefault(words, unescape(address))
    return addresses


PAGES = (
    "/",
    "/search",
    "/search?q=boat",
    "/search?q=vencie",
    "/search?q=%3Cb%3E%22%26&provider=%3Ci%3E",
    "/search?q=boat&provider=Tate&from=1700&to=1800&image=true&sort=oldest",
    "/search?offset=500",
)


@pytest.mark.parametrize("path", PAGES)
def test_pages_are_well_formed_and_accessible(client: TestClient, path: str) -> None:
    text = client.get(path).text
    outline = Outline(text)
    assert outline.headings.count(1) == 1
    assert all(b - a <= 1 for a, b in zip(outline.headings, outline.headings[1:], strict=False))
    ids = [attributes["id"] for _, attributes in outline.tags if "id" in attributes]
    assert len(ids) == len(set(ids))
    labelled = {label["for"] for label in outline.all("label")}
    fields = [one for one in outline.all("input") if one.get("type") != "hidden"]
    assert all(one["id"] in labelled for one in fields)
    assert all("aria-label" in nav for nav in outline.all("nav"))
    assert "<b>" not in text
    assert "<i>" not in text


def test_the_box_is_on_every_page_and_keeps_what_was_asked(client: TestClient) -> None:
    for path in ("/", "/docs", "/view/items/m:01", "/view/items/none", "/problems/internal", "/search"):
        assert '<form class="search" role="search" action="/search" method="get">' in client.get(path).text
    assert (
        'name="q" type="search" maxlength="500" placeholder="Search the collection" value="a &#34;b&#34;"'
        in (client.get("/search", params={"q": 'a "b"'}).text)
    )


def test_a_search_shows_what_it_finds(client: TestClient) -> None:
    page = client.get("/search?q=boat").text
    assert page.count('class="card"') == 6
    assert "6 items." in page
    assert links(page)["Approach to Venice"] == "/view/items/m%3A05"


def test_facets_are_links_that_find_as_many(client: TestClient) -> None:
    page = client.get("/search?q=boat").text
    listing = re.findall(r'<li><a href="([^"]*)">([^<]*)</a> <span>([\d,]+)', page)
    assert {name for _, name, _ in listing} >= {"Tate", "Venice", "print", "1740s"}
    for address, name, items in listing:
        answer = client.get(unescape(address)).text
        assert f"{items} item{'s' if items != '1' else ''} with the filters below." in answer, name


def test_filters_can_be_taken_back_one_by_one(client: TestClient) -> None:
    page = client.get("/search?q=boat&provider=Tate&from=1700&to=1799&image=true").text
    chosen = {name: address for name, address in links(page).items() if ": remove" in name}
    assert chosen == {
        "Provider: Tate : remove ×": "/search?q=boat&from=1700&to=1799&image=true",
        "Years from 1700 to 1799 : remove ×": "/search?q=boat&provider=Tate&image=true",
        "With a picture : remove ×": "/search?q=boat&provider=Tate&from=1700&to=1799",
    }


def test_what_a_form_leaves_blank_counts_as_not_asked(client: TestClient) -> None:
    page = client.get("/search?q=boat&from=&to=1750&provider=&utm_source=mail").text
    assert "3 items with the filters below." in page
    failed = client.get("/search?from=early")
    assert (failed.status_code, failed.headers["content-type"]) == (422, "text/html; charset=utf-8")


def test_the_nearest_word_is_a_link(client: TestClient) -> None:
    page = client.get("/search?q=creator:tunrer&from=1800").text
    assert links(page)["creator:turner"] == "/search?q=creator%3Aturner&from=1800"


def test_pages_lead_on_and_back(settings: Settings) -> None:
    records = [record(f"r:{n:02}", f"Boat {n}") for n in range(50)]
    with TestClient(create_app(recommender(records, settings), settings)) as client:
        seen: list[str] = []
        path: str | None = "/search?q=boat&sort=id"
        while path:
            page = client.get(path).text
            seen += re.findall(r"/view/items/(r%3A\d+)", page)
            path = links(page).get("Items after")
        assert seen == [quote(one.id) for one in records]
        assert links(page)["Items before"] == "/search?q=boat&sort=id&offset=24"
        beyond = client.get("/search?q=boat&offset=99").text
        assert "There are only 50 items." in beyond


def test_the_same_search_for_programs(client: TestClient) -> None:
    page = client.get("/search?q=boat&provider=Tate&sort=title").text
    address = links(page)["This search as JSON"]
    assert listed(client, address) == ["m:03", "m:01"]


# -- the whole collection ------------------------------------------------------------------------


def test_the_start_page_shows_when_and_where(client: TestClient) -> None:
    page = client.get("/").text
    choices = links(page)
    for label, items in (("1740s", 3), ("1850s", 2), ("Before 1560", 1), ("Venice 5 items", 5)):
        shown = client.get(choices[label]).text
        assert f"{items} item{'s' if items > 1 else ''} with the filters below." in shown
    bars = re.findall(r"<meter[^>]* value=\"(\d+)\"[^>]*></meter>\s*<span>(\d+)", page)
    assert bars
    assert all(drawn == written for drawn, written in bars)


def test_who_walks_on_is_shown_items_alone(client: TestClient) -> None:
    page = client.get("/?after=m:03").text
    assert 'id="timeline-heading"' not in page
    assert "m%3A04" in page


def test_a_random_item_is_one_of_them(client: TestClient) -> None:
    seen = set()
    for _ in range(200):
        answer = client.get("/random", follow_redirects=False)
        assert (answer.status_code, answer.headers["cache-control"]) == (303, "no-store")
        seen.add(answer.headers["location"])
    known = {f"/view/items/{quote(one.id, safe='')}" for one in museum.RECORDS}
    assert seen <= known
    assert len(seen) > 1


def test_years_that_are_the_wrong_way_round_are_put_right_and_said(client: TestClient) -> None:
    right, wrong = (client.get(f"/search?from={a}&to={b}").text for a, b in ((1700, 1760), (1760, 1700)))
    note = "The years were the wrong way round"
    assert note in wrong
    assert note not in right
    assert "Years from 1700 to 1760" in wrong
    assert wrong.count('class="card"') == right.count('class="card"') > 0
    item = f"/view/items/{quote(museum.RECORDS[0].id, safe='')}/similar"
    assert note in client.get(f"{item}?from=1760&to=1700").text
    assert note not in client.get(f"{item}?from=1700&to=1760").text
    # programs are told, since they mean what they write
    assert client.get("/items?from=1760&to=1700").status_code == 422
