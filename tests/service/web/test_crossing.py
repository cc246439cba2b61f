"""Calls from pages of other origins."""

import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import pytest

from service.search.recommender import Recommender
from service.settings import Settings
from service.web.api.app import create_app
from tests.service.conftest import Reply, Server, running
from tests.service.web.test_browser import CHROMIUM, browse

PORTAL = "https://portal.example"


@pytest.fixture(scope="module", params=[(PORTAL, "http://localhost:3000"), ("*",)], ids=["named", "all"])
def open_to(
    request: pytest.FixtureRequest, museum_recommender: Recommender, settings: Settings
) -> Iterator[Server]:
    service = settings.service.model_copy(update={"origins": request.param, "rate": 1e-6, "burst": 1000})
    with running(create_app(museum_recommender, settings.model_copy(update={"service": service}))) as server:
        yield server


def test_what_other_sites_embed_may_be_read_from_anywhere(
    museum_recommender: Recommender, settings: Settings
) -> None:
    def allowed(path: str, reads: str) -> list[str | None]:
        service = settings.service.model_copy(update={"reads": reads})
        app = create_app(museum_recommender, settings.model_copy(update={"service": service}))
        with running(app) as server:
            header = "access-control-allow-origin"
            return [
                server.ask(f"{version}{path}", headers={"Origin": PORTAL}).headers.get(header)
                for version in ("", "/v1")
            ]

    for path in ("/items/a/similar?type=time", "/paths/none", "/paths/none/manifests/1?x=y"):
        assert allowed(path, "everyone") == ["*", "*"]
        assert allowed(path, "keys") == [None, None]
    for path in ("/items/a", "/items", "/paths", "/keys", "/view/items/a"):
        assert allowed(path, "everyone") == [None, None]


def preflight(server: Server, origin: str, method: str, headers: str = "") -> Reply:
    sent = {"Origin": origin, "Access-Control-Request-Method": method}
    return server.ask(
        "/items/a",
        "OPTIONS",
        headers=sent | ({"Access-Control-Request-Headers": headers} if headers else {}),
    )


@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "DELETE"])
def test_a_preflight_says_what_may_be_sent(open_to: Server, method: str) -> None:
    reply = preflight(open_to, PORTAL, method, "authorization, content-type, if-none-match")
    assert reply.status == 200
    assert reply.headers["access-control-allow-origin"] in (PORTAL, "*")
    assert method in reply.headers["access-control-allow-methods"].split(", ")
    assert "Authorization" in reply.headers["access-control-allow-headers"].split(", ")
    assert "Origin" in reply.headers["vary"]
    assert "access-control-allow-credentials" not in reply.headers


def test_a_preflight_for_anything_else_is_a_problem(open_to: Server) -> None:
    for reply in (preflight(open_to, PORTAL, "TRACE"), preflight(open_to, PORTAL, "GET", "x-other")):
        problem = json.loads(reply.body)
        assert (reply.status, problem["type"]) == (400, "/problems/preflight-refused")
        assert reply.headers["content-type"] == "application/problem+json"
        assert "Origin" in reply.headers["vary"]


@pytest.mark.parametrize(
    ("path", "status"), [("/items", 200), ("/items/none", 404), ("/items?x=1", 422), ("/none", 404)]
)
def test_answers_and_problems_may_be_read(open_to: Server, path: str, status: int) -> None:
    reply = open_to.ask(path, headers={"Origin": PORTAL})
    assert reply.status == status
    assert reply.headers["access-control-allow-origin"] in (PORTAL, "*")
    assert {"ETag", "Retry-After", "X-Request-ID"} <= set(
        reply.headers["access-control-expose-headers"].split(", ")
    )
    # a cache that keeps the answer to who names no origin must not give it to who does
    for answer in (reply, open_to.ask(path)):
        assert "Origin" in answer.headers["vary"]
    assert "access-control-allow-origin" not in open_to.ask(path).headers


