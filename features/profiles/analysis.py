"""Records to profiles: batched, spread over processes, stored by content, resumable.

A profile is stored as soon as its batch is done, under the digest of what it was made from and the pipeline's
fingerprint. This has a half for the language analysis and one for the sentence vectors: where one half is
still that of an earlier profile, its part is reused.
"""

import hashlib
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, as_completed, wait
from functools import cache
from pathlib import Path
from typing import NamedTuple, TypeAlias, TypeVar

from msgspec.structs import replace
from pydantic import BaseModel, ConfigDict, Field

from features.processes import batched, executors
from features.profiles import profile as profiles
from features.profiles.profile import Profile, SentenceVector
from features.profiles.reading import read
from features.profiles.sentence_texts import SentenceVectors, open_vectors
from features.text import language, sentences
from features.text.language import ENGLISH, Language
from features.text.sentences import EncoderName
from ingest.catalogue import Catalogue
from ingest.errors import ResourceMissing
from ingest.record import Record, decode, encode

READING_VERSION = 18
"""Raised by hand whenever other values come out of the same models: every record is then read anew."""

VECTORS_VERSION = 7
"""The same of the sentence vectors."""

_Part = TypeVar("_Part")
_Profiles: TypeAlias = list[tuple[bytes, bytes]]
"""Encoded profiles, each behind the analysis hash of its record."""


class Models(NamedTuple):
    """The models that make profiles: the folder of the language models, and the sentence encoder."""

    language: Path = ENGLISH
    encoder: EncoderName = "compact"


class AnalysisSettings(BaseModel):
    """How the analysis is spread."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    processes: int = Field(
        0,
        ge=0,
        le=256,
        description="worker processes of the analysis, and of the fit where there are more than 10,000"
        " items; 0 means one for each core that may be used. Each needs memory of its own",
    )
    batch: int = Field(
        400,
        ge=1,
        le=10_000,
        description="records a batch; a kill loses the batches under way, some two for each process",
    )
    scheduler: str = Field(
        "",
        description="address of the Dask scheduler whose workers analyse and fit, as"
        " `tcp://10.0.0.5:8786`; `analysis.processes` then counts for nothing. Empty: processes of this"
        " machine",
    )

    @property
    def workers(self) -> int:
        """The number of processes to start."""
        return self.processes or len(os.sched_getaffinity(0))


class _Task(NamedTuple):  # with earlier profiles that have the one or the other part
    record: bytes
    read: bytes | None
    encoded: bytes | None


def fingerprint(models: Models) -> str:
    """What a profile depends on besides its record: the models, and the rules.

    Two halves with a full stop between them: the language models and what reads with them; the sentence
    encoder and what is encoded, ``none`` where it is not installed. Reads no weights.
    """
    encoder = sentences.fingerprint(models.encoder)
    read = _digest(language.fingerprint(models.language), READING_VERSION)
    return f"{read}.{_digest(encoder, VECTORS_VERSION) if encoder else 'none'}"


def _digest(model: str, version: int) -> str:
    return hashlib.sha256(f"{version} {model}".encode()).hexdigest()[:16]


def analyse(
    records: Sequence[Record], pipeline: Language, vectors: SentenceVectors | None = None
) -> list[Profile]:
    """The profiles of some records, with their sentence vectors where ``vectors`` makes them."""
    encoded = _encode(records, vectors)
    return [replace(own, vectors=made) for own, made in zip(read(records, pipeline), encoded, strict=True)]


def _encode(records: Sequence[Record], vectors: SentenceVectors | None) -> list[tuple[SentenceVector, ...]]:
    return vectors.of(records) if vectors else [() for _ in records]


def analyse_pending(
    catalogue: Catalogue, models: Models, settings: AnalysisSettings, advance: Callable[[int], None]
) -> int:
    """Analyse all that lacks a profile, and give how many did; ``advance`` gets the numbers done."""
    mark = fingerprint(models)
    waiting = catalogue.count_pending(mark)
    workers = min(settings.workers, -(-waiting // settings.batch))
    if workers:
        pending = batched(catalogue.pending(mark), settings.batch)
        batches = (_tasks(catalogue, mark, batch) for batch in pending)
        for result in _spread(batches, models, mark, workers, settings.scheduler):
            catalogue.put_profiles(mark, result)
            advance(len(result))
    catalogue.prune_profiles(mark)
    return waiting


def _tasks(catalogue: Catalogue, mark: str, records: list[Record]) -> list[_Task]:
    profiles_of = catalogue.profiles_of_hashes([record.analysis_hash for record in records])
    earlier = {(key, half): profile for key, other, profile in profiles_of for half in _halves(other)}
    return [
        _Task(encode(record), *(earlier.get((record.analysis_hash, half)) for half in _halves(mark)))
        for record in records
    ]


def _halves(mark: str) -> tuple[str, str]:
    """The halves of a fingerprint, which differ by the full stop."""
    read, _, encoded = mark.partition(".")
    return read, f".{encoded}"


def _spread(
    batches: Iterator[list[_Task]], models: Models, mark: str, processes: int, scheduler: str
) -> Iterator[_Profiles]:
    lost = (
        "a process that analysed records was ended, perhaps for want of memory; lower"
        " analysis.processes and run kindred build again: it goes on where it stopped"
    )
    with executors(processes, scheduler, lost, _ready) as workers:
        waiting: set[Future[_Profiles]] = set()
        for batch in batches:
            waiting.add(workers.executor.submit(_work, models, mark, batch))
            # a bounded queue keeps memory flat however many records wait
            if len(waiting) > 2 * workers.number:
                done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                yield from (one.result() for one in done)
        yield from (one.result() for one in as_completed(waiting))


def _ready() -> None:
    """A process loads the models with its first batch: an error then comes to whoever waits for that."""


@cache
def _pipeline(models: Models, mark: str) -> tuple[Language, SentenceVectors | None]:
    if fingerprint(models) != mark:
        raise ResourceMissing(
            "a worker has other language models, or other rules, than this Kindred; install the same there"
        )
    return Language(models.language), open_vectors(models.encoder)


def _work(models: Models, mark: str, tasks: list[_Task]) -> _Profiles:
    pipeline, encoder = _pipeline(models, mark)
    records = [decode(task.record) for task in tasks]
    known = [None if task.read is None else profiles.decode(task.read) for task in tasks]
    plain = _completed(known, records, lambda rest: read(rest, pipeline))
    encoded = [None if task.encoded is None else profiles.decode(task.encoded).vectors for task in tasks]
    vectors = _completed(encoded, records, lambda rest: _encode(rest, encoder))
    made = [replace(own, vectors=numbers) for own, numbers in zip(plain, vectors, strict=True)]
    return [(record.analysis_hash, profiles.encode(one)) for record, one in zip(records, made, strict=True)]


def _completed(
    known: list[_Part | None], records: list[Record], make: Callable[[list[Record]], list[_Part]]
) -> list[_Part]:
    """Of each record the part that is known, or else what is made."""
    made = iter(make([record for record, part in zip(records, known, strict=True) if part is None]))
    return [next(made) if part is None else part for part in known]
