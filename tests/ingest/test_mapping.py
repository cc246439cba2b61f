"""Mappings: what they make of a row, what they refuse, and that the shipped ones give the pair texts."""

import pydantic
import pytest

from ingest import typed_files
from ingest.errors import RejectedRow
from ingest.mapping import Mapping, Source
from ingest.reading import files
from ingest.reading.row import CellRow
from ingest.record import INDEXED, Entity, Field, Record, values
from tests.documents import ROOT
from tests.environment import SHARED, needs_shared
from tests.yaml_text import yaml_of


def shipped(name: str) -> Mapping:
    declared = yaml_of((ROOT / "config.yaml").read_text(encoding="utf-8"))
    return Mapping.model_validate(declared["mappings"][name])


@pytest.mark.parametrize(
    ("source", "row", "expected"),
    [
        ({"column": "a"}, {"a": " two \n words\u00a0"}, ["two words"]),
        ({"column": "a"}, {"a": ["x", None, "", 7, 1.5]}, ["x", "7", "1.5"]),
        ({"column": "a"}, {}, []),
        # a letter and the accent behind it are one letter
        ({"column": "a"}, {"a": "Nu\u0308rnberg"}, ["N\u00fcrnberg"]),
        ({"column": "a", "split": "|"}, {"a": "x| y ||"}, ["x", "y"]),
        ({"column": "a", "split": "|"}, {"a": ["x|y"]}, ["x|y"]),
        ({"column": "a", "join": ", "}, {"a": ["x", "", "y"]}, ["x, y"]),
        ({"column": "a", "join": ", "}, {"a": []}, []),
        ({"column": "a", "pattern": "([0-9]+)"}, {"a": ["no 12 or 13", "none"]}, ["12"]),
        ({"column": "a", "replace": {"^x/": "", "/([a-z])": " > \\1"}}, {"a": ["x/y/z", "x/"]}, ["y > z"]),
        ({"column": "a", "limit": 3, "prefix": "<", "suffix": ">"}, {"a": "abcdef"}, ["<abc>"]),
        ({"column": "a", "prefix": "<"}, {"a": "  "}, []),
        ({"column": "a", "unescape": False}, {"a": "a &amp; b"}, ["a &amp; b"]),
        ({"column": "a"}, {"a": "a&nbsp;&amp; b"}, ["a & b"]),
        ({"value": "CC0-1.0"}, {}, ["CC0-1.0"]),
    ],
)
def test_a_source_finds_its_texts(source: dict[str, object], row: CellRow, expected: list[str]) -> None:
    assert Source.model_validate(source).texts(row) == expected


def test_a_composition_leaves_empty_parts_out() -> None:
    medium, gift = Source(column="medium"), Source(column="credit", prefix="Gift of ")
    both = Source(parts=(medium, gift), join=". ")
    assert both.texts({"medium": "oil", "credit": "Rosa"}) == ["oil. Gift of Rosa"]
    assert both.texts({"medium": "oil", "credit": " "}) == ["oil"]
    assert both.texts({}) == []


@pytest.mark.parametrize(
    ("declared", "complaint"),
    [
        ({"id": {"column": "id"}, "title": {"column": "t", "pattern": "("}}, "regular expression"),
        ({"id": {"column": "id"}, "title": {"column": "t", "pattern": "x"}}, "group in parentheses"),
        ({"id": {"column": "id"}, "title": {"column": "t", "replace": {"(": ""}}}, "no regular expression"),
        ({"id": {"column": "id"}, "title": {"column": "t", "replace": {"x": "\\1"}}}, "group reference"),
        ({"id": {"column": "id"}, "title": []}, "at least 1 item"),
        ({"id": {"column": "id"}, "title": None}, "valid tuple"),
        ({"id": {"column": "id"}, "title": {"prefix": "x"}}, "exactly one of"),
        ({"id": {"column": "id"}, "title": {"column": "t", "value": "x"}}, "exactly one of"),
        ({"id": {"column": "id"}, "title": {"parts": []}}, "at least one source"),
        ({"id": {"column": "id"}, "title": {"column": "t", "limit": 0}}, "greater than 0"),
        ({"id": {"column": "id"}, "title": {"colum": "t"}}, "Extra inputs"),
        ({"id": {"column": "id"}, "titel": {"column": "t"}}, "Extra inputs"),
        ({"id": {"column": "id"}, "type": {"column": "t"}}, "name a source for one of"),
        ({"title": {"column": "t"}}, "Field required"),
    ],
)
def test_a_wrong_mapping_is_refused_when_it_is_loaded(declared: dict[str, object], complaint: str) -> None:
    with pytest.raises(pydantic.ValidationError, match=complaint):
        Mapping.model_validate(declared)


