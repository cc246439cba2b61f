"""Reconciliation: the address of an authority that is taken for a text, as a person writes or corrects it.

A table (CSV) has the columns ``part``, ``text`` and ``address``. It is the museum's own file: what it says
counts at each ingest and harvest, over what the records say themselves, so that it lasts whatever is built.
"""

import csv
import io
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from ingest.errors import UnreadableFile
from ingest.formulas import as_it_was, as_text
from ingest.record import TEXTS, Entity, Record
from ingest.storage.files import unwritable_output, write_whole
from ingest.values import entity_address

_COLUMNS: Final = ("part", "text", "address")
NONE: Final = "-"
"""Stands for an address that no record has for a text: what a record says of it does not count."""


class ReconciledText(NamedTuple):
    """A text of a part of records, and the address that is taken for it; empty: not known.

    ``suggestion`` is an address that may be meant, for whoever completes the table; it does not count.
    """

    part: str
    text: str
    address: str
    items: int = 0
    suggestion: str = ""


class Reconciliation:
    """The addresses that are taken for texts, by the part and the text without regard to case and blanks.

    >>> table = Reconciliation([ReconciledText("places", "Venetië", "http://sws.geonames.org/3164603")])
    >>> from ingest.record import values
    >>> table.of(Record(id="a", places=values("venetië"))).entities
    (Entity(part='places', address='http://sws.geonames.org/3164603', label='venetië'),)
    """

    def __init__(self, rows: Iterable[ReconciledText]) -> None:
        self._addresses = {(row.part, _key(row.text)): row.address for row in rows if row.address}

    def __len__(self) -> int:
        """How many texts have an address, or none for sure."""
        return len(self._addresses)

    def of(self, record: Record) -> Record:
        """The record with the addresses of the table in place of its own."""
        addresses = {
            (part, value.text): address
            for part in TEXTS
            for value in record.part(part)
            if (address := self._addresses.get((part, _key(value.text)))) is not None
        }
        if not addresses:
            return record
        own = [one for one in record.entities if (one.part, one.label) not in addresses]
        new = [Entity(part, address, text) for (part, text), address in addresses.items() if address != NONE]
        return msgspec.structs.replace(record, entities=(*own, *new))


def _key(text: str) -> str:
    return " ".join(text.casefold().split())


def read(path: Path) -> list[ReconciledText]:
    """The rows of a table; raises ``UnreadableFile`` with the line that is wrong."""
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.DictReader(file)
            if not set(_COLUMNS) <= set(reader.fieldnames or ()):
                raise UnreadableFile(f"{path} needs the columns {', '.join(_COLUMNS)} in its first line")
            return [_row(path, reader.line_num, row) for row in reader]
    except FileNotFoundError:
        raise UnreadableFile(f"no file {path}, which ingest.reconciliation names") from None
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise UnreadableFile(f"{path} cannot be read as CSV in UTF-8: {error}") from error


def _row(path: Path, line: int, row: Mapping[str, str | None]) -> ReconciledText:
    part, text, given = (as_it_was((row[name] or "").strip()) for name in _COLUMNS)
    if part not in TEXTS:
        raise UnreadableFile(f"{path}, line {line}: no part {part!r}; parts are: {', '.join(TEXTS)}")
    address = given if given in ("", NONE) else entity_address(given)
    if address is None:
        raise UnreadableFile(
            f"{path}, line {line}: {given!r} is no address, as https://www.wikidata.org/entity/Q641, and no"
            f" short form of one; {NONE} says that there is none"
        )
    return ReconciledText(part, text, address)


def texts_of(
    records: Iterable[Record],
    part: str,
    known: Iterable[ReconciledText],
    suggested: Callable[[str], str | None] = lambda _: None,
) -> list[ReconciledText]:
    """The different texts of a part, the commonest first, with the addresses that are known for them.

    For a text without one, ``suggested`` may give an address that is meant.
    Known are those of a table, and else those of the records. What a table has of other parts, or of texts
    that no record has now, stays in it.
    """
    before = list(known)
    addresses = {(row.part, _key(row.text)): row.address for row in before}
    spelled, numbers = dict[str, str](), Counter[str]()
    for record in records:
        own = {_key(one.label): one.address for one in record.entities if one.part == part}
        for text in {_key(value.text): value.text for value in record.part(part)}.values():
            key = _key(text)
            numbers[key] += 1
            spelled.setdefault(key, text)
            addresses.setdefault((part, key), own.get(key, ""))
    rows = []
    for key, number in numbers.most_common():
        text, address = spelled[key], addresses[part, key]
        rows.append(ReconciledText(part, text, address, number, "" if address else suggested(text) or ""))
    rest = (row for row in before if row.part != part or _key(row.text) not in numbers)
    return [*rows, *rest]


def write(path: Path, rows: Iterable[ReconciledText]) -> None:
    """Write a table, whole or not at all; raises ``UsageError``. No cell of it is run by a spreadsheet."""
    text = io.StringIO()
    table = csv.writer(text)
    table.writerow((*_COLUMNS, "items", "suggestion"))
    for row in rows:
        address = row.address if row.address == NONE else as_text(row.address)
        table.writerow((row.part, as_text(row.text), address, row.items, as_text(row.suggestion)))
    write_whole(path, text.getvalue().encode(), unwritable_output)
