"""The registry of engines: which there are, by the names that ``index.kind`` takes.

Engines that come with Kindred are named here, others by the entry point group ``kindred.engines``. An entry
point names an ``Engine`` (see ``service.search.engines.engine``). Its module is imported whenever settings
are read, so it imports nothing heavy before the engine is opened.
"""

from collections.abc import Mapping
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Final, Protocol, TypeVar, cast

from pydantic import BaseModel, ConfigDict, create_model

GROUP: Final = "kindred.engines"

BUILT_IN: Final[Mapping[str, str]] = {
    "local": "service.search.engines.local.engine:ENGINE",
    "sharded": "service.search.engines.sharded.engine:ENGINE",
    "elasticsearch": "service.search.engines.elastic.engine:ENGINE",
}

_Section = TypeVar("_Section", bound=BaseModel)
_Keys = TypeVar("_Keys", bound="EngineSettings")


class EngineSettings(BaseModel):
    """The keys of an engine in the section ``index``, where the keys of all engines stand together."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Declared(Protocol):
    """What is known of an engine before it is opened."""

    @property
    def about(self) -> str:
        """Where the items lie, in a few words."""

    @property
    def settings(self) -> type[EngineSettings]:
        """Its keys."""


@cache
def engines() -> Mapping[str, Declared]:
    """All engines by their names; one that comes with Kindred stands over another of its name."""
    own = [EntryPoint(name, value, GROUP) for name, value in BUILT_IN.items()]
    others = [one for one in entry_points(group=GROUP) if one.name not in BUILT_IN]
    return {one.name: cast("Declared", one.load()) for one in (*own, *others)}


def known(kind: str) -> str:
    """The name of an engine; raises ``ValueError``, which names those that there are, for another."""
    if kind not in engines():
        raise ValueError(f"there is no such engine; there are: {', '.join(engines())}")
    return kind


def keys_of(section: object, model: type[_Keys]) -> _Keys:
    """The keys of an engine in the section ``index``; raises ``TypeError`` for a section without them."""
    if not isinstance(section, model):
        raise TypeError(f"the section index lacks the keys of {model.__name__}")
    return section


def with_keys(name: str, section: type[_Section]) -> type[_Section]:
    """A section of the settings with the keys of all engines behind its own."""
    models = dict.fromkeys(engine.settings for engine in reversed([*engines().values()]))
    bases = cast("tuple[type[_Section], ...]", (*models, section))
    return create_model(name, __base__=bases, __module__=section.__module__, __doc__=section.__doc__)
