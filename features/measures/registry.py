"""The registry of measures: all settings with a ``measure`` literal that modules of measures declare.

There are two rooms: ``features.measures`` holds what museums run, ``features.research.measures`` what only
research compares it with, which is loaded when a row names a measure that the first room lacks.
"""

import pkgutil
from importlib import import_module
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, TypeAlias, get_args, get_origin

from features.measures.base import MeasureSettings
from features.row_kinds import RowKinds


def _declared(*rooms: str) -> tuple[type[MeasureSettings], ...]:
    """The settings of every measure of some packages, in the order of the measures' names."""
    measures: dict[str, type[MeasureSettings]] = {}
    for room in rooms:
        for module in pkgutil.iter_modules(import_module(room).__path__, f"{room}."):
            own = {} if module.name == __name__ else vars(import_module(module.name))
            for member in own.values():
                if isinstance(member, type) and issubclass(member, MeasureSettings):
                    literal = member.model_fields["measure"].annotation
                    if get_origin(literal) is Literal:  # not a base class that several measures share
                        measures[get_args(literal)[0]] = member
    return tuple(measures[name] for name in sorted(measures))


_ROOM: Final = "features.measures"
MEASURES: Final = RowKinds(
    "measure", _declared(_ROOM), lambda: _declared(_ROOM, "features.research.measures")
)

if TYPE_CHECKING:
    FeatureSettings: TypeAlias = MeasureSettings
else:
    FeatureSettings = Annotated[Any, MEASURES]
"""A row of ``features`` in config.yaml; ``measure`` says which."""
