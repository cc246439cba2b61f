"""The pages as those of a museum: name, logo, colours, templates."""

from collections.abc import Callable
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from pydantic import ValidationError

from ingest.errors import ConfigError
from service.portal_settings import Colours, PortalSettings
from service.search.recommender import Recommender
from service.settings import Settings
from service.web.api.app import create_app

Opened = Callable[[PortalSettings], TestClient]
SVG = b'<svg xmlns="http://www.w3.org/2000/svg"/>'


@pytest.fixture
def opened(museum_recommender: Recommender, settings: Settings) -> Opened:
    def client(portal: PortalSettings) -> TestClient:
        return TestClient(create_app(museum_recommender, settings.model_copy(update={"portal": portal})))

    return client


def test_every_page_has_the_name_and_the_imprint(opened: Opened) -> None:
    portal = PortalSettings(
        name="Museum <of> Boats", heading="Our boats", welcome="Begin here.", imprint="/x?a=1&b=2"
    )
    client = opened(portal)
    for path in ("/", "/search?q=boat", "/view/items/m:01", "/view/paths", "/view/items/none", "/docs"):
        page = client.get(path, headers={"Accept": "text/html"}).text
        assert "· Museum &lt;of&gt; Boats</title>" in page, path
        assert '<a href="/x?a=1&amp;b=2">Imprint</a>' in page
        assert 'alt="" height="28">Museum &lt;of&gt; Boats</a>' in page
    start = client.get("/").text
    assert "<h1>Our boats</h1>" in start
    assert "Begin here." in start
    assert "Choose an item" not in start


def test_two_services_of_one_process_have_each_their_own_name(opened: Opened) -> None:
    first, second = opened(PortalSettings(name="First")), opened(PortalSettings())
    assert "· First</title>" in first.get("/").text
    assert "· Kindred</title>" in second.get("/").text


def test_the_logo_is_stored_for_ever_as_it_is_now(opened: Opened, tmp_path: Path) -> None:
    (tmp_path / "logo.svg").write_bytes(SVG)
    client = opened(PortalSettings(logo=tmp_path / "logo.svg"))
    address = client.get("/").text.partition('<img src="')[2].partition('"')[0]
    assert address.startswith("/portal/logo?v=")
    answer = client.get(address)
    assert (answer.content, answer.headers["content-type"]) == (SVG, "image/svg+xml")
    assert "immutable" in answer.headers["cache-control"]
    assert client.get("/portal/logo?v=old").headers["cache-control"] == "no-cache"
    assert opened(PortalSettings()).get("/portal/logo").status_code == 404


def test_colours_are_a_style_sheet_and_none_is_loaded_without_them(opened: Opened) -> None:
    assert "/portal/colours.css" not in opened(PortalSettings()).get("/").text
    light = Colours(paper="#ffffff", ink="#000000", accent="#003366")
    client = opened(PortalSettings(light=light))
    address = client.get("/").text.partition('href="/portal/colours.css')[2].partition('"')[0]
    sheet = client.get(f"/portal/colours.css{address}")
    assert sheet.headers["content-type"].startswith("text/css")
    assert sheet.text.startswith(":root { --paper: #ffffff; --ink: #000000; --accent: #003366; }")


def test_colours_that_nobody_could_read_are_refused() -> None:
    with pytest.raises(ValidationError, match=r"accent has a contrast of 4\.5 with paper, too little"):
        Colours(paper="#ffffff", ink="#000000", accent="#777777")  # 4.48
    with pytest.raises(ValidationError):
        Colours(paper="white", ink="#000000", accent="#000000")


def test_templates_of_the_museum_come_first_and_build_on_ours(opened: Opened, tmp_path: Path) -> None:
    (tmp_path / "base.html").write_text(
        '{% extends "kindred/base.html" %}{% block head %}<meta name="by" content="us">{% endblock %}'
    )
    client = opened(PortalSettings(templates=tmp_path))
    for path in ("/", "/view/paths"):
        assert '<meta name="by" content="us">' in client.get(path).text
    assert '<meta name="by"' not in opened(PortalSettings()).get("/").text


def test_who_has_a_page_gets_it_anew_where_a_template_was_changed(opened: Opened, tmp_path: Path) -> None:
    file, portal = tmp_path / "start.html", PortalSettings(templates=tmp_path)
    had = []
    for text in ("One", "Two", "Two"):
        file.write_text(f'{{% extends "kindred/start.html" %}}{{% block title %}}{text}{{% endblock %}}')
        had.append(opened(portal).get("/").headers["etag"])
    assert had[0] != had[1] == had[2]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("base.html", "{% if %}", r"base\.html, line 1: "),
        ("start.html", "{% extends 'nothing.html' %}{{", r"start\.html"),
        ("start.html", "\xff", r"start\.html cannot be used"),
    ],
)
def test_a_template_that_cannot_be_read_is_refused_at_the_start(
    opened: Opened, tmp_path: Path, name: str, content: str, message: str
) -> None:
    (tmp_path / name).write_bytes(content.encode("latin-1"))
    with pytest.raises(ConfigError, match=message):
        opened(PortalSettings(templates=tmp_path))


@pytest.mark.parametrize(("name", "content"), [("a.gif", b"GIF"), ("a.svg", b""), ("none.svg", None)])
def test_a_logo_that_is_none_is_refused(
    opened: Opened, tmp_path: Path, name: str, content: bytes | None
) -> None:
    if content is not None:
        (tmp_path / name).write_bytes(content)
    with pytest.raises(ConfigError, match=r"portal\.logo"):
        opened(PortalSettings(logo=tmp_path / name))
    with pytest.raises(ConfigError, match=r"portal\.templates is no folder"):
        opened(PortalSettings(templates=tmp_path / "nowhere"))
