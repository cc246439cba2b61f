"""Reads the documentation as text, sections and rows of tables."""

import os
import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from ingest.errors import CollectionMissing
from service.configuration import PREFIX
from service.settings import Settings, load

if TYPE_CHECKING:
    from service.search.recommender import Recommender

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
PACKAGES = ("ingest", "features", "models", "service", "evaluation")


def text(name: str) -> str:
    return (DOCS / name).read_text(encoding="utf-8")


def sections(markdown: str) -> dict[str, str]:
    """Heading -> what stands under it, up to the next heading of its rank or higher."""
    chapters: dict[str, str] = {}
    marks = list(
        re.finditer(r"^(#+) (.+)$", re.sub(r"```.*?```", blank, markdown, flags=re.DOTALL), re.MULTILINE)
    )
    for n, mark in enumerate(marks):
        after = (later.start() for later in marks[n + 1 :] if len(later[1]) <= len(mark[1]))
        chapters[mark[2].strip()] = markdown[mark.end() : next(after, len(markdown))]
    return chapters


def blank(code: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", code[0])


def rows(markdown: str) -> dict[str, list[str]]:
    """Each name in the first cell of a table's row -> the cells of the first such row."""
    named: dict[str, list[str]] = {}
    for line in markdown.splitlines():
        if line.startswith("|"):
            cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
            for name in re.findall(r"`([^`]+)`", cells[0]):
                named.setdefault(name, cells)
    return named


@cache
def defaults() -> Settings:
    """What config.yaml alone says, whatever the environment of whoever runs the tests."""
    with pytest.MonkeyPatch.context() as patch:
        for variable in [name for name in os.environ if name.startswith(PREFIX)]:
            patch.delenv(variable)
        return load()


@cache
def interface() -> dict[str, Any]:
    """The OpenAPI description of the service as config.yaml alone makes it."""
    from service.web.api.app import (
        create_app,  # takes a second, and most tests that import this need none of it
    )

    def nothing_built() -> "Recommender":
        raise CollectionMissing("no collection is needed to describe the interface")

    return create_app(nothing_built, defaults()).openapi()
