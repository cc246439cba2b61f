"""The Elasticsearch engine, as the registry finds it: the items lie in a cluster."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from service.search.engines.elastic.settings import ElasticSettings

if TYPE_CHECKING:
    from service.operations.writing import Sender
    from service.search.engines.engine import ProfileMaker, Provider
    from service.settings import Settings


class ElasticEngine:
    """Neighbours among candidates that a cluster proposes; no item is in this process beyond a question."""

    about = "a cluster"
    settings = ElasticSettings
    whole = False

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
        """What gives the recommender over the index that answers.

        Nothing is watched: live changes lie in the cluster, where the next build finds them as well.
        """
        from service.search.engines.elastic.provider import ClusterProvider

        return ClusterProvider(settings, analyse, system, opened)

    def sender(self, settings: "Settings", analyse: "ProfileMaker") -> "Sender":
        """What sends live changes to the index that answers."""
        from service.search.engines.elastic.provider import ClusterProvider
        from service.search.engines.elastic.sending import Sending

        return Sending(settings, ClusterProvider(settings, analyse).answering)


ENGINE = ElasticEngine()
