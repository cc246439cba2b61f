"""Every museum left out in turn: what trains, what counts, the means, and the command over three museums."""

from pathlib import Path

import numpy as np
import pytest

from evaluation.museums import left_out, measured, together
from evaluation.readers import two_readers
from evaluation.typed import DirectoryPairs
from ingest.errors import PairsError, UsageError
from tests.evaluation.running import document, run

KINDS = ("general", "event")


def test_nothing_that_touches_the_museum_trains() -> None:
    sets = [DirectoryPairs(name, first, 3, "", "") for name, first in (("a", 0), ("b", 3), ("c", 6))]
    # a holds two museums; a record of the second stands in b and in c, one of b in c
    providers = [("a1", "a1"), ("a2", "a2"), ("a1", "a2"), ("b", "b"), ("b", "a2"), ("b", "b")]
    providers += [("c", "c"), ("c", "a2"), ("c", "b")]
    divisions = left_out(sets, providers, ["a", "c"])
    assert [(name, train.tolist(), test.tolist()) for name, train, test in divisions] == [
        ("a", [3, 5, 6, 8], [0, 1, 2]),
        ("c", [0, 1, 2, 3, 4, 5], [6, 7, 8]),
    ]


def test_a_museum_that_cannot_be_left_out_is_refused() -> None:
    sets = [DirectoryPairs("a", 0, 2, "", ""), DirectoryPairs("b", 2, 1, "", "")]
    with pytest.raises(PairsError, match="every museum of b has more records in another set"):
        left_out(sets, [("a", "a"), ("a", "a"), ("a", "a")], ["b"])
    with pytest.raises(PairsError, match="without a no pair is left to train on"):
        left_out(sets, [("a", "a"), ("a", "a"), ("b", "a")], ["a"])


def test_a_type_counts_where_more_than_one_pair_in_ten_has_anything_of_it() -> None:
    gold = np.zeros((10, 2))
    gold[:, 0] = range(10)
    gold[9, 1] = 4  # one pair in ten has an event: not more
    scores = gold + np.array([0.5, 1.0])
    result = measured("a", 7, gold, scores, KINDS)
    assert result.pearson == pytest.approx({"general": 1, "event": 1})
    assert result.counted == ("general",)
    # the scores are .5 too high in one type, 1 in the other, and both are shown: the mean is .75
    assert result.bias == pytest.approx(0.75)
    gold[8, 1] = 4
    assert measured("a", 7, gold, scores, KINDS).counted == KINDS


def test_scores_that_are_all_the_same_order_nothing() -> None:
    gold = np.array([[1.0, 2.0], [2.0, 2.0], [3.0, 2.0]])
    result = measured("a", 7, gold, np.full((3, 2), 2.0), KINDS)
    # 0 for general; where the gold does not vary nothing can be ordered, and the type does not count
    assert result.pearson["general"] == result.mean == 0
    assert np.isnan(result.pearson["event"])
    assert result.counted == ("general",)


def test_the_means_over_museums_are_of_each_and_the_pooled_r_of_all_pairs() -> None:
    gold = np.array([[0.0, 0.0], [2.0, 0.0], [3.0, 1.0], [5.0, 4.0]])
    scores = np.array([[1.0, 0.0], [2.0, 0.0], [4.0, 1.0], [3.0, 2.0]])
    museums = [
        measured("a", 2, gold[:2], scores[:2], KINDS),  # general 1, no event: mean 1
        measured("b", 2, gold[2:], scores[2:], KINDS),  # general -1, event 1: mean 0
    ]
    assert [museum.mean for museum in museums] == pytest.approx([1, 0])
    # a: |1.5 - 1| and 0; b: |3.5 - 4| and |1.5 - 2.5|
    assert [museum.bias for museum in museums] == pytest.approx([0.25, 0.75])
    result = together("how", museums, gold, scores, KINDS, [("a", "a")] * 2 + [("b", "b")] * 2, 1)
    assert (result.mean, result.bias) == pytest.approx((0.5, 0.5))
    assert result.by_type == pytest.approx({"general": 0, "event": 1})
    # general: deviations -2.5 -.5 .5 2.5 and -1.5 -.5 1.5 .5: 6 / sqrt(13 * 5);
    # event: -1.25 -1.25 -.25 2.75 and -.75 -.75 .25 1.25: 5.25 / sqrt(10.75 * 2.75)
    assert result.pooled == pytest.approx({"general": 0.74421, "event": 0.96558}, abs=1e-5)
    assert result.pooled_mean == pytest.approx((0.74421 + 0.96558) / 2, abs=1e-5)


