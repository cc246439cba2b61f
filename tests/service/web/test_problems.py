"""Every failure is a problem document that says what to do."""

import json
from typing import Any

import pytest
from fastapi.testclient import TestClient
from jsonschema import Draft202012Validator

from ingest.errors import (
    CatalogueError,
    CollectionMissing,
    DamagedArtefact,
    KindredError,
    ResourceMissing,
    UnknownItem,
    UnwritableState,
)
from models.types import OFFICIAL
from service.search.recommender import Recommender
from service.settings import Settings
from service.web.api.app import create_app
from service.web.api.problems import Problem, kinds
from tests.service.conftest import BACINO, YARD, Server

SIMILAR = f"/items/{BACINO}/similar"
SECURITY = {
    "content-security-policy": (
        "default-src 'self'; img-src *; object-src 'none'; base-uri 'none'; form-action 'self';"
        " frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "strict-origin-when-cross-origin",
}
"""Headers of every answer, written out: what is promised to whoever shows our pages."""
ALLOWED = (
    "concept, culture, cursor, diversity, event, explain, fields, floor, from, image, limit, maker,"
    " material, object, part_of, period, person, place, provider, to, type, without"
)


def problem(response: Any, status: int, code: str) -> str:
    assert response.status_code == status, response.text
    assert response.headers["content-type"] == "application/problem+json"
    document = Problem.model_validate(response.json())
    assert (document.status, document.type) == (status, f"/problems/{code}")
    assert "Traceback" not in response.text
    return document.detail


@pytest.mark.parametrize(
    "path", ["/items/none", "/items/none/similar", "/items/none/similar?type=time", "/items/é%2Fx"]
)
def test_an_unknown_item(client: TestClient, path: str) -> None:
    assert "no item" in problem(client.get(path), 404, "unknown-item")


def test_an_unknown_item_in_a_pair(client: TestClient) -> None:
    problem(client.get("/explain", params={"left": BACINO, "right": "none"}), 404, "unknown-item")
    problem(
        client.post("/score", json={"left": {"id": BACINO}, "right": {"id": "none"}}), 404, "unknown-item"
    )


@pytest.mark.parametrize("name", ["place", "", "Location", "location,time", "<b>"])
def test_an_unknown_type_lists_those_that_there_are(client: TestClient, name: str) -> None:
    detail = problem(client.get(SIMILAR, params={"type": name}), 422, "unknown-type")
    assert ", ".join(OFFICIAL) in detail


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ("limit=0", "limit must be at least 1, not '0'"),
        ("limit=-3&type=time", "limit must be at least 1, not '-3'"),
        ("limit=101", "limit must be at most 100, not '101'"),
        ("limit=ten", "limit must be a whole number, not 'ten'"),
        ("limit=", "limit must be a whole number, not ''"),
        ("limit=1.5", "limit must be a whole number, not '1.5'"),
        ("limit=" + "9" * 5000, "limit must be a smaller number"),
        ("explain=maybe", "explain must be true or false, not 'maybe'"),
        ("typ=time", f"typ is not known here; allowed are: {ALLOWED}"),
        ("diversity=2&type=time", "diversity must be at most 1, not '2'"),
        ("diversity=x", "diversity must be a number, not 'x'"),
        ("diversity=0.5", "diversity needs a type: it compares the neighbours in that way"),
        ("from=soon", "from must be a whole number, not 'soon'"),
        ("from=1800&to=1700", "from must not be later than to; 1800 is later than 1700"),
        ("to=-10000", "to must be at least -9999, not '-10000'"),
        ("image=perhaps", "image must be true or false, not 'perhaps'"),
        ("cursor=x", "a cursor needs the type that it was given for"),
        ("cursor=x&type=time", "the cursor is none that Kindred gave; leave it out to begin anew"),
    ],
)
def test_a_bad_parameter(client: TestClient, query: str, sentence: str) -> None:
    assert problem(client.get(f"{SIMILAR}?{query}"), 422, "invalid-request") == sentence


@pytest.mark.parametrize(
    "path",
    ["/health/live", "/health/ready", "/score"],
)
def test_a_parameter_where_none_is_taken(client: TestClient, path: str) -> None:
    pair = {"left": {"id": BACINO}, "right": {"id": YARD}}
    ask = {"method": "POST", "json": pair} if path == "/score" else {"method": "GET"}
    assert client.request(url=path, **ask).status_code == 200
    detail = problem(client.request(url=f"{path}?explain=true", **ask), 422, "invalid-request")
    assert detail == "explain is not known here; no parameter is allowed"


