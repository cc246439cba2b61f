"""Collections in a real cluster: a few items made by hand, and the sample with the real models."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from service.search.engines.elastic import building
from service.search.engines.elastic.client import connect
from service.search.engines.elastic.generations import Generations
from service.search.engines.elastic.settings import cluster as cluster_of
from service.sections import StateSettings
from service.settings import IndexSettings, Settings, load
from tests.environment import PATIENCE
from tests.service.builders import museum_state
from tests.service.elastic.cluster import Cluster, shared, tool, turn
from tests.service.museum import RECORDS


@pytest.fixture(scope="session")
def _cluster() -> Iterator[Cluster]:
    tool()
    with shared() as running:
        yield running


@pytest.fixture
def cluster(_cluster: Cluster) -> Iterator[Cluster]:
    """The cluster, whole and empty, for one test alone."""
    with turn(_cluster):
        _cluster.mend()
        _cluster.empty()
        yield _cluster


def in_cluster(settings: Settings, cluster: Cluster, folder: Path, **index: object) -> Settings:
    """Settings whose items lie in a cluster."""
    own: dict[str, object] = {"replicas": 1, "timeout": 60.0, **index}
    there = IndexSettings.model_validate({"kind": "elasticsearch", "urls": cluster.urls, **own})
    return settings.model_copy(update={"index": there, "state": StateSettings(directory=folder)})


@pytest.fixture
def museum(settings: Settings, cluster: Cluster, tmp_path: Path) -> Settings:
    """A few items of several museums, built, and nothing of them in the cluster yet."""
    there = in_cluster(settings, cluster, tmp_path)
    museum_state(there, RECORDS)
    return there


@pytest.fixture
def answering(museum: Settings) -> Settings:
    """The same, in the cluster, which answers."""
    send(museum)
    return museum


def send(settings: Settings) -> str:
    """Build the index of a collection and let it answer; its name."""
    made = building.build(settings)
    building.switch(settings, made.index, Generations(connect(cluster_of(settings)), cluster_of(settings)))
    return made.index


def index_behind(settings: Settings) -> str:
    """The index that answers."""
    (name,) = connect(cluster_of(settings)).indices.get_alias(name=cluster_of(settings).name)
    return str(name)


@pytest.fixture(scope="session")
def sample(sample: Path, tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """The sample collection in a state of its own, which takes what was sent to the cluster."""
    folder = shutil.copytree(sample, tmp_path_factory.mktemp("sample") / "state")
    return load().model_copy(update={"state": StateSettings(directory=folder)})


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what needs the cluster."""
    for item in items:
        if "_cluster" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.cluster)


def kindred(state: Path, *command: str, **more: str) -> subprocess.CompletedProcess[str]:
    """Run a command; ``more`` are variables of the environment."""
    done = subprocess.run(
        [sys.executable, "-c", "from service.cli.root import main; main()", *command],
        env={**os.environ, "KINDRED_STATE__DIRECTORY": str(state), **more},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert done.returncode == 0, done.stderr
    return done
