"""Records that say next to nothing, by the system that is shipped: what they lack makes no likeness."""

import os

import pytest

from ingest.record import Record, values
from service.composition import open_recommender
from service.search.recommender import Recommender
from service.settings import load_served

SPARSE = (
    Record(id="", title=values("-")),
    Record(id="", title=values("A chair")),
    Record(id="", source=values("Tate")),
    Record(id="", title=values("İstanbul İİİ ß ﬁ"), description=values("İstanbul'un eski bir görünüşü")),
)


@pytest.fixture(scope="module")
def recommender(sample: object) -> Recommender:
    with pytest.MonkeyPatch.context() as patch:
        for name in [name for name in os.environ if name.startswith("KINDRED_")]:
            patch.delenv(name)
        patch.setenv("KINDRED_STATE__DIRECTORY", str(sample))
        return open_recommender(load_served())


@pytest.mark.parametrize("left", range(len(SPARSE) - 1))
def test_what_neither_names_is_not_alike(recommender: Recommender, left: int) -> None:
    for right in SPARSE[left + 1 :]:
        explanations = recommender.score(SPARSE[left], right).explanations
        scores = {one.type: one.score for one in explanations}
        assert max(scores[kind] for kind in ("author", "people", "time", "event")) <= 2.0
