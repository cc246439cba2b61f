"""Files whose ids do not tell their records apart: they are named otherwise, which is said, or refused."""

import gzip
import io
import json
import tarfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from features.text.dates.fields import is_understood
from features.text.names.placeholders import says_no_maker
from ingest.errors import UnreadableFile
from ingest.identifiers import Identifiers
from ingest.imports import Imports
from ingest.ingestion import IngestSummary, Sync, ingest
from ingest.mapping import Mapping
from ingest.reading.settings import Limits
from ingest.trial import Judges, tried
from service.cli.mapping import chooser
from service.settings import load

RAW = Path(__file__).parents[3] / "shared" / "data" / "raw"
TABLE = Mapping.model_validate({"id": {"column": "id", "prefix": "m:"}, "title": {"column": "title"}})
TITLES = ("Canal", "Bridge", "Boat", "Square", "Church")


@pytest.fixture
def catalogue(tmp_path: Path) -> Iterator[Imports]:
    with Imports(tmp_path / "catalogue.sqlite") as opened:
        yield opened


def lido(title: str, published: str = "", number: str = "", record_id: str = "/Museum:000") -> str:
    return (
        f"<l:lido><l:lidoRecID>{record_id}</l:lidoRecID>"
        + (f"<l:objectPublishedID>{published}</l:objectPublishedID>" if published else "")
        + "<l:descriptiveMetadata><l:objectIdentificationWrap><l:titleWrap><l:titleSet>"
        f"<l:appellationValue>{title}</l:appellationValue></l:titleSet></l:titleWrap>"
        f"<l:repositoryWrap><l:repositorySet><l:workID>{number}</l:workID></l:repositorySet></l:repositoryWrap>"
        "</l:objectIdentificationWrap></l:descriptiveMetadata></l:lido>"
    )


def document(*records: str) -> bytes:
    return f'<l:lidoWrap xmlns:l="http://www.lido-schema.org">{"".join(records)}</l:lidoWrap>'.encode()


def packed(path: Path, **files: bytes) -> Path:
    """An archive of LIDO files."""
    with tarfile.open(path, "w:gz") as archive:
        for name, data in files.items():
            entry = tarfile.TarInfo(f"2024-01-01/{name}.xml")
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))
    return path


def take(
    catalogue: Imports, *paths: Path, mapping: Mapping | None = None, source: str | None = None
) -> IngestSummary:
    rejects = catalogue.path.with_name("rejects.jsonl")
    sync = Sync(source) if source else None
    return ingest(list(paths), mapping or chooser(load(), None), catalogue, rejects, sync=sync)


def labels(catalogue: Imports) -> dict[str, str]:
    return {record.id: record.label for record in catalogue.records()}


def published(*numbers: int) -> bytes:
    return document(*(lido(f"View {each}", f"https://m.example/{each}", f"A {each}") for each in numbers))


def test_records_of_one_id_are_named_by_what_was_published(catalogue: Imports, tmp_path: Path) -> None:
    path = packed(tmp_path / "all.tgz", **{f"Item_{each}": published(each) for each in range(5)})
    summary = take(catalogue, path)
    assert (summary.added, summary.repeated, summary.repeats) == (5, 0, ())
    (sentence,) = summary.identifiers
    assert "5 of 5 records have the id '/Museum:000' in column '(lido:lidoRecID)[1]'" in sentence
    assert "objectPublishedID" in sentence
    assert labels(catalogue) == {f"https://m.example/{each}": f"View {each}" for each in range(5)}


def test_the_same_file_gives_the_same_ids(catalogue: Imports, tmp_path: Path) -> None:
    path = tmp_path / "all.xml"
    path.write_bytes(published(1, 2, 3, 4, 5))
    take(catalogue, path, source="museum")
    before = labels(catalogue)
    again = take(catalogue, path, source="museum")
    assert (again.unchanged, again.added, again.removed) == (5, 0, 0)
    path.write_bytes(published(2, 3, 4, 5, 6).replace(b"View 2", b"Vista 2"))
    update = take(catalogue, path, source="museum")
    assert (update.unchanged, update.changed, update.added, update.removed) == (3, 1, 1, 1)
    undone = catalogue.undo(update.number)
    assert (undone.deleted, undone.restored, undone.kept) == (1, 2, 0)
    assert labels(catalogue) == before


@pytest.mark.parametrize("name", ["a.xml", "a.xml.gz"])
def test_a_record_that_was_not_published_is_named_by_its_inventory_number(
    name: str, catalogue: Imports, tmp_path: Path
) -> None:
    data = document(
        lido("Boat", number="B 1"), *(lido("View", f"u:{each}", f"A {each}") for each in range(4))
    )
    (tmp_path / name).write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    take(catalogue, tmp_path / name)
    assert list(labels(catalogue)) == ["B 1", "u:0", "u:1", "u:2", "u:3"]


