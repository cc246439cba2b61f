"""The examples in docstrings give what they say."""

import doctest
from importlib import import_module

import pytest

from tests.documents import ROOT

FOLDERS = ("ingest", "features", "models", "service", "evaluation", "training", "bench")


def modules(folder: str) -> list[str]:
    """The modules of a folder that hold an example; no other is imported."""
    files = sorted((ROOT / folder).rglob("*.py"))
    return [
        ".".join(path.relative_to(ROOT).with_suffix("").parts)
        for path in files
        if ">>>" in path.read_text(encoding="utf-8")
    ]


@pytest.mark.parametrize("folder", FOLDERS)
def test_examples_give_what_they_say(folder: str) -> None:
    failed = {name: doctest.testmod(import_module(name)).failed for name in modules(folder)}
    assert failed, "no module has an example"
    assert not any(failed.values()), {name: count for name, count in failed.items() if count}
