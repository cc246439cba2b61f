from collections.abc import Sequence
from math import isnan, log, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from features.measures.intervals import Expected, IntervalsSettings, YearDistance, nearness
from features.profiles.profile import Profile
from features.text.dates.years import Period
from tests.builders import profile, record, value
from tests.features.measures.columns import Tried, tried

DISTANCES: tuple[YearDistance, ...] = ("gap", "middle", "ends")
KINDS = (*DISTANCES, "expected")

spans = st.tuples(st.integers(-50, 2020), st.integers(0, 400)).map(
    lambda span: Period(span[0], span[0] + span[1], (span[0], span[0] + span[1]), 0, 4, "text")
)
timed = st.lists(spans, max_size=3).map(
    lambda periods: Profile((value("date", "text", periods=tuple(periods)),))
)
chosen = st.builds(
    IntervalsSettings,
    measure=st.just("intervals"),
    kind=st.sampled_from(KINDS),
    scale=st.sampled_from([10.0, 300.0, 999.0]),
)


def settings(**given: object) -> IntervalsSettings:
    return IntervalsSettings.model_validate({"measure": "intervals", "kind": "gap", "scale": 999} | given)


def column(profiles: Sequence[Profile], of: IntervalsSettings) -> Tried:
    return tried(profiles, of)


def dated(text: str, **fields: str) -> Profile:
    return profile(record("a", date=text, **fields))


def near(years: float) -> float:
    return 1 - log(1 + years) / log(1000)


@pytest.mark.parametrize(
    ("one", "two", "gap", "middle", "ends"),
    [
        ("1840", "1840", 0, 0, 0),
        ("1840", "1849", 9, 9, 9),
        # 1840-1850 and 1845-1865 overlap; their middles 1845 and 1855; their ends 5 and 15 apart
        ("1840-1850", "1845-1865", 0, 10, 10),
        # one within the other: no gap, one middle, ends 40 apart on average
        ("1810-1890", "1850", 0, 0, 40),
        # all expressions of a side are one interval: 1870 to 1893
        ("1870; 1893", "1880", 0, 1.5, 11.5),
        # a placeholder is kept as its year
        ("01/01/1880", "1883", 3, 3, 3),
    ],
)
def test_the_three_distances(one: str, two: str, gap: float, middle: float, ends: float) -> None:
    left, right = dated(one), dated(two)
    values = [column([], settings(kind=kind)).pair(left, right) for kind in DISTANCES]
    assert values == pytest.approx([near(gap), near(middle), near(ends)])


@given(spans, spans, st.sampled_from([5.0, 99.5, 300.0]))
def test_the_expected_nearness_is_that_of_all_years(one: Period, two: Period, scale: float) -> None:
    def mean(left: Period, right: Period) -> float:
        ours, theirs = (np.arange(side.first, side.last + 1.0) for side in (left, right))
        return float(nearness(np.abs(ours[:, np.newaxis] - theirs), scale).mean())

    bounds = np.array([[two.first, two.last]], np.float64)
    values = Expected(scale).of((one.first, one.last), bounds)[0]
    # the mean of each with itself makes it 1 where both are the same
    assert values == pytest.approx(mean(one, two) / sqrt(mean(one, one) * mean(two, two)), abs=1e-9)


def test_wide_intervals_that_share_most_years_are_near_though_their_middles_are_not() -> None:
    wide, wider, point = dated("1070-664 BC"), dated("1070-332 BC"), dated("1070 BC")
    expected, middle = (column([], settings(kind=kind)) for kind in ("expected", "middle"))
    assert expected.pair(wide, wider) > 0.8
    assert middle.pair(wide, wider) < 0.3
    assert expected.pair(point, wider) < expected.pair(wide, wider)


def test_a_named_time_never_widens_years() -> None:
    of = settings(first=("date",), kind="ends")
    # the title's Edo period, 1615 to 1868, counts where no year is known
    named = dated("undated", title="Tea bowl of the Edo period")
    assert column([], of).pair(named, dated("1615-1868")) == pytest.approx(1.0)
    assert column([], of).pair(named, dated("Edo period")) == pytest.approx(1.0)
    assert column([], of).evidence(named, dated("1700"))[0].left[0].term == "Edo period"
    bought = dated("undated", title="Tea bowl of the Edo period", description="Bought in 1990")
    assert column([], of).pair(bought, dated("1990")) == pytest.approx(1.0)
    known = dated("1700", title="Tea bowl of the Edo period")
    assert column([], of).pair(known, dated("1700")) == pytest.approx(1.0)
    # in the date field it stands over years elsewhere
    field = dated("Edo period", description="Bought in 1990")
    assert column([], of).pair(field, dated("1615-1868")) == pytest.approx(1.0)


