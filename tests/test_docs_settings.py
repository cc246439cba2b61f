"""docs/configuration.md lists every setting as it is declared; config.yaml holds each with its default."""

import re
from collections import defaultdict
from functools import cache
from pathlib import Path

import pytest
from pydantic import BaseModel

from scripts.settings import rendered, settings
from service.configuration import shipped_files
from service.settings import Settings
from tests.documents import defaults, rows, sections, text


@cache
def lines(file: Path) -> dict[str, list[str]]:
    """Section -> its lines in a configuration, with the comment in front of it."""
    by_section: dict[str, list[str]] = defaultdict(list)
    before: list[str] = []
    section = ""
    for line in file.read_text(encoding="utf-8").splitlines():
        if head := re.match(r"(\w+):", line):
            section = head[1]
            by_section[section] = [*before, line]
            before = []
        elif line.startswith("#"):
            before.append(line)
        else:
            by_section[section].append(line)
    return by_section


def test_the_tables_of_settings_are_up_to_date() -> None:
    assert text("configuration.md") == rendered(text("configuration.md")), "run: python -m scripts.settings"


def test_the_tables_list_settings_of_every_depth_with_default_bounds_and_variable() -> None:
    listed = rows(text("configuration.md"))
    assert listed["service.port"][1:3] == ["`8000`", "1 to 65535"]
    assert listed["service.port"][4] == "`KINDRED_SERVICE__PORT`"
    assert listed["ingest.limits.seconds"][1:3] == ["`21600`", "above 0"]
    assert listed["ingest.limits.seconds"][4] == "`KINDRED_INGEST__LIMITS__SECONDS`"
    assert listed["index.urls"][1:3] == ['`["http://127.0.0.1:9200"]`', "list of text, not empty"]
    assert listed["evaluation.providers.prefix"][1:] == ["required", "text", "how its record ids begin", ""]
    assert listed["features.NAME.scope.entities"][2] == "list of `person`, `location`, `organisation`, `date`"
    assert listed["systems.NAME.missing"][1:3] == ["`null`", "0 to 1 or `null`"]
    assert listed["systems.NAME.applies"][2] == "names, each with a value: 0 to below 1"
    assert listed["mappings.NAME.read.separator"][2] == "text, length 1 or `null`"
    assert listed["mappings.NAME.KEY.pattern"][1:3] == ["`null`", "regular expression or `null`"]


def test_every_setting_says_what_it_means() -> None:
    undescribed = {one.key for one in settings() if not one.field.description}
    unexplained = {cells[0] for cells in rows(text("configuration.md")).values() if not all(cells[:4])}
    assert (undescribed, unexplained) == (set(), set())


def test_a_document_without_a_table_or_with_another_is_refused() -> None:
    whole = text("configuration.md")
    for broken in (
        whole.replace("<!-- settings: service -->", ""),
        whole.replace("<!-- settings: service -->", "<!-- settings: services -->"),
        whole + "<!-- settings: service -->\n<!-- end of settings -->\n",
    ):
        with pytest.raises(ValueError, match="service"):
            rendered(broken)


def test_every_section_has_a_chapter() -> None:
    chapters = {head.strip("`") for head in sections(text("configuration.md"))}
    assert Settings.model_fields.keys() - chapters == set()


def test_config_yaml_holds_every_plain_setting_with_a_comment() -> None:
    museum, _, _ = shipped_files()
    absent, bare = set(), set()
    for key in {one.key for one in settings() if ".NAME" not in one.key}:
        section, *between, name = key.split(".")
        matching = [line for line in lines(museum)[section] if re.search(rf"(?:^\s+|[{{,]\s*){name}:", line)]
        if not matching:
            absent.add(key)
        elif not between and not any(" # " in line for line in matching):
            bare.add(key)
    assert (absent, bare) == (set(), set())


def test_the_configurations_declare_or_explain_every_key_that_a_row_may_have() -> None:
    missing = set()
    for setting in settings():
        if ".NAME." in setting.key:
            section, *_, name = setting.key.split(".")
            declared = [line for file in shipped_files() for line in lines(file).get(section, [])]
            # a key of a row, or one that a comment lists: prose that has the word does not do
            listed = rf"^# {{3}}{name} |(?:^|[-{{,(;:#]|\band) *{name}(?:[,;:.)]|$| and | {{2,}}| =)"
            if not re.search(listed, "\n".join(declared), re.MULTILINE):
                missing.add(setting.key)
    assert missing == set()


def test_config_yaml_holds_the_defaults() -> None:
    model = defaults()
    for name, field in Settings.model_fields.items():
        if not field.is_required():
            value: BaseModel = getattr(model, name)
            expected = type(value)().model_dump(exclude={"providers"})
            assert value.model_dump(exclude={"providers"}) == expected, name
