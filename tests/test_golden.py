"""The default system gives what it gave: no change of its scores, lists or figures lands unseen."""

from pathlib import Path

import msgspec
import pytest

from service.settings import load
from tests.environment import needs_shared
from tests.golden import FILE, PAIRS, Golden, GoldenList, of_the_sample, pearson_of_pairs

ANEW = "where this is on purpose, write tests/data/golden.json anew: tests/golden.py says how"
NEAR = 0.002  # of a score: processors add up in different orders


@pytest.fixture(scope="module")
def golden() -> Golden:
    return msgspec.json.decode(FILE.read_bytes(), type=Golden)


@pytest.fixture(scope="module")
def of_now(whole_sample: Path) -> tuple[list[GoldenList], dict[str, float]]:
    settings = load()
    state = settings.state.model_copy(update={"directory": whole_sample})
    return of_the_sample(settings.model_copy(update={"state": state}))


def test_twenty_lists_are_what_they_were(
    golden: Golden, of_now: tuple[list[GoldenList], dict[str, float]]
) -> None:
    lists, _ = of_now
    assert len(lists) == 20
    assert [(one.item, one.type) for one in lists] == [(one.item, one.type) for one in golden.lists]
    for now, before in zip(lists, golden.lists, strict=True):
        scores = [score for _, score in now.nearest]
        assert scores == pytest.approx([score for _, score in before.nearest], abs=NEAR), (now.item, ANEW)
        # items that score nearly the same, or as low as the last one, may have changed places
        last = min(scores, default=0.0) + NEAR
        clear = [{item: score for item, score in one.nearest if score > last} for one in (now, before)]
        assert clear[0].keys() == clear[1].keys(), (now.item, ANEW)
        assert clear[0] == pytest.approx(clear[1], abs=NEAR), (now.item, ANEW)


def test_items_of_one_maker_or_place_are_met_as_often_as_before(
    golden: Golden, of_now: tuple[list[GoldenList], dict[str, float]]
) -> None:
    _, recall = of_now
    assert recall == pytest.approx(golden.recall, abs=0.01), ANEW


@pytest.mark.slow
@needs_shared(PAIRS)
def test_r_is_what_it_was(golden: Golden) -> None:
    assert pearson_of_pairs() == pytest.approx(golden.pearson, abs=NEAR), ANEW
