"""Records to profiles: batched, spread over processes, kept by content, resumable.

The slow step of ingest is the language analysis. A profile is kept in the catalogue under the
digest of what it was made from and the fingerprint of the pipeline that made it, as soon as its
batch is done: a run that was killed goes on where it stopped, and a changed record alone is
analysed again.
"""

import hashlib
import multiprocessing
import os
import signal
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, as_completed, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from threading import Thread
from typing import TypeAlias

from pydantic import BaseModel, ConfigDict, Field

from features import language
from features import profile as profiles
from features.annotation import Analysis, Mention
from features.language import Language
from features.names import Name, names
from features.profile import PLACES, AnalysedValue, Profile
from features.years import Period, date_periods, periods
from ingest.catalogue import Catalogue
from ingest.errors import KindredError, WorkerLost
from ingest.record import Field as RecordField
from ingest.record import Record, decode, encode

_RULES = (
    "analysis",
    "annotation",
    "language",
    "name_parts",
    "name_words",
    "names",
    "networks",
    "profile",
    "standard",
    "tokenizer",
    "year_patterns",
    "years",
)


_Profiles: TypeAlias = list[tuple[bytes, bytes]]
"""Encoded profiles, each behind the analysis hash of its record."""


class AnalysisSettings(BaseModel):
    """How the analysis is spread."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    processes: int = Field(0, ge=0, le=256, description="worker processes; 0 means one a core")
    batch: int = Field(
        400, ge=1, le=10_000, description="records a batch; a kill loses the batches under way"
    )

    @property
    def workers(self) -> int:
        """The number of processes to start."""
        return self.processes or len(os.sched_getaffinity(0))


@dataclass(frozen=True, slots=True)
class _Text:
    part: str
    index: int
    text: str


def fingerprint(models: Path) -> str:
    """What a profile depends on besides its record: the models in a folder, and the rules.

    Reads the models' manifest only, so that it costs little to ask. The rules are the source of the
    modules that make a profile: an old profile is never taken for one that new rules would make.
    """
    digest = hashlib.sha256(language.fingerprint(models).encode())
    for name in _RULES:
        digest.update((Path(__file__).parent / f"{name}.py").read_bytes())
    return digest.hexdigest()[:16]


def analyse(records: Sequence[Record], pipeline: Language) -> list[Profile]:
    """The profiles of some records, all their texts analysed in one go.

    A value that is the beginning of a longer one of its record (a title made of a description's
    first words) is read there, in its context, and not again.
    """
    texts = [list(_texts(record)) for record in records]
    read_in = [_hosts([text.text for text in each]) for each in texts]
    wanted = list(dict.fromkeys(host for each in read_in for host in each))
    analyses = dict(zip(wanted, pipeline.analyse(wanted), strict=True))
    return [
        Profile(
            tuple(
                _value(text, _beginning(analyses[host], len(text.text)))
                for text, host in zip(each, hosts, strict=True)
            )
        )
        for each, hosts in zip(texts, read_in, strict=True)
    ]


def _hosts(texts: list[str]) -> list[str]:
    """For each text the longest of them that it begins, which is itself where there is no longer one."""
    ordered = sorted(set(texts))
    return [max(_beginning_with(text, ordered), key=len, default=text) for text in texts]


def _beginning_with(text: str, ordered: list[str]) -> list[str]:
    # within a word, or before a mark that ends it, a longer text may be cut into other words
    marks = ",:;" if text[-1:].isalnum() else ""
    ranges = [
        (bisect_left(ordered, text + mark), bisect_left(ordered, text + chr(ord(mark) + 1))) for mark in marks
    ]
    return [other for low, high in ranges for other in ordered[low:high]]


def _beginning(analysis: Analysis, length: int) -> Analysis:
    return Analysis(
        tuple(word for word in analysis.words if word.end <= length),
        tuple(mention for mention in analysis.mentions if mention.end <= length),
    )


def analyse_pending(
    catalogue: Catalogue, models: Path, settings: AnalysisSettings, advance: Callable[[int], None]
) -> int:
    """Analyse every record of the catalogue that lacks a profile; returns how many did.

    Each worker process loads the language models of the folder ``models``. ``advance`` is called
    with the number of records done since the last call.
    """
    mark = fingerprint(models)
    waiting = catalogue.count_pending(mark)
    workers = min(settings.workers, -(-waiting // settings.batch))
    if workers:
        for result in _spread(_batched(catalogue.pending(mark), settings.batch), models, workers):
            catalogue.put_profiles(mark, result)
            advance(len(result))
    catalogue.prune_profiles(mark)
    return waiting


def _spread(batches: Iterator[list[Record]], models: Path, workers: int) -> Iterator[_Profiles]:
    # spawned, not forked: a copy of a process that already runs torch's threads may hang
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(workers, context, initializer=_load, initargs=(models,)) as pool:
        try:
            yield from _results(pool, batches, 2 * workers)
        except BrokenProcessPool:
            raise WorkerLost(
                "a process that analysed records was ended, perhaps for want of memory; lower"
                " analysis.processes and run kindred build again: it goes on where it stopped"
            ) from None
        finally:
            pool.shutdown(cancel_futures=True)


def _results(pool: ProcessPoolExecutor, batches: Iterator[list[Record]], most: int) -> Iterator[_Profiles]:
    waiting: set[Future[_Profiles]] = set()
    for batch in batches:
        waiting.add(pool.submit(_work, [encode(record) for record in batch]))
        # a bounded queue keeps memory flat however many records wait
        if len(waiting) > most:
            done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
            yield from (one.result() for one in done)
    yield from (one.result() for one in as_completed(waiting))


_pipeline: Language | KindredError


def _load(models: Path) -> None:
    global _pipeline
    # the parent hears of an interrupt and ends the pool; a worker would only add its traceback
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # a worker would wait for ever for work of a parent that was killed
    Thread(target=_end_with_parent, daemon=True).start()
    try:
        _pipeline = Language(models)
    except KindredError as error:
        # raised here it would break the pool and be lost; the first batch brings it to the parent
        _pipeline = error


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _work(batch: list[bytes]) -> _Profiles:
    if isinstance(_pipeline, KindredError):
        raise _pipeline
    records = [decode(data) for data in batch]
    found = analyse(records, _pipeline)
    return [(record.analysis_hash, profiles.encode(p)) for record, p in zip(records, found, strict=True)]


def _batched(records: Iterable[Record], size: int) -> Iterator[list[Record]]:
    rest = iter(records)
    while batch := list(islice(rest, size)):
        yield batch


def _texts(record: Record) -> Iterator[_Text]:
    for field in RecordField:
        for index, value in enumerate(record.field(field)):
            yield _Text(field.value, index, value.text)
    for index, value in enumerate(record.places):
        yield _Text(PLACES, index, value.text)


def _value(text: _Text, analysis: Analysis) -> AnalysedValue:
    dates = date_periods(text.text) if text.part == RecordField.DATE else periods(text.text)
    creators = names(text.text) if text.part == RecordField.CREATOR else ()
    if text.part == RecordField.CREATOR:
        mentions = tuple(_mention(name) for name in creators if name.kind != "unknown")
    elif text.part == PLACES:
        mentions = (Mention(0, len(text.text), "location", text.text),)
    else:
        mentions = tuple(m for m in analysis.mentions if not _inside(m, dates))
    mentions += tuple(Mention(p.start, p.end, "date", p.text) for p in dates)
    ordered = tuple(sorted(mentions, key=lambda m: (m.start, m.end, m.kind)))
    return AnalysedValue(text.part, text.index, analysis.words, ordered, dates, creators)


def _mention(name: Name) -> Mention:
    # a creator and a place index are known better than a model can read them
    kind = "person" if name.kind == "person" else "organisation"
    return Mention(name.start, name.end, kind, name.text)


def _inside(mention: Mention, dates: tuple[Period, ...]) -> bool:
    return any(p.start <= mention.start and mention.end <= p.end for p in dates)
