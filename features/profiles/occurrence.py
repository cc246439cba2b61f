"""Where a term stands in a record: what links, scopes and evidence all point with."""

from typing import Final, Literal, get_args

import msgspec

Part = Literal["title", "creator", "subject", "description", "date", "source", "places"]
"""A field of the record, or its places."""

EVERYWHERE: tuple[Part, ...] = ("title", "creator", "subject", "description", "date", "source")
"""The six fields: all parts but the places."""

ORDER: Final[dict[str, int]] = {part: n for n, part in enumerate(get_args(Part))}
"""The place of each part in the order of the text."""


class Occurrence(msgspec.Struct, frozen=True):
    """A term where it stands: ``start`` and ``end`` are offsets in value ``index`` of ``part``.

    ``tag`` is the universal part of speech of the word; a name has none.
    """

    term: str
    part: str
    index: int
    start: int
    end: int
    tag: str = ""
