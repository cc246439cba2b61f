"""When a key was last used: the time of an empty file that has the key's id for its name.

So it is kept without a database, which others might wait for, and without a request that could fail for it.
"""

import time
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

_HOUR_S: Final = 3600.0
"""How exactly it is known: a file is touched once in so many seconds at most."""


class KeyUses:
    """The last uses of keys, in one folder. Threads and processes may share it.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     uses = KeyUses(Path(folder, "keys-used"))
    ...     before = uses.last("34577402")
    ...     uses.note("34577402")
    ...     before, uses.last("34577402") is None
    (None, False)
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def note(self, identity: str) -> None:
        """Keep that a key is used now; where that cannot be written it is not kept."""
        known = self._time(identity)
        if known is None or time.time() - known >= _HOUR_S:
            with suppress(OSError):
                self._folder.mkdir(exist_ok=True)
                (self._folder / identity).touch()

    def last(self, identity: str) -> str | None:
        """When a key was last used (UTC), up to an hour before the very last time; None: not known."""
        known = self._time(identity)
        return None if known is None else f"{datetime.fromtimestamp(known, UTC):%Y-%m-%dT%H:%M:%SZ}"

    def _time(self, identity: str) -> float | None:
        try:
            return (self._folder / identity).stat().st_mtime
        except OSError:
            return None
