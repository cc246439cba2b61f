"""Emblems: they say what they are, and are whole XML whatever a record says."""

from xml.etree import ElementTree

import pytest
from fastapi.testclient import TestClient
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from features.profiles.profile import Profile
from ingest.record import Record, values
from service.web.portal.emblems import emblem
from tests.builders import profile, record
from tests.service.conftest import BACINO, YARD

_SVG = "{http://www.w3.org/2000/svg}"


def parsed(drawn: str) -> ElementTree.Element:
    return ElementTree.fromstring(drawn)  # noqa: S314 - our own


@pytest.mark.parametrize(
    ("date", "rank"), [("20 AD", "1st"), ("120", "2nd"), ("220", "3rd"), ("1015", "11th"), ("2015", "21st")]
)
def test_the_rank_of_a_century(date: str, rank: str) -> None:
    one = record("a:1", "View", date=date)
    assert f"{rank} century" in emblem(one, profile(one))


def test_kind_place_and_century_are_said() -> None:
    one = replace(record("a:1", "View", date="1738", places="Europe > Italy > Venice"), type="painting")
    drawn = parsed(emblem(one, profile(one)))
    label = "Emblem, not a picture of the item: painting, Venice, 18th century"
    assert (drawn.attrib["aria-label"], drawn.findtext(f"{_SVG}title")) == (label, label)
    assert [text.text for text in drawn.iter(f"{_SVG}text")] == ["painting", "Venice", "18th century"]


def test_what_is_not_known_is_not_said() -> None:
    drawn = parsed(emblem(Record(id="a:1", title=values("View")), Profile(())))
    assert drawn.attrib["aria-label"] == "Emblem, not a picture of the item: item"


@given(st.text(), st.text(), st.text())
def test_it_is_whole_whatever_a_record_says(kind: str, place: str, date: str) -> None:
    one = record("a:1", "View", date=date.replace("|", ""), places=place.replace("|", ""))
    parsed(emblem(replace(one, type=kind), profile(one)))


def test_pages_show_it_where_there_is_no_picture(client: TestClient) -> None:
    assert "/view/emblems/" not in client.get(f"/view/items/{BACINO}").text.partition("</figure>")[0]
    page = client.get(f"/view/items/{YARD}").text.partition("</figure>")[0]
    address = page.partition('src="/view/emblems/')[2].partition('"')[0]
    drawn = client.get(f"/view/emblems/{address}")
    assert (drawn.status_code, drawn.headers["content-type"]) == (200, "image/svg+xml")
    assert "not a picture of the item" in drawn.text
    assert client.get("/view/emblems/none").status_code == 404
