"""What museums index beside the six fields: over HTTP it is shown, searched, counted and filtered by."""

from collections.abc import Iterator

import pytest
from fastapi.testclient import TestClient
from msgspec.structs import replace

from ingest.record import INDEXED, Record, values
from service.settings import Settings
from service.web.api.app import create_app
from tests.service import museum
from tests.service.builders import recommender

FIRST = museum.RECORDS[0].id
SHOWN = {part: values(f"Wide > Zebra {part}", "Quagga & co") for part in INDEXED}


@pytest.fixture(scope="module")
def client(settings: Settings) -> Iterator[TestClient]:
    records: list[Record] = [replace(museum.RECORDS[0], **SHOWN), *museum.RECORDS[1:]]
    with TestClient(create_app(recommender(records, settings), settings)) as opened:
        yield opened


@pytest.mark.parametrize(("part", "facet"), INDEXED.items())
def test_it_is_shown_searched_counted_and_filtered_by(client: TestClient, part: str, facet: str) -> None:
    name = f"Zebra {part}"
    assert client.get(f"/items/{FIRST}").json()[part] == [f"Wide > {name}", "Quagga & co"]
    for path in (f"/items?q={facet}:quagga", f"/items?q={part}:quagga", f"/items?{facet}={name.lower()}"):
        assert [one["id"] for one in client.get(path).json()["items"]] == [FIRST]
    counts = client.get("/items?facets=true&q=zebra").json()["facets"][facet]
    assert {"name": name, "items": 1} in counts
    # the whole path is no name
    assert client.get(f"/items?{facet}=Wide+>+{name}").json()["total"] == 0


@pytest.mark.parametrize(("part", "facet"), INDEXED.items())
def test_neighbours_are_filtered_by_it(client: TestClient, part: str, facet: str) -> None:
    seed = museum.RECORDS[1].id
    answer = client.get(f"/items/{seed}/similar?type=general&floor=0&{facet}=zebra+{part}").json()
    assert [near["id"] for near in answer["neighbours"]] == [FIRST]
    body = {"seeds": [{"id": seed}], "type": "general", "floor": 0, facet: f"zebra {part}"}
    assert [near["id"] for near in client.post("/similar", json=body).json()["neighbours"]] == [FIRST]


@pytest.mark.parametrize(("part", "facet"), INDEXED.items())
def test_its_page_links_to_all_that_have_it(client: TestClient, part: str, facet: str) -> None:
    page = client.get(f"/view/items/{FIRST}").text
    heading = part.replace("_", " ").capitalize()
    assert f"<dt>{heading}</dt>" in page
    assert f'<a href="/search?{facet}=Quagga+%26+co">Quagga &amp; co</a>' in page
    results = client.get("/search", params={facet: "Quagga & co"}).text
    assert f"{facet.capitalize().replace('_', ' ')}: Quagga &amp; co" in results
    assert f'name="{facet}" value="Quagga &amp; co"' in results


def test_a_notation_stands_beside_what_it_shows(settings: Settings) -> None:
    records = [replace(museum.RECORDS[0], concepts=values("41D3", "Plough")), *museum.RECORDS[1:]]
    with TestClient(create_app(recommender(records, settings), settings)) as opened:
        page = opened.get(f"/view/items/{FIRST}").text
        german = opened.get(f"/view/items/{FIRST}?lang=de").text
    assert '<a href="/search?concept=41D3">41D3</a>: folk costume, regional costume</dd>' in page
    assert ">41D3</a>: Volkstracht, regionale Tracht</dd>" in german
    assert ">Plough</a></dd>" in page


def test_a_name_that_no_item_has_is_told(client: TestClient) -> None:
    notes = client.get("/items?concept=gnu&part_of=gnu").json()["notes"]
    assert notes == [
        "no item has the concept 'gnu'; there are: Quagga & co, Zebra concepts",
        "no item is part of 'gnu'; there are: Quagga & co, Zebra part_of",
    ]


def test_a_record_to_score_may_have_it(client: TestClient) -> None:
    given = {"title": "View of Venice", **{part: ["Zebra"] for part in INDEXED}}
    answer = client.post("/score", json={"left": {"id": FIRST}, "right": given})
    assert answer.status_code == 200
