import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from features.measures.base import EvidencePair
from features.profiles.blocks import Block
from features.profiles.profile import Occurrence, Profile
from ingest.record import Field, Record
from models.explanation import FeatureContribution, ScoreExplanation, explain
from models.regressors.curves import Shapes
from models.regressors.linear import Weighted
from models.research.opaque import SvrSettings
from models.systems import System, fit
from models.types import OFFICIAL
from tests.builders import BASELINE, explained, fitted, profiles, random_records, random_system, record

LEFT = record("a", "Boats sailing in Venice", creator="Reed, Ada", date="1840")
RIGHT = record("b", "View of Venice", creator="Ada Reed", date="1842")


def parts(one: ScoreExplanation) -> tuple[FeatureContribution, ...]:
    assert one.contributions is not None
    return one.contributions


@given(st.integers(0, 10_000), st.sampled_from([0.0, 0.4]), random_records(least=2))
def test_contributions_add_up_to_the_score(seed: int, missing: float, records: list[Record]) -> None:
    system = random_system(seed, missing=missing)
    collection = fitted(records)
    left, right = collection.profile(0), collection.profile(1)
    block = Block([left, right])
    values = collection.pair(block, 0, 1, system.features)
    explanations = explain(system, collection.columns, block, (0, 1), OFFICIAL, values)
    assert [one.type for one in explanations] == list(OFFICIAL)
    raw, scores = system.raw(values), system.score(values)
    for one in explanations:
        at = system.position(one.type)
        assert one.contributions is not None
        assert one.base is not None
        assert one.base + sum(part.amount for part in one.contributions) == pytest.approx(one.raw, abs=1e-6)
        assert one.raw == pytest.approx(raw[at], abs=1e-6)
        assert one.score == pytest.approx(scores[at], abs=1e-6)
        assert 0.0 <= one.score <= 5.0
        check_parts(one, system, left, right)


def check_parts(one: ScoreExplanation, system: System, left: Profile, right: Profile) -> None:
    assert one.contributions is not None
    assert isinstance(system.regressor, Weighted)
    amounts = [abs(part.amount) for part in one.contributions]
    assert amounts == sorted(amounts, reverse=True)
    assert all(amounts)
    for part in one.contributions:
        assert part.feature in system.features
        counted = system.regressor.missing if part.value is None else part.value
        assert part.amount == pytest.approx(counted * (part.weight or 0.0))
        if part.value:
            assert sum(evidence.share for evidence in part.evidence) == pytest.approx(1.0)
        else:
            assert part.evidence == ()
        for evidence in part.evidence:
            assert evidence.left
            assert evidence.right
            check_places(evidence.left, left)
            check_places(evidence.right, right)


def check_places(occurrences: tuple[Occurrence, ...], of: Profile) -> None:
    standing = {(value.part, value.index) for value in of.values}
    assert {(occurrence.part, occurrence.index) for occurrence in occurrences} <= standing


def test_evidence_says_what_stands_on_either_side() -> None:
    general, author, people, time, *_ = explained(BASELINE, LEFT, RIGHT)
    (venice,) = [e for e in parts(general)[0].evidence if e.left[0].term == "venice"]
    assert LEFT.title[0].text[venice.left[0].start : venice.left[0].end] == "Venice"
    assert RIGHT.title[0].text[venice.right[0].start : venice.right[0].end] == "Venice"
    (name,) = parts(author)
    assert name.value == pytest.approx(1.0)
    spans = {(e.left[0].start, e.left[0].end, e.right[0].start, e.right[0].end) for e in name.evidence}
    assert spans == {(0, 9, 0, 8)}
    assert people.score == pytest.approx(5.0)
    assert time.contributions == ()
    assert (time.raw, time.score) == (0.0, 0.0)


def test_years_are_evidence_of_time() -> None:
    weights = random_system(0, ("years",))
    years = explained(weights, LEFT, RIGHT)
    part = next(part for one in years for part in parts(one))
    assert part.value == pytest.approx(0.8)
    (evidence,) = part.evidence
    assert (evidence.left[0].term, evidence.right[0].term) == ("1840", "1842")
    assert {evidence.left[0].part, evidence.right[0].part} == {Field.DATE.value}


def test_a_score_beyond_the_scale_is_clipped_and_says_so() -> None:
    big = System("big", ("years",), Weighted(np.full((1, 8), 9.0), np.ones(8)))
    (one,) = explained(big, LEFT, RIGHT, ("event",))
    assert one.raw == pytest.approx(1 + 9 * 0.8)
    assert one.score == 5.0


def test_no_information_is_no_value() -> None:
    empty = record("c", "!")
    assert all(one.contributions == () for one in explained(BASELINE, LEFT, empty))
    counted = random_system(3, missing=0.5)
    for one in explained(counted, LEFT, empty):
        assert parts(one)
        assert all(part.value is None and part.evidence == () for part in parts(one))


def test_where_neither_has_anything_of_a_type_there_is_no_score() -> None:
    # the toy says: 0 where neither text names a person
    line = Weighted(np.full((1, 8), 1.0), np.full(8, 2.0))
    system = System("s", ("all", "person"), line, {"people": "person"})
    block = Block(profiles([record("a", "boat"), record("b", "boat")]))
    columns = fitted([LEFT, RIGHT]).columns
    for people, inapplicable in ((0.0, True), (0.5, False), (np.nan, True)):
        explanations = explain(system, columns, block, (0, 1), OFFICIAL, np.array([1.0, people]))
        assert [one.type for one in explanations if one.not_applicable] == (
            ["people"] if inapplicable else []
        )
        general, third = explanations[0], explanations[2]
        assert (general.score, general.raw) == (3.0, 3.0)
        if inapplicable:
            assert (third.score, third.raw, third.base, third.contributions) == (0.0, None, None, ())
        # a feature that only says whether there is anything adds to no score
        assert all(part.feature == "all" for one in explanations for part in parts(one))


def test_a_shape_has_an_amount_and_no_weight() -> None:
    heights = np.repeat([[0.0], [1.5]], 8, axis=1)
    # a line from 0 at 0 to 1.5 at .8, the value of these two
    shapes = Shapes((np.array([0.0, 0.8]),), (heights,), np.full((1, 8), 0.25), np.ones(8))
    system = System("s", ("years",), shapes)
    for right, value, amount in ((RIGHT, 0.8, 1.5), (record("c", "!"), None, 0.25)):
        for one in explained(system, LEFT, right):
            (part,) = parts(one)
            assert (part.weight, one.base, one.raw) == (None, 1.0, 1.0 + part.amount)
            assert part.amount == pytest.approx(amount)
            assert part.value == (value if value is None else pytest.approx(value))


def test_what_is_not_additive_has_a_score_and_no_contributions() -> None:
    values = np.random.default_rng(0).random((20, 1))
    row = SvrSettings(title="t", regressor="svr", features=("years",))
    system = fit("s", row, values, np.repeat(values * 5, 8, axis=1))
    explanations = explained(system, LEFT, RIGHT)
    assert [one.type for one in explanations] == list(OFFICIAL)
    for one in explanations:
        assert (one.base, one.contributions, one.not_applicable) == (None, None, False)
        assert one.score == pytest.approx(system.score(np.array([[0.8]]))[0, 0])


@pytest.mark.parametrize("value", [0.0, None])
def test_a_value_of_nothing_rests_on_nothing(value: float | None) -> None:
    def find() -> tuple[EvidencePair, ...]:
        raise AssertionError("a measure is asked for the evidence of a value above 0 only")

    assert FeatureContribution("makers", value, None, -0.5, find).evidence == ()
