"""Every guarantee of docs/guarantees.md names tests that there are."""

import ast
import re
from functools import cache
from typing import NamedTuple

import pytest

from tests.documents import ROOT

PAGE = ROOT / "docs" / "guarantees.md"
PROOF = re.compile(r"`(tests/[\w/]+\.py)::(test_\w+)`")


class Guarantee(NamedTuple):
    """A row of the tables: what is promised, what proves it, what that leaves out."""

    promise: str
    proof: str
    gap: str


def guarantees() -> list[Guarantee]:
    rows = [
        line.strip("|").split("|") for line in PAGE.read_text("utf-8").splitlines() if line.startswith("|")
    ]
    cells = [[cell.strip() for cell in row] for row in rows]
    return [Guarantee(*row) for row in cells if row[0] != "promise" and set(row[0]) != {"-"}]


@cache
def functions_of(path: str) -> frozenset[str]:
    """The names of the tests of a file."""
    tree = ast.parse((ROOT / path).read_text("utf-8"))
    return frozenset(node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))


@pytest.mark.parametrize("guarantee", guarantees(), ids=lambda one: one.promise[:40])
def test_it_is_proven_by_tests_that_there_are(guarantee: Guarantee) -> None:
    proofs = PROOF.findall(guarantee.proof)
    assert proofs, guarantee.promise
    for path, name in proofs:
        assert (ROOT / path).is_file(), path
        assert name in functions_of(path), f"{path} has no {name}"


def test_there_are_guarantees_of_every_kind() -> None:
    headings = re.findall(r"^## (.+)$", PAGE.read_text("utf-8"), re.MULTILINE)
    assert len(headings) == 5
    assert len(guarantees()) > 40
