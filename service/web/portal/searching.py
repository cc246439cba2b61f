"""The page of a search, and the way to a random item."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Annotated, Final, NamedTuple

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse, RedirectResponse

from features.collection.facets import NAMED
from ingest.errors import UnknownItem
from service.languages.messages import N_, field_name, gettext
from service.search.facets import Filters
from service.search.fulltext.finding import SHOWN, ResultPage, SharedFacets, Sort, WordQuery
from service.search.queries import Deadline
from service.search.recommender import Recommender
from service.web.api.addresses import view_path
from service.web.api.dependencies import Editor, Now, Until
from service.web.api.query_addresses import search_address
from service.web.api.requests import SearchQuery, are_swapped
from service.web.portal.rendering import page

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)

_PAGE: Final = 24  # items on a page
_PICKS: Final = 8  # items to pick from
_ORDERS: Final[Mapping[Sort, str]] = {
    "relevance": N_("Best first"),
    "oldest": N_("Oldest first"),
    "newest": N_("Newest first"),
    "title": N_("By title"),
    "id": N_("By id"),
}


class Choice(NamedTuple):
    """A link that changes a search; ``items`` is how many it then finds, where that is known."""

    label: str
    address: str
    items: int | None = None
    chosen: bool = False


@router.get("/search")
def search(
    query: Annotated[SearchQuery, Query()], now: Now, until: Until, editor: Editor, request: Request
) -> HTMLResponse:
    """What a search finds, and what it can be narrowed down by."""
    wanted = query.wanted(limit=_PAGE, facets=True, offset=query.offset)
    results = now.index.find(wanted, until)
    end = wanted.offset + len(results.records)
    return page(
        "search.html",
        wanted=wanted,
        named=NAMED,
        q=wanted.query,
        results=results,
        records=results.records,
        first=wanted.offset + 1,
        last=end,
        chosen=list(_chosen(wanted)),
        choices=list(_choices(wanted, results.shared)) if results.shared else [],
        orders=list(_orders(wanted)),
        suggested=results.suggestion and _address(replace(wanted, query=results.suggestion)),
        previous=_address(wanted, max(wanted.offset - _PAGE, 0)) if wanted.offset else None,
        following=_address(wanted, end) if results.more and results.records else None,
        api=search_address("/items", wanted, facets=True),
        feed=search_address("/search.atom", replace(wanted, sort=None)),
        editor=editor,
        swapped=are_swapped(request.query_params),
    )


def search_items(now: Recommender, words: str, until: Deadline) -> ResultPage | None:
    """What a search for an item to pick finds; None where nothing was searched for."""
    return now.index.find(WordQuery(query=words, limit=_PICKS), until) if words.strip() else None


@router.get("/random")
def random_item(now: Now) -> RedirectResponse:
    """The page of an item that chance picks."""
    item = now.index.any_item()
    if item is None:
        raise UnknownItem("the collection holds no item; put one, or ingest records and build it")
    return RedirectResponse(view_path(item), 303, {"Cache-Control": "no-store"})


def _address(wanted: WordQuery, offset: int = 0) -> str:
    return search_address("/search", wanted, offset=offset or None)


def _orders(wanted: WordQuery) -> Iterator[Choice]:
    """The orders to choose from; by relevance only where there is a query."""
    for order, label in _ORDERS.items():
        if order != "relevance" or wanted.query.strip():
            yield Choice(gettext(label), _address(replace(wanted, sort=order)), chosen=order == wanted.order)


def _chosen(wanted: WordQuery) -> Iterator[Choice]:
    """The filters that are set, each as the search without it."""
    filters = wanted.filters
    for facet in NAMED:
        names: tuple[str, ...] = getattr(filters, facet)
        for name in names:
            rest = tuple(one for one in names if one != name)
            yield Choice(f"{_heading(facet)}: {name}", _filtered(wanted, _named(filters, facet, rest)))
    if filters.first is not None or filters.last is not None:
        yield Choice(_years(filters), _filtered(wanted, replace(filters, first=None, last=None)))
    if filters.image is not None:
        label = gettext("With a picture") if filters.image else gettext("Without a picture")
        yield Choice(label, _filtered(wanted, replace(filters, image=None)))


def _choices(wanted: WordQuery, shared: SharedFacets) -> Iterator[tuple[str, list[Choice]]]:
    """What a search can be narrowed down by, under headings; what has no effect is left out."""
    filters = wanted.filters
    for facet in NAMED:
        chosen = {name.casefold() for name in getattr(filters, facet)}
        choices = [
            Choice(one.spelled, _filtered(wanted, _named(filters, facet, (one.spelled,))), one.items)
            for one in shared.names[facet]
            if one.spelled.casefold() not in chosen
        ]
        if choices:
            yield _heading(facet), choices
    if len(shared.decades) > 1:
        fullest = sorted(shared.decades, key=lambda one: -one.items)[:SHOWN]
        heading = (
            gettext("Decade") if len(fullest) == len(shared.decades) else gettext("Decades with most items")
        )
        years = [(one, replace(filters, first=one.first, last=one.last)) for one in sorted(fullest)]
        yield heading, [Choice(one.label, _filtered(wanted, decade), one.items) for one, decade in years]


def _heading(facet: str) -> str:
    return field_name("kind of object" if facet == "object" else facet)


def _years(filters: Filters) -> str:
    """The years of a search in words, at least one of the two."""
    if filters.first is None or filters.last is None:
        year = filters.first if filters.last is None else filters.last
        return (gettext("From {year} on") if filters.last is None else gettext("To {year}")).format(year=year)
    return gettext("Years from {first} to {last}").format(first=filters.first, last=filters.last)


def _named(filters: Filters, facet: str, names: tuple[str, ...]) -> Filters:
    given = {**{name: getattr(filters, name) for name in NAMED}, facet: names}
    return Filters(first=filters.first, last=filters.last, image=filters.image, **given)


def _filtered(wanted: WordQuery, filters: Filters) -> str:
    return _address(replace(wanted, filters=filters))
