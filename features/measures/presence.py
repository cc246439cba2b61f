"""How surely two items have anything of a kind at all: people, an event.

Half of what readers say of the people or the event of two items is whether there are any. An item has
some with ``p = 1 - exp(-sum of weight x number)`` over its signs, the words that tell of them: a weight
of 1 makes one sign .63, two .86. A pair has what both have, ``min(p_a, p_b)``, or what either has,
``max(p_a, p_b)``.

This is presence, not similarity, and an exception from the contract of a measure: an item has p with
itself, not 1; 0 says that there is no sign, which is information, and NaN that an item has no text.
"""

import math
from array import array
from collections.abc import Callable, Hashable
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt
from pydantic import BaseModel, ConfigDict, Field

from features.collection import row_groups as twins
from features.compiled import compiled
from features.knowledge.resources import ResourceName, Resources
from features.measures.base import (
    Arrays,
    Evidence,
    MeasureSettings,
    Remembered,
    Rows,
    Scores,
    SeenColumn,
    Theme,
    taken,
)
from features.measures.matches import matches
from features.measures.scope import Scope, ScopeReader
from features.measures.selections import selection
from features.profiles.blocks import Block, Longs
from features.profiles.occurrence import Occurrence
from features.profiles.profile import AnalysedValue, Profile
from features.text.annotation import Mention


