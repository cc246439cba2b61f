"""Long lists in parts: ``limit`` says how many, ``next`` of an answer is the ``cursor`` of what follows."""

from collections.abc import Sequence
from typing import Annotated, Final, TypeVar

from pydantic import Field

from service.web.api.requests import Parameters, Text

_Row = TypeVar("_Row")

MOST: Final = 1000
Cursor = Annotated[
    Text | None, Field(description="The next of an answer to the same question: go on behind it.")
]
Next = Annotated[
    str | None,
    Field(description="the cursor of what follows; null: these are the last", examples=["WyI2Il0"]),
]


class Paged(Parameters):
    """Parameters of a list that is given in parts."""

    limit: int = Field(100, ge=1, le=MOST, description=f"Most to give, 1 to {MOST}.")
    cursor: Cursor = None

    def page(self, rows: Sequence[_Row]) -> tuple[Sequence[_Row], _Row | None]:
        """Of one row more than the limit, or fewer, those to give, and the last where others follow."""
        shown = rows[: self.limit]
        return shown, shown[-1] if len(rows) > len(shown) else None
