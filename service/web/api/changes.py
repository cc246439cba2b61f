"""Putting and deleting items; they show in answers at once."""

from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Body, Query, Response

from ingest.errors import InvalidRequest
from service.operations.date_report import strange_dates
from service.web.access.limits import check_text
from service.web.api.addresses import ItemId, item_path
from service.web.api.dependencies import Configured, Writing
from service.web.api.problems import documented
from service.web.api.requests import GivenRecord, NoQuery
from service.web.api.schemas import Change

router = APIRouter(tags=["changes"])


@router.put(
    "/items/{id}",
    operation_id="putItem",
    summary="Add or replace an item",
    response_description="It was replaced, or was there already",
    responses={
        201: {"description": "It was added", "model": Change},
        **documented(400, 401, 403, 413, 422),
    },
)
def put_item(
    id: ItemId,  # noqa: A002 - the name of the parameter in the path
    given: Annotated[GivenRecord, Body()],
    _: Annotated[NoQuery, Query()],
    writer: Writing,
    configured: Configured,
    response: Response,
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


@router.delete(
    "/items/{id}",
    operation_id="deleteItem",
    summary="Delete an item",
    response_description="It is gone",
    status_code=204,
    responses=documented(401, 403, 404, 422),
)
def delete_item(
    id: ItemId,  # noqa: A002 - the name of the parameter in the path
    _: Annotated[NoQuery, Query()],
    writer: Writing,
) -> None:
    """Take an item out: no answer holds it from now on."""
    writer.delete([id])
