"""A person before a real Chromium, who looks, clicks and types; for the journeys through the pages."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.resources import files
from typing import Final

import pytest
from selenium.common.exceptions import StaleElementReferenceException, WebDriverException
from selenium.webdriver import ActionChains, Chrome, ChromeOptions, Keys
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.actions.action_builder import ActionBuilder
from selenium.webdriver.common.actions.interaction import POINTER_MOUSE
from selenium.webdriver.common.actions.pointer_input import PointerInput
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.remote_connection import RemoteConnection
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support import expected_conditions as expected
from selenium.webdriver.support.select import Select
from selenium.webdriver.support.wait import WebDriverWait

from tests.environment import PATIENCE
from tests.service.web.test_browser import CHROMIUM

DRIVER: Final = shutil.which("chromedriver")
AXE: Final = (files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")
RULES: Final = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")
"""What axe looks at: WCAG 2.2 up to AA, and what is good practice besides."""

in_chromium = pytest.mark.skipif(
    CHROMIUM is None or DRIVER is None,
    reason="no Chromium with its driver here; Debian: apt-get install chromium chromium-driver",
)

_FAULTS: Final = """
    const done = arguments[arguments.length - 1];
    axe.run({ runOnly: arguments[0] }).then(
        (found) => done(found.violations.map((one) => `${one.id}: ${one.nodes.map((node) => node.html)}`)),
        (error) => done([String(error)]),
    );
"""

_COVERED: Final = """
    const focused = document.activeElement;
    const corners = [...focused.getClientRects()].flatMap(({ left, top, right, bottom }) => {
        const [x, y] = [(left + right) / 2, (top + bottom) / 2];
        return [[x, top + 2], [x, y], [x, bottom - 2], [left + 2, y], [right - 2, y]];
    });
    const seen = corners.some(([x, y]) => {
        const there = document.elementFromPoint(x, y);
        return there !== null && (focused.contains(there) || there.contains(focused));
    });
    return seen ? "" : focused.outerHTML;
"""
"""The element with the focus, where no part of it can be seen (WCAG 2.2, 2.4.11)."""

_LOADED = """
return performance.getEntriesByType("resource").map((one) => new URL(one.name))
  .filter((one) => one.origin === location.origin).map((one) => one.pathname + one.search);
