"""The registry of measures: a module of a room of measures that declares settings with a ``measure`` literal.

There are two rooms: ``features.measures`` holds what museums run, ``features.research.measures`` what only
research compares it with.
"""

import pkgutil
from collections.abc import Iterable, Iterator
from importlib import import_module
from typing import TYPE_CHECKING, Annotated, Final, Literal, TypeAlias, Union, get_origin

from pydantic import Field

from features.measures.base import MeasureSettings

ROOMS: Final = ("features.measures", "features.research.measures")


def _declared() -> Iterator[type[MeasureSettings]]:
    """The settings of every measure, module by module in the order of their names, whatever the room."""
    modules = [(module.name, room) for room in ROOMS for module in pkgutil.iter_modules(_path(room))]
    for name, room in sorted(modules):
        if f"{room}.{name}" == __name__:
            continue
        module = import_module(f"{room}.{name}")
        for member in vars(module).values():
            if isinstance(member, type) and member.__module__ == module.__name__ and _names_a_measure(member):
                yield member


def _path(room: str) -> Iterable[str]:
    return import_module(room).__path__


def _names_a_measure(settings: type) -> bool:
    """Whether these are the settings of one measure, and not a base class that several share."""
    return (
        issubclass(settings, MeasureSettings)
        and get_origin(settings.model_fields["measure"].annotation) is Literal
    )


if TYPE_CHECKING:
    FeatureSettings: TypeAlias = MeasureSettings
else:
    FeatureSettings = Annotated[Union[tuple(_declared())], Field(discriminator="measure")]  # noqa: UP007
"""A row of ``features`` in config.yaml; ``measure`` says which."""
