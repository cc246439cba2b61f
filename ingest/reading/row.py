"""What every reader gives: a row, the place where it stands, and what is found in it."""

from typing import NamedTuple, Protocol, TypeAlias

Json: TypeAlias = "str | int | float | bool | list[Json] | dict[str, Json] | None"
"""What a JSON document can hold."""

CellRow: TypeAlias = dict[str, Json]
"""One row of a table or one object of JSON: column -> what stands there."""


class ExtractedText(NamedTuple):
    """A text that a mapping takes, with its language and the address of the thing it names, where given."""

    text: str
    language: str | None = None
    entity: str | None = None


class TextPaths(NamedTuple):
    """Where a mapping looks: for things in a record, and for the text and the address within one of them."""

    column: str
    text: str | None = None
    entity: str | None = None


class Tree(Protocol):
    """A record that is a tree of elements, as an XML record is; paths lead into it."""

    def take(self, paths: TextPaths) -> list[ExtractedText]:
        """What the paths find, in the order of the record; raises ``RejectedRow``."""
        ...

    def leaves(self) -> list[tuple[str, str]]:
        """The path of every text in the record, and the text."""
        ...


Row: TypeAlias = CellRow | Tree
"""What stands at a place of a file."""


class LocatedRow(NamedTuple):
    """What stands at a line (from 1; where a row takes several, its first): a row, or why there is none."""

    line: int
    row: Row | None
    reason: str | None = None
