"""The files of shared records that facts are learnt from, read as those who read them saw them."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from msgspec.structs import replace

from ingest.errors import UnreadableFile
from ingest.mapping import Mapping as RecordMapping
from ingest.record import Field, Record

RECORDS: Final = Path("data/records")
"""Where they lie in the shared folder."""

_MUSEUMS: Final = "museums"
_OF_TRAIN: Final = ("tate", "teenie", "cmoa", "tna")
"""Files of records that are one collection in the readers' facts, ``train``."""


def files(shared: Path) -> list[str]:
    """The names of the files, without their endings: the large ones first.

    Raises ``UnreadableFile`` where there is none.
    """
    folder = shared / RECORDS
    paths = [*sorted(folder.glob("*.jsonl.gz")), *sorted((folder / _MUSEUMS).glob("*.jsonl.gz"))]
    if not paths:
        raise UnreadableFile(f"no records (*.jsonl.gz) in {folder}; name the folder that holds {RECORDS}")
    return [path.name.partition(".")[0] for path in paths]


def path_of(shared: Path, file: str) -> Path:
    """Where a file lies."""
    path = shared / RECORDS / f"{file}.jsonl.gz"
    return path if path.exists() else shared / RECORDS / _MUSEUMS / path.name


def collection_of(file: str) -> str:
    """The collection of the readers' facts that a file belongs to.

    >>> collection_of("tate"), collection_of("ima")
    ('train', 'ima')
    """
    return "train" if file in _OF_TRAIN else file


def mapped(mappings: Mapping[str, RecordMapping], file: str, row: Mapping[str, Any]) -> Record:
    """A row as a record of the six fields alone: what a museum indexes apart from them was not read."""
    record = mappings.get(file, mappings["dublin-core"]).apply(dict(row))
    return replace(Record(id=record.id), **{field.value: record.field(field) for field in Field})
