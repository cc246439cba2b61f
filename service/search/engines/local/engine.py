"""The local engine, as the registry finds it: exact, over the collection that was built."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from service.search.engines.registry import EngineSettings

if TYPE_CHECKING:
    from service.search.engines.engine import ProfileMaker, Provider
    from service.search.engines.local.provider import IndexMaker
    from service.settings import Settings


class LocalEngine:
    """Neighbours by scoring every item; it has no keys of its own."""

    about = "embedded, in the memory of each process"
    settings: type[EngineSettings] = EngineSettings
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

        index = self.index(settings, live=live)
        return LocalProvider(
            settings, analyse, system, live=live, watched=watched, opened=opened, index=index
        )

    def index(self, settings: "Settings", *, live: bool) -> "IndexMaker":
        """What makes the index over a generation, with live changes or without them."""
        from service.search.engines.local.index import LocalIndex

        return LocalIndex

    def sender(self, settings: "Settings", analyse: "ProfileMaker") -> None:
        """Nothing: each process reads the catalogue."""


ENGINE = LocalEngine()
