"""The pages: what they show, that nothing in a record becomes markup, that failures have words."""

import re
from html.parser import HTMLParser

import pytest
from fastapi.testclient import TestClient

from service.explain.closeness import closeness
from service.search.recommender import Recommender
from service.settings import Settings
from service.web.api.addresses import view_path
from service.web.api.app import create_app
from tests.service.builders import recommender, record
from tests.service.conftest import BACINO

VOID = {"meta", "link", "img", "br", "hr", "input"}


class Outline(HTMLParser):
    """Checks nesting, and collects headings, ids, pictures and outside addresses."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.headings: list[int] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(page)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if re.fullmatch(r"h[1-6]", tag):
            self.headings.append(int(tag[1]))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.tags if name == tag]


@pytest.fixture
def page(client: TestClient) -> str:
    return client.get(view_path(BACINO)).text


def test_the_item_is_shown_whole(page: str) -> None:
    for text in (
        "Bacino di San Marco, Venice",
        "Canaletto",
        "harbours",
        "basin of Venice",
        "1738",
        "Museum of Fine Arts",
    ):
        assert text in page
    assert 'href="https://museum.invalid/bacino?a=1&amp;b=2"' in page


def test_a_date_that_is_not_understood_is_said_to_be_so(settings: Settings) -> None:
    dates = {"a": "posthumous reprint", "b": "18--", "c": "undated"}
    bowls = recommender([record(item, "Tea bowl", date=date) for item, date in dates.items()], settings)
    with TestClient(create_app(bowls, settings)) as client:
        pages = {item: client.get(view_path(item)).text for item in dates}
    note = "This date is not understood, so it counts as no date."
    assert [item for item, text in pages.items() if note in text] == ["a"]
    assert f'<dd>posthumous reprint</dd>\n      <dd class="note">{note}</dd>' in pages["a"]


def test_a_neighbour_is_shown_once_with_all_ways_in_which_it_is_alike(
    page: str, museum_recommender: Recommender, settings: Settings
) -> None:
    groups = {
        kind: [near for near in own if near.shares]
        for kind, own in museum_recommender.grouped(BACINO, settings.service.page).items()
    }
    ways = {(near.record.id, kind) for kind, own in groups.items() for near in own}
    cards = page.split('<li class="card')[1:]
    items = [re.findall(r'<h3><a href="([^"]+)"', card)[0] for card in cards]
    assert len(set(items)) == len(items)
    assert set(items) == {view_path(item) for item, _ in ways}
    assert page.count('class="why"') == len(ways)
    for card in cards:
        first = re.findall(r'title="([a-z ]+), (\d\.\d\d) of 5"', card)[0]
        assert closeness(float(first[1])) == first[0]
        assert card.count('class="reason"') == 1


def test_a_type_puts_its_own_neighbours_first(client: TestClient, museum_recommender: Recommender) -> None:
    for kind, own in museum_recommender.grouped(BACINO, 6).items():
        near = [view_path(one.record.id) for one in own if one.shares]
        text = client.get(f"{view_path(BACINO)}?type={kind}").text
        items = re.findall(r'<h3><a href="(/view/items/[^"]+)"', text)
        assert items[: len(near)] == near
        chosen = re.findall(r'aria-current="true">([A-Za-z ]+)<', text)
        assert chosen == [kind.capitalize() if near else "All ways"]
    assert client.get(f"{view_path(BACINO)}?type=foo").status_code == 422


def test_every_page_is_well_formed_and_accessible(
    client: TestClient, museum_recommender: Recommender
) -> None:
    paths = [
        "/",
        "/docs",
        "/problems/unknown-item",
        "/view/items/none",
        *map(view_path, museum_recommender.collection.ids),
    ]
    for path in paths:
        text = client.get(path).text
        outline = Outline(text)
        assert text.startswith("<!doctype html>")
        assert outline.all("html")[0]["lang"] == "en"
        assert outline.headings.count(1) == 1
        assert all(b - a <= 1 for a, b in zip(outline.headings, outline.headings[1:], strict=False)), path
        assert len(outline.all("main")) == len(outline.all("title")) == 1
        assert all("alt" in image for image in outline.all("img"))
        assert all("aria-label" in nav for nav in outline.all("nav"))
        ids = [attributes["id"] for _, attributes in outline.tags if "id" in attributes]
        assert len(ids) == len(set(ids)), path


def test_nothing_comes_from_elsewhere_but_pictures(client: TestClient, page: str) -> None:
    outline = Outline(page)
    # data that says what the page is about, and nothing that runs
    assert [script["type"] for script in outline.all("script")] == ["application/ld+json"]
    assert not any("style" in attributes for _, attributes in outline.tags)
    assert not outline.all("style")
    for link in outline.all("link"):
        response = client.get(str(link["href"]))
        assert response.status_code == 200
    css = client.get("/static/kindred.css")
    assert css.headers["content-type"].startswith("text/css")
    assert re.findall(r"url\(([^)]*)\)", css.text) == ['"kindred.svg"']  # beside it
    assert "@import" not in css.text


def test_headers_keep_a_browser_safe(client: TestClient) -> None:
    for path in (view_path(BACINO), "/items", "/none", "/static/kindred.css"):
        headers = client.get(path).headers
        assert headers["content-security-policy"].startswith("default-src 'self'; img-src *;")
        assert headers["x-content-type-options"] == "nosniff"


def test_records_are_text_never_markup(client: TestClient) -> None:
    text = client.get(view_path("sample:drawing/ruskin")).text
    assert "<b>" not in text
    assert "&lt;b&gt;in Venice&lt;/b&gt; &amp;#34;bold&amp;#34;" in text
    assert "javascript:" not in text
    near = client.get(view_path(BACINO)).text
    assert "<b>" not in near


def test_the_picture_of_the_item_comes_first_and_has_words(page: str) -> None:
    picture = next(
        image for image in Outline(page).all("img") if image["src"] == "https://museum.invalid/bacino.jpg"
    )
    assert picture["fetchpriority"] == "high"
    assert "loading" not in picture
    assert picture["alt"] == "Picture of Bacino di San Marco, Venice"


def test_an_item_like_nothing_says_so(client: TestClient) -> None:
    response = client.get(view_path("sample:bare"))
    assert response.status_code == 200
    assert "Nothing else in this collection" in response.text


def test_failures_are_pages(client: TestClient) -> None:
    response = client.get("/view/items/<b>none")
    assert response.status_code == 404
    assert response.headers["content-type"] == "text/html; charset=utf-8"
    assert "Unknown item" in response.text
    assert "<b>none" not in response.text
    for path in ("/view", "/view/", "/view/other", "/view/items/"):
        assert client.get(path).status_code == 404
    assert client.post(view_path(BACINO)).status_code == 405


def test_the_start_page_walks_through_everything(client: TestClient, museum_recommender: Recommender) -> None:
    seen = 0
    path: str | None = "/"
    while path:
        text = client.get(path).text
        seen += text.count('class="card"')
        following = re.search(r'href="([^"]*)" rel="next"', text)
        path = following.group(1).replace("&amp;", "&") if following else None
    assert seen == len(museum_recommender.collection)


def test_nothing_comes_after_the_last_item(client: TestClient) -> None:
    response = client.get("/", params={"after": "\U0010ffff<b>"})
    assert response.status_code == 404
    assert response.headers["content-type"] == "text/html; charset=utf-8"
    assert "No item comes after" in response.text
    assert "<b>" not in response.text
    assert 'href="/"' in response.text


def test_a_browser_gets_a_page_for_an_unknown_address(client: TestClient) -> None:
    browser = {"Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}
    response = client.get("/nothing", headers=browser)
    assert (response.status_code, response.headers["content-type"]) == (404, "text/html; charset=utf-8")
    assert 'href="/"' in response.text
    assert client.get("/items/none", headers=browser).headers["content-type"] == "application/problem+json"
    for program in ({"Accept": "application/json, text/html"}, {"Accept": "*/*"}, {}):
        response = client.get("/nothing", headers=program)
        assert response.headers["content-type"] == "application/problem+json"


def test_a_parameter_that_is_given_twice_is_a_page_too(client: TestClient) -> None:
    response = client.get("/?after=a&after=b")
    assert (response.status_code, response.headers["content-type"]) == (422, "text/html; charset=utf-8")
    assert "After is given 2 times" in response.text
