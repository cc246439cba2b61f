"""What is fuzzed: each reader takes any bytes and may end in nothing but an answer or an error of ours."""

import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

from features.text.dates.fields import date_periods, text_periods
from features.text.names.names import names
from ingest.entries import Notes, entries
from ingest.errors import BrokenAnswer, InvalidRequest, KindredError
from ingest.mapping import Mapping
from ingest.oai import xml
from ingest.reading.settings import Limits
from service.search import cursors
from service.search.fulltext.language import terms

_MAPPING = Mapping.model_validate({"id": {"column": "id"}, "title": {"column": "title"}})
_LIMITS = Limits(record=20_000, seconds=60)


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def _dates(data: bytes) -> None:
    for period in (*date_periods(_text(data)), *text_periods(_text(data))):
        assert period.first <= period.last


def _names(data: bytes) -> None:
    text = _text(data)
    assert all(0 <= name.start <= name.end <= len(text) for name in names(text))


def _query(data: bytes) -> None:
    assert all(term.words for term in terms(_text(data)))


def _cursor(data: bytes) -> None:
    with suppress(InvalidRequest):
        cursors.decode(_text(data), "query")


def _answer(data: bytes) -> None:
    with suppress(BrokenAnswer):
        xml.parse(data)


def _file(suffix: str) -> Callable[[bytes], None]:
    def read(data: bytes) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / f"a{suffix}"
            path.write_bytes(data)
            with suppress(KindredError):
                for _ in entries([path], _MAPPING, _LIMITS, Notes(), lambda _: None):
                    pass

    return read


def _files() -> Iterator[tuple[str, Callable[[bytes], None]]]:
    for form in ("csv", "json", "jsonl", "xml", "zip"):
        yield form, _file(f".{form}")


READERS: dict[str, Callable[[bytes], None]] = {
    "dates": _dates,
    "names": _names,
    "query": _query,
    "cursor": _cursor,
    "answer": _answer,
    **dict(_files()),
}
"""By the name of its corpus: what reads one input."""
