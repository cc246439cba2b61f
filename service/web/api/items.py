"""Items, their neighbours, and how alike two of them are."""

from dataclasses import replace
from typing import Annotated, Final

import msgspec
from fastapi import Query, Request, Response
from fastapi.responses import RedirectResponse
from pydantic import Field

from ingest.record import Record
from service.operations.export import item_json_ld
from service.search.cursors import decoded
from service.search.fulltext.finding import FARTHEST, WordQuery
from service.search.queries import MOST, Deadline
from service.search.recommender import Recommender
from service.web.access.limits import check_text, check_work
from service.web.api import answers, record_answers
from service.web.api.addresses import SIMILAR, item_path
from service.web.api.caching import UNCHANGED, storable, tag_item
from service.web.api.declaring import Operations
from service.web.api.dependencies import Configured, ItemId, Now, Until
from service.web.api.listing_schemas import Listing
from service.web.api.paging import Cursor
from service.web.api.problems import Responses
from service.web.api.requests import (
    ExplainQuery,
    Fields,
    ItemQuery,
    Limit,
    ScoreRequest,
    SimilarQuery,
    SimilarRequest,
    WordsQuery,
)
from service.web.api.schemas import Item, Neighbours, Pair, Similar
from service.web.api.sparse import sparse

router = Operations()

_Offset = Annotated[int, msgspec.Meta(ge=0, le=FARTHEST)]


class ListingQuery(WordsQuery):
    """Parameters of ``/items``."""

    limit: Limit = Field(20, description=f"Most items to give, 1 to {MOST}.")
    cursor: Cursor = None
    facets: bool = Field(False, description="Count what all the items that were found share.")
    fields: Fields = None

    def question(self) -> WordQuery:
        """The search; where there is a cursor, for what comes behind it."""
        wanted = self.wanted(limit=self.limit, facets=self.facets)
        if self.cursor is None:
            return wanted
        if wanted.order == "id":
            (after,) = decoded(self.cursor, tuple[str])
            return replace(wanted, after=after)
        (offset,) = decoded(self.cursor, tuple[_Offset])
        return replace(wanted, offset=offset)


_ELSEWHERE: Final[Responses] = {
    307: {
        "description": "The address is that of an item whose id ends in /similar",
        "headers": {
            "Location": {
                "description": "path of the item",
                "schema": {"type": "string"},
                "example": "/items/x%3A1%2Fsimilar",
            }
        },
    }
}

LINKED_DATA: Final = "application/ld+json"
_NEIGHBOURS: Final = "Neighbours, best first, each with the scores of all types and a reason"


@router.operation(
    "GET /items",
    "Items, all or those that a search finds",
    "Some items, and where the next ones are",
    revalidated=True,
    tags=["items"],
    response_model=Listing,
    worded=True,
)
def list_items(query: Annotated[ListingQuery, Query()], now: Now, until: Until) -> Listing | Response:
    """Search the texts of the items, filter them, sort them, and count what they share.

    Without any parameter it lists every item in the order of the ids. What is shared is counted over all the
    items that were found, not those of the page; whoever asks again with a name as a filter finds as many. In
    the order of the ids a cursor goes on behind the last id, so that a walk gives every item that stays once,
    whatever changes meanwhile. In other orders it counts: where items come or go between two pages, one may
    be given twice or left out.
    """
    wanted = query.question()
    # a plain listing is no work that could take long
    results = now.index.find(wanted, until) if wanted.query else now.index.find(wanted)
    return sparse(answers.listing(results, wanted), query.fields, "items")


@router.operation(
    "GET /items/{id}",
    "One item",
    "The item as its museum describes it",
    404,
    also=UNCHANGED | {200: {"content": {LINKED_DATA: {"schema": {"type": "object"}}}}},
    tags=["items"],
    response_model=Item,
)
def get_item(
    id: ItemId,
    query: Annotated[ItemQuery, Query()],
    now: Now,
    configured: Configured,
    request: Request,
    response: Response,
) -> Item | Response:
    """The six Dublin Core fields of an item, and what else its record holds.

    With `Accept: application/ld+json` it is JSON-LD in terms of Dublin Core and EDM. The ETag is that of the
    record: a PUT or DELETE that names it by If-Match changes nothing where somebody else was first.
    """
    record = now.item(id)
    if LINKED_DATA in request.headers.get("accept", ""):
        linked = {"Vary": "Accept, Accept-Language", "Cache-Control": storable(configured.service)}
        return Response(item_json_ld(now, id), media_type=LINKED_DATA, headers=linked)
    tag_item(request, response, record, configured.service)
    return sparse(record_answers.item(record), query.fields, response=response)


