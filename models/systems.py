"""Systems: which features make the score of each type, and how. Declared in config.yaml."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from features.arrays import Bools, Doubles, Floats
from ingest.errors import PairsError, UnknownType
from models.regressors.base import AdditiveRegressor, Regressor, SystemSettings
from models.types import EIGHT, SCALE, SimilarityType, Types

__all__ = [
    "LIKELY",
    "NOT_BOTH",
    "System",
    "SystemSettings",
    "declared",
    "fit",
    "known_pairs",
    "untrained",
]

LIKELY: Final = 0.5
"""How surely, 0 to 1, both items have anything of a type: where it is more than this they are taken to."""

NOT_BOTH: Final = 2.0
"""The highest score of a type of which not both items have anything."""


@dataclass(frozen=True, slots=True)
class System:
    """A system ready to score.

    ``features`` names the columns of its values; ``regressor`` sees the first of them. The feature that
    ``not_applicable`` names for a type is not above what ``applies`` says, else 0, where neither item has
    anything of the type: then there is nothing to score. The feature that ``both`` names for a type is not
    above ``LIKELY`` where not both items have anything of it: then the score is at most ``NOT_BOTH``.
    ``types`` are in the order of the scores; a list of neighbours of a type ends at its ``floor``. With
    ``same_text`` two items of the same texts are identical, whatever their features say (``identical``).

    >>> from models.regressors.linear import Weighted
    >>> line = Weighted(np.full((1, 8), 2.0), np.full(8, 1.0))
    >>> system = System("demo", ("f", "people"), line, {"people": "people"})
    >>> values = np.array([[0.5, 1.0], [np.nan, 1.0], [9.0, 0.0]])
    >>> system.score(values)[:, 0].tolist()  # 1 + 2 * .5, base, clipped
    [2.0, 1.0, 5.0]
    >>> system.score(values)[:, 2].tolist()  # in the last pair neither item has people
    [2.0, 1.0, 0.0]
    >>> system = System("demo", ("f", "people"), line, both={"people": "people"})
    >>> system.score(values)[:, 2].tolist()  # in the last pair not both have people: 5 is more than 2
    [2.0, 1.0, 2.0]
    """

    name: str
    features: tuple[str, ...]
    regressor: Regressor
    not_applicable: Mapping[SimilarityType, str] = field(default_factory=dict)
    types: Types = field(default_factory=lambda: EIGHT)
    floor: Mapping[SimilarityType, float] = field(default_factory=dict)
    applies: Mapping[SimilarityType, float] = field(default_factory=dict)
    both: Mapping[SimilarityType, str] = field(default_factory=dict)
    same_text: bool = True

    @property
    def additive(self) -> AdditiveRegressor | None:
        """The regressor where every score is a sum of one term a feature, else None."""
        return self.regressor if isinstance(self.regressor, AdditiveRegressor) else None

    def position(self, kind: SimilarityType) -> int:
        """The place of a type among those that it scores; raises ``UnknownType``, which lists them.

        >>> from models.regressors.linear import Weighted
        >>> System("demo", (), Weighted(np.zeros((0, 8)), np.zeros(8))).position("time")
        3
        """
        if kind not in self.types:
            raise UnknownType(
                f"system {self.name!r} has no similarity type {kind!r}; it has: {', '.join(self.types)}"
            )
        return tuple(self.types).index(kind)

    def raw(self, values: Doubles) -> Doubles:
        """Scores before anything limits or clips them, float64[n, types], for values float64[n, features]."""
        return self.regressor.raw(values[..., : self.regressor.width])

    def raw_of(self, values: Doubles, kind: SimilarityType) -> Doubles:
        """The same of one type, float64[n]."""
        return self.regressor.raw_of(values[..., : self.regressor.width], self.position(kind))

    def score(self, values: Doubles) -> Doubles:
        """Scores on the 0-5 scale, float64[n, types]; 0 where there is nothing of a type."""
        limited = self.limited(self.raw(values), values)
        return np.where(self.inapplicable(values), 0.0, np.clip(limited, *SCALE))

    def score_pairs(self, values: Doubles, same: Bools) -> Doubles:
        """Scores as of ``score``, of pairs of which ``same``, bool[n], says whose texts are the same.

        With ``same_text`` these have 5 where a type has information, else 0, as the service gives them.

        >>> from models.regressors.linear import Weighted
        >>> line, values = Weighted(np.full((1, 8), 0.5), np.zeros(8)), np.array([[1.0], [1.0]])
        >>> System("demo", ("f",), line).score_pairs(values, np.array([True, False]))[:, 0].tolist()
        [5.0, 0.5]
        >>> plain = System("demo", ("f",), line, same_text=False)
        >>> plain.score_pairs(values, np.array([True, False]))[:, 0].tolist()
        [0.5, 0.5]
        """
        scores = self.score(values)
        if self.same_text:
            scores[same] = np.nan_to_num(self.identical(values[same]))
        return scores

    def limited(self, raw: Doubles, values: Doubles) -> Doubles:
        """Raw scores, float64[n, types], cut to ``NOT_BOTH`` where not both items have anything of a type.

        ``values`` are the features that they are of, float64[n, features].

        >>> from models.regressors.linear import Weighted
        >>> line = Weighted(np.zeros((0, 8)), np.zeros(8))
        >>> system = System("demo", ("people",), line, both={"people": "people"})
        >>> system.limited(np.full((1, 8), 3.0), np.array([[0.5]]))[0, :3].tolist()
        [3.0, 3.0, 2.0]
        """
        return np.where(self.not_both(values), np.minimum(raw, NOT_BOTH), raw)

    def inapplicable(self, values: Doubles) -> Bools:
        """Where neither item has anything of a type: bool[n, types] for values float64[n, features]."""
        return ~known_pairs(self, self.features, values, tuple(self.types))

    def lacks(self, kind: SimilarityType, values: Floats) -> Bools:
        """Where neither item, or an item, has anything of a type, by the feature of ``not_applicable``."""
        return _nothing(values, self.applies.get(kind, 0.0))

    def not_both(self, values: Doubles) -> Bools:
        """Where not both items have anything of a type: bool[n, types] for values float64[n, features]."""
        lacking = np.zeros((*values.shape[:-1], len(self.types)), dtype=bool)
        for at, kind in enumerate(self.types):
            if kind in self.both:
                lacking[..., at] = self.one_sided(values[..., self.features.index(self.both[kind])])
        return lacking

    @staticmethod
    def one_sided(values: Floats) -> Bools:
        """Where not both items have anything, by the values of a feature of ``both``.

        >>> System.one_sided(np.array([0.0, 0.5, 0.51, np.nan])).tolist()
        [True, True, False, True]
        """
        return _nothing(values, LIKELY)

    def identical(self, values: Doubles) -> Doubles:
        """Scores of items with themselves, float64[n, types], from their features with themselves.

        5 where a type has information: it applies, and a feature that can move it is known. Else NaN.

        >>> from models.regressors.linear import Weighted
        >>> system = System("demo", ("f",), Weighted(np.full((1, 8), 0.5), np.zeros(8)))
        >>> system.identical(np.array([[1.0], [np.nan]]))[:, 0].tolist()  # 0.5 would be the score
        [5.0, nan]
        """
        known = ~np.isnan(values[..., : self.regressor.width])
        moving = np.ones((known.shape[-1], len(self.types)), bool)
        if self.additive is not None:
            moving = self.additive.active
        return np.where((known @ moving) & ~self.inapplicable(values), SCALE[1], np.nan)


def _nothing(values: Floats, above: float) -> Bools:
    """Where a feature says that nothing is there: it is NaN, or not above a value.

    Compared at 6 decimals and in single precision, to which all ways to the same number agree.
    """
    return np.logical_not(np.asarray(values, np.float32) > np.float32(above + 5e-7))


def known_pairs(
    row: System | SystemSettings, names: Sequence[str], values: Doubles, types: Sequence[SimilarityType]
) -> Bools:
    """Which pairs have anything of a type, bool[pairs, types]; the columns of ``values`` are ``names``."""
    known = np.ones((*values.shape[:-1], len(types)), dtype=bool)
    for at, kind in enumerate(types):
        if kind in row.not_applicable:
            column = values[..., names.index(row.not_applicable[kind])]
            known[..., at] = ~_nothing(column, row.applies.get(kind, 0.0))
    return known


def fit(name: str, settings: SystemSettings, values: Doubles, gold: Doubles, types: Types = EIGHT) -> System:
    """Train a system on feature values float64[pairs, features] and gold float64[pairs, types].

    The columns of ``values`` are the features that the settings need, in that order; those of ``gold`` are
    ``types``, all of which the settings have features for. A type is learnt from the pairs that have anything
    of it (see ``System.inapplicable``) and gold for it, which is NaN where there is none. A system without
    weights to learn comes back as declared. Raises ``PairsError`` where there is no pair.

    >>> from models.regressors.linear import LinearSettings
    >>> settings = LinearSettings(title="demo", regressor="linear", features=("f",))
    >>> system = fit("demo", settings, np.array([[0.0], [1.0]]), np.array([[1.0] * 8, [3.0] * 8]))
    >>> system.score(np.array([[0.5]]))[0, 0].round(9).item()  # through (0, 1) and (1, 3)
    2.0
    """
    if not len(values):
        raise PairsError("there is no pair to train on")
    known = known_pairs(settings, settings.needs, values, tuple(types))
    regressor = settings.fit(values[:, : len(settings.sees)], gold, known, tuple(types))
    return declared(name, settings, regressor, types)


def untrained(name: str, settings: SystemSettings, types: Types = EIGHT) -> System:
    """A system that needs no training, over those of some types that it has."""
    own = settings.types(types)
    return declared(name, settings, settings.restore({}, tuple(own)), own)


def declared(name: str, settings: SystemSettings, regressor: Regressor, types: Types) -> System:
    """A declared system with what it has learnt of some types."""
    return System(
        name,
        settings.needs,
        regressor,
        settings.not_applicable,
        types,
        settings.floor,
        settings.applies,
        settings.both,
        settings.same_text,
    )
