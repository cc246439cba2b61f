import numpy as np
import pytest

from features.measures.derived import WeakestSettings
from tests.builders import features, fitted, profile, record
from tests.features.measures.columns import Tried

RECORDS = (
    record("a", "Storm at Sea", creator="Ada Reed", date="1840"),
    record("b", "Storm at Sea", creator="Ada Reed", date="1841"),
    record("c", "Storm at Sea", creator="Carl Blum", date="1840"),
    record("d", "A Dog", creator="Ada Reed", date="1840"),
    record("e", "Storm at Sea", date="1840"),
)
FEATURES = features(
    title={"measure": "tfidf", "scope": {"parts": ["title"]}},
    makers={"measure": "names"},
    dates={"measure": "intervals", "kind": "gap"},
    versions={"measure": "weakest", "of": ["title", "makers", "dates"]},
)


def test_versions_of_one_work_agree_in_title_maker_and_time() -> None:
    column = Tried(fitted(RECORDS, FEATURES).columns["versions"])
    work, version, copy, other, unsigned = map(profile, RECORDS)
    # the years differ by one of 300: 1 - ln 2 / ln 301
    assert column.pair(work, version) == pytest.approx(1 - np.log(2) / np.log(301))
    assert column.pair(work, copy) == 0
    assert column.pair(work, other) == 0
    assert np.isnan(column.pair(work, unsigned))


def test_the_evidence_is_that_of_the_part_named_first() -> None:
    column = Tried(fitted(RECORDS, FEATURES).columns["versions"])
    work, version, copy, *_ = map(profile, RECORDS)
    assert {one.left[0].term for one in column.evidence(work, version)} == {"storm", "at", "sea"}
    assert column.evidence(work, copy) == ()


def test_one_feature_alone_is_no_weakest_of_several() -> None:
    with pytest.raises(ValueError, match="of"):
        WeakestSettings.model_validate({"measure": "weakest", "of": ["title"]})
