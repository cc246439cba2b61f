"""The documentation and config.yaml hold every setting with its default."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple, get_args, get_origin

import pytest
from pydantic import BaseModel
from pydantic.fields import FieldInfo

from ingest.mapping import Source
from service.settings import PREFIX, Settings, shipped_files
from tests.documents import defaults, rows, sections, text


class Setting(NamedTuple):
    path: str
    field: FieldInfo
    leaf: bool


def settings(model: type[BaseModel], path: str = "") -> Iterator[Setting]:
    """Every setting, depth first; ``NAME`` stands for a name that the file chooses."""
    for name, field in model.model_fields.items():
        here = f"{path}.{name}" if path else name
        inner = models(field.annotation)
        yield Setting(here, field, not inner)
        for found in inner:
            if found is model:
                continue
            if found is Source:  # the same for every key of a mapping: shown once
                if name == "id":
                    yield from settings(found, f"{path}.KEY")
                continue
            named = get_origin(field.annotation) is dict
            yield from settings(found, f"{here}.NAME" if named else here)


def models(annotation: object) -> list[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [annotation]
    return [model for argument in get_args(annotation) for model in models(argument)]


ALL = list(settings(Settings))
KEYS = [setting for setting in ALL if "." in setting.path]
PLAIN = [setting for setting in KEYS if setting.leaf and ".NAME" not in setting.path]


def test_the_walk_finds_settings_of_every_depth() -> None:
    paths = {setting.path for setting in ALL}
    assert {
        "service.port",
        "evaluation.providers.prefix",
        "features.NAME.k",
        "features.NAME.scope.entities",
        "systems.NAME.missing",
        "mappings.NAME.landing_page",
        "mappings.NAME.KEY.pattern",
    } <= paths


@pytest.mark.parametrize("section", Settings.model_fields)
def test_every_section_is_documented(section: str) -> None:
    assert f"`{section}`" in sections(text("configuration.md"))


@pytest.mark.parametrize("setting", KEYS, ids=lambda setting: setting.path)
def test_every_setting_is_documented_with_its_default(setting: Setting) -> None:
    section = setting.path.partition(".")[0]
    documented = rows(sections(text("configuration.md"))[f"`{section}`"])
    assert (setting.path in documented) or not setting.leaf, f"{setting.path} is not in docs/configuration.md"
    default = setting.field.default
    if setting.leaf and isinstance(default, str | int | float | bool):
        shown = " ".join(documented[setting.path])
        assert said(default) in shown, f"{setting.path}: {default!r} is its default; the row says {shown}"


def said(default: str | float) -> str:
    if isinstance(default, bool):
        return f"`{str(default).lower()}`"
    if isinstance(default, str):
        return f"`{default}`" if default else '`""`'
    return f"`{default:g}`" if isinstance(default, float) else f"`{default}`"


@pytest.mark.parametrize("setting", PLAIN, ids=lambda setting: setting.path)
def test_every_plain_setting_is_documented_with_its_variable(setting: Setting) -> None:
    if setting.path.count(".") == 1:
        row = rows(text("configuration.md"))[setting.path]
        assert f"`{PREFIX}{setting.path.upper().replace('.', '__')}`" in row


def test_no_setting_is_documented_that_there_is_not() -> None:
    sectioned = sections(text("configuration.md"))
    documented = {
        key for section in Settings.model_fields for key in rows(sectioned[f"`{section}`"]) if "." in key
    }
    assert documented <= {setting.path for setting in ALL}


MUSEUM, _, RESEARCH = shipped_files()


def config_lines(file: Path) -> dict[str, list[str]]:
    """Section -> its lines in a configuration, with the comment in front of it."""
    found: dict[str, list[str]] = {}
    before: list[str] = []
    current = before
    for line in file.read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            if current is not before:
                before = []
                current = before
            before.append(line)
        elif head := re.match(r"(\w+):", line):
            current = found[head[1]] = [*before, line] if current is before else [line]
        elif current is not before:
            current.append(line)
    return found


@pytest.mark.parametrize("setting", PLAIN, ids=lambda setting: setting.path)
def test_config_yaml_holds_every_plain_setting_with_a_comment(setting: Setting) -> None:
    section, *_, key = setting.path.split(".")
    held = [line for line in config_lines(MUSEUM)[section] if re.search(rf"(?:^\s+|[{{,]\s*){key}:", line)]
    assert held, f"{setting.path} is not in config.yaml"
    if setting.path.count(".") == 1:
        assert any(" # " in line for line in held), f"{setting.path} has no comment in config.yaml"


@pytest.mark.parametrize(
    "setting", [s for s in KEYS if s.leaf and ".NAME" in s.path], ids=lambda setting: setting.path
)
def test_the_configurations_explain_every_key_of_what_they_declare(setting: Setting) -> None:
    section, *_, key = setting.path.split(".")
    said = [line for file in (MUSEUM, RESEARCH) for line in config_lines(file).get(section, [])]
    assert re.search(rf"\b{key}\b", "\n".join(said)), f"{setting.path}: in no configuration"


def test_config_yaml_holds_the_defaults() -> None:
    held = defaults()
    for name, field in Settings.model_fields.items():
        if not field.is_required():
            found: BaseModel = getattr(held, name)
            expected = type(found)().model_dump(exclude={"providers"})
            assert found.model_dump(exclude={"providers"}) == expected, name
