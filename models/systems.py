"""Systems: which features make the eight scores, and how. Declared in config.yaml.

Most systems are *additive*: a score is a base plus one term a feature, so that it explains itself
exactly (its contributions add up to it) and can be searched exactly.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from models.regressors.base import AdditiveRegressor, Regressor, SystemSettings
from models.types import SCALE, TYPES, Matrix, SimilarityType

__all__ = ["Matrix", "System", "SystemSettings", "untrained"]


@dataclass(frozen=True, slots=True)
class System:
    """A system ready to score.

    ``features`` names the columns of the values it is given. ``regressor`` sees the first of them;
    the feature that ``not_applicable`` names for a type is 0 where neither item has anything of that type,
    and then there is nothing to score.

    >>> from models.regressors.linear import Weighted
    >>> line = Weighted(np.full((1, 8), 2.0), np.full(8, 1.0))
    >>> system = System("demo", ("f", "people"), line, {SimilarityType.PEOPLE: "people"})
    >>> values = np.array([[0.5, 1.0], [np.nan, 1.0], [9.0, 0.0]])
    >>> system.score(values)[:, 0].tolist()  # 1 + 2 * .5, base, clipped
    [2.0, 1.0, 5.0]
    >>> system.score(values)[:, 2].tolist()  # in the last pair neither item has people
    [2.0, 1.0, 0.0]
    """

    name: str
    features: tuple[str, ...]
    regressor: Regressor
    not_applicable: Mapping[SimilarityType, str] = field(default_factory=dict)

    @property
    def additive(self) -> AdditiveRegressor | None:
        """The regressor where every score is a sum of one term a feature, else None."""
        return self.regressor if isinstance(self.regressor, AdditiveRegressor) else None

    def raw(self, values: Matrix) -> Matrix:
        """Scores before clipping, float64[n, 8], for values float64[n, features]."""
        return self.regressor.raw(values[..., : self.regressor.width])

    def raw_of(self, values: Matrix, kind: SimilarityType) -> Matrix:
        """The same of one type, float64[n]."""
        return self.regressor.raw_of(values[..., : self.regressor.width], kind)

    def score(self, values: Matrix) -> Matrix:
        """Scores on the 0-5 scale, float64[n, 8]; 0 where there is nothing of a type."""
        return np.where(self.silent(values), 0.0, np.clip(self.raw(values), *SCALE))

    def silent(self, values: Matrix) -> npt.NDArray[np.bool_]:
        """Where neither item has anything of a type: bool[n, 8] for values float64[n, features]."""
        found = np.zeros((*values.shape[:-1], len(TYPES)), dtype=bool)
        for kind, feature in self.not_applicable.items():
            found[..., kind.position] = values[..., self.features.index(feature)] == 0
        return found


def untrained(name: str, settings: SystemSettings) -> System:
    """A system that needs no training."""
    return System(name, settings.needs, settings.restore({}), settings.not_applicable)
