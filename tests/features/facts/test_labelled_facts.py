"""Records whose facts are written down in short: what a line says, and what is refused."""

import gzip
import json
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")

from ingest.errors import UnreadableFile
from tests.documents import defaults
from training.fact_labels import CATEGORIES, fact_lines, joined, read_records
from training.labelled_facts import LABELS, labelled_records
from training.record_files import collection_of, files

HEADER = "file\tid\tpeople\tevents\tplaces\tmaker"


def museum(shared: Path, *titles: str) -> Path:
    """Tate's file with records of these titles, in a folder of its own."""
    folder = shared / "data" / "records"
    folder.mkdir(parents=True)
    rows = [{"id": str(n), "title": [title], "places": ["Venice"]} for n, title in enumerate(titles)]
    (folder / "tate.jsonl.gz").write_bytes(gzip.compress("\n".join(map(json.dumps, rows)).encode()))
    return shared


def labels(folder: Path, *lines: str) -> Path:
    """A file of labels."""
    path = folder / "facts.tsv"
    path.write_text("\n".join((HEADER, *lines)) + "\n")
    return path


def test_a_line_says_what_a_record_has(tmp_path: Path) -> None:
    own = labels(
        tmp_path,
        "tate\t1\tsc:rulers,men,named\tpolitics,daily_life\tsm\tm",
        "tate\t0\t-\tportrait\t-\t-",
    )
    read = labelled_records(museum(tmp_path, "A boat", "The King"), defaults().mappings, own)
    named = [{name for name, has in zip(CATEGORIES, row, strict=True) if has} for row in read.has.tolist()]
    kinds = {"kinds/rulers", "kinds/men", "kinds/named"}
    events = {"event", "events/politics", "events/daily life"}
    assert named == [
        {"people", "people/shown", "place", "place/shown", "maker", *kinds, *events},
        # sitting for a portrait is no event
        {"events/portrait"},
    ]
    # of the six fields alone, in the order of the lines; a file of Tate's is of the readers' ``train``
    assert [(record.id, record.title[0].text, record.places) for record in read.records] == [
        ("1", "The King", ()),
        ("0", "A boat", ()),
    ]
    assert (read.collections, read.tagged) == (("train", "train"), (None, None))


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("tate\t7\t-\t-\t-\t-", "has facts of '7', which data/records/tate lacks"),
        ("tate\t0\t-\t-\t-", "line 2: wanted file id people events places maker"),
        ("tate\t0\ts:giants\t-\t-\t-", "line 2: 'kinds/giants' is no category"),
    ],
)
def test_what_cannot_be_is_refused(tmp_path: Path, line: str, message: str) -> None:
    with pytest.raises(UnreadableFile, match=message):
        labelled_records(museum(tmp_path, "A boat"), defaults().mappings, labels(tmp_path, line))


def test_labels_that_are_not_there_are_named(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match="cannot be read"):
        labelled_records(museum(tmp_path, "A boat"), defaults().mappings, tmp_path / "none.tsv")


def test_both_kinds_of_records_are_learnt_from(tmp_path: Path) -> None:
    shared = museum(tmp_path, "A boat")
    facts = shared / "data" / "facts" / "facts.jsonl.gz"
    facts.parent.mkdir()
    line = {"collection": "ima", "id": "1", "fields": {"title": "King"}, "people": [{"role": "shown"}]}
    facts.write_bytes(gzip.compress(json.dumps(line).encode()))
    (one,) = fact_lines(shared)
    assert (one.collection, one.people[0].role) == ("ima", "shown")
    both = joined(
        read_records(shared),
        labelled_records(shared, defaults().mappings, labels(tmp_path, "tate\t0\t-\t-\t-\tm")),
    )
    assert both.collections == ("ima", "train")
    assert both.has[:, CATEGORIES.index("maker")].tolist() == [False, True]
    assert both.some(np.array([1])).tagged == (None,)
    assert files(shared) == ["tate"]


def test_the_labels_that_come_with_it_are_whole() -> None:
    lines = LABELS.read_text("utf-8").splitlines()
    assert lines[0] == HEADER
    rows = [line.split("\t") for line in lines[1:]]
    assert len({(row[0], row[1]) for row in rows}) == len(rows) > 1000
    assert len({collection_of(row[0]) for row in rows}) == 17
