"""What a harvest takes in is answered by a service that runs, and what the source has no more is gone."""

import json
import os
import subprocess
import sys
from pathlib import Path
from time import monotonic, sleep

import pytest

from service.sections import StateSettings
from service.settings import Settings
from tests.environment import PATIENCE
from tests.ingest.oai.server import Entry, Museum
from tests.ingest.oai.server import serving as harvested
from tests.service.conftest import Server
from tests.service.operations.live_machine import Machine
from tests.service.processes import ROOT, serving

KINDRED = (sys.executable, "-c", "from service.cli.root import main; main()")
"""Within which a record that was harvested has to be in answers."""


@pytest.fixture
def machine(settings: Settings, tmp_path: Path) -> Machine:
    """Twelve items, built."""
    return Machine(settings.model_copy(update={"state": StateSettings(directory=tmp_path)}), 2)


def harvest(state: Path, url: str) -> dict[str, object]:
    config = state / "museum.yaml"
    config.write_text(f"harvest: {{museum: {{url: '{url}'}}}}\nharvesting: {{allowed: [127.0.0.0/8]}}\n")
    done = subprocess.run(
        [*KINDRED, "--config", str(config), "harvest", "museum", "--json"],
        env={**os.environ, "KINDRED_STATE__DIRECTORY": str(state)},
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=True,
    )
    told: dict[str, object] = json.loads(done.stdout)
    return told


def soon(server: Server, path: str, status: int) -> dict[str, object]:
    deadline = monotonic() + PATIENCE
    while True:
        reply = server.ask(path)
        if reply.status == status:
            told: dict[str, object] = json.loads(reply.body)
            return told
        assert monotonic() < deadline, reply
        sleep(0.1)


@pytest.mark.slow
def test_what_was_harvested_is_answered_without_a_build_or_a_restart(
    machine: Machine, tmp_path: Path
) -> None:
    museum = Museum(
        [Entry(f"oai:m:{n}", f"2026-02-0{n}T00:00:00Z", f"Regatta {n} in Venice") for n in (1, 2)]
    )
    with harvested(museum.answer) as url, serving(machine.settings.state.directory) as (server, _):
        assert server.ask("/items/oai:m:1").status == 404
        assert harvest(tmp_path, url)["added"] == 2
        found = soon(server, "/items/oai:m:1/similar?type=general&floor=0", 200)
        assert "oai:m:2" in [near["id"] for near in found["neighbours"]]  # type: ignore[attr-defined]
        museum.entries[0] = museum.entries[0]._replace(deleted=True, datestamp="2026-03-11T00:00:00Z")
        assert harvest(tmp_path, url)["deleted"] == 1
        soon(server, "/items/oai:m:1", 404)
        assert soon(server, "/items/oai:m:2", 200)["title"] == ["Regatta 2 in Venice"]
