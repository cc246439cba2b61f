"""From what a search finds to what the API answers, and the addresses that ask for it."""

from collections.abc import Mapping
from urllib.parse import urlencode

from service.search.fulltext.finding import ResultPage, SharedFacets, WordQuery
from service.web.api.answers import summary
from service.web.api.schemas import FacetDecade, FacetName, Facets, Listing


def listing(found: ResultPage, wanted: WordQuery) -> Listing:
    """One page of what was found."""
    return Listing(
        total=found.total,
        items=[summary(record) for record in found.records],
        next=_next(found, wanted) if found.more and found.records else None,
        facets=None if found.shared is None else _facets(found.shared),
        suggestion=found.suggestion,
        notes=list(found.notes),
    )


def address(path: str, wanted: WordQuery, **more: object) -> str:
    """The address that asks for something: its query, filters and order, and further parameters.

    >>> from service.search.facets import Filters
    >>> address("/search", WordQuery(query="a b", filters=Filters(place=("Bath", "Rome"))), offset=20)
    '/search?q=a+b&place=Bath&place=Rome&offset=20'
    """
    given = {
        name: value for name, value in {**_parameters(wanted), **more}.items() if value not in (None, "", ())
    }
    shown = {name: str(value).lower() if isinstance(value, bool) else value for name, value in given.items()}
    return f"{path}?{urlencode(shown, doseq=True)}" if shown else path


def _parameters(wanted: WordQuery) -> Mapping[str, object]:
    filters = wanted.filters
    return {
        "q": wanted.query,
        "provider": filters.provider,
        "object": filters.object,
        "place": filters.place,
        "from": filters.first,
        "to": filters.last,
        "image": filters.image,
        "sort": wanted.sort,
    }


def _next(found: ResultPage, wanted: WordQuery) -> str:
    """Where the next page is: in the order of the ids behind the last one, else so many items on."""
    limit, facets = wanted.limit, wanted.facets or None
    if wanted.order == "id":
        return address("/items", wanted, limit=limit, facets=facets, after=found.records[-1].id)
    offset = wanted.offset + len(found.records)
    return address("/items", wanted, limit=limit, facets=facets, offset=offset)


def _facets(shared: SharedFacets) -> Facets:
    names = {
        facet: [FacetName(name=one.spelled, items=one.items) for one in found]
        for facet, found in shared.names.items()
    }
    decades = [
        FacetDecade.model_validate({"from": one.first, "to": one.last, "items": one.items})
        for one in shared.decades
    ]
    return Facets(provider=names["provider"], object=names["object"], place=names["place"], decade=decades)
