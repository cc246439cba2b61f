"""What every command shares: the settings, and how it speaks to people and to programs.

Answers go to stdout: tables on a terminal, or with ``--json`` one JSON document. Progress goes to
stderr, so that answers can be piped.
"""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

    from service.settings import Settings


class Context:
    """Passed to every command as ``ctx.obj``. Heavy parts load on first use."""

    def __init__(self, config: Path | None, *, json: bool) -> None:
        self.config = config
        self.json = json

    @cached_property
    def settings(self) -> "Settings":
        """The settings; raises ``ConfigError``."""
        from service.settings import load

        return load(self.config)

    @cached_property
    def console(self) -> "Console":
        """Where answers for people go."""
        from rich.console import Console

        return Console()

    def print_json(self, document: object) -> None:
        """Write the answer for programs: one JSON document on stdout.

        Takes what msgspec takes: dicts, lists, dataclasses, structs, enums.
        """
        import msgspec

        sys.stdout.write(msgspec.json.format(msgspec.json.encode(document)).decode() + "\n")

    @contextmanager
    def progress(self, description: str, total: float | None = None) -> Iterator[Callable[[float], None]]:
        """A progress bar on stderr with rate and time left; gives the function that advances it."""
        from rich.console import Console
        from rich.progress import (
            BarColumn,
            MofNCompleteColumn,
            Progress,
            TextColumn,
            TimeElapsedColumn,
            TimeRemainingColumn,
        )

        columns = (
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[rate]}"),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
        )
        with Progress(*columns, console=Console(stderr=True), transient=False) as bar:
            task = bar.add_task(description, total=total, rate="")

            def advance(amount: float) -> None:
                bar.advance(task, amount)
                speed = bar.tasks[0].finished_speed or bar.tasks[0].speed
                bar.update(task, rate=f"{speed:,.0f}/s" if speed else "")

            yield advance
