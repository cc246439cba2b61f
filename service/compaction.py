"""Folding live changes into the collection: a rebuild in a process of its own, one at a time.

Whoever answers goes on meanwhile and switches to the new generation when it is whole. A rebuild that is
killed leaves everything as it was.
"""

import logging
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Lock
from typing import Final

from ingest.errors import KindredError, UsageError
from ingest.files import writing
from ingest.locks import locked
from service.settings import Settings

_LOG = logging.getLogger("kindred")
_NICENESS: Final = 10


@contextmanager
def alone(settings: Settings, *, wait: bool = False) -> Iterator[None]:
    """For one build at a time, so that no older state replaces a newer one.

    Where another is under way it waits, or raises ``UsageError``. The kernel frees the lock of a process
    that was killed.
    """
    busy = None if wait else UsageError("another rebuild is under way; wait until it is done")
    with locked(settings.state.directory / "rebuild.lock", busy):
        yield


def log_file(settings: Settings) -> Path:
    """Where a rebuild in the background writes what it says."""
    return settings.state.directory / "rebuild.log"


def start(settings: Settings, config: Path | None) -> "subprocess.Popen[bytes]":
    """Begin a rebuild in the background, with the same configuration."""
    given = [] if config is None else ["--config", str(config)]
    # -P: what lies in the working directory is no part of Kindred
    command = [sys.executable, "-P", "-c", "from service.cli import main; main()", *given, "rebuild"]
    with writing(settings.state.directory), log_file(settings).open("wb") as log:
        process = subprocess.Popen(  # noqa: S603 - our own command
            command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True
        )
    with suppress(OSError):  # it may have ended already
        os.setpriority(os.PRIO_PROCESS, process.pid, _NICENESS)
    return process


class Folding:
    """Begins a rebuild whenever there are ``after`` live changes, never with 0; threads may share it.

    Where one failed, or another process's is under way, the next begins after as many changes more.
    """

    def __init__(self, after: int, begin: Callable[[], "subprocess.Popen[bytes]"]) -> None:
        self._after = self._next = after
        self._begin = begin
        self._heard = 0
        self._lock = Lock()
        self._process: subprocess.Popen[bytes] | None = None

    def __call__(self, changes: int) -> None:
        """Hear how many changes there are."""
        if not self._after:
            return
        if changes < self._heard:
            # some are folded in: what came meanwhile is counted anew
            self._next = self._after
        self._heard = changes
        if changes < self._after and self._process is None:
            self._next = self._after
            return
        with self._lock:
            if self._process is not None and not self._ended(self._process, changes):
                return
            if changes < self._after:
                self._next = self._after
            elif changes >= self._next:
                self._next = changes + self._after
                self._started(changes)

    def stop(self) -> None:
        """End a rebuild that is under way."""
        with self._lock:
            if self._process is not None and self._process.poll() is None:
                with suppress(ProcessLookupError):
                    os.killpg(self._process.pid, signal.SIGTERM)
                self._process.wait()
            self._process = None

    def _started(self, changes: int) -> None:
        try:
            self._process = self._begin()
        except (KindredError, OSError) as error:
            _LOG.warning("the collection is not rebuilt: %s", error)
        else:
            _LOG.warning("%s live changes: the collection is being rebuilt", f"{changes:,}")

    def _ended(self, process: "subprocess.Popen[bytes]", changes: int) -> bool:
        status = process.poll()
        if status is None:
            return False
        if status:
            _LOG.warning("the rebuild ended with status %s; see rebuild.log in the state directory", status)
        # the new generation is opened in a moment; until then the changes are still counted
        self._next = changes + self._after
        self._process = None
        return True
