"""In what order a search adds up the terms of a type: those that twins share first, then one by one."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from features.collection.collection import Collection
from features.collection.row_groups import Ints, Twins
from features.measures import FeatureSettings
from features.measures.base import Scores
from features.measures.derived import DerivedSettings, needed
from models.types import SimilarityType
from service.index.kernels import spread
from service.index.terms import Term, TypeTerms

_SOME = 997
"""Rows that are looked at first: two groupings that have nothing to do with each other differ there."""


@dataclass(frozen=True, slots=True, eq=False)
class Shared:
    """Terms whose features see the same rows as twins: they are summed up once a kind.

    ``coarser`` are terms that tell fewer kinds apart, with their kind of each kind here.
    """

    twins: Twins
    terms: tuple[Term, ...]
    coarser: tuple[tuple["Shared", Ints], ...] = ()

    @property
    def parts(self) -> tuple["Shared", ...]:
        """This and all that is coarser."""
        return (self, *(shared for shared, _ in self.coarser))

    def sums(self, values: Mapping[str, Scores]) -> Scores:
        """What the terms come to for each kind, of the values of the first row of each."""
        found = np.zeros(len(self.twins.first))
        for term in self.terms:
            term.add_to(found, values[term.name])
        for shared, kinds in self.coarser:
            spread(found, shared.sums(values), kinds)
        return found


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """The terms of one type: what can tell most for what it costs comes first among ``single``."""

    base: float
    not_applicable: str | None
    shared: tuple[Shared, ...]
    single: tuple[Term, ...]


def plans(
    collection: Collection, terms: Mapping[SimilarityType, TypeTerms], least: int
) -> dict[SimilarityType, Plan]:
    """The plan of each type; terms are shared where a kind has ``least`` rows on average."""
    few = {name: own for name, own in collection.twins.items() if len(own.first) * least <= len(collection)}
    tree = _Tree(few.values())
    names = {term.name for of_type in terms.values() for term in of_type.terms}
    known = _twins(collection.manifest.features, few, tree, names)
    return {
        kind: Plan(
            of_type.base,
            of_type.not_applicable,
            tree.shared([(term, known[term.name]) for term in of_type.terms if term.name in known]),
            tuple(term for term in of_type.terms if term.name not in known),
        )
        for kind, of_type in terms.items()
    }


class _Tree:
    """Groupings into kinds, each under the first finer one: two rows of a kind there are of a kind here."""

    def __init__(self, groupings: Iterable[Twins]) -> None:
        distinct = {id(one): one for one in groupings}
        self._finest: list[Twins] = []
        self._above: dict[int, tuple[Twins, Ints]] = {}
        for one in sorted(distinct.values(), key=lambda one: -len(one.first)):
            above = self.finer([one])
            if above is None:
                self._finest.append(one)
            else:
                self._above[id(one)] = (above, one.kinds[above.first])

    def finer(self, groupings: Sequence[Twins]) -> Twins | None:
        """The first grouping at the top that is finer than some."""
        return next((top for top in self._finest if all(_finer(top, one) for one in groupings)), None)

    def shared(self, terms: Iterable[tuple[Term, Twins]]) -> tuple[Shared, ...]:
        """Terms by their groupings, the coarser under the finer ones."""
        groups: dict[int, tuple[Twins, list[Term]]] = {}
        for term, own in terms:
            groups.setdefault(id(own), (own, []))[1].append(term)
        below: dict[int, list[tuple[Shared, Ints]]] = {}
        for key in [key for key in groups if key in self._above]:
            own, of_group = groups.pop(key)
            above, kinds = self._above[key]
            groups.setdefault(id(above), (above, []))
            below.setdefault(id(above), []).append((Shared(own, tuple(of_group)), kinds))
        return tuple(
            Shared(own, tuple(of_group), tuple(below.get(key, ()))) for key, (own, of_group) in groups.items()
        )


def _finer(one: Twins, other: Twins) -> bool:
    """Whether rows of a kind in the one are always of a kind in the other."""
    if one is other:
        return True
    if len(one.first) < len(other.first):
        return False
    kinds = other.kinds[one.first]
    some = slice(None, None, max(1, len(one.kinds) // _SOME))
    if (kinds[one.kinds[some]] != other.kinds[some]).any():
        return False
    return bool((kinds[one.kinds] == other.kinds).all())


def _twins(
    features: Mapping[str, FeatureSettings], few: Mapping[str, Twins], tree: _Tree, names: set[str]
) -> dict[str, Twins]:
    """The twins of some features; one that is made of others has those that all its parts share."""
    found = {}
    for name in sorted(names):
        parts = [
            few.get(part)
            for part in needed((name,), features)
            if not isinstance(features[part], DerivedSettings)
        ]
        known = [part for part in parts if part is not None]
        if len(known) < len(parts):
            continue
        own = known[0] if len(known) == 1 else tree.finer(known)
        if own is not None:
            found[name] = own
    return found
