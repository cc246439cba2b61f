"""What the API answers, as models: the OpenAPI document is made from them."""

from typing import Annotated, Final

from pydantic import BaseModel, ConfigDict, Field, RootModel

from models.official import SimilarityType
from service.explain.fact_kinds import FactKind, FactRole

TYPE: Final = "SimilarityType"  # the format of the name of a type: the OpenAPI document says which there are
Type = Annotated[SimilarityType, Field(json_schema_extra={"format": TYPE})]
Score = Annotated[float, Field(ge=0, le=5, description="from 0, unrelated, to 5, identical", examples=[3.42])]
# items that examples name
YARD: Final = "sample:painting/canaletto-stonemasons-yard"
BACINO: Final = "sample:painting/canaletto-bacino-di-san-marco"
_PATH = "/items/sample%3Apainting%2Fcanaletto-stonemasons-yard"

MaybeScore = Annotated[
    Score | None, Field(description="null: neither item has anything of this type", examples=[3.42])
]


class Answer(BaseModel):
    """The base of every answer: immutable, and nothing in it goes undeclared."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Scores(RootModel[dict[Type, MaybeScore]]):
    """The scores of a pair of items by type; null where neither has anything of the type."""

    model_config = ConfigDict(frozen=True)


_Reason = Annotated[str, Field(examples=["Both concern Venice."])]


class Reasons(RootModel[dict[Type, _Reason]]):
    """For each type one sentence that says what its score rests on."""

    model_config = ConfigDict(frozen=True)


class FactPassage(Answer):
    """Where a fact stands in a record: the words of the evidence, in one value of a field."""

    field: str = Field(
        description="one of the six fields, or of what is indexed beside", examples=["subject"]
    )
    index: int = Field(ge=0, description="which value of the field, from 0", examples=[0])
    start: int = Field(
        ge=0, description="offset of the first character in that value, in code points", examples=[0]
    )
    end: int = Field(ge=0, description="offset behind the last character", examples=[6])


class ReasonFact(Answer):
    """A fact that a reason names, and where it stands in both records."""

    kind: FactKind = Field(description="what it is, by what the feature compares", examples=["place"])
    value: str = Field(
        description="as the reason prints it, without quotes; where the reason names something else on"
        " either side, what it names of the left item",
        examples=["Venice"],
    )
    other: str | None = Field(
        description="what it names of the right item, where that differs; null: the value", examples=[None]
    )
    role: FactRole = Field(
        description="how it belongs to both items: maker; shown, of people; made, of dates and places;"
        " empty: unknown, or not the same on both sides",
        examples=[""],
    )
    left: FactPassage = Field(description="in the item asked about, or the left one")
    right: FactPassage = Field(description="in the neighbour, or the right one")


Facts = Annotated[
    list[ReasonFact],
    Field(description="the facts that the reason names, in its order; empty where it names none"),
]


class ReasonFacts(RootModel[dict[Type, Facts]]):
    """For each type the facts that its reason names."""

    model_config = ConfigDict(frozen=True)


class Passage(Answer):
    """A piece of a record's text: what stands there, and where.

    Of what compares texts as wholes (sentence vectors) it is a value that the text is made of.
    """

    text: str = Field(description="as the record writes it", examples=["Venice"])
    field: str = Field(
        description="one of the six fields, or of what is indexed beside", examples=["subject"]
    )
    value: int = Field(ge=0, description="which value of the field, from 0", examples=[0])
    start: int = Field(
        ge=0, description="offset of the first character in that value, in code points", examples=[0]
    )
    end: int = Field(ge=0, description="offset behind the last character", examples=[6])


class Evidence(Answer):
    """What agrees, on both sides, and the share of the feature's value that rests on it."""

    share: float = Field(
        ge=0, le=1.000001, description="the shares of one contribution add up to 1", examples=[0.6]
    )
    left: list[Passage]
    right: list[Passage]


