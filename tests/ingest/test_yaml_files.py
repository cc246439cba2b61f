"""YAML is read as version 1.2 has it, whoever reads it, and every key knows its line."""

import subprocess
import sys
from datetime import date

import pytest
import yaml

from ingest import yaml_files
from tests.yaml_text import yaml_of

SCALARS = {
    "on": "on",
    "off": "off",
    "yes": "yes",
    "no": "no",
    "y": "y",
    "tRUE": "tRUE",
    "true": True,
    "False": False,
    "TRUE": True,
    "012": 12,
    "08": 8,
    "0o12": 10,
    "0x1F": 31,
    "-0x1f": -31,
    "0b11": 3,
    "+1": 1,
    "1_000": 1000,
    "_1": "_1",
    "0o8": "0o8",
    "1:30": "1:30",
    "1:30:20.5": "1:30:20.5",
    "1.": 1.0,
    ".5": 0.5,
    "1e3": 1000.0,
    "1E-3": 0.001,
    "1_0.5": 10.5,
    "1e": "1e",
    "-.inf": float("-inf"),
    "~": None,
    "null": None,
    "": None,
    "=": "=",
    "2020-01-02": date(2020, 1, 2),
    "2020-1-2": "2020-1-2",
    "http://example.org:80": "http://example.org:80",
    "'12'": "12",
    '"no"': "no",
    "|\n  012\n": "012\n",
}


@pytest.mark.parametrize(("written", "meant"), SCALARS.items())
def test_a_scalar_means_what_version_1_2_says(written: str, meant: object) -> None:
    read = yaml_of(f"a: {written}")["a"]
    assert read == meant
    assert type(read) is type(meant)


def test_what_is_no_number_of_its_own_is_a_number_that_is_none() -> None:
    assert yaml_of("a: .nan")["a"] != yaml_of("a: .nan")["a"]


def test_keys_are_strings_as_they_are_read() -> None:
    assert yaml_of("{on: 1, 012: 2, true: 3, ~: 4}") == {"on": 1, "12": 2, "True": 3, "None": 4}


def test_a_mapping_is_merged_under_what_stands_beside_it() -> None:
    read = yaml_of(
        "a: &a {x: 1, y: 2}\nb: {<<: *a, y: 3}\nc:\n  d: &d {<<: *a, x: 4}\ne: {<<: [*d, *a], z: 5}\n"
    )
    assert read["b"] == {"x": 1, "y": 3}
    assert read["c"] == {"d": {"x": 4, "y": 2}}
    assert read["e"] == {"x": 4, "y": 2, "z": 5}


DOCUMENT = """\
# a line before
one:
  two: 2
  list:
  - a
  -
    deep: [x,
      y]
'3': {flow: 1,
  more: 2}
"""


@pytest.mark.parametrize(
    ("location", "line"),
    [
        (("one",), 2),
        (("one", "two"), 3),
        (("one", "two", "below"), 3),
        (("one", "tag", "two"), 3),
        (("one", "list", 0), 5),
        (("one", "list", 1), 7),
        (("one", "list", 1, "deep", 1), 8),
        (("one", "list", 2), 4),
        (("3", "more"), 10),
        (("none",), None),
        ((), None),
    ],
)
def test_a_location_has_the_line_of_the_deepest_part_that_is_there(
    location: yaml_files.Location, line: int | None
) -> None:
    assert yaml_files.read(DOCUMENT).line(location) == line


def test_what_is_written_over_a_merged_mapping_has_its_own_line() -> None:
    read = yaml_files.read("a: &a\n  x: 1\n  y: 2\nb:\n  <<: *a\n  y: 3\n")
    assert (read.line(("b", "x")), read.line(("b", "y"))) == (2, 6)


def test_an_empty_text_says_nothing_and_has_no_lines() -> None:
    assert yaml_files.read("# nothing\n").content is None
    assert yaml_files.read("").line(("a",)) is None


@pytest.mark.parametrize(
    ("text", "message", "line"),
    [
        ("a: 1\nb: 2\na: 3\n", 'found duplicate key "a"', 3),
        ("a:\n- {b: 1,\n   b: 2}\n", 'found duplicate key "b"', 3),
        ("x: &x\n  k: 1\ny:\n  <<: *x\n  j: 1\n  j: 2\n", 'found duplicate key "j"', 6),
        ("a:\n  b: 2020-13-45\n", "cannot be read as timestamp", 2),
        ("a: !!bool maybe\n", "cannot be read as bool", 1),
        ("a: 0b_\n", "cannot be read as int", 1),
        ("\na: !own x\n", "could not determine a constructor for the tag '!own'", 2),
        ("a: !!python/object:os.system x\n", "could not determine a constructor", 1),
        ("? [a]\n: 1\n", "found unhashable key", 1),
        ("a: *b\n", "found undefined alias", 1),
        ("a: 1\n--- \nb: 1\n", "expected a single document", 2),
        ("a: 'x\n", "found unexpected end of stream", 2),
        ("a:\n  b: c: d\n", "mapping values are not allowed", 2),
    ],
)
def test_what_is_refused_names_its_line(text: str, message: str, line: int) -> None:
    with pytest.raises(yaml.YAMLError) as refused:
        yaml_files.read(text)
    assert message in str(refused.value)
    assert f"line {line}," in str(refused.value)


def test_what_is_nested_too_deep_is_refused() -> None:
    with pytest.raises(yaml.YAMLError, match="nested too deep"):
        yaml_files.read("[" * 3000 + "]" * 3000)


def test_it_means_the_same_without_libyaml() -> None:
    code = (
        "import sys, yaml; del yaml.CSafeLoader\n"
        "from ingest import yaml_files\n"
        "assert not issubclass(yaml_files._Loader, yaml.cyaml.CParser)\n"
        "for text in sys.argv[1:]: print(repr(yaml_files.read(text).content))\n"
        "print(yaml_files.read(text).line(('one', 'list', 1, 'deep', 1)))\n"
    )
    texts = [*(f"a: {written}" for written in SCALARS), DOCUMENT]
    ended = subprocess.run([sys.executable, "-c", code, *texts], capture_output=True, text=True, check=True)
    assert ended.stdout.splitlines() == [*(repr(yaml_files.read(text).content) for text in texts), "8"]
