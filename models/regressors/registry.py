"""The registry of regressors: a new one is a new module here and one name below."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any, Final, TypeAlias

from features.row_kinds import RowKinds
from models.regressors.additive import AdditiveSettings
from models.regressors.base import SystemSettings
from models.regressors.linear import LinearSettings, OneSettings

_USUAL: Final = (OneSettings, LinearSettings, AdditiveSettings)


def _every() -> Sequence[type[SystemSettings]]:
    """With those of ``models.research``, which are loaded when a row names one of them."""
    from models.research.opaque import BoostedSettings, SvrSettings

    return (*_USUAL, SvrSettings, BoostedSettings)


if TYPE_CHECKING:
    DeclaredSystem: TypeAlias = SystemSettings
else:
    DeclaredSystem = Annotated[Any, RowKinds("regressor", _USUAL, _every)]
"""A row of ``systems`` in config.yaml; ``regressor`` says which."""
