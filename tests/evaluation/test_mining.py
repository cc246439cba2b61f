"""Pairs worth judging are drawn by chains of neighbours."""

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from evaluation.gold.mining import STEPS, chain, mine, strata
from ingest.errors import UsageError
from models.types import SimilarityType
from service.cli.root import app

LINE = {str(one): [str(other) for other in (one - 1, one + 1) if 0 <= other < 40] for one in range(40)}
TYPES: tuple[SimilarityType, ...] = ("time", "author", "people")


def beside(item: str, _: SimilarityType) -> list[str]:
    """The neighbours of an item on a line of forty."""
    return LINE[item]


@given(st.integers(0, 1000), st.sampled_from(sorted(LINE)))
def test_a_chain_never_meets_an_item_twice(seed: int, start: str) -> None:
    items = list(chain(start, "time", beside, np.random.default_rng(seed)))
    assert items[0] == start
    assert len(set(items)) == len(items) <= STEPS + 1
    assert all(later in LINE[before] for before, later in pairwise(items))


@given(st.integers(1, 30), st.integers(0, 1000))
def test_pairs_are_as_far_apart_as_they_say(number: int, seed: int) -> None:
    drawn = mine(sorted(LINE), TYPES, beside, number, seed)
    assert len(drawn) == len({frozenset(one[:2]) for one in drawn}) == number
    # on a line a chain never turns, so that two steps lead two places on
    assert all(abs(int(one.left) - int(one.right)) == one.distance for one in drawn)
    assert drawn == mine(sorted(LINE), TYPES, beside, number, seed)
    wanted = {(kind, distance): count for kind, distance, count in strata(TYPES, number)}
    assert all(sum(one[2:] == key for one in drawn) == count for key, count in wanted.items())


def test_more_pairs_than_there_are_is_refused() -> None:
    two: dict[str, list[str]] = {"a": ["b"], "b": ["a"]}
    with pytest.raises(UsageError, match="fewer than the 3 wanted: too few at distance 1 in time"):
        mine(["a", "b"], ("time",), lambda item, _: two[item], 3, 1)


def test_pairs_are_not_drawn_into_a_folder_with_the_gold_of_others(tmp_path: Path) -> None:
    (tmp_path / "STS.gs.europeana.txt").write_text("5\t5\t5\t5\t5\t5\t5\t5\n", encoding="utf-8")
    answer = CliRunner().invoke(app, ["pairs", "mine", "--out", str(tmp_path)])
    assert isinstance(answer.exception, UsageError)
    assert "holds pairs with gold" in answer.exception.detail
    assert [path.name for path in tmp_path.iterdir()] == ["STS.gs.europeana.txt"]
