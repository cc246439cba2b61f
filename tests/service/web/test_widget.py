"""The widget in a page of another origin, in a real browser: it draws, works by keys, and fails quietly."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from html import unescape
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from service.search.recommender import Recommender
from service.settings import Settings
from service.web.api.app import create_app
from service.web.portal import pages
from tests.documents import DOCS
from tests.environment import PATIENCE
from tests.service.conftest import BACINO, Server, running
from tests.service.web.test_browser import CHROMIUM, browse

WIDGET = Path(pages.__file__).parent / "static" / "widget.js"
LARGEST = 10 * 1024

in_a_browser = pytest.mark.skipif(
    CHROMIUM is None, reason="no Chromium here; Debian: apt-get install chromium"
)


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        return


@contextmanager
def museum(folder: Path) -> Iterator[str]:
    """A web server of a museum, which knows nothing of Kindred; gives its address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join(PATIENCE)


SEEN = """
<pre id="seen"></pre>
<script>
  const done = new Set();
  setInterval(() => {
    const host = document.querySelector(".kindred-widget");
    if (!host) return;
    const act = (name, does) => { if (!done.has(name)) { done.add(name); does(host.shadowRoot); } };
    ACT
    document.getElementById("seen").textContent = (host.hidden ? "HIDDEN" : "") + host.shadowRoot.innerHTML;
  }, 50);
</script>
"""
"""What writes the shadow tree into the page, where a dump shows it; ACT does as a visitor would."""

CHOOSE_BY_KEY = """
    if (host.shadowRoot.querySelector("li")) act("key", (root) => {
      const tab = root.querySelector("[aria-selected=true]");
      tab.focus();
      tab.dispatchEvent(new KeyboardEvent("keydown", { key: "KEY", bubbles: true }));
    });
"""


def drawn(folder: Path, server: str, act: str = "", **attributes: str) -> str:
    """The shadow tree of the widget in the documented page, once it is drawn."""
    page = (DOCS / "widget-demo.html").read_text(encoding="utf-8").replace("https://kindred.example", server)
    tag = re.search(r"<script [^>]*></script>", page)
    assert tag is not None
    given = " ".join(f'data-{name}="{value}"' for name, value in attributes.items())
    page = page.replace(tag[0], f'<script src="{server}/static/widget.js" {given}></script>')
    site = folder / "site"
    site.mkdir()
    (site / "page.html").write_text(page.replace("</body>", SEEN.replace("ACT", act) + "</body>"))
    with museum(site) as address:
        dom = browse(folder, "--virtual-time-budget=8000", "--dump-dom", f"{address}/page.html")
    seen = re.search(r'<pre id="seen">(.*?)</pre>', dom, re.DOTALL)
    assert seen is not None
    return unescape(seen[1])


def tabs(tree: str) -> dict[str, bool]:
    """The tabs by their types, and which is chosen."""
    tabs = re.findall(r"<button [^>]*>", tree)
    return {re.findall(r'id="tab-(\w+)"', tab)[0]: 'aria-selected="true"' in tab for tab in tabs}


def titles(tree: str) -> list[str]:
    return re.findall(r"<li>.*?<a [^>]*>(.*?)</a>", tree)


def test_it_is_small_and_stands_alone() -> None:
    code = WIDGET.read_bytes()
    assert len(code) <= LARGEST
    for never in (b"import ", b"innerHTML", b"eval(", b"document.write", b"cookie", b"localStorage"):
        assert never not in code


def test_the_documented_page_has_one_script() -> None:
    page = (DOCS / "widget-demo.html").read_text(encoding="utf-8")
    assert page.count("<script") == 1
    assert '<script src="https://kindred.example/static/widget.js" data-item=' in page


@pytest.mark.browser
@in_a_browser
def test_it_draws_the_neighbours_in_a_page_of_another_origin(server: Server, tmp_path: Path) -> None:
    tree = drawn(tmp_path, server.address, item=BACINO, type="location", limit="3")
    assert not tree.startswith("HIDDEN")
    assert [kind for kind, chosen in tabs(tree).items() if chosen] == ["location"]
    assert len(tabs(tree)) == 8
    assert titles(tree)[0] == "The Stonemason's Yard"
    assert len(titles(tree)) == 3
    assert f'href="{server.address}/view/items/sample%3Apainting%2Fcanaletto-yard"' in tree
    assert "Both concern Venice." in tree
    assert re.search(r'<p title="\d\.\d\d of 5">[a-z ]+</p>', tree)
    assert 'role="tabpanel"' in tree
    assert "aria-busy" not in tree


@pytest.mark.browser
@in_a_browser
def test_what_a_record_holds_is_text(server: Server, tmp_path: Path) -> None:
    tree = drawn(tmp_path, server.address, item=BACINO, type="location", limit="24")
    assert "Study of a palace &lt;b&gt;in Venice&lt;/b&gt;" in tree
    assert "<b>" not in tree
    assert "javascript:" not in tree


@pytest.mark.browser
@in_a_browser
@pytest.mark.parametrize(
    ("key", "kind"), [("ArrowRight", "time"), ("ArrowLeft", "author"), ("End", "author")]
)
def test_tabs_are_chosen_by_keys(server: Server, tmp_path: Path, key: str, kind: str) -> None:
    act = CHOOSE_BY_KEY.replace("KEY", key)
    tree = drawn(tmp_path, server.address, act, item=BACINO, types="location time, author", limit="2")
    assert tabs(tree) == {one: one == kind for one in ("location", "time", "author")}
    assert f'data-type="{kind}"' in tree
    assert titles(tree)


@pytest.mark.browser
@in_a_browser
def test_an_item_that_is_not_there_leaves_the_page_as_it_is(server: Server, tmp_path: Path) -> None:
    assert drawn(tmp_path, server.address, item="none").startswith("HIDDEN")


@pytest.mark.browser
@in_a_browser
def test_a_service_that_does_not_allow_the_page_leaves_it_as_it_is(
    museum_recommender: Recommender, settings: Settings, tmp_path: Path
) -> None:
    service = settings.service.model_copy(update={"origins": ("https://other.example",)})
    app = create_app(museum_recommender, settings.model_copy(update={"service": service}))
    with running(app) as server:
        assert drawn(tmp_path, server.address, item=BACINO).startswith("HIDDEN")
