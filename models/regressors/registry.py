"""The registry of regressors: a new one is a new module here and one name in the union below."""

from typing import Annotated

from pydantic import Field

from models.regressors.additive import AdditiveSettings
from models.regressors.linear import LinearSettings, OneSettings
from models.research.boosted import BoostedSettings
from models.research.svr import SvrSettings

DeclaredSystem = Annotated[
    OneSettings | LinearSettings | AdditiveSettings | SvrSettings | BoostedSettings,
    Field(discriminator="regressor"),
]
"""A row of ``systems`` in config.yaml; ``regressor`` says which."""
