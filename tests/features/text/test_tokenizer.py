"""The tokenizer: what becomes a token, where a sentence ends, and that nothing is lost."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from features.text.tokenizer import tokenize


def split(text: str) -> list[str]:
    return [" ".join(text[start:end] for start, end in sentence) for sentence in tokenize(text)]


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("", []),
        (" \n ", []),
        ("Old Trees", ["Old Trees"]),
        ("J. M. W. Turner c.1860", ["J. M. W. Turner c. 1860"]),
        ('Thomas J. "Tommy" Smith', ['Thomas J. " Tommy " Smith']),
        ("Gift of Mr. and Mrs. James H. Beal", ["Gift of Mr. and Mrs. James H. Beal"]),
        ("American prints. wood engraving on paper.", ["American prints .", "wood engraving on paper ."]),
        (
            "Dr. Mark Steele, Pittsburgh, PA. Gift of Dr. Mark Steele",
            ["Dr. Mark Steele , Pittsburgh , PA .", "Gift of Dr. Mark Steele"],
        ),
        (
            "Tokyo, Japan, 9/13/1966.. Bequest of Dr. James B. Austin",
            ["Tokyo , Japan , 9/13/1966 ..", "Bequest of Dr. James B. Austin"],
        ),
        (
            "Leroy Randall Jr. and Milton Swan Jr., standing",
            ["Leroy Randall Jr. and Milton Swan Jr. , standing"],
        ),
        ("a late 18th-century side-table; re-used", ["a late 18th - century side - table ; re-used"]),
        (
            "Ovid's Metamorphoses don't end, the artists' club",
            ["Ovid 's Metamorphoses do n't end , the artists ' club"],
        ),
        ("No. 12, St. John's. A church", ["No. 12 , St. John 's .", "A church"]),
        ("?The River Dee, near Llangollen", ["? The River Dee , near Llangollen"]),
        ('Who? Me! (Yes.) So "it was." Then', ["Who ?", "Me !", "( Yes . )", 'So " it was . "', "Then"]),
        ("Heading\n\nText goes\non here.\nNote: more", ["Heading", "Text goes on here .", "Note : more"]),
        (
            "see https://example.org/a-b, or a.b@example.org.",
            ["see https://example.org/a-b , or a.b@example.org ."],
        ),
    ],
)
def test_splits_as_a_reader_would(text: str, sentences: list[str]) -> None:
    assert split(text) == sentences


@given(st.text(alphabet=st.one_of(st.characters(), st.sampled_from("aB1 .,'-\n;?!")), max_size=80))
def test_tokens_cover_every_visible_character_once_and_in_order(text: str) -> None:
    spans = [span for sentence in tokenize(text) for span in sentence]
    assert all(span.start < span.end for span in spans)
    assert all(left.end <= right.start for left, right in pairwise(spans))
    assert "".join(text[a:b] for a, b in spans) == "".join(text.split())


def test_no_sentence_is_longer_than_the_taggers_can_bear() -> None:
    assert max(len(sentence) for sentence in tokenize("red ; " * 2000)) <= 250


@pytest.mark.parametrize(
    "piece", ["a-", "a.", "a+@", "a@b-", "Co. ", "1.", "1,", "a'", "a&", "A. ", "http://", "(", "\n "]
)
def test_cuts_hostile_values_of_any_length(piece: str) -> None:
    text = (piece * 200_000)[:200_000]
    spans = [span for sentence in tokenize(text) for span in sentence]
    assert "".join(text[start:end] for start, end in spans) == "".join(text.split())


def test_an_address_of_the_longest_local_part_is_one_token() -> None:
    address = "a." * 31 + "ab@example.org"
    assert split(address) == [address]