class Contribution(Answer):
    """One feature's part of a score: the amount is its term in the sum."""

    feature: str = Field(description="as declared in config.yaml", examples=["location_tfidf"])
    value: float | None = Field(
        description="the feature's value, 0 to 1; null: no information", examples=[0.5]
    )
    weight: float | None = Field(
        description="what the system multiplies the value by; null: a shape function gives the amount",
        examples=[3.0],
    )
    amount: float = Field(examples=[1.5])
    evidence: list[Evidence] = Field(description="strongest first; empty where evidence_of names it")
    evidence_of: str | None = Field(
        description="the feature further up in the same explanation that has exactly this evidence, which is"
        " not repeated; null: it is all in evidence",
        examples=[None],
    )


class Explanation(Answer):
    """Why a score is what it is: base and all amounts make raw; score is raw cut to 0-5.

    Where neither item has anything of the type there is nothing to score, and score, raw and base are null.
    The scores of a system that is not additive have no exact contributions: base and contributions are null.
    """

    type: Type = Field(examples=["location"])
    score: MaybeScore
    not_applicable: bool = Field(
        description="whether neither item has anything of the type; then no score is given"
    )
    not_both: bool = Field(
        description="whether not both items have anything of the type; then score is raw cut to 0-2"
    )
    same: bool = Field(
        description="whether the two records are the same; then the score is 5, and nothing adds up to it"
    )
    raw: float | None = Field(description="before it is cut; null where there is nothing", examples=[3.42])
    base: float | None = Field(
        description="the system's score of a pair that has nothing in common; null where there is nothing,"
        " of a record with itself,"
        " or where the system is not additive",
        examples=[0.4],
    )
    contributions: list[Contribution] | None = Field(
        description="strongest first; a feature that adds nothing is absent; null: the system is not"
        " additive, so that there are no exact contributions"
    )


class ItemAnswer(Answer):
    """The base of what shows an item: every key is there, unless ``fields`` named some."""

    model_config = ConfigDict(json_schema_extra={"required": ["id"]})


class Summary(ItemAnswer):
    """An item in short."""

    id: str = Field(examples=[YARD])
    title: str = Field(
        description="its first title, or its id where it has none", examples=["The Stonemason's Yard"]
    )
    creator: list[str] = Field(examples=[["Canaletto"]])
    date: list[str] = Field(description="as the museum writes it", examples=[["c. 1725"]])
    image: str | None = Field(description="address of a picture")
    landing_page: str | None = Field(description="address of the item's page at its museum")
    href: str = Field(description="path of the item in this API", examples=[_PATH])
    view: str = Field(description="path of the item's page", examples=[f"/view{_PATH}"])


class Neighbour(Summary):
    """An item like the one asked about: in which way, how much, and because of what."""

    type: Type = Field(
        description="the type asked for, or the one that best motivates the neighbour", examples=["location"]
    )
    seed: str = Field(
        description="the item asked about that the reason and the explanation compare it with",
        examples=[YARD],
    )
    score: Score = Field(description="the score of that type; of several seeds their weighted mean")
    closeness: str = Field(
        description="that score in words: very close, close, related, loosely related, distant or unrelated",
        examples=["related"],
    )
    scores: Scores
    reason: str = Field(
        description="one sentence: what the score of that type rests on",
        examples=["Both concern Venice."],
    )
    facts: Facts
    pinned: bool = Field(
        description="whether a curator put it first in the list of that type, whatever it scores",
        examples=[False],
    )
    explanation: Explanation | None = Field(
        None, description="the score of that type, where explain=true asks", examples=[None]
    )


class _Near(Answer):
    """What every answer with neighbours holds."""

    type: Type | None = Field(
        description="the type asked for; null: each neighbour has its own", examples=["location"]
    )
    system: str = Field(description="the system that scored", examples=["linear"])
    stands_in_for: str | None = Field(
        description="the system that was wanted, where what it needs is absent; null: the one that scored"
    )
    approximate: str | None = Field(
        description="which neighbours may be missing, where only candidates were scored; null: none is"
    )
    exact: bool = Field(
        description="whether it is proven that no item which is left out scores higher; the local index looks"
        " at every item, a cluster does where the answer says so",
        examples=[True],
    )
    bound: float | None = Field(
        description="where that is not proven the most that an item left out could score, as far as it is"
        " known; else null",
        examples=[None],
    )
    neighbours: list[Neighbour]
    next: str | None = Field(
        description="the cursor of the neighbours that follow; null: these are the last, or nothing can"
        " follow, since no type was asked for or diversity was"
    )
    notes: list[str] = Field(
        description="a sentence for each name asked for that no item has, and one where the item says nothing"
        " of the type, or nothing for sure, and the list is empty",
        examples=[["no item has the provider 'Tat'; there are: Tate, The National Archives"]],
    )


