"""The documentation holds every command and error, and its links lead somewhere."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

from ingest.errors import CollectionMissing, KindredError
from service.cli.root import app as cli
from service.search.recommender import Recommender
from service.web.api.app import create_app
from service.web.api.problems import Kind, kinds
from tests.builders import built
from tests.documents import DOCS, PACKAGES, ROOT, blank, defaults, rows, sections, text

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


# -- the interface: its reference is kept by tests/service/web/test_reference.py ---------------------


def nothing_built() -> Recommender:
    raise CollectionMissing("no collection is needed to describe the interface")


def interface() -> dict[str, Any]:
    return create_app(nothing_built, defaults()).openapi()


INTERFACE = interface()


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


# -- files ---------------------------------------------------------------------------------------


def test_the_files_of_a_collection_are_those_that_are_documented(tmp_path: Path) -> None:
    manifest = built(tmp_path).manifest
    # shared arrays and row groups are more than any one collection has: every one that is there is named
    named = re.findall(r"`([^` ]+\.npy)`", sections(text("data.md"))["The collection on disk"])
    patterns = [re.sub(r"<\w+>|\\\*", ".+", re.escape(name)) for name in named]
    unnamed = {name for name in manifest.arrays if not any(re.fullmatch(p, name) for p in patterns)}
    assert not unnamed, f"{sorted(unnamed)} not in docs/data.md"
    own = {name for name in named if not re.search(r"[<*]", name)} - {"ids-ends.npy"}
    assert own <= manifest.arrays.keys(), f"{sorted(own - manifest.arrays.keys())} are not there"
    (folder,) = tmp_path.glob("generation-*")
    assert {file.name for file in tmp_path.iterdir()} == {"current", ".lock", folder.name}
    assert all(
        re.fullmatch(r"manifest\.json|search\.sqlite|[0-9a-f]{32}\.npy", file.name)
        for file in folder.iterdir()
    )


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


@pytest.mark.parametrize("path", sorted(ROOT.glob("*.md")), ids=lambda path: path.name)
def test_no_blank_is_left_to_fill(path: Path) -> None:
    assert "@@" not in path.read_text(encoding="utf-8")
