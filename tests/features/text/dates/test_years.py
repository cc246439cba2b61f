import math
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from features.measures.years import YearsSettings
from features.profiles.profile import AnalysedValue, Profile
from features.text.dates.years import Period, Reading, periods
from tests.features.measures.columns import tried

# text, mention, first and last year, years written
READ = [
    ("c. 1780", "1780", (1780, 1780), (1780,)),
    ("1830s", "1830s", (1830, 1839), (1830,)),
    ("1930's dress", "1930's", (1930, 1939), (1930,)),
    ("built in the late 1960s", "late 1960s", (1965, 1969), (1960,)),
    ("mid-1960s", "mid-1960s", (1963, 1967), (1960,)),
    ("Victoria (1837-1901)", "1837-1901", (1837, 1901), (1837, 1901)),
    ("in 1823-31.", "1823-31", (1823, 1831), (1823, 1831)),
    ("in 1825-8.", "1825-8", (1825, 1828), (1825, 1828)),
    ("c.1801–10", "1801–10", (1801, 1810), (1801, 1810)),
    ("1728 - 1730", "1728 - 1730", (1728, 1730), (1728, 1730)),
    ("1914 to 1918", "1914 to 1918", (1914, 1918), (1914, 1918)),
    ("between 1665 and 1667", "1665 and 1667", (1665, 1667), (1665, 1667)),
    ("between 1665-1667", "1665-1667", (1665, 1667), (1665, 1667)),
    ("1831 or 2", "1831 or 2", (1831, 1832), (1831, 1832)),
    ("1652/3", "1652/3", (1652, 1653), (1652, 1653)),
    ("c. 1870-1880s", "1870-1880s", (1870, 1889), (1870, 1880)),
    ("late 1960s–early 1970s", "late 1960s–early 1970s", (1965, 1974), (1960, 1970)),
    ("14/07/1906", "14/07/1906", (1906, 1906), (1906,)),
    ("3/24/1929", "3/24/1929", (1929, 1929), (1929,)),
    ("8/1959", "8/1959", (1959, 1959), (1959,)),
    ("in 11/1965", "11/1965", (1965, 1965), (1965,)),
    ("In 11/1965", "11/1965", (1965, 1965), (1965,)),
    ("11/1965", "11/1965", (1965, 1965), (1965,)),
    ("Tokyo, Japan, 11/1965.", "11/1965", (1965, 1965), (1965,)),
    ("printed in Tokyo (11/1965)", "11/1965", (1965, 1965), (1965,)),
    ("photographed 3/1926", "3/1926", (1926, 1926), (1926,)),
    ("ca. 11/1965", "11/1965", (1965, 1965), (1965,)),
    ("1858, 4 May", "1858", (1858, 1858), (1858,)),
    ("in 1900 high prices", "1900", (1900, 1900), (1900,)),
    ("full-length 1850", "1850", (1850, 1850), (1850,)),
    ("given by Withers, 2003-11-25 [x]", "2003-11-25", (2003, 2003), (2003,)),
    ("2004-02-13T19:35:47Z", "2004-02-13T19:35:47Z", (2004, 2004), (2004,)),
    ("2004-02", "2004-02", (2004, 2004), (2004,)),
    ("on 14 July 1906 at", "14 July 1906", (1906, 1906), (1906,)),
    ("stamp: 1906 July 16", "1906 July 16", (1906, 1906), (1906,)),
    ("on July 14, 1906", "July 14, 1906", (1906, 1906), (1906,)),
    ("Chapter April 5, 1928", "April 5, 1928", (1928, 1928), (1928,)),
    ("May 26 - 28,1969", "May 26 - 28,1969", (1969, 1969), (1969,)),
    ("September 22nd, 1906", "September 22nd, 1906", (1906, 1906), (1906,)),
    ("September 1881", "September 1881", (1881, 1881), (1881,)),
    ("1 July 1874 - 30 September 1874", "1 July 1874 - 30 September 1874", (1874, 1874), (1874,)),
    ("December 1945 - January 1946", "December 1945 - January 1946", (1945, 1946), (1945, 1946)),
    ("Carona 23.VI.1973", "23.VI.1973", (1973, 1973), (1973,)),
    ("nineteenth century", "nineteenth century", (1800, 1899), (1800, 1899)),
    ("19th-century lamp", "19th-century", (1800, 1899), (1800, 1899)),
    ("XIX century", "XIX century", (1800, 1899), (1800, 1899)),
    ("c. late 18th century", "late 18th century", (1766, 1799), (1700, 1799)),
    ("late 18th C", "late 18th C", (1766, 1799), (1700, 1799)),
    ("second half of the 19th century", "second half of the 19th century", (1850, 1899), (1800, 1899)),
    ("18th-19th centuries", "18th-19th centuries", (1700, 1899), (1700, 1799, 1800, 1899)),
    ("2nd half of the 19th century", "2nd half of the 19th century", (1850, 1899), (1800, 1899)),
    ("1st quarter 15th century", "1st quarter 15th century", (1400, 1424), (1400, 1499)),
    ("27th century BC", "27th century BC", (-2700, -2601), (-2700, -2601)),
    ("late 17th or early 18th century", None, (1666, 1733), (1600, 1699, 1700, 1799)),
    ("2nd century AD", "2nd century AD", (100, 199), (100, 199)),
    ("5th century BC", "5th century BC", (-500, -401), (-500, -401)),
    ("20th-21st century", "20th-21st century", (1900, 2099), (1900, 1999, 2000, 2099)),
    ("5th-4th century BCE", "5th-4th century BCE", (-500, -301), (-500, -401, -400, -301)),
    ("44 BC", "44 BC", (-44, -44), (-44,)),
    ("500-450 BC", "500-450 BC", (-500, -450), (-500, -450)),
    ("AD 79", "AD 79", (79, 79), (79,)),
    ("336-323 BC", "336-323 BC", (-336, -323), (-336, -323)),
    ("206 BCE-220 CE", "206 BCE-220 CE", (-206, 220), (-206, 220)),
    ("built 1900, with", "1900", (1900, 1900), (1900,)),
    ("In 1950 Fifth Avenue was paved", "1950", (1950, 1950), (1950,)),
    ("Print Department.1880", "1880", (1880, 1880), (1880,)),
]

