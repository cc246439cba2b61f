"""The registry of measures: a module here that declares settings with a ``measure`` literal is a measure."""

import pkgutil
from collections.abc import Iterator
from importlib import import_module
from typing import TYPE_CHECKING, Annotated, Literal, TypeAlias, Union, get_origin

from pydantic import Field

from features.measures.base import MeasureSettings


def _declared() -> Iterator[type[MeasureSettings]]:
    """The settings of every measure, module by module in the order of their names."""
    for name in sorted(found.name for found in pkgutil.iter_modules(__path__)):
        module = import_module(f"{__name__}.{name}")
        for made in vars(module).values():
            if isinstance(made, type) and made.__module__ == module.__name__ and _names_itself(made):
                yield made


def _names_itself(made: type) -> bool:
    """Whether these are the settings of a measure, and not what several share."""
    return (
        issubclass(made, MeasureSettings) and get_origin(made.model_fields["measure"].annotation) is Literal
    )


if TYPE_CHECKING:
    FeatureSettings: TypeAlias = MeasureSettings
else:
    FeatureSettings = Annotated[Union[tuple(_declared())], Field(discriminator="measure")]  # noqa: UP007
"""A row of ``features`` in config.yaml; ``measure`` says which."""
