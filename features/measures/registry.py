"""The registry of measures: a module of a room of measures that declares settings with a ``measure`` literal.

There are two rooms: ``features.measures`` holds what museums run, ``features.research.measures`` what only
research compares it with, which is loaded when a row names a measure that the first room lacks.
"""

import pkgutil
from collections.abc import Iterator
from importlib import import_module
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, TypeAlias, get_origin

from features.measures.base import MeasureSettings
from features.row_kinds import RowKinds


def _declared(*rooms: str) -> Iterator[type[MeasureSettings]]:
    """The settings of every measure, module by module in the order of their names, whatever the room."""
    modules = [
        (found.name, room) for room in rooms for found in pkgutil.iter_modules(import_module(room).__path__)
    ]
    for name, room in sorted(modules):
        if f"{room}.{name}" == __name__:
            continue
        module = import_module(f"{room}.{name}")
        for member in vars(module).values():
            if isinstance(member, type) and member.__module__ == module.__name__ and _names_a_measure(member):
                yield member


def _names_a_measure(settings: type) -> bool:
    """Whether these are the settings of one measure, and not a base class that several share."""
    return (
        issubclass(settings, MeasureSettings)
        and get_origin(settings.model_fields["measure"].annotation) is Literal
    )


MEASURES: Final = RowKinds(
    "measure",
    tuple(_declared("features.measures")),
    lambda: tuple(_declared("features.measures", "features.research.measures")),
)

if TYPE_CHECKING:
    FeatureSettings: TypeAlias = MeasureSettings
else:
    FeatureSettings = Annotated[Any, MEASURES]
"""A row of ``features`` in config.yaml; ``measure`` says which."""
