"""The API: what every answer holds, and that the OpenAPI document tells the truth about it."""

import json
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from jsonschema import Draft202012Validator
from openapi_spec_validator import validate

from ingest.record import Field
from models.types import OFFICIAL
from service.search.recommender import Recommender
from service.settings import Settings
from service.web.api.app import create_app
from service.web.api.health import Ready
from service.web.api.listing_schemas import Listing
from service.web.api.schemas import Item, Neighbours, Pair
from tests.service.conftest import BACINO, YARD, pages

NAMES = list(OFFICIAL)


def get(client: TestClient, path: str, **query: object) -> Any:
    response = client.get(path, params={name: str(value) for name, value in query.items()})
    assert response.status_code == 200, response.text
    return response.json()


def similar(client: TestClient, item: str, **query: object) -> Any:
    return get(client, f"/items/{item}/similar", **query)


def add_up(explanation: Any) -> None:
    total = explanation["base"] + sum(part["amount"] for part in explanation["contributions"])
    assert total == pytest.approx(explanation["raw"], abs=1e-6)
    assert explanation["score"] == pytest.approx(min(max(explanation["raw"], 0), 5), abs=1e-9)
    for part in explanation["contributions"]:
        if part["evidence"]:
            assert sum(one["share"] for one in part["evidence"]) == pytest.approx(1)


def test_an_item_has_its_fields_and_its_links(client: TestClient) -> None:
    item = get(client, f"/items/{BACINO}")
    Item.model_validate(item)
    assert item["title"] == ["Bacino di San Marco, Venice"]
    assert item["subject"] == ["Venice", "gondolas", "harbours"]
    assert get(client, item["href"]) == item
    assert get(client, item["similar"])["item"] == BACINO
    assert client.get(item["view"]).headers["content-type"].startswith("text/html")


@pytest.mark.parametrize("kind", NAMES)
def test_neighbours_of_a_type(client: TestClient, kind: str) -> None:
    answer = similar(client, BACINO, type=kind)
    Neighbours.model_validate(answer)
    assert (answer["item"], answer["type"], answer["system"]) == (BACINO, kind, "linear")
    assert len(answer["neighbours"]) == 10
    scores = [one["score"] for one in answer["neighbours"]]
    assert scores == sorted(scores, reverse=True)
    for one in answer["neighbours"]:
        assert list(one["scores"]) == NAMES
        assert all(0 <= score <= 5 for score in one["scores"].values())
        assert one["score"] == one["scores"][kind]
        assert one["type"] == kind
        assert one["reason"].endswith(".")
        assert one["explanation"] is None
        assert one["id"] != BACINO


@pytest.mark.parametrize("kind", [None, *NAMES])
def test_contributions_add_up_and_evidence_is_what_the_records_say(
    client: TestClient, kind: str | None
) -> None:
    options = {"explain": "true", "limit": 100} | ({"type": kind} if kind else {})
    neighbours = similar(client, BACINO, **options)["neighbours"]
    assert neighbours
    for one in neighbours:
        explanation = one["explanation"]
        assert explanation["type"] == one["type"]
        assert explanation["score"] == pytest.approx(one["score"], abs=1e-9)
        add_up(explanation)
        right = get(client, one["href"])
        left = get(client, f"/items/{BACINO}")
        for part in explanation["contributions"]:
            for evidence in part["evidence"]:
                for record, passages in ((left, evidence["left"]), (right, evidence["right"])):
                    for passage in passages:
                        value = record[passage["field"]][passage["value"]]
                        assert value[passage["start"] : passage["end"]] == passage["text"] != ""


def test_the_reason_names_what_is_shared(client: TestClient) -> None:
    (first,) = similar(client, BACINO, type="author", limit=1)["neighbours"]
    assert first["id"] == YARD
    assert "Canaletto" in first["reason"]


def test_the_facts_of_a_reason_stand_in_both_records(client: TestClient) -> None:
    left = get(client, f"/items/{BACINO}")
    near = [*similar(client, BACINO)["neighbours"], *similar(client, BACINO, type="general")["neighbours"]]
    assert {fact["kind"] for one in near for fact in one["facts"]} >= {"maker", "words"}
    for one in near:
        right = get(client, one["href"])
        for fact in one["facts"]:
            assert fact["value"] in one["reason"]
            for record, place in ((left, fact["left"]), (right, fact["right"])):
                assert 0 <= place["start"] < place["end"] <= len(record[place["field"]][place["index"]])


