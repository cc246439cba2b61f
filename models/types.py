"""The types of similarity: rows of ``types`` in config.yaml, the first eight those of the official files."""

from collections.abc import Mapping
from typing import Final, TypeAlias

from pydantic import BaseModel, ConfigDict, Field

from features.measures.base import Theme
from models.official import OFFICIAL, SCALE, SimilarityType, ordered

__all__ = ["OFFICIAL", "SCALE", "SimilarityType", "ordered"]


def official_first(types: dict[str, "TypeSettings"]) -> dict[str, "TypeSettings"]:
    """The table in the order of the scores; raises ``ValueError`` where an official type is missing."""
    if missing := set(OFFICIAL) - types.keys():
        raise ValueError(f"the official types must be among them; missing: {', '.join(sorted(missing))}")
    return {kind: types[kind] for kind in ordered(types)}


class TypeSettings(BaseModel):
    """A row of ``types`` in config.yaml: the words for a type in pages and reasons."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    heading: str = Field("alike in this way", description="the heading of a list of its neighbours")
    phrase: str = Field(
        "Neither says anything of it.", description="the reason where neither item has anything of the type"
    )
    not_both: str = Field(
        "They do not both say anything of it.",
        description="the reason where not both items have anything of the type (`both` of a system)",
    )
    beside: str = Field(
        "Nothing of it shared",
        description="what a reason begins with that names nothing of the type but something else, before a"
        " semicolon: `No shared maker found; both are of 1939.`",
    )
    absent: str = Field(
        "This item says nothing of it.",
        description="what is said in place of a list where the item has nothing of the type",
    )
    question: str = Field("How are they alike in this way?", description="what the type asks of two items")
    themes: tuple[Theme, ...] = Field(
        (),
        description="themes of measures that the type is about: reasons name their evidence first, and a list"
        " has only items that share something of them",
    )
    instead: tuple[Theme, ...] = Field(
        (),
        description="themes taken in their place where nothing of them is shared: one hand for one time",
    )


Types: TypeAlias = Mapping[SimilarityType, TypeSettings]
"""Some types with their rows, in the order of the table, which is that of the columns of scores."""

EIGHT: Final[Types] = dict.fromkeys(OFFICIAL, TypeSettings())
"""The official types, for a system whose answers nobody reads."""
