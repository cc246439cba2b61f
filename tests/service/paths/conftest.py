"""A service that takes changes, over a small collection that is whole, and over one that an item has left."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from service.search.recommender import Recommender
from service.sections import StateSettings
from service.settings import Settings
from service.web.api.app import create_app
from tests.service.builders import recommender
from tests.service.conftest import new_key
from tests.service.museum import RECORDS

GONE = "m:05"
"""The item that is withdrawn."""


def writable(settings: Settings, state: Path, writes: bool = True) -> Settings:
    service = settings.service.model_copy(update={"writes": writes})
    return settings.model_copy(update={"service": service, "state": StateSettings(directory=state)})


def curator(museum: Recommender, settings: Settings) -> TestClient:
    """A client with the key of a curator."""
    key = {"Authorization": f"Bearer {new_key(settings)}"}
    return TestClient(create_app(museum, settings), headers=key)


@pytest.fixture(scope="session")
def museum(settings: Settings) -> Recommender:
    return recommender(RECORDS, settings)


@pytest.fixture(scope="session")
def shrunk(settings: Settings) -> Recommender:
    return recommender([one for one in RECORDS if one.id != GONE], settings)


@pytest.fixture
def curating(museum: Recommender, settings: Settings, tmp_path: Path) -> Iterator[TestClient]:
    """Who may write."""
    with curator(museum, writable(settings, tmp_path)) as client:
        yield client


@pytest.fixture
def visiting(museum: Recommender, settings: Settings, tmp_path: Path) -> Iterator[TestClient]:
    """Who may read, of the same state."""
    with TestClient(create_app(museum, writable(settings, tmp_path, writes=False))) as client:
        yield client


@pytest.fixture
def later(shrunk: Recommender, settings: Settings, tmp_path: Path) -> Iterator[TestClient]:
    """Who may write, of the same state after an item was withdrawn."""
    with curator(shrunk, writable(settings, tmp_path)) as client:
        yield client
