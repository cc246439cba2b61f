"""Cursors: what they remember of what was given, and which of them are taken back."""

import pytest
from msgspec.structs import replace

from features.collection.digests import digest
from ingest.errors import InvalidRequest
from models.regressors.linear import Weighted
from models.systems import System
from service.search.cursors import Cursor, decode, encode, mark
from tests.builders import RECORDS, fitted, random_system

GIVEN = [f"item:{n}" for n in range(600)]


def remembering(number: int) -> Cursor:
    """A cursor behind the first of the given items, page by page of 70."""
    cursor = Cursor("q", "c", 1.0, "x")
    for start in range(0, number, 70):
        page = GIVEN[start : min(start + 70, number)]
        cursor = Cursor("q", "c", 1.0, page[-1], cursor.following(page))
    return cursor


@pytest.mark.parametrize(
    ("number", "remembered", "complete"),
    [
        (0, 0, True),
        (1, 1, True),
        (499, 499, True),
        (500, 500, False),
        (501, 500, False),
        (600, 500, False),
    ],
)
def test_the_last_500_that_were_given_are_remembered(number: int, remembered: int, complete: bool) -> None:
    cursor = remembering(number)
    assert cursor.given == b"".join(map(digest, GIVEN[number - remembered : number]))
    assert cursor.complete == complete
    assert decode(encode(cursor), "q") == cursor


@pytest.mark.parametrize(
    "cursor",
    [
        Cursor("q", "c", 1.0, "x", version=0),
        Cursor("q", "c", 1.0, "x", version=2),
        Cursor("q", "c", 1.0, "x", b"1234"),
        Cursor("q", "c", 1.0, "x", b"123456"),
        Cursor("q", "c", 1.0, "x", b"12345" * 501),
    ],
)
def test_what_kindred_does_not_give_is_refused(cursor: Cursor) -> None:
    with pytest.raises(InvalidRequest, match="none that Kindred gave"):
        decode(encode(cursor), "q")


@pytest.mark.parametrize("text", ["", "x", "????", encode(Cursor("q", "c", 1.0, "x"))[:-3], "e30"])
def test_any_other_text_is_refused(text: str) -> None:
    with pytest.raises(InvalidRequest, match="none that Kindred gave"):
        decode(text, "q")


@pytest.mark.parametrize("query", ["", "a", "p", "r", "qq"])
def test_a_cursor_of_another_question_is_refused(query: str) -> None:
    with pytest.raises(InvalidRequest, match="another question"):
        decode(encode(Cursor("q", "c", 1.0, "x")), query)


@pytest.mark.parametrize("length", range(1, 9))
def test_a_cursor_stands_in_an_address_as_it_is(length: int) -> None:
    text = encode(Cursor("q", "c", 1.0, "ÿ?>" * length))
    assert text.replace("-", "").replace("_", "").isalnum()
    assert decode(text, "q").id == "ÿ?>" * length


def test_every_collection_and_every_system_has_its_own_mark() -> None:
    system, collection = random_system(1), fitted(RECORDS)
    assert isinstance(system.regressor, Weighted)
    weights, base = system.regressor.weights, system.regressor.base
    moved = System(system.name, system.features, Weighted(weights + 1e-12, base))
    renamed = System("another", system.features, system.regressor)
    inapplicable = System(system.name, system.features, system.regressor, {"location": system.features[0]})
    applied = System(system.name, system.features, system.regressor, {"time": system.features[0]})
    both = System(system.name, system.features, system.regressor, both={"time": system.features[0]})
    marks = [
        *(mark(collection, one) for one in (system, moved, renamed, inapplicable, applied, both)),
        mark(fitted(RECORDS[:-1]), system),
        mark(fitted([*RECORDS[:-1], replace(RECORDS[-1], id="another")]), system),
    ]
    assert {len(one) for one in marks} == {16}
    assert len(set(marks)) == len(marks)
    assert mark(fitted(RECORDS), random_system(1)) == marks[0]
