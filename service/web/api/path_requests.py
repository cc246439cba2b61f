"""The query parameters and bodies of the API about paths, as models that validate them."""

from typing import Annotated, Final

from msgspec import UNSET
from pydantic import ConfigDict, Field

from models.types import SCALE
from service.paths.chains import STRONG, WORK
from service.paths.following import Draft
from service.paths.formats import Readable, Writable
from service.paths.model import LONGEST_TEXT, LONGEST_TITLE, MOST_STEPS, MOST_VERSIONS
from service.paths.walking import NOVELTY
from service.web.api.paging import Paged
from service.web.api.requests import Parameters, SimilarQuery, Text
from service.web.api.schemas import BACINO, YARD, Type

_CURATOR: Final = "Who makes the change; may be left out."
Title = Annotated[Text, Field(min_length=1, max_length=LONGEST_TITLE)]
Prose = Annotated[Text, Field(max_length=LONGEST_TEXT)]
Name = Annotated[Text, Field(max_length=LONGEST_TITLE)]
_Types = list[Type]


class Body(Parameters):
    """The base of the bodies."""

    model_config = ConfigDict(strict=True)


class GivenStep(Body):
    """A step of a path; what is left out of type and reason is proposed."""

    id: Text = Field(description="id of the item", examples=[BACINO])
    note: Prose = Field("", description="what the curator says of the item")
    type: Type | None = Field(
        None,
        description="the way in which it follows the step before; null: in none; left out: Kindred proposes"
        " one",
        examples=["location"],
    )
    reason: Prose = Field("", description="why it follows; left out: Kindred's reason for the type")

    def draft(self) -> Draft:
        """The step, with what was left out unset."""
        return Draft(
            self.id,
            self.note,
            self.type if "type" in self.model_fields_set else UNSET,
            self.reason if "reason" in self.model_fields_set else UNSET,
        )


class PathRequest(Body):
    """A path as a curator gives it."""

    model_config = ConfigDict(
        strict=True,
        json_schema_extra={
            "examples": [
                {
                    "title": "Canaletto in Venice",
                    "text": "From the yard to the basin.",
                    "curator": "Ada",
                    "steps": [{"id": YARD}, {"id": BACINO, "note": "The other side of the city."}],
                }
            ]
        },
    )

    title: Title = Field(description="what the path is called", examples=["Canaletto in Venice"])
    text: Prose = Field("", description="what the path is about")
    curator: Name = Field(
        "", description="whose path it is, as visitors read; left out: as it was, or who makes the change"
    )
    steps: list[GivenStep] = Field([], max_length=MOST_STEPS, description="the items, in their order")

    def drafts(self) -> list[Draft]:
        """The steps, each with what was left out unset."""
        return [step.draft() for step in self.steps]


class StepRequest(GivenStep):
    """A step to add."""

    place: int | None = Field(
        None, ge=1, le=MOST_STEPS, description="which step it becomes, from 1; left out: the last"
    )
    curator: Name = Field("", description=_CURATOR)


class ByRequest(Body):
    """Who makes a change that needs nothing else said."""

    curator: Name = Field("", description=_CURATOR)


class ForkRequest(ByRequest):
    """A path to begin from another."""

    title: Title | None = Field(None, description="what it is called; left out: as the other")


class PathsQuery(Paged):
    """Parameters of ``/paths``."""

    drafts: bool = Field(
        False, description="true: every path as it is now, for curators; false: what is published."
    )


class PathQuery(Parameters):
    """Parameters of ``/paths/{id}``."""

    version: Annotated[int | None, Field(ge=1, le=MOST_VERSIONS)] = Field(
        None, description="The path as it was in this version; only curators see all of them."
    )


class SuggestionsQuery(SimilarQuery):
    """Parameters of ``/paths/{id}/suggestions``."""

    unlike: list[Text] = Field(
        [], max_length=10, description="Id of an item that next steps should be less like; or several."
    )


class ProposalQuery(Parameters):
    """Parameters of ``/paths/{id}/proposal``."""

    item: Text = Field(description="Id of the item that is to follow.", examples=[BACINO])
    after: Text | None = Field(
        None, description="Id of the item of the path that it is to follow; the last without it."
    )


class ExportQuery(Parameters):
    """Parameters of ``/paths/{id}/export``."""

    format: Writable = Field(description="In which form.", examples=["jsonld"])


class ImportQuery(Parameters):
    """Parameters of ``/import/paths``."""

    format: Readable = Field(description="The form of the document in the body.", examples=["jsonld"])
    curator: Name = Field("", description=_CURATOR)


class WalkQuery(Parameters):
    """Parameters of ``/walk``."""

    item: Text = Field(description="Id of the item that the path begins with.", examples=[YARD])
    type: _Types = Field([], description="Only by this type of similarity, or by one of these.")
    length: int = Field(8, ge=1, le=20, description="Most steps, the first one included.")
    novelty: float = Field(
        NOVELTY, ge=0, le=1, description="How much a step should be unlike the earlier ones."
    )


class ChainQuery(Parameters):
    """Parameters of ``/way``."""

    left: Text = Field(description="Id of the item that it begins with.", examples=[YARD])
    right: Text = Field(description="Id of the item that it leads to.", examples=[BACINO])
    type: _Types = Field([], description="Only by this type of similarity, or by one of these.")
    floor: float = Field(STRONG, gt=SCALE[0], le=SCALE[1], description="The score of every link at least.")
    work: int = Field(WORK, ge=2, le=300, description="Of so many items the links are looked up.")
