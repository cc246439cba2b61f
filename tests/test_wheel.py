"""The wheel, installed alone: outside the checkout, every other package as in this environment."""

import json
import os
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from tests.documents import PACKAGES, ROOT

pytestmark = pytest.mark.wheel

STONEMASONS_YARD = "sample:painting/canaletto-stonemasons-yard"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    run(ROOT, sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder))
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A new environment with the wheel in it; it borrows its dependencies, but not the project itself."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, with_pip=False)
    pip = (sys.executable, "-m", "pip", "--python", str(folder / "bin" / "python"))
    run(folder, *pip, "install", "--quiet", "--no-deps", "--no-index", str(wheel))
    packages = sysconfig.get_path("purelib", vars={"base": str(folder)})
    # .pth files of a folder that is named by a .pth file are not read: the editable install stays out
    Path(packages, "dependencies.pth").write_text(sysconfig.get_path("purelib"))
    return folder


def run(folder: Path, *command: str) -> str:
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("KINDRED_", "PYTHON"))}
    ended = subprocess.run(command, cwd=folder, env=clean, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout


def test_it_holds_the_product_and_nothing_else(wheel: Path) -> None:
    with ZipFile(wheel) as opened:
        packages = {name.split("/")[0] for name in opened.namelist() if ".dist-info/" not in name}
    assert packages == set(PACKAGES)


def test_it_builds_and_answers_the_sample(installed: Path, tmp_path: Path) -> None:
    def kindred(*arguments: str) -> Any:
        return json.loads(run(tmp_path, str(installed / "bin" / "kindred"), *arguments, "--json"))

    where = run(tmp_path, str(installed / "bin" / "python"), "-c", "import service; print(service.__file__)")
    assert Path(where).is_relative_to(installed)
    known = "from service.settings import load; print(load().system('T3').regressor)"
    assert run(tmp_path, str(installed / "bin" / "python"), "-c", known) == "linear\n"
    assert kindred("ingest", "--sample")["added"] == 234
    assert kindred("build")["items"] == 234
    answer = kindred("similar", STONEMASONS_YARD, "--type", "author", "--limit", "2")
    assert len(answer["neighbours"]) == 2
    # one of them is by Canal, Giovanni Antonio, as the museum writes him
    assert all("Canal" in one["creator"][0] for one in answer["neighbours"])
