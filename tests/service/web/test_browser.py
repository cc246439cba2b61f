"""The pages in a real browser: they draw, also where pictures fail, and fit a small screen."""

import shutil
import subprocess
from pathlib import Path
from urllib.parse import quote

import pytest

from tests.environment import PATIENCE
from tests.service.conftest import BACINO, Server

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here; Debian: apt-get install chromium"),
]


def browse(folder: Path, *arguments: str) -> str:
    command = [
        str(CHROMIUM),
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        f"--user-data-dir={folder / 'profile'}",
        *arguments,
    ]
    return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=True).stdout


def test_an_item_is_drawn(server: Server, tmp_path: Path) -> None:
    address = f"{server.address}/view/items/{quote(BACINO)}"
    picture = tmp_path / "page.png"
    browse(tmp_path, f"--screenshot={picture}", "--window-size=1200,1600", address)
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert picture.stat().st_size > 20_000


def test_the_browser_reads_what_was_meant(server: Server, tmp_path: Path) -> None:
    dom = browse(tmp_path, "--dump-dom", f"{server.address}/view/items/{quote('sample:drawing/ruskin')}")
    assert "<h1>Study of a palace &lt;b&gt;in Venice&lt;/b&gt; &amp;#34;bold&amp;#34;</h1>" in dom
    assert dom.count('class="badges"') == dom.count('class="reason"') > 6


def test_a_search_is_drawn(server: Server, tmp_path: Path) -> None:
    dom = browse(tmp_path, "--dump-dom", f"{server.address}/search?q=creator:canaletto")
    assert dom.count('class="card"') == 2
    assert "The Stonemason's Yard" in dom
    assert 'value="creator:canaletto"' in dom
    assert "<script" not in dom
