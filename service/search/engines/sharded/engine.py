"""The sharded engine, as the registry finds it: exact, over parts that other processes search."""

from functools import partial
from typing import TYPE_CHECKING

from service.search.engines.local.engine import LocalEngine
from service.search.engines.sharded.settings import ShardedSettings, sharded

if TYPE_CHECKING:
    from service.search.engines.local.provider import IndexMaker
    from service.settings import Settings


class ShardedEngine(LocalEngine):
    """The local engine, whose pass over all items is made by several processes, on as many machines."""

    about = "embedded too, but searched in parts by several processes, on one machine or on many"
    settings = ShardedSettings

    def index(self, settings: "Settings", *, live: bool) -> "IndexMaker":
        """As of the local engine.

        Without live changes all items are worked out, as after a build: searchers have the collection before.
        """
        if not live:
            return super().index(settings, live=live)
        from service.search.engines.sharded.index import ShardedIndex
        from service.search.engines.sharded.searchers import Searchers

        return partial(ShardedIndex, searchers=Searchers(sharded(settings)))


ENGINE = ShardedEngine()
