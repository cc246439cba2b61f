"""Pages about items: all neighbours of a type, two items compared, and why, all without JavaScript."""

import re
from collections.abc import Iterator
from html import unescape
from urllib.parse import quote

import pytest
from fastapi.testclient import TestClient

from ingest.record import Record, Value, values
from models.types import OFFICIAL
from service.explain.closeness import closeness
from service.search.recommender import Recommender
from service.settings import Settings
from service.web.api.addresses import compare_path, near_path, view_path
from service.web.api.app import create_app
from service.web.portal.item_pages import NeighboursForm
from tests.service.builders import recommender, record
from tests.service.conftest import BACINO, HARD_IDS, YARD
from tests.service.museum import RECORDS
from tests.service.web.test_pages import Outline


@pytest.fixture(scope="module")
def crowd(settings: Settings) -> Recommender:
    """The museum's records and sixty sheets that are all alike."""
    sheets = [record(f"s:{n:02}", f"Sheet {n} of Venice", "Canaletto", date=f"{1700 + n}") for n in range(60)]
    return recommender([*RECORDS, *sheets], settings)


@pytest.fixture
def visitor(crowd: Recommender, settings: Settings) -> Iterator[TestClient]:
    with TestClient(create_app(crowd, settings), raise_server_exceptions=False) as client:
        yield client


def shown(page: str) -> list[str]:
    """The titles on the cards of a page."""
    return [unescape(title) for title in re.findall(r"<h3><a [^>]*>(.*?)</a>", page)]


def link(page: str, words: str) -> str:
    match = re.search(rf'<a href="([^"]*)"[^>]*>{words}', page)
    assert match, words
    return unescape(match[1])


def test_show_more_leads_through_all_neighbours_of_a_type(visitor: TestClient, crowd: Recommender) -> None:
    item = visitor.get(f"{view_path('m:01')}?type=location").text
    path: str | None = near_path("m:01", "location")
    assert link(item, "Show more and filter") == path
    seen: list[str] = []
    while path:
        page = visitor.get(path).text
        seen += shown(page)
        path = link(page, "Show more</a>") if "Show more</a>" in page else None
    assert len(seen) > 60
    assert len(set(seen)) == len(seen)
    assert seen[:5] == [near.record.label for near in crowd.similar("m:01", "location", 5)]


def test_the_second_page_leads_back_to_the_first(visitor: TestClient) -> None:
    first = visitor.get(near_path("m:01", "location")).text
    second = visitor.get(link(first, "Show more</a>")).text
    assert link(second, "Back to the closest") == near_path("m:01", "location")
    assert "Back to the closest" not in first


def test_filters_hold_and_stay_filled_in(visitor: TestClient) -> None:
    path = near_path("m:01", "location") + "&from=1840&to=&place=&object=drawing&provider=&all=1"
    page = visitor.get(path).text
    assert shown(page) == ["Palace in Venice", "Palace in London"]
    fields = {one["name"]: one for one in Outline(page).all("input")}
    assert fields["from"]["value"] == "1840"
    assert fields["object"]["value"] == "drawing"
    assert "checked" in fields["all"]
    assert "checked" not in fields["image"]
    assert link(page, "Without filters") == near_path("m:01", "location")


def test_a_filter_goes_on_to_the_next_page(visitor: TestClient) -> None:
    page = visitor.get(near_path("m:01", "location") + "&from=1705").text
    following = link(page, "Show more</a>")
    assert "from=1705" in following
    assert not {f"Sheet {n} of Venice" for n in range(5)} & {
        *shown(page),
        *shown(visitor.get(following).text),
    }


def test_kinds_and_museums_are_proposed(visitor: TestClient) -> None:
    proposed = {one["value"] for one in Outline(visitor.get(near_path("m:01", "time")).text).all("option")}
    assert {"drawing", "National Gallery", *OFFICIAL} <= proposed


