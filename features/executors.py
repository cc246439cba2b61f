"""Where a build's work is done: by processes of this machine, or by the workers of a Dask cluster.

Either is an executor of :mod:`concurrent.futures`, so that what is to be done is written once.
"""

from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from importlib.metadata import version
from typing import Final, NamedTuple, TypeVarTuple

from features.processes import spread
from ingest.errors import ResourceMissing, SchedulerMissing, WorkerLost

_Given = TypeVarTuple("_Given")

_SECONDS: Final = 10
"""How long a scheduler may keep silent."""


class Workers(NamedTuple):
    """An executor, and how many tasks it works on at once."""

    executor: Executor
    number: int


@contextmanager
def executors(
    processes: int, scheduler: str, lost: str, load: Callable[[*_Given], None], *given: *_Given
) -> Iterator[Workers]:
    """So many processes of this machine, which each call ``load``; or where a scheduler is named its workers.

    What ``load`` gives a process is a convenience that workers of a cluster do without.

    Raises:
        WorkerLost: with the sentence ``lost``, where a process or worker is ended from outside; a task of a
            cluster is first given to other workers, three times.
        SchedulerMissing: no scheduler answers, or it has no workers, or they have another Kindred.
        ResourceMissing: the extra that talks to a scheduler is not installed.
    """
    if scheduler:
        with _clustered(scheduler, lost) as found:
            yield found
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
    with client:
        number = sum(client.nthreads().values())
        if not number:
            raise SchedulerMissing(f"the Dask scheduler at {scheduler} has no workers; start some")
        others = {theirs for theirs in client.run(_version).values() if theirs != _version()}
        if others:
            raise SchedulerMissing(
                f"workers of {scheduler} have Kindred {', '.join(sorted(others))}, not {_version()};"
                " install this one there"
            )
        try:
            yield Workers(client.get_executor(pure=False), number)
        except KilledWorker:
            raise WorkerLost(lost) from None


def _version() -> str:
    return version("kindred")