class Sign(BaseModel):
    """Words that tell of something, and how surely."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    scope: Scope = Field(description="which words, or whole entities, are signs")
    weight: float = Field(1.0, gt=0, description="how much one of them says")


class PresenceSettings(MeasureSettings):
    """Presence of a kind of thing, by its signs."""

    measure: Literal["presence"] = Field(description="whether both, or either, have anything of a kind")
    signs: tuple[Sign, ...] = Field(min_length=1, description="what tells of it")
    combine: Literal["both", "either"] = Field("both", description="what both sides have, or either")

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
        return PresenceBuilder(self, _Reader(self, resources))

    def column(self, arrays: Arrays, resources: Resources) -> "PresenceColumn":
        """The column over stored arrays; raises ``ResourceMissing``."""
        return PresenceColumn(self, arrays, _Reader(self, resources))


class _Signs(NamedTuple):
    """What a profile shows: the places of every term, what they weigh together, and whether there is text."""

    places: dict[str, list[Occurrence]]
    weights: dict[str, float]
    informed: bool

    @property
    def presence(self) -> float:
        """``1 - exp(-sum)``; NaN without text."""
        return 1 - math.exp(-sum(self.weights.values())) if self.informed else math.nan


class _Reader:
    """Reads the signs of profiles."""

    def __init__(self, settings: PresenceSettings, resources: Resources) -> None:
        self._signs = tuple(
            (sign.scope.reader(resources), sign.scope.entities, sign.weight) for sign in settings.signs
        )

    def __call__(self, profile: Profile) -> _Signs:
        """The signs of a profile; a place that several signs pick weighs as much as they do together."""
        found = _Signs({}, {}, any(value.words for value in profile.values))
        for reader, entities, weight in self._signs:
            for occurrence in _standing(reader, entities, profile):
                places = found.places.setdefault(occurrence.term, [])
                if occurrence not in places:
                    places.append(occurrence)
                found.weights[occurrence.term] = found.weights.get(occurrence.term, 0.0) + weight
        return found

    def presence(self, block: Block) -> Scores:
        """The presence of every item of a block, NaN without text."""
        found = [_standing_of(block, reader, entities) for reader, entities, _ in self._signs]
        values, terms = (np.concatenate(columns) for columns in zip(*found, strict=True))
        weights = np.repeat(
            [weight for *_, weight in self._signs], np.array([len(values) for values, _ in found], np.int64)
        )
        items = block.items[values]
        # of an item sign by sign, as one profile is read
        order = np.argsort(items, kind="stable")
        turn = block.lexicon.scratch(len(block))
        sums = _sums(len(block), items[order], terms[order], weights[order], *turn)
        informed = np.bincount(block.items[block.words.values], minlength=len(block)) > 0
        return np.where(informed, [1 - math.exp(-one) for one in sums.tolist()], np.nan)


def _standing(reader: ScopeReader, entities: tuple[str, ...], profile: Profile) -> tuple[Occurrence, ...]:
    """What a scope picks, every place once: WordNet makes several terms of one word.

    Of an entity the whole counts, not every word of it.
    """
    found: dict[tuple[str, int, int, int], Occurrence] = {}
    values = {(value.part, value.index): value for value in profile.values}
    for one in reader.occurrences(profile):
        mention = _whole(values[one.part, one.index], entities, one.start, one.end)
        whole = (
            one
            if mention is None
            else Occurrence(mention.text.lower(), one.part, one.index, mention.start, mention.end)
        )
        found.setdefault((whole.part, whole.index, whole.start, whole.end), whole)
    return tuple(found.values())


def _standing_of(block: Block, reader: ScopeReader, entities: tuple[str, ...]) -> tuple[Longs, Longs]:
    """The same of a block: rows of its values, and the terms that stand there."""
    picked = selection(block, reader)
    found: dict[tuple[int, int, int], int] = {}
    for value, start, end, term in zip(*(column.tolist() for column in picked[:4]), strict=True):
        mention = _whole(block.values[value], entities, start, end) if entities else None
        if mention is None:
            found.setdefault((value, start, end), term)
        else:
            found.setdefault((value, mention.start, mention.end), block.lexicon.number(mention.text.lower()))
    rows = np.array([value for value, _, _ in found], np.int64)
    return rows, np.array([*found.values()], np.int64)


def _whole(value: AnalysedValue, entities: tuple[str, ...], start: int, end: int) -> Mention | None:
    """The entity that a word belongs to."""
    for mention in value.mentions:
        if mention.kind in entities and mention.start <= start and end <= mention.end:
            return mention
    return None


@compiled
def _sums(
    number: int, items: Longs, terms: Longs, weights: Scores, turn: int, stamps: Longs, slots: Longs
) -> Scores:
    """What the terms of every item weigh together: first each term's own weights are added up.

    See ``Lexicon.scratch`` for the last three.
    """
    amounts = np.empty(len(terms))
    owners = np.empty(len(terms), np.int64)
    size = 0
    for at in range(len(terms)):
        term, item = terms[at], items[at]
        if stamps[term] == turn + item:
            amounts[slots[term]] += weights[at]
        else:
            stamps[term] = turn + item
            slots[term] = size
            amounts[size] = weights[at]
            owners[size] = item
            size += 1
    sums = np.zeros(number)
    for slot in range(size):
        sums[owners[slot]] += amounts[slot]
    return sums


class PresenceBuilder:
    """Collects how surely every item has anything of the kind."""

    def __init__(self, settings: PresenceSettings, read: _Reader) -> None:
        self._signs = settings.signs
        self._read = read
        self._presence = array("d")
        self._takes = True

    def share(self, collected: dict[object, object]) -> None:
        """Leave the collecting to the first builder of the same signs."""
        first = collected.setdefault((PresenceBuilder, self._signs), self)
        if isinstance(first, PresenceBuilder) and first is not self:
            self._presence, self._takes = first._presence, False

    def take(self, block: Block) -> None:
        """Take the presence of the next items."""
        if self._takes:
            self._presence.extend(self._read.presence(block).tolist())

    def arrays(self) -> dict[str, npt.NDArray[np.generic]]:
        """The presence of every item, float64[rows]."""
        return {"presence": np.array(self._presence, np.float64)}


class PresenceColumn(SeenColumn[float]):
    """What an item and every item have, both or either."""

    def __init__(self, settings: PresenceSettings, arrays: Arrays, read: _Reader) -> None:
        super().__init__()
        self._settings = settings
        self._presence = np.asarray(arrays["presence"], np.float64)
        self._signs = Remembered(read)

    def alike(self) -> twins.Keys:
        """Keys of the rows by what is compared of them."""
        return twins.of_rows(self._presence)

    def pair(self, left: Profile, right: Profile) -> float:
        """The presence in two profiles; NaN where one has no text."""
        return self._combined(self._seen(left), np.array([self._seen(right)])).item()

    def evidence(self, left: Profile, right: Profile) -> tuple[Evidence, ...]:
        """The weightiest signs of both sides in pairs, the same word first; empty where one has none."""
        ours, theirs = self._signs(left), self._signs(right)
        if not (ours.weights and theirs.weights):
            return ()
        amounts = np.minimum.outer(list(ours.weights.values()), list(theirs.weights.values()))
        same = np.array([[one == two for two in theirs.weights] for one in ours.weights])
        return matches(np.where(same, 2 * amounts, amounts), ours.places, theirs.places)

    def _see(self, profile: Profile) -> float:
        return self._signs(profile).presence

    def _stored(self, row: int, profile: Callable[[], Profile]) -> float:  # noqa: ARG002
        return float(self._presence[row])

    def _compared(self, seen: float, rows: Rows | None) -> Scores:
        """The presence in both, or in either; NaN where a side has no text."""
        return self._combined(seen, taken(self._presence, rows))

    def _combined(self, presence: float, others: Scores) -> Scores:
        combine = np.minimum if self._settings.combine == "both" else np.maximum
        combined: Scores = combine(presence, others)
        return combined
