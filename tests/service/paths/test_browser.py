"""The pages of paths in a real browser: they draw, fit a small screen, and the editor has its handles."""

from pathlib import Path

import pytest

from service.paths.model import Content, Signature
from service.paths.store import PathsFile
from service.paths.walking import walk
from service.search.recommender import Recommender
from service.settings import Settings
from service.web.api.app import create_app
from tests.service.conftest import running
from tests.service.paths.conftest import writable
from tests.service.web.test_browser import CHROMIUM, browse

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here; Debian: apt-get install chromium"),
]


def test_a_story_is_drawn(museum: Recommender, settings: Settings, tmp_path: Path) -> None:
    with PathsFile(tmp_path / "paths.sqlite") as paths:
        made = paths.create(
            Content(title="Venice", steps=walk(museum, "m:01", ["location"], 4)), Signature("Ada")
        )
        paths.publish(made.id, 1, Signature("Ada"))
    with running(create_app(museum, writable(settings, tmp_path))) as server:
        for address in (f"/view/paths/{made.id}", f"/embed/paths/{made.id}"):
            picture = tmp_path / "page.png"
            browse(
                tmp_path, f"--screenshot={picture}", "--window-size=390,1600", f"{server.address}{address}"
            )
            assert picture.stat().st_size > 10_000
            answer = browse(tmp_path, "--dump-dom", f"{server.address}{address}")
            assert answer.count('class="stop"') == 4
