"""What the API answers to a search, as models."""

from pydantic import Field

from service.web.api.paging import Next
from service.web.api.schemas import Answer, Summary


class FacetName(Answer):
    """A name of a facet, and how many of the items that were found have it."""

    name: str = Field(description="as it was first written", examples=["Tate"])
    items: int = Field(ge=1, examples=[12])


class FacetDecade(Answer):
    """A decade, and how many of the items that were found have years in it."""

    from_: int = Field(alias="from", description="its first year; negative before Christ", examples=[1840])
    to: int = Field(description="its last year", examples=[1849])
    items: int = Field(ge=1, examples=[12])


class Facets(Answer):
    """What the items that were found share; each name and decade can be asked for as a filter."""

    provider: list[FacetName] = Field(description="the twelve commonest providers")
    object: list[FacetName] = Field(
        description="the twelve commonest kinds of object", examples=[[{"name": "painting", "items": 12}]]
    )
    maker: list[FacetName] = Field(
        description="the twelve commonest makers", examples=[[{"name": "Canaletto", "items": 7}]]
    )
    place: list[FacetName] = Field(
        description="the twelve commonest places that they name", examples=[[{"name": "Venice", "items": 7}]]
    )
    person: list[FacetName] = Field(description="the twelve commonest of those who are shown", examples=[[]])
    culture: list[FacetName] = Field(description="the twelve commonest cultures and nations", examples=[[]])
    period: list[FacetName] = Field(description="the twelve commonest periods and styles", examples=[[]])
    event: list[FacetName] = Field(description="the twelve commonest events", examples=[[]])
    concept: list[FacetName] = Field(description="the twelve commonest terms of thesauri", examples=[[]])
    material: list[FacetName] = Field(
        description="the twelve commonest materials and techniques", examples=[[]]
    )
    part_of: list[FacetName] = Field(
        description="the twelve commonest sets, series, albums and books", examples=[[]]
    )
    decade: list[FacetDecade] = Field(
        description="every decade in which any has years, in order; an item counts in each that its years"
        " meet"
    )


class Listing(Answer):
    """The items that were found, page by page."""

    total: int = Field(ge=0, description="how many items were found, on all pages", examples=[234])
    items: list[Summary]
    next: Next
    facets: Facets | None = Field(description="what they share, where facets=true asks; null otherwise")
    suggestion: str | None = Field(
        description="where two items at most have a word: the query with a word like it in its place, which"
        " finds more; null: there is none",
        examples=["turner"],
    )
    notes: list[str] = Field(
        description="a sentence for each name asked for that no item has, and for a query without a word",
        examples=[[]],
    )
