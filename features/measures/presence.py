"""How surely two items have anything of a kind at all: people, an event.

Half of what readers say of the people or the event of two items is whether there are any. An item has
some with ``p = 1 - exp(-sum of weight x number)`` over its signs, the words that tell of them: a weight
of 1 makes one sign .63, two .86. A pair has what both have, ``min(p_a, p_b)``, or what either has,
``max(p_a, p_b)``.

This is presence, not similarity, and an exception from the contract of a measure: an item has p with
itself, not 1; 0 says that there is no sign, which is information, and NaN that an item has no text.
"""

from collections.abc import Hashable
from dataclasses import dataclass
from functools import partial
from typing import Literal

import numpy as np
from pydantic import BaseModel, ConfigDict, Field

from features.arrays import Array, Arrays, Bools, Doubles
from features.knowledge.resources import ResourceName, Resources
from features.measures.base import Column, Columns, Evidence, MeasureSettings, Theme
from features.measures.matches import matches
from features.measures.scope import Scope
from features.measures.searchable import Level
from features.measures.selections import ScopeReader, Selection, occurrences
from features.measures.spill_buffers import SpillBuffer
from features.measures.tables import Table
from features.profiles.blocks import Block
from features.profiles.profile import AnalysedValue, Occurrence
from features.text.annotation import Mention


class Sign(BaseModel):
    """Words that tell of something, and how surely."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    scope: Scope = Field(
        description="the words, or whole entities, that tell of it: the keys of `scope`, above"
    )
    weight: float = Field(1.0, gt=0, description="how much one of them says")


class PresenceSettings(MeasureSettings):
    """Presence of a kind of thing, by its signs."""

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

    def builder(self, resources: Resources) -> "PresenceBuilder":
        """An empty builder; raises ``ResourceMissing``."""
        return PresenceBuilder(_SignReader(self, resources))

    def column(self, arrays: Arrays, resources: Resources, columns: Columns) -> "PresenceColumn":
        """The column over stored arrays; raises ``ResourceMissing``."""
        return PresenceColumn(self, arrays, _SignReader(self, resources))


@dataclass(frozen=True, slots=True, eq=False)
class Presence(Table):
    """How surely each item has anything of the kind, ``1 - exp(-sum)``; NaN without text."""

    presence: Doubles


class _SignReader:
    """Finds the signs in blocks of profiles."""

    def __init__(self, settings: PresenceSettings, resources: Resources) -> None:
        self._kinds = settings.signs
        self._readers = tuple(ScopeReader(sign.scope, resources) for sign in settings.signs)

    def presence(self, block: Block) -> Doubles:
        """The presence of every item of a block, NaN without text."""
        sums = np.zeros(len(block))
        for sign, standing in zip(self._kinds, self._standing(block), strict=True):
            sums += sign.weight * np.bincount(block.items[standing.values], minlength=len(block))
        informed = np.bincount(block.items[block.words.values], minlength=len(block)) > 0
        return np.where(informed, 1 - np.exp(-sums), np.nan)

    def of(self, block: Block, item: int) -> tuple[dict[str, list[Occurrence]], dict[str, float]]:
        """The signs of an item by their terms: where each stands, and what it weighs."""
        places: dict[str, list[Occurrence]] = {}
        weights: dict[str, float] = {}
        for sign, standing in zip(self._kinds, self._standing(block), strict=True):
            own = standing.at(np.flatnonzero(block.items[standing.values] == item))
            for one in occurrences(block, own):
                known = places.setdefault(one.term, [])
                if one not in known:
                    known.append(one)
                weights[one.term] = weights.get(one.term, 0.0) + sign.weight
        return places, weights

    def _standing(self, block: Block) -> list[Selection]:
        return [
            block.once((_SignReader, reader.scope), partial(_standing, block, reader))
            for reader in self._readers
        ]


def _standing(block: Block, reader: ScopeReader) -> Selection:
    """What a scope picks, every place once: WordNet makes several terms of one word.

    Of an entity the whole counts, not every word of it.
    """
    picked = reader.selection(block)
    found: dict[tuple[int, int, int], tuple[int, int]] = {}
    none = block.lexicon.number("")
    for value, start, end, term, tag in zip(*(column.tolist() for column in picked), strict=True):
        mention = _whole(block.values[value], reader.scope.entities, start, end)
        if mention is None:
            found.setdefault((value, start, end), (term, tag))
        else:
            whole = block.lexicon.number(mention.text.lower())
            found.setdefault((value, mention.start, mention.end), (whole, none))
    rows = np.array([(*place, *term) for place, term in found.items()], np.int64).reshape(-1, 5)
    return Selection(*rows.T)


def _whole(value: AnalysedValue, entities: tuple[str, ...], start: int, end: int) -> Mention | None:
    """The entity that a word belongs to."""
    for mention in value.mentions if entities else ():
        if mention.kind in entities and mention.start <= start and end <= mention.end:
            return mention
    return None


class PresenceBuilder:
    """Collects how surely every item has anything of the kind."""

    def __init__(self, signs: _SignReader) -> None:
        self._signs = signs
        self._presence = SpillBuffer(np.float64)

    def take(self, block: Block) -> None:
        """Take the presence of the next items."""
        self._presence.add(self._signs.presence(block))

    def arrays(self) -> dict[str, Array]:
        """The presence of every item."""
        return Presence(self._presence.whole()).arrays()


class PresenceColumn(Column[Presence]):
    """What an item and others have, both or either."""

    def __init__(self, settings: PresenceSettings, arrays: Arrays, signs: _SignReader) -> None:
        super().__init__(Presence.of(arrays))
        self._settings, self._signs = settings, signs

    def searchable(self) -> Level[Presence]:
        """The presence."""
        return Level(lambda table: table.presence, smaller=self._settings.combine == "both")

    def read(self, block: Block) -> Presence:
        """The presence of the items of a block."""
        return Presence(self._signs.presence(block))

    def informed(self, table: Presence) -> Bools:
        """Which items have text."""
        return ~np.isnan(table.presence)

    def similarities(self, query: Presence, table: Presence) -> Doubles:
        """The presence in both, or in either."""
        combine = np.minimum if self._settings.combine == "both" else np.maximum
        combined: Doubles = combine(query.presence[0], table.presence)
        return combined

    def evidence(self, block: Block, left: int, right: int) -> tuple[Evidence, ...]:
        """The weightiest signs of both sides in pairs, the same word first; empty where one has none."""
        (ours, weights), (theirs, others) = self._signs.of(block, left), self._signs.of(block, right)
        if not (weights and others):
            return ()
        amounts = np.minimum.outer(list(weights.values()), list(others.values()))
        same = np.array([[one == two for two in others] for one in weights])
        return matches(np.where(same, 2 * amounts, amounts), ours, theirs)
