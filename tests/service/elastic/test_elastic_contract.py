"""The Elasticsearch engine keeps the contract of all engines."""

from collections.abc import Iterator, Mapping
from typing import ClassVar

import pytest

from service.settings import Settings, load
from tests.service.builders import linear, museum_state
from tests.service.elastic.cluster import Cluster, turn
from tests.service.elastic.conftest import in_cluster, send
from tests.service.search.engines.contract import ITEMS, EngineContract


@pytest.fixture(scope="module")
def sent(_cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Settings]:
    """The items, built and sent to the cluster."""
    with turn(_cluster):
        _cluster.mend()
        _cluster.empty()
        made = in_cluster(linear(load()), _cluster, tmp_path_factory.mktemp("contract"))
        museum_state(made, ITEMS)
        send(made)
        yield made


class TestElastic(EngineContract):
    KIND = "elasticsearch"
    FEW: ClassVar[Mapping[str, object]] = {"candidates": 10, "budget": 20}

    @pytest.fixture
    def state(self, sent: Settings) -> Settings:
        return sent
