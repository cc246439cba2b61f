"""Feature values: fitted on the records of the pairs, profiles made once."""

import math
from pathlib import Path

import numpy as np
import pytest

from evaluation.scoring import fitted_features, pair_profiles
from evaluation.typed import read_pairs
from features.measures.registry import FeatureSettings
from features.measures.scope import Scope
from features.measures.tfidf import TfidfSettings
from features.measures.years import YearsSettings
from features.profiles.analysis import AnalysisSettings, Models
from tests.builders import NONE

DATA = Path(__file__).parents[1] / "data" / "typed"
SETTINGS = AnalysisSettings()


def test_profiles_are_made_once(tmp_path: Path, analysed: list[int]) -> None:
    pairs = read_pairs(DATA)
    first = pair_profiles(pairs, tmp_path / "pairs.sqlite", Models(tmp_path), SETTINGS)
    again = pair_profiles(pairs, tmp_path / "pairs.sqlite", Models(tmp_path), SETTINGS)
    assert analysed == [9]  # nine records in six pairs; the second call analyses nothing
    assert first == again
    assert set(first) == {record.id for record in pairs.records}


@pytest.mark.usefixtures("analysed")
def test_columns_are_fitted_on_the_records_of_the_pairs(tmp_path: Path) -> None:
    pairs = read_pairs(DATA)
    profiles = pair_profiles(pairs, tmp_path / "pairs.sqlite", Models(tmp_path), SETTINGS)
    features: dict[str, FeatureSettings] = {
        "subject": TfidfSettings(measure="tfidf", scope=Scope(parts=("subject",))),
        "years": YearsSettings(measure="years", parts=("date",), k=0.1, reading="written"),
    }
    values = fitted_features(pairs, features, profiles, NONE)(pairs.ids).values
    assert values.shape == (6, 2)
    # subjects of pair 1: mill river bridge, bridge snow river. Of nine records mill is in 2, river in 2,
    # bridge in 2, snow in 1, each record counting once: idf ln(1 + 9/2) thrice and ln(1 + 9)
    common, rare = math.log(1 + 9 / 2), math.log(1 + 9)
    cosine = 2 * common**2 / (math.sqrt(3) * common * math.sqrt(2 * common**2 + rare**2))
    assert values[0, 0] == pytest.approx(cosine)
    assert values[0, 1] == pytest.approx(0.7)  # 1871 and 1874
    assert np.isnan(values[1, 1])  # the model of a mill has no date: no information, not 0
    assert np.isnan(values[4, 0])
