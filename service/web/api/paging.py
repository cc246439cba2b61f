"""Long lists in parts: ``limit`` says how many, ``next`` of an answer is the ``cursor`` of what follows."""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Sequence
from typing import Annotated, Final, TypeVar

import msgspec
from pydantic import Field

from ingest.errors import InvalidRequest
from service.web.api.requests import Parameters, Text

_Row = TypeVar("_Row")
_Place = TypeVar("_Place")

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


def encode(place: object) -> str:
    """A cursor, opaque to clients: where an answer ended, as JSON in base64url.

    >>> decode(encode((7, "x:1")), tuple[int, str])
    (7, 'x:1')
    """
    return urlsafe_b64encode(msgspec.json.encode(place)).decode().rstrip("=")


def decode(cursor: str, kind: type[_Place]) -> _Place:
    """Where an answer ended; raises ``InvalidRequest`` for what no answer of that kind gave."""
    try:
        return msgspec.json.decode(urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)), type=kind)
    except (ValueError, msgspec.DecodeError):
        raise InvalidRequest("the cursor is none that this list gave; leave it out to begin anew") from None
