"""Every kind of page in a real browser: axe-core finds no fault, light or dark, and nothing overflows."""

import json
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from html import escape, unescape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import NamedTuple

import pytest

from service.paths.model import Content, Signature
from service.paths.store import PathsFile
from service.paths.walking import walk
from service.settings import Settings
from service.web.api.addresses import compare_path, near_path, view_path
from service.web.api.app import create_app
from tests.environment import PATIENCE
from tests.service.builders import recommender
from tests.service.conftest import BACINO, YARD, Server, new_key, running
from tests.service.museum import RECORDS
from tests.service.paths.conftest import writable
from tests.service.web.browsing import AXE, RULES
from tests.service.web.test_browser import CHROMIUM, browse

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here; Debian: apt-get install chromium"),
]

PAGES = (
    "/",
    "/search?q=venice",
    "/search?q=vencie",
    "/search?provider=Example+Museum&from=1700&image=true",
    "/login",
    "/view/paths",
    "/docs",
    "/problems/unknown-item",
    "/view/items/none",
    view_path(BACINO),
    view_path("sample:bare"),
    near_path(BACINO, "location"),
    near_path("sample:bare", "general"),
    near_path(BACINO, "location") + "&from=1700&image=1&all=1",
    compare_path(BACINO, YARD, "location"),
    compare_path(BACINO),
)
WIDTHS = (320, 390, 1280)

CHECK = """
<script src="/axe.js"></script>
<script>
  for (const one of document.querySelectorAll("details")) one.open = true;
  axe.run({ runOnly: RULES }).then((found) => {
    const faults = found.violations.map((one) => `${one.id}: ${one.nodes.map((node) => node.html)}`);
    const wide = document.documentElement.scrollWidth - document.documentElement.clientWidth;
    parent.postMessage({ name: window.name, passed: found.passes.map((one) => one.id), faults, wide });
  });
</script>
""".replace("RULES", json.dumps(RULES))

FRAMES = """<!doctype html><title>All pages</title><pre id="found"></pre>
<script>
  const found = [];
  addEventListener("message", (event) => {
    found.push(event.data);
    document.getElementById("found").textContent = JSON.stringify(found);
  });
</script>
"""


class PageReport(NamedTuple):
    passed: list[str]
    faults: list[str]
    wide: int


@contextmanager
def framed(server: Server, pages: Sequence[str]) -> Iterator[str]:
    """The address of a page with every page at every width in a frame, where each is checked.

    The pages forbid frames and scripts that are not theirs: they are passed on without their headers.
    """
    frames = "".join(
        f'<iframe name="{width} {escape(path)}" src="{escape(path)}" width="{width}" height="900"></iframe>'
        for path in pages
        for width in WIDTHS
    )
    own = {"/axe.js": (AXE.encode(), "text/javascript"), "/frames": ((FRAMES + frames).encode(), "text/html")}

    class Passing(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if self.path in own:
                body, kind = own[self.path]
            else:
                reply = server.ask(self.path.partition("#")[0])
                body, kind = reply.body, reply.headers["content-type"]
                body = body.replace(b"</body>", CHECK.encode() + b"</body>")
            self.send_response(200)
            self.send_header("Content-Type", kind)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            return

    passing = ThreadingHTTPServer(("127.0.0.1", 0), Passing)
    thread = Thread(target=passing.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{passing.server_address[1]}/frames"
    finally:
        passing.shutdown()
        passing.server_close()
        thread.join(PATIENCE)


def check(server: Server, pages: Sequence[str], scheme: str, folder: Path) -> None:
    """See that axe finds no fault in any of the pages, at any width, and that nothing overflows."""
    night = ["--blink-settings=preferredColorScheme=0"] if scheme == "dark" else []
    with framed(server, pages) as address:
        dom = browse(folder, *night, "--virtual-time-budget=120000", "--dump-dom", address)
    text = re.search(r'<pre id="found">(.*?)</pre>', dom, re.DOTALL)
    assert text is not None
    reports = {
        one["name"]: PageReport(one["passed"], one["faults"], one["wide"])
        for one in json.loads(unescape(text[1]))
    }
    assert set(reports) == {f"{width} {path}" for path in pages for width in WIDTHS}
    # the rule of WCAG 2.2, which axe leaves out where it is not asked for
    assert all(len(one.passed) > 10 and "target-size" in one.passed for one in reports.values())
    assert {name: one.faults for name, one in reports.items() if one.faults} == {}
    assert {name: one.wide for name, one in reports.items() if one.wide > 0} == {}


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_page_has_a_fault_that_axe_finds_nor_overflows(
    server: Server, tmp_path: Path, scheme: str
) -> None:
    check(server, PAGES, scheme, tmp_path)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nor_has_a_page_of_a_curator(settings: Settings, tmp_path: Path, scheme: str) -> None:
    writing = writable(settings, tmp_path)
    museum = recommender(RECORDS, settings)
    steps = walk(museum, "m:01", ["location"], 4)
    with PathsFile(writing.state.paths) as paths:
        made = paths.create(Content(title="Venice", steps=steps), Signature("Ada"))
        paths.publish(made.id, 1, Signature("Ada"))
    pages = (
        "/search?q=venice",
        "/view/paths",
        f"/view/paths/{made.id}",
        f"/edit/paths/{made.id}/preview",
        f"/embed/paths/{made.id}",
        "/edit?q=venice",
        f"/edit/paths/{made.id}",
        f"/edit/paths/{made.id}?q=venice&suggest=location&unlike=m:08",
        "/edit/add?item=m:05",
        view_path("m:01"),
        near_path("m:01", "location"),
        compare_path("m:01", "m:02", "location"),
    )
    with running(create_app(museum, writing), new_key(writing)) as server:
        check(server, pages, scheme, tmp_path)
