"""The sharded engine, as the registry finds it: exact, over parts that other processes search."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from service.search.engines.sharded.settings import ShardedSettings, sharded

if TYPE_CHECKING:
    from service.search.engines.engine import ProfileMaker, Provider
    from service.settings import Settings


class ShardedEngine:
    """The local engine, whose pass over all items is made by several processes, on as many machines."""

    about = "embedded too, but searched in parts by several processes, on one machine or on many"
    settings = ShardedSettings
    whole = True

    def provider(
        self,
        settings: "Settings",
        analyse: "ProfileMaker",
        system: str | None = None,
        *,
        live: bool = True,
        watched: Callable[[str, int], None] | None = None,
        opened: Callable[[], None] | None = None,
    ) -> "Provider":
        """What gives the recommender over the current generation and the live changes."""
        from service.search.engines.local.provider import LocalProvider
        from service.search.engines.sharded.index import ShardedIndex
        from service.search.engines.sharded.searchers import Searchers

        make = partial(LocalProvider, settings, analyse, system, live=live, watched=watched, opened=opened)
        # without live changes all items are worked out, as after a build: searchers have the one before yet
        return make(index=partial(ShardedIndex, searchers=Searchers(sharded(settings)))) if live else make()

    def sender(self, settings: "Settings", analyse: "ProfileMaker") -> None:
        """Nothing: each process reads the catalogue."""


ENGINE = ShardedEngine()