def test_a_name_that_no_item_has_is_said_to_be_none(visitor: TestClient) -> None:
    page = visitor.get(near_path("m:01", "location") + "&provider=<b>Tat").text
    assert "No item has the provider" in page
    assert "<b>Tat" not in page
    assert "Nothing close" in page


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ("from=17x", "From must be a year such as 1850, or -44 for 44 BC"),
        ("from=99999", "From must be a year"),
        ("type=foo", "has no similarity type"),
        ("type=time&cursor=foo", "cursor"),
    ],
)
def test_what_cannot_be_asked_is_a_page_that_says_so(visitor: TestClient, query: str, sentence: str) -> None:
    answer = visitor.get(f"{view_path('m:01')}/similar?{query}")
    assert answer.status_code == 422
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert sentence in unescape(answer.text)


def test_years_before_christ_can_be_asked_for() -> None:
    assert NeighboursForm.of({"from": "-50", "to": " -1 "}).filters.first == -50
    assert NeighboursForm.of({"from": "1900", "to": "1800"}).given == {"from": "1800", "to": "1900"}
    assert not NeighboursForm.of({"from": "", "to": ""}).filters.given


def test_nothing_close_is_said(client: TestClient) -> None:
    page = client.get(near_path("sample:bare", "general")).text
    assert shown(page) == []
    assert "Nothing close" in page
    assert "No item of this collection is close to this one in this way." in page
    assert len(shown(client.get(near_path("sample:bare", "general") + "&all=1").text)) == 24


@pytest.mark.parametrize("item", HARD_IDS)
def test_every_id_has_its_page_of_neighbours(client: TestClient, item: str) -> None:
    page = client.get(near_path(item, "time"))
    assert page.status_code == 200
    assert f'href="{view_path(item)}"' in page.text


def test_an_id_that_ends_like_the_page_is_still_an_item(client: TestClient) -> None:
    assert "<h1>" in client.get("/view/items/a/similar").text
    assert client.get("/view/items/none/similar").status_code == 404


def test_why_leads_from_a_neighbour_to_the_two_compared(visitor: TestClient, crowd: Recommender) -> None:
    near = crowd.similar("m:01", "location", 1)[0]
    page = visitor.get(view_path("m:01")).text
    path = compare_path("m:01", near.record.id, "location") + "#why"
    assert path in unescape(page)
    compared = visitor.get(path).text
    assert near.reason.text in unescape(compared)
    assert "Why: location" in compared


def compared(client: TestClient, left: str, right: str, kind: str | None = None) -> str:
    answer = client.get(compare_path(left, right, kind))
    assert answer.status_code == 200
    return answer.text


def test_eight_scores_are_a_picture_with_words(visitor: TestClient, crowd: Recommender) -> None:
    page = compared(visitor, "m:01", "m:06")
    scores = [one.score for one in crowd.score("m:01", "m:06").explanations]
    pictures = Outline(page).all("svg")
    assert len(pictures) == len(scores) == 8
    for picture, score in zip(pictures, scores, strict=True):
        assert picture["role"] == "img"
        assert picture["aria-label"] == f"{closeness(score)}, {score:.2f} of 5"
    widths = [float(one["width"] or 0) for one in Outline(page).all("rect") if one["class"] == "bar"]
    assert widths == pytest.approx([20 * score for score in scores], abs=0.06)


def test_without_a_type_the_closest_is_explained(visitor: TestClient, crowd: Recommender) -> None:
    best = max(crowd.score("m:01", "m:02").explanations, key=lambda one: one.score)
    assert f"Why: {best.type}" in compared(visitor, "m:01", "m:02")
    assert "Why: time" in compared(visitor, "m:01", "m:02", "time")


def test_the_words_that_count_are_marked_on_both_sides(visitor: TestClient) -> None:
    page = compared(visitor, "m:01", "m:06", "location")
    marked = re.findall(r"<mark>(.*?)</mark>", page)
    # title and places of the one, the title of the other
    assert marked.count("Venice") == 3
    assert "Canaletto" not in marked


def test_all_contributions_are_a_table_that_adds_up(visitor: TestClient, crowd: Recommender) -> None:
    page = compared(visitor, "m:01", "m:06", "location")
    table = page[page.index("<table>") : page.index("</table>")]
    amounts = [float(one) for one in re.findall(r"<td>([+-]\d\.\d\d)</td>", table)]
    explanation = crowd.score("m:01", "m:06").explanations[OFFICIAL.index("location")]
    assert len(amounts) == len(explanation.contributions or ()) + 1
    assert sum(amounts) == pytest.approx(explanation.raw, abs=0.005 * len(amounts))
    assert page.index("<details>") < page.index("<table>")
    assert "<code>location_tfidf</code>" in table


