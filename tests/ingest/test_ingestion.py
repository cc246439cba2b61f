"""Ingestion: counts, rejects, damage, and that doing it again changes nothing."""

import json
import tempfile
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest import ingestion
from ingest.errors import UnreadableFile, UsageError
from ingest.imports import Imports
from ingest.mapping import Mapping
from ingest.record import Record
from tests.environment import tries

DATA = Path(__file__).parents[1] / "data" / "ingest"
MAPPING = Mapping.model_validate({"id": {"column": "id"}, "title": {"column": "title", "split": "|"}})


@pytest.fixture
def catalogue(tmp_path: Path) -> Iterator[Imports]:
    with Imports(tmp_path / "catalogue.sqlite") as opened:
        yield opened


def counts(summary: ingestion.IngestSummary) -> tuple[int, ...]:
    assert summary.read == (
        summary.added + summary.changed + summary.unchanged + summary.repeated + summary.rejected
    )
    return summary.added, summary.changed, summary.unchanged, summary.repeated, summary.rejected


def test_what_is_broken_is_listed_and_the_rest_goes_in(catalogue: Imports, tmp_path: Path) -> None:
    rejects = tmp_path / "rejects.jsonl"
    summary = ingestion.ingest([DATA / "mixed.csv", DATA / "typed"], MAPPING, catalogue, rejects)
    assert counts(summary) == (5, 0, 0, 0, 6)
    assert list(catalogue.ids()) == ["m:1", "m:2", "m:7", "x/3", "x:1"]
    assert summary.rejects_file == str(rejects)
    listed = [json.loads(line) for line in rejects.read_text().splitlines()]
    assert [(Path(each["file"]).name, each["line"], each.get("id")) for each in listed] == [
        ("mixed.csv", 5, None),
        ("mixed.csv", 6, "m:4"),
        ("mixed.csv", 7, None),
        ("mixed.csv", 8, None),
        ("1b_x_2.txt", None, None),
        ("3a_x_9.txt", None, None),
    ]
    assert listed[1]["reason"].startswith("no text in any of the six fields")
    assert msgspec.json.encode(summary)


def test_who_watches_is_told_of_every_record(catalogue: Imports, tmp_path: Path) -> None:
    watched: list[Record] = []
    for _ in range(2):  # of what is there already too
        ingestion.ingest(
            [DATA / "mixed.csv"], MAPPING, catalogue, tmp_path / "rejects.jsonl", watch=watched.append
        )
    assert [record.id for record in watched] == ["m:1", "m:2", "m:7"] * 2


@pytest.mark.parametrize(
    ("item", "reason"),
    [
        (".", "a step in a path"),
        ("..", "a step in a path"),
        ("a\x00b", "a control character"),
        ("a\x7f", "a control character"),
        ("a\x80b", "a control character"),
        ("a\ufffd", "no UTF-8"),
    ],
)
def test_an_id_that_no_address_can_hold_is_rejected(
    catalogue: Imports, tmp_path: Path, item: str, reason: str
) -> None:
    file, rejects = tmp_path / "rows.jsonl", tmp_path / "rejects.jsonl"
    rows = [{"id": "a:1", "title": "x"}, {"id": item, "title": "x"}, {"id": "a/..", "title": "x"}]
    file.write_text("\n".join(map(json.dumps, rows)))
    mapping = Mapping.model_validate({"id": {"column": "id"}, "title": {"column": "title"}})
    summary = ingestion.ingest([file], mapping, catalogue, rejects)
    assert counts(summary) == (2, 0, 0, 0, 1)
    (rejected,) = [json.loads(line) for line in rejects.read_text().splitlines()]
    assert (rejected["line"], rejected["id"]) == (2, item)
    assert reason in rejected["reason"]