@pytest.mark.parametrize(
    ("row", "complaint", "record_id"),
    [
        ({"title": "x"}, "no id: column 'id' is absent or empty; the row has: title", None),
        ({"id": " ", "title": "x"}, "no id", None),
        ({"id": ["a", "b"], "title": "x"}, "2 ids", None),
        ({"id": "a", "title": " ", "type": "painting"}, "no text in any of the six fields", "a"),
        ({"id": "a", "title": {"en": "x"}}, "column 'title' holds an object", "a"),
        ({"id": "a", "title": [["x"]]}, "column 'title' holds a nested list", "a"),
        ({"id": "a", "title": True}, "column 'title' holds a truth value", "a"),
    ],
)
def test_a_row_that_makes_no_record_is_refused(row: CellRow, complaint: str, record_id: str | None) -> None:
    with pytest.raises(RejectedRow, match=complaint) as refused:
        shipped("dublin-core").apply(row)
    assert refused.value.record_id == record_id


def test_dublin_core_reads_lists_and_cells_alike() -> None:
    mapping = shipped("dublin-core")
    from_list = mapping.apply({"id": "a", "subject": ["canal", "boat"], "date": 1740, "places": ["Venice"]})
    from_cell = mapping.apply({"id": "a", "subject": "canal|boat", "date": "1740", "places": "Venice"})
    subject, date, places = values("canal", "boat"), values("1740"), values("Venice")
    assert from_list == from_cell == Record(id="a", subject=subject, date=date, places=places)


@pytest.mark.parametrize("part", INDEXED)
def test_what_a_museum_indexes_is_read_with_its_addresses(part: str) -> None:
    mapping = Mapping.model_validate(
        {
            "id": {"column": "id"},
            "title": {"column": "title"},
            part: {"column": "names", "split": "|", "entity": "addresses"},
        }
    )
    record = mapping.apply(
        {
            "id": "a",
            "title": "View",
            "names": "canals|boats",
            "addresses": "|http://vocab.getty.edu/aat/300178749",
        }
    )
    assert record.part(part) == values("canals", "boats")
    assert record.entities == (Entity(part, "http://vocab.getty.edu/aat/300178749", "boats"),)
    # Kindred's own form has a column of that name
    assert shipped("dublin-core").apply({"id": "a", "title": "b", part: "x|y"}).part(part) == values("x", "y")


def test_a_language_is_kept_and_the_first_text_counts_where_there_is_room_for_one() -> None:
    mapping = Mapping.model_validate(
        {
            "id": {"column": "id"},
            "title": [{"column": "it", "language": "it"}, {"column": "en", "language": "en"}],
            "type": [{"column": "kind"}, {"value": "object"}],
        }
    )
    record = mapping.apply({"id": "a", "it": "Veduta", "en": "View"})
    assert [(value.text, value.language) for value in record.title] == [("Veduta", "it"), ("View", "en")]
    assert record.type == "object"
    assert mapping.apply({"id": "a", "it": "Veduta", "kind": "print"}).type == "print"


@needs_shared("data/typed")
def test_the_shipped_mappings_give_the_pair_texts() -> None:
    train = SHARED / "data" / "typed" / "train"
    ids = typed_files.pair_ids(train)
    wanted = {record_id for pair in ids for record_id in pair}
    mapped: dict[str, tuple[str, Record]] = {}
    for name in ("tate", "cmoa", "teenie", "tna"):
        mapping = shipped(name)
        for located in files.rows(SHARED / "data" / "records" / f"{name}.jsonl.gz"):
            assert isinstance(located.row, dict)
            if located.row["id"] in wanted:
                record = mapping.apply(located.row)
                mapped[record.id] = name, record
    compared = 0
    for path in sorted((train / "pairs" / "text").iterdir()):
        number, side = path.name.split("_")[0][:-1], path.name.split("_")[0][-1]
        name, record = mapped[ids[int(number) - 1]["ab".index(side)]]
        texts = typed_files.read_text(path)
        for field in Field:
            if (name, field) == ("tna", Field.CREATOR):
                continue  # the pair texts were made without it
            assert tuple(value.text for value in record.field(field)) == texts.get(field, ()), path.name
        compared += 1
    assert compared == 2400
