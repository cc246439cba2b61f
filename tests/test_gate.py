"""The gate on speed tells what became slower, and continuous integration asks it."""

import json

from bench.gate import FILE, slower
from tests.documents import ROOT


def test_a_fifth_is_the_limit() -> None:
    before = {"search": 10.0, "score": 2.0}
    assert slower({"search": 12.0, "score": 1.0, "new": 9.0}, before) == {}
    assert slower({"search": 12.1, "score": 2.5}, before) == {"search": 1.21, "score": 1.25}


def test_every_processor_has_a_ratio_of_every_kind_of_work() -> None:
    ratios = json.loads(FILE.read_text("utf-8"))
    assert ratios
    assert len({frozenset(one) for one in ratios.values()}) == 1
    assert all(ratio > 0 for one in ratios.values() for ratio in one.values())


def test_continuous_integration_asks() -> None:
    assert "make gate" in (ROOT / ".ci" / "run").read_text("utf-8")
