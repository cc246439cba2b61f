import pytest
from hypothesis import given
from hypothesis import strategies as st

from features.text.dates.historic import ALONE, DYNASTIES, NAMES, historic_periods


@pytest.mark.parametrize(
    ("text", "name", "first", "last"),
    [
        ("A bowl of the Ming dynasty", "Ming dynasty", 1368, 1644),
        ("Safavid tile", "Safavid", 1501, 1722),
        ("Made in the 18th Dynasty, at Thebes", "18th Dynasty", -1550, -1295),
        ("from the Twenty-sixth Dynasty", "Twenty-sixth Dynasty", -664, -525),
        ("Dyn. XII-XIII", "Dyn. XII-XIII", -1985, -1650),
        ("26th Dynasty or early 27th Dynasty", "26th Dynasty or early 27th Dynasty", -664, -404),
        ("the Third Dynasty of Ur", "Third Dynasty of Ur", -2112, -2004),
        # a third of the 277 years from 1368 to 1644 is left by late: from 1368 + 182
        ("late Ming dynasty", "late Ming dynasty", 1550, 1644),
        ("a Neo Assyrian relief", "Neo Assyrian", -911, -609),
        ("Late Bronze Age pin", "Late Bronze Age", -1550, -1000),
        ("the Third Intermediate period", "Third Intermediate period", -1069, -664),
        ("3rd Intermediate Period", "3rd Intermediate Period", -1069, -664),
        ("Jōmon jar", "Jōmon", -10500, -300),
        ("Qing dynasty, Qianlong mark", "Qianlong", 1736, 1795),
    ],
)
def test_names_in_running_text(text: str, name: str, first: int, last: int) -> None:
    (results,) = historic_periods(text)
    assert (results.text, results.first, results.last) == (name, first, last)
    assert text[results.start : results.end] == name
    assert results.named
    assert results.written == ()


def test_two_names_with_one_noun() -> None:
    results = historic_periods("in the Ming and Qing dynasties")
    assert [one.text for one in results] == ["Ming", "Qing dynasties"]


@pytest.mark.parametrize(
    "text",
    [
        *(
            "the ancient Egyptians believed",
            "View of Edo",
            "Victorian house",
            "a Ming vase",
            "Song of spring",
        ),
        *(
            "in the style of the Safavid court",
            "Safavid-style carpet",
            "Ottoman Revival style",
            "post-Ptolemaic",
        ),
        *(
            "neolithic",
            "Late period works",
            "CYCLADIC",
            "Roman Catholic",
            "a Gothic window",
            "Tang Wei",
            "the 8th Dynasty of Isin",
            "his dynasty",
        ),
        "the 45th Dynasty",
    ],
)
def test_what_names_no_time_in_running_text(text: str) -> None:
    assert historic_periods(text) == ()


def test_the_table() -> None:
    assert all(first < last for first, last in (*NAMES.values(), *DYNASTIES.values()))
    assert NAMES.keys() >= ALONE
    assert sorted(DYNASTIES) == list(range(1, 32))


@given(st.sampled_from(sorted(NAMES)))
def test_every_name_is_read_in_a_date_field(name: str) -> None:
    (results,) = historic_periods(name, dates=True)
    assert (results.first, results.last) == NAMES[name]
    assert results.text == name


@given(st.text(max_size=40), st.booleans())
def test_offsets_hold_for_any_text(text: str, dates: bool) -> None:
    whole = f"{text} Meiji Ära {text}"
    results = historic_periods(whole, dates=dates)
    assert any((one.first, one.last) == (1868, 1912) for one in results)
    assert all(whole[one.start : one.end] == one.text for one in results)
