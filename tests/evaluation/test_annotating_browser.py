"""The pages for annotators in a real Chromium: axe finds no fault, nothing overflows, and keys are enough."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium.webdriver import Keys

from evaluation.gold.pages import AnnotationTask
from models.types import OFFICIAL
from service.sections import StateSettings
from service.settings import Settings
from tests.documents import defaults
from tests.evaluation.annotating import annotating, everything, judge, key, task, written
from tests.service.conftest import Server
from tests.service.web.browsing import Person, before_a_browser, in_chromium
from tests.service.web.test_accessibility import check

pytestmark = [pytest.mark.browser, in_chromium]


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return defaults().model_copy(update={"state": StateSettings(directory=tmp_path / "state")})


@pytest.fixture
def given(settings: Settings, tmp_path: Path) -> AnnotationTask:
    return task(settings, written(tmp_path / "drawn"))


@pytest.fixture
def server(settings: Settings, given: AnnotationTask) -> Iterator[Server]:
    with annotating(settings, given) as started:
        yield started._replace(key=key(settings, "Ann"))


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_page_has_a_fault_that_axe_finds_nor_overflows(
    settings: Settings, server: Server, tmp_path: Path, scheme: str
) -> None:
    bob = server._replace(key=key(settings, "Bob"))
    for number in (1, 2, 3):
        judge(server, number, everything(str(number)))
        judge(bob, number, everything(str(number + 1)))
    check(server, ("/edit/pairs", "/edit/pairs/1", "/edit/pairs/5"), scheme, tmp_path)


def logged_in(person: Person, server: Server) -> None:
    person.visit("/edit/pairs")
    person.follow("Log in", "main")
    person.write("Your key", server.key)
    person.press("Log in")
    assert person.heading == "Judge pairs"


def test_an_annotator_judges_by_the_keys_alone(server: Server, given: AnnotationTask) -> None:
    with before_a_browser(server.address) as person:
        logged_in(person, server)
        # before it, the browser notes that the page needs a key (401), which is as it should be
        assert all("401" in complaint for complaint in person.complaints())
        person.follow("Begin")
        person.tab_to(person.one("fieldset input"))
        for digit in "5012345":
            person.keys(digit)
        # the last but one again, and then both
        person.keys(Keys.BACKSPACE)
        person.keys("n")
        person.keys("4")
        assert person.focused.text == "Store and go on"
        person.leaving(lambda: person.keys(Keys.ENTER))
        assert person.heading == "Pair 2 of 8"
        # who judged by the keys need not look for the form again
        assert person.focused.get_attribute("name") == OFFICIAL[0]
        assert person.faults() == []
        assert person.complaints() == []
    (one,) = given.store.every()
    assert [one.scores[kind] for kind in OFFICIAL] == [5, 0, 1, 2, 3, 4, None, 4]


def test_and_with_the_mouse_on_a_small_screen_without_scripts(server: Server, given: AnnotationTask) -> None:
    with before_a_browser(server.address, scripts=False) as person:
        person.shrink(390, 844)
        logged_in(person, server)
        person.follow("Begin")
        for kind in OFFICIAL:
            person.one(f'input[name="{kind}"][value="2"]').click()
        person.press("Store and go on")
        assert person.heading == "Pair 2 of 8"
    assert [set(one.scores.values()) for one in given.store.every()] == [{2.0}]
