"""Paths into a JSON object: ``maker.name``, ``titles[].text``, ``titles[type=main].text``, ``makers[0]``.

A path names keys with a dot between them. Behind a key, ``[]`` takes every entry of a list, ``[0]`` one of
them, and ``[key=value]`` those objects whose key has that value. A list is gone through without ``[]`` too. A
key with a dot or a bracket in it stands in double quotes. A column named like the whole path comes first.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from ingest.errors import RejectedRow
from ingest.reading.row import CellRow, ExtractedText, Json, Paths

_STEP = re.compile(r'(?:"(?P<quoted>[^"]+)"|(?P<key>[^.\[\]"]+))(?P<picks>(?:\[[^\]]*\])*)(?P<dot>\.|$)')
_PICK = re.compile(r"\[([^\]]*)\]")
_VALUE, _LANGUAGE, _NODE = "@value", "@language", "@id"  # JSON-LD


class Step(NamedTuple):
    """A key, and which entries of the list beneath it."""

    key: str
    picks: tuple[str, ...] = ()


_Path: TypeAlias = tuple[Step, ...]


@lru_cache(maxsize=4096)
def parsed(path: str) -> tuple[Step, ...] | None:
    """The steps of a path; None where it is none, but the name of a column at most.

    >>> parsed("titles[type=main].text")
    (Step(key='titles', picks=('type=main',)), Step(key='text', picks=()))
    >>> parsed("Height [cm") is None
    True
    """
    steps, place = [], 0
    while place < len(path):
        step = _STEP.match(path, place)
        if step is None or (step["dot"] and step.end() == len(path)):
            return None
        steps.append(Step(step["quoted"] or step["key"], tuple(_PICK.findall(step["picks"]))))
        place = step.end()
    return tuple(steps) or None


def nodes(held: Json, path: str) -> Iterator[Json]:
    """What a path leads to, lists laid out.

    >>> list(nodes({"titles": [{"text": "View"}, {"text": "Veduta"}]}, "titles[].text"))
    ['View', 'Veduta']
    """
    if isinstance(held, dict) and path in held:
        yield from _laid_out(held[path])
        return
    steps = parsed(path)
    if steps is not None:
        yield from _walk(held, steps)


def _walk(held: Json, steps: _Path) -> Iterator[Json]:
    if not steps:
        yield from _laid_out(held)
    elif isinstance(held, list):
        for entry in held:
            yield from _walk(entry, steps)
    elif isinstance(held, dict) and steps[0].key in held:
        below = held[steps[0].key]
        for pick in steps[0].picks:
            below = _picked(below, pick)
        yield from _walk(below, steps[1:])


def _picked(held: Json, pick: str) -> Json:
    entries = held if isinstance(held, list) else [held]
    if not pick:
        return held if isinstance(held, list) else [held]
    if pick.lstrip("-").isdecimal():
        place = int(pick)
        return entries[place] if -len(entries) <= place < len(entries) else None
    key, _, wanted = pick.partition("=")
    chosen: list[Json] = [
        entry for entry in entries if isinstance(entry, dict) and wanted in map(str, nodes(entry, key))
    ]
    return chosen


def _laid_out(held: Json) -> Iterator[Json]:
    if isinstance(held, list):
        yield from held
    else:
        yield held


def take(row: CellRow, paths: Paths) -> list[ExtractedText]:
    """The texts that paths find in an object, with language and address where JSON-LD gives them.

    >>> take({"title": {"@value": "Veduta", "@language": "it"}}, Paths("title"))
    [ExtractedText(text='Veduta', language='it', entity=None)]
    >>> row: CellRow = {"makers": [{"name": "Canaletto", "wikidata": "Q182664"}]}
    >>> take(row, Paths("makers[]", "name", "wikidata"))
    [ExtractedText(text='Canaletto', language=None, entity='Q182664')]
    >>> take({"makers": [{"wikidata": "Q182664"}]}, Paths("makers[]", "name", "wikidata"))
    [ExtractedText(text='', language=None, entity='Q182664')]

    Raises:
        RejectedRow: an object, a truth value or a list within a list stands where a text is read.
    """
    found: list[ExtractedText] = []
    for node in nodes(row, paths.column):
        entity = next(_plain(node, paths.entity), None) if paths.entity and isinstance(node, dict) else None
        if paths.text is not None and isinstance(node, dict):
            texts = [one for part in nodes(node, paths.text) for one in _texts(paths.column, part)]
        else:
            texts = _texts(paths.column, node)
        if entity:  # an address without a name still says what is meant
            texts = [text._replace(entity=entity) for text in texts] or [ExtractedText("", None, entity)]
        found += texts
    if paths.entity and found and not any(one.entity for one in found):
        found = _beside(row, paths.entity, found)
    return found


def _beside(row: CellRow, column: str, found: list[ExtractedText]) -> list[ExtractedText]:
    """Texts with the addresses of another column, where it has as many."""
    addresses = list(_plain(row, column))
    if len(addresses) != len(found):
        return found
    return [one._replace(entity=address or None) for one, address in zip(found, addresses, strict=True)]


def _plain(held: Json, path: str) -> Iterator[str]:
    for node in nodes(held, path):
        if isinstance(node, dict):
            node = node.get(_NODE, node.get(_VALUE))
        if isinstance(node, str):
            yield node


def _texts(column: str, held: Json) -> list[ExtractedText]:
    if held is None:
        return []
    if isinstance(held, str):
        return [ExtractedText(held)]
    if isinstance(held, int | float) and not isinstance(held, bool):
        return [ExtractedText(str(held))]
    if isinstance(held, dict) and (_VALUE in held or _NODE in held):
        return _linked(held)
    kind = {bool: "a truth value", list: "a nested list", dict: "an object"}[type(held)]
    inner = (
        f"; a path such as {column}.{next(iter(held))} leads into it"
        if isinstance(held, dict) and held
        else ""
    )
    raise RejectedRow(
        f"column {column!r} holds {kind} where a text, a number or a list of them is read{inner}"
    )


def _linked(held: dict[str, Json]) -> list[ExtractedText]:
    """A value or a node of JSON-LD; a node counts as its label (Omeka S), or else as its address."""
    text = held.get(_VALUE, held.get("o:label", held.get(_NODE)))
    language, node = held.get(_LANGUAGE), held.get(_NODE)
    if not isinstance(text, str | int | float) or isinstance(text, bool):
        return []
    return [
        ExtractedText(
            str(text),
            language if isinstance(language, str) else None,
            node if isinstance(node, str) else None,
        )
    ]


def leaves(held: Json, path: str = "") -> Iterator[tuple[str, str]]:
    """The path of every text in an object, and the text.

    >>> list(leaves({"id": 1, "titles": [{"text": "View"}]}))
    [('id', '1'), ('titles[].text', 'View')]
    """
    waiting: list[tuple[str, Json]] = [(path, held)]
    while waiting:
        where, node = waiting.pop()
        if isinstance(node, dict):
            waiting += [
                (f"{where}.{_key(key)}" if where else _key(key), each) for key, each in [*node.items()][::-1]
            ]
        elif isinstance(node, list):
            waiting += [(where.removesuffix("[]") + "[]", each) for each in node[::-1]]
        elif node is not None:
            yield where, str(node)


def _key(key: str) -> str:
    return f'"{key}"' if any(mark in key for mark in ".[]") else key
