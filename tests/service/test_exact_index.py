"""Exact search by bounds finds what scoring every item finds, whatever the pace at which it drops."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from service.index.exact import ExactIndex, Pace

from ingest.record import Record
from models.regressors.curves import Curve, joined
from models.systems import System
from models.types import OFFICIAL
from service.index.local import LocalIndex
from service.index.port import Asked, Query, Seed
from tests.builders import FEATURES, fitted, random_records, random_system

HASTY = Pace(head=0.01, group=1, probes=1, few=0, kind=1)
SLOW = Pace(head=1.0, group=9, probes=9, few=100)


def curved(seed: int, gate: bool) -> System:
    """An additive system of random curves, up and down; ``gate``: people are nothing where ``all`` is 0."""
    numbers = np.random.default_rng(seed)

    def curve() -> Curve:
        grid = np.unique(numbers.random(4).round(1))
        grid = grid if len(grid) > 1 else np.array([0.0, 1.0])
        return Curve(grid, numbers.normal(0, 1, len(grid)), float(numbers.normal(0, 0.5)))

    names = tuple(FEATURES)
    shapes = joined([[curve() for _ in names] for _ in OFFICIAL], numbers.uniform(0, 2, len(OFFICIAL)))
    return System("curved", names, shapes, {OFFICIAL[2]: names[0]} if gate else {})


systems = st.builds(curved, st.integers(0, 1000), st.booleans()) | st.builds(
    random_system, st.integers(0, 1000), missing=st.sampled_from([0.0, 0.4])
)


def index(system: System, records: list[Record], pace: Pace) -> tuple[ExactIndex, LocalIndex]:
    collection = fitted(records)
    assert system.additive is not None
    return ExactIndex(collection, system, system.additive, pace), LocalIndex(collection, system)


@given(random_records(most=30), systems, st.integers(1, 8), st.sampled_from([HASTY, SLOW]), st.data())
def test_it_finds_what_scoring_every_item_finds(
    records: list[Record], system: System, limit: int, pace: Pace, data: st.DataObject
) -> None:
    exact, local = index(system, records, pace)
    row = data.draw(st.integers(0, len(records) - 1))
    allowed = data.draw(st.none() | st.lists(st.booleans(), min_size=len(records), max_size=len(records)))
    mask = None if allowed is None else np.array(allowed)
    for kind in OFFICIAL:
        query = Query((Seed(row),), mask, type=kind)
        found = exact.nearest(query, limit)
        assert found == local.nearest(query, limit)
        if found:
            # and goes on from any place in the order
            assert exact.nearest(query, limit, found[0]) == local.nearest(query, limit, found[0])
            assert exact.nearest(query, limit, found[-1]) == local.nearest(query, limit, found[-1])


@given(random_records(most=20), systems, st.integers(1, 8))
def test_all_types_at_once_are_as_one_by_one(records: list[Record], system: System, limit: int) -> None:
    exact, _ = index(system, records, HASTY)
    each = exact.nearest_of_each(Asked((Seed(0),)), limit)
    assert each == {kind: exact.nearest(Query((Seed(0),), type=kind), limit) for kind in OFFICIAL}


@given(random_records(least=3, most=20), systems, st.integers(1, 8), st.floats(-2, 2))
def test_several_seeds_are_answered_alike(
    records: list[Record], system: System, limit: int, weight: float
) -> None:
    exact, local = index(system, records, HASTY)
    query = Query((Seed(0), Seed(1, weight)), type=OFFICIAL[0])
    assert exact.nearest(query, limit) == local.nearest(query, limit)


def test_a_term_reaches_from_its_least_to_its_most() -> None:
    system = curved(3, gate=False)
    assert system.additive is not None
    values = np.append(np.linspace(0, 1, 101), np.nan)
    for feature in range(len(system.features)):
        for kind in OFFICIAL:
            least, most = system.additive.line(feature, OFFICIAL.index(kind)).reach
            terms = system.additive.term(feature, values)[:, OFFICIAL.index(kind)]
            assert least <= terms.min() + 1e-12
            assert terms.max() - 1e-12 <= most
