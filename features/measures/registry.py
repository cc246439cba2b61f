"""The registry of measures: all settings with a ``measure`` literal that modules of measures declare.

There are two packages: ``features.measures`` holds what museums run, ``features.research.measures`` what only
research compares it with.
"""

import pkgutil
from importlib import import_module
from typing import TYPE_CHECKING, Annotated, Final, Literal, TypeAlias, Union, get_args, get_origin

from pydantic import Field

from features.measures.base import MeasureSettings

ROOMS: Final = ("features.measures", "features.research.measures")


def _declared() -> list[type[MeasureSettings]]:
    """The settings of every measure, in the order of their names, whatever the package."""
    measures: dict[str, type[MeasureSettings]] = {}
    for room in ROOMS:
        for module in pkgutil.iter_modules(import_module(room).__path__, f"{room}."):
            if module.name == __name__:
                continue
            for member in vars(import_module(module.name)).values():
                if isinstance(member, type) and issubclass(member, MeasureSettings):
                    literal = member.model_fields["measure"].annotation
                    if get_origin(literal) is Literal:  # not a base class that several measures share
                        measures[get_args(literal)[0]] = member
    return [measures[name] for name in sorted(measures)]


if TYPE_CHECKING:
    FeatureSettings: TypeAlias = MeasureSettings
else:
    FeatureSettings = Annotated[Union[tuple(_declared())], Field(discriminator="measure")]  # noqa: UP007
"""A row of ``features`` in config.yaml; ``measure`` says which."""
