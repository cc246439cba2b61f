"""Dates as museums of Europe write them in a date field, and those that are not understood."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from features.text.dates.fields import date_periods, is_understood, text_periods
from features.text.dates.years import periods

# value, first and last year
UNKNOWN_DIGITS = [
    *(("18--", 1800, 1899), ("[19--]", 1900, 1999), ("[ca. 18--]", 1800, 1899), ("19??", 1900, 1999)),
    *(("18..", 1800, 1899), ("18xx", 1800, 1899), ("18uu", 1800, 1899), ("20--", 2000, 2099)),
    *(("187-", 1870, 1879), ("187-?", 1870, 1879), ("187?", 1870, 1879), ("c187-", 1870, 1879)),
    *(("18[75]", 1875, 1875), ("187[5?]", 1875, 1875), ("18[--]", 1800, 1899), ("18--/19--", 1800, 1999)),
    *(("187--188-", 1870, 1889), ("188- - 1905", 1880, 1905), ("1880-190-", 1880, 1909)),
    ("187- or 188-", 1870, 1889),
]
SLASHED = [
    *(("1405-1408/9", 1405, 1409), ("1405-8/9", 1405, 1409), ("1405/6-1408", 1405, 1408)),
    *(("1652/3", 1652, 1653), ("1969/71", 1969, 1971), ("1999/00", 1999, 2000), ("um 1750/60", 1750, 1760)),
    ("1831/1833", 1831, 1833),
    # a month, or a slip of the pen: no range
    *(("1899/05", 1899, 1899), ("1858/2", 1858, 1858)),
]
DAYS = [
    *(("18990101", 1899, 1899), ("18990512", 1899, 1899), ("18990512-19000103", 1899, 1900)),
    *(("1899-05-12/1900-01-03", 1899, 1900), ("1899.05.12", 1899, 1899), ("1899/05/12", 1899, 1899)),
    *(("1899-00-00", 1899, 1899), ("12. Mai 1899", 1899, 1899)),
]
MILLENNIA = [
    *(("1st millennium BC", -1000, -1), ("2nd millennium", 1000, 1999), ("3rd millenium BC", -3000, -2001)),
    *(("2nd half 4th millennium BC", -3500, -3001), ("late 2nd millennium BC", -1340, -1001)),
    *(("first quarter of the 2nd millennium BC", -2000, -1751), ("1. Jt. v. Chr.", -1000, -1)),
    *(("IIIe millénaire av. J.-C.", -3000, -2001), ("III tysiąclecie p.n.e.", -3000, -2001)),
]
ROMAN = [
    *(("MDCCL", 1750, 1750), ("M.DCC.L.", 1750, 1750), ("MCM", 1900, 1900), ("anno MDCCCXCIX", 1899, 1899)),
    *(("XVIII", 1700, 1799), ("XVIII-XIX", 1700, 1899)),
]
CENTURIES = [
    *(("18. Jh.", 1700, 1799), ("17./18. Jh.", 1600, 1799), ("2. Hälfte des 19. Jahrhunderts", 1850, 1899)),
    *(("letztes Viertel 18. Jh.", 1775, 1799), ("Ende 17. / Anfang 18. Jh.", 1666, 1733)),
    *(("5. Jh. v. Chr.", -500, -401), ("1500 v. Chr.", -1500, -1500), ("1870er Jahre", 1870, 1879)),
    *(("XVIIIe siècle", 1700, 1799), ("XVIIe-XVIIIe siècles", 1600, 1799), ("XVIIIe s.", 1700, 1799)),
    *(("2e moitié du XIXe siècle", 1850, 1899), ("fin XVIIe - début XVIIIe siècle", 1666, 1733)),
    *(("Ve siècle av. J.-C.", -500, -401), ("44 av. J.-C.", -44, -44), ("années 1870", 1870, 1879)),
    *(("sec. XVIII", 1700, 1799), ("XVIII secolo", 1700, 1799), ("secc. XVII - XVIII", 1600, 1799)),
    *(("prima metà sec. XIX", 1800, 1849), ("sec. XIX (fine)", 1866, 1899), ("sec. V a.C.", -500, -401)),
    *(("siglo XVIII", 1700, 1799), ("s. XVIII", 1700, 1799), ("siglos XVII y XVIII", 1600, 1799)),
    *(("segunda mitad del siglo XIX", 1850, 1899), ("siglo V a. C.", -500, -401)),
    *(("18e eeuw", 1700, 1799), ("17de-18de eeuw", 1600, 1799), ("tweede helft 19e eeuw", 1850, 1899)),
    *(("XVIII w.", 1700, 1799), ("XVII/XVIII w.", 1600, 1799), ("2 poł. XVIII w.", 1750, 1799)),
    *(("koniec XIX w.", 1866, 1899), ("I w. p.n.e.", -100, -1), ("1700-talet", 1700, 1799)),
    *(("gli anni '20 del Novecento", 1920, 1929), ("zwanziger Jahre des 19. Jh.", 1820, 1829)),
    *(("années soixante-dix du XIXe siècle", 1870, 1879), ("jaren 60 van de 20e eeuw", 1960, 1969)),
    *(("años veinte del siglo XX", 1920, 1929), ("the nineties of the 19th century", 1890, 1899)),
    *(("18th", 1700, 1799), ("18th-19th centry", 1700, 1899), ("late19th century", 1866, 1899)),
    *(("2nd-3rd quarter 19th century", 1825, 1874), ("c. 18-19th century", 1700, 1899)),
]
EARLY = [
    *(("1-199  CE", 1, 199), ("c. 50-320", 50, 320), ("ca. 20-60", 20, 60), ("960-1279", 960, 1279)),
    # the Islamic calendar beside ours
    *(("922 AH/AD 1516", 1516, 1516), ("late 10th century AH/AD 16th century", 1566, 1599)),
    *(("1866-1867 (AH 1283)", 1866, 1867), ("1388-1351/50 BC", -1388, -1351)),
]


@pytest.mark.parametrize(
    ("value", "first", "last"),
    [*UNKNOWN_DIGITS, *SLASHED, *DAYS, *MILLENNIA, *ROMAN, *CENTURIES, *EARLY],
)
def test_reads_a_date(value: str, first: int, last: int) -> None:
    (results,) = date_periods(value)
    assert (results.first, results.last) == (first, last)
    assert value[results.start : results.end] == results.text
    assert is_understood(value)


def test_years_that_a_date_names() -> None:
    # a decade is named by its first year, a century by its first and last one
    assert [date_periods(text)[0].written for text in ("187-", "18--", "1405-1408/9", "18. Jh.")] == [
        (1870,),
        (1800, 1899),
        (1405, 1408, 1409),
        (1700, 1799),
    ]


def test_several_dates_of_one_value() -> None:
    results = date_periods("18--, MDCCL; 3rd millennium BC, 1850-60 and 1899/1900")
    assert [(period.first, period.text) for period in results] == [
        (1800, "18--"),
        (1750, "MDCCL"),
        (-3000, "3rd millennium BC"),
        (1850, "1850-60"),
        (1899, "1899/1900"),
    ]


def test_placeholders_and_short_years() -> None:
    (whole,) = date_periods("01/01/1880")
    assert (whole.first, whole.last, whole.text, whole.start) == (1880, 1880, "1880", 6)
    assert date_periods("1880-01-01")[0].text == date_periods("18800101")[0].text == "1880"
    assert date_periods("02/04/1909")[0].text == "02/04/1909"
    assert periods("pages 618-906") == ()


@pytest.mark.parametrize(
    "value",
    [
        *(
            "undated",
            "not dated",
            "Date not known",
            "n.d.",
            "(n. d.)",
            "unknown",
            "no date",
            "s.d.",
            "",
            "?",
            "-",
        ),
        *("o. J.", "ohne Jahr", "undatiert", "sans date", "date inconnue", "senza data", "s.f.", "sin fecha"),
        *("z.j.", "ongedateerd", "b.d.", "bez daty", "odaterad", "udateret", "nedatováno", "άγνωστη"),
        *("без даты", "0000-00-00", "[s.d.]", "Datum unbekannt", "-"),
    ],
)
def test_no_date_is_understood_as_none(value: str) -> None:
    assert date_periods(value) == ()
    assert is_understood(value)


@pytest.mark.parametrize(
    "value",
    [
        "posthumous reprint",
        "MIX",
        "DIM",
        "CD",
        "Volume VIII",
        "c. 194051955",
        "12-14",
        "18x24",
        "modern",
    ],
)
def test_what_is_not_understood(value: str) -> None:
    assert date_periods(value) == ()
    assert not is_understood(value)


@pytest.mark.parametrize(
    ("value", "first", "last"),
    [
        # 923 years of 354.37 days from 16 July 622 are over early in 1518
        *(("AH 923", 1517, 1518), ("923-924 AH", 1517, 1519), ("1285-6 A.H.", 1868, 1870)),
        *(("12th century AH", 1689, 1786), ("AH 1283 (1866-1867)", 1866, 1867)),
        *(("Folio: 934-935 AH/AD 1528-1529", 1528, 1529), ("1098 AH/AD1689", 1689, 1689)),
        ("late 11th century AH/AD 17th-12th century AH/AD 18th century", 1666, 1799),
        # a third of a century, as of one that is counted
        *(("early 1900s", 1900, 1933), ("late 1800s", 1866, 1899)),
        *(("late 18th early 19th century", 1766, 1833), ("early 1st century", 1, 33)),
    ],
)
def test_other_calendars_and_parts(value: str, first: int, last: int) -> None:
    results = date_periods(value)
    assert (results[0].first, results[-1].last) == (first, last)


@pytest.mark.parametrize(
    ("value", "stored"),
    [
        *(("1891, cast 1925", ["1891"]), ("1934 (designed) 1941 (manufactured)", ["1934"])),
        *(("c. 1785-8, reprinted 1797", ["1785-8"]), ("1809-1839, exhibited 1809, 1840", ["1809-1839"])),
        *(("Porcelain: 1675-1725; Mounts: 1884", ["1675-1725"]), ("Model: 1901; Cast: 1918", ["1901"])),
        ("16th century; 19th century goldwork", ["16th century"]),
        ("19th century in the style of 16th century", ["19th century"]),
        # alone it is all that is known, and what is earlier may be the thing's own
        *(("printed 1799-1800", ["1799-1800"]), ("2000, designed 1998", ["2000", "1998"])),
        ("1831 and 1834", ["1831", "1834"]),
    ],
)
def test_later_states_and_added_parts_date_nothing(value: str, stored: list[str]) -> None:
    assert [period.text for period in date_periods(value)] == stored


@pytest.mark.parametrize(
    ("value", "first", "last"),
    [
        *(("before 1500", 1475, 1500), ("1922 or earlier", 1897, 1922), ("vor 1500", 1475, 1500)),
        *(("after 1848", 1848, 1873), ("1860 or later", 1860, 1885), ("no earlier than 1906", 1906, 1931)),
        *(("after 1945, before 1957", 1945, 1957), ("before 1955-1956", 1955, 1956)),
    ],
)
def test_before_and_after_a_year_reach_a_generation(value: str, first: int, last: int) -> None:
    results = date_periods(value)
    assert (results[0].first, results[-1].last) == (first, last)


@pytest.mark.parametrize(
    ("value", "first", "last"),
    [
        *(
            ("Meiji period", 1868, 1912),
            ("late Qing?", 1820, 1911),
            ("Shōwa", 1926, 1989),
            ("Edo-Zeit", 1615, 1868),
        ),
        *(("12th-13th dynasty", -1985, -1650), ("Dynasty XXVI", -664, -525), ("Ur III", -2112, -2004)),
        *(
            ("New Kingdom, 18th Dynasty", -1550, -1295),
            ("Late Bronze Age", -1550, -1000),
            ("Gothic", 1150, 1500),
        ),
    ],
)
def test_a_time_that_is_named(value: str, first: int, last: int) -> None:
    (results,) = date_periods(value)
    assert (results.first, results.last, results.named, results.written) == (first, last, True, ())
    assert is_understood(value)


@pytest.mark.parametrize(
    ("value", "stored"),
    [
        *(
            ("Edo period (1603-1867), 19th century", "19th century"),
            ("Han Dynasty, 202 BCE-220 CE", "202 BCE-220 CE"),
        ),
        *(("Shang Period (c. 1600-1045 BCE), c. 1100 BCE", "1100 BCE"), ("Meiji period, 1880", "1880")),
    ],
)
def test_years_stand_over_the_name_of_a_time(value: str, stored: str) -> None:
    (results,) = date_periods(value)
    assert (results.text, results.named) == (stored, False)


PIECES = st.sampled_from(
    [
        *(
            "18",
            "--",
            "-",
            "?",
            "1850",
            "/",
            "9",
            "[",
            "]",
            " ",
            "Jh.",
            "17.",
            "XVIII",
            "e",
            "siècle",
            "sec. ",
        ),
        *(
            "MDCCL",
            "2nd",
            "half",
            "millennium",
            "BC",
            "v. Chr.",
            "AH/AD",
            "1899-05-12",
            "18990512",
            "ca. ",
            "w.",
        ),
        *("fin ", "1. Hälfte ", "sec. ", "w.", "1870er", ".", ",", "or", "AH 9", "50-320", "early ", "é"),
        *(
            "-talet",
            "1700",
            "början av ",
            "f.Kr.",
            "..",
            "~",
            "{",
            "}",
            "X",
            "entre ",
            " et ",
            "bis",
            "Ottocento",
        ),
    ]
)


@given(st.lists(PIECES, max_size=12).map("".join) | st.lists(PIECES, max_size=12).map(" ".join))
def test_mentions_slice_the_value_in_order_and_never_overlap(text: str) -> None:
    results = date_periods(text)
    assert all(text[period.start : period.end] == period.text for period in results)
    assert all(one.end <= two.start for one, two in pairwise(results))
    assert all(period.first <= period.last and period.written for period in results)


LANGUAGES = [
    # German, French, Dutch, Italian, Spanish, Swedish
    *(("zwischen 1850 und 1860", 1850, 1860), ("1850 bis 1860", 1850, 1860), ("XXVI. Dynastie", -664, -525)),
    *(("entre 1850 et 1860", 1850, 1860), ("de 1850 à 1860", 1850, 1860), ("XVIIIe dynastie", -1550, -1295)),
    *(("tussen 1850 en ca. 1860", 1850, 1860), ("1850 tot 1860", 1850, 1860), ("300 v.C.", -300, -300)),
    *(("tra il 1850 e il 1860", 1850, 1860), ("Settecento", 1700, 1799), ("fine Quattrocento", 1466, 1499)),
    *(("prima metà del Cinquecento", 1500, 1549), ("44 avanti Cristo", -44, -44), ("ante 1700", 1675, 1700)),
    *(("entre 1850 y 1860", 1850, 1860), ("500 antes de Cristo", -500, -500), ("Siglo de Oro", 1492, 1681)),
    *(
        ("början av 1700-talet", 1700, 1733),
        ("1800-talets andra hälft", 1850, 1899),
        ("1850-talet", 1850, 1859),
    ),
    *(
        ("sista fjärdedelen av 1600-talet", 1675, 1699),
        ("sent 1870-tal", 1876, 1879),
        ("före 1800", 1775, 1800),
    ),
    *(("1600-1700-talet", 1600, 1799), ("500-talet f.Kr.", -599, -500), ("500 f.Kr.", -500, -500)),
    *(("800 e.Kr.", 800, 800), ("17:e århundradet", 1600, 1699), ("mellan 1850 och 1860", 1850, 1860)),
    *(("första hälften av 1:a århundradet", 1, 49), ("1:a århundradet f.Kr.", -99, -1)),
    *(("första fjärdedelen av 1700-talet", 1700, 1724), ("andra kvartalet av 1700-talet", 1725, 1749)),
    *(("tredje fjärdedelen av 1700-talet", 1750, 1774), ("sista kvartalet av 1700-talet", 1775, 1799)),
    *(("mitten av 1700-talet", 1733, 1766), ("slutet av 1700-talet", 1766, 1799)),
    *(("första hälften av 1870-talet", 1870, 1874), ("andra hälften av 1870-talet", 1875, 1879)),
    *(("Frihetstiden", 1719, 1772), ("reign of Ramesses II", -1279, -1213), ("George III", 1760, 1820)),
]


def test_three_roman_letters_are_a_year_only_alone() -> None:
    assert date_periods("MCC club") == ()
    assert [(one.first, one.last) for one in date_periods("MCC.")] == [(1200, 1200)]


@pytest.mark.parametrize(("value", "first", "last"), LANGUAGES)
def test_dates_of_other_languages(value: str, first: int, last: int) -> None:
    (results,) = date_periods(value)
    assert (results.first, results.last) == (first, last)


@pytest.mark.parametrize(
    "value", ["um 1750", "vers 1750", "omstreeks 1750", "1750 circa", "hacia 1750", "omkring 1750"]
)
def test_about_in_other_languages(value: str) -> None:
    (results,) = date_periods(value)
    assert (results.text, results.approximate) == ("1750", True)


@pytest.mark.parametrize(
    ("text", "years"),
    [
        ("Onderdeel van: Atlas, in 1869 als atlas aangekocht door het Rijk", []),
        ("Getekend in 1665, in 1869 aangekocht", ["1665"]),
        ("Gemalt 1750, 1820 erworben", ["1750"]),
        ("Acquis en 1905; gravé en 1780", ["1780"]),
        ("Målad 1890. Inköpt 1912", ["1890"]),
        ("Gezicht op de stad in 1869", ["1869"]),
    ],
)
def test_the_year_of_a_purchase_is_no_date_of_what_was_bought(text: str, years: list[str]) -> None:
    assert [period.text for period in text_periods(text)] == years
