"""The query parameters and bodies of the API, as models that validate them."""

from collections.abc import Mapping
from typing import Annotated, Final

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from features.collection.facets import NAMED
from ingest.errors import InvalidRequest
from ingest.record import TEXTS, Record, values
from models.types import SCALE
from service.search.facets import Filters
from service.search.fulltext.finding import FARTHEST, LONGEST, Sort, WordQuery
from service.search.queries import HEAVIEST, MOST, SEEDS, Search, WeightedSeed
from service.sections import ServiceSettings
from service.web.api.schemas import BACINO, YARD, Type

_PROVIDER: Final = "Only items of this provider, or of one of these."
_OBJECT: Final = "Only items of this kind of object (their type), or of one of these."
_MAKER: Final = "Only items by this maker, or by one of these; forenames may stand first or last."
_PLACE: Final = "Only items that name this place, or one of these."
_PERSON: Final = "Only items that their museum indexes under this person, or one of these."
_CULTURE: Final = "Only items of this culture, people or nation, or of one of these."
_PERIOD: Final = "Only items of this period or style, or of one of these."
_EVENT: Final = "Only items that show this event or are about it, or about one of these."
_CONCEPT: Final = "Only items under this term of a thesaurus or an authority, or under one of these."
_MATERIAL: Final = "Only items of this material or technique, or of one of these."
_PART_OF: Final = "Only items that are part of this set, series, album or book, or of one of these."
_FROM: Final = "Only items of this year or later."
_TO: Final = "Only items of this year or earlier."
_IMAGE: Final = "true: only items with a picture; false: only items without one."
_WITHOUT: Final = "Id of an item to leave out, with its exact duplicates; or several."
NAMES: Final = 50
"""The names that may be asked for at once of one kind, such as places."""
_EXPLAIN: Final = "Add the contributions that make the score, each with its evidence on both sides."


def _whole(number: object) -> object:
    # to JSON 5.0 is a whole number; strict bodies would refuse it
    return int(number) if isinstance(number, float) and number.is_integer() else number


