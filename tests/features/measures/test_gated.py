from math import exp, isnan

import numpy as np
import pytest
from hypothesis import given
from pydantic import ValidationError

from features.arrays import Doubles
from features.collection.collection import Built
from features.measures.derived import GatedSettings
from features.measures.tfidf import TfidfColumn, Vectors
from features.profiles.blocks import Block
from features.profiles.profile import Profile
from ingest.record import Record
from models.regressors.linear import Weighted
from models.systems import System
from service.explain.reasons import reason
from tests.builders import TYPES, explained, features, fitted, profile, random_records, record
from tests.features.measures.columns import Tried, query_of

DECLARED = features(
    words={"measure": "tfidf", "scope": {"parts": ["description"]}},
    boats={"measure": "presence", "signs": [{"scope": {"parts": ["title"], "lemmas": ["boat"]}}]},
    seen={"measure": "gated", "of": "words", "by": "boats"},
    # of a derived feature that was declared before it
    twice={"measure": "gated", "of": "seen", "by": "boats"},
    ashore={"measure": "gated", "of": "words", "unless": "boats"},
)
NAMES = tuple(DECLARED)
P = 1 - exp(-1)


def built(*records: Record) -> Built:
    return fitted(records, DECLARED)


def test_a_feature_counts_as_far_as_there_is_anything() -> None:
    boats, more, sea = (
        record("a", "boat", description="old"),
        record("b", "boats"),
        record("c", "sea", description="old"),
    )
    rows = built(boats, more, sea)
    values = rows.compare(query_of(profile(boats)), ["seen", "twice"])
    # with itself 1 x p; without a description 0, not unknown; without a boat 0
    assert values["seen"] == pytest.approx([P, 0, 0])
    assert values["twice"] == pytest.approx([P * P, 0, 0])
    assert isnan(rows.pair(Block([profile(boats), Profile(())]), 0, 1, ["seen"])[0])


def test_a_feature_counts_as_far_as_something_is_absent() -> None:
    boat, sea, nothing = (
        record("a", "boat", description="old"),
        record("b", "sea", description="old"),
        record("c", "sea"),
    )
    rows = built(boat, sea, nothing)
    # of two boats 1 x (1 - p); where one has no boat 1 x (1 - 0); without a description 0, not unknown
    assert rows.compare(query_of(profile(boat)), ["ashore"])["ashore"] == pytest.approx([1 - P, 1, 0])


@pytest.mark.parametrize("gates", [{}, {"by": "boats", "unless": "boats"}])
def test_a_gate_is_one_of_the_two(gates: dict[str, str]) -> None:
    with pytest.raises(ValidationError, match="give one of the keys by and unless"):
        GatedSettings(measure="gated", of="words", **gates)


@given(random_records(least=2))
def test_compare_is_pair_for_every_row(records: list[Record]) -> None:
    rows = built(*records)
    query = profile(records[0])
    compared = rows.compare(query_of(query), NAMES)
    for row in range(len(rows)):
        block = Block([query, rows.profile(row)])
        pair = rows.pair(block, 0, 1, NAMES)
        assert [compared[name][row] for name in NAMES] == pytest.approx(pair, nan_ok=True, abs=1e-12)
        assert pair == pytest.approx(rows.pair(block, 1, 0, NAMES), nan_ok=True, abs=1e-12)
        assert pair == pytest.approx([rows.columns[name].value(block, 0, 1) for name in NAMES], nan_ok=True)
        assert all(isnan(value) or 0 <= value <= 1 for value in pair)


def test_what_several_features_are_made_of_is_compared_once(monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[str] = []
    similarities = TfidfColumn.similarities

    def counted(self: TfidfColumn, query: Vectors, table: Vectors) -> Doubles:
        compared.append("words")
        return similarities(self, query, table)

    monkeypatch.setattr(TfidfColumn, "similarities", counted)
    rows = built(record("a", "boat", description="old"))
    assert list(rows.compare(rows.query(0), ["twice", "words", "seen"])) == ["twice", "words", "seen"]
    assert compared == ["words"]
    assert rows.pair(Block([rows.profile(0)]), 0, 0, []).tolist() == []


def test_evidence_is_that_of_the_feature() -> None:
    left, right = record("a", "boat", description="old mill"), record("b", "boats", description="mill")
    seen = Tried(built(left, right).columns["seen"])
    (piece,) = seen.evidence(profile(left), profile(right))
    assert [(one.term, one.part) for one in piece.left] == [("mill", "description")]
    away = record("c", "sea", description="mill")
    assert seen.evidence(profile(left), profile(away)) == ()


def test_there_is_no_evidence_of_what_does_not_count() -> None:
    declared = features(
        words={"measure": "tfidf", "scope": {"parts": ["description"]}},
        titled={"measure": "known", "of": "titles"},
        titles={"measure": "tfidf", "scope": {"parts": ["title"]}},
        untitled={"measure": "gated", "of": "words", "unless": "titled"},
    )
    left, right = record("a", "boat", description="mill"), record("b", "sea", description="mill")
    bare = record("c", "", description="mill")
    untitled = Tried(fitted((left, right, bare), declared).columns["untitled"])
    assert untitled.evidence(profile(left), profile(right)) == ()
    (piece,) = untitled.evidence(profile(left), profile(bare))
    assert [one.term for one in piece.left] == ["mill"]


def sentence(feature: str, left: Record, right: Record) -> str:
    system = System("one", (feature,), Weighted(np.full((1, 8), 5.0), np.zeros(8)))
    (one,) = explained(system, left, right, ("people",), DECLARED)
    return reason(one, left, right, DECLARED, TYPES).text


def test_the_reason_tells_what_is_there() -> None:
    left, right = (
        record("a", "old boat", description="old mill"),
        record("b", "boats", description="the mill"),
    )
    assert sentence("seen", left, right) == "No shared person found; both have “mill” in the description."
    assert sentence("boats", left, right) == "No shared person found; both have “boat”."
