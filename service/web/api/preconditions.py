"""Preconditions of changes of an item (RFC 9110, section 13): nobody writes over what was changed unseen."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from fastapi import Header, Request

from ingest.errors import ItemConflict
from ingest.record import Record
from service.web.api.caching import item_tag, names_tag


@dataclass(frozen=True, slots=True)
class Precondition:
    """What a client expects of the item that it changes: ``If-Match`` and ``If-None-Match``."""

    request: Request
    if_match: Annotated[
        str | None,
        Header(description="Change the item only if it still has this ETag; `*`: if there is one."),
    ] = None
    if_none_match: Annotated[
        str | None,
        Header(description="Change the item only if it has another ETag; `*`: if there is none."),
    ] = None

    def check(self, present: Mapping[str, Record]) -> None:
        """Raises ``ItemConflict`` where the item is not as expected; ``present`` has it, where it exists."""
        tags = [item_tag(record, self.request.app.version) for record in present.values()]
        if self.if_match is not None and not any(names_tag(self.if_match, tag) for tag in tags):
            what = "was changed since it was read" if tags else "is not there any more"
            raise ItemConflict(f"the item {what}; read it again, and send the change with its ETag")
        if self.if_none_match is not None and any(names_tag(self.if_none_match, tag) for tag in tags):
            raise ItemConflict("the item is there already; to replace it leave out If-None-Match")
