"""Compaction: a rebuild makes live changes part of the collection.

The rebuild is a process of its own, one at a time for all processes that answer from a state directory.
They go on meanwhile and switch to the new generation when it is whole. A rebuild that is killed leaves
everything as it was.
"""

import json
import logging
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from math import inf
from pathlib import Path
from threading import Lock
from time import monotonic
from typing import IO, TYPE_CHECKING, Final

from ingest.errors import KindredError, UsageError
from ingest.storage.files import locked, writing
from ingest.storage.folders import pointed
from service.state import StateFolder

if TYPE_CHECKING:
    from service.settings import Settings

_LOG = logging.getLogger("kindred")
_NICENESS: Final = 10
_PAUSE_S: Final = 5.0
_BUSY: Final = "another rebuild is under way; wait until it is done"


@contextmanager
def alone(state: StateFolder, *, wait: bool = False) -> Iterator[None]:
    """For one build at a time, so that no older state replaces a newer one.

    Where another is under way it waits, or raises ``UsageError``. The kernel frees the lock of a process
    that was killed.
    """
    with locked(state.directory / "rebuild.lock", "" if wait else _BUSY):
        yield


def log_file(state: StateFolder) -> Path:
    """The log of a rebuild in the background.

    The rebuild has a lock on this file until it ends, so that no other empties it meanwhile. The first line
    names the generation that answered when it began, and how many live changes there were.
    """
    return state.directory / "rebuild.log"


def start(state: StateFolder, config: Path | None) -> "subprocess.Popen[bytes]":
    """Begin a rebuild in the background, with the same configuration.

    Raises ``UsageError`` where another is under way.
    """
    with _log(state) as log:
        return _begun(state, config, log, pointed(state.collection) or "", 0)


def start_if_due(
    settings: "Settings", config: Path | None, generation: str, changes: int
) -> "subprocess.Popen[bytes] | None":
    """Begin a rebuild because of so many live changes to a generation, unless another process has done so.

    None where a rebuild is under way, where one has replaced the generation since, and where one failed and
    fewer than ``service.rebuild_after`` changes came after that.
    """
    try:
        with _log(settings.state) as log:
            if pointed(settings.state.collection) != generation:
                return None
            if changes < _tried(log, generation) + settings.service.rebuild_after:
                return None
            return _begun(settings.state, config, log, generation, changes)
    except UsageError:
        return None


@contextmanager
def _log(state: StateFolder) -> Iterator[IO[bytes]]:
    """The log, for the one who may begin a rebuild; raises ``UsageError`` where one is under way."""
    with locked(log_file(state), _BUSY) as log:
        with alone(state):  # nor is one in the foreground
            pass
        yield log


def _tried(log: IO[bytes], generation: str) -> int:
    """How many live changes there were when a rebuild was last begun over this generation; 0 for none."""
    log.seek(0)
    try:
        begun = json.loads(log.readline())
        return int(begun["changes"]) if begun["generation"] == generation else 0
    except (ValueError, TypeError, KeyError):
        return 0


def _begun(
    state: StateFolder, config: Path | None, log: IO[bytes], generation: str, changes: int
) -> "subprocess.Popen[bytes]":
    options = [] if config is None else ["--config", str(config)]
    # -P: what lies in the working directory is no part of Kindred
    command = [sys.executable, "-P", "-c", "from service.cli.root import main; main()", *options, "rebuild"]
    with writing(state.directory):
        log.truncate(0)
        log.write(json.dumps({"generation": generation, "changes": changes}).encode() + b"\n")
        log.flush()
        process = subprocess.Popen(  # noqa: S603 - our own command
            command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True
        )
    with suppress(OSError):  # it may have ended already
        os.setpriority(os.PRIO_PROCESS, process.pid, _NICENESS)
    return process


class Compaction:
    """Begins a rebuild when there are ``after`` live changes, never with 0; threads may share it.

    ``begin`` is :func:`start_if_due`: it decides for all processes together, this counts for one of them.
    """

    def __init__(
        self,
        after: int,
        begin: "Callable[[str, int], subprocess.Popen[bytes] | None]",
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self._after, self._begin, self._clock = after, begin, clock
        self._again, self._lock = -inf, Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._complaint = ""

    def __call__(self, generation: str, changes: int) -> None:
        """Begin a rebuild where there are so many live changes to the generation that answers."""
        due = 0 < self._after <= changes
        if not due and self._process is None:
            return
        with self._lock:
            if self._process is not None and (status := self._process.poll()) is not None:
                self._process = None
                if status:
                    _LOG.warning(
                        "the rebuild ended with status %s; see rebuild.log in the state directory", status
                    )
            if due and self._process is None and self._clock() >= self._again:
                self._started(generation, changes)
                # where none begins, the files are not looked at with every request
                self._again = self._clock() + _PAUSE_S if self._process is None else -inf

    def stop(self) -> None:
        """End the rebuild that was begun here, if it is under way."""
        with self._lock:
            if self._process is not None and self._process.poll() is None:
                with suppress(ProcessLookupError):
                    os.killpg(self._process.pid, signal.SIGTERM)
                self._process.wait()
            self._process = None

    def _started(self, generation: str, changes: int) -> None:
        try:
            self._process = self._begin(generation, changes)
        except (KindredError, OSError) as error:
            if str(error) != self._complaint:  # it is tried again and again
                _LOG.warning("the collection is not rebuilt: %s", error)
            self._complaint = str(error)
        else:
            self._complaint = ""
            if self._process is not None:
                _LOG.warning("%s live changes: the collection is being rebuilt", f"{changes:,}")
