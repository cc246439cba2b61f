"""Where a build's work is done: by processes of this machine, or by the workers of a Dask cluster.

Processes are spawned, not forked: a fork of a process that already runs the threads of a library may hang.
"""

import logging
import multiprocessing
import os
import signal
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import CancelledError, Executor, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from importlib.metadata import version
from itertools import islice
from multiprocessing.context import SpawnContext
from threading import Thread
from typing import Final, NamedTuple, TypeVar, TypeVarTuple

from ingest.errors import ResourceMissing, SchedulerMissing, WorkerLost

_Given = TypeVarTuple("_Given")
_Item = TypeVar("_Item")

SPAWNED: SpawnContext = multiprocessing.get_context("spawn")


@contextmanager
def spread(
    workers: int, lost: str, load: Callable[[*_Given], None], *given: *_Given
) -> Iterator[ProcessPoolExecutor]:
    """Processes that each call ``load`` and end with this one; ``WorkerLost`` where one is ended before."""
    with ProcessPoolExecutor(workers, SPAWNED, initializer=_begin, initargs=(load, given)) as pool:
        try:
            yield pool
        except BrokenProcessPool:
            raise WorkerLost(lost) from None
        finally:
            pool.shutdown(cancel_futures=True)


def _begin(load: Callable[[*_Given], None], given: tuple[*_Given]) -> None:
    # the parent handles an interrupt and ends the pool; a worker would only add its traceback
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # without this a worker would wait for ever for a parent that was killed
    Thread(target=_end_with_parent, daemon=True).start()
    load(*given)


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


_PACKAGE: Final = "kindred"
_SECONDS: Final = 10  # how long a scheduler may keep silent


def batched(items: Iterable[_Item], size: int) -> Iterator[list[_Item]]:
    """Items in lists of that many, the last one shorter."""
    rest = iter(items)
    while batch := list(islice(rest, size)):
        yield batch


class Workers(NamedTuple):
    """An executor, and how many tasks it works on at once."""

    executor: Executor
    number: int


@contextmanager
def executors(
    processes: int, scheduler: str, lost: str, load: Callable[[*_Given], None], *given: *_Given
) -> Iterator[Workers]:
    """So many processes of this machine, which each call ``load``; or where a scheduler is named its workers.

    One process alone is this one: another would only cost its start.

    Raises:
        WorkerLost: with the sentence ``lost``, where a process or worker is ended from outside; a task of a
            cluster is first given to other workers, three times.
        SchedulerMissing: no scheduler answers, it goes away, or its workers are none or of another version.
        ResourceMissing: the extra that talks to a scheduler is not installed.
    """
    if scheduler:
        with _clustered(scheduler, lost) as workers:
            yield workers
    elif processes == 1:
        load(*given)
        with ThreadPoolExecutor(1) as thread:
            yield Workers(thread, 1)
    else:
        with spread(processes, lost, load, *given) as pool:
            yield Workers(pool, processes)


@contextmanager
def _clustered(scheduler: str, lost: str) -> Iterator[Workers]:
    try:
        from distributed import Client, KilledWorker
    except ImportError:
        raise ResourceMissing(
            "analysis.scheduler needs an extra that is not installed; run: pip install 'kindred[dask]'"
        ) from None
    try:
        client = Client(scheduler, timeout=_SECONDS, set_as_default=False)
    except (OSError, ValueError):
        raise SchedulerMissing(
            f"no Dask scheduler answers at {scheduler}; start one, or leave analysis.scheduler empty"
        ) from None
    # what goes wrong becomes an error of ours; its log would add a traceback
    logging.getLogger("distributed.client").setLevel(logging.CRITICAL)
    with client:
        number = sum(client.nthreads().values())
        if not number:
            raise SchedulerMissing(f"the Dask scheduler at {scheduler} has no workers; start some")
        # a worker without Kindred returns the error
        versions = client.run(version, _PACKAGE, on_error="return").values()
        others = {one if isinstance(one, str) else "no" for one in versions} - {version(_PACKAGE)}
        if others:
            raise SchedulerMissing(
                f"of the workers of {scheduler} some have {' or '.join(sorted(others))} Kindred, not"
                f" {version(_PACKAGE)}; install this one there"
            )
        try:
            yield Workers(client.get_executor(pure=False), number)
        except KilledWorker:
            raise WorkerLost(lost) from None
        except CancelledError:
            raise SchedulerMissing(
                f"the Dask scheduler at {scheduler} went away; start it and this command again"
            ) from None
