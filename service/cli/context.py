"""What every command shares: the settings, and how it speaks: answers on stdout, all else on stderr."""

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Column

    from service.basic_settings import BasicSettings
    from service.settings import Settings
    from service.state import StateFolder


def _speak_json(ctx: typer.Context, wanted: bool) -> bool:
    if wanted and isinstance(ctx.obj, Context):
        ctx.obj.json = True
    return wanted


JsonOption = Annotated[
    bool, typer.Option("--json", callback=_speak_json, help="Answer with one JSON document on stdout.")
]

SystemOption = Annotated[
    str | None, typer.Option("--system", help="A declared system in place of service.system.")
]


def group(name: str, summary: str) -> typer.Typer:
    """A group of commands; its help is in plain text, as that of all commands."""
    return typer.Typer(name=name, help=summary, no_args_is_help=True, rich_markup_mode=None)


class Context:
    """Passed to every command as ``ctx.obj``. Heavy parts load on first use."""

    def __init__(self, config: Path | None) -> None:
        self.config = config
        self.json = False

    @cached_property
    def settings(self) -> "Settings":
        """All settings, every system included; raises ``ConfigError``."""
        from service.settings import load

        return load(self.config)

    def served(self, system: str | None = None) -> "Settings":
        """The settings for answers with a system, the configured one without it; raises ``ConfigError``."""
        from service.settings import load_served

        return load_served(self.config, system)

    @cached_property
    def basic_settings(self) -> "BasicSettings":
        """The settings that need no collection; raises ``ConfigError``."""
        from service.basic_settings import load_basic

        return load_basic(self.config)

    @cached_property
    def state(self) -> "StateFolder":
        """Where Kindred keeps what it writes, the one setting that loads at once; raises ``ConfigError``."""
        from service.state import load_state

        return load_state(self.config) or self.basic_settings.state

    @cached_property
    def console(self) -> "Console":
        """Where answers for people go."""
        from service.cli.terminal import Terminal

        return Terminal()

    def print_json(self, document: object) -> None:
        """Write the answer for programs: one JSON document, of whatever msgspec takes."""
        import msgspec

        sys.stdout.write(msgspec.json.format(msgspec.json.encode(document)).decode() + "\n")

    def say(self, title: str, answer: Mapping[str, object]) -> None:
        """Write a flat answer: a table of names and values for people, a document for programs."""
        rows = ((name.replace("_", " "), _shown(value)) for name, value in answer.items())
        self.print_rows(answer, ("", title), rows)

    def print_rows(
        self, document: object, columns: "Iterable[Column | str]", rows: Iterable[Sequence[str]]
    ) -> None:
        """Write a list: a table for people, its texts as they are, and a document for programs."""
        if self.json:
            self.print_json(document)
            return
        from rich.markup import escape
        from rich.table import Table

        table = Table(*(escape(head) if isinstance(head, str) else head for head in columns), box=None)
        for row in rows:
            table.add_row(*map(escape, row))
        self.console.print(table)

    def warn(self, sentence: str) -> None:
        """Write a sentence to stderr that the answer does not hold."""
        from service.cli.terminal import Terminal

        Terminal(stderr=True).print(sentence, style="yellow", highlight=False, markup=False)

    @contextmanager
    def progress(self, description: str, total: float | None = None) -> Iterator[Callable[[float], None]]:
        """A progress bar on stderr with rate and time left; gives the function that advances it."""
        from rich import progress

        from service.cli.terminal import Terminal

        columns = (
            progress.TextColumn("{task.description}"),
            progress.BarColumn(),
            progress.MofNCompleteColumn(),
            progress.TextColumn("{task.fields[rate]}"),
            progress.TimeElapsedColumn(),
            progress.TimeRemainingColumn(),
        )
        with progress.Progress(*columns, console=Terminal(stderr=True)) as bar:
            task = bar.add_task(description, total=total, rate="")

            def advance(amount: float) -> None:
                bar.advance(task, amount)
                speed = bar.tasks[0].finished_speed or bar.tasks[0].speed
                bar.update(task, rate=f"{speed:,.0f}/s" if speed else "")

            yield advance


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        return f"{value:,}"
    if isinstance(value, list | tuple):
        return "\n".join(str(one) for one in value) or "none"
    return str(value)
