"""What is printed for people: texts as they are, without the characters that command a terminal."""

import re
from collections.abc import Iterable
from typing import Final

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

# all control characters but the tab and the line feed; U+009B alone begins a command as ESC [ does
_COMMANDS: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def without_commands(text: str) -> str:
    """A text without control characters, but for tabs and line feeds.

    >>> without_commands("A \x1b[31mred\x1b[0m vase")
    'A [31mred[0m vase'
    """
    return _COMMANDS.sub("", text)


class Terminal(Console):
    """A console that reads no emoji, and through which no text of a record commands the terminal."""

    def __init__(self, *, stderr: bool = False) -> None:
        super().__init__(stderr=stderr, emoji=False)

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """The segments of what is printed; those by which the console itself moves the cursor stay."""
        for segment in super().render(renderable, options):
            yield segment if segment.control else segment._replace(text=without_commands(segment.text))
