"""Fitting a system to gold scores."""

from collections.abc import Sequence

import numpy as np

from features.arrays import Bools, Doubles
from ingest.errors import PairsError
from models.systems import System, SystemSettings, declared, nothing
from models.types import EIGHT, SimilarityType, Types


def fit(name: str, settings: SystemSettings, values: Doubles, gold: Doubles, types: Types = EIGHT) -> System:
    """Train a system on feature values float64[pairs, features] and gold float64[pairs, types].

    The columns of ``values`` are the features that the settings need, in that order; those of ``gold`` are
    ``types``, all of which the settings have features for. A type is learnt from the pairs that have
    anything of it (see ``System.inapplicable``). A system without weights to learn comes back as declared.
    Raises ``PairsError`` where there is no pair.

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


def known_pairs(
    settings: SystemSettings, names: Sequence[str], values: Doubles, types: Sequence[SimilarityType]
) -> Bools:
    """Which pairs have anything of a type, bool[pairs, types]; the columns of ``values`` are ``names``."""
    known = np.full((len(values), len(types)), True)
    for at, kind in enumerate(types):
        if kind in settings.not_applicable:
            told = values[:, names.index(settings.not_applicable[kind])]
            known[:, at] = ~nothing(told, settings.applies.get(kind, 0.0))
    return known
