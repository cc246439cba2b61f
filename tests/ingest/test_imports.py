"""Runs that took records in: listed, taken back whole, and sources made what they are now."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from ingest.errors import UnknownImport, UnreadableFile, UsageError
from ingest.imports import Imports, UndoResult
from ingest.ingestion import IngestSummary, Sync, ingest
from ingest.mapping import Mapping

MAPPING = Mapping.model_validate({"id": {"column": "id"}, "title": {"column": "title"}})


@pytest.fixture
def catalogue(tmp_path: Path) -> Iterator[Imports]:
    with Imports(tmp_path / "catalogue.sqlite") as opened:
        yield opened


def take(catalogue: Imports, source: str | None = None, most: float = 1.0, **titles: str) -> IngestSummary:
    path = catalogue.path.with_name("rows.csv")
    path.write_text("id,title\n" + "".join(f"{item},{title}\n" for item, title in titles.items()))
    sync = Sync(source, most) if source else None
    return ingest([path], MAPPING, catalogue, path.with_name("rejects.jsonl"), sync=sync)


def labels(catalogue: Imports) -> dict[str, str]:
    return {record.id: record.label for record in catalogue.records()}


def test_a_run_is_listed_and_taken_back_whole(catalogue: Imports) -> None:
    take(catalogue, a="A", b="B")
    second = take(catalogue, b="B2", c="C")
    assert (second.number, second.added, second.changed) == (2, 1, 1)
    listed = [
        (run.number, run.added, run.changed, run.removed, bool(run.ended)) for run in catalogue.imports()
    ]
    assert listed == [(2, 1, 1, 0, True), (1, 2, 0, 0, True)]
    assert catalogue.undo(2) == UndoResult(number=2, deleted=1, restored=1, kept=0)
    assert labels(catalogue) == {"a": "A", "b": "B"}
    assert catalogue.imports()[0].undone
    with pytest.raises(UnknownImport, match="already"):
        catalogue.undo(2)
    with pytest.raises(UnknownImport, match="no import 7"):
        catalogue.undo(7)


def test_what_was_changed_since_stays(catalogue: Imports) -> None:
    take(catalogue, a="A", b="B", c="C")
    take(catalogue, b="B2")
    catalogue.delete("c")
    assert catalogue.undo(1) == UndoResult(number=1, deleted=1, restored=0, kept=2)
    assert labels(catalogue) == {"b": "B2"}
    assert catalogue.undo(2) == UndoResult(number=2, deleted=0, restored=1, kept=0)
    assert labels(catalogue) == {"b": "B"}


def test_a_row_that_comes_twice_in_a_run_is_taken_back_to_what_was_before(
    catalogue: Imports, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ingest.ingestion.BATCH", 1)
    take(catalogue, a="A")
    path = catalogue.path.with_name("twice.csv")
    path.write_text("id,title\na,First\nb,Other\na,Last\n")
    ingest([path], MAPPING, catalogue, path.with_name("rejects.jsonl"))
    assert labels(catalogue) == {"a": "Last", "b": "Other"}
    assert catalogue.undo(2) == UndoResult(number=2, deleted=1, restored=1, kept=0)
    assert labels(catalogue) == {"a": "A"}


def test_a_source_is_made_what_it_is_now(catalogue: Imports) -> None:
    take(catalogue, other="of nobody")
    take(catalogue, "museum", a="A", b="B", c="C")
    again = take(catalogue, "museum", a="A", b="B2", d="D")
    assert (again.added, again.changed, again.unchanged, again.removed) == (1, 1, 1, 1)
    assert labels(catalogue) == {"a": "A", "b": "B2", "d": "D", "other": "of nobody"}
    assert catalogue.imports()[0].removed == 1
    assert catalogue.undo(again.number) == UndoResult(number=3, deleted=1, restored=2, kept=0)
    assert labels(catalogue) == {"a": "A", "b": "B", "c": "C", "other": "of nobody"}
    assert catalogue.of_source("museum") == {"a", "b", "c"}


def test_more_than_a_share_is_not_removed_and_nothing_is_written(catalogue: Imports) -> None:
    take(catalogue, "museum", a="A", b="B", c="C")
    revision = catalogue.revision
    with pytest.raises(UsageError, match=r"2 of the 3 records of museum.*repeat with --yes"):
        take(catalogue, "museum", most=0.5, a="changed")
    assert catalogue.revision == revision
    assert len(catalogue.imports()) == 1
    assert take(catalogue, "museum", most=0.7, a="changed").removed == 2


def test_a_damaged_file_removes_nothing(catalogue: Imports) -> None:
    take(catalogue, "museum", a="A", b="B")
    path = catalogue.path.with_name("cut.json")
    path.write_text('[{"id": "a", "title": "A2"},')
    with pytest.raises(UnreadableFile, match="Nothing was written"):
        ingest([path], MAPPING, catalogue, path.with_name("rejects.jsonl"), sync=Sync("museum"))
    assert labels(catalogue) == {"a": "A", "b": "B"}


def test_a_rejected_row_is_no_removal(catalogue: Imports) -> None:
    take(catalogue, "museum", a="A", b="B")
    summary = take(catalogue, "museum", a="A", b="")
    assert (summary.rejected, summary.removed) == (1, 0)
    assert labels(catalogue) == {"a": "A", "b": "B"}


def test_what_a_live_change_said_is_kept_when_a_run_is_taken_back(catalogue: Imports) -> None:
    take(catalogue, a="A")
    record = catalogue.get("a")
    assert record
    live = type(record)(id="a", title=(("live", None),))  # type: ignore[arg-type]
    catalogue.change("print", [(live, b"profile")])
    assert catalogue.undo(1).kept == 1
    assert catalogue.count() == 1
