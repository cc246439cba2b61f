"""Neighbours as Parquet: a table that other programs read."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pyarrow as pa
import pyarrow.parquet as pq

from ingest.storage.files import unwritable_output, write_whole
from models.types import SCALE
from service.search.batch.runs import Batch
from service.search.recommender import Recommender

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


class Parquet:
    """A part as a Parquet file."""

    suffix = "parquet"

    def write(self, path: Path, recommender: Recommender, batch: Batch, rows: range) -> None:
        """Write the neighbours of some rows."""
        sink = pa.BufferOutputStream()
        pq.write_table(_table(recommender, batch, rows), sink, compression="zstd")
        write_whole(path, sink.getvalue().to_pybytes(), unwritable_output)

    def whole(self, path: Path) -> bool:
        """Whether a part is there and its footer tells of what it should hold."""
        try:
            return bool(pq.read_schema(path).equals(SCHEMA))
        except PermissionError:
            raise
        except (OSError, pa.ArrowInvalid):
            # a broken footer is an OSError to pyarrow
            return False


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
