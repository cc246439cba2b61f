from math import exp, isnan

import numpy as np
import pytest
from hypothesis import given

from features.collection.collection import Collection
from features.measures.base import Rows, Scores
from features.measures.tfidf import TfidfColumn
from features.profiles.profile import Profile
from ingest.record import Record
from models.explanation import explain
from models.regressors.linear import Weighted
from models.systems import System
from service.reasons import reason
from tests.builders import TYPES, features, fitted, profile, random_records, record

DECLARED = features(
    words={"measure": "tfidf", "scope": {"parts": ["description"]}},
    boats={"measure": "presence", "signs": [{"scope": {"parts": ["title"], "lemmas": ["boat"]}}]},
    seen={"measure": "gated", "of": "words", "by": "boats"},
    # of a derived feature that was declared before it
    twice={"measure": "gated", "of": "seen", "by": "boats"},
)
NAMES = tuple(DECLARED)
P = 1 - exp(-1)


def held(*records: Record) -> Collection:
    return fitted(records, DECLARED)


def test_a_feature_counts_as_far_as_there_is_anything() -> None:
    boats, more, sea = (
        record("a", "boat", description="old"),
        record("b", "boats"),
        record("c", "sea", description="old"),
    )
    rows = held(boats, more, sea)
    found = rows.compare(profile(boats), ["seen", "twice"])
    # with itself 1 x p; without a description 0, not unknown; without a boat 0
    assert found["seen"] == pytest.approx([P, 0, 0])
    assert found["twice"] == pytest.approx([P * P, 0, 0])
    assert isnan(rows.pair(profile(boats), Profile(()), ["seen"])[0])


@given(random_records(least=2))
def test_compare_is_pair_for_every_row(records: list[Record]) -> None:
    rows = held(*records)
    query = profile(records[0])
    compared = rows.compare(query, NAMES)
    for row in range(len(rows)):
        other = rows.profile(row)
        pair = rows.pair(query, other, NAMES)
        assert [compared[name][row] for name in NAMES] == pytest.approx(pair, nan_ok=True, abs=1e-12)
        assert pair == pytest.approx(rows.pair(other, query, NAMES), nan_ok=True, abs=1e-12)
        assert pair == pytest.approx([rows.columns[name].pair(query, other) for name in NAMES], nan_ok=True)
        assert all(isnan(value) or 0 <= value <= 1 for value in pair)


def test_what_several_features_are_made_of_is_compared_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    compare = TfidfColumn.compare

    def counted(self: TfidfColumn, of: Profile, rows: Rows | None = None) -> Scores:
        asked.append("words")
        return compare(self, of, rows)

    monkeypatch.setattr(TfidfColumn, "compare", counted)
    rows = held(record("a", "boat", description="old"))
    assert list(rows.compare(rows.profile(0), ["twice", "words", "seen"])) == ["twice", "words", "seen"]
    assert asked == ["words"]
    assert rows.pair(rows.profile(0), rows.profile(0), []).tolist() == []


def test_evidence_is_that_of_the_feature() -> None:
    left, right = record("a", "boat", description="old mill"), record("b", "boats", description="mill")
    rows = held(left, right)
    (found,) = rows.columns["seen"].evidence(profile(left), profile(right))
    assert [(one.term, one.part) for one in found.left] == [("mill", "description")]
    away = record("c", "sea", description="mill")
    assert rows.columns["seen"].evidence(profile(left), profile(away)) == ()


def sentence(feature: str, left: Record, right: Record) -> str:
    rows = held(left, right)
    system = System("one", (feature,), Weighted(np.full((1, 8), 5.0), np.zeros(8)))
    ours, theirs = profile(left), profile(right)
    values = rows.pair(ours, theirs, system.features)
    (one,) = explain(system, rows.columns, ours, theirs, ("people",), values)
    return reason(one, left, right, DECLARED, TYPES)


def test_the_reason_tells_what_is_there() -> None:
    left, right = (
        record("a", "old boat", description="old mill"),
        record("b", "boats", description="the mill"),
    )
    assert sentence("seen", left, right) == "Both mention “mill”."
    assert sentence("boats", left, right) == "Both have “boat”."
