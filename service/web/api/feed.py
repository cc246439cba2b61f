"""The feed of changes: which items were put or deleted, for whoever holds a copy of them."""

from typing import Annotated

import msgspec
from fastapi import Query
from pydantic import Field

from ingest.catalogue import Catalogue
from service.search.cursors import decoded, encode
from service.web.api.addresses import item_path
from service.web.api.declaring import Operations
from service.web.api.dependencies import Configured
from service.web.api.paging import Next, Paged
from service.web.api.schemas import YARD, Answer

router = Operations()

_Revision = Annotated[int, msgspec.Meta(ge=0, lt=1 << 62)]


class ChangesQuery(Paged):
    """Parameters of ``GET /changes``."""

    since: int = Field(
        0, ge=0, lt=1 << 62, description="Only what changed after this revision; 0: every item."
    )


class ChangedItem(Answer):
    """The last change of an item."""

    id: str = Field(examples=[YARD])
    revision: int = Field(description="the revision of the catalogue that has it", examples=[7])
    deleted: bool = Field(description="whether the item is gone; else it was added or replaced")
    href: str | None = Field(
        description="path of the item; null where it is gone", examples=[item_path(YARD)]
    )


class ChangedItems(Answer):
    """Changes of items, the earliest first."""

    revision: int = Field(
        description="the revision that the catalogue has now: once next is null, the since of the next time",
        examples=[7],
    )
    changes: list[ChangedItem]
    next: Next


@router.operation(
    "GET /changes", "Which items were put or deleted", "Changes, the earliest first", tags=["changes"]
)
def list_changes(query: Annotated[ChangesQuery, Query()], configured: Configured) -> ChangedItems:
    """What changed in the catalogue after a revision, each item once, with its last change.

    Read to the end, then store `revision` and ask for what changed since. Nothing is left out: what changes
    meanwhile comes now, or the next time, or both times. An item that was ingested is in answers from the
    next build on, one that was put at once.
    """
    revision, after = _place(query)
    with Catalogue(configured.state.catalogue, read_only=True) as catalogue:
        now = catalogue.revision  # before the changes are read: one that comes between is given again
        rows = catalogue.changes(revision, after, query.limit + 1)
    shown, last = query.page(rows)
    return ChangedItems(
        revision=now,
        changes=[
            ChangedItem(
                id=one.id,
                revision=one.revision,
                deleted=one.deleted,
                href=None if one.deleted else item_path(one.id),
            )
            for one in shown
        ],
        next=last and encode((last.revision, last.id)),
    )


def _place(query: ChangesQuery) -> tuple[int, str]:
    """The revision and the id behind which to begin."""
    if query.cursor is None:
        return query.since + 1, ""  # no id is empty: all of the next revision come
    return decoded(query.cursor, tuple[_Revision, str])