def test_addresses_that_are_none_are_left_out_and_counted(catalogue: Imports, tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl"
    rows = [
        {"id": "1", "image": "javascript:alert(1)", "page": "data:text/html,x"},
        {"id": "2", "image": " https://m.invalid/2.jpg", "page": "HTTP://m.invalid/2"},
        {"id": "3", "image": "pictures/3.jpg", "page": ""},
        {"id": "4", "image": "//m.invalid/4.jpg"},
    ]
    file.write_text("\n".join(json.dumps({**row, "title": "x"}) for row in rows))
    columns = {"id": "id", "title": "title", "image": "image", "landing_page": "page"}
    mapping = Mapping.model_validate({name: {"column": column} for name, column in columns.items()})
    summary = ingestion.ingest([file], mapping, catalogue, tmp_path / "rejects.jsonl")
    assert counts(summary) == (4, 0, 0, 0, 0)
    assert summary.addresses_dropped == 4
    stored = [catalogue.get(item) for item in ("1", "2", "3", "4")]
    assert [(one.image, one.landing_page) for one in stored if one] == [
        (None, None),
        ("https://m.invalid/2.jpg", "HTTP://m.invalid/2"),
        (None, None),
        (None, None),
    ]


def test_again_changes_nothing_and_leaves_an_empty_list(catalogue: Imports, tmp_path: Path) -> None:
    rejects = tmp_path / "rejects.jsonl"
    rejects.write_text("an older run\n")
    ingestion.ingest([DATA / "plain.tsv"], MAPPING, catalogue, rejects)
    revision = catalogue.revision
    again = ingestion.ingest([DATA / "plain.tsv"], MAPPING, catalogue, rejects)
    assert counts(again) == (0, 0, 2, 0, 0)
    assert catalogue.revision == revision
    assert rejects.read_text() == ""
    assert not list(tmp_path.glob("*.part"))


@pytest.mark.parametrize("batch", [1, 2, 1000])
def test_of_two_rows_with_one_id_the_later_counts(
    batch: int, catalogue: Imports, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ingestion, "BATCH", batch)
    path = tmp_path / "twice.csv"
    path.write_text("id,title\na,First\nb,Other\na,Last\n")
    summary = ingestion.ingest([path], MAPPING, catalogue, tmp_path / "rejects.jsonl")
    assert counts(summary) == (2, 0, 0, 1, 0)
    stored = catalogue.get("a")
    assert stored
    assert stored.label == "Last"


def test_a_damaged_file_keeps_its_rows_and_the_next_is_read(catalogue: Imports, tmp_path: Path) -> None:
    files = [DATA / "cut.json", DATA / "plain.tsv"]
    summary = ingestion.ingest(files, MAPPING, catalogue, tmp_path / "rejects.jsonl")
    assert counts(summary) == (2, 0, 0, 1, 0)
    assert len(summary.damaged) == 1
    assert "cut short" in summary.damaged[0]
    assert catalogue.count() == 2


def test_nothing_starts_where_a_path_is_wrong(catalogue: Imports, tmp_path: Path) -> None:
    rejects = tmp_path / "rejects.jsonl"
    with pytest.raises(UnreadableFile, match="does not exist"):
        ingestion.ingest([DATA / "plain.tsv", tmp_path / "none.csv"], MAPPING, catalogue, rejects)
    with pytest.raises(UsageError, match="name at least one file"):
        ingestion.ingest([], MAPPING, catalogue, rejects)
    (tmp_path / "file").touch()
    with pytest.raises(UsageError, match="name another file"):
        ingestion.ingest([DATA / "plain.tsv"], MAPPING, catalogue, tmp_path / "file" / "rejects.jsonl")
    assert (catalogue.count(), rejects.exists()) == (0, False)


def test_progress_adds_up_to_the_size(catalogue: Imports, tmp_path: Path) -> None:
    files = [DATA / "mixed.csv", DATA / "mixed.jsonl", DATA / "typed"]
    advances: list[int] = []
    ingestion.ingest(files, MAPPING, catalogue, tmp_path / "rejects.jsonl", advances.append)
    assert sum(advances) == ingestion.size(files)
    texts_only = sum(path.stat().st_size for path in (DATA / "typed/pairs/text").iterdir())
    assert ingestion.size([DATA / "typed"]) == texts_only > 0


def test_a_text_that_repeats_a_record_is_not_counted(catalogue: Imports, tmp_path: Path) -> None:
    for name in ("1a_x_1.txt", "2a_x_1.txt", "2b_x_2.txt"):
        (tmp_path / name).write_text("dcTitle:\tTower\n")
    (tmp_path / "3a_x_3.txt").symlink_to(tmp_path / "none")
    assert ingestion.size([tmp_path]) == 3 * len("dcTitle:\tTower\n")
    summary = ingestion.ingest([tmp_path], MAPPING, catalogue, tmp_path / "rejects.jsonl")
    assert counts(summary) == (2, 0, 0, 0, 0)
    assert "3a_x_3.txt cannot be read" in summary.damaged[0]


texts = st.text(st.characters(codec="utf-8"), max_size=20)


@tries(50)
@given(st.dictionaries(texts, st.lists(texts, max_size=3), max_size=8))
def test_ingesting_again_is_no_change_whatever_the_rows(rows: dict[str, list[str]]) -> None:
    with tempfile.TemporaryDirectory() as folder, Imports(Path(folder, "c.sqlite")) as catalogue:
        path, rejects = Path(folder, "rows.jsonl"), Path(folder, "rejects.jsonl")
        lines = [json.dumps({"id": key, "title": title}) + "\n" for key, title in rows.items()]
        path.write_text("".join(lines))
        first = ingestion.ingest([path], MAPPING, catalogue, rejects)
        before = {record.id: record for record in catalogue.records()}
        second = ingestion.ingest([path], MAPPING, catalogue, rejects)
        assert first.read == second.read == len(rows)
        assert (first.rejected, first.added) == (second.rejected, len(before))
        assert {record.id: record for record in catalogue.records()} == before
        if not first.repeated:
            assert counts(second)[:3] == (0, 0, len(before))
