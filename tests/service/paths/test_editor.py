"""The editor before a real Chromium: what is typed saves itself and is never lost, and steps are dragged."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from msgspec.structs import replace
from selenium.webdriver.common.actions.interaction import POINTER_MOUSE, POINTER_TOUCH

from service.operations.keys import Keys
from service.paths.model import Content, ExplorationPath, Signature
from service.paths.store import PathsFile
from service.paths.walking import walk
from service.search.recommender import Recommender
from service.settings import Settings
from service.web.api.app import create_app
from tests.service.conftest import Server, new_key, running
from tests.service.paths.conftest import writable
from tests.service.web.browsing import Person, before_a_browser, in_chromium

pytestmark = [pytest.mark.browser, in_chromium]


@pytest.fixture
def configured(settings: Settings, tmp_path: Path) -> Settings:
    return writable(settings, tmp_path)


@pytest.fixture
def path(museum: Recommender, configured: Settings) -> ExplorationPath:
    with PathsFile(configured.state.paths) as paths:
        laid = walk(museum, "m:01", ["location"], 4)
        return paths.create(Content(title="By water", steps=laid), Signature("Ada"))


@pytest.fixture
def server(museum: Recommender, configured: Settings) -> Iterator[Server]:
    with running(create_app(museum, configured)) as started:
        yield started


@pytest.fixture
def person(server: Server) -> Iterator[Person]:
    with before_a_browser(server.address) as person:
        yield person


def opened(person: Person, key: str, path: ExplorationPath) -> None:
    person.visit(f"/login?next=/edit/paths/{path.id}")
    person.write("Your key", key)
    person.press("Log in")
    assert person.heading == path.content.title


def status_has(person: Person, words: str) -> None:
    person.until(lambda: words in person.one("#saved").text)


def notes(configured: Settings, path: ExplorationPath) -> list[str]:
    with PathsFile(configured.state.paths) as paths:
        return [step.note for step in paths.get(path.id).content.steps]


def order(person: Person) -> list[str]:
    return [str(one.get_attribute("data-item")) for one in person.all("#strip li")]


def test_what_is_typed_saves_itself(person: Person, configured: Settings, path: ExplorationPath) -> None:
    opened(person, new_key(configured), path)
    person.write("Note", "Of the second.", "#step-2")
    person.write("Note", "Of the third.", "#step-3")
    status_has(person, "Saved")
    person.until(lambda: notes(configured, path) == ["", "Of the second.", "Of the third.", ""])
    person.visit("/")
    person.visit(f"/edit/paths/{path.id}")
    assert person.field("Note", "#step-3").get_attribute("value") == "Of the third."
    assert person.faults() == []
    assert [one for one in person.complaints() if "m.invalid" not in one] == []


def test_nothing_is_lost_when_the_key_is_revoked_while_somebody_types(
    person: Person, configured: Settings, path: ExplorationPath
) -> None:
    opened(person, new_key(configured), path)
    with Keys(configured.state.keys) as keys:
        keys.revoke(keys.all()[0].id)
    person.write("Note", "Of the second.", "#step-2")
    status_has(person, "Not saved: you are not logged in any more")
    person.button("Move up", "#step-3").click()
    status_has(person, "Not saved: you are not logged in any more")
    assert notes(configured, path) == [""] * 4
    person.follow("Log in", "#saved")
    person.write("Your key", new_key(configured))
    person.press("Log in")
    # it comes back from the browser, and saves itself
    assert person.field("Note", "#step-2").get_attribute("value") == "Of the second."
    status_has(person, "Saved")
    assert notes(configured, path) == ["", "Of the second.", "", ""]


def test_nothing_is_lost_when_the_server_is_away(
    museum: Recommender, configured: Settings, path: ExplorationPath
) -> None:
    away = ExitStack()
    first = away.enter_context(running(create_app(museum, configured)))
    with before_a_browser(first.address) as person:
        opened(person, new_key(configured), path)
        away.close()
        person.write("Note", "Of the second.", "#step-2")
        status_has(person, "Not saved: the server cannot be reached. It is kept in this browser")
        person.write("Note", "Of the third.", "#step-3")
        with running(create_app(museum, configured), port=first.port):
            status_has(person, "Saved")
    assert notes(configured, path) == ["", "Of the second.", "Of the third.", ""]


@pytest.mark.parametrize("kind", [POINTER_MOUSE, POINTER_TOUCH])
def test_a_step_is_dragged_and_what_was_typed_stays(
    person: Person, configured: Settings, path: ExplorationPath, kind: str
) -> None:
    opened(person, new_key(configured), path)
    first, second, third, fourth = order(person)
    person.write("Note", "Of the first.", "#step-1")
    person.drag("#strip li:nth-child(3)", "#strip li:nth-child(1)", kind)
    person.until(lambda: person.texts(".editing h3")[0].endswith(path.content.steps[2].title))
    assert order(person) == [third, first, second, fourth]
    assert notes(configured, path) == ["", "Of the first.", "", ""]
    assert person.at.startswith(f"/edit/paths/{path.id}")


def test_what_is_typed_while_an_action_is_under_way_stays(
    person: Person, configured: Settings, path: ExplorationPath
) -> None:
    opened(person, new_key(configured), path)
    first, second, *_ = order(person)
    person.type_while(person.button("Move down", "#step-1"), person.field("Note", "#step-3"), "Typed since.")
    person.until(lambda: order(person)[:2] == [second, first])
    person.until(lambda: notes(configured, path) == ["", "", "Typed since.", ""])
    assert person.field("Note", "#step-3").get_attribute("value") == "Typed since."


def test_typing_over_what_somebody_else_wrote_since_is_a_clash(
    person: Person, configured: Settings, path: ExplorationPath
) -> None:
    opened(person, new_key(configured), path)
    with PathsFile(configured.state.paths) as paths:
        first, second, *rest = path.content.steps
        noted = replace(path.content, steps=(first, replace(second, note="Of Ada."), *rest))
        paths.change(path.id, 1, noted, Signature("Ada"))
    person.write("Note", "Of Ben.", "#step-1")
    status_has(person, "Somebody else changed the path too")
    person.write("Note", "Of Ben too.", "#step-2")
    status_has(person, "Not saved: somebody else changed the same words")
    assert notes(configured, path) == ["Of Ben.", "Of Ada.", "", ""]
    person.write("Note", "Of Ben, longer.", "#step-1")
    # it is not lost when the page is opened again
    person.visit("/")
    person.visit(f"/edit/paths/{path.id}")
    assert person.field("Note", "#step-2").get_attribute("value") == "Of Ben too."
    status_has(person, "Not saved: somebody else changed the same words")
    person.button("Compare the two").click()
    person.until(lambda: person.heading == "Ada changed the same words")
    person.press("Keep what is chosen")
    assert notes(configured, path) == ["Of Ben, longer.", "Of Ben too.", "", ""]
