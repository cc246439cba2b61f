"""Deadlines: work that looks at the clock between its steps, and ends when its time is over."""

from collections.abc import Callable
from time import monotonic
from typing import TypeAlias

from ingest.errors import TimedOut

Check: TypeAlias = Callable[[], None]
"""Called between the steps of an answer; raises where it is not wanted any more."""


class Deadline:
    """A moment so many seconds from now; calling it raises ``TimedOut`` once that is over.

    >>> Deadline(60)()
    >>> try:
    ...     Deadline(0)()
    ... except TimedOut as error:
    ...     print(error.detail)
    the answer took longer than 0 seconds; ask for fewer neighbours, without explanations, or later
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._end = monotonic() + seconds

    def __call__(self) -> None:
        """Go on, or raise ``TimedOut``."""
        if monotonic() >= self._end:
            raise TimedOut(
                f"the answer took longer than {self._seconds:g} seconds;"
                " ask for fewer neighbours, without explanations, or later"
            )


def unlimited() -> None:
    """The check of an answer that may take any time."""
