"""Several questions in one call: lists of several types, many items, many pairs, many records to put."""

from collections.abc import Iterator
from typing import Annotated, Final

from fastapi import Query, Request, Response
from pydantic import ConfigDict, Field

from ingest.errors import InvalidRequest
from service.operations.date_report import strange_dates
from service.search.queries import Deadline, Search, WeightedSeed
from service.search.recommender import Recommender
from service.web.access.limits import check_text
from service.web.api import answers, record_answers, streaming
from service.web.api.declaring import Operations
from service.web.api.dependencies import Configured, Now, Until, Writing
from service.web.api.requests import (
    Fields,
    GivenRecord,
    Limit,
    NamesInAddress,
    Parameters,
    Text,
)
from service.web.api.schemas import BACINO, YARD, Answer, Item, Neighbours, Scores, Type
from service.web.api.sparse import including, sparse

router = Operations(route_class=streaming.LinesRoute)

_IDS: Final = 1000
_PAIRS: Final = 1000
_RECORDS: Final = 1000


class SeveralQuery(NamesInAddress):
    """Parameters of ``GET /similar``."""

    item: Text = Field(description="Id of the item.", examples=[YARD])
    types: list[Type] = Field(
        min_length=1,
        max_length=20,
        description="The ways to be alike in, each once.",
        examples=[["location"]],
    )
    limit: Limit | None = Field(None, description="Most neighbours of each type, 1 to 100.")
    explain: bool = Field(False, description="Add the contributions that make each score.")
    fields: Fields = None


class ListsByType(Answer):
    """The neighbours of an item in several ways."""

    item: str = Field(examples=[YARD])
    lists: list[Neighbours] = Field(description="one for each type, in the order that was asked for")


@router.operation(
    "GET /similar",
    "The items most similar to one item, in several ways",
    "A list for each type",
    404,
    revalidated=True,
    tags=["similarity"],
    response_model=ListsByType,
    worded=True,
)
def list_by_type(
    query: Annotated[SeveralQuery, Query()], now: Now, configured: Configured, until: Until
) -> ListsByType | Response:
    """What `/items/{id}/similar` gives for each of the types, in one call; their cursors go on there."""
    seeds, limit = (WeightedSeed(query.item),), query.limit or configured.service.limit
    now.item(query.item)
    lists = []
    for kind in dict.fromkeys(query.types):
        search = Search(seeds=seeds, type=kind, limit=limit, filters=query.filters())
        answer = now.search(search, until)
        lists.append(answers.neighbours(search, now.variant, answer, explain=query.explain))
    return sparse(ListsByType(item=query.item, lists=lists), query.fields, "lists", "neighbours")


class LookupRequest(Parameters):
    """Items that are wanted."""

    model_config = ConfigDict(strict=True, json_schema_extra={"examples": [{"ids": [YARD, BACINO]}]})

    ids: list[Text] = Field(min_length=1, max_length=_IDS, description=f"1 to {_IDS} ids")
    fields: Fields = None


class LookedUp(Answer):
    """Items by their ids."""

    items: list[Item] = Field(description="those that there are, in the order of the ids, each once")
    missing: list[str] = Field(description="the ids that no item has", examples=[[]])


@router.operation(
    "POST /lookup",
    "Many items",
    "Those that there are",
    *(400, 413),
    also=streaming.ANSWERED,
    tags=["items"],
    response_model=LookedUp,
    openapi_extra=streaming.BODY,
)
def get_items(wanted: LookupRequest, now: Now, request: Request) -> LookedUp | Response:
    """The whole records of many items; an id that no item has is no failure of the others.

    With `Accept: application/x-ndjson` each item is a line, and what is missing is not named.
    """
    there = {item: now.holds(item) for item in wanted.ids}
    if streaming.are_wanted(request):
        there_are = (record_answers.item(now.item(item)) for item, known in there.items() if known)
        keys = None if wanted.fields is None else including(Item, wanted.fields)
        return streaming.stream(request, there_are, keys)
    looked_up = LookedUp(
        items=[record_answers.item(now.item(item)) for item, known in there.items() if known],
        missing=[item for item, known in there.items() if not known],
    )
    return sparse(looked_up, wanted.fields, "items")


