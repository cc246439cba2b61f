from math import exp, isnan

import numpy as np
import pytest
from hypothesis import given

from features.arrays import Doubles
from features.collection.collection import Built
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


def sentence(feature: str, left: Record, right: Record) -> str:
    system = System("one", (feature,), Weighted(np.full((1, 8), 5.0), np.zeros(8)))
    (one,) = explained(system, left, right, ("people",), DECLARED)
    return reason(one, left, right, DECLARED, TYPES).text


def test_the_reason_tells_what_is_there() -> None:
    left, right = (
        record("a", "old boat", description="old mill"),
        record("b", "boats", description="the mill"),
    )
    assert sentence("seen", left, right) == "No shared person found; both mention “mill”."
    assert sentence("boats", left, right) == "No shared person found; both have “boat”."
