"""Measures and scopes asked about single profiles: each question is put as the block that they read."""

from collections import Counter
from collections.abc import Sequence
from math import isnan

import numpy as np
import pytest

from features.arrays import Arrays, Doubles, Singles
from features.collection.collection import Collection, Query, Values
from features.knowledge.resources import Resources
from features.measures import selections
from features.measures.base import ROUNDING, Builder, EvidencePair, FeatureColumn, plain
from features.measures.parts import RowPart
from features.measures.registry import FeatureSettings
from features.measures.scope import Scope
from features.measures.selections import ScopeReader
from features.profiles.blocks import Block
from features.profiles.profile import Occurrence, Profile
from tests.builders import NONE


class Tried:
    """A column, asked about profiles."""

    def __init__(self, column: FeatureColumn) -> None:
        self.column = column

    def pair(self, left: Profile, right: Profile) -> float:
        """The value of two profiles."""
        return self.column.value(Block([left, right]), 0, 1)

    def compare(self, profile: Profile) -> Doubles:
        """The values of a profile with every item that the column was fitted on."""
        column = plain(self.column)
        return column.compare(column.of(Block([profile])), column.table)

    def evidence(self, left: Profile, right: Profile) -> tuple[EvidencePair, ...]:
        """What the value of two profiles rests on, as an explanation asks for it: where there is a value."""
        return self.column.evidence(Block([left, right]), 0, 1) if self.pair(left, right) > 0 else ()

    def promises(self, items: Sequence[Profile], query: Profile) -> list[float]:
        """What every measure promises about a profile and the items that the column was fitted on.

        Returns their values.
        """
        pairs = [self.pair(query, item) for item in items]
        column = plain(self.column)
        searched = column.by_parts(column.of(Block([query])))(RowPart(slice(0, len(items))))
        assert searched == pytest.approx(pairs, nan_ok=True, abs=ROUNDING)
        assert self.compare(query) == pytest.approx(pairs, nan_ok=True, abs=1e-9)
        assert [self.pair(item, query) for item in items] == pytest.approx(pairs, nan_ok=True, abs=1e-9)
        # no value is NaN but where a side has no information
        here, there = (column.informed(column.of(Block(side))) for side in ([query], items))
        assert [isnan(value) for value in pairs] == (~(here & there)).tolist()
        assert all(0 <= value <= 1 for value in pairs if not isnan(value))
        return pairs


def tried(profiles: Sequence[Profile], settings: FeatureSettings, resources: Resources = NONE) -> Tried:
    """The column of a measure that is fitted on some profiles."""
    return Tried(settings.column(fitted_arrays(settings.builder(resources), profiles), resources, {}))


def fitted_arrays(builder: Builder, profiles: Sequence[Profile]) -> Arrays:
    """What a builder stores of some profiles."""
    builder.take(Block(profiles))
    return builder.arrays()


def occurrences(profile: Profile, scope: Scope, resources: Resources = NONE) -> list[Occurrence]:
    """What a scope picks of a profile."""
    block = Block([profile])
    return selections.occurrences(block, ScopeReader(scope, resources).of_item(block, 0))


def bag(profile: Profile, scope: Scope | None = None, resources: Resources = NONE) -> Counter[str]:
    """The terms that a scope picks of a profile, with how often each stands there."""
    return Counter(one.term for one in occurrences(profile, scope or Scope(), resources))


def query_of(profile: Profile) -> Query:
    """A profile as the item that others are compared with."""
    return Query(Block([profile]), 0)


def mapped(collection: Collection, query: Query, names: Sequence[str]) -> Singles:
    """The values by which all items are searched, float32[features, items]."""

    def stacked(values: Values) -> Singles:
        return np.array([values[name] for name in names], np.float32).reshape(len(names), values.rows)

    return collection.mapped(query, stacked, len(names))