NOT_TIME = [
    "CM.2666-2003",
    "from Jamal-Garhi. 1003995",
    "COPY 1/400/397",
    "COPY 1/1900/3",
    *("COPY 1/1900", "COPY 1/1900, 1/1901 and 2/1902", "Catalogue reference: WO 1/1900", "WO 1/1900"),
    *("C 1/1500", "E 12/1450", "ADM 7/1812", "RAIL 10/1845", "RAIL 10/1845-1850", "Inv. 1/1950"),
    *("no. 3/1926", "box 3/1926"),
    *("1858,0417.9", "1858,0417", "1962,1208.34", "1962,1208", "1902,1016,0.2", "OA+.2043"),
    *("height 1500", "Height: 1500", "1500 wide", "1500 wide, 1200 high and 1100 deep"),
    "BW275",
    "1200 x 1500 mm",
    "1500 mm",
    "Photo 447/1(27)",
    "no. 1640",
    "No 1640",
    "Nos. 1640",
    "#1640",
    "$1,200",
    "£1500",
    "T01958",
    "Model 40",
    "2216 Centre Avenue",
    "1003 Wylie Avenue",
    "1908 Wylie Avenue, Hill District",
    "1240 Buena Vista Street",
    "K1234",
    "Lugt 1862c",
    "Lugt 1875",
    "MS 1579/1/4",
    "accession 1978.12.3",
    "ISBN 0 7190 1985 X",
    "Room 1502",
    "http://example.org/1990/1991",
    "YC1196",
    "B-5/1969",
    "1000 cards and thread",
    "1200 photographs",
    "2000 gerberas",
    "Second Century Acquisition Fund",
    "a century ago",
    "12,1950 items",
    "",
    "   ",
    "19",
    "Plate 1850",
    # what only a date field may say
    *(
        "MIX",
        "DIM",
        "CD",
        "Henry VIII",
        "MDCCL",
        "album 18990101",
        "MS 18--",
        "sec. XVIII",
        "18. Jh.",
        "18th",
    ),
    *("box 1405-1408/9", "25th century", "5th-25th century", "25th-5th century", "22nd century"),
]


@pytest.mark.parametrize(("text", "mention", "covered", "written"), READ)
def test_reads(text: str, mention: str | None, covered: tuple[int, int], written: tuple[int, ...]) -> None:
    (results,) = periods(text)
    assert ((results.first, results.last), results.written) == (covered, written)
    assert results.text == (mention or text)


@pytest.mark.parametrize("text", NOT_TIME)
def test_finds_no_time(text: str) -> None:
    assert periods(text) == ()


@pytest.mark.parametrize(
    ("text", "approximate"),
    [
        ("c. 1780", True),
        ("ca. 1665", True),
        ("circa 1806", True),
        ("c1890", True),
        ("?1863", True),
        ("1954?", True),
        ("about 1850", True),
        ("c, 1886", True),
        ("1780", False),
        ("Cirencester 1780", False),
        ("Doc. 1780", False),
    ],
)
def test_marks_of_doubt(text: str, approximate: bool) -> None:
    assert [period.approximate for period in periods(text)] == [approximate]


@pytest.mark.parametrize(
    ("text", "years"),
    [
        ("[1945, 1980]", [1945, 1980]),
        ("1982,1993", [1982, 1993]),
        ("1982,1993,1995", [1982, 1993, 1995]),
        ("11/1965, 12/1965", [1965, 1965]),
        ("3/1926 and 4/1927", [1926, 1927]),
        ("1971, printed 2015", [1971, 2015]),
        ("Respective 1997 - 1976", [1997, 1976]),
        ("1879 and 1887", [1879, 1887]),
        ("c.1928–31–1947", [1928, 1947]),
        ("1899, May 1900", [1899, 1900]),
    ],
)
def test_finds_several(text: str, years: list[int]) -> None:
    assert [period.first for period in periods(text)] == years


