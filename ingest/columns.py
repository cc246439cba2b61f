"""The columns of a mapping that are absent from all rows, and the columns of the rows that nothing uses."""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from ingest.mapping import Mapping, Source
from ingest.reading import json_paths
from ingest.reading.row import CellRow, Row
from ingest.reading.xml import XmlRecord

_PICKS: Final = re.compile(r"\[[^\]]*\]")
_FIRST_ROWS: Final = 500  # that are looked at in XML and nested JSON; every row of a table has all columns
_MOST_COLUMNS: Final = 2000


class ColumnUse:
    """The columns of a mapping that no row has, and those of the rows that nothing uses."""

    def __init__(self, *, by_part: bool = False) -> None:
        """``by_part``: any column but all of the title may be absent: the mapping is for files of many."""
        self._by_part = by_part
        self._rows = 0
        self._wanted: dict[int, list[tuple[str, Source]]] = {}
        self._missing: dict[int, set[str]] = {}
        self._seen: dict[str, str] = {}
        self._used: set[str] = set()
        self._shapes: set[tuple[str, ...]] = set()
        self._mappings: list[Mapping] = []  # stored, so that no other gets the id of one

    def note(self, row: Row, mapping: Mapping) -> None:
        """Look at a row that was read with a mapping."""
        key = id(mapping)
        if key not in self._wanted:
            self._mappings.append(mapping)
            self._wanted[key] = [(part, source) for part, source in mapping.sources() if source.column]
            sources = [source for _, source in self._wanted[key]]
            self._missing[key] = {column for source in sources for column in _columns(source, row)}
        if self._missing[key]:
            self._missing[key] -= {column for column in self._missing[key] if _has(row, column)}
        shape = tuple(row) if isinstance(row, dict) and _is_flat(row) else None
        if self._rows > _FIRST_ROWS and (shape is None or shape in self._shapes):
            return
        if shape is not None:
            self._shapes.add(shape)
        self._rows += 1
        if len(self._seen) <= _MOST_COLUMNS:
            self._look(row, [source for _, source in self._wanted[key]])

    def _look(self, row: Row, sources: Iterable[Source]) -> None:
        leaves = texts_of(row)
        for path, text in leaves:
            self._seen.setdefault(path, text)
        for column in (column for source in sources for column in _columns(source, row)):
            if isinstance(row, XmlRecord):
                self._used |= row.reached(column)
            else:
                self._used |= {path for path, _ in leaves if _within(path, column)}

    def absent(self) -> dict[str, tuple[str, ...]]:
        """The columns that no row has, with the parts of a record that they are for."""
        absent: dict[str, tuple[str, ...]] = {}
        for key, sources in self._wanted.items():
            missing = self._missing[key]
            there = {part for part, source in sources if source.column not in missing}
            for part, source in sources:
                for column in (source.column, source.entity if not source.text else None):
                    if self._by_part and (part != "title" or part in there):
                        continue
                    if column and column in missing:
                        absent[column] = (*absent.get(column, ()), part)
        return {column: tuple(dict.fromkeys(parts)) for column, parts in absent.items()}

    def unused(self) -> dict[str, str]:
        """The columns of the rows that nothing uses, each with an example."""
        return {path: text for path, text in self._seen.items() if path not in self._used}


def texts_of(row: Row) -> list[tuple[str, str]]:
    """The columns or paths of a row that hold a text, and the text."""
    if not isinstance(row, dict):
        leaves = row.leaves()
    elif _is_flat(row):
        leaves = [(name, str(cell)) for name, cell in row.items() if cell is not None]
    else:
        leaves = list(json_paths.leaves(row))
    return [(path, text) for path, text in leaves if text.strip()]


def _columns(source: Source, row: Row) -> Iterator[str]:
    if source.column:
        yield source.column
        if source.entity and not source.text and isinstance(row, dict):
            yield source.entity


def _has(row: Row, column: str) -> bool:
    if isinstance(row, dict):
        return column in row or any(True for _ in json_paths.nodes(row, column))
    return isinstance(row, XmlRecord) and bool(row.reached(column))


def _is_flat(row: CellRow) -> bool:
    return not any(isinstance(cell, dict | list) for cell in row.values())


def _within(path: str, column: str) -> bool:
    """Whether a text lies where a column leads to, or beneath it."""
    place, start = _PICKS.sub("", path), _PICKS.sub("", column)
    return path == column or place.strip('"') == column or place == start or place.startswith(f"{start}.")