def test_a_missing_parameter(client: TestClient) -> None:
    assert problem(client.get("/explain?left=a"), 422, "invalid-request") == "right is missing"
    assert "allowed are: concept, culture, cursor, event, facets, fields, from, image" in problem(
        client.get("/items?x=1"), 422, "invalid-request"
    )


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        ({}, "left is missing"),
        ([], "the body must be a JSON object, sent as application/json"),
        ({"left": {"id": "a"}}, "right is missing"),
        ({"left": 1, "right": {}}, "left must be a JSON object, sent as application/json"),
        (
            {"left": {"titel": "x"}, "right": {}},
            "left.titel is not known here; allowed are: concepts, creator,",
        ),
        ({"left": {"title": 3}, "right": {}}, "left.title must be a text or a list of texts"),
        ({"left": {"title": [3]}, "right": {}}, "left.title must be a text or a list of texts"),
        ({"left": {}, "right": {"id": BACINO}}, "a record to score needs text"),
        ({"left": {"title": [" "]}, "right": {"id": BACINO}}, "a record to score needs text"),
        (
            {"left": {"id": BACINO, "type": "painting"}, "right": {"id": BACINO}},
            "a record to score needs text",
        ),
        ({"left": {"id": "a"}, "right": {"id": "b"}, "explain": "perhaps"}, "explain must be true or false"),
        (
            {"left": {"id": "a"}, "right": {"id": "b"}, "explain": 0},
            "explain must be true or false, not 0",
        ),
        (
            {"left": {"id": "a"}, "right": {"id": "b"}, "more": 1},
            "more is not known here; allowed are: explain,",
        ),
        ({"left": {"title": "\ud800"}, "right": {"id": "b"}}, "left.title: must be valid Unicode"),
        ({"left": {"id": "\udfff"}, "right": {"id": "b"}}, "left.id: must be valid Unicode"),
    ],
)
def test_a_bad_body(client: TestClient, body: object, sentence: str) -> None:
    response = client.post("/score", content=json.dumps(body), headers={"Content-Type": "application/json"})
    assert problem(response, 422, "invalid-request").startswith(sentence)


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"limit": "5"}, "limit must be a whole number, not '5'"),
        ({"from": True}, "from must be a whole number, not True"),
        ({"limit": 5.5}, "limit must be a whole number, not 5.5"),
        ({"diversity": False}, "diversity must be a number, not False"),
        ({"seeds": [{"id": BACINO, "weight": "1"}]}, "seeds.0.weight must be a number, not '1'"),
    ],
)
def test_a_body_is_not_read_as_something_else(
    client: TestClient, given: dict[str, object], sentence: str
) -> None:
    body = {"seeds": [{"id": BACINO}], "type": "location"} | given
    assert problem(client.post("/similar", json=body), 422, "invalid-request") == sentence


def test_a_whole_number_may_be_written_with_a_point(client: TestClient) -> None:
    answer = client.post("/similar", json={"seeds": [{"id": BACINO}], "type": "location", "limit": 5.0})
    assert len(answer.json()["neighbours"]) == 5


@pytest.mark.parametrize(
    "body",
    [b"{", b"", b"nonsense", b"\xff\xfe", b'{"left": "\xe9"}', b"[" * 100_000, b'{"left": {"id": "a"},}'],
)
def test_malformed_json(client: TestClient, body: bytes) -> None:
    response = client.post("/score", content=body, headers={"Content-Type": "application/json"})
    if body:
        assert "JSON" in problem(response, 400, "malformed-json")
    else:
        assert problem(response, 422, "invalid-request") == "the body is missing"


def test_a_body_of_another_kind(client: TestClient) -> None:
    response = client.post("/score", content=b"left=a", headers={"Content-Type": "text/plain"})
    assert "application/json" in problem(response, 422, "invalid-request")


def test_a_body_too_large(client: TestClient, server: Server, settings: Settings) -> None:
    body = json.dumps({"left": {"title": "x" * settings.service.body}, "right": {"id": "a"}}).encode()
    headers = {"Content-Type": "application/json"}
    problem(client.post("/score", content=body, headers=headers), 413, "too-large")
    problem(client.post("/score", content=iter([body]), headers=headers), 413, "too-large")
    reply = server.ask("/score", "POST", body)
    assert reply.status == 413
    assert json.loads(reply.body)["type"] == "/problems/too-large"


@pytest.mark.parametrize(
    "path", ["/nothing", "/items/", "/item", "/health", "/health/", "/score/x", "/docs/", "/static/none"]
)
def test_an_unknown_address(client: TestClient, path: str) -> None:
    assert path in problem(client.get(path), 404, "not-found")


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("POST", "/items", "GET, HEAD, PUT"),
        ("PATCH", f"/items/{BACINO}", "DELETE, GET, HEAD, PUT"),
        ("POST", f"/items/{BACINO}/similar", "GET, HEAD"),
        ("GET", "/score", "POST"),
    ],
)
def test_a_method_that_is_not_allowed(client: TestClient, method: str, path: str, allowed: str) -> None:
    response = client.request(method, path)
    assert problem(response, 405, "method-not-allowed").endswith(f"; possible is: {allowed}")
    assert response.headers["allow"] == allowed