def test_a_record_with_itself_is_the_same(client: TestClient) -> None:
    page = compared(client, YARD, YARD)
    assert "The two records are the same." in page
    assert "<table>" not in page


def test_records_are_text_on_both_sides(client: TestClient) -> None:
    page = compared(client, "sample:drawing/ruskin", BACINO, "location")
    assert "<b>in" not in page
    assert "&lt;b&gt;in <mark>Venice</mark>&lt;/b&gt;" in page
    assert "javascript:" not in page


def test_where_an_item_is_missing_the_page_asks_for_it(client: TestClient) -> None:
    page = client.get(compare_path(BACINO)).text
    fields = {(one["name"], one["value"]) for one in Outline(page).all("input")}
    assert fields == {("q", ""), ("left", BACINO)}
    assert "<h1>Compare " in page
    assert "Bacino di San Marco" in page
    assert client.get("/view/compare").status_code == 200
    picked = client.get(f"{compare_path(BACINO)}&q=stonemason").text
    assert f'href="{compare_path(BACINO, YARD)}"'.replace("&", "&amp;") in picked
    assert "This is the one" in client.get(f"{compare_path(BACINO)}&q=bacino").text
    assert f'href="{compare_path(YARD)}"' in client.get("/view/compare?q=stonemason").text
    # an id that is none costs neither the page nor the other item
    for address in ("/view/compare?left=none", compare_path(BACINO, "none")):
        answer = client.get(address)
        assert answer.status_code == 404
        assert "No item of this collection has the id <code>none</code>." in answer.text
        assert 'name="q"' in answer.text
    assert f'name="left" value="{BACINO}"' in client.get(compare_path(BACINO, "none")).text
    assert client.get(compare_path(BACINO, YARD, "foo")).status_code == 422


def test_pages_are_well_formed_and_labelled(visitor: TestClient) -> None:
    for path in (near_path("m:01", "location"), compare_path("m:01", "m:06"), compare_path("m:01")):
        outline = Outline(visitor.get(path).text)
        assert outline.headings.count(1) == 1
        assert all(b - a <= 1 for a, b in zip(outline.headings, outline.headings[1:], strict=False)), path
        labels = {one["for"] for one in outline.all("label")}
        fields = [*outline.all("input"), *outline.all("select")]
        assert {one["id"] for one in fields if one.get("type") != "hidden"} == labels
        ids = [attributes["id"] for _, attributes in outline.tags if "id" in attributes]
        assert len(ids) == len(set(ids))
        assert not any("style" in attributes for _, attributes in outline.tags)
        assert not outline.all("script")


def test_a_score_is_words_first_and_a_number_on_hover(visitor: TestClient, crowd: Recommender) -> None:
    near = crowd.similar("m:01", "author", 1)[0]
    page = visitor.get(near_path("m:01", "author")).text
    number = f"{near.score:.2f} of 5"
    words = f'<span title="{number}">{closeness(near.score)}<span class="hidden">, {number}</span></span>'
    assert words in page


def test_texts_have_their_languages_and_pictures_their_size(settings: Settings) -> None:
    view = Record(
        id="a",
        title=(Value("Ansicht von Venedig", "de"), Value("View", "English")),
        creator=(Value("Канова", "ru"),),
        image="https://iiif.invalid/1/full/full/0/default.jpg",
        places=(Value("Venedig", "de"),),
    )
    other = Record(id="b", title=values("View"), image="https://m.invalid/1.jpg")
    painted = recommender([view, other], settings)
    with TestClient(create_app(painted, settings)) as client:
        item, pair = client.get(view_path("a")).text, client.get(compare_path("a", "b")).text
    assert '<h1><span lang="de">Ansicht von Venedig</span></h1>' in item
    assert '<dd lang="ru"><a href="/search?q=creator%3A%22%D0%9A' in item
    assert '<dd lang="de"><a href="/search?place=Venedig">Venedig</a></dd>' in item
    assert 'lang="English"' not in item + pair
    assert 'src="https://iiif.invalid/1/full/1000,/0/default.jpg"' in item
    assert 'src="https://m.invalid/1.jpg"' in pair
    assert f'href="{quote(view_path("a"))}"' in pair
