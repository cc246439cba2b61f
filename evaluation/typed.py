"""The official Typed-Similarity layout: pairs, their texts, and gold or system scores.

A directory holds ``STS.input.europeana.txt`` (two record ids a line), ``pairs/text/*`` (the texts) and, where
gold is known, ``STS.gs.europeana.txt``: a number from 0 to 5 a type, in the official order, then that of
config.yaml. A system's answer has the same shape (thesis 5.3, *SEM 2013 shared task).
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np

from evaluation.provenance import model_annotated
from features.arrays import Bools, Doubles, Rows
from ingest.errors import PairsError, UsageError
from ingest.record import Record
from ingest.storage.files import unwritable_output, write_whole
from ingest.typed_files import GOLD, INPUT, NA, pair_ids, records
from models.types import EIGHT, OFFICIAL, SCALE, SimilarityType, Types

_MODEL_ANNOTATED = "model-annotated"


class DirectoryPairs(NamedTuple):
    """The pairs of one directory among all: ``number`` of them, from the place ``first`` on.

    ``folder`` is the directory, None where the pairs were made otherwise.
    """

    name: str
    first: int
    number: int
    digest: str
    gold_source: str
    folder: Path | None = None

    @property
    def rows(self) -> slice:
        """Their places."""
        return slice(self.first, self.first + self.number)


@dataclass(frozen=True, slots=True)
class Pairs:
    """Pairs of records and, where it is known, their gold float64[pairs, types]; ``types`` are its columns.

    Gold that nobody gave, ``NA`` in the file, is NaN. ``gold_source`` says what the gold is, and is quoted
    with every figure.

    >>> one, two = Record(id="a:1"), Record(id="a:2")
    >>> pairs = Pairs([("a:1", "a:2")], [one], [two], None)
    >>> len(pairs), [record.id for record in pairs.records]
    (1, ['a:1', 'a:2'])
    """

    ids: list[tuple[str, str]]
    left: list[Record]
    right: list[Record]
    gold: Doubles | None
    gold_source: str = f"as given in {GOLD}"
    types: Types = field(default_factory=lambda: EIGHT)
    parts: tuple[DirectoryPairs, ...] = ()

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def texts(self) -> list[tuple[bytes, bytes]]:
        """What tells the texts of both records of each pair; one without text is like no other."""
        marks = {
            record.id: record.analysis_hash if record.has_text else record.id.encode()
            for record in self.records
        }
        return [(marks[left], marks[right]) for left, right in self.sides]

    @property
    def same(self) -> Bools:
        """Which pairs are of two records of the same texts, bool[pairs]."""
        return np.array([left == right for left, right in self.texts], dtype=bool)

    @property
    def size(self) -> int:
        """The number of records, one that is described in two ways being one."""
        return len({record for ids in self.ids for record in ids})

    def place(self, row: int) -> str:
        """The directory of a pair, and its number there as in the names of its texts.

        >>> parts = (DirectoryPairs("a", 0, 2, "", ""), DirectoryPairs("b", 2, 3, "", ""))
        >>> pairs = Pairs([], [], [], None, parts=parts)
        >>> pairs.place(0), pairs.place(2)
        ('a 1', 'b 1')
        """
        part = next(part for part in self.parts if row < part.first + part.number)
        return f"{part.name} {row - part.first + 1}"

    @property
    def records(self) -> list[Record]:
        """Every record once, in the order of the ids."""
        records = {record.id: record for record in (*self.left, *self.right)}
        return [records[record_id] for record_id in sorted(records)]

    @property
    def sides(self) -> list[tuple[str, str]]:
        """The ids of the two texts of each pair: those of the records, but for one described in two ways."""
        return [(left.id, right.id) for left, right in zip(self.left, self.right, strict=True)]

    def some(self, rows: Rows) -> "Pairs":
        """The pairs of some rows alone, no longer by directory."""
        chosen = rows.tolist()
        return replace(
            self,
            ids=[self.ids[row] for row in chosen],
            left=[self.left[row] for row in chosen],
            right=[self.right[row] for row in chosen],
            gold=None if self.gold is None else self.gold[rows],
            parts=(),
        )

    @property
    def by_directory(self) -> list["Pairs"]:
        """The pairs of each directory by themselves; all of them where they are not of several.

        >>> one = Record(id="a:1")
        >>> parts = (DirectoryPairs("a", 0, 1, "", ""), DirectoryPairs("b", 1, 2, "", ""))
        >>> ids = [("a:1", "a:1"), ("b:1", "b:2"), ("b:3", "b:4")]
        >>> [pairs.ids for pairs in Pairs(ids, [one] * 3, [one] * 3, None, parts=parts).by_directory]
        [[('a:1', 'a:1')], [('b:1', 'b:2'), ('b:3', 'b:4')]]
        """
        if len(self.parts) < 2:
            return [self]
        every = np.arange(len(self), dtype=np.intp)
        return [replace(self.some(every[part.rows]), parts=(part._replace(first=0),)) for part in self.parts]

    @property
    def digest(self) -> str:
        """A digest of the pairs and their gold: sixteen hexadecimal digits."""
        gold = b"" if self.gold is None else self.gold.tobytes()
        return hashlib.sha256(repr(self.ids).encode() + gold).hexdigest()[:16]

    def known_gold(self) -> Doubles:
        """The gold; raises ``PairsError`` where the directory had none."""
        if self.gold is None:
            raise PairsError(f"these pairs have no gold; put eight scores a line beside them in {GOLD}")
        return self.gold


def read_pairs(directory: Path, types: Types = EIGHT) -> Pairs:
    """Read a directory in the official layout; the gold is None where its file is not there.

    Of ``types``, the official ones first, the gold has as many as it has columns. Raises ``UnreadableFile``,
    and ``PairsError``, with file and line, for texts that are missing or contradictory and a misfit of gold.
    """
    if directory.is_dir() and not (directory / INPUT).is_file():
        raise PairsError(f"no {INPUT} in {directory}; name the directory that holds it and pairs/text")
    known: dict[str, Record] = {}
    for name, record in records(directory):
        if isinstance(record, str):
            raise PairsError(f"{directory / 'pairs' / 'text' / name}: {record.removeprefix(f'{name}: ')}")
        known[record.id] = record
    ids = pair_ids(directory)
    present = {path.name.partition("_")[0] for path in (directory / "pairs" / "text").glob("*.txt")}
    for number, pair in enumerate(ids, 1):
        for side, record_id in zip("ab", pair, strict=True):
            if f"{number}{side}" not in present:
                raise PairsError(
                    f"{directory / INPUT}, line {number}: no text of {record_id}; "
                    f"it is due as text/{number}{side}_<collection>_<id>.txt"
                )
    gold = read_scores(directory / GOLD, tuple(types)) if (directory / GOLD).exists() else None
    if gold is not None and len(gold) != len(ids):
        raise PairsError(
            f"{directory / GOLD} has {len(gold)} lines, {INPUT} {len(ids)}; a line a pair is due"
        )
    left, right = [known[a] for a, _ in ids], [known[b] for _, b in ids]
    own = dict(islice(types.items(), len(OFFICIAL) if gold is None else gold.shape[1]))
    source = gold_source(directory, GOLD)
    if gold is not None and not source.startswith(_MODEL_ANNOTATED):
        source = known_source(ids, gold) or source
    pairs = Pairs(ids, left, right, gold, source, own)
    name = directory.resolve().name
    part = DirectoryPairs(name, 0, len(ids), pairs.digest, pairs.gold_source, directory)
    return replace(pairs, parts=(part,))


def gold_source(directory: Path, file: str) -> str:
    """What the gold in a file of a directory of pairs is.

    A README.md in the directory or in the one above may say that it is model-annotated.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     pairs = Path(folder, "train")
    ...     before = gold_source(pairs, "gold.txt")
    ...     _ = Path(folder, "README.md").write_text("The gold is **model-annotated**, not human.")
    ...     before, gold_source(pairs, "gold.txt")
    ('as given in gold.txt', 'model-annotated (README.md)')
    """
    here = directory.resolve()
    for path in (here / "README.md", here.parent / "README.md"):
        if path.is_file() and _MODEL_ANNOTATED in path.read_text(encoding="utf-8", errors="replace").lower():
            return f"{_MODEL_ANNOTATED} ({path.name})"
    return f"as given in {file}"


def known_source(ids: Sequence[tuple[str, str]], gold: Doubles) -> str:
    """What is known of gold by its content, wherever it lies; empty where nothing is."""
    known = model_annotated(ids, gold[:, : len(OFFICIAL)])
    if not known:
        return ""
    some = "" if known == len(ids) else f" in {known:,} of {len(ids):,} pairs"
    return f"{_MODEL_ANNOTATED}{some} (known by its digest)"


def read_scores(path: Path, types: Sequence[SimilarityType] = OFFICIAL) -> Doubles:
    """Gold or system scores: float64[lines, columns], of as many of the types: eight at least; ``NA`` is NaN.

    Raises ``PairsError`` for a line without eight numbers from 0 to 5, or as many as the first has; names it.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "scores.txt")
    ...     write_scores(path, np.array([[0, 1, 2, 3, 4, 5, 2.5, 1 / 3]]))
    ...     path.read_text().split("\\t"), read_scores(path)[0, 6:].tolist()
    (['0.0000', '1.0000', '2.0000', '3.0000', '4.0000', '5.0000', '2.5000', '0.3333\\n'], [2.5, 0.3333])
    """
    try:
        lines = path.read_text(encoding="utf-8-sig").rstrip().splitlines()
    except OSError as error:
        raise PairsError(f"{path} cannot be read: {error.strerror or error}") from None
    except UnicodeDecodeError as error:
        raise PairsError(f"{path} is not UTF-8 (byte {error.start}); save it as UTF-8") from None
    width = len(lines[0].split()) if lines else 0
    columns = types[: width if len(OFFICIAL) <= width <= len(types) else len(OFFICIAL)]
    rows = [_row(path, number, line, columns) for number, line in enumerate(lines, 1)]
    return np.array(rows, dtype=np.float64).reshape(-1, len(columns))


def _row(path: Path, number: int, line: str, types: Sequence[SimilarityType]) -> list[float]:
    cells = line.split()
    if len(cells) != len(types):
        due = "eight" if len(types) == len(OFFICIAL) else len(types)
        raise PairsError(f"{path}, line {number}: {len(cells)} columns where {due} scores are due")
    scores = []
    for cell, kind in zip(cells, types, strict=True):
        if cell == NA:
            scores.append(float("nan"))
            continue
        try:
            score = float(cell)
        except ValueError:
            raise PairsError(f"{path}, line {number}: {kind}: {cell!r} is not a number, nor {NA}") from None
        if not SCALE[0] <= score <= SCALE[1]:
            raise PairsError(f"{path}, line {number}: {kind}: {cell} is not between 0 and 5")
        scores.append(score)
    return scores


def write_scores(path: Path, scores: Doubles) -> None:
    """Write the eight official of scores float64[n, types], tab separated; raises ``UsageError``."""
    text = "".join(
        "\t".join(f"{score:.4f}" for score in row) + "\n" for row in scores[:, : len(OFFICIAL)].tolist()
    )
    write_whole(path, text.encode(), unwritable_output)


def read_directories(directories: Sequence[Path], types: Types = EIGHT) -> list[Pairs]:
    """The pairs of each directory, named by as much of its path as is unique; no directory stands twice."""
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