"""


class Person:
    """Somebody with a browser of their own; everything is done with the mouse or the keys."""

    def __init__(self, browser: Chrome, address: str) -> None:
        self._browser = browser
        self._address = address

    def visit(self, path: str) -> None:
        """Type an address."""
        self._browser.get(path if path.startswith("http") else self._address + path)

    @property
    def at(self) -> str:
        """Where this is, without the server's name."""
        return self._browser.current_url.removeprefix(self._address)

    @property
    def heading(self) -> str:
        """The heading of the page."""
        return self.one("h1").text

    def all(self, css: str) -> list[WebElement]:
        """What there is of something, waited for."""
        return WebDriverWait(self._browser, PATIENCE).until(
            expected.presence_of_all_elements_located((By.CSS_SELECTOR, css))
        )

    def one(self, css: str) -> WebElement:
        """The first of something, waited for."""
        return self.all(css)[0]

    def texts(self, css: str) -> list[str]:
        """The texts of something."""
        return [one.text for one in self.all(css)]

    def link(self, words: str, within: str = "body") -> WebElement:
        """A link whose words begin so."""
        return self._named(f".//a[starts-with(normalize-space(), {_quoted(words)})]", within)

    def button(self, words: str, within: str = "body") -> WebElement:
        """A button whose words, or whose name for those who do not see it, begin so."""
        given = _quoted(words)
        named = f"starts-with(normalize-space(), {given}) or starts-with(@aria-label, {given})"
        return self._named(f".//button[{named}]", within)

    def field(self, label: str, within: str = "body") -> WebElement:
        """A field of a form by the words beside it."""
        return self._named(
            f".//*[@id=//label[starts-with(normalize-space(), {_quoted(label)})]/@for]", within
        )

    def _named(self, path: str, within: str) -> WebElement:
        return self.one(within).find_element(By.XPATH, path)

    def leaving(self, act: Callable[[], object]) -> None:
        """Do what leads to another page, and wait until it is there."""
        old = self.one("html")
        act()
        # asked between two pages the browser may know neither, and fails
        patient = WebDriverWait(self._browser, PATIENCE, ignored_exceptions=[WebDriverException])
        patient.until(expected.staleness_of(old))
        self.one("h1")

    def follow(self, words: str, within: str = "body") -> None:
        """Click a link to another page."""
        self.leaving(self.link(words, within).click)

    def press(self, words: str, within: str = "body") -> None:
        """Click a button that leads to another page."""
        self.leaving(self.button(words, within).click)

    def back(self) -> None:
        """Use the browser's way back."""
        self.leaving(self._browser.back)

    def write(self, label: str, text: str, within: str = "body") -> None:
        """Put a text in the place of what a field holds."""
        field = self.field(label, within)
        field.clear()
        field.send_keys(text)

    def type_while(self, button: WebElement, field: WebElement, text: str) -> None:
        """Press a button, and type into a field before anything is answered."""
        script = """
            arguments[0].click();
            arguments[1].value = arguments[2];
            arguments[1].dispatchEvent(new Event("input", { bubbles: true }));
        """
        self._browser.execute_script(script, button, field, text)

    def choose(self, label: str, value: str, within: str = "body") -> None:
        """Choose from a list."""
        Select(self.field(label, within)).select_by_value(value)

    def drag(self, source: str, target: str, kind: str = POINTER_MOUSE) -> None:
        """Drag something to before something, with the mouse or a finger."""
        pointer = PointerInput(kind, kind)  # type: ignore[no-untyped-call]
        actions = ActionBuilder(self._browser, mouse=pointer)
        hand, onto = actions.pointer_action, self.one(target)
        hand.move_to(self.one(source))  # type: ignore[no-untyped-call]
        hand.pointer_down().move_by(3, 3).move_by(9, 3)  # type: ignore[no-untyped-call]
        hand.move_to(onto, x=-round(onto.rect["width"] / 4))  # type: ignore[no-untyped-call]
        hand.pointer_up()  # type: ignore[no-untyped-call]
        actions.perform()

    def keys(self, *keys: str) -> None:
        """Press keys wherever the focus is: all but the last are held."""
        chain = ActionChains(self._browser)
        for key in keys[:-1]:
            chain.key_down(key)
        chain.send_keys(keys[-1])
        for key in reversed(keys[:-1]):
            chain.key_up(key)
        chain.perform()

    @property
    def focused(self) -> WebElement:
        """What has the focus."""
        return self._browser.switch_to.active_element

    def tab_to(self, element: WebElement, *, backwards: bool = False) -> None:
        """Press Tab until an element has the focus."""
        for _ in range(200):
            if self.focused == element:
                return
            self.tab(backwards=backwards)
        raise AssertionError(f"the Tab key does not reach {element.get_attribute('outerHTML')}")

    def tab(self, *, backwards: bool = False) -> None:
        """Press Tab once."""
        self.keys(Keys.SHIFT, Keys.TAB) if backwards else self.keys(Keys.TAB)

    def until(self, holds: Callable[[], bool]) -> None:
        """Wait until something is so, also while scripts put elements in the place of others."""
        patient = WebDriverWait(self._browser, PATIENCE, ignored_exceptions=[StaleElementReferenceException])
        patient.until(lambda _: holds())

    def covered(self) -> str:
        """The element that has the focus, where nothing of it is seen; empty where something is."""
        return str(self._browser.execute_script(_COVERED))

    def faults(self) -> list[str]:
        """What axe finds wrong on this page."""
        self._browser.execute_script(AXE)
        report: list[str] = self._browser.execute_async_script(_FAULTS, RULES)
        return report

    def complaints(self) -> list[str]:
        """What scripts and pages have written to the console since this was last looked at."""
        entries: list[dict[str, object]] = self._browser.get_log("browser")  # type: ignore[no-untyped-call]
        return [str(entry["message"]) for entry in entries]

    def loaded(self) -> list[str]:
        """The paths of all that this page has loaded."""
        loaded: list[str] = self._browser.execute_script(_LOADED)
        return loaded

    def shrink(self, width: int, height: int) -> None:
        """Make the window smaller."""
        self._browser.set_window_size(width, height)


def _quoted(text: str) -> str:
    """A text in an XPath, which knows no escapes."""
    assert '"' not in text
    return f'"{text}"'


@contextmanager
def before_a_browser(address: str, *, scripts: bool = True) -> Iterator[Person]:
    """Somebody with a new browser, where scripts may be switched off as a person does it in the settings."""
    options = ChromeOptions()
    options.binary_location = str(CHROMIUM)
    for argument in (
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--window-size=1280,900",
        # the pictures of the records lie nowhere: no name is looked up
        "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
    ):
        options.add_argument(argument)
    if not scripts:
        options.add_experimental_option("prefs", {"profile.managed_default_content_settings.javascript": 2})
    browser = Chrome(options=options, service=Service(DRIVER))
    browser.set_page_load_timeout(PATIENCE)
    browser.set_script_timeout(PATIENCE)
    assert isinstance(browser.command_executor, RemoteConnection)
    browser.command_executor.client_config.timeout = PATIENCE
    try:
        yield Person(browser, address)
    finally:
        browser.quit()
