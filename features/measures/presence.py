"""How surely two items have anything of a kind at all: people, an event.

An item has some with ``p = 1 - exp(-sum of weight x number)`` over its signs, words such as *portrait*: a
weight of 1 makes one sign .63, two .86. A pair has what both, ``min(p_a, p_b)``, or either has, ``max``.

This is presence, not similarity, and an exception from the contract of a measure: an item has p with itself,
not 1; 0 means that there is no sign, which is information, and NaN that an item has no text.
"""

from collections.abc import Hashable
from dataclasses import dataclass
from functools import partial
from typing import ClassVar, Literal

import numpy as np
from pydantic import BaseModel, ConfigDict, Field

from features.arrays import Arrays, Bools, Doubles
from features.knowledge.resources import ResourceName, Resources
from features.measures.base import Column, Columns, EvidencePair, MeasureSettings, Theme
from features.measures.matches import weighted_matches
from features.measures.scope import Scope
from features.measures.searchable import Level
from features.measures.selections import ScopeReader, TermSelection, occurrences
from features.measures.tables import Table
from features.profiles.blocks import Block
from features.profiles.profile import Occurrence


class Sign(BaseModel):
    """Words that tell of something, and how surely."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    scope: Scope = Field(
        description="the words, or whole entities, that tell of it: the keys of `scope`, above"
    )
    weight: float = Field(1.0, gt=0, description="how much one of them says")


class PresenceSettings(MeasureSettings):
    """Presence of a kind of thing, by its signs."""

    VERSION: ClassVar[int] = 2  # names that are no kinds of people
    EXAMPLES = ({"signs": [{"scope": {"lemmas": ["boat"]}, "weight": 0.7}, {"scope": {}}]},)

    measure: Literal["presence"] = Field(description="whether both, or either, have anything of a kind")
    signs: tuple[Sign, ...] = Field(
        min_length=1, description="what tells of it, each with the two keys below"
    )
    combine: Literal["both", "either"] = Field(
        "both", description="the smaller of the two sides, or the larger"
    )

    @property
    def needs(self) -> tuple[ResourceName, ...]:
        """The resources that the scopes are read with."""
        return tuple(sorted({need for sign in self.signs for need in sign.scope.needs}))

    @property
    def collects(self) -> Hashable:
        """The signs."""
        return self.signs

    @property
    def theme(self) -> Theme:
        """Presence of what the first sign is of."""
        first = self.signs[0].scope
        if first.expand == "people" or first.entities == ("person",):
            return "presence of people"
        return "presence of events" if first.expand == "events" else "presence"

    def column(self, arrays: Arrays, resources: Resources, columns: Columns) -> "PresenceColumn":
        """The column over stored arrays; raises ``ResourceMissing``."""
        return PresenceColumn(self, arrays, resources)


@dataclass(frozen=True, slots=True, eq=False)
class Presence(Table):
    """How surely each item has anything of the kind, ``1 - exp(-sum)``; NaN without text."""

    presence: Doubles


class PresenceColumn(Column[Presence]):
    """What an item and others have, both or either."""

    def __init__(self, settings: PresenceSettings, arrays: Arrays, resources: Resources) -> None:
        super().__init__(Presence.of(arrays))
        self._settings = settings
        self._readers = [(sign.weight, ScopeReader(sign.scope, resources)) for sign in settings.signs]

    def searchable(self) -> Level[Presence]:
        """The presence."""
        return Level(lambda table: table.presence, smaller=self._settings.combine == "both")

    def read(self, block: Block) -> Presence:
        """The presence of the items of a block."""
        sums = np.zeros(len(block))
        for weight, signs in self._signs(block):
            sums += weight * np.bincount(block.items[signs.values], minlength=len(block))
        informed = np.bincount(block.items[block.words.values], minlength=len(block)) > 0
        return Presence(np.where(informed, 1 - np.exp(-sums), np.nan))

    def informed(self, table: Presence) -> Bools:
        """Which items have text."""
        return ~np.isnan(table.presence)

    def similarities(self, query: Presence, table: Presence) -> Doubles:
        """The presence in both, or in either."""
        combine = np.minimum if self._settings.combine == "both" else np.maximum
        combined: Doubles = combine(query.presence[0], table.presence)
        return combined

    def evidence(self, block: Block, left: int, right: int) -> tuple[EvidencePair, ...]:
        """The weightiest signs of both sides in pairs, the same word first; empty where one has none."""
        return weighted_matches(*self._signs_of(block, left), *self._signs_of(block, right))

    def _signs(self, block: Block) -> list[tuple[float, TermSelection]]:
        """The signs in a block, with what each weighs."""
        return [
            (weight, block.once((PresenceColumn, reader.scope), partial(_once_a_place, block, reader)))
            for weight, reader in self._readers
        ]

    def _signs_of(self, block: Block, item: int) -> tuple[dict[str, list[Occurrence]], dict[str, float]]:
        """The signs of an item by their terms: where each stands, and what it weighs."""
        places: dict[str, list[Occurrence]] = {}
        weights: dict[str, float] = {}
        for weight, signs in self._signs(block):
            own = signs.at(np.flatnonzero(block.items[signs.values] == item))
            for one in occurrences(block, own):
                known = places.setdefault(one.term, [])
                if one not in known:
                    known.append(one)
                weights[one.term] = weights.get(one.term, 0.0) + weight
        return places, weights


def _once_a_place(block: Block, reader: ScopeReader) -> TermSelection:
    """What a scope picks, every place once: WordNet makes several terms of a word. An entity is whole."""
    picked = reader.selection(block)
    terms: dict[tuple[int, int, int], tuple[int, int]] = {}
    for value, start, end, term, tag in zip(*(column.tolist() for column in picked), strict=True):
        for mention in block.values[value].mentions:
            if mention.kind in reader.scope.entities and mention.start <= start and end <= mention.end:
                entity = block.lexicon.number(mention.text.lower()), block.lexicon.number("")
                terms.setdefault((value, mention.start, mention.end), entity)
                break
        else:
            terms.setdefault((value, start, end), (term, tag))
    rows = np.array([(*place, *term) for place, term in terms.items()], np.int64).reshape(-1, 5)
    return TermSelection(*rows.T)
