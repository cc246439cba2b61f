"""The plain install does without the extras: what needs one says which to install."""

import sys
import tomllib
from pathlib import Path

import numpy as np
import pytest

from ingest.errors import ResourceMissing
from models.research.opaque import BoostedSettings
from models.types import OFFICIAL
from service.cli import root as cli
from service.opening import open_system
from service.search.variants import choose
from service.settings import load
from tests.builders import NONE
from tests.documents import ROOT
from tests.test_new_type import written

REMEDY = r"run: pip install 'kindred\[max\]'"
BOOSTED = """
types: {material: {}}
systems:
  trees:
    title: boosted trees that need no resource
    regressor: boosted
    features: [all_tfidf, title_tfidf]
    trees: [{rounds: 2}]
"""


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A configuration with boosted trees, where LightGBM is not installed."""
    monkeypatch.setenv("KINDRED_STATE__DIRECTORY", str(tmp_path / "state"))
    monkeypatch.setitem(sys.modules, "lightgbm", None)  # as Python notes what cannot be imported
    path = tmp_path / "boosted.yaml"
    path.write_text(BOOSTED, encoding="utf-8")
    monkeypatch.setenv("KINDRED_CONFIG", str(path))
    return path


def test_lightgbm_is_an_extra_that_the_tests_install() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    assert not [one for one in project["dependencies"] if one.startswith("lightgbm")]
    assert [one for one in extras["max"] if one.startswith("lightgbm")]
    assert "kindred[max]" in extras["dev"]


def test_without_lightgbm_boosted_trees_are_refused_with_what_to_install(config: Path) -> None:
    settings = load(config)
    with pytest.raises(ResourceMissing, match=rf"system 'trees' needs what is not here: .*{REMEDY}"):
        choose(settings, NONE, "trees")
    with pytest.raises(ResourceMissing, match=rf"system 'trees' cannot be used: .*{REMEDY}"):
        open_system(settings, "trees")
    row = settings.system("trees")
    assert isinstance(row, BoostedSettings)
    values, gold = np.zeros((20, 2)), np.zeros((20, 8))
    with pytest.raises(ResourceMissing, match=REMEDY):
        row.fit(values, gold, np.full((20, 8), True), OFFICIAL)
    assert choose(settings, NONE, "T0").system == "T0"


@pytest.mark.parametrize(
    "command",
    [
        ("train", "--pairs", "PAIRS", "--system", "trees"),
        ("evaluate", "--pairs", "PAIRS", "--system", "trees", "--cv", "2"),
        ("score", "--pairs", "PAIRS", "--system", "trees", "--out", "scores.txt"),
    ],
    ids=lambda command: command[0],
)
@pytest.mark.usefixtures("config")
def test_without_lightgbm_a_command_ends_in_one_line(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    command: tuple[str, ...],
) -> None:
    pairs = written(tmp_path / "pairs", [_record(n) for n in range(6)])
    given = [str(pairs) if each == "PAIRS" else each for each in command]
    monkeypatch.setattr(sys, "argv", ["kindred", *given])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    assert ended.value.code == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("kindred: resource-missing: ")
    assert "pip install 'kindred[max]'" in line


def _record(n: int) -> dict[str, list[str]]:
    return {"title": [f"Boat {n}"], "description": [f"A boat of kind {n}"], "type": ["painting"]}