def _sound(text: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError:
        # half a surrogate pair passes as JSON but is no text that could be stored or hashed
        raise ValueError("must be valid Unicode, without half surrogate pairs") from None
    return text


Text = Annotated[str, AfterValidator(_sound)]
Texts = Annotated[Text | list[Text], Field(description="one text, or a list of them")]
NameList = Annotated[list[Text], Field(max_length=NAMES)]
# the bounds before what makes numbers whole: else the document names them by no words of JSON Schema
Limit = Annotated[int, Field(ge=1, le=MOST), BeforeValidator(_whole)]
Year = Annotated[int, Field(ge=-9999, le=9999), BeforeValidator(_whole)]  # a year; negative before Christ


class Parameters(BaseModel):
    """The base of query parameters and bodies; an unknown one is refused."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class NoQuery(Parameters):
    """The query of addresses that take no parameter: each is refused."""


class Filtered(Parameters):
    """Which items are asked for; the names of ``NAMED`` stand in a derived class."""

    from_: Year | None = Field(None, alias="from", description=_FROM)
    to: Year | None = Field(None, description=_TO)
    image: bool | None = Field(None, description=_IMAGE)

    def filters(self) -> Filters:
        """The filters, each name once."""
        names = {name: tuple(dict.fromkeys(_listed(getattr(self, name)))) for name in NAMED}
        return Filters(first=self.from_, last=self.to, image=self.image, **names)


class NamesInAddress(Filtered):
    """The names that items may be asked for in an address."""

    provider: NameList = Field([], description=_PROVIDER)
    object: NameList = Field([], description=_OBJECT)
    maker: NameList = Field([], description=_MAKER)
    place: NameList = Field([], description=_PLACE)
    person: NameList = Field([], description=_PERSON)
    culture: NameList = Field([], description=_CULTURE)
    period: NameList = Field([], description=_PERIOD)
    event: NameList = Field([], description=_EVENT)
    concept: NameList = Field([], description=_CONCEPT)
    material: NameList = Field([], description=_MATERIAL)
    part_of: NameList = Field([], description=_PART_OF)


class _NamesInBody(Filtered):
    """The names that items may be asked for in a body: for each a text, or a list of them."""

    provider: Text | NameList = Field([], description=_PROVIDER)
    object: Text | NameList = Field([], description=_OBJECT)
    maker: Text | NameList = Field([], description=_MAKER)
    place: Text | NameList = Field([], description=_PLACE)
    person: Text | NameList = Field([], description=_PERSON)
    culture: Text | NameList = Field([], description=_CULTURE)
    period: Text | NameList = Field([], description=_PERIOD)
    event: Text | NameList = Field([], description=_EVENT)
    concept: Text | NameList = Field([], description=_CONCEPT)
    material: Text | NameList = Field([], description=_MATERIAL)
    part_of: Text | NameList = Field([], description=_PART_OF)


Fields = Annotated[
    Text | None,
    Field(
        description="Only these keys of each item, with commas between them; the id is always there. Without"
        " it every key is.",
        examples=["id,title,image"],
    ),
]


class ItemQuery(Parameters):
    """Parameters of ``GET /items/{id}``."""

    fields: Fields = None


class _Similar(Parameters):
    """How neighbours are asked for, whatever the seeds."""

    type: Type | None = Field(
        None,
        description="Without it each neighbour has the type that best motivates it.",
        examples=["location"],
    )
    limit: Limit | None = Field(
        None, description=f"Most neighbours to give, 1 to {MOST}; the configuration says how many without it."
    )
    explain: bool = Field(False, description=_EXPLAIN)
    diversity: Annotated[float, Field(ge=0, le=1)] = Field(
        0.0,
        description="How much neighbours should differ from each other: 1 - lambda of maximal marginal"
        " relevance. 0 ranks by the scores alone. Needs a type.",
        examples=[0.3],
    )
    floor: Annotated[float | None, Field(ge=SCALE[0], le=SCALE[1])] = Field(
        None,
        description="The score at which a list of a type ends: what scores less is not similar. Without it"
        " the system's own for each type; 0: lists end at the limit only, and have what shares nothing of"
        " the type that a reason can name.",
        examples=[2.5],
    )
    cursor: Text | None = Field(
        None, description="The next of an answer to the same question: go on behind it. Needs its type."
    )
    fields: Fields = None


class SimilarQuery(_Similar, NamesInAddress):
    """Parameters of ``/items/{id}/similar``."""

    without: list[Text] = Field([], description=_WITHOUT)

    def search(self, item: str, service: ServiceSettings) -> Search:
        """The search for the neighbours of one item."""
        return _search(self, (WeightedSeed(item),), service)


class GivenSeed(Parameters):
    """An item that neighbours should be like, or unlike."""

    model_config = ConfigDict(strict=True)

    id: Text = Field(description="id of the item", examples=[YARD])
    weight: Annotated[float, Field(ge=-HEAVIEST, le=HEAVIEST)] = Field(
        1.0,
        allow_inf_nan=False,
        description="how much it counts; a negative weight asks for what is unlike it",
    )


class SimilarRequest(_Similar, _NamesInBody):
    """Neighbours of several items."""

    model_config = ConfigDict(
        strict=True,
        json_schema_extra={
            "examples": [
                {
                    "seeds": [{"id": YARD}, {"id": BACINO, "weight": -0.5}],
                    "type": "location",
                    "limit": 5,
                    "from": 1700,
                    "to": 1800,
                }
            ]
        },
    )

    seeds: list[GivenSeed] = Field(
        min_length=1, max_length=SEEDS, description=f"1 to {SEEDS} items; one at least of positive weight"
    )
    without: Texts = Field([], description=_WITHOUT)

    def search(self, service: ServiceSettings) -> Search:
        """The search for the neighbours of the seeds."""
        return _search(self, tuple(WeightedSeed(seed.id, seed.weight) for seed in self.seeds), service)


class WordsQuery(NamesInAddress):
    """What to search for, in which order, among which items."""

    q: Text = Field(
        "",
        max_length=LONGEST,
        description='What to search for: words, "phrases", beginnings (ven*), fields (creator:turner) and'
        " exclusions (-boat). Without it every item fits.",
        examples=["venice canal"],
    )
    sort: Sort | None = Field(
        None, description="The order; without it relevance where q is given, else the order of the ids."
    )

    def wanted(self, limit: int, offset: int = 0, *, facets: bool) -> WordQuery:
        """The search for items, and how many of them to give."""
        return WordQuery(
            query=self.q, filters=self.filters(), sort=self.sort, limit=limit, offset=offset, facets=facets
        )


def _search(
    query: SimilarQuery | SimilarRequest, seeds: tuple[WeightedSeed, ...], service: ServiceSettings
) -> Search:
    usual = service.overview if query.type is None else service.limit
    limit = usual if query.limit is None else query.limit
    without = tuple(_listed(query.without))
    given = query.model_dump(include={"type", "diversity", "cursor", "floor"})
    return Search(seeds=seeds, limit=limit, filters=query.filters(), without=without, **given)


def _without_blanks(given: dict[str, str | list[str]]) -> dict[str, str | list[str]]:
    texts = {name: [*filter(None, it)] if isinstance(it, list) else it for name, it in given.items()}
    return {name: text for name, text in texts.items() if text}


def in_order(years: tuple[str, str]) -> tuple[str, str]:
    """Two years as a form has them, the earlier first; what is no year, or absent, stays.

    >>> in_order(("1900", "1850")), in_order(("-44", "44")), in_order(("1900", ""))
    (('1850', '1900'), ('-44', '44'), ('1900', ''))
    """
    first, last = years
    numbers = [int(year) for year in years if year.removeprefix("-").isdecimal()]
    return (last, first) if len(numbers) == len(years) and numbers[0] > numbers[1] else years


def are_swapped(given: Mapping[str, str]) -> bool:
    """Whether the years of a form were filled in the wrong way round.

    >>> are_swapped({"from": "1900", "to": "1850"}), are_swapped({"to": "1850"})
    (True, False)
    """
    years = given.get("from", "").strip(), given.get("to", "").strip()
    return in_order(years) != years


def _with_years_in_order(given: dict[str, str | list[str]]) -> dict[str, str | list[str]]:
    first, last = given.get("from"), given.get("to")
    if isinstance(first, str) and isinstance(last, str):
        first, last = in_order((first, last))
        return {**given, "from": first, "to": last}
    return given


class SearchQuery(WordsQuery):
    """Parameters of the page ``/search``; blank ones, as forms send them, are none.

    Two years that were filled in the wrong way round are put right.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    # the last one that is named comes first
    _ordered = model_validator(mode="before")(_with_years_in_order)
    _given = model_validator(mode="before")(_without_blanks)

    offset: int = Field(0, ge=0, le=FARTHEST, description="How many items to leave out first.")


class ExplainQuery(Parameters):
    """Parameters of ``/explain``."""

    left: str = Field(description="Id of one item.", examples=[YARD])
    right: str = Field(description="Id of the other item.", examples=[BACINO])


class GivenRecord(Parameters):
    """A record to score: an id alone for an item of the collection, or a whole record."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "title": "View of Venice",
                    "creator": ["Canaletto"],
                    "subject": ["Venice", "Grand Canal"],
                    "description": "Boats before the church of Santa Maria della Salute.",
                    "date": "1740",
                    "places": ["Venice"],
                    "type": "painting",
                    "provider": "Example Museum",
                }
            ]
        }
    )

    id: Text | None = Field(None, description="id of the item; may be absent where texts are given")
    title: Texts = Field(default=[])
    creator: Texts = Field(default=[])
    subject: Texts = Field(default=[])
    description: Texts = Field(default=[])
    date: Texts = Field(default=[])
    source: Texts = Field(default=[])
    places: Texts = Field(default=[], description="place names given apart from the fields above")
    people: Texts = Field(default=[], description="who is shown, or whom it is about")
    cultures: Texts = Field(default=[], description="cultures, peoples, schools and nations")
    periods: Texts = Field(default=[], description="periods, styles and reigns by their names")
    events: Texts = Field(default=[], description="events that it shows or is about")
    concepts: Texts = Field(default=[], description="terms of thesauri and authorities")
    materials: Texts = Field(default=[], description="materials and techniques")
    part_of: Texts = Field(default=[], description="the set, series, album or book that it is part of")
    type: Text | None = Field(None, description="kind of object; does not count in the scores")
    image: Text | None = Field(None, description="address of a picture; does not count")
    landing_page: Text | None = Field(None, description="address of the item's page; does not count")
    rights: Text | None = Field(None, description="licence; does not count")
    provider: Text | None = Field(None, description="who provides the record; does not count")
    modified: Text | None = Field(None, description="when the record last changed; does not count")

    def known_or_record(self) -> Record | str:
        """The id where nothing else is given, else the record."""
        if self.id is not None and self.model_fields_set == {"id"}:
            return self.id
        record = self.record(self.id or "")
        if not record.has_text:
            raise InvalidRequest(
                "a record to score needs text in at least one of title, creator, subject, description, date"
                " and source; or give an id alone for an item of the collection"
            )
        return record

    def record(self, item: str) -> Record:
        """The record, under this id."""
        read = {name: values(*_listed(getattr(self, name))) for name in TEXTS}
        return Record(**{**self.model_dump(exclude={*TEXTS}), **read, "id": item})


class ScoreRequest(Parameters):
    """Two records, each known by id or given whole."""

    model_config = ConfigDict(
        strict=True,
        json_schema_extra={
            "examples": [
                {
                    "left": {"id": YARD},
                    "right": {"title": "View of Venice", "creator": ["Canaletto"], "date": "1740"},
                    "explain": True,
                }
            ]
        },
    )

    left: GivenRecord
    right: GivenRecord
    explain: bool = Field(False, description=_EXPLAIN)


def _listed(texts: str | list[str]) -> list[str]:
    return [texts] if isinstance(texts, str) else texts
