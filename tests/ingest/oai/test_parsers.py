"""Whatever a server sends, what reads it gives a page, an identity, records or an error of ours."""

from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from ingest.errors import HarvestError, KindredError
from ingest.oai import xml
from ingest.oai.fetching import FetchedAnswer, Fetcher
from ingest.oai.intake import row_of
from ingest.oai.progress import DAY, Slice, halves, in_granularity, moment
from ingest.oai.protocol import HarvestedItem, Header, OaiClient
from tests.environment import tries
from tests.ingest.oai.harvesting import MAPPING
from tests.ingest.oai.server import Entry, Museum

MUSEUM = Museum([Entry(f"m:{n}", f"2026-02-0{n}T00:00:00Z", f"Bridge {n}", sets=("a",)) for n in (1, 2, 3)])
PAGE = MUSEUM.answer({"verb": "ListRecords"}).body
ANSWERS = [PAGE, MUSEUM.identify().body, MUSEUM.get("m:1").body, MUSEUM.answer({"verb": "ListSets"}).body]
PIECES = [
    b"<record>",
    b"</record>",
    b"<header/>",
    b"&",
    b"&#0;",
    b"]]>",
    b"<!--",
    b"\x00",
    b"\xff",
    b'"',
    b"<",
]
quick = tries(150)


class Canned:
    """A fetcher that gives the same bytes to every question."""

    def __init__(self, data: bytes, charset: str | None) -> None:
        self._answer = FetchedAnswer(data, charset)

    def get(self, url: str, arguments: Mapping[str, str]) -> FetchedAnswer:
        return self._answer


@st.composite
def mutated(draw: st.DrawFn) -> bytes:
    """An answer that was cut, or in which pieces were put or written over."""
    data = draw(st.sampled_from(ANSWERS))
    for _ in range(draw(st.integers(0, 4))):
        at, length = draw(st.integers(0, len(data))), draw(st.integers(0, 30))
        data = data[:at] + draw(st.sampled_from(PIECES) | st.binary(max_size=5)) + data[at + length :]
    return data[: draw(st.integers(0, len(data)))] if draw(st.booleans()) else data


@quick
@given(
    st.binary(max_size=300) | mutated(),
    st.sampled_from([None, "utf-8", "utf-16", "latin-1", "koi8-r", "x-unknown"]),
)
def test_an_answer_is_read_or_refused(data: bytes, charset: str | None) -> None:
    client = OaiClient("http://m.example/oai", cast("Fetcher", Canned(data, charset)))
    for ask in (
        client.identify,
        client.formats,
        client.sets,
        lambda: client.page("ListRecords", {"metadataPrefix": "oai_dc"}),
        lambda: client.page("ListIdentifiers", {"metadataPrefix": "oai_dc"}),
        lambda: client.get("m:1", "oai_dc"),
    ):
        with suppress(HarvestError):
            ask()


@quick
@given(mutated())
def test_records_of_what_is_read_are_records_or_refused(data: bytes) -> None:
    client = OaiClient("http://m.example/oai", cast("Fetcher", Canned(data, None)))
    with suppress(KindredError):
        for item in client.page("ListRecords", {}).items:
            row = row_of(item, MAPPING.read)
            if row is not None:
                assert MAPPING.apply(row).id == item.header.identifier


@quick
@given(
    st.dictionaries(
        st.sampled_from(["title", "creator", "subject", "description"]),
        st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), min_size=1),
        min_size=1,
    )
)
def test_what_was_written_in_dublin_core_comes_back(written: dict[str, str]) -> None:
    root = etree.Element("dc")
    for name, text in written.items():
        etree.SubElement(root, name).text = text
    read = xml.parse(etree.tostring(root, encoding="utf-8"))
    row = row_of(HarvestedItem(Header("m:1", "2026-02-01"), read), MAPPING.read)
    assert row is not None
    for name, text in written.items():
        text_read = dict(row.leaves() if not isinstance(row, dict) else {}).get(
            f"oai:metadata/dc/dc:{name}", ""
        )
        assert text_read == " ".join(text.split())


@quick
@given(
    st.text(max_size=30)
    | st.datetimes(min_value=datetime(1, 1, 2)).map(lambda at: f"{at:%Y-%m-%dT%H:%M:%SZ}")
)
def test_a_datestamp_is_a_moment_or_none(text: str) -> None:
    at = moment(text)
    assert (in_granularity(text, DAY) is None) == (at is None)
    if at is not None:
        assert moment(at.isoformat()) == at


@quick
@given(st.integers(0, 10**9), st.integers(0, 10**9), st.sampled_from([DAY, "YYYY-MM-DDThh:mm:ssZ"]))
def test_a_stretch_of_time_is_halved_until_it_is_one_day_or_second(
    begin: int, length: int, granularity: str
) -> None:
    since, until = (
        in_granularity(datetime.fromtimestamp(at, UTC).isoformat(), granularity)
        for at in (begin, begin + length)
    )
    whole: Slice | None = Slice(since, until)
    for _ in range(64):
        assert whole is not None
        parts = halves(whole, granularity, "1970-01-01", "2040-01-01")
        if parts is None:
            assert whole.since == whole.until
            return
        assert (parts[0].since, parts[1].until) == (whole.since, whole.until)
        assert parts[0].until is not None
        assert parts[0].until < (parts[1].since or "")
        whole = parts[begin % 2]
    pytest.fail("it never ends")
