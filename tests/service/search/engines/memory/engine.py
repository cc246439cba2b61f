"""The engine as the registry finds it."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from pydantic import Field

from service.search.engines.registry import EngineSettings

if TYPE_CHECKING:
    from service.search.engines.engine import ProfileMaker, Provider
    from service.settings import Settings


class MemorySettings(EngineSettings):
    """How many items are scored."""

    memory_candidates: int = Field(1000, ge=1, description="items of a type that are scored")


class MemoryEngine:
    """Candidates by what the measures declare, in arrays."""

    about = "in arrays"
    settings = MemorySettings
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
        """What gives the recommender over the generation that is there when it is first asked."""
        from tests.service.search.engines.memory.provider import MemoryProvider

        return MemoryProvider(settings, analyse, system, live)

    def sender(self, settings: "Settings", analyse: "ProfileMaker") -> None:
        """Nothing: the provider reads the catalogue."""


ENGINE = MemoryEngine()
