"""Neighbours over HTTP: filters, several seeds, pages and diversity, on a real server."""

import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlencode

import pytest

from models.types import SimilarityType
from service.search.facets import Filters
from service.search.queries import Search, WeightedSeed
from service.search.recommender import Recommender
from service.settings import Settings
from service.web.api.app import create_app
from service.web.api.schemas import Neighbours, Similar
from tests.service import museum
from tests.service.builders import recommender
from tests.service.conftest import Reply, Server, running


class Museum:
    """A server of the small museum; another collection may take its place."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.recommender = recommender(museum.RECORDS, settings)
        self.server: Server

    def __call__(self) -> Recommender:
        return self.recommender

    def get(self, item: str, **query: object) -> Any:
        reply = self.server.ask(f"/items/{item}/similar?{urlencode(query, doseq=True)}")
        assert reply.status == 200, reply.body
        Neighbours.model_validate_json(reply.body)
        return json.loads(reply.body)

    def post(self, **body: object) -> Any:
        reply = self.raw(**body)
        assert reply.status == 200, reply.body
        Similar.model_validate_json(reply.body)
        return json.loads(reply.body)

    def raw(self, **body: object) -> Reply:
        return self.server.ask("/similar", "POST", json.dumps(body).encode())


@pytest.fixture(scope="module")
def served(settings: Settings) -> Iterator[Museum]:
    made = Museum(settings)
    with running(create_app(made, settings)) as made.server:
        yield made


def ids(answer: Any) -> list[str]:
    return [near["id"] for near in answer["neighbours"]]


def promised(served: Museum, **options: Any) -> list[str]:
    return museum.promised(served.recommender, Search(**options | {"type": SimilarityType(options["type"])}))


@pytest.mark.parametrize(
    ("query", "filters"),
    [
        ({"provider": "tate"}, Filters(provider=("Tate",))),
        ({"provider": ["Tate", "National Gallery"]}, Filters(provider=("Tate", "National Gallery"))),
        ({"object": "Painting", "from": 1730}, Filters(object=("painting",), first=1730)),
        ({"place": "VENICE", "to": 1800}, Filters(place=("Venice",), last=1800)),
        ({"from": -100, "to": -1}, Filters(first=-100, last=-1)),
        ({"image": "true"}, Filters(image=True)),
        ({"image": "false", "provider": "Tate"}, Filters(image=False, provider=("Tate",))),
    ],
)
def test_filters(served: Museum, query: dict[str, object], filters: Filters) -> None:
    expected = promised(served, seeds=(WeightedSeed("m:01"),), type="location", filters=filters)
    answer = served.get("m:01", type="location", limit=100, **query)
    assert ids(answer) == expected
    assert (answer["item"], answer["next"], answer["notes"]) == ("m:01", None, [])
    assert set(ids(served.get("m:01", **query))) <= set(expected)
    posted = served.post(seeds=[{"id": "m:01"}], type="location", limit=100, **_body(query))
    assert ids(posted) == expected


def _body(query: dict[str, object]) -> dict[str, object]:
    return {name: value == "true" if name == "image" else value for name, value in query.items()}


def test_many_names_of_one_kind_cost_no_more_than_a_few(served: Museum) -> None:
    names = [f"vase {number}" for number in range(50)]
    answer = served.post(seeds=[{"id": "m:01"}], type="time", object=[*names[:48], *names[:2]])
    assert [note.split(";")[0] for note in answer["notes"]] == [
        "no item has the kind of object 'vase 0'",
        "no item has the kind of object 'vase 1'",
        "no item has the kind of object 'vase 2'",
        "no item has 45 more of the names given as kind of object",  # 48 differ
    ]
    refused = served.raw(seeds=[{"id": "m:01"}], object=[*names, "vase 50"])
    assert refused.status == 422
    assert b"object may have 50 values, not 51" in refused.body


def test_a_name_that_nothing_has_gives_an_empty_answer_and_a_note(served: Museum) -> None:
    answer = served.get("m:01", type="time", provider="Tat", object="vase")
    assert answer["neighbours"] == []
    assert answer["notes"][0] == (
        "no item has the provider 'Tat'; there are: Tate, Example Museum, National Gallery"
    )
    assert answer["notes"][1].startswith("no item has the kind of object 'vase'; there are: ")


def test_several_seeds(served: Museum) -> None:
    seeds = [{"id": "m:01", "weight": 2}, {"id": "m:06"}, {"id": "m:05", "weight": -0.5}]
    answer = served.post(seeds=seeds, type="author", limit=4, without=["m:12"])
    weighed = (WeightedSeed("m:01", 2.0), WeightedSeed("m:06"), WeightedSeed("m:05", -0.5))
    expected = promised(served, seeds=weighed, type="author", without=("m:12",))
    assert ids(answer) == expected[:4]
    assert [seed["weight"] for seed in answer["seeds"]] == [2.0, 1.0, -0.5]
    assert {near["seed"] for near in answer["neighbours"]} <= {"m:01", "m:06"}
    assert ids(served.post(seeds=seeds))


def test_an_explanation_is_that_of_the_named_seed(served: Museum) -> None:
    answer = served.post(seeds=[{"id": "m:01"}, {"id": "m:06"}], type="author", explain=True)
    assert {near["seed"] for near in answer["neighbours"]} == {"m:01", "m:06"}
    for near in answer["neighbours"]:
        path = f"/explain?{urlencode({'left': near['seed'], 'right': near['id']})}"
        pair = json.loads(served.server.ask(path).body)
        assert near["explanation"]["raw"] == pytest.approx(pair["explanations"][1]["raw"])
        assert near["reason"] == pair["reasons"]["author"]
        assert near["facts"] == pair["facts"]["author"]


def test_one_seed_is_the_item(served: Museum) -> None:
    one, other = served.get("m:01", type="event"), served.post(seeds=[{"id": "m:01"}], type="event")
    assert one["neighbours"] == other["neighbours"]


def test_pages(served: Museum) -> None:
    expected = promised(served, seeds=(WeightedSeed("m:01"),), type="general")
    given: list[str] = []
    cursor: dict[str, str] = {}
    while True:
        answer = served.get("m:01", type="general", limit=3, **cursor)
        given += ids(answer)
        if answer["next"] is None:
            break
        cursor = {"cursor": answer["next"]}
    assert given == expected
    whole = {"seeds": [{"id": "m:01"}, {"id": "m:08"}], "type": "general", "provider": "Tate", "limit": 2}
    first = served.post(**whole)
    second = served.post(**whole, cursor=first["next"])
    seeds, tate = (WeightedSeed("m:01"), WeightedSeed("m:08")), Filters(provider=("Tate",))
    assert ids(first) + ids(second) == promised(served, seeds=seeds, type="general", filters=tate)[:4]


def test_pages_go_on_when_another_collection_is_built(served: Museum) -> None:
    first = served.get("m:01", type="general", limit=4)
    before, gone = served.recommender, ids(first)[1]
    try:
        served.recommender = recommender([one for one in museum.RECORDS if one.id != gone], served.settings)
        rest = served.get("m:01", type="general", limit=100, cursor=first["next"])
    finally:
        served.recommender = before
    assert sorted(ids(first) + ids(rest)) == sorted(
        promised(served, seeds=(WeightedSeed("m:01"),), type="general")
    )


def test_a_cursor_of_another_question_is_refused(served: Museum) -> None:
    cursor = served.get("m:01", type="general", limit=1)["next"]
    reply = served.server.ask(f"/items/m:01/similar?type=time&cursor={cursor}")
    assert reply.status == 422
    assert b"the cursor belongs to another question" in reply.body


def test_diversity(served: Museum) -> None:
    plain = served.get("m:01", type="general", limit=4)
    diverse = served.get("m:01", type="general", limit=4, diversity=0.9)
    assert ids(diverse)[0] == ids(plain)[0]
    assert ids(diverse) != ids(plain)
    assert (diverse["next"], plain["next"] is None) == (None, False)
    reply = served.raw(seeds=[{"id": "m:01"}], type="general", diversity=0.9, cursor=plain["next"])
    assert b"a cursor cannot be combined with diversity" in reply.body


@pytest.mark.parametrize(
    ("body", "status", "reason"),
    [
        ({}, 422, "seeds is missing"),
        ({"seeds": []}, 422, "seeds: list should have at least 1 item"),
        ({"seeds": "m:01"}, 422, "seeds must be a list of objects"),
        ({"seeds": ["m:01"]}, 422, "seeds.0 must be a JSON object"),
        ({"seeds": [{"id": "m:01", "weigth": 1}]}, 422, "weigth is not known here; allowed are: id, weight"),
        ({"seeds": [{"id": "m:01", "weight": "x"}]}, 422, "seeds.0.weight must be a number, not 'x'"),
        ({"seeds": [{"id": "m:01", "weight": 0}]}, 422, "and not 0; it is 0"),
        ({"seeds": [{"id": "m:01", "weight": -1}]}, 422, "no seed has a positive weight"),
        ({"seeds": [{"id": "m:01"}, {"id": "m:01"}]}, 422, "is named twice"),
        ({"seeds": [{"id": "m:99"}]}, 404, "no item 'm:99'"),
        ({"seeds": [{"id": "m:01"}], "without": ["m:99"]}, 404, "no item 'm:99'"),
        ({"seeds": [{"id": "m:01"}], "type": "place"}, 422, "no similarity type 'place'"),
        ({"seeds": [{"id": "m:01"}], "from": 1800, "to": 1700}, 422, "from must not be later than to"),
        ({"seeds": [{"id": "m:01"}], "from": 1800.5}, 422, "from must be a whole number"),
        ({"seeds": [{"id": "m:01"}], "diversity": 2, "type": "time"}, 422, "diversity must be at most 1"),
        (
            {"seeds": [{"id": "m:01"}], "sedes": 1},
            422,
            "allowed are: concept, culture, cursor, diversity, event, explain, fields, floor, from, image",
        ),
        ({"seeds": [{"id": "m:01"}], "provider": 3}, 422, "provider must be a text or a list of texts"),
    ],
)
def test_what_cannot_be_asked(served: Museum, body: dict[str, Any], status: int, reason: str) -> None:
    reply = served.raw(**body)
    problem = json.loads(reply.body)
    assert (reply.status, problem["status"]) == (status, status)
    assert reason in problem["detail"]
    assert reply.headers["content-type"] == "application/problem+json"


def test_a_parameter_beside_the_body_is_refused(served: Museum) -> None:
    reply = served.server.ask("/similar?limit=3", "POST", b'{"seeds": [{"id": "m:01"}]}')
    assert reply.status == 422
    assert b"no parameter is allowed" in reply.body
    assert served.server.ask("/similar", "POST", b"{").status == 400
