"""What the API is asked: query parameters and bodies, validated."""

from typing import Annotated, Final

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field

from ingest.errors import InvalidRequest
from ingest.record import Record, values
from models.types import SimilarityType, similarity_type
from service.recommender import MOST

Limit = Annotated[int, Field(ge=1, le=MOST)]

_EXPLAIN: Final = "Add the contributions that make the score, each with its evidence on both sides."


def _named(name: object) -> SimilarityType:
    return similarity_type(str(name))


def _sound(text: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError:
        # half a surrogate pair passes as JSON but is no text that could be stored or hashed
        raise ValueError("must be valid Unicode, without half surrogate pairs") from None
    return text


# A type that is not one of the eight raises UnknownType here, which lists them.
Type = Annotated[SimilarityType, BeforeValidator(_named)]
Text = Annotated[str, AfterValidator(_sound)]
Texts = Annotated[Text | list[Text], Field(description="one text, or a list of them")]


class _Asked(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class NoQuery(_Asked):
    """Of addresses that take no parameter in the query: whatever is given there is refused."""


class SimilarQuery(_Asked):
    """Parameters of ``/items/{id}/similar``."""

    type: Type | None = Field(
        None,
        description="One of the eight types. Without it each neighbour has the type that best motivates it.",
        examples=["location"],
    )
    limit: Limit | None = Field(
        None, description=f"Most neighbours to give, 1 to {MOST}; the configuration says how many without it."
    )
    explain: bool = Field(False, description=_EXPLAIN)


class ListingQuery(_Asked):
    """Parameters of ``/items``."""

    limit: Limit = Field(20, description=f"Most items to give, 1 to {MOST}.")
    after: str | None = Field(None, description="Give the items whose ids come after this one.")


class ExplainQuery(_Asked):
    """Parameters of ``/explain``."""

    left: str = Field(description="Id of one item.", examples=["sample:painting/canaletto-stonemasons-yard"])
    right: str = Field(
        description="Id of the other item.", examples=["sample:painting/canaletto-bacino-di-san-marco"]
    )


class GivenRecord(_Asked):
    """A record to score: an id alone for an item of the collection, or a whole record."""

    id: Text | None = Field(None, description="id of the item; may be absent where texts are given")
    title: Texts = Field(default=[])
    creator: Texts = Field(default=[])
    subject: Texts = Field(default=[])
    description: Texts = Field(default=[])
    date: Texts = Field(default=[])
    source: Texts = Field(default=[])
    places: Texts = Field(default=[], description="place names given apart from the fields above")
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
        record = Record(
            id=self.id or "",
            title=values(*_listed(self.title)),
            creator=values(*_listed(self.creator)),
            subject=values(*_listed(self.subject)),
            description=values(*_listed(self.description)),
            date=values(*_listed(self.date)),
            source=values(*_listed(self.source)),
            places=values(*_listed(self.places)),
            type=self.type,
            image=self.image,
            landing_page=self.landing_page,
            rights=self.rights,
            provider=self.provider,
            modified=self.modified,
        )
        if not record.has_text:
            raise InvalidRequest(
                "a record to score needs text in at least one of title, creator, subject, description, date"
                " and source; or give an id alone for an item of the collection"
            )
        return record


class ScoreRequest(_Asked):
    """Two records, each known by id or given whole."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "left": {"id": "sample:painting/canaletto-stonemasons-yard"},
                    "right": {"title": "View of Venice", "creator": ["Canaletto"], "date": "1740"},
                    "explain": True,
                }
            ]
        }
    )

    left: GivenRecord
    right: GivenRecord
    explain: bool = Field(False, description=_EXPLAIN)


def _listed(texts: str | list[str]) -> list[str]:
    return [texts] if isinstance(texts, str) else texts
