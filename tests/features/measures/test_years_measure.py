from collections.abc import Sequence
from math import isnan
from typing import Literal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from features.measures.years import YearsSettings
from features.profiles.profile import Profile
from features.text.dates.years import Period
from tests.builders import profile, record, value
from tests.features.measures.columns import Tried, tried

WRITTEN = YearsSettings(measure="years")
COVERED = YearsSettings(measure="years", reading="covered")

spans = st.tuples(st.integers(1800, 1840), st.integers(0, 30)).map(
    lambda span: Period(span[0], span[0] + span[1], (span[0], span[0] + span[1]), 0, 4, "text")
)
timed = st.lists(spans, max_size=3).map(
    lambda periods: Profile((value("date", "text", periods=tuple(periods)),))
)
settings = st.builds(
    YearsSettings,
    measure=st.just("years"),
    reading=st.sampled_from(["written", "covered"]),
    k=st.sampled_from([0.02, 0.1, 0.5, 2.0]),
)


def column(profiles: Sequence[Profile], chosen: YearsSettings) -> Tried:
    return tried(profiles, chosen)


def dated(text: str, part: str = "date") -> Profile:
    return profile(record("a", **{part: text}))


@pytest.mark.parametrize(
    ("one", "two", "written", "covered"),
    [
        ("1840", "1840", 1.0, 1.0),
        ("1840", "1845", 0.5, 0.5),
        ("1840", "1850", 0.0, 0.0),
        ("1840", "1900", 0.0, 0.0),
        # a decade names its first year and covers ten
        ("1870s", "1879", 0.1, 1.0),
        ("1870s", "1884", 0.0, 0.5),
        # a century names its first and last year
        ("19th century", "1850", 0.0, 1.0),
        ("1823-1831", "1827", 0.6, 1.0),
        ("1823-1831", "1835-1840", 0.6, 0.6),
        # 100 of 633 years, and 501 of them; a wide interval is near itself
        ("1248-1880", "1750", 0.0, 100 / 633),
        ("1248-1880", "18th century", 0.0, 100 / 633),
        ("1248-1880", "1300-1800", 0.0, 501 / 633),
        ("1248-1880", "1248-1880", 1.0, 1.0),
        # the best pair counts
        ("1670; 1993", "1665; 1667; 1999", 0.7, 0.7),
    ],
)
def test_the_two_readings(one: str, two: str, written: float, covered: float) -> None:
    left, right = dated(one), dated(two)
    assert column([right], WRITTEN).pair(left, right) == pytest.approx(written)
    assert column([right], COVERED).pair(left, right) == pytest.approx(covered)


def test_k_is_the_loss_of_a_year() -> None:
    slow = YearsSettings(measure="years", k=0.01)
    assert column([], slow).pair(dated("1840"), dated("1890")) == pytest.approx(0.5)


def test_only_the_named_parts_are_read() -> None:
    narrow = YearsSettings(measure="years", parts=("date",))
    title, date = dated("built 1840", "title"), dated("1840")
    assert isnan(column([title], narrow).pair(title, date))
    assert column([title], WRITTEN).pair(title, date) == 1.0


def test_no_year_is_nan_and_far_apart_is_zero() -> None:
    scores = column([dated("1840"), dated("undated"), dated("1700")], WRITTEN).compare(dated("1841"))
    assert scores[0] == pytest.approx(0.9)
    assert isnan(scores[1])
    assert scores[2] == 0.0


@pytest.mark.parametrize("reading", ["written", "covered"])
def test_a_collection_without_years(reading: Literal["written", "covered"]) -> None:
    empty = column([dated("undated"), dated("n.d.")], YearsSettings(measure="years", reading=reading))
    assert np.isnan(empty.compare(dated("1840"))).all()


@given(settings, st.lists(timed, min_size=1, max_size=6), timed)
def test_it_keeps_the_promises_of_a_measure(
    chosen: YearsSettings, items: list[Profile], query: Profile
) -> None:
    years = column(items, chosen)
    unknown = [not (query.values[0].periods and item.values[0].periods) for item in items]
    assert [isnan(value) for value in years.promises(items, query)] == unknown
    own = years.pair(query, query)
    assert own == 1.0 if query.values[0].periods else isnan(own)


@given(timed, timed)
def test_what_is_covered_is_never_further_than_what_is_written(left: Profile, right: Profile) -> None:
    written, covered = (column([], chosen).pair(left, right) for chosen in (WRITTEN, COVERED))
    if left.values[0].periods and right.values[0].periods:
        assert covered >= written
    else:
        assert isnan(covered)
        assert isnan(written)


@given(settings, timed, timed)
def test_there_is_evidence_where_the_value_is_above_0(
    chosen: YearsSettings, left: Profile, right: Profile
) -> None:
    years = column([], chosen)
    pieces = years.evidence(left, right)
    assert [evidence.share for evidence in pieces] == ([1.0] if years.pair(left, right) > 0 else [])


def test_evidence_is_the_closest_pair() -> None:
    left, right = dated("1670 and 1993"), dated("1665, 1667, 1999")
    (piece,) = column([], WRITTEN).evidence(left, right)
    assert [(o.term, o.start, o.end) for o in (*piece.left, *piece.right)] == [
        ("1670", 0, 4),
        ("1667", 6, 10),
    ]


@pytest.mark.parametrize("k", [0, -0.1])
def test_a_loss_that_is_none_is_refused(k: float) -> None:
    with pytest.raises(ValueError, match="greater than 0"):
        YearsSettings(measure="years", k=k)