class GivenPair(Parameters):
    """Two items of the collection."""

    left: Text = Field(description="id of the one item", examples=[YARD])
    right: Text = Field(description="id of the other", examples=[BACINO])


class ScoresRequest(Parameters):
    """Pairs of items to score."""

    model_config = ConfigDict(
        strict=True, json_schema_extra={"examples": [{"pairs": [{"left": YARD, "right": BACINO}]}]}
    )

    pairs: list[GivenPair] = Field(min_length=1, max_length=_PAIRS, description=f"1 to {_PAIRS} pairs")


class ScoresOfPair(Answer):
    """How alike two items are."""

    left: str = Field(examples=[YARD])
    right: str = Field(examples=[BACINO])
    scores: Scores


class ScoredPairs(Answer):
    """How alike the items of many pairs are."""

    system: str = Field(description="the system that scored", examples=["linear"])
    pairs: list[ScoresOfPair] = Field(description="in the order of the request")


@router.operation(
    "POST /scores",
    "How alike the items of many pairs are",
    "The scores of each pair",
    *(400, 404, 413),
    also=streaming.ANSWERED,
    tags=["similarity"],
    response_model=ScoredPairs,
    openapi_extra=streaming.BODY,
)
def score_pairs(wanted: ScoresRequest, now: Now, until: Until, request: Request) -> ScoredPairs | Response:
    """The scores of many pairs of items of the collection; `/explain` has the reasons of one pair.

    With `Accept: application/x-ndjson` each pair is a line, sent as soon as it is scored. What ends them
    early, as the time that one request may take, is a problem in the last line.
    """
    for item in {side for pair in wanted.pairs for side in (pair.left, pair.right)}:
        now.collection.row(item)  # raises what names the item, before the first pair is scored
    if streaming.are_wanted(request):
        return streaming.stream(request, _scored(wanted, now, until))
    return ScoredPairs(system=now.variant.system, pairs=[*_scored(wanted, now, until)])


def _scored(wanted: ScoresRequest, now: Recommender, until: Deadline) -> Iterator[ScoresOfPair]:
    for pair in wanted.pairs:
        scored = now.score(pair.left, pair.right, until).explanations
        scores = {one.type: None if one.not_applicable else one.score for one in scored}
        yield ScoresOfPair(left=pair.left, right=pair.right, scores=Scores(scores))


class RecordsRequest(Parameters):
    """Records to put, each with its id."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"records": [{"id": "x:1", "title": "View of Venice", "date": "1740"}]}]
        }
    )

    records: list[GivenRecord] = Field(
        min_length=1, max_length=_RECORDS, description=f"1 to {_RECORDS} records, each with an id"
    )


class Changes(Answer):
    """What was put."""

    revision: int = Field(ge=0, description="the catalogue's revision that has it", examples=[12])
    added: list[str] = Field(description="ids of the records that are new", examples=[["x:1"]])
    replaced: list[str] = Field(description="ids of those that replaced another", examples=[[]])
    dates_not_understood: dict[str, list[str]] = Field(
        description="of records with dates that count as none these dates, by the id", examples=[{}]
    )


@router.operation(
    "PUT /items",
    "Add or replace many items",
    "All are there",
    *(400, 401, 403, 413),
    tags=["changes"],
    openapi_extra=streaming.BODY,
)
def put_items(request: RecordsRequest, writer: Writing, configured: Configured, until: Until) -> Changes:
    """Put many records, all or none of them; what is there already, just so, is left alone.

    Of two records with one id the later counts. As `PUT /items/{id}` otherwise. With `Content-Type:
    application/x-ndjson` each line of the body is a record.
    """
    records = {}
    for number, given in enumerate(request.records, 1):
        if given.id is None:
            raise InvalidRequest(f"record {number} has no id; give each one")
        records[given.id] = given.record(given.id)
        check_text(records[given.id], configured.service)
    done = writer.put([*records.values()], check=until)
    strange = {item: strange_dates(record) for item, record in records.items()}
    return Changes(
        revision=done.revision,
        added=list(done.added),
        replaced=list(done.replaced),
        dates_not_understood={item: dates for item, dates in strange.items() if dates},
    )
