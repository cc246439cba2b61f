"""Iconclass notations are alike by how much of their path through the hierarchy they share."""

import pytest
from msgspec.structs import replace

from features.measures.overlap import OverlapSettings
from features.measures.scope import Scope
from ingest.record import Entity
from tests.builders import profile, record
from tests.features.measures.columns import tried

JACCARD = OverlapSettings(
    measure="overlap", kind="jaccard", scope=Scope(parts=("subject", "concepts"), notations=True)
)


def test_the_longer_the_shared_path_the_more_alike() -> None:
    butterfly = profile(record("a", concepts="25F711(BUTTERFLY)"))
    moth = profile(record("b", subject="25F711(MOTH)"))
    plant = profile(record("c", concepts="25G3"))
    woman = profile(record("d", concepts="31D15"))
    words = profile(record("e", concepts="25F711 butterfly"))
    items = [butterfly, moth, plant, woman, words]
    # the address of a concept says what its words do not
    addressed = profile(
        replace(
            record("f", concepts="night moth"),
            entities=(Entity("concepts", "http://iconclass.org/25F711(MOTH)", "night moth"),),
        )
    )
    assert tried(items, JACCARD).pair(addressed, moth) == 1
    # a butterfly is on 6 paths, 25 to 25F711(BUTTERFLY), and shares 5 of 7 with a moth; a plant is on 25,
    # 25G and 25G3, of which it shares 1 of 8; a text that is more than a notation is none
    assert tried(items, JACCARD).promises(items, butterfly) == pytest.approx(
        [1, 5 / 7, 1 / 8, 0, float("nan")], nan_ok=True
    )


def test_a_scene_that_a_text_names_is_its_notation() -> None:
    scope = Scope(parts=("title", "concepts"), notations=True)
    measure = OverlapSettings(measure="overlap", kind="jaccard", scope=scope)
    named = profile(record("a", "The Flight into Egypt"))
    elsewhere = profile(record("b", "Die Flucht nach Ägypten"))
    given = profile(record("c", "A print", concepts="73B641"))
    magi = profile(record("d", "The Adoration of the Magi"))
    mill = profile(record("e", "A mill"))
    items = [named, elsewhere, given, magi, mill]
    # 73, 73B, 73B6, 73B64, 73B641 of the flight; of the Magi's 73, 73B, 73B5, 73B57 the first two: 2 of 7
    assert tried(items, measure).promises(items, named) == pytest.approx(
        [1, 1, 1, 2 / 7, float("nan")], nan_ok=True
    )
