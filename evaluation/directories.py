"""Pairs of several directories read as one: divided together, but named where figures are given."""

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import msgspec
import numpy as np

from evaluation.typed import DirectoryPairs, Pairs, read_pairs
from ingest.errors import PairsError, UsageError
from ingest.record import Record
from models.types import EIGHT, Types


def read_directories(directories: Sequence[Path], types: Types = EIGHT) -> list[Pairs]:
    """The pairs of each directory, called by its name, or by as much of its path as is unique.

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
    """The shortest ends of paths that differ from each other.

    >>> names([Path("/a/train"), Path("/a/walters")]), names([Path("/a/train"), Path("/b/train")])
    (['train', 'walters'], ['a/train', 'b/train'])
    """
    for length in range(1, max(len(path.parts) for path in paths) + 1):
        ends = ["/".join(path.parts[-length:]) for path in paths]
        if len(set(ends)) == len(ends):
            return ends
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

    def own_text(record: Record, name: str) -> Record:
        if known.get(record.id, record.analysis_hash) == record.analysis_hash:
            return record
        return msgspec.structs.replace(record, id=f"{record.id} ({name})")

    left, right, parts, first = [], [], [], 0
    for pairs in read:
        (part,) = pairs.parts
        left += [own_text(record, part.name) for record in pairs.left]
        right += [own_text(record, part.name) for record in pairs.right]
        known |= {record.id: record.analysis_hash for record in pairs.records if record.id not in known}
        parts.append(part._replace(first=first))
        first += len(pairs)
    gold = [pairs.gold for pairs in read if pairs.gold is not None]
    same = len({pairs.gold_source for pairs in read}) == 1
    return Pairs(
        [ids for pairs in read for ids in pairs.ids],
        left,
        right,
        np.vstack(gold) if gold else None,
        read[0].gold_source if same else "; ".join(f"{p.parts[0].name}: {p.gold_source}" for p in read),
        read[0].types,
        tuple(parts),
    )


def trained_on(parts: Sequence[DirectoryPairs]) -> str:
    """What weights say of the pairs they were trained on: every directory, with its digest.

    >>> trained_on([DirectoryPairs("train", 0, 1200, "4923e6901ad0c130", "model-annotated (README.md)")])
    'train (1,200 pairs, 4923e6901ad0c130, gold: model-annotated (README.md))'
    """
    return " + ".join(f"{p.name} ({p.number:,} pairs, {p.digest}, gold: {p.gold_source})" for p in parts)


def trained_digests(text: str) -> list[str]:
    """The digests of the pairs in what weights say of them, with their gold or, as it once was, without.

    >>> first = trained_on([DirectoryPairs("a (b)", 0, 6, "e5d5df8fcbb1d0a2", "as given in gold.txt")])
    >>> trained_digests(f"{first} + c (1,200 pairs, 4923e6901ad0c130)"), trained_digests("nothing")
    (['e5d5df8fcbb1d0a2', '4923e6901ad0c130'], [])
    """
    return re.findall(r" \([0-9,]+ pairs, ([0-9a-f]{16})[,)]", text)
