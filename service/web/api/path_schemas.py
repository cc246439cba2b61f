"""What the API answers about paths, as models."""

from typing import Final, Literal

from pydantic import Field

from service.web.api.paging import Next
from service.web.api.schemas import BACINO, Answer, Facts, Score, Type

_PATH: Final = "canaletto-in-venice-3fa9c17e"


class PathStep(Answer):
    """A step of a path."""

    id: str = Field(description="id of the item", examples=[BACINO])
    title: str = Field(
        description="the item's title; of a withdrawn item the one that it had", examples=["Bacino"]
    )
    note: str = Field(
        description="what the curator says of the item", examples=["The other side of the city."]
    )
    type: Type | None = Field(description="the way in which it follows the step before; null: in none")
    reason: str = Field(description="why it follows, in a sentence", examples=["Both concern Venice."])
    withdrawn: bool = Field(description="whether the item is gone from the collection")
    image: str | None = Field(description="address of a picture")
    href: str | None = Field(description="path of the item in this API; null: withdrawn")
    view: str | None = Field(description="path of the item's page; null: withdrawn")


class Origin(Answer):
    """What a path was forked from."""

    path: str = Field(examples=[_PATH])
    version: int = Field(ge=1)


class PathDocument(Answer):
    """An exploration path, in one of its versions."""

    id: str = Field(examples=[_PATH])
    version: int = Field(ge=1, description="the number of this version; the ETag begins with it")
    title: str = Field(examples=["Canaletto in Venice"])
    text: str = Field(description="what the path is about", examples=["From the yard to the basin."])
    curator: str = Field(description="whose path it is, as visitors read; may be empty", examples=["Ada"])
    status: Literal["draft", "published", "changed"] = Field(
        description="changed: published, and changed since"
    )
    published: int | None = Field(description="the version that visitors see; null: none", ge=1)
    changed: str = Field(description="when this version was made (UTC)", examples=["2026-11-22T21:00:00Z"])
    changed_by: str = Field(
        description="the name of the key that made this version; empty without a key, and for visitors",
        examples=["Portal"],
    )
    signed: str = Field(
        description="the name that was given with this version; empty without one, and for visitors",
        examples=["Ada"],
    )
    action: str = Field(description="what made this version", examples=["changed"])
    fork_of: Origin | None = Field(description="what it was forked from; null: it was begun anew")
    steps: list[PathStep]
    href: str = Field(description="path of it in this API", examples=[f"/paths/{_PATH}"])
    view: str = Field(description="path of its page, once it is published", examples=[f"/view/paths/{_PATH}"])


class PathSummary(Answer):
    """A path in short."""

    id: str = Field(examples=[_PATH])
    version: int = Field(ge=1)
    title: str = Field(examples=["Canaletto in Venice"])
    text: str = Field(description="what the path is about", examples=["From the yard to the basin."])
    curator: str = Field(description="whose path it is, as visitors read; may be empty")
    status: Literal["draft", "published", "changed"]
    changed: str = Field(description="when this version was made (UTC)", examples=["2026-11-22T21:00:00Z"])
    length: int = Field(ge=0, description="its steps", examples=[8])
    href: str = Field(examples=[f"/paths/{_PATH}"])
    view: str = Field(examples=[f"/view/paths/{_PATH}"])


class PathListing(Answer):
    """Paths."""

    paths: list[PathSummary]
    next: Next


class PathVersion(Answer):
    """A version in short."""

    version: int = Field(ge=1)
    action: str = Field(examples=["changed"])
    changed: str = Field(examples=["2026-11-22T21:00:00Z"])
    changed_by: str = Field(
        description="the name of the key that made it; empty: none, it was made at the command line",
        examples=["Portal"],
    )
    signed: str = Field(description="the name that was given with it; may be empty", examples=["Ada"])
    published: bool = Field(description="whether it was made by a publication")
    href: str = Field(description="path of it as it was then", examples=[f"/paths/{_PATH}?version=2"])


class PathVersions(Answer):
    """Versions of a path, the newest first."""

    versions: list[PathVersion]
    next: Next


class Proposal(Answer):
    """A way in which an item follows another."""

    type: Type
    score: Score
    reason: str = Field(examples=["Both concern Venice."])
    by_words: bool = Field(
        description="the reason is likeness of words alone, so that a path gives neither type nor reason"
    )
    facts: Facts


class Proposals(Answer):
    """The ways in which an item follows a step, the strongest first."""

    item: str = Field(description="the item that is to follow", examples=[BACINO])
    after: str | None = Field(description="the item that it is to follow; null: the path is empty")
    proposals: list[Proposal]


class Walk(Answer):
    """Steps that Kindred laid by itself; they are no path until somebody creates one of them."""

    steps: list[PathStep]
    notes: list[str] = Field(description="why there are fewer than asked for, or none", examples=[[]])
