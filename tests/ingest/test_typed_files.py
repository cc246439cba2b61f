"""The official texts: fields, ids, pairs, and what is refused."""

import shutil
from pathlib import Path

import pytest

from ingest import typed_files
from ingest.errors import PairsError, RejectedRow, UnreadableFile
from ingest.record import Field, Record, values

DATA = Path(__file__).parents[1] / "data" / "ingest" / "typed"
TEXTS = DATA / "pairs" / "text"


def test_a_text_gives_its_fields() -> None:
    texts = typed_files.read_text(TEXTS / "1a_x_1.txt")
    assert texts == {Field.TITLE: ("View of Venice",), Field.SUBJECT: ("canal", "boat")}
    assert typed_files.read_text(TEXTS / "2b_x_3.txt") == {Field.TITLE: ("Tower",)}


def test_an_unknown_key_names_file_and_line() -> None:
    with pytest.raises(RejectedRow, match=r"1b_x_2\.txt, line 3: unknown key 'dcRights:'"):
        typed_files.read_text(TEXTS / "1b_x_2.txt")


@pytest.mark.parametrize("directory", [DATA, TEXTS])
def test_every_record_comes_once_in_the_order_of_the_pairs(directory: Path) -> None:
    items = list(typed_files.records(directory))
    first = Record(id="x:1", title=values("View of Venice"), subject=values("canal", "boat"))
    assert [name for name, _ in items] == ["1a_x_1.txt", "1b_x_2.txt", "2b_x_3.txt", "3a_x_9.txt"]
    assert items[0][1] == first
    assert items[2][1] == Record(id="x/3", title=values("Tower"))
    assert "unknown key" in str(items[1][1])
    assert "pair 3 is not in STS.input" in str(items[3][1])


def test_without_the_input_file_the_name_gives_the_id(tmp_path: Path) -> None:
    shutil.copy(TEXTS / "2b_x_3.txt", tmp_path)
    assert list(typed_files.records(tmp_path)) == [("2b_x_3.txt", Record(id="x:3", title=values("Tower")))]


def test_a_record_described_twice_in_two_ways_is_refused_the_second_time(tmp_path: Path) -> None:
    (tmp_path / "1a_x_1.txt").write_text("dcTitle:\tOne\n")
    (tmp_path / "10b_x_1.txt").write_text("dcTitle:\tOther\n")
    (_, first), (_, second) = typed_files.records(tmp_path)
    assert isinstance(first, Record)
    assert "describes x:1 otherwise than 1a_x_1.txt" in str(second)


def test_pair_ids(tmp_path: Path) -> None:
    assert typed_files.pair_ids(DATA) == typed_files.pair_ids(TEXTS) == [("x:1", "x:2"), ("x:1", "x/3")]
    with pytest.raises(PairsError, match="no STS"):
        typed_files.pair_ids(tmp_path)
    (tmp_path / typed_files.INPUT).write_text("urn:record:a\turn:record:b\nurn:record:a\n")
    with pytest.raises(PairsError, match="line 2"):
        typed_files.pair_ids(tmp_path)


def test_a_directory_without_texts_says_so(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match="holds no texts"):
        list(typed_files.records(tmp_path))
    with pytest.raises(UnreadableFile, match="is no directory"):
        list(typed_files.records(tmp_path / "none"))
