"""The keys of the sharded engine in the section ``index``."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from pydantic import Field, StringConstraints

from service.search.engines.registry import EngineSettings, keys_of

if TYPE_CHECKING:
    from service.settings import Settings

_Searcher = Annotated[str, StringConstraints(pattern=r"^https?://[^/\s@*?#]+$")]
"""The address of a process that searches: scheme, host, port."""


class ShardedSettings(EngineSettings):
    """Who searches a part of the items each."""

    searchers: tuple[_Searcher, ...] = Field(
        (),
        max_length=256,
        description="addresses of the processes that search, each started by `kindred shard`: scheme, host"
        " and port; each has a part of the items. None: this process searches all",
    )
    deadline: float = Field(
        1.0,
        gt=0,
        le=60,
        description="seconds after which a part that was not answered is searched in this process",
    )
    secret_file: Path | None = Field(
        None,
        description="file with a secret that all these processes share; without one they answer this machine"
        " only",
    )


def sharded(settings: "Settings") -> ShardedSettings:
    """The keys of the engine among all settings."""
    return keys_of(settings.index, ShardedSettings)
