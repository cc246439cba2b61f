"""Journeys through the real server with a real Chromium, as visitors and curators make them."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from selenium.webdriver import Keys
from selenium.webdriver.remote.webelement import WebElement

from service.paths.model import Content, Signature
from service.paths.store import PathsFile
from service.paths.walking import walk
from service.search.recommender import Recommender
from service.settings import Settings
from service.web.api.app import create_app
from tests.service.builders import recommender
from tests.service.conftest import Server, new_key, running
from tests.service.museum import RECORDS
from tests.service.paths.conftest import writable
from tests.service.web.browsing import Person, before_a_browser, in_chromium
from tests.service.web.test_widget import museum as other_museum

pytestmark = [pytest.mark.browser, in_chromium]

with_and_without_scripts = pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no-scripts"])


@pytest.fixture(scope="module")
def collection(settings: Settings) -> Recommender:
    return recommender(RECORDS, settings)


@pytest.fixture
def configured(settings: Settings, tmp_path: Path) -> Settings:
    """A service that curators may change, and that a page of any origin may call."""
    written = writable(settings, tmp_path)
    service = written.service.model_copy(update={"origins": ("*",)})
    return written.model_copy(update={"service": service})


@pytest.fixture
def server(collection: Recommender, configured: Settings) -> Iterator[Server]:
    with running(create_app(collection, configured)) as started:
        yield started


def log_in(person: Person, key: str) -> None:
    person.visit("/")
    person.follow("For curators")
    person.write("Your key", key)
    person.press("Log in")
    assert person.heading == "Your desk"


def search(person: Person, words: str) -> None:
    person.leaving(lambda: person.field("Search the collection").send_keys(words, Keys.ENTER))
    assert person.heading == f"Search for “{words}”"


def steps(person: Person) -> list[str]:
    """The titles of the steps in the editor, in their order."""
    return [title.split(". ")[1] for title in person.texts(".editing h3")]


@with_and_without_scripts
def test_a_visitor_walks(
    server: Server, collection: Recommender, configured: Settings, scripts: bool
) -> None:
    laid = walk(collection, "m:01", ["location"], 3)
    with PathsFile(configured.state.paths) as paths:
        made = paths.create(Content(title="By water", steps=laid), Signature("Ada"))
        paths.publish(made.id, 1, Signature("Ada"))
    titles = [collection.item(step.item).label for step in laid]
    with before_a_browser(server.address, scripts=scripts) as person:
        person.visit("/")
        search(person, "venice")
        person.follow("View of Venice", ".cards")
        assert person.heading == "View of Venice"
        person.follow("Location", ".types")
        person.follow("Stone yard in Venice", ".wall")
        assert person.heading == "Stone yard in Venice"
        place = person.texts(".wall h3").index("View of Venice") + 1
        person.follow("Location", f".wall .card:nth-child({place})")
        assert person.heading == "Stone yard in Venice and View of Venice"
        assert person.texts("#why .reasons li")[0] == "Both concern Venice."
        table = person.one("#why table")
        assert not table.is_displayed()
        person.one("#why summary").click()
        person.until(table.is_displayed)

        person.follow("Paths", "header nav")
        person.follow("By water", ".cards")
        story = person.at
        assert person.texts(".stop h2") == titles
        person.link("Next", "#step-1").click()
        person.link("Next", "#step-2").click()
        person.until(lambda: person.at == f"{story}#step-3")
        person.link("Back", "#step-3").click()
        person.until(lambda: person.at == f"{story}#step-2")
        person.follow(titles[1], "#step-2")
        assert person.heading == titles[1]
        person.back()
        assert person.at == f"{story}#step-2"


@with_and_without_scripts
def test_a_curator_lays_a_path_and_publishes_it(server: Server, configured: Settings, scripts: bool) -> None:
    with before_a_browser(server.address, scripts=scripts) as person:
        log_in(person, new_key(configured))
        search(person, "view")
        person.follow("View of Venice", ".cards")
        person.follow("Add to a path: View of Venice", ".curating")
        person.write("Title", "By water")
        person.press("Begin")
        assert (person.heading, steps(person)) == ("By water", ["View of Venice"])

        person.follow("View of Venice", ".editing")
        person.follow("Add to a path: Stone yard in Venice", ".wall")
        person.press("Add to it")
        search(person, "london")
        person.follow("Add to a path: Palace in London", ".cards")
        person.press("Add to it")
        assert steps(person) == ["View of Venice", "Stone yard in Venice", "Palace in London"]

        person.write("Note", "Here the stone was cut.", "#step-2")
        person.button("Move up", "#step-3").click()
        person.until(lambda: steps(person) == ["View of Venice", "Palace in London", "Stone yard in Venice"])
        person.button("Undo").click()
        person.until(lambda: steps(person) == ["View of Venice", "Stone yard in Venice", "Palace in London"])

        person.choose("Like the whole path", "location")
        person.button("Suggest").click()
        person.until(lambda: "suggest=location" in person.at)
        offered = person.texts("#next h3")
        assert not set(offered) & set(steps(person))
        person.button("Add", "#next").click()
        person.until(lambda: steps(person)[3:] == offered[:1])
        # the suggestions stay, and are renewed
        assert offered[0] not in person.texts("#next h3")
        person.write("Words of the item", "regatta")
        person.button("Search", "#add").click()
        person.until(lambda: "q=regatta" in person.at)
        person.button("Add", "#add .picks").click()
        person.until(lambda: steps(person)[4:] == ["Regatta"])
        laid = steps(person)

        person.button("Publish").click()
        person.until(lambda: "What visitors see now" in person.texts(".lead a"))
        person.follow("What visitors see now")
        assert person.texts(".stop h2") == laid
        assert "Here the stone was cut." in person.one(".stops").text
        story = person.at
        person.press("Log out")
        person.visit(story)
        assert (person.heading, person.texts(".stop h2")) == ("By water", laid)


def test_eight_steps_with_notes_are_published_in_fifteen_clicks(server: Server, configured: Settings) -> None:
    clicks = 0
    with before_a_browser(server.address) as person:

        def click(element: WebElement) -> None:
            nonlocal clicks
            clicks += 1
            element.click()

        def is_written(place: int) -> bool:
            return person.focused.get_attribute("id") == f"note-{place}"

        log_in(person, new_key(configured))
        person.visit("/view/items/m:01")
        person.leaving(lambda: click(person.link("Add to a path", ".curating")))
        click(person.field("Title"))
        person.keys("By water")
        person.leaving(lambda: click(person.button("Begin")))
        click(person.field("Note", "#step-1"))
        person.keys("Note 1")
        click(person.button("Suggest"))
        for place in range(2, 9):
            person.until(lambda: bool(person.texts("#next h3")))
            click(person.button("Add", "#next"))
            person.until(partial(is_written, place))
            person.keys(f"Note {place}")
        click(person.button("Publish"))
        person.until(lambda: "What visitors see now" in person.texts(".lead a"))
        person.follow("What visitors see now")
        assert person.texts(".stop .note") == [f"Note {place}" for place in range(1, 9)]
        assert clicks <= 15


def test_two_curators_at_one_path_lose_nothing(
    server: Server, collection: Recommender, configured: Settings
) -> None:
    with PathsFile(configured.state.paths) as paths:
        laid = walk(collection, "m:01", ["location"], 3)
        made = paths.create(Content(title="By water", steps=laid), Signature("Ada"))
    with (
        before_a_browser(server.address, scripts=False) as ada,
        before_a_browser(server.address) as ben,
    ):
        for person in (ada, ben):
            log_in(person, new_key(configured))
            person.visit(f"/edit/paths/{made.id}")
        ada.write("Note", "What Ada wrote.", "#step-1")
        ada.press("Save")
        ben.write("Note", "What Ben wrote.", "#step-2")
        ben.until(lambda: ben.one("#saved").text.startswith("Saved. Somebody else changed the path too"))
        ada.write("Note", "What Ada wrote of it.", "#step-2")
        ada.press("Save")
        assert ada.heading == "Some curator changed the same words"
        assert ada.texts(".both mark") == ["Ben", "Ada", "of it"]
        ada.press("Keep what is chosen")
        assert ada.field("Note", "#step-1").get_attribute("value") == "What Ada wrote."
        assert ada.field("Note", "#step-2").get_attribute("value") == "What Ada wrote of it."
        ben.write("Note", "What Ben wrote again.", "#step-2")
        ben.until(lambda: "changed the same words" in ben.one("#saved").text)
        ben.button("Compare the two").click()
        ben.until(lambda: ben.heading == "Some curator changed the same words")
        assert ben.faults() == []
        ben.one("input[type=radio]").click()
        ben.press("Keep what is chosen")
        assert ben.field("Note", "#step-2").get_attribute("value") == "What Ada wrote of it."
        ben.until(lambda: ben.one("#saved").text == "What you write saves itself.")


def test_all_can_be_reached_by_keys(server: Server, collection: Recommender, configured: Settings) -> None:
    with PathsFile(configured.state.paths) as paths:
        laid = walk(collection, "m:01", ["location"], 3)
        made = paths.create(Content(title="By water", steps=laid), Signature("Ada"))
    with before_a_browser(server.address) as person:
        person.visit("/")
        person.tab()
        assert person.focused.text == "Skip to the content"
        person.tab_to(person.field("Search the collection"))
        person.keys("regata")
        person.leaving(lambda: person.keys(Keys.ENTER))
        person.tab_to(person.link("regatta", ".suggested"))
        person.leaving(lambda: person.keys(Keys.ENTER))
        person.tab_to(person.link("Regatta", ".cards"))
        person.leaving(lambda: person.keys(Keys.ENTER))
        assert person.heading == "Regatta"

        person.tab_to(person.link("Location", ".types"))
        person.leaving(lambda: person.keys(Keys.ENTER))
        assert person.at.endswith("?type=location#like")
        person.tab()
        assert person.focused == person.one("#like a")
        person.tab_to(person.link("Show more", "#like"))
        person.leaving(lambda: person.keys(Keys.ENTER))
        person.tab_to(person.field("From the year"))
        person.keys("1800")
        person.tab_to(person.field("with a picture"))
        person.keys(Keys.SPACE)
        person.tab_to(person.field("also what is not close"))
        person.keys(Keys.SPACE)
        person.tab_to(person.button("Show these"))
        person.leaving(lambda: person.keys(Keys.ENTER))
        assert person.texts(".cards h3") == ["Bridge in London"]

        person.visit("/login")
        person.tab_to(person.field("Your key"))
        person.keys("kindred-none")
        person.leaving(lambda: person.keys(Keys.ENTER))
        assert person.one("#wrong").text.startswith("No such key counts here.")
        assert person.faults() == []
        person.tab_to(person.field("Your key"))
        person.keys(new_key(configured))
        person.leaving(lambda: person.keys(Keys.ENTER))
        person.visit(f"/edit/paths/{made.id}")
        first, second, third = steps(person)
        person.tab_to(person.one("#tile-1"))
        for order in ([second, first, third], [second, third, first]):
            # the focus stays with the step, so that it can be moved on
            person.keys(Keys.ALT, Keys.ARROW_RIGHT)
            person.until(lambda order=order: steps(person) == order)  # type: ignore[misc]
            person.until(lambda: str(person.focused.get_attribute("aria-label")).endswith(first))


@pytest.mark.parametrize(("width", "height"), [(1280, 600), (500, 600)])
def test_nothing_hides_what_has_the_focus(server: Server, width: int, height: int) -> None:
    with before_a_browser(server.address) as person:
        person.shrink(width, height)
        person.visit("/view/items/m:01")
        # what a small screen leaves out has no room
        links = [one for one in person.all("a[href], button, input") if one.rect["width"] > 0]
        for order, backwards in ((links, False), (links[::-1], True)):
            person.tab_to(order[0], backwards=backwards)
            hidden = []
            for _ in order[1:]:
                hidden.append(person.covered())
                person.tab(backwards=backwards)
            assert person.focused == order[-1]
            assert [one for one in hidden if one] == []


def test_the_widget_leads_from_the_page_of_a_museum(server: Server, tmp_path: Path) -> None:
    site = tmp_path / "site"
    site.mkdir()
    widget = f'src="{server.address}/static/widget.js" data-item="m:01" data-types="location author"'
    content = f"<main><h1>View</h1><script {widget}></script></main>"
    (site / "page.html").write_text(f'<!doctype html><html lang="en"><title>View</title>{content}')
    with other_museum(site) as address, before_a_browser(server.address) as person:
        person.visit(f"{address}/page.html")
        root = person.one(".kindred-widget").shadow_root

        def shown() -> list[str]:
            return [one.text for one in root.find_elements("css selector", "li a")]

        person.until(lambda: "Regatta" in shown())
        near = shown()
        assert person.faults() == []
        root.find_element("id", "tab-author").click()
        person.until(lambda: shown() not in (near, []))
        person.keys(Keys.ARROW_LEFT)
        person.until(lambda: shown() == near)
        person.leaving(root.find_elements("css selector", "li a")[0].click)
        assert person.heading == near[0]
