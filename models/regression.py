"""Fitting a system to gold scores: eight linear regressors over the same features (thesis 6.3.4)."""

import numpy as np
from sklearn.linear_model import LinearRegression

from models.systems import Matrix, System, SystemSettings, untrained


def fit(name: str, settings: SystemSettings, values: Matrix, gold: Matrix) -> System:
    """Train a system on feature values float64[pairs, features] and gold float64[pairs, 8].

    Ordinary least squares with an intercept; no attribute is left out, so that every weight can
    be read. A system without weights to learn comes back as declared.

    >>> settings = SystemSettings(title="demo", regressor="linear", features=("f",))
    >>> system = fit("demo", settings, np.array([[0.0], [1.0]]), np.array([[1.0] * 8, [3.0] * 8]))
    >>> round(float(system.base[0]), 9), round(float(system.weights[0, 0]), 9)  # through (0, 1) and (1, 3)
    (1.0, 2.0)
    """
    if not settings.trained:
        return untrained(name, settings)
    filled = np.where(np.isnan(values), settings.missing, values)
    line = LinearRegression().fit(filled, gold)
    return System(name, settings.features, line.coef_.T.copy(), line.intercept_.copy(), settings.missing)
