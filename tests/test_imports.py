"""Each floor of the house looks at floors below it only, and no two modules need each other."""

import re
from pathlib import Path

import pytest

from bench.house import House, circles, described, floor, house, upward
from tests.documents import ROOT


@pytest.fixture(scope="module")
def whole() -> House:
    return house(ROOT)


def test_no_module_reaches_itself(whole: House) -> None:
    assert circles(whole.arrows) == []


def test_no_module_looks_upward(whole: House) -> None:
    assert upward(whole.arrows) == []


def test_every_module_has_a_floor(whole: House) -> None:
    assert [module for module in whole.files if floor(module) < 0] == []


def written(root: Path, **modules: str) -> House:
    """A tree of made-up modules: ``a__b="import c"`` is a/b.py."""
    for name, source in modules.items():
        path = root.joinpath(*name.split("__")).with_suffix(".py")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(source)
    return house(root)


def test_an_import_counts_wherever_it_stands(tmp_path: Path) -> None:
    made = written(
        tmp_path,
        ingest____init__="",
        ingest__record="def late():\n    from service import cli\n",
        service____init__="",
        service__cli="from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from . import names\n",
        service__names="import ingest.record\nimport json\n",
    )
    assert circles(made.arrows) == [["ingest.record", "service.cli", "service.names"]]
    assert upward(made.arrows) == [("ingest.record", "service.cli")]


def test_the_house_is_told_in_words(tmp_path: Path) -> None:
    made = written(
        tmp_path, ingest__record="LENGTH = 1\n", models__types="from ingest.record import LENGTH\n\nLENGTH\n"
    )
    lines = [re.sub(r" +", " ", line) for line in described(made, tmp_path)]
    assert lines[1:] == [
        "ingest 1 1 ",
        "models 1 3 ingest (1)",
        "all 2 4 1 arrows",
        "circles of modules: 0",
        "upward imports: 0",
    ]
