"""Locks between processes. The kernel frees the lock of a process that was killed."""

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from ingest.errors import KindredError
from ingest.storage.files import make_folder, writing


@contextmanager
def locked(path: Path, busy: KindredError | None = None) -> Iterator[IO[bytes]]:
    """The file, open and locked until it and its copies in other processes are closed.

    It is made where it is missing, and its folder with it. Waits where another process holds it, or raises
    ``busy`` where that is given. Raises ``UnwritableState`` where the file cannot be made.
    """
    make_folder(path.parent)
    with writing(path):
        file = path.open("a+b")
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | (fcntl.LOCK_NB if busy else 0))
        except BlockingIOError:
            if busy is None:
                raise
            raise busy from None
        yield file
