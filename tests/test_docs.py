"""The documentation holds everything there is: settings, commands, endpoints, errors, links."""

import json
import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple, get_args, get_origin

import pytest
from pydantic import BaseModel
from pydantic.fields import FieldInfo
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

from ingest.errors import CollectionMissing, KindredError
from ingest.mapping import Source
from service.api.app import create_app
from service.api.problems import Kind, kinds
from service.cli import app as cli
from service.recommender import Recommender
from service.settings import PREFIX, Settings, default_file, load

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
PACKAGES = ("ingest", "features", "models", "service", "evaluation")
LONGEST = 300


def text(name: str) -> str:
    return (DOCS / name).read_text(encoding="utf-8")


def sections(markdown: str) -> dict[str, str]:
    """Heading -> what stands under it, up to the next heading of its rank or higher."""
    found: dict[str, str] = {}
    marks = list(
        re.finditer(r"^(#+) (.+)$", re.sub(r"```.*?```", blank, markdown, flags=re.DOTALL), re.MULTILINE)
    )
    for n, mark in enumerate(marks):
        after = (later.start() for later in marks[n + 1 :] if len(later[1]) <= len(mark[1]))
        found[mark[2].strip()] = markdown[mark.end() : next(after, len(markdown))]
    return found


def blank(code: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", code[0])


def rows(markdown: str) -> dict[str, list[str]]:
    """Each name in the first cell of a table's row -> the cells of the first such row."""
    found: dict[str, list[str]] = {}
    for line in markdown.splitlines():
        if line.startswith("|"):
            cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
            for name in re.findall(r"`([^`]+)`", cells[0]):
                found.setdefault(name, cells)
    return found


# -- settings ------------------------------------------------------------------------------------


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


def config_lines() -> dict[str, list[str]]:
    """Section -> its lines in config.yaml, with the comment in front of it."""
    found: dict[str, list[str]] = {}
    before: list[str] = []
    current = before
    for line in default_file().read_text(encoding="utf-8").splitlines():
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
    held = [line for line in config_lines()[section] if re.search(rf"(?:^\s+|[{{,]\s*){key}:", line)]
    assert held, f"{setting.path} is not in config.yaml"
    if setting.path.count(".") == 1:
        assert any(" # " in line for line in held), f"{setting.path} has no comment in config.yaml"


@pytest.mark.parametrize(
    "setting", [s for s in KEYS if s.leaf and ".NAME" in s.path], ids=lambda setting: setting.path
)
def test_config_yaml_explains_every_key_of_what_it_declares(setting: Setting) -> None:
    section, *_, key = setting.path.split(".")
    assert re.search(rf"\b{key}\b", "\n".join(config_lines()[section])), f"{setting.path}: not in config.yaml"


def defaults() -> Settings:
    """What config.yaml alone says, whatever the environment of whoever runs the tests."""
    with pytest.MonkeyPatch.context() as patch:
        for variable in [name for name in os.environ if name.startswith(PREFIX)]:
            patch.delenv(variable)
        return load()


def test_config_yaml_holds_the_defaults() -> None:
    held = defaults()
    for name, field in Settings.model_fields.items():
        if not field.is_required():
            found: BaseModel = getattr(held, name)
            expected = type(found)().model_dump(exclude={"providers"})
            assert found.model_dump(exclude={"providers"}) == expected, name


# -- commands ------------------------------------------------------------------------------------


class Command(NamedTuple):
    name: str
    options: frozenset[str]
    arguments: frozenset[str]
    group: bool


def commands(command: TyperCommand | TyperGroup, name: str) -> Iterator[Command]:
    options, arguments = set(), set()
    for parameter in command.params:
        if parameter.param_type_name == "argument":
            arguments.add(str(parameter.name).upper())
        else:
            options.update(parameter.opts)
    group = isinstance(command, TyperGroup)
    yield Command(name, frozenset(options), frozenset(arguments), group)
    if isinstance(command, TyperGroup):
        for inner, found in command.commands.items():
            assert isinstance(found, TyperCommand | TyperGroup)
            yield from commands(found, f"{name} {inner}")


def tree() -> list[Command]:
    root = get_command(cli)
    assert isinstance(root, TyperGroup)
    return list(commands(root, "kindred"))


COMMANDS = tree()


def section_of(command: Command) -> str:
    if command.name == "kindred":
        return sections(text("commands.md"))["Commands"].partition("\n## ")[0]
    return sections(text("commands.md")).get(f"`{command.name}`", "")


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
def test_every_command_is_documented_with_its_parameters(command: Command) -> None:
    section = section_of(command)
    assert section, f"docs/commands.md has no section `{command.name}`"
    missing = (command.options | command.arguments) - rows(section).keys()
    assert not missing, f"{command.name}: {sorted(missing)} not in docs/commands.md"


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
def test_no_parameter_is_documented_that_there_is_not(command: Command) -> None:
    named = {name for name in rows(section_of(command)) if name.startswith("--") or name.isupper()}
    assert named - {"--help"} <= command.options | command.arguments


def test_no_command_is_documented_that_there_is_not() -> None:
    documented = {head.strip("`") for head in sections(text("commands.md")) if head.startswith("`")}
    assert documented == {command.name for command in COMMANDS} - {"kindred"}


@pytest.mark.parametrize("command", [c for c in COMMANDS if "--json" in c.options], ids=lambda c: c.name)
def test_every_answer_for_programs_is_shown(command: Command) -> None:
    shown = re.findall(r"```json\n(.*?)```", section_of(command), re.DOTALL)
    assert shown, f"docs/commands.md shows no document of {command.name}"


@pytest.mark.parametrize("path", sorted(DOCS.glob("*.md")), ids=lambda path: path.name)
def test_every_json_example_is_json(path: Path) -> None:
    for example in re.findall(r"```json\n(.*?)```", path.read_text(encoding="utf-8"), re.DOTALL):
        lines = example.splitlines()
        if len(lines) > 1 and all(line.startswith("{") and line.endswith("}") for line in lines):
            assert all(json.loads(line) for line in lines)  # JSON Lines
        else:
            assert json.loads(example)


# -- endpoints -----------------------------------------------------------------------------------


def nothing_built() -> Recommender:
    raise CollectionMissing("no collection is needed to describe the interface")


def interface() -> dict[str, Any]:
    return create_app(nothing_built, defaults()).openapi()


INTERFACE = interface()
OPERATIONS = [
    (f"{method.upper()} {path}", operation)
    for path, item in INTERFACE["paths"].items()
    for method, operation in item.items()
]


@pytest.mark.parametrize(("name", "operation"), OPERATIONS, ids=[name for name, _ in OPERATIONS])
def test_every_endpoint_is_documented_with_its_parameters_and_statuses(
    name: str, operation: Mapping[str, Any]
) -> None:
    section = sections(text("api.md")).get(f"`{name}`", "")
    assert section, f"docs/api.md has no section `{name}`"
    table = rows(section)
    for parameter in operation.get("parameters", []):
        assert parameter["in"] in table.get(parameter["name"], []), f"{name}: {parameter['name']}"
    answers = re.search(r"Answers: (.*?)(?:\n\n|\Z)", section, re.DOTALL)
    assert answers, f"{name}: docs/api.md does not say which statuses it answers"
    assert set(operation["responses"]) == set(re.findall(r"\b[2-5]\d\d\b", answers[1])), name


def test_no_endpoint_is_documented_that_there_is_not() -> None:
    heads = {head.strip("`") for head in sections(text("api.md")) if head.startswith("`")}
    assert heads == {name for name, _ in OPERATIONS}


@pytest.mark.parametrize("schema", INTERFACE["components"]["schemas"])
def test_every_key_of_requests_and_answers_is_documented(schema: str) -> None:
    keys = set(INTERFACE["components"]["schemas"][schema].get("properties", {}))
    missing = keys - rows(text("api.md")).keys()
    assert not missing, f"{schema}: {sorted(missing)} not in docs/api.md"


# -- errors --------------------------------------------------------------------------------------


def errors(root: type[KindredError] = KindredError) -> Iterator[type[KindredError]]:
    yield root
    for error in root.__subclasses__():
        yield from errors(error)


ERRORS = [error for error in errors() if error.__module__.partition(".")[0] in PACKAGES]


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: error.__name__)
def test_every_error_is_documented_with_its_class_and_statuses(error: type[KindredError]) -> None:
    row = rows(text("errors.md")).get(error.code)
    assert row, f"{error.code} is not in docs/errors.md"
    assert row[1:4] == [f"`{error.__name__}`", str(error.status), str(error.exit_status)]
    assert error.__name__ in sections(text("errors.md"))["The tree"].partition("| code")[0]


