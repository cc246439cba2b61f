"""Live changes: they show at once, outlast kills, and are folded in."""

import os
from pathlib import Path

import pytest

from service.settings import Settings, StateSettings
from tests.service.live_machine import Machine

OPERATIONS = int(os.environ.get("LIVE_OPERATIONS", "250"))
"""10,000 for the whole promise; it takes some minutes."""


@pytest.fixture
def there(settings: Settings, tmp_path: Path) -> Settings:
    return settings.model_copy(update={"state": StateSettings(directory=tmp_path)})


def test_random_operations_and_kills_answer_as_scoring_every_pair(there: Settings) -> None:
    done = Machine(there, 20130613).run(OPERATIONS)
    assert sum(done.values()) == OPERATIONS
    assert min(done.values()) > 0
