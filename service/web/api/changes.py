"""Putting and deleting items; they show in answers at once."""

from http import HTTPStatus

from fastapi import Response
from pydantic import Field

from ingest.errors import InvalidRequest
from service.operations.strange_dates import strange_dates
from service.web.access.limits import check_text
from service.web.api.addresses import ItemId, item_path
from service.web.api.declaring import Operations
from service.web.api.dependencies import Configured, Writing
from service.web.api.requests import GivenRecord
from service.web.api.schemas import Answer

router = Operations(tags=["changes"])


class Change(Answer):
    """What was put: under which id, and the revision of the catalogue that has it."""

    id: str = Field(examples=["sample:painting/canaletto-stonemasons-yard"])
    revision: int = Field(ge=0, examples=[12])
    changed: bool = Field(description="false: it was there already, just so")
    dates_not_understood: list[str] = Field(description="its dates that count as none", examples=[[]])


@router.operation(
    "PUT /items/{id}",
    "Add or replace an item",
    "It was replaced, or was there already",
    *(400, 401, 403, 413),
    also={201: {"description": "It was added", "model": Change}},
)
def put_item(
    id: ItemId, given: GivenRecord, writer: Writing, configured: Configured, response: Response
) -> Change:
    """Keep a record and answer with it from now on; it is on the disk when this is answered.

    The scores of other items stay what they are until the collection is built again. The id of the record may
    be absent; another than that of the address is refused. Only where service.writes is set, and for a key of
    role curator or admin; so it is of everything that changes something.
    """
    if given.id not in (None, id):
        raise InvalidRequest(f"the record names the id {given.id!r}, the address {id!r}; leave the first out")
    record = given.record(id)
    check_text(record, configured.service)
    done = writer.put([record])
    if done.added:
        response.status_code = HTTPStatus.CREATED
        response.headers["Location"] = item_path(id)
    return Change(
        id=id,
        revision=done.revision,
        changed=bool(done.added or done.replaced),
        dates_not_understood=strange_dates(record),
    )


@router.operation("DELETE /items/{id}", "Delete an item", "It is gone", 401, 403, 404, status_code=204)
def delete_item(id: ItemId, writer: Writing) -> None:
    """Take an item out: no answer holds it from now on."""
    writer.delete([id])
