"""Putting and deleting items, which shows in answers at once; and what curators say of pairs of items."""

from http import HTTPStatus
from typing import Annotated, Final

from fastapi import Depends, Query, Response
from pydantic import ConfigDict, Field, JsonValue

from ingest.errors import InvalidRequest, ItemConflict
from models.types import SimilarityType
from service.operations.date_report import strange_dates
from service.operations.feedback import Feedback, Judgement, Verdict
from service.search.queries import Deadline
from service.search.recommender import Recommender
from service.web.access.clients import Curator
from service.web.access.limits import check_text
from service.web.api.addresses import item_path
from service.web.api.caching import item_tag
from service.web.api.declaring import Operations
from service.web.api.dependencies import Configured, ItemId, Now, Until, Writing, state, takes_changes
from service.web.api.preconditions import Precondition
from service.web.api.requests import GivenRecord, Parameters
from service.web.api.schemas import BACINO, YARD, Answer

router = Operations()

Expected = Annotated[Precondition, Depends()]


class Change(Answer):
    """What was put: under which id, and the revision of the catalogue that has it."""

    id: str = Field(examples=[YARD])
    revision: int = Field(ge=0, examples=[12])
    changed: bool = Field(description="false: it was there already, just so")
    dates_not_understood: list[str] = Field(description="its dates that count as none", examples=[[]])


@router.operation(
    "PUT /items/{id}",
    "Add or replace an item",
    "It was replaced, or was there already",
    *(400, 401, 403, 413, ItemConflict),
    tags=["changes"],
    also={201: {"description": "It was added", "model": Change}},
)
def put_item(
    id: ItemId,
    given: GivenRecord,
    writer: Writing,
    precondition: Expected,
    configured: Configured,
    response: Response,
    until: Until,
) -> Change:
    """Keep a record and answer with it from now on; it is on the disk when this is answered.

    The scores of other items stay what they are until the collection is built again. The id of the record may
    be absent; another than that of the address is refused. With If-Match it replaces only the record of that
    ETag, with If-None-Match: * it only adds; 412 where the item is another.

    Only where service.writes is set, and for a key of role curator or admin; so it is of everything that
    changes something.
    """
    if given.id not in (None, id):
        raise InvalidRequest(f"the record names the id {given.id!r}, the address {id!r}; leave the first out")
    record = given.record(id)
    check_text(record, configured.service)
    done = writer.put([record], precondition.check, until)
    response.headers["ETag"] = item_tag(record, precondition.request.app.version)
    if done.added:
        response.status_code = HTTPStatus.CREATED
        response.headers["Location"] = item_path(id)
    return Change(
        id=id,
        revision=done.revision,
        changed=bool(done.added or done.replaced),
        dates_not_understood=strange_dates(record),
    )


@router.operation(
    "DELETE /items/{id}",
    "Delete an item",
    "It is gone",
    *(401, 403, 404, ItemConflict),
    tags=["changes"],
    status_code=204,
)
def delete_item(id: ItemId, writer: Writing, precondition: Expected) -> None:
    """Take an item out: no answer holds it from now on; with If-Match only where it still has that ETag."""
    writer.delete([id], precondition.check)


_EXAMPLE: Final[dict[str, JsonValue]] = {"left": YARD, "right": BACINO, "type": "location", "fits": True}


class FeedbackRequest(Parameters):
    """What somebody says of two items."""

    model_config = ConfigDict(strict=True, json_schema_extra={"examples": [_EXAMPLE]})

    left: str = Field(description="id of the one item")
    right: str = Field(description="id of the other")
    type: SimilarityType = Field(description="the type that is judged")
    fits: bool = Field(description="whether the two are alike in this way")
    score: float | None = Field(
        None, ge=0, le=5, description="how much; left out: 4 where it fits, 0 where it does not"
    )
    pinned: bool = Field(
        False, description="whether each comes first in the list of the other; only where it fits"
    )


class Judged(Answer):
    """A judgement as it was kept: it replaces what the same key said of the same pair and type before."""

    left: str = Field(description="the one item; the two stand in the order of their ids", examples=[BACINO])
    right: str = Field(description="the other item", examples=[YARD])
    type: SimilarityType = Field(examples=["location"])
    fits: bool = Field(description="whether the two are alike in this way")
    score: float | None = Field(description="how much, if that was said")
    pinned: bool = Field(description="whether each comes first in the list of the other")
    by: str = Field(description="the name of the key", examples=["Ann"])
    at: str = Field(description="when", examples=["2026-02-01T09:30:00+00:00"])


FeedbackStore = Annotated[Feedback, state("feedback")]


@router.operation(
    "POST /feedback",
    "Say whether two items are alike in one way",
    "It is kept",
    *(400, 401, 403, 404, 413),
    status_code=201,
    tags=["similarity"],
    dependencies=[Depends(takes_changes)],
)
def give_feedback(
    given: FeedbackRequest, client: Curator, feedback: FeedbackStore, now: Now, until: Until
) -> Judged:
    """Keep what a curator says of a pair, with the scores that the system gives it now.

    It replaces what the same key said of them before. What is said not to fit is gone at once from the lists
    of that type, of the one item and of the other, whatever the system; what is `pinned` comes first in both,
    whatever it scores. Of several judgements of a pair the last counts. `kindred feedback` lists and exports
    it, and `kindred train --with-feedback` learns from it.
    """
    pair = given.left, given.right
    verdict = Verdict(given.fits, given.score, given.pinned)
    stored = judge(feedback, now, pair, given.type, verdict, client.name, until)
    return Judged(**{name: getattr(stored, name) for name in Judged.model_fields})


class JudgedPair(Parameters):
    """Of which pair, in which type, a judgement is."""

    left: str = Field(description="id of the one item", examples=[YARD])
    right: str = Field(description="id of the other", examples=[BACINO])
    type: SimilarityType = Field(description="the type that was judged", examples=["location"])


@router.operation(
    "DELETE /feedback",
    "Take back what was said of a pair",
    "It is gone",
    *(400, 401, 403),
    status_code=204,
    tags=["similarity"],
    dependencies=[Depends(takes_changes)],
)
def withdraw_feedback(
    query: Annotated[JudgedPair, Query()], client: Curator, feedback: FeedbackStore
) -> None:
    """Forget what the same key said of a pair in one type: what it took out of lists or put first in them
    stands where it did."""
    feedback.withdraw((query.left, query.right), query.type, client.name)


def judge(
    feedback: Feedback,
    now: Recommender,
    pair: tuple[str, str],
    kind: SimilarityType,
    verdict: Verdict,
    by: str,
    until: Deadline,
) -> Judgement:
    """Keep a judgement; raises ``UnknownItem``, ``UnknownType`` and ``InvalidRequest``."""
    now.system.position(kind)
    scored = now.score(*pair, until)
    scores = {one.type: None if one.not_applicable else one.score for one in scored.explanations}
    return feedback.say(pair, kind, verdict, by=by, system=now.system.name, scores=scores)
