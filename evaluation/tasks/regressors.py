"""The regressors of the systems of the tasks: each learns from features and gold, and scores others.

A feature that tells nothing of a pair counts 0.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

import numpy as np

from features.arrays import Doubles

if TYPE_CHECKING:
    from sklearn.base import RegressorMixin

Regressor = Callable[[Doubles, Doubles], Callable[[Doubles], Doubles]]
"""From features float64[pairs, features] and gold to what scores features."""
_LEAST: Final = 0.01
"""What is added to a value before its logarithm is taken."""


def linear(values: Doubles, gold: Doubles) -> Callable[[Doubles], Doubles]:
    """Least squares, as Weka's linear regression: with a ridge of 1e-8.

    >>> x = np.linspace(0, 1, 5)[:, np.newaxis]
    >>> linear(x, 2 * x[:, 0])(np.array([[0.5]])).round(4).tolist()
    [1.0]
    """
    from sklearn.linear_model import Ridge

    return _fitted(Ridge(alpha=1e-8), values, gold)


def log_linear(values: Doubles, gold: Doubles) -> Callable[[Doubles], Doubles]:
    """Least squares over the logarithms of the features (UKP 2012)."""
    scores = linear(_logarithms(values), gold)
    return lambda tested: scores(_logarithms(tested))


def ridge(values: Doubles, gold: Doubles) -> Callable[[Doubles], Doubles]:
    """Ridge regression, alpha 1 (DLS@CU 2015)."""
    from sklearn.linear_model import Ridge

    return _fitted(Ridge(alpha=1.0), values, gold)


def support_vectors(values: Doubles, gold: Doubles) -> Callable[[Doubles], Doubles]:
    """Support vectors with a radial kernel over standardised features (TakeLab 2012)."""
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    from sklearn.svm import SVR

    return _fitted(make_pipeline(StandardScaler(), SVR(C=1.0, epsilon=0.1, cache_size=1000)), values, gold)


def linear_support_vectors(values: Doubles, gold: Doubles) -> Callable[[Doubles], Doubles]:
    """Linear support vectors over standardised features (Samsung 2016)."""
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    from sklearn.svm import LinearSVR

    model = LinearSVR(C=1.0, random_state=20130613, max_iter=20_000)
    return _fitted(make_pipeline(StandardScaler(), model), values, gold)


def _fitted(model: "RegressorMixin", values: Doubles, gold: Doubles) -> Callable[[Doubles], Doubles]:
    model.fit(np.nan_to_num(values, nan=0.0), gold)

    def scores(tested: Doubles) -> Doubles:
        predicted: Doubles = model.predict(np.nan_to_num(tested, nan=0.0))
        return predicted

    return scores


def _logarithms(values: Doubles) -> Doubles:
    """The logarithms of values of 0 and more; of one that is unknown that of 0."""
    logarithms: Doubles = np.log(np.nan_to_num(values, nan=0.0) + _LEAST)
    return logarithms