def test_two_readers_of_a_pair_are_compared(museums: Path) -> None:
    judged = two_readers(museums / "mint")
    assert judged is not None
    # NA is 0, and the pair with one reader is left out
    assert judged[:, :, 0].tolist() == [[4, 2], [0, 0]]
    assert two_readers(museums / "north") is None
    gold = np.array([[3.0] * 2, [0.0] * 2])
    readers = measured("mint", 1, gold, gold, ("general", "author"), judged[..., :2]).readers
    assert readers is not None
    # 4 and 0 with 2 and 0; of the makers one reader says 1 and 0, the other nothing
    assert (readers.pairs, readers.pearson["general"], readers.mean) == (2, 1, 1)
    assert np.isnan(readers.pearson["author"])
    (museums / "mint" / "annotations.tsv").write_text("pair\tannotator\tgeneral\n1\t1\t4\n")
    with pytest.raises(PairsError, match="no column of pairs and of each type"):
        two_readers(museums / "mint")


@pytest.mark.usefixtures("analysed")
def test_every_museum_of_a_folder_is_left_out(config: Path, museums: Path) -> None:
    answer = document(run(config, "evaluate", "--museums", museums, "--json"))
    assert answer["pairs"]["number"] == 10  # type: ignore[index]
    result = answer["museums"]
    # without north the pairs of quay but the one with its boat, and all of the mint
    trained = {each["name"]: each["trained_on"] for each in result["museums"]}  # type: ignore[index]
    assert trained == {"mint": 4 + 3, "north": 2 + 3, "quay": 4 + 3}
    mint = result["museums"][0]  # type: ignore[index]
    assert "author" not in mint["counted"]
    assert "event" in mint["counted"]
    assert mint["pearson"]["author"] is None
    assert mint["readers"]["pairs"] == 2
    means = [each["mean"] for each in result["museums"]]  # type: ignore[index]
    assert result["mean"] == pytest.approx(np.mean(means))  # type: ignore[index]
    output = run(config, "evaluate", "--museums", museums).stdout
    starts = ["museum", "mint", "north", "quay", "mean of museums", "pooled", "two readers, mint"]
    lines = output.splitlines()
    assert [start for start in starts if any(line.startswith(start) for line in lines)] == starts
    assert "(–)" in next(line for line in lines if line.startswith("mint  "))


@pytest.mark.usefixtures("analysed")
def test_a_museum_left_out_scores_as_trained_and_tested_apart(config: Path, museums: Path) -> None:
    given = ("--pairs", museums / "north", "--pairs", museums / "quay")
    apart = document(run(config, "evaluate", *given, "--test", museums / "mint", "--json"))
    # what --pairs names only trains: two museums are known, the mint is left out
    answer = document(run(config, "evaluate", *given, "--museums", museums, "--json"))
    (mint,) = answer["museums"]["museums"]  # type: ignore[index]
    expected = apart["results"][0]["pearson"]  # type: ignore[index]
    counted = {kind: mint["pearson"][kind] for kind in mint["counted"]}
    assert counted == pytest.approx({kind: expected[kind] for kind in mint["counted"]})


@pytest.mark.usefixtures("analysed")
def test_the_weights_at_hand_score_every_museum(config: Path, museums: Path) -> None:
    run(config, "train", "--pairs", museums / "north", "--json")
    answer = document(run(config, "evaluate", "--museums", museums, "--at-hand", "--json"))
    result = answer["museums"]
    assert "the pairs of north among these, so the figures flatter it" in result["statement"]  # type: ignore[index]
    assert {each["trained_on"] for each in result["museums"]} == {0}  # type: ignore[index]
    alone = document(run(config, "evaluate", "--pairs", museums / "quay", "--json"))
    quay = result["museums"][2]  # type: ignore[index]
    assert quay["pearson"] == pytest.approx(alone["results"][0]["pearson"])  # type: ignore[index]
    # what has nothing to train scores the same in any case
    untrained = ("evaluate", "--museums", museums, "--system", "T0", "--json")
    assert document(run(config, *untrained)) == document(run(config, *untrained, "--at-hand"))


@pytest.mark.parametrize(
    "arguments",
    [
        ["--museums", ".", "--cv", "3"],
        ["--museums", ".", "--unseen"],
        ["--museums", ".", "--all"],
        ["--at-hand"],
        [],
        ["--museums", "nowhere"],
    ],
)
def test_what_says_nothing_to_measure_is_refused(config: Path, arguments: list[str]) -> None:
    assert type(run(config, "evaluate", *arguments).exception) is UsageError
