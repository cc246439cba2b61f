"""CONTRIBUTING's walk to a new measure: its file is written, and nothing else is touched."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from tests.documents import ROOT

QUESTION = """
import json
from features.profiles.blocks import Block
from tests.builders import features, fitted, profiles, record
from tests.measured import DECLARED

titled = record("a", "View of Venice"), record("b", "Venice at night with boats")
records = [*titled, record("c", subject="boats")]
built = fitted(records, features(length={"measure": "title_length"}))
values = [built.compare(built.query(row), ["length"])["length"].tolist() for row in range(3)]
block = Block(profiles(records[:2]))
print("title_length" in DECLARED)
print(json.dumps([values, built.pair(block, 0, 1, ["length"]).tolist()]))
"""


def walk() -> str:
    """The file that the walk writes."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"## A new measure\n.*?```python\n(.*?)```", text, re.DOTALL)
    return str(code)


def test_the_file_of_a_measure_is_all_that_it_takes(tmp_path: Path) -> None:
    copy = tmp_path / "features"
    shutil.copytree(ROOT / "features", copy, ignore=shutil.ignore_patterns("*.pt", "__pycache__"))
    (copy / "measures" / "title_length.py").write_text(walk(), encoding="utf-8")
    paths = os.pathsep.join((str(tmp_path), str(ROOT)))
    done = subprocess.run(
        [sys.executable, "-P", "-c", QUESTION],
        env={**os.environ, "PYTHONPATH": paths},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    promised, answers = done.stdout.splitlines()
    # its example is among those that tests/features/measures/test_rows.py holds to the promises
    assert promised == "True"
    values, pair = json.loads(answers)
    # titles of 3 and 5 words, and none: 3 / 5; no information on either side of the third
    nan = [str(value) for value in values[2]]
    assert values[0][:2] == [1.0, 0.6]
    assert values[1][:2] == [0.6, 1.0]
    assert nan == ["nan"] * 3
    assert pair == [0.6]
