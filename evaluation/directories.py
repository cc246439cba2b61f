"""Pairs of several directories read as one: divided together, and told apart where figures are given."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import msgspec
import numpy as np

from evaluation import provenance
from evaluation.typed import Pairs, read_pairs
from ingest.errors import PairsError, UsageError
from ingest.record import Record
from models.types import EIGHT, Types


def read_directories(directories: Sequence[Path], types: Types = EIGHT) -> list[Pairs]:
    """The pairs of each directory, called by its name, or by as much of its path as tells it from the others.

    Raises ``UsageError`` where a directory is named twice, else as ``read_pairs``.
    """
    paths = [directory.resolve() for directory in directories]
    if len(set(paths)) < len(paths):
        raise UsageError("--pairs names a directory twice: name each once")
    read = [read_pairs(directory, types) for directory in directories]
    return [
        replace(pairs, parts=(pairs.parts[0]._replace(name=name),))
        for pairs, name in zip(read, names(paths), strict=True)
    ]


def names(paths: Sequence[Path]) -> list[str]:
    """The shortest ends of paths that tell them apart.

    >>> names([Path("/a/train"), Path("/a/walters")]), names([Path("/a/train"), Path("/b/train")])
    (['train', 'walters'], ['a/train', 'b/train'])
    """
    for length in range(1, max(len(path.parts) for path in paths) + 1):
        found = ["/".join(path.parts[-length:]) for path in paths]
        if len(set(found)) == len(found):
            return found
    return [str(path) for path in paths]


def joined(read: Sequence[Pairs]) -> Pairs:
    """All pairs of several readings, in their order.

    A record that a later directory describes otherwise has its own text there: as a text its id ends in the
    name of that directory, as the record of a pair it is the same, so that both stand in one fold. Raises
    ``PairsError`` where only some have gold, or their gold has other columns.
    """
    if len(read) == 1:
        return read[0]
    for pairs in read:
        if (pairs.gold is None) != (read[0].gold is None) or pairs.types.keys() != read[0].types.keys():
            raise PairsError(
                f"the gold of {pairs.parts[0].name} has not the columns of that of {read[0].parts[0].name}; "
                "evaluate them one by one, or give both the same columns"
            )
    known: dict[str, bytes] = {}
    left, right, parts, first = [], [], [], 0
    for pairs in read:
        (part,) = pairs.parts
        left += [_own_text(record, part.name, known) for record in pairs.left]
        right += [_own_text(record, part.name, known) for record in pairs.right]
        known |= {record.id: record.analysis_hash for record in pairs.records if record.id not in known}
        parts.append(part._replace(first=first))
        first += len(pairs)
    gold = [pairs.gold for pairs in read if pairs.gold is not None]
    sources = {pairs.gold_source: None for pairs in read}
    return Pairs(
        [ids for pairs in read for ids in pairs.ids],
        left,
        right,
        np.vstack(gold) if gold else None,
        next(iter(sources)) if len(sources) == 1 else _told_apart(read),
        read[0].types,
        tuple(parts),
    )


def trained_on(pairs: Pairs) -> str:
    """What weights that were trained on pairs say of them: every directory, with its digest."""
    return " + ".join(
        provenance.trained_on(part.name, part.number, part.digest, part.gold_source) for part in pairs.parts
    )


def _own_text(record: Record, name: str, known: dict[str, bytes]) -> Record:
    if known.get(record.id, record.analysis_hash) == record.analysis_hash:
        return record
    return msgspec.structs.replace(record, id=f"{record.id} ({name})")


def _told_apart(read: Sequence[Pairs]) -> str:
    return "; ".join(f"{pairs.parts[0].name}: {pairs.gold_source}" for pairs in read)