def test_so_may_what_is_unchanged_and_what_is_put_off(
    museum_recommender: Recommender, settings: Settings
) -> None:
    service = settings.service.model_copy(update={"origins": (PORTAL,), "rate": 1e-6, "burst": 2})
    with running(create_app(museum_recommender, settings.model_copy(update={"service": service}))) as server:
        tag = server.ask("/items").headers["etag"]
        for status in (304, 429):
            reply = server.ask("/items", headers={"Origin": PORTAL, "If-None-Match": tag})
            assert (reply.status, reply.headers["access-control-allow-origin"]) == (status, PORTAL)


def test_so_may_a_fault_of_ours(settings: Settings) -> None:
    def broken() -> Recommender:
        raise RuntimeError("secret")

    service = settings.service.model_copy(update={"origins": (PORTAL,)})
    with running(create_app(broken, settings.model_copy(update={"service": service}))) as server:
        reply = server.ask("/items", headers={"Origin": PORTAL})
        assert (reply.status, reply.headers["access-control-allow-origin"]) == (500, PORTAL)
        assert json.loads(reply.body)["request"] == reply.headers["x-request-id"]


def test_another_origin_reads_nothing(museum_recommender: Recommender, settings: Settings) -> None:
    service = settings.service.model_copy(update={"origins": (PORTAL,)})
    with running(create_app(museum_recommender, settings.model_copy(update={"service": service}))) as server:
        for origin in ("https://evil.example", "null", PORTAL + ".evil.example", "http://portal.example"):
            assert preflight(server, origin, "GET").status == 400
            assert (
                "access-control-allow-origin" not in server.ask("/items", headers={"Origin": origin}).headers
            )


def test_without_the_setting_nobody_is_told_anything(server: Server) -> None:
    reply = server.ask("/items", headers={"Origin": PORTAL})
    assert not [name for name in reply.headers if name.startswith("access-control")]
    assert preflight(server, PORTAL, "GET").status == 405


PAGE = b"""<!doctype html><title>A portal</title><script>
async function said(path, options) {
  try {
    const answer = await fetch(location.search.slice(1) + path, options);
    const told = await answer.json();
    return [answer.status, told.title, answer.headers.get("X-Request-ID")].join(" ");
  } catch { return "blocked"; }
}
const own = {headers: {"Authorization": "Bearer none", "X-Request-ID": "from-a-page"}};
const asked = [
  said("/items/sample:bare", own), said("/items/none", own), said("/items/a", {method: "DELETE", ...own})
];
Promise.all(asked).then(all => document.title = all.join("; "));
</script>"""


class Portal(BaseHTTPRequestHandler):
    """A page whose script calls the API that the query names."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(PAGE)

    def log_message(self, *_: object) -> None:
        """Stay quiet."""


@pytest.fixture(scope="module")
def portal() -> Iterator[str]:
    with HTTPServer(("127.0.0.1", 0), Portal) as other:
        Thread(target=other.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{other.server_port}"
        other.shutdown()


@pytest.mark.browser
@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here; Debian: apt-get install chromium")
@pytest.mark.parametrize(
    ("named", "title"),
    [
        (True, "200 Spoon from-a-page; 404 Unknown item from-a-page; 401 Key required from-a-page"),
        (False, "blocked; blocked; blocked"),
    ],
)
def test_a_script_in_a_real_browser(
    museum_recommender: Recommender, settings: Settings, tmp_path: Path, portal: str, named: bool, title: str
) -> None:
    service = settings.service.model_copy(update={"origins": (portal if named else PORTAL,), "writes": True})
    with running(create_app(museum_recommender, settings.model_copy(update={"service": service}))) as server:
        dom = browse(tmp_path, "--dump-dom", "--virtual-time-budget=20000", f"{portal}/?{server.address}")
    assert f"<title>{title}</title>" in dom
