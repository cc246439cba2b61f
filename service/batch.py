"""Every item's neighbours as Parquet files, part by part, so that a run that was stopped can go on.

A folder holds ``part-00000.parquet`` and on, each with the neighbours of the same number of items in the
order of their ids, and ``_manifest.json``, which says what they are the neighbours of. A part is written
aside and renamed: it is whole or not there.
"""

from collections.abc import Callable, Iterator
from concurrent.futures import as_completed
from pathlib import Path
from typing import Final, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq
from pydantic import BaseModel, ConfigDict, ValidationError

from features.processes import spread
from ingest.errors import KindredError, UsageError
from ingest.files import ASIDE, make_folder, unwritable_output, write_whole
from models.types import SCALE, SimilarityType
from service.recommender import Recommender

MANIFEST: Final = "_manifest.json"  # readers of Parquet folders pass over names that begin so

SCHEMA: Final = pa.schema(
    [
        pa.field("id", pa.string(), nullable=False),
        pa.field("type", pa.string(), nullable=False),
        pa.field("rank", pa.int32(), nullable=False),
        pa.field("neighbour", pa.string(), nullable=False),
        pa.field("score", pa.float64(), nullable=False),
    ]
)
"""A row says: of this item, in this way, the neighbour of this rank (from 1), with this score, 0 to 5."""


class Batch(BaseModel):
    """What a folder holds: the neighbours of which collection, by which system, how many, in which ways."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    format: int = 1
    generation: str
    system: str
    k: int
    types: tuple[SimilarityType, ...]
    items: int
    part: int

    def rows(self, number: int) -> range:
        """The rows of a part."""
        return range(number * self.part, min((number + 1) * self.part, self.items))

    @property
    def parts(self) -> list[str]:
        """The names of all parts.

        >>> Batch(generation="g", system="T0", k=5, types=("time",), items=5, part=2).parts[-1]
        'part-00002.parquet'
        """
        return [f"part-{n:05}.parquet" for n in range(-(-self.items // self.part))]


_LOST: Final = (
    "a process that worked neighbours out was ended, perhaps for want of memory; lower analysis.processes and"
    " run the command again: it goes on where it stopped"
)


class Done(NamedTuple):
    """What a run did: the parts that there are, and how many of them it wrote."""

    parts: int
    written: int


def claim(folder: Path, batch: Batch) -> None:
    """Say in the manifest what a folder will hold.

    Raises ``UsageError`` where it holds the neighbours of anything else.
    """
    make_folder(folder, unwritable_output)
    path = folder / MANIFEST
    if not path.exists():
        if any(folder.glob("part-*.parquet")):
            raise UsageError(f"{folder} holds parts without {MANIFEST}; name another folder, or add --anew")
        write_whole(path, batch.model_dump_json(indent=1).encode(), unwritable_output)
        return
    try:
        held = Batch.model_validate_json(path.read_bytes())
    except ValidationError:
        raise UsageError(f"{path} cannot be read; name another folder, or add --anew") from None
    other = [name for name in Batch.model_fields if getattr(held, name) != getattr(batch, name)]
    if other:
        said = ", ".join(f"{name} {_said(held, name)}, not {_said(batch, name)}" for name in other)
        raise UsageError(f"{folder} holds other neighbours ({said}); name another folder, or add --anew")


def run(
    recommender: Recommender, batch: Batch, folder: Path, advance: Callable[[int], None] = lambda _: None
) -> Done:
    """Write the parts that a folder which was claimed lacks; ``advance`` is called with the items done."""
    missing = _missing(batch, folder, advance)
    for number in missing:
        _part(recommender, batch, folder, number)
        advance(len(batch.rows(number)))
    return Done(len(batch.parts), len(missing))


def run_spread(
    opening: Callable[[], Recommender],
    batch: Batch,
    folder: Path,
    processes: int,
    advance: Callable[[int], None] = lambda _: None,
) -> Done:
    """As ``run``, with several processes, each of which opens what it asks by ``opening``.

    Raises ``UsageError`` where the collection has changed meanwhile, ``WorkerLost`` where a process is ended.
    """
    missing = _missing(batch, folder, advance)
    with spread(min(processes, max(1, len(missing))), _LOST, _load, opening, batch, folder) as pool:
        for done in as_completed([pool.submit(_work, number) for number in missing]):
            advance(done.result())
    return Done(len(batch.parts), len(missing))


def _missing(batch: Batch, folder: Path, advance: Callable[[int], None]) -> list[int]:
    """The numbers of the parts that a folder lacks; the others are done."""
    missing = [number for number, name in enumerate(batch.parts) if not _whole(folder / name)]
    advance(batch.items - sum(len(batch.rows(number)) for number in missing))
    return missing


class _Task(NamedTuple):
    recommender: Recommender
    batch: Batch
    folder: Path


_task: _Task | KindredError


def _load(opening: Callable[[], Recommender], batch: Batch, folder: Path) -> None:
    global _task
    try:
        _task = _Task(opening(), batch, folder)
    except KindredError as error:
        # raised here it would break the pool and be lost; the first part brings it to the parent
        _task = error


def _work(number: int) -> int:
    if isinstance(_task, KindredError):
        raise _task
    if _task.recommender.mark != _task.batch.generation:
        raise UsageError("the collection has changed since the run began; run the command again, with --anew")
    _part(*_task, number)
    return len(_task.batch.rows(number))


def clear(folder: Path) -> None:
    """Remove the parts and the manifest of a folder, and nothing else; the manifest goes last."""
    for part in [*folder.glob("part-*.parquet"), *folder.glob(f".*{ASIDE}")]:
        part.unlink()
    (folder / MANIFEST).unlink(missing_ok=True)


def _said(batch: Batch, name: str) -> str:
    value = getattr(batch, name)
    return " ".join(value) if isinstance(value, tuple) else str(value)


def _part(recommender: Recommender, batch: Batch, folder: Path, number: int) -> None:
    _write(folder / batch.parts[number], _table(recommender, batch, batch.rows(number)))


def _table(recommender: Recommender, batch: Batch, rows: range) -> pa.Table:
    columns = list(zip(*_found(recommender, batch, rows), strict=True)) or [()] * len(SCHEMA)
    return pa.table([pa.array(column, one.type) for column, one in zip(columns, SCHEMA, strict=True)], SCHEMA)


def _found(recommender: Recommender, batch: Batch, rows: range) -> Iterator[tuple[str, str, int, str, float]]:
    ids = recommender.collection.ids
    for row in rows:
        nearest = recommender.nearest(ids[row], batch.types, batch.k)
        for kind, found in nearest.items():
            for rank, near in enumerate(found, 1):
                yield ids[row], kind, rank, near.id, min(max(near.bound, SCALE[0]), SCALE[1])


def _whole(path: Path) -> bool:
    """Whether a part is there and its footer tells of what it should hold."""
    try:
        return bool(pq.read_schema(path).equals(SCHEMA))
    except PermissionError:
        raise
    except (OSError, pa.ArrowInvalid):
        # a broken footer is an OSError to pyarrow
        return False


def _write(path: Path, table: pa.Table) -> None:
    sink = pa.BufferOutputStream()
    pq.write_table(table, sink, compression="zstd")
    write_whole(path, sink.getvalue().to_pybytes(), unwritable_output)
