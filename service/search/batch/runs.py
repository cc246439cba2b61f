"""A run over all items, part by part, so that one that was stopped can go on.

A folder holds ``part-00000.parquet`` and on (or another form's suffix), each of the neighbours of the same
number of items in the order of their ids, and ``_manifest.json``, which names what they are the neighbours
of. A part is written aside and renamed: it is whole or not there.
"""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import as_completed
from pathlib import Path
from typing import Final, NamedTuple, Self

from pydantic import BaseModel, ConfigDict, ValidationError

from features.measures.parts import one_thread
from features.processes import spread
from ingest.errors import KindredError, UsageError
from ingest.storage.files import ASIDE, WriteRefusal, make_folder, unwritable_output, write_whole
from models.types import SimilarityType
from service.search.recommender import Recommender

MANIFEST: Final = "_manifest.json"  # readers of Parquet folders pass over names that begin so

_LOST: Final = (
    "a process that worked neighbours out was ended, perhaps for want of memory; lower analysis.processes and"
    " run the command again: it goes on where it stopped"
)


class BatchManifest(BaseModel):
    """What a folder holds: the neighbours of which collection, by which system, how many, in which ways.

    ``floors`` are the scores at which the lists of types end.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    format: int = 2
    generation: str
    system: str
    k: int
    types: tuple[SimilarityType, ...]
    items: int
    part: int
    floors: dict[SimilarityType, float]

    @classmethod
    def of(
        cls,
        recommender: Recommender,
        k: int,
        types: Sequence[SimilarityType],
        part: int,
        floors: Mapping[SimilarityType, float],
    ) -> Self:
        """All items of a recommender, ``part`` of them in each file."""
        return cls(
            generation=recommender.mark,
            system=recommender.system.name,
            k=k,
            types=tuple(types),
            items=len(recommender.collection),
            part=part,
            floors={kind: floors[kind] for kind in types if kind in floors},
        )

    def rows(self, number: int) -> range:
        """The rows of a part."""
        return range(number * self.part, min((number + 1) * self.part, self.items))

    def parts(self, folder: Path, form: "PartFormat") -> list[Path]:
        """The files of all parts in a folder."""
        return [folder / f"part-{n:05}.{form.suffix}" for n in range(-(-self.items // self.part))]


class PartFormat(NamedTuple):
    """How a part is written; processes are handed it.

    ``write`` writes the neighbours of some rows; ``is_whole`` says whether a part is there with what it
    should hold.
    """

    suffix: str
    write: Callable[[Path, Recommender, BatchManifest, range], None]
    is_whole: Callable[[Path], bool]


class RunResult(NamedTuple):
    """What a run did: the parts that there are, and how many of them it wrote."""

    parts: int
    written: int


def claim(folder: Path, batch: BatchManifest, refusal: WriteRefusal = unwritable_output) -> None:
    """Write a manifest of what a folder will hold.

    Raises ``UsageError`` where it holds the neighbours of anything else.
    """
    make_folder(folder, refusal)
    path = folder / MANIFEST
    if not path.exists():
        if any(folder.glob("part-*")):
            raise UsageError(f"{folder} holds parts without {MANIFEST}; name another folder, or add --anew")
        write_whole(path, batch.model_dump_json(indent=1).encode(), refusal)
        return
    try:
        present = BatchManifest.model_validate_json(path.read_bytes())
    except ValidationError:
        raise UsageError(f"{path} cannot be read; name another folder, or add --anew") from None
    if present != batch:
        other = ", ".join(
            f"{name} {_in_words(value)}, not {_in_words(getattr(batch, name))}"
            for name, value in present
            if value != getattr(batch, name)
        )
        raise UsageError(f"{folder} holds other neighbours ({other}); name another folder, or add --anew")


def _in_words(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {one:g}" for name, one in value.items()) or "none"
    return " ".join(value) if isinstance(value, tuple) else str(value)


def run(
    recommender: Recommender,
    opening: Callable[[], Recommender],
    processes: int,
    batch: BatchManifest,
    folder: Path,
    form: PartFormat,
    advance: Callable[[int], None] = lambda _: None,
) -> RunResult:
    """Write the parts that a folder which was claimed lacks; ``advance`` is called with the items done.

    Each of several processes opens a recommender by ``opening``. Raises ``UsageError`` where the collection
    has changed meanwhile, and ``WorkerLost`` where a process is ended.
    """
    parts = batch.parts(folder, form)
    missing = [number for number, path in enumerate(parts) if not form.is_whole(path)]
    advance(batch.items - sum(len(batch.rows(number)) for number in missing))
    # a part that is the only one is not worth the seconds that another process takes to start
    if processes == 1 or len(parts) == 1:
        for number in missing:
            form.write(parts[number], recommender, batch, batch.rows(number))
            advance(len(batch.rows(number)))
    else:
        with spread(min(processes, max(1, len(missing))), _LOST, _load, opening, batch, form) as pool:
            for done in as_completed([pool.submit(_work, number, parts[number]) for number in missing]):
                advance(done.result())
    return RunResult(len(parts), len(missing))


_task: tuple[Recommender, BatchManifest, PartFormat] | KindredError


def _load(opening: Callable[[], Recommender], batch: BatchManifest, form: PartFormat) -> None:
    global _task
    one_thread()  # there are as many processes as cores
    try:
        _task = opening(), batch, form
    except KindredError as error:
        # raised here it would break the pool and be lost; the first part brings it to the parent
        _task = error


def _work(number: int, path: Path) -> int:
    if isinstance(_task, KindredError):
        raise _task
    recommender, batch, form = _task
    if recommender.mark != batch.generation:
        raise UsageError("the collection has changed since the run began; run the command again, with --anew")
    rows = batch.rows(number)
    form.write(path, recommender, batch, rows)
    return len(rows)


def clear(folder: Path) -> None:
    """Remove the parts and the manifest of a folder, and nothing else; the manifest goes last."""
    for part in [*folder.glob("part-*"), *folder.glob(f".*{ASIDE}")]:
        part.unlink()
    (folder / MANIFEST).unlink(missing_ok=True)
