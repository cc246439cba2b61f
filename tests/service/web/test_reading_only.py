"""Questions write nothing: a state that may only be read answers about words that no item has."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from fastapi.testclient import TestClient
from pydantic import TypeAdapter

from features.collection.build import build
from features.collection.collection import Built
from features.knowledge.resources import Resources, ResourceSettings
from features.measures.registry import FeatureSettings
from models.regressors.linear import Weighted
from models.systems import System
from models.types import OFFICIAL
from service.search.engines.local.index import LocalIndex
from service.search.recommender import Recommender
from service.settings import Settings
from service.web.api.app import create_app
from tests.service.builders import items, profiles, record

WORDNET = Path(__file__).parents[2] / "data" / "wordnet"
WALKS = {
    name: TypeAdapter[FeatureSettings](FeatureSettings).validate_python(
        {"measure": "walk", "graph": "wordnet", "similarity": name, "scope": {"form": "lemma"}}
    )
    for name in ("document", "pairwise")
}
SYSTEM = System(
    "walks", ("document", "pairwise"), Weighted(np.full((2, len(OFFICIAL)), 2.5), np.zeros(len(OFFICIAL)))
)


def opened(state: Path) -> Resources:
    return Resources(ResourceSettings(wordnet=WORDNET), state)


def files(state: Path) -> dict[Path, tuple[int, int, int]]:
    """Every file and folder with its mode, size and time."""
    stats = {path: path.stat() for path in [state, *state.rglob("*")]}
    return {path: (stat.st_mode, stat.st_size, stat.st_mtime_ns) for path, stat in stats.items()}


@pytest.fixture
def state(tmp_path: Path) -> Iterator[Path]:
    records = [record("a", "girl"), record("b", "girl child")]
    folder = tmp_path / "state"
    build(folder / "collection", items(records), WALKS, opened(folder), revision=1, pipeline="toy")
    changed = [folder, *folder.rglob("*")]
    for path in changed:
        path.chmod(0o555 if path.is_dir() else 0o444)
    yield folder
    for path in changed:
        path.chmod(0o755 if path.is_dir() else 0o644)


def test_new_words_are_scored_and_nothing_is_written(state: Path, settings: Settings) -> None:
    collection = Built.open(state / "collection", opened(state))
    before = files(state)
    given = {"title": ["woman painter"]}
    with TestClient(
        create_app(Recommender(LocalIndex(collection, SYSTEM), SYSTEM, profiles), settings)
    ) as client:
        answers = [
            client.post("/score", json={"left": given, "right": right, "explain": True})
            for right in ({"id": "a"}, given, {"title": ["person object"]})
        ]
    assert [answer.status_code for answer in answers] == [200, 200, 200]
    near, same, _ = (answer.json()["scores"]["general"] for answer in answers)
    # the same words are the same walks; a woman and a girl lie near each other in WordNet
    assert same == pytest.approx(5, abs=0.01)
    assert 0 < near < same
    # whoever is root may write where nobody may: no file was touched at all
    assert files(state) == before