@router.operation(
    "GET /items/{id}/similar",
    "The items most similar to one item",
    _NEIGHBOURS,
    404,
    also=_ELSEWHERE,
    revalidated=True,
    tags=["similarity"],
    response_model=Neighbours,
    worded=True,
)
def list_similar(
    id: ItemId, query: Annotated[SimilarQuery, Query()], now: Now, configured: Configured, until: Until
) -> Neighbours | Response:
    """The neighbours of an item in one way, or in the way that best motivates each.

    The item itself and its exact duplicates are never among them, nor two exact duplicates of each other (the
    first by id is given), and in a type none that has as little of it as the item: nothing.
    """
    if not now.holds(id) and now.holds(id + SIMILAR):
        # an id that ends so and came with its slash as it is
        return RedirectResponse(item_path(id + SIMILAR))
    search = query.search(id, configured.service)
    near = answers.neighbours(search, now.variant, now.search(search, until), explain=query.explain)
    return sparse(near, query.fields, "neighbours")


@router.operation(
    "POST /similar",
    "The items most similar to several items",
    _NEIGHBOURS,
    *(400, 404, 413),
    tags=["similarity"],
    response_model=Similar,
    worded=True,
)
def search_similar(
    request: SimilarRequest, now: Now, configured: Configured, until: Until
) -> Similar | Response:
    """The neighbours of several items at once: like those of positive weight, unlike the others.

    An item's score is sum(weight * raw) / sum(|weight|), where raw is a seed's score with it before it is cut
    to 0 to 5, but at most 2 where one of the two alone has anything of the type; then it is cut. A seed that
    has, with the item, nothing of the type counts as 0; an item with which all seeds of positive weight have
    nothing is no neighbour. Where none of these seeds says anything of the type there is no neighbour at all,
    and the notes say so of each. The seeds and their exact duplicates are never neighbours. The scores are of
    that kind; reason and explanation are those of the wanted seed that adds most.
    """
    search = request.search(configured.service)
    check_work(search, now.index.scored(), len(now.system.types), configured.service)
    near = answers.similar(search, now.variant, now.search(search, until), explain=request.explain)
    return sparse(near, request.fields, "neighbours")


@router.operation(
    "POST /score",
    "How alike two records are, known or not",
    "A score of each type, each with its reason",
    *(400, 404, 413),
    tags=["similarity"],
    worded=True,
)
def score_pair(request: ScoreRequest, now: Now, configured: Configured, until: Until) -> Pair:
    """Score two records. A side is `{"id": "..."}` for an item of the collection, or a whole record.

    With an id and texts the texts count, also where the collection has an item of that id. A record that the
    collection lacks has to be analysed; before the service is ready it waits for the language models.
    """
    left, right = request.left.known_or_record(), request.right.known_or_record()
    for side in (left, right):
        if isinstance(side, Record):
            check_text(side, configured.service)
    return _scored(now, left, right, until, explain=request.explain)


@router.operation(
    "GET /explain",
    "Why two items are alike",
    "A score of each type, each with its reason and its contributions",
    404,
    revalidated=True,
    tags=["similarity"],
    worded=True,
)
def explain_pair(query: Annotated[ExplainQuery, Query()], now: Now, until: Until) -> Pair:
    """The scores of two items in all types, with the contributions that make them.

    The ids are parameters of the query: in one path, where an id ends and the other begins could
    not be told, since ids may hold slashes.
    """
    return _scored(now, query.left, query.right, until, explain=True)


def _scored(
    now: Recommender, left: Record | str, right: Record | str, until: Deadline, *, explain: bool
) -> Pair:
    scored = now.score(left, right, until)
    return answers.pair(scored, now.variant, (_known(now, left), _known(now, right)), explain=explain)


def _known(now: Recommender, side: Record | str) -> bool:
    # the item of that id may have other texts than those that were scored
    if isinstance(side, str):
        return True
    return now.holds(side.id) and now.item(side.id).analysis_hash == side.analysis_hash
