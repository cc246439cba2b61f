"""Small texts that readers make: of numbers and days in workbooks, of names of files and properties."""

from datetime import datetime

import pytest

from ingest.identifiers import _stem
from ingest.reading.edm import _api_key
from ingest.reading.merged_cells import column
from ingest.reading.sheets import _day, _number


@pytest.mark.parametrize(("reference", "place"), [("A1", 0), ("AB12", 27)])
def test_a_reference_names_the_column(reference: str, place: int) -> None:
    assert column(reference) == place


@pytest.mark.parametrize(
    ("stored", "shown"), [("1890.0", "1890"), ("0.1", "0.1"), ("1E3", "1000"), ("-5", "-5")]
)
def test_a_number_of_a_workbook_is_written_as_people_write_it(stored: str, shown: str) -> None:
    assert _number(stored) == shown


def test_a_day_of_a_workbook_is_written_as_a_date() -> None:
    assert _day("1", datetime(1899, 12, 31)) == "1900-01-01"
    assert _day("45000.5", datetime(1899, 12, 30)) == "2023-03-15 12:00"


@pytest.mark.parametrize(
    ("name", "stem"), [("export.tgz: 2024/Item 7.1.xml", "Item 7.1"), ("data/Item_7.xml.gz", "Item_7")]
)
def test_the_stem_of_a_file_lacks_its_folder_archive_and_suffixes(name: str, stem: str) -> None:
    assert _stem(name) == stem


@pytest.mark.parametrize(
    ("key", "name"),
    [("dcTitle", "dc:title"), ("dctermsSpatial", "dcterms:spatial"), ("prefLabel", "skos:prefLabel")],
)
def test_a_key_of_the_record_api_names_a_property(key: str, name: str) -> None:
    assert _api_key(key) == name