def test_without_a_type_each_neighbour_has_its_own(client: TestClient, settings: Settings) -> None:
    answer = similar(client, BACINO)
    Neighbours.model_validate(answer)
    assert answer["type"] is None
    assert 1 < len(answer["neighbours"]) <= settings.service.overview == 25
    assert not any(
        one["reason"].startswith(("They share nothing", "Nothing")) for one in answer["neighbours"]
    )
    assert len({one["type"] for one in answer["neighbours"]}) > 1
    assert all(one["score"] == one["scores"][one["type"]] for one in answer["neighbours"])
    assert len(similar(client, BACINO, limit=3)["neighbours"]) == 3
    ids = [one["id"] for one in similar(client, BACINO, limit=100)["neighbours"]]
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize("kind", [None, *NAMES])
def test_never_the_item_or_its_duplicate(client: TestClient, kind: str | None) -> None:
    options = {"limit": 100} | ({"type": kind} if kind else {})
    ids = {one["id"] for one in similar(client, "sample:twin/one", **options)["neighbours"]}
    assert BACINO in ids
    assert not {"sample:twin/one", "sample:twin/two"} & ids


def test_score_two_known_items(client: TestClient) -> None:
    answer = client.post("/score", json={"left": {"id": BACINO}, "right": {"id": YARD}}).json()
    Pair.model_validate(answer)
    assert list(answer["scores"]) == list(answer["reasons"]) == NAMES
    assert answer["explanations"] is None
    # the maker of both is Canaletto
    assert list(answer["facts"]) == NAMES
    (maker,) = answer["facts"]["author"]
    assert (maker["kind"], maker["role"], maker["other"]) == ("maker", "maker", None)
    assert maker["value"] in answer["reasons"]["author"]
    assert answer["left"]["href"] == "/items/sample%3Apainting%2Fcanaletto%20bacino"
    near = {one["id"]: one for one in similar(client, BACINO, limit=100)["neighbours"]}
    for name, score in near[YARD]["scores"].items():
        assert answer["scores"][name] == pytest.approx(score, abs=1e-9)


def test_score_records_that_nobody_knows(client: TestClient) -> None:
    given = {"title": "Venice", "creator": ["Canaletto", "Guardi"], "date": "1730"}
    answer = client.post("/score", json={"left": given, "right": {"id": YARD}, "explain": True}).json()
    Pair.model_validate(answer)
    assert answer["left"] == {"id": None, "title": "Venice", "href": None, "view": None}
    assert [one["type"] for one in answer["explanations"]] == NAMES
    for one in answer["explanations"]:
        assert one["score"] == answer["scores"][one["type"]]
        add_up(one)
    assert "Canaletto" in answer["reasons"]["author"]


def test_a_whole_record_scores_like_the_item_it_is(client: TestClient) -> None:
    item = get(client, f"/items/{BACINO}")
    whole = {name: value for name, value in item.items() if name not in ("edtf", "href", "similar", "view")}
    one = client.post("/score", json={"left": whole, "right": {"id": YARD}}).json()
    other = client.post("/score", json={"left": {"id": BACINO}, "right": {"id": YARD}}).json()
    assert one == other


def test_other_texts_under_a_known_id_have_no_paths(client: TestClient) -> None:
    item = get(client, f"/items/{BACINO}")
    same = {name: item[name] for name in ("id", *Field, "places")}
    for given, href in (
        ({"id": BACINO}, item["href"]),
        (same, item["href"]),
        (same | {"rights": "CC0-1.0"}, item["href"]),
        (same | {"title": "A view of London"}, None),
        (same | {"places": []}, None),
    ):
        answer = client.post("/score", json={"left": given, "right": {"id": YARD}}).json()
        Pair.model_validate(answer)
        assert (answer["left"]["id"], answer["left"]["href"]) == (BACINO, href)
        assert (answer["left"]["view"] is None) == (href is None)
        assert answer["right"]["href"] is not None


def test_explain_a_pair(client: TestClient) -> None:
    answer = get(client, "/explain", left=BACINO, right=YARD)
    assert [one["type"] for one in answer["explanations"]] == NAMES
    for one in answer["explanations"]:
        add_up(one)
    turned = get(client, "/explain", left=YARD, right=BACINO)
    for name in NAMES:
        assert turned["scores"][name] == pytest.approx(answer["scores"][name], abs=1e-9)