def test_at_last_records_are_named_by_their_files(catalogue: Imports, tmp_path: Path) -> None:
    files = {f"Item_{at}": document(lido(title)) for at, title in enumerate(TITLES)}
    named = {f"Item_{at}": title for at, title in enumerate(TITLES)}
    summary = take(catalogue, packed(tmp_path / "all.tgz", **files))
    assert summary.identifiers[0].endswith("they are named by the names of their files instead")
    assert labels(catalogue) == named
    # the same files unpacked
    for name, data in files.items():
        (tmp_path / f"{name}.xml").write_bytes(data)
    again = take(catalogue, *sorted(tmp_path.glob("*.xml")))
    assert (again.unchanged, len(again.identifiers)) == (5, 1)
    assert labels(catalogue) == named


def test_the_name_of_a_file_stands_in_what_the_mapping_puts_around_ids(
    catalogue: Imports, tmp_path: Path
) -> None:
    for at, title in enumerate(TITLES):
        (tmp_path / f"o{at}.csv").write_text(f"id,title\n-,{title}\n")
    take(catalogue, *sorted(tmp_path.glob("*.csv")), mapping=TABLE)
    assert list(labels(catalogue)) == ["m:o0", "m:o1", "m:o2", "m:o3", "m:o4"]


@pytest.mark.parametrize("before", [0, 1500])
def test_a_file_without_ids_of_its_own_is_refused(before: int, catalogue: Imports, tmp_path: Path) -> None:
    path = tmp_path / "all.csv"
    rows = [f"{at},Title" for at in range(before)] + [f"none,{at}" for at in range(40)]
    path.write_text("\n".join(["id,title", *rows]))
    with pytest.raises(UnreadableFile) as refused:
        take(catalogue, path, mapping=TABLE)
    assert f"40 of {before + 40:,} records have the id 'm:none' in column 'id'" in refused.value.detail
    assert refused.value.detail.endswith("Nothing was written")
    assert (labels(catalogue), catalogue.imports()) == ({}, [])
    judges = Judges(is_understood, says_no_maker)
    report = tried([path], TABLE, Limits(), judges, lambda _: None)
    assert (report.records, report.repeated) == (before + 40, 39)
    assert "have the id 'm:none'" in report.damaged[0]


def test_a_few_that_repeat_are_told_with_examples(catalogue: Imports, tmp_path: Path) -> None:
    path = tmp_path / "all.csv"
    path.write_text("id,title\na,One\nb,Two\na,Three\nb,Four\na,Five\n")
    summary = take(catalogue, path, mapping=TABLE)
    assert (summary.added, summary.repeated, summary.rejected) == (2, 3, 0)
    sentence = "the id 'm:a' came before in this run; this row replaced the earlier one"
    assert [(each.number, each.example.rpartition("/")[2]) for each in summary.repeats] == [
        (2, f"all.csv, line 4: {sentence}"),
        (1, f"all.csv, line 5: {sentence.replace('m:a', 'm:b')}"),
    ]
    listed = [json.loads(line) for line in Path(summary.rejects_file).read_text().splitlines()]
    assert [(each["line"], each["id"]) for each in listed] == [(4, "m:a"), (5, "m:b"), (6, "m:a")]
    assert listed[0]["reason"] == sentence
    report = tried([path], TABLE, Limits(), Judges(is_understood, says_no_maker), lambda _: None)
    assert report.repeats == summary.repeats
    assert labels(catalogue) == {"m:a": "Five", "m:b": "Four"}


def test_a_row_that_repeats_one_of_an_earlier_batch_is_told(catalogue: Imports, tmp_path: Path) -> None:
    path = tmp_path / "all.csv"
    path.write_text("id,title\n" + "".join(f"{at},Title\n" for at in range(2500)) + "7,Other\n7,Another\n")
    summary = take(catalogue, path, mapping=TABLE)
    assert (summary.added, summary.repeated) == (2500, 2)
    assert summary.repeats[0].number == 2
    assert labels(catalogue)["m:7"] == "Another"


def test_versions_of_a_file_in_one_run_still_follow_each_other(catalogue: Imports, tmp_path: Path) -> None:
    paths = [tmp_path / f"{year}.csv" for year in range(2020, 2026)]
    for path in paths:
        path.write_text(f"id,title\na,A of {path.stem}\nb,B of {path.stem}\n")
    summary = take(catalogue, *paths, mapping=TABLE)
    assert (summary.added, summary.repeated, summary.identifiers) == (2, 10, ())
    assert labels(catalogue) == {"m:a": "A of 2025", "m:b": "B of 2025"}


def test_a_real_export_with_one_id_for_all() -> None:
    path = RAW / "nationalmuseum-lido.tgz"
    if not path.exists():
        pytest.skip("the raw files of museums are not there (../shared/data/raw)")
    named = Identifiers(chooser(load(), None))
    named.settle([path], Limits())
    (sentence,) = named.sentences
    assert "5,309 of 5,309 records have the id" in sentence
    assert "objectPublishedID" in sentence
    assert named.refused == []