@pytest.mark.parametrize("kind", kinds(), ids=lambda kind: kind.code)
def test_every_problem_of_the_service_is_documented(kind: Kind) -> None:
    assert str(kind.status) in rows(text("errors.md")).get(kind.code, []), kind.code


def test_codes_are_not_given_twice() -> None:
    codes = [error.code for error in ERRORS]
    assert sorted(codes) == sorted(set(codes))


# -- links and lengths ---------------------------------------------------------------------------


def written() -> list[Path]:
    found = [path for path in ROOT.rglob("*.md") if not inside_hidden(path)]
    return sorted(path for path in found if "node_modules" not in path.parts)


def inside_hidden(path: Path) -> bool:
    return any(part.startswith(".") for part in path.relative_to(ROOT).parts)


def anchors(markdown: str) -> set[str]:
    heads = re.findall(r"^#+ (.+)$", re.sub(r"```.*?```", blank, markdown, flags=re.DOTALL), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).strip().replace(" ", "-") for head in heads}


@pytest.mark.parametrize("path", written(), ids=lambda path: str(path.relative_to(ROOT)))
def test_every_relative_link_leads_somewhere(path: Path) -> None:
    markdown = path.read_text(encoding="utf-8")
    prose = re.sub(r"```.*?```|`[^`\n]*`", blank, markdown, flags=re.DOTALL)
    for target in re.findall(r"\]\(([^)\s]+)\)", prose):
        if re.match(r"[a-z]+:", target):
            continue
        name, _, anchor = target.partition("#")
        aim = (path.parent / name) if name else path
        assert aim.exists(), f"{path.relative_to(ROOT)}: {target}"
        if anchor:
            assert anchor in anchors(aim.read_text(encoding="utf-8")), f"{path.relative_to(ROOT)}: {target}"


MODULES = sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_module_is_long(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= LONGEST


@pytest.mark.parametrize("path", sorted(ROOT.glob("*.md")), ids=lambda path: path.name)
def test_no_blank_is_left_to_fill(path: Path) -> None:
    assert "@@" not in path.read_text(encoding="utf-8")
