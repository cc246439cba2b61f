"""Names are the words of the field: none has a word of the first column of a table in CONTRIBUTING.md."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from tests.documents import ROOT

PRODUCT = ("ingest", "features", "models", "service", "evaluation")
TREES = (*PRODUCT, "bench", "training", "scripts", "tests")

SHOWN = {("ingest/imports.py", "kept")}
"""Modules and names that users see, as keys of documents or settings, though they have such a word."""

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")


def forbidden() -> frozenset[str]:
    """The words of the column *not* of the table under *Words*."""
    section = (ROOT / "CONTRIBUTING.md").read_text("utf-8").partition("## Words\n")[2].partition("\n## ")[0]
    rows = [line.split("|")[1] for line in section.splitlines() if line.startswith("| ")]
    return frozenset(word.strip() for row in rows[1:] for word in row.split(",")) - {"---"}


def bound(path: Path) -> Iterator[tuple[int, str]]:
    """Every name that a module binds with its line, and the module's own."""
    if not path.stem.startswith("test_"):
        yield 1, path.stem
    for node in ast.walk(ast.parse(path.read_bytes())):
        match node:
            case ast.ClassDef(name=name) | ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                if not name.startswith("test_"):
                    yield node.lineno, name
            case ast.arg(arg=name) | ast.alias(asname=str(name)):
                yield node.lineno, name
            case ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()):
                yield node.lineno, name
            case (
                ast.MatchAs(name=str(name))
                | ast.MatchStar(name=str(name))
                | ast.ExceptHandler(name=str(name))
            ):
                yield node.lineno, name


def words(name: str) -> set[str]:
    return {word.lower() for word in _WORD.findall(name)}


def modules(*trees: str) -> list[Path]:
    return [path for tree in trees for path in sorted((ROOT / tree).rglob("*.py"))]


def test_the_table_names_words() -> None:
    assert {"found", "kept", "told", "held"} <= forbidden()
    assert words("heldOut_ASKEDFor_x2") == {"held", "out", "asked", "for", "x"}


def test_no_name_has_a_word_that_says_nothing() -> None:
    bad = forbidden()
    wrong = [
        f"{path.relative_to(ROOT)}:{line} {name}"
        for path in modules(*TREES)
        for line, name in sorted(set(bound(path)))
        if words(name) & bad and (path.relative_to(ROOT).as_posix(), name) not in SHOWN
    ]
    assert not wrong, "\n".join(["names with a word of the table in CONTRIBUTING.md:", *wrong])


def test_no_two_public_classes_or_types_share_a_name() -> None:
    places = defaultdict[str, list[str]](list)
    for path in modules(*PRODUCT):
        for node in ast.parse(path.read_bytes()).body:
            match node:
                case (
                    ast.ClassDef(name=name)
                    | ast.AnnAssign(target=ast.Name(id=name), annotation=ast.Name(id="TypeAlias"))
                ) if not name.startswith("_"):
                    places[name].append(str(path.relative_to(ROOT)))
    shared = [f"{name}: {', '.join(own)}" for name, own in sorted(places.items()) if len(own) > 1]
    assert not shared, "\n".join(["names of several classes or types:", *shared])
