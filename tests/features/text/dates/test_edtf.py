"""Dates in the Extended Date/Time Format, in and out."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from features.text.dates.edtf import edtf, edtf_period
from features.text.dates.fields import date_periods, dates_edtf

# the examples of the specification, and the years that they cover
LEVEL_0 = [
    *(("1985-04-12", 1985, 1985), ("1000", 1000, 1000), ("1985-04", 1985, 1985), ("1985", 1985, 1985)),
    *(("1985-04-12T23:20:30", 1985, 1985), ("1985-04-12T23:20:30Z", 1985, 1985)),
    *(("1964/2008", 1964, 2008), ("2004-06/2006-08", 2004, 2006), ("2004-02-01/2005-02-08", 2004, 2005)),
    *(("2004-02-01/2005-02", 2004, 2005), ("2004-02-01/2005", 2004, 2005), ("2005/2006-02", 2005, 2006)),
]
LEVEL_1 = [
    *(("1984?", 1984, 1984), ("2004-06~", 2004, 2004), ("2004-06-11%", 2004, 2004)),
    *(("201X", 2010, 2019), ("20XX", 2000, 2099), ("2004-XX", 2004, 2004), ("1985-04-XX", 1985, 1985)),
    *(("1985-XX-XX", 1985, 1985), ("1985-04-12/..", 1985, 2010), ("1985-04/", 1985, 2010)),
    *(("../1985-04-12", 1960, 1985), ("/1985", 1960, 1985), ("-1985", -1986, -1986), ("-0043", -44, -44)),
    *(("Y-50000", -50001, -50001), ("1984~/2004-06", 1984, 2004), ("1984-06?/2004-08?", 1984, 2004)),
]
LEVEL_2 = [
    *(
        ("Y-17E4", -170001, -170001),
        ("1950S2", 1900, 1999),
        ("156X-12-25", 1560, 1569),
        ("15XX-12-25", 1500, 1599),
    ),
    *(("[1667,1668,1670..1672]", 1667, 1672), ("[..1984-12-03]", 1959, 1984), ("[1760-12..]", 1760, 1785)),
    *(("{1667,1668,1670..1672}", 1667, 1672), ("{1960,1961-12}", 1960, 1961), ("2004-06~-11", 2004, 2004)),
    *(("?2004-06-~11", 2004, 2004), ("1XXX-XX", 1000, 1999), ("-01XX", -200, -101)),
]


@pytest.mark.parametrize(("value", "first", "last"), LEVEL_0 + LEVEL_1 + LEVEL_2)
def test_what_the_specification_shows_is_read(value: str, first: int, last: int) -> None:
    results = date_periods(value)
    assert (min(one.first for one in results), max(one.last for one in results)) == (first, last)


@pytest.mark.parametrize("value", ["[1667,1668,1670..1672]", "{1667,1668,1670..1672}"])
def test_a_list_is_one_interval(value: str) -> None:
    results = edtf_period(value)
    assert results is not None
    assert (results.first, results.last, results.approximate) == (1667, 1672, False)


@pytest.mark.parametrize(
    "value", ["1984?", "2004-06~", "2004-06-11%", "1984~/2004-06", "1985/..", "?2004-06-~11"]
)
def test_doubt_makes_a_date_approximate(value: str) -> None:
    (results,) = date_periods(value)
    assert results.approximate


@pytest.mark.parametrize(
    "value",
    [
        *(
            "1823-31",
            "[1865]",
            "X-ray",
            "YWCA",
            "-",
            "../..",
            "open",
            "/",
            "{}",
            "[,]",
            "2004/2001/..",
            "-12",
        ),
        *("Y170000000000", "Y9E99", "~", "2010/1999-05-01~", "S", "1985-04-12T", "1667..1668..1670"),
    ],
)
def test_what_is_no_edtf_is_left_to_the_other_rules(value: str) -> None:
    assert edtf_period(value) is None


@pytest.mark.parametrize(
    ("first", "last", "approximate", "written"),
    [
        *((1750, 1750, False, "1750"), (1750, 1750, True, "1750~"), (1823, 1831, False, "1823/1831")),
        *(
            (1870, 1879, False, "187X"),
            (1801, 1900, False, "1801/1900"),
            (1800, 1899, True, "18XX~"),
            (800, 899, False, "08XX"),
        ),
        *((-44, 14, False, "-0043/0014"), (-1, -1, False, "0000"), (-100000, -10000, False, "Y-99999/-9999")),
    ],
)
def test_intervals_are_written(first: int, last: int, approximate: bool, written: str) -> None:
    assert edtf(first, last, approximate=approximate) == written


YEARS = st.integers(-300_000, 2_099).filter(bool)


@given(YEARS, YEARS, st.booleans())
def test_what_is_written_is_read_again(one: int, two: int, approximate: bool) -> None:
    first, last = min(one, two), max(one, two)
    results = date_periods(edtf(first, last, approximate=approximate))
    if (first, last, approximate) == (-1, -1, False):  # a date field of zeros says that no date is known
        assert results == ()
    else:
        assert [(one.first, one.last, one.approximate) for one in results] == [(first, last, approximate)]


def test_an_item_has_the_interval_of_its_date_field() -> None:
    assert dates_edtf(["1726 and 1730"]) == "1726/1730"
    assert dates_edtf(["Tang Dynasty", "8th century"]) == "07XX"
    assert dates_edtf(["Tang Dynasty"]) == "0618/0907"
    assert dates_edtf(["before 1500", "undated"]) == "1475~/1500~"
    assert dates_edtf([]) is None
