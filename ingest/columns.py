"""Which columns of a mapping the rows have, and which of theirs nothing uses."""

import re
from collections.abc import Iterable, Iterator

from ingest.mapping import Mapping, Source
from ingest.reading import json_paths
from ingest.reading.row import CellRow, Row
from ingest.reading.xml import XmlRecord

_PICKS = re.compile(r"\[[^\]]*\]")
_LOOKED_THROUGH = 500  # records of XML and nested JSON; a table has all its columns in every row
_MOST = 2000


class Columns:
    """Told of rows and their mappings; knows then which columns were absent from all, and which went unused.

    >>> columns = Columns()
    >>> mapping = Mapping.model_validate({"id": {"column": "id"}, "title": {"column": "titel"}})
    >>> columns.note({"id": "1", "title": "View"}, mapping)
    >>> columns.absent(), columns.unused()
    ({'titel': ('title',)}, {'title': 'View'})
    """

    def __init__(self, *, by_part: bool = False) -> None:
        """``by_part``: any column but all of the title may be absent: the mapping is for what many give."""
        self._by_part = by_part
        self._rows = 0
        self._wanted: dict[int, list[tuple[str, Source]]] = {}
        self._found: set[tuple[int, str]] = set()
        self._missing: dict[int, set[str]] = {}
        self._seen: dict[str, str] = {}
        self._used: set[str] = set()
        self._shapes: set[tuple[str, ...]] = set()
        self._kept: list[Mapping] = []  # so that the numbers of mappings stay theirs

    def note(self, row: Row, mapping: Mapping) -> None:
        """A row was read with a mapping."""
        key = id(mapping)
        if key not in self._wanted:
            self._kept.append(mapping)
            self._wanted[key] = [(part, source) for part, source in mapping.sources() if source.column]
            self._missing[key] = {
                column for _, source in self._wanted[key] for column in _columns(source, row)
            }
        if self._missing[key]:
            self._missing[key] -= {column for column in self._missing[key] if _has(row, column)}
        if isinstance(row, dict) and _is_flat(row):
            shape = tuple(row)
            if shape in self._shapes and self._rows > _LOOKED_THROUGH:
                return
            self._shapes.add(shape)
        elif self._rows > _LOOKED_THROUGH:
            return
        self._rows += 1
        self._look(row, [source for _, source in self._wanted[key]])

    def _look(self, row: Row, sources: Iterable[Source]) -> None:
        if len(self._seen) > _MOST:
            return
        leaves = texts_of(row)
        for path, text in leaves:
            self._seen.setdefault(path, text)
        for source in sources:
            for column in _columns(source, row):
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
    """The columns or paths of a row that hold something, and what they hold.

    >>> texts_of({"Inv. no.": "7", "title": ""}), texts_of({"titles": [{"text": "View"}]})
    ([('Inv. no.', '7')], [('titles[].text', 'View')])
    """
    if not isinstance(row, dict):
        found = row.leaves()
    elif _is_flat(row):
        found = [(name, str(held)) for name, held in row.items() if held is not None]
    else:
        found = list(json_paths.leaves(row))
    return [(path, text) for path, text in found if text.strip()]


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
    return not any(isinstance(held, dict | list) for held in row.values())


def _within(path: str, column: str) -> bool:
    """Whether a text lies where a column leads to, or beneath it."""
    place, start = _PICKS.sub("", path), _PICKS.sub("", column)
    return path == column or place.strip('"') == column or place == start or place.startswith(f"{start}.")
