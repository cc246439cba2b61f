"""Fitting a system to gold scores."""

import numpy as np

from ingest.errors import PairsError
from models.systems import Matrix, System, SystemSettings
from models.types import TYPES


def fit(name: str, settings: SystemSettings, values: Matrix, gold: Matrix) -> System:
    """Train a system on feature values float64[pairs, features] and gold float64[pairs, 8].

    The columns of ``values`` are the features that the settings need, in that order. A type is learnt
    from the pairs that have anything of it (see ``System.silent``). A system without weights to learn
    comes back as declared. Raises ``PairsError`` where there is no pair.

    >>> from models.regressors.linear import LinearSettings
    >>> settings = LinearSettings(title="demo", regressor="linear", features=("f",))
    >>> system = fit("demo", settings, np.array([[0.0], [1.0]]), np.array([[1.0] * 8, [3.0] * 8]))
    >>> system.score(np.array([[0.5]]))[0, 0].round(9).item()  # through (0, 1) and (1, 3)
    2.0
    """
    if not len(values):
        raise PairsError("there is no pair to train on")
    known = np.full((len(values), len(TYPES)), True)
    for kind, feature in settings.not_applicable.items():
        known[:, kind.position] = values[:, settings.needs.index(feature)] != 0
    regressor = settings.fit(values[:, : len(settings.sees)], gold, known)
    return System(name, settings.needs, regressor, settings.not_applicable)