class _OfItem(Answer):
    """What one item was asked about; of several bases the last one's keys come first in an answer."""

    item: str = Field(description="the id asked about", examples=[YARD])


class Neighbours(_Near, _OfItem):
    """The items like one item, best first."""


class Seed(Answer):
    """An item asked about, among several."""

    id: str = Field(examples=[YARD])
    weight: float = Field(description="how much it counts; negative: unlike it", examples=[1.0])


class _OfSeeds(Answer):
    """Which items were asked about."""

    seeds: list[Seed]


class Similar(_Near, _OfSeeds):
    """The items like several items, best first."""


class Item(ItemAnswer):
    """An item as its museum describes it: the six fields, each a list of values, and more for display."""

    id: str = Field(examples=[YARD])
    title: list[str] = Field(examples=[["The Stonemason's Yard"]])
    creator: list[str] = Field(examples=[["Canaletto"]])
    subject: list[str] = Field(examples=[["Venice", "stonemasons", "churches"]])
    description: list[str] = Field(examples=[["A working corner of Venice instead of a ceremony."]])
    date: list[str] = Field(examples=[["c. 1725"]])
    edtf: str | None = Field(
        description="the years that the date field covers, in the Extended Date/Time Format (ISO 8601-2);"
        " null: it tells none",
        examples=["1725~"],
    )
    source: list[str] = Field(examples=[["National Gallery, London"]])
    type: str | None = Field(description="kind of object", examples=["painting"])
    places: list[str] = Field(description="the museum's own index of places", examples=[["Venice"]])
    people: list[str] = Field(description="those who are shown or whom it is about", examples=[["Canaletto"]])
    cultures: list[str] = Field(
        description="of cultures, peoples, schools and nations", examples=[["Venetian"]]
    )
    periods: list[str] = Field(description="periods and styles", examples=[["Baroque"]])
    events: list[str] = Field(description="events that it shows or is about", examples=[[]])
    concepts: list[str] = Field(
        description="terms of thesauri and authorities for it and what it shows", examples=[["canals"]]
    )
    materials: list[str] = Field(description="materials and techniques", examples=[["oil on canvas"]])
    part_of: list[str] = Field(description="the set, series, album or book that it is part of", examples=[[]])
    image: str | None = Field(description="address of a picture")
    landing_page: str | None = Field(description="address of the item's page at its museum")
    rights: str | None = Field(description="licence of the metadata", examples=["CC0-1.0"])
    provider: str | None = Field(description="who provides the record", examples=["National Gallery"])
    modified: str | None = Field(description="when the record last changed at its provider")
    href: str = Field(description="path of this item", examples=[_PATH])
    similar: str = Field(description="path of its neighbours", examples=[f"{_PATH}/similar"])
    view: str = Field(description="path of its page", examples=[f"/view{_PATH}"])


class Side(Answer):
    """One of two records that were scored; it has paths where the collection holds it with these texts."""

    id: str | None = Field(description="null where the record was given without one", examples=[YARD])
    title: str | None = Field(description="its first title", examples=["The Stonemason's Yard"])
    href: str | None = Field(
        description="path of the item; null: not in the collection as given", examples=[_PATH]
    )
    view: str | None = Field(description="path of the item's page; null: likewise")


class Pair(Answer):
    """How alike two records are: a score of each type, with its reason."""

    left: Side
    right: Side
    system: str = Field(description="the system that scored", examples=["linear"])
    stands_in_for: str | None = Field(
        description="the system that was wanted, where what it needs is absent; null: the one that scored"
    )
    scores: Scores
    reasons: Reasons
    facts: ReasonFacts
    explanations: list[Explanation] | None = Field(
        description="the explanations in the order of the scores, where explain asks for them"
    )
