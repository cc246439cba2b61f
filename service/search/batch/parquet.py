"""Neighbours as Parquet: a table that other programs read."""

from functools import partial
from pathlib import Path
from typing import Final

import pyarrow as pa
import pyarrow.parquet as pq

from ingest.storage.files import unwritable_output, write_whole
from models.types import SCALE
from service.search.batch.runs import BatchManifest, PartFormat
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
"""A row: of this item, in this way, the neighbour of this rank (from 1), with this score, 0 to 5."""


def _write(path: Path, recommender: Recommender, batch: BatchManifest, rows: range) -> None:
    ids = recommender.collection.ids
    near_of = partial(recommender.nearest, types=batch.types, limit=batch.k, floors=batch.floors)
    neighbours = [
        (ids[row], kind, rank, near.id, min(max(near.bound, SCALE[0]), SCALE[1]))
        for row in rows
        for kind, nearest in near_of(ids[row]).items()
        for rank, near in enumerate(nearest, 1)
    ]
    columns = list(zip(*neighbours, strict=True)) or [()] * len(SCHEMA)
    arrays = [pa.array(column, one.type) for column, one in zip(columns, SCHEMA, strict=True)]
    sink = pa.BufferOutputStream()
    pq.write_table(pa.table(arrays, SCHEMA), sink, compression="zstd")
    write_whole(path, sink.getvalue().to_pybytes(), unwritable_output)


def _is_whole(path: Path) -> bool:
    try:
        return bool(pq.read_schema(path).equals(SCHEMA))
    except PermissionError:
        raise
    except (OSError, pa.ArrowInvalid):
        # a broken footer is an OSError to pyarrow
        return False


PARQUET: Final = PartFormat("parquet", _write, _is_whole)
"""A part as a Parquet file with the columns of ``SCHEMA``."""