# The four records that the thesis prints (figures 5.2 and 5.9 to 5.11), in the words that matter.
COINS = "Victoria (1837-1901) crown; Date(s): 1887 - 1901; given by Withers, Paul, 2003-11-25 [CM.2666-2003]"
BIHAR = "taken by J. D. Beglar in the 1870s; vol. XLI, part I, 1872, pp. 209-311; [1870]"
JAMAL_GARHI = "Buddhist sculpture pieces from Jamal-Garhi. 1003995; [1880]"
TILBURY = "Tilbury Fort was designed in 1670; [1993]"
PLYMOUTH = "Built between 1665-1667, now home to 29 Commando; [1999]"
LONDON = "built by John Rennie in 1823-31. A new bridge, built in the late 1960s"
SERPENTINE = "built by George and John Rennie in 1825-8; [1945, 1980]"


def _years(text: str) -> set[int]:
    return {year for period in periods(text) for year in period.written}


def test_the_records_of_the_thesis() -> None:
    assert _years(COINS) == {1837, 1887, 1901, 2003}
    assert _years(BIHAR) == {1870, 1872}
    assert _years(JAMAL_GARHI) == {1880}
    assert _years(TILBURY) == {1670, 1993}
    assert _years(PLYMOUTH) == {1665, 1667, 1999}
    assert _years(LONDON) == {1823, 1831, 1960}
    assert _years(SERPENTINE) == {1825, 1828, 1945, 1980}


def time_similarity(
    one: tuple[Period, ...], two: tuple[Period, ...], k: float = 0.1, reading: Reading = "written"
) -> float:
    ours, theirs = (Profile((AnalysedValue("title", 0, (), (), results),)) for results in (one, two))
    return tried([ours], YearsSettings(measure="years", k=k, reading=reading)).pair(ours, theirs)


@pytest.mark.parametrize(
    ("a", "b", "score"),
    [(BIHAR, JAMAL_GARHI, 0.2), (TILBURY, PLYMOUTH, 0.7), (LONDON, SERPENTINE, 0.8)],
)
def test_time_similarity_of_the_pairs_of_the_thesis(a: str, b: str, score: float) -> None:
    assert time_similarity(periods(a), periods(b)) == pytest.approx(score)


def test_readings_differ_where_intervals_meet() -> None:
    one, two = periods("1801-1850"), periods("1820")
    assert time_similarity(one, two) == 0
    assert time_similarity(one, two, reading="covered") == 1
    assert time_similarity(one, periods("1855"), reading="covered") == pytest.approx(0.5)
    assert math.isnan(time_similarity(one, ()))


def test_the_era_has_no_year_zero() -> None:
    assert time_similarity(periods("1 BC"), periods("AD 1")) == pytest.approx(0.8)


PIECES = st.sampled_from(
    [
        "1850",
        "c.",
        "-",
        "–",
        " ",
        ",",
        "19th",
        "century",
        "July",
        "14",
        "1906-07-16",
        "BC",
        "44",
        "s",
        "/",
        "?",
        "(",
        ")",
        "between",
        "and",
        "no.",
        "Street",
        "late",
        "x",
        "mm",
        "AD",
        "[1870]",
        "XIX",
        "CM.2666-2003",
        "http://a.b/1990",
        "é",
    ]
)
TEXTS = (
    st.lists(PIECES, max_size=14).map("".join)
    | st.lists(PIECES, max_size=14).map(" ".join)
    | st.text(max_size=40)
)


def test_a_century_with_an_era_hides_no_year_behind_it() -> None:
    assert [(one.first, one.last) for one in periods("AD 1st century; 44 BC")] == [(1, 99), (-44, -44)]


@given(TEXTS)
def test_mentions_slice_the_text_in_order_and_never_overlap(text: str) -> None:
    results = periods(text)
    assert all(text[period.start : period.end] == period.text for period in results)
    assert all(one.end <= two.start for one, two in pairwise(results))
    assert all(period.first <= period.last and period.written for period in results)


@given(TEXTS, TEXTS, st.floats(0.01, 1), st.booleans())
def test_similarity_is_symmetric_bounded_and_one_with_itself(a: str, b: str, k: float, written: bool) -> None:
    one: tuple[Period, ...] = periods(a)
    two: tuple[Period, ...] = periods(b)
    score = time_similarity(one, two, k, "written" if written else "covered")
    back = time_similarity(two, one, k, "written" if written else "covered")
    if one and two:
        assert 0 <= score == back <= 1
    else:
        assert math.isnan(score)
        assert math.isnan(back)
    assert time_similarity(one, one, k) == 1 if one else math.isnan(time_similarity(one, one, k))