def test_nothing_remains_at_the_scale() -> None:
    left, right = dated("1800"), dated("1810")
    # ln 11 / ln 21 is lost at a scale of 20
    assert column([], settings(scale=20)).pair(left, right) == pytest.approx(1 - log(11) / log(21))
    assert column([], settings(scale=10)).pair(left, right) == pytest.approx(0, abs=1e-12)
    assert column([], settings(scale=5)).pair(left, right) == 0
    with pytest.raises(ValueError, match="greater than 0"):
        settings(scale=0)


def test_the_first_parts_are_read_alone_where_they_name_a_date() -> None:
    first = settings(first=["date"])
    left = dated("1840", title="Purchased 1979")
    assert column([], first).pair(left, dated("1840")) == 1
    assert column([], first).pair(dated("", title="1840"), left) == 1
    # without first: 1840 to 1979 and 1840: middles 69.5 years apart
    assert column([], settings(kind="middle")).pair(left, dated("1840")) == pytest.approx(near(69.5))


def test_no_date_is_nan() -> None:
    scores = column([dated("1840"), dated("undated")], settings()).compare(dated("1840"))
    assert scores[0] == 1
    assert isnan(scores[1])
    assert np.isnan(column([dated("1840")], settings()).compare(dated("undated"))).all()
    assert column([], settings()).compare(dated("1840")).tolist() == []


@given(chosen, st.lists(timed, min_size=1, max_size=6), timed)
def test_it_keeps_the_promises_of_a_measure(
    of: IntervalsSettings, items: list[Profile], query: Profile
) -> None:
    measured = column(items, of)
    unknown = [not (query.values[0].periods and item.values[0].periods) for item in items]
    assert [isnan(value) for value in measured.promises(items, query)] == unknown
    own = measured.pair(query, query)
    assert own == 1 if query.values[0].periods else isnan(own)


@given(timed, timed)
def test_a_gap_is_never_wider_than_the_middles_are_apart_nor_these_than_the_ends(
    left: Profile, right: Profile
) -> None:
    gap, middle, ends = (column([], settings(kind=kind)).pair(left, right) for kind in DISTANCES)
    if left.values[0].periods and right.values[0].periods:
        assert gap >= middle - 1e-12
        assert middle >= ends - 1e-12
    else:
        assert isnan(gap)
        assert isnan(middle)
        assert isnan(ends)


def test_evidence_is_what_bounds_either_interval() -> None:
    measured = column([], settings())
    (piece,) = measured.evidence(dated("1893; 1870; 1880s"), dated("19th century"))
    assert [(one.term, one.start, one.end) for one in piece.left] == [("1870", 6, 10), ("1893", 0, 4)]
    assert [one.term for one in piece.right] == ["19th century"]
    assert piece.share == 1
    assert measured.evidence(dated("1840"), dated("undated")) == ()
    assert column([], settings(scale=5)).evidence(dated("1800"), dated("1900")) == ()


def test_an_undated_item_takes_the_working_years_of_its_maker() -> None:
    by = [dated(text, creator="Reed, Ada") for text in ("1840", "1844-1846", "1860")]
    undated = profile(record("u", "A dog, bought 1990", creator="Ada Reed", date="date not known"))
    stranger = profile(record("s", "A dog", creator="Tom Hall", date="date not known"))
    of = settings(kind="ends", first=("date",), makers=True)
    values = column([*by, undated, stranger], of)
    # the medians of 1840, 1844, 1860 and of 1840, 1846, 1860; the year of acquisition is passed over
    assert values.pair(undated, dated("1844-1846")) == pytest.approx(1.0)
    assert values.compare(by[2])[3] == pytest.approx(near((16 + 14) / 2))
    assert np.isnan(values.pair(stranger, by[0]))
    assert values.evidence(undated, by[0])[0].left[0].part == "creator"
    # one who is shown made nothing
    shown = profile(record("h", "A portrait", people="Ada Reed"))
    assert np.isnan(values.pair(shown, by[0]))
    # a firm that works for centuries is nobody's life
    of_firm = [dated(str(year), creator="Reed, Ada") for year in (1720, 1790, 1860)]
    unnamed = profile(record("v", "A dog", creator="Ada Reed"))
    assert np.isnan(column([*of_firm, unnamed], of).pair(unnamed, of_firm[1]))
    without = column([*by, undated], settings(kind="ends", first=("date",)))
    assert without.pair(undated, dated("1990")) == pytest.approx(1.0)
