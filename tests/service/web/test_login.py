"""Logging in with a key: a session in a cookie, which counts for this site alone."""

import json
from collections.abc import Iterator
from http.cookies import SimpleCookie
from urllib.parse import urlencode

import pytest
from fastapi import Request

from service.composition import open_provider
from service.operations.keys import Keys, Role
from service.sections import StateSettings
from service.settings import Settings
from service.web.access.clients import Curator
from service.web.api.app import create_app
from tests.service.conftest import Reply, Server, new_key, running
from tests.service.operations.live_machine import Machine

FORM = "application/x-www-form-urlencoded"


@pytest.fixture(scope="module")
def there(settings: Settings, tmp_path_factory: pytest.TempPathFactory) -> Settings:
    placed = settings.model_copy(update={"state": StateSettings(directory=tmp_path_factory.mktemp("state"))})
    service = placed.service.model_copy(update={"writes": True})
    return placed.model_copy(update={"service": service})


@pytest.fixture(scope="module")
def site(there: Settings) -> Iterator[Server]:
    machine = Machine(there, 4)
    app = create_app(open_provider(there), there)
    app.state.writer = machine.writer
    with running(app) as server:
        yield server


def send(site: Server, path: str, fields: dict[str, str], **headers: str) -> Reply:
    """A form, as a browser sends it from a page of the site."""
    usual = {"Origin": site.address, "Content-Type": FORM}
    given = {name: value for name, value in {**usual, **headers}.items() if value}
    return site.ask(path, "POST", urlencode(fields).encode(), given)


def logged_in(site: Server, key: str) -> str:
    reply = send(site, "/login", {"key": key, "next": "/docs"})
    assert (reply.status, reply.headers["location"]) == (303, "/docs")
    cookie_header = reply.headers["set-cookie"]
    for part in ("HttpOnly", "SameSite=strict", "Path=/", "Max-Age=43200"):
        assert part in cookie_header
    assert "Secure" not in cookie_header  # the service itself speaks no HTTPS
    assert reply.headers["cache-control"] == "no-store"
    ((name, morsel),) = SimpleCookie(cookie_header).items()
    assert key not in morsel.value
    return f"{name}={morsel.value}"


def test_who_is_logged_in_may_what_the_key_may_until_logged_out(site: Server, there: Settings) -> None:
    key = new_key(there)
    cookie = logged_in(site, key)
    assert b"You are logged in" in site.ask("/login", headers={"Cookie": cookie}).body
    own = {"Cookie": cookie, "Origin": site.address, "Content-Type": "application/json"}
    assert site.ask("/items/l:1", "PUT", b'{"title": "Boat"}', own).status == 201
    out = send(site, "/logout", {}, Cookie=cookie)
    assert (out.status, out.headers["location"]) == (303, "/login")
    assert "Max-Age=0" in out.headers["set-cookie"]
    assert b"You are logged in" not in site.ask("/login", headers={"Cookie": cookie}).body
    gone = site.ask("/items/l:1", "DELETE", headers=own)
    assert (gone.status, json.loads(gone.body)["type"]) == (401, "/problems/key-required")


def test_a_key_that_is_revoked_ends_the_session(site: Server, there: Settings) -> None:
    made, key = Keys(there.state.keys).add("Short", Role.CURATOR)
    own = {"Cookie": logged_in(site, key), "Origin": site.address}
    Keys(there.state.keys).revoke(made.id)
    assert site.ask("/items/x:00", "DELETE", headers=own).status == 401


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://127.0.0.1:1", ""])
def test_what_comes_from_another_site_changes_nothing(site: Server, there: Settings, origin: str) -> None:
    cookie = logged_in(site, new_key(there))
    foreign = {"Cookie": cookie} | ({"Origin": origin} if origin else {})
    reply = site.ask("/items/x:00", "DELETE", headers=foreign)
    assert (reply.status, json.loads(reply.body)["type"]) == (403, "/problems/cross-site")
    assert site.ask("/items/x:00").status == 200
    for path in ("/login", "/logout"):
        page = send(site, path, {"key": "x"}, Origin=origin, Cookie=cookie)
        assert (page.status, page.headers["content-type"]) == (403, "text/html; charset=utf-8")
    assert b"You are logged in" in site.ask("/login", headers={"Cookie": cookie}).body
    # a browser that sends no origin may still say that it is the same
    same = {"Cookie": cookie, "Sec-Fetch-Site": "same-origin"}
    assert site.ask("/items/none", "DELETE", headers=same).status == 404


@pytest.mark.parametrize("key", ["", "nonsense", "kindred_00000000_x", "\udcff"])
def test_a_wrong_key_is_asked_for_again(site: Server, key: str) -> None:
    reply = site.ask(
        "/login",
        "POST",
        urlencode({"key": key, "next": "/x"}, errors="surrogateescape").encode(),
        {"Origin": site.address, "Content-Type": FORM},
    )
    assert reply.status == 401
    assert "set-cookie" not in reply.headers
    assert b'role="alert"' in reply.body
    assert b'value="/x"' in reply.body


@pytest.mark.parametrize(
    "address", ["//evil.example", "https://evil.example", "/\\evil.example", "", "/a\nb"]
)
def test_logging_in_leads_to_no_other_site(site: Server, there: Settings, address: str) -> None:
    reply = send(site, "/login", {"key": new_key(there), "next": address})
    assert (reply.status, reply.headers["location"]) == (303, "/edit")


def test_the_cookie_is_for_https_alone_where_a_proxy_speaks_it(there: Settings) -> None:
    app = create_app(open_provider(there), there)

    async def behind_a_proxy(scope: object, receive: object, send: object) -> None:
        assert isinstance(scope, dict)
        await app({**scope, "scheme": "https"}, receive, send)  # type: ignore[arg-type]

    with running(behind_a_proxy) as site:  # type: ignore[arg-type]
        assert "Secure" in send(site, "/login", {"key": new_key(there)}).headers["set-cookie"]


def test_a_page_for_curators_leads_to_the_login_and_back(there: Settings) -> None:
    app = create_app(open_provider(there), there)

    def whoami(client: Curator, request: Request) -> dict[str, str]:
        return {"name": client.name, "method": request.method}

    app.add_api_route("/view/desk a", whoami, methods=["GET", "POST"])
    with running(app) as site:
        for method, back in (("GET", "/view/desk%2520a"), ("POST", "/")):
            page = site.ask("/view/desk%20a", method)
            assert (page.status, page.headers["content-type"]) == (401, "text/html; charset=utf-8")
            assert f'href="/login?next={back}"'.encode() in page.body
        cookie = {"Cookie": logged_in(site, new_key(there))}
        assert json.loads(site.ask("/view/desk%20a", headers=cookie).body)["name"] == "Some curator"
        assert site.ask("/view/desk%20a", "POST", headers=cookie).status == 403
