"""Work spread over processes.

They are spawned, not forked: a fork of a process that already runs the threads of a library may hang.
"""

import multiprocessing
import os
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing.context import SpawnContext
from threading import Thread
from typing import TypeVarTuple

from ingest.errors import WorkerLost

_Given = TypeVarTuple("_Given")

SPAWNED: SpawnContext = multiprocessing.get_context("spawn")


@contextmanager
def spread(
    workers: int, lost: str, load: Callable[[*_Given], None], *given: *_Given
) -> Iterator[ProcessPoolExecutor]:
    """Processes that each call ``load`` with what is given, and end with this one.

    Raises ``WorkerLost`` with the sentence ``lost`` where one is ended from outside.
    """
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
