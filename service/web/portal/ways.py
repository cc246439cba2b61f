"""The page of a way from one item to another: both are searched for, and the way may be kept as a path."""

from collections.abc import Sequence
from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Query
from fastapi.responses import HTMLResponse

from models.types import SimilarityType
from service.paths.chains import between
from service.paths.model import Content, ExplorationPath, Signature, StoredStep
from service.web.api.dependencies import Reading, Until
from service.web.portal.rendering import page
from service.web.portal.searching import search_items

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)


@router.get("/view/way")
def view_way(
    reading: Reading,
    until: Until,
    left: Annotated[str, Query()] = "",
    right: Annotated[str, Query()] = "",
    type: Annotated[list[SimilarityType] | None, Query()] = None,
    q: Annotated[str, Query()] = "",
) -> HTMLResponse:
    """The steps from one item to another, each with its reason; or a search for those two."""
    now, wanted = reading.now, type or []
    ends = [now.item(item) if now.holds(item) else None for item in (left, right)]
    unknown = [item for item in (left, right) if item and not now.holds(item)]
    chain = None
    if all(ends) and left != right:
        chain = between(now, left, right, wanted, check=until)
    return page(
        "way.html",
        HTTPStatus.NOT_FOUND if unknown else HTTPStatus.OK,
        first=ends[0],
        last=ends[1],
        unknown=unknown,
        same=bool(left) and left == right,
        words=q,
        results=search_items(now, q, until),
        wanted=wanted,
        types=now.system.types,
        chain=chain,
        view=reading.view(_as_path(chain.steps)) if chain else None,
        editor=reading.editor,
        variant=now.variant,
    )


def _as_path(steps: Sequence[StoredStep]) -> ExplorationPath:
    """Steps as a path that is nowhere stored, so that a page can show them as one."""
    content = Content(title="A way", steps=tuple(steps))
    return ExplorationPath(
        id="", version=1, content=content, changed="", by=Signature(), action="found", content_of=1
    )
