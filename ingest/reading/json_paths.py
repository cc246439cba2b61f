"""Paths into a JSON object: ``maker.name``, ``titles[].text``, ``titles[type=main].text``, ``makers[0]``.

A path names keys with a dot between them. Behind a key, ``[]`` takes every entry of a list, as a key alone
does, ``[0]`` one of them, and ``[key=value]`` those objects whose key has that value. A key with a dot or a
bracket in it stands in double quotes. A column named like the whole path comes first.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from ingest.errors import RejectedRow
from ingest.reading.row import CellRow, ExtractedText, Json, TextPaths

_STEP = re.compile(r'(?:"(?P<quoted>[^"]+)"|(?P<key>[^.\[\]"]+))(?P<picks>(?:\[[^\]]*\])*)(?P<dot>\.|$)')
_PICK = re.compile(r"\[([^\]]*)\]")
_VALUE, _LANGUAGE, _NODE = "@value", "@language", "@id"  # JSON-LD


class JsonPathStep(NamedTuple):
    """A key, and which entries of the list below it."""

    key: str
    picks: tuple[str, ...] = ()


_Path: TypeAlias = tuple[JsonPathStep, ...]


@lru_cache(maxsize=4096)
def parsed(path: str) -> _Path | None:
    """The steps of a path; None where it is none, but the name of a column at most."""
    steps, place = [], 0
    while place < len(path):
        step = _STEP.match(path, place)
        if step is None or (step["dot"] and step.end() == len(path)):
            return None
        steps.append(JsonPathStep(step["quoted"] or step["key"], tuple(_PICK.findall(step["picks"]))))
        place = step.end()
    return tuple(steps) or None


def nodes(content: Json, path: str) -> Iterator[Json]:
    """The nodes that a path leads to, those of a list one by one."""
    if isinstance(content, dict) and path in content:
        yield from _entries(content[path])
    elif (steps := parsed(path)) is not None:
        yield from _walk(content, steps)


def _walk(content: Json, steps: _Path) -> Iterator[Json]:
    if not steps:
        yield from _entries(content)
    elif isinstance(content, list):
        for entry in content:
            yield from _walk(entry, steps)
    elif isinstance(content, dict) and steps[0].key in content:
        below = content[steps[0].key]
        for pick in steps[0].picks:
            below = _picked(below, pick)
        yield from _walk(below, steps[1:])


def _entries(content: Json) -> list[Json]:
    return content if isinstance(content, list) else [content]


def _picked(content: Json, pick: str) -> Json:
    entries = _entries(content)
    if not pick:
        return entries
    if pick.lstrip("-").isdecimal():
        place = int(pick)
        return entries[place] if -len(entries) <= place < len(entries) else None
    key, _, wanted = pick.partition("=")
    chosen: list[Json] = [
        entry for entry in entries if isinstance(entry, dict) and wanted in map(str, nodes(entry, key))
    ]
    return chosen


def take(row: CellRow, paths: TextPaths) -> list[ExtractedText]:
    """The texts that paths lead to in an object, with language and address where JSON-LD gives them.

    Raises ``RejectedRow`` where an object, a truth value or a list within a list stands for a text.
    """
    results: list[ExtractedText] = []
    for node in nodes(row, paths.column):
        entity = next(_plain(node, paths.entity), None) if paths.entity and isinstance(node, dict) else None
        inner = nodes(node, paths.text) if paths.text is not None and isinstance(node, dict) else [node]
        texts = [text for part in inner for text in _texts(paths.column, part)]
        if entity:  # an address without a name still says what is meant
            texts = [text._replace(entity=entity) for text in texts] or [ExtractedText("", None, entity)]
        results += texts
    if paths.entity and results and not any(text.entity for text in results):
        addresses = list(_plain(row, paths.entity))  # of another column, where it has as many
        if len(addresses) == len(results):
            pairs = zip(results, addresses, strict=True)
            return [text._replace(entity=address or None) for text, address in pairs]
    return results


def _plain(content: Json, path: str) -> Iterator[str]:
    for node in nodes(content, path):
        text = node.get(_NODE, node.get(_VALUE)) if isinstance(node, dict) else node
        if isinstance(text, str):
            yield text


def _texts(column: str, node: Json) -> list[ExtractedText]:
    if node is None:
        return []
    if isinstance(node, str | int | float) and not isinstance(node, bool):
        return [ExtractedText(str(node))]
    if isinstance(node, dict) and (_VALUE in node or _NODE in node):
        return _linked(node)
    kind = {bool: "a truth value", list: "a nested list", dict: "an object"}[type(node)]
    hint = isinstance(node, dict) and node and f"; a path such as {column}.{next(iter(node))} leads into it"
    raise RejectedRow(
        f"column {column!r} holds {kind} where a text, a number or a list of them is read{hint or ''}"
    )


def _linked(node: dict[str, Json]) -> list[ExtractedText]:
    """A value or a node of JSON-LD; a node counts as its label (Omeka S), or else as its address."""
    text = node.get(_VALUE, node.get("o:label", node.get(_NODE)))
    language, address = node.get(_LANGUAGE), node.get(_NODE)
    if not isinstance(text, str | int | float) or isinstance(text, bool):
        return []
    known_language = language if isinstance(language, str) else None
    return [ExtractedText(str(text), known_language, address if isinstance(address, str) else None)]


def leaves(content: Json, path: str = "") -> Iterator[tuple[str, str]]:
    """The path of every text in an object, and the text."""
    waiting: list[tuple[str, Json]] = [(path, content)]
    while waiting:
        where, node = waiting.pop()
        if isinstance(node, dict):
            before = f"{where}." if where else ""
            waiting += [(before + _key(key), below) for key, below in [*node.items()][::-1]]
        elif isinstance(node, list):
            waiting += [(where.removesuffix("[]") + "[]", entry) for entry in node[::-1]]
        elif node is not None:
            yield where, str(node)


def _key(key: str) -> str:
    return f'"{key}"' if any(mark in key for mark in ".[]") else key