@pytest.mark.parametrize(
    ("path", "name"),
    [
        (f"{SIMILAR}?limit=1&limit=2", "limit"),
        (f"{SIMILAR}?type=time&provider=a&provider=b&type=time", "type"),
        ("/items?cursor=a&cursor=b", "cursor"),
        (f"/explain?left={BACINO}&right={YARD}&left={YARD}", "left"),
        ("/health/live?a=1&a=2", "a"),
    ],
)
def test_a_parameter_that_is_given_twice(client: TestClient, path: str, name: str) -> None:
    detail = problem(client.get(path), 422, "invalid-request")
    assert detail == f"{name} is given 2 times; give it once"


def test_a_parameter_that_may_be_given_twice(client: TestClient) -> None:
    assert client.get(f"{SIMILAR}?provider=a&provider=b&without={YARD}&without={BACINO}").status_code == 200


def test_a_method_that_is_not_allowed_on_a_file(client: TestClient) -> None:
    response = client.post("/static/none")
    assert problem(response, 405, "method-not-allowed").endswith("; possible is: GET, HEAD")
    assert response.headers["allow"] == "GET, HEAD"


def test_a_fault_of_ours_has_the_headers_of_every_answer(client: TestClient, settings: Settings) -> None:
    def source() -> Recommender:
        raise RuntimeError("secret")

    with TestClient(create_app(source, settings), raise_server_exceptions=False) as broken:
        for path in ("/items", "/"):
            failed, usual = broken.get(path), client.get(path)
            assert (failed.status_code, usual.status_code) == (500, 200)
            for answer in (failed, usual):
                assert {name: answer.headers.get(name) for name in SECURITY} == SECURITY


def test_a_fault_of_ours_shows_no_traceback(settings: Settings) -> None:
    def broken() -> Recommender:
        raise RuntimeError("secret")

    with TestClient(create_app(broken, settings), raise_server_exceptions=False) as client:
        response = client.get("/health/ready")
        assert "secret" not in problem(response, 500, "internal") + response.text
        page = client.get("/")
        assert (page.status_code, page.headers["content-type"]) == (500, "text/html; charset=utf-8")
        assert client.get("/health/live").status_code == 200


def test_what_is_wrong_on_the_machine_names_no_path(
    settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    for error in (CollectionMissing, DamagedArtefact, ResourceMissing, UnwritableState, CatalogueError):

        def closed(error: type[KindredError] = error) -> Recommender:
            raise error("/srv/secret/state cannot be read; run: kindred build")

        with TestClient(create_app(closed, settings), raise_server_exceptions=False) as client:
            for path in ("/health/ready", "/items/a", "/", "/view/items/a"):
                answer = client.get(path)
                assert answer.status_code == error.status
                assert "secret" not in answer.text
                assert "the log of the service says more" in answer.text
            assert "/srv/secret/state" in caplog.text
            caplog.clear()


def test_not_ready_without_a_collection(settings: Settings) -> None:
    def closed() -> Recommender:
        raise CollectionMissing("no collection is built; run: kindred build")

    with TestClient(create_app(closed, settings), raise_server_exceptions=False) as client:
        for path in ("/health/ready", "/items/a", SIMILAR):
            assert "kindred build" in problem(client.get(path), 503, "collection-missing")
        assert client.get("/health/live").status_code == 200
        # a museum's page may have the widget before there is anything to show
        widget = client.get("/static/widget.js")
        assert widget.status_code == 200
        assert '"general author people' in widget.text
        seen = {"If-None-Match": widget.headers["etag"]}
        assert client.get("/static/widget.js", headers=seen).status_code == 304


def test_every_type_of_problem_can_be_opened(client: TestClient) -> None:
    for kind in kinds():
        page = client.get(f"/problems/{kind.code}")
        assert page.status_code == 200
        assert kind.title in page.text
    assert client.get("/problems/none").status_code == 404
    assert UnknownItem.code in {kind.code for kind in kinds()}


def test_problems_fit_the_document(client: TestClient) -> None:
    document: Any = client.get("/openapi.json").json()
    schema = document["components"]["schemas"]["Problem"]
    for path in ("/none", "/items/none", f"{SIMILAR}?type=x"):
        Draft202012Validator(schema).validate(client.get(path).json())


def test_head_is_like_get(server: Server) -> None:
    for path in ("/", "/items", "/items/none"):
        head, get = server.ask(path, "HEAD"), server.ask(path)
        assert head.status == get.status
        assert head.body == b""
        assert head.headers["content-length"] == str(len(get.body))
