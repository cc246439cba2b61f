"""What visitors come for, in a real Chromium: records of some museums beside the sample."""

import os
import subprocess
import sys
from collections.abc import Iterator
from gzip import compress

import pytest

from service.composition import open_provider
from service.sections import StateSettings
from service.settings import load
from service.web.api.app import create_app
from tests.documents import ROOT
from tests.service.conftest import Server, running
from tests.service.web.browsing import Person, before_a_browser, in_chromium

pytestmark = [pytest.mark.browser, in_chromium]

TASKS = ROOT / "tests" / "data" / "tasks.jsonl"
HEAVIEST = 60_000  # bytes of a page with all that it loads but pictures, compressed


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    state = tmp_path_factory.mktemp("tasks")
    clean = {name: value for name, value in os.environ.items() if not name.startswith("KINDRED_")}
    for command in (["ingest", "--sample"], ["ingest", str(TASKS)], ["build"]):
        program = "from service.cli.root import main; main()"
        subprocess.run(
            [sys.executable, "-c", program, *command],
            cwd=ROOT,
            env={**clean, "KINDRED_STATE__DIRECTORY": str(state)},
            capture_output=True,
            check=True,
        )
    settings = load().model_copy(update={"state": StateSettings(directory=state)})
    with running(create_app(open_provider(settings), settings)) as started:
        yield started


@pytest.fixture
def person(server: Server) -> Iterator[Person]:
    with before_a_browser(server.address, scripts=False) as visitor:
        yield visitor


def cards(person: Person) -> list[str]:
    return person.texts(".wall .card h3")[:3]


def test_the_same_bridge_is_one_click_away(person: Person) -> None:
    person.visit("/view/items/a:1")  # Smithfield Street Bridge at night
    person.follow("Location", ".types")
    assert all("Smithfield Street Bridge" in title for title in cards(person))
    reasons = person.texts(".wall .card .reason")[:3]
    assert reasons == ["Both concern Smithfield Street Bridge."] * 3


def test_the_same_person_in_other_photographs_is_one_click_away(person: Person) -> None:
    person.visit("/view/items/a:5")  # Joe Louis and Marva Louis at a dinner
    person.follow("People", ".types")
    assert all("Joe Louis" in title for title in cards(person))
    assert person.texts(".wall .card .reason")[:3] == ["Both name Joe Louis."] * 3


def test_the_same_year_in_another_museum_is_two_clicks_away(person: Person) -> None:
    person.visit("/view/items/a:1")  # 1938, of the City Archive
    person.follow("Time", ".types")
    person.follow("Show more and filter", "#like")
    person.write("Museum", "Print Room")
    person.press("Show these")
    assert cards(person)[:2] == ["Poster for a flower show", "A grocer's window"]
    assert person.texts(".wall .card .reason")[0] == "Both are of 1938."


def test_from_an_egyptian_amulet_to_a_british_painting_in_five_steps(person: Person) -> None:
    person.visit("/view/way?left=d:1&right=d:5")
    titles = person.texts("main h2")
    assert titles[0] == "Amulet of Bes"
    assert "A cat asleep" in titles
    assert len(titles) <= 6


@pytest.mark.parametrize("address", ["/", "/search?q=bridge", "/view/items/a:1", "/view/paths"])
def test_a_page_with_all_that_it_loads_is_light(server: Server, address: str) -> None:
    with before_a_browser(server.address) as visitor:
        visitor.visit(address)
        loaded = [address, *visitor.loaded()]
    assert any("kindred.css" in one for one in loaded)
    sizes = {one: len(compress(server.ask(one).body)) for one in loaded if "/view/emblems/" not in one}
    assert sum(sizes.values()) <= HEAVIEST, sizes
