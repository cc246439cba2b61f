"""docs/metrics.md names functions that are there, and all that the modules of metrics have."""

import re
from importlib import import_module
from inspect import getmembers, isfunction
from types import ModuleType

from tests.documents import text

ROOMS = (
    "metrics.correlation",
    "metrics.ranking",
    "metrics.classes",
    "metrics.composites",
    "metrics.errors",
    "metrics.linearity",
    "metrics.genres",
    "significance",
    "raters",
    "annotators.controls",
    "annotators.groups",
    "picking.choices",
)
PARTS = {"decision", "require_pairs", "reached"}
"""Functions that others are made of."""


def room(name: str) -> ModuleType:
    return import_module(f"evaluation.{name}")


def test_every_function_that_is_named_is_there_and_no_metric_is_left_out() -> None:
    named = set(re.findall(r"`([a-z0-9_.]+\.[a-z0-9_]+)`", text("metrics.md")))
    for function in named:
        module, _, own = function.rpartition(".")
        assert callable(getattr(room(module), own)), function
    own = {
        f"{name}.{function}"
        for name in ROOMS
        for function, value in getmembers(room(name), isfunction)
        if value.__module__ == f"evaluation.{name}" and not function.startswith("_")
    }
    assert {function for function in own - named if function.rpartition(".")[2] not in PARTS} == set()
