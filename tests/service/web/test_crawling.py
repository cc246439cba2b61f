"""What pages say of themselves to machines: descriptions, schema.org, JSON-LD, sitemaps, robots, a feed."""

import json
import re
from html import unescape
from pathlib import Path
from urllib.parse import unquote

import pytest
from fastapi.testclient import TestClient
from lxml import etree

from service.paths.model import Content, Signature
from service.paths.store import PathsFile
from service.paths.walking import walk
from service.search.recommender import Recommender
from service.sections import StateSettings
from service.settings import Settings
from service.web.api.addresses import view_path
from service.web.api.app import create_app
from service.web.portal import crawling
from tests.service.conftest import BACINO, YARD

PUBLIC = "https://museum.example"
SITEMAP = "{http://www.sitemaps.org/schemas/sitemap/0.9}loc"
ATOM = "{http://www.w3.org/2005/Atom}"


def public(recommender: Recommender, settings: Settings, state: Path, **service: object) -> TestClient:
    changed = settings.service.model_copy(update={"address": PUBLIC, **service})
    there = settings.model_copy(update={"service": changed, "state": StateSettings(directory=state)})
    return TestClient(create_app(recommender, there))


def places(client: TestClient, path: str) -> list[str]:
    answer = client.get(path)
    assert (answer.status_code, answer.headers["content-type"]) == (200, "application/xml")
    return [str(one.text) for one in etree.fromstring(answer.content).iter(SITEMAP)]


def test_the_sitemaps_lead_to_every_item(
    museum_recommender: Recommender, settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(crawling, "PART", 5)
    with public(museum_recommender, settings, tmp_path) as client:
        index = places(client, "/sitemap.xml")
        items = [
            address
            for part in index
            if not part.endswith("paths.xml")
            for address in places(client, part.removeprefix(PUBLIC))
        ]
        assert [unquote(one.removeprefix(f"{PUBLIC}/view/items/")) for one in items] == list(
            museum_recommender.collection.ids
        )
        assert len(index) == 1 + -(-len(items) // 5)
        assert client.get(f"/sitemap-{len(index)}.xml").status_code == 404
        assert client.get("/sitemap-0.xml").status_code == 422
        robots = client.get("/robots.txt").text.splitlines()
        assert f"Sitemap: {PUBLIC}/sitemap.xml" in robots
        assert "Disallow: /search" in robots
        assert "Disallow: /view/items" not in robots


def test_who_reads_by_keys_alone_tells_crawlers_nothing(
    museum_recommender: Recommender, settings: Settings, tmp_path: Path
) -> None:
    with public(museum_recommender, settings, tmp_path, reads="keys") as client:
        assert client.get("/robots.txt").text == "User-agent: *\nDisallow: /\n"
        assert client.get("/sitemap.xml").status_code == 401


def head(page: str) -> tuple[dict[str, str], dict[str, object]]:
    """The descriptions in the head of a page, and the thing that it is about."""
    words = dict(re.findall(r'<meta (?:name|property)="([\w:]+)" content="([^"]*)">', page))
    words["canonical"] = re.findall(r'<link rel="canonical" href="([^"]*)">', page)[0]
    (thing,) = re.findall(r'<script type="application/ld\+json">(.*?)</script>', page, re.DOTALL)
    return {name: unescape(text) for name, text in words.items()}, json.loads(thing)


def test_the_page_of_an_item_says_what_it_is(
    museum_recommender: Recommender, settings: Settings, tmp_path: Path
) -> None:
    with public(museum_recommender, settings, tmp_path) as client:
        page = client.get(f"/view/items/{YARD}").text
        about, thing = head(page)
    record = museum_recommender.item(YARD)
    assert about["canonical"] == about["og:url"] == thing["url"] == f"{PUBLIC}{view_path(YARD)}"
    assert (about["og:title"], thing["name"]) == (record.label, record.label)
    assert about["description"] == about["og:description"] == thing["description"]
    assert thing["@context"] == "https://schema.org"
    assert thing["creator"] == [value.text for value in record.creator]
    # whatever makers and subjects there are lead to all that have them
    query = f"/search?q=creator%3A%22{record.creator[0].text}%22"
    assert query in page
    assert client.get(query).text.count('class="card"') >= 1


def test_a_record_cannot_end_the_script_that_describes_it(
    museum_recommender: Recommender, settings: Settings, tmp_path: Path
) -> None:
    with public(museum_recommender, settings, tmp_path) as client:
        for item in museum_recommender.collection.ids:
            page = client.get(view_path(item))
            assert page.status_code == 200
            head(page.text)  # one script, whose content is JSON


def test_an_item_is_linked_data_for_who_takes_it(client: TestClient) -> None:
    linked = client.get(f"/items/{BACINO}", headers={"Accept": "application/ld+json"})
    # as that of the JSON at the same address: a proxy keeps both by the same headers
    varies = "Accept, Accept-Language"
    assert (linked.headers["content-type"], linked.headers["vary"]) == ("application/ld+json", varies)
    document, plain = linked.json(), client.get(f"/items/{BACINO}")
    assert document["@context"]["dc"] == "http://purl.org/dc/elements/1.1/"
    assert (document["@id"], document["@type"]) == (BACINO, "edm:ProvidedCHO")
    assert document["dc:title"] == plain.json()["title"]
    assert plain.headers["content-type"] == "application/json"
    again = client.get(f"/items/{BACINO}", headers={"If-None-Match": plain.headers["etag"]})
    assert again.status_code == 304
    for answer in (plain, again):
        assert "Accept" in answer.headers["vary"].split(", ")
    wrong = client.get("/items/none", headers={"Accept": "application/ld+json"})
    assert (wrong.status_code, wrong.headers["content-type"]) == (404, "application/problem+json")


def test_new_paths_are_a_feed(museum_recommender: Recommender, settings: Settings, tmp_path: Path) -> None:
    with public(museum_recommender, settings, tmp_path) as client:
        empty = etree.fromstring(client.get("/paths.atom").content)
        assert empty.findall(f"{ATOM}entry") == []
        with PathsFile(StateSettings(directory=tmp_path).paths) as paths:
            steps = walk(museum_recommender, YARD, [], 3)
            made = paths.create(Content(title="Venice & <water>", curator="Ada", steps=steps), Signature())
            paths.publish(made.id, 1, Signature())
            paths.create(Content(title="A draft", steps=steps), Signature())
        answer = client.get("/paths.atom")
        assert answer.headers["content-type"].startswith("application/atom+xml")
        (entry,) = etree.fromstring(answer.content).findall(f"{ATOM}entry")
        assert entry.findtext(f"{ATOM}title") == "Venice & <water>"
        address = f"{PUBLIC}/view/paths/{made.id}"
        assert entry.findtext(f"{ATOM}id") == address
        assert address in places(client, "/sitemap-paths.xml")
        about, thing = head(client.get(f"/view/paths/{made.id}").text)
        assert (about["og:title"], thing["@type"]) == ("Venice & <water>", "ItemList")
        assert thing["numberOfItems"] == 3
