"""The two commands together run every test, and ``../shared`` is hidden where a run wants it so."""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.documents import ROOT
from tests.environment import VARIABLE


def test_what_one_command_leaves_out_the_other_runs() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    slow = re.search(r"^SLOW := (.*)$", makefile, re.MULTILINE)
    assert slow is not None
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    declared = [marker.partition(":")[0] for marker in project["tool"]["pytest"]["ini_options"]["markers"]]
    assert slow[1].split(" or ") == declared
    assert '-m "not ($(SLOW))"' in makefile
    assert '-m "hypothesis or $(SLOW)"' in makefile


@pytest.mark.parametrize("named", ["", "elsewhere"])
def test_shared_is_where_the_environment_says(named: str, tmp_path: Path) -> None:
    (tmp_path / "elsewhere" / "data").mkdir(parents=True)
    script = f"from tests.environment import SHARED; print((SHARED / {'data'!r}).is_dir())"
    there = str(tmp_path / named) if named else ""
    output = subprocess.check_output(
        [sys.executable, "-c", script], cwd=ROOT, env={**os.environ, VARIABLE: there}, text=True
    )
    assert output == f"{bool(named)}\n"
