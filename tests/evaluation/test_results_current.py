"""The published results are of this code: the features give what they gave when the results were made."""

from pathlib import Path

import msgspec
import pytest

from evaluation.sample_figures import FIGURES, SampleFigures, changed, sample_figures, sample_pairs
from service.settings import load
from tests.documents import ROOT

PUBLISHED = ROOT / "docs" / FIGURES


def test_the_sample_has_pairs_of_items_beside_each_other() -> None:
    pairs = sample_pairs()
    assert len(pairs) > 60
    assert all(left < right for left, right in pairs.ids)
    assert len({item for pair in pairs.ids for item in pair}) == 2 * len(pairs)


def test_the_published_results_are_of_these_features(
    whole_sample: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KINDRED_STATE__DIRECTORY", str(whole_sample))
    settings = load()
    published = msgspec.json.decode(PUBLISHED.read_bytes(), type=SampleFigures)
    systems = {
        name: settings.systems[name] for name in ("kindred", "T0", "T0-parsed", "ten-cosines", "TokenCos")
    }
    now = sample_figures(settings, systems)
    assert now.features.keys() <= published.features.keys()
    assert changed(published, now) == {}, (
        "docs/results.md is stale: run kindred results (docs/results.md says how)"
    )
