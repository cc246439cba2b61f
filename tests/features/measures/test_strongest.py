import numpy as np
import pytest

from features.measures.derived import StrongestSettings
from tests.builders import RECORDS, features, fitted, profile, record
from tests.features.measures.columns import Tried, query_of

DECLARED = features(
    location={"measure": "tfidf", "scope": {"parts": ["title", "places"], "entities": ["location"]}},
    creator={"measure": "tfidf", "scope": {"parts": ["creator"], "names": True}},
    best={"measure": "strongest", "of": {"location": 1.0, "creator": 0.5}, "meaning": "places"},
)


def test_a_place_counts_whole_and_a_maker_half() -> None:
    column = Tried(fitted(RECORDS, DECLARED).columns["best"])
    venice, boats = profile(RECORDS[0]), profile(RECORDS[1])
    other = profile(record("x", "A dog", creator="Ada Reed"))
    nothing = profile(record("y", "A dog"))
    assert column.pair(venice, boats) == pytest.approx(1.0)  # both name Venice alone
    assert column.pair(venice, other) == pytest.approx(0.5)  # no place, but the same maker
    assert np.isnan(column.pair(other, nothing))


def test_the_evidence_is_that_of_the_strongest() -> None:
    column = Tried(fitted(RECORDS, DECLARED).columns["best"])
    venice, boats = profile(RECORDS[0]), profile(RECORDS[1])
    other = profile(record("x", "A dog", creator="Ada Reed"))
    assert {one.left[0].term for one in column.evidence(venice, boats)} == {"venice"}
    assert {one.left[0].part for one in column.evidence(venice, other)} == {"creator"}
    assert column.evidence(venice, profile(record("y", "A dog"))) == ()


def test_what_is_compared_with_all_is_what_is_compared_in_pairs() -> None:
    collection = fitted(RECORDS, DECLARED)
    best = Tried(collection.columns["best"])
    for one in RECORDS:
        pairs = [best.pair(profile(one), collection.profile(row)) for row in range(len(RECORDS))]
        values = collection.compare(query_of(profile(one)), ["best"])["best"]
        assert values == pytest.approx(pairs, nan_ok=True)


@pytest.mark.parametrize("of", [{}, {"location": 0.0}, {"location": 1.5}])
def test_factors_are_above_0_and_1_at_most(of: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="of"):
        StrongestSettings.model_validate({"measure": "strongest", "of": of})
