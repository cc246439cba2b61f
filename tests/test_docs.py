"""The documentation holds every command and error, and its links lead somewhere."""

import json
import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

from ingest.errors import KindredError
from service.cli.root import app as cli
from service.web.api.problems import kinds
from tests.builders import built
from tests.documents import DOCS, PACKAGES, ROOT, blank, rows, sections, text

# -- commands ------------------------------------------------------------------------------------


class Command(NamedTuple):
    name: str
    parameters: frozenset[str]


def commands(command: TyperCommand | TyperGroup, name: str = "kindred") -> Iterator[Command]:
    """A command and all below it."""
    named = (
        [str(one.name).upper()] if one.param_type_name == "argument" else one.opts for one in command.params
    )
    yield Command(name, frozenset(parameter for names in named for parameter in names))
    if isinstance(command, TyperGroup):
        for inner, below in command.commands.items():
            assert isinstance(below, TyperCommand | TyperGroup)
            yield from commands(below, f"{name} {inner}")


@cache
def chapters() -> dict[str, str]:
    """Command -> what docs/commands.md says of it."""
    parts = sections(text("commands.md"))
    commands = {head.strip("`"): body for head, body in parts.items() if head.startswith("`")}
    return {"kindred": parts["Commands"].partition("\n## ")[0], **commands}


@pytest.fixture(scope="module")
def tree() -> list[Command]:
    root = get_command(cli)
    assert isinstance(root, TyperGroup)
    return list(commands(root))


def test_the_commands_are_documented_with_their_parameters_and_no_others(tree: list[Command]) -> None:
    there = {(one.name, parameter) for one in tree for parameter in ("", *one.parameters)}
    documented = {
        (name, parameter)
        for name, body in chapters().items()
        for parameter in ("", *rows(body))
        if not parameter or parameter.startswith("--") or parameter.isupper()
    } - {("kindred", "--help")}
    assert (there - documented, documented - there) == (set(), set()), "not documented; not there"


def test_every_answer_for_programs_is_shown(tree: list[Command]) -> None:
    answering = {one.name for one in tree if "--json" in one.parameters}
    shown = {name for name, body in chapters().items() if "\n```json\n" in body}
    assert answering - shown == set()


# -- errors --------------------------------------------------------------------------------------


def errors(root: type[KindredError] = KindredError) -> Iterator[type[KindredError]]:
    """The errors of the product, and not those that tests declare."""
    if root.__module__.partition(".")[0] in PACKAGES:
        yield root
    for error in root.__subclasses__():
        yield from errors(error)


def test_the_errors_are_documented_with_class_and_statuses_and_no_others() -> None:
    there = {(one.code, f"`{one.__name__}`", str(one.status), str(one.exit_status)) for one in errors()}
    chapter, _, without_class = text("errors.md").partition("## Problems of HTTP alone")
    documented = {(code, *cells[1:4]) for code, cells in rows_by_code(chapter).items()}
    assert (there - documented, documented - there) == (set(), set()), "not documented; not there"
    drawn = re.findall(r"\w+", sections(chapter)["The tree"].partition("| code")[0])
    assert {one.__name__ for one in errors()} ^ set(drawn) == set()
    problems = {(kind.code, str(kind.status)) for kind in kinds()} - {(one[0], one[2]) for one in there}
    http = {(code, cells[1]) for code, cells in rows_by_code(without_class.partition("\n## ")[0]).items()}
    assert (problems - http, http - problems) == (set(), set()), "problems without a class"


def rows_by_code(markdown: str) -> dict[str, list[str]]:
    return {code: cells for code, cells in rows(markdown).items() if cells[0] == f"`{code}`"}


def test_codes_are_not_given_twice() -> None:
    codes = [error.code for error in errors()]
    assert {code for code in codes if codes.count(code) > 1} == set()


# -- files ---------------------------------------------------------------------------------------


def test_the_files_of_a_collection_are_those_that_are_documented(tmp_path: Path) -> None:
    manifest = built(tmp_path).manifest
    # shared arrays and row groups are more than any one collection has: every one that is there is named
    named = re.findall(r"`([^` ]+\.npy)`", sections(text("data.md"))["The collection on disk"])
    patterns = [re.sub(r"<\w+>|\\\*", ".+", re.escape(name)) for name in named]
    unnamed = {name for name in manifest.arrays if not any(re.fullmatch(p, name) for p in patterns)}
    own = {name for name in named if not re.search(r"[<*]", name)} - {"ids-ends.npy"}
    assert (unnamed, own - manifest.arrays.keys()) == (set(), set()), "not documented; not there"
    (folder,) = tmp_path.glob("generation-*")
    assert {file.name for file in tmp_path.iterdir()} == {"current", ".lock", folder.name}
    files = r"(?:manifest|search)\.json|search\.sqlite|[0-9a-f]{32}\.npy"
    assert {file.name for file in folder.iterdir() if not re.fullmatch(files, file.name)} == set()


# -- examples and links --------------------------------------------------------------------------


@cache
def written() -> dict[str, str]:
    """Every document of the project by its path."""
    paths = (path.relative_to(ROOT) for path in ROOT.rglob("*.md"))
    return {
        str(path): (ROOT / path).read_text(encoding="utf-8")
        for path in sorted(paths)
        if not any(part.startswith(".") or part == "node_modules" for part in path.parts)
    }


def is_json(example: str) -> bool:
    """Whether an example is a JSON document, or JSON Lines."""
    lines = example.splitlines()
    each = lines if all(line.startswith("{") and line.endswith("}") for line in lines) else [example]
    try:
        documents = [json.loads(one) for one in each]
    except json.JSONDecodeError:
        return False
    return bool(documents)


def misses(pattern: str, right: Callable[[str, str], bool], *, code: bool = False) -> set[tuple[str, str]]:
    """The documents and what matches a pattern in them but is not right."""
    return {
        (name, match)
        for name, markdown in written().items()
        for match in re.findall(pattern, markdown if code else without_code(markdown), re.DOTALL)
        if not right(name, match)
    }


def without_code(markdown: str) -> str:
    return re.sub(r"```.*?```|`[^`\n]*`", blank, markdown, flags=re.DOTALL)


@cache
def anchors(name: str) -> set[str]:
    heads = re.findall(
        r"^#+ (.+)$", re.sub(r"```.*?```", blank, written()[name], flags=re.DOTALL), re.MULTILINE
    )
    return {re.sub(r"[^\w\- ]", "", head.lower()).strip().replace(" ", "-") for head in heads}


def leads(name: str, target: str) -> bool:
    """Whether a link of a document leads to a file, and to a heading of it where it names one."""
    if re.match(r"[a-z]+:", target):
        return True
    file, _, anchor = target.partition("#")
    aim = ((ROOT / name).parent / file).resolve() if file else ROOT / name
    return aim.exists() and (not anchor or anchor in anchors(str(aim.relative_to(ROOT))))


def test_every_json_example_is_json() -> None:
    assert misses(r"```json\n(.*?)```", lambda _, example: is_json(example), code=True) == set()


def test_every_relative_link_leads_somewhere() -> None:
    assert misses(r"\]\(([^)\s]+)\)", leads) == set()


def test_what_checks_examples_and_links_tells_right_from_wrong() -> None:
    assert is_json('{"a": 1}\n{"a": 2}\n')
    assert not is_json('{"a": 1,}')
    assert leads("README.md", "docs/errors.md#the-tree")
    assert not leads("README.md", "docs/errors.md#the-trees")
    assert not leads("docs/errors.md", "docs/errors.md")
    assert (DOCS / "errors.md").exists()