def test_the_listing_walks_through_everything(client: TestClient, museum_recommender: Recommender) -> None:
    seen: list[str] = []
    for page in pages(client, "/items?limit=7"):
        Listing.model_validate(page)
        seen += [one["id"] for one in page["items"]]
    assert tuple(seen) == museum_recommender.collection.ids
    assert page["total"] == len(seen)


def test_health(client: TestClient, museum_recommender: Recommender) -> None:
    assert get(client, "/health/live") == {"status": "alive"}
    ready = Ready.model_validate(get(client, "/health/ready"))
    assert (ready.items, ready.system, ready.absent) == (len(museum_recommender.collection), "linear", [])
    assert ready.notice == ""


def test_openapi_is_valid_and_complete(app: FastAPI) -> None:
    document = app.openapi()
    validate(document)
    ids = set()
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            ids.add(operation["operationId"])
            assert operation["tags"], path
            assert operation["summary"], path
            assert operation["description"], path
            for parameter in operation.get("parameters", ()):
                assert parameter["description"], (path, parameter["name"])
            for status, answer in operation["responses"].items():
                if status == "307":
                    assert path == "/items/{id}/similar"
                    assert list(answer["headers"]) == ["Location"]
                    assert "content" not in answer
                    continue
                if status in {"204", "304"}:
                    assert "content" not in answer
                    continue
                given = "text/plain" if path == "/metrics" else "application/json"
                media = given if status in {"200", "201"} else "application/problem+json"
                # a path is written in five forms, and as IIIF; an item as linked data too
                # what is asked of many comes in lines too
                forms = path.endswith(("/export", "/manifests/{place}", "/lookup", "/scores")) or (
                    (path, method) == ("/items/{id}", "get")
                )
                if status != "200" or not forms:
                    assert list(answer["content"]) == [media], (path, method, status)
                assert answer["description"]
            assert {"500", "503"} <= set(operation["responses"])
            assert {"200", "201", "204"} & set(operation["responses"])
    assert len(ids) == sum(len(operations) for operations in document["paths"].values()) == 37
    text = str(document)
    assert "HTTPValidationError" not in text
    assert all(name in text for name in NAMES)


def test_a_generated_client_is_led_to_nothing_wrong(app: FastAPI) -> None:
    document = app.openapi()
    schemas = document["components"]["schemas"]
    text = json.dumps(document)
    assert '"default": []' not in text  # some generators send it as the text "[]"
    assert '"ge"' not in text
    limit = schemas["SimilarRequest"]["properties"]["limit"]["anyOf"][0]
    assert (limit["minimum"], limit["maximum"]) == (1, 100)
    # what is sent is closed, so that a slip is seen; what is answered may gain keys
    assert schemas["GivenRecord"]["additionalProperties"] is False
    assert "additionalProperties" not in schemas["Neighbours"]


def test_schemas_have_examples_that_fit(app: FastAPI) -> None:
    document = app.openapi()
    for name, schema in document["components"]["schemas"].items():
        for part in schema.get("properties", {}).values():
            for example in part.get("examples", ()):
                Draft202012Validator({**part, "components": document["components"]}).validate(example)
        assert schema.get("description"), name


@pytest.mark.parametrize(
    ("path", "template"),
    [
        ("/items", "/items"),
        (f"/items/{YARD}", "/items/{id}"),
        (f"/items/{YARD}/similar?explain=true", "/items/{id}/similar"),
        (f"/explain?left={BACINO}&right={YARD}", "/explain"),
        ("/health/live", "/health/live"),
        ("/health/ready", "/health/ready"),
    ],
)
def test_answers_fit_the_document(client: TestClient, app: FastAPI, path: str, template: str) -> None:
    document = app.openapi()
    content = document["paths"][template]["get"]["responses"]["200"]["content"]
    schema = content["application/json"]["schema"] | {"components": document["components"]}
    Draft202012Validator(schema).validate(client.get(path).json())


def test_an_app_may_open_its_collection_later(museum_recommender: Recommender, settings: Settings) -> None:
    with TestClient(create_app(lambda: museum_recommender, settings)) as client:
        assert client.get("/health/ready").status_code == 200
