"""Addresses of questions: a query and its filters as the parameters of an address."""

from urllib.parse import urlencode

from features.collection.facets import NAMED
from service.search.fulltext.finding import WordQuery


def search_address(path: str, wanted: WordQuery, **more: object) -> str:
    """The address that asks for something: its query, filters and order, and further parameters.

    >>> from service.search.facets import Filters
    >>> search_address("/search", WordQuery(query="a b", filters=Filters(place=("Bath", "Rome"))), offset=20)
    '/search?q=a+b&place=Bath&place=Rome&offset=20'
    """
    filters = wanted.filters
    parameters: dict[str, object] = {
        "q": wanted.query,
        **{name: getattr(filters, name) for name in NAMED},
        "from": filters.first,
        "to": filters.last,
        "image": filters.image,
        "sort": wanted.sort,
        **more,
    }
    given = {
        name: str(value).lower() if isinstance(value, bool) else value
        for name, value in parameters.items()
        if value not in (None, "", ())
    }
    return f"{path}?{urlencode(given, doseq=True)}" if given else path
