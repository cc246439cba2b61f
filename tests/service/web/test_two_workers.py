"""Two processes that answer, live writes over HTTP and compaction, all at the same time."""

import json
import re
import threading
from functools import partial
from pathlib import Path
from time import sleep

import pytest

from features.collection import generation
from service.sections import StateSettings
from service.settings import Settings
from tests.service.conftest import Reply, Server, new_key
from tests.service.operations.live_machine import Machine
from tests.service.processes import logged, patiently

pytestmark = pytest.mark.slow

AFTER = 3


@pytest.fixture
def machine(settings: Settings, tmp_path: Path) -> Machine:
    """Twelve items x:00 to x:11, built."""
    return Machine(settings.model_copy(update={"state": StateSettings(directory=tmp_path)}), 2)


def replaced(collection: Path, before: generation.GenerationManifest | None) -> bool:
    return generation.unchecked_manifest(collection) != before


class Client(threading.Thread):
    """Asks for the items that are there, again and again, and keeps every answer that is wrong."""

    def __init__(self, server: Server, sent: set[str], stored: set[str]) -> None:
        """``sent`` are the ids of items that may be there, ``kept`` those that were acknowledged."""
        super().__init__()
        self._server, self._sent, self._stored = server, sent, stored
        self.over = threading.Event()
        self.rounds = 0
        self.wrong: list[object] = []

    def run(self) -> None:
        while not self.over.is_set():
            before = set(self._stored)
            listed = self._server.ask("/items?limit=100")
            near = self._server.ask("/items/x:00/similar?type=author&limit=100")
            after = set(self._sent)
            self.rounds += 1
            self._check(listed, "items", before, after)
            self._check(near, "neighbours", set(), after)
            sleep(0.02)

    def _check(self, reply: Reply, key: str, least: set[str], most: set[str]) -> None:
        ids = {one["id"] for one in json.loads(reply.body).get(key, [])}
        if reply.status != 200 or not least <= ids <= most:
            self.wrong.append((key, reply.status, sorted(least - ids), sorted(ids - most)))


def test_live_writes_are_answered_and_compacted_once(machine: Machine, tmp_path: Path) -> None:
    collection, log = machine.settings.state.collection, tmp_path / "serve.log"
    sent = {f"x:{n:02}" for n in range(12)}
    stored = set(sent)
    service = {"WORKERS": "2", "WRITES": "true", "REBUILD_AFTER": str(AFTER)}
    with logged(tmp_path, log, new_key(machine.settings), **service) as server:
        clients = [Client(server, sent, stored) for _ in range(2)]
        for client in clients:
            client.start()
        for round_ in (1, 2):
            before = generation.unchecked_manifest(collection)
            for n in range(AFTER):
                item = f"y:{round_}{n}"
                body = json.dumps({"title": f"Regatta {n} in Venice", "creator": "Canaletto"}).encode()
                sent.add(item)
                assert server.ask(f"/items/{item}", "PUT", body).status == 201
                stored.add(item)
                for _ in range(6):  # whichever process is asked
                    assert server.ask(f"/items/{item}/similar?type=author").status == 200
            patiently(partial(replaced, collection, before))
        sleep(1)  # a second rebuild that were begun too many would be seen in the log
        for client in clients:
            client.over.set()
            client.join()
        assert [client.wrong for client in clients] == [[], []]
        assert all(client.rounds for client in clients)
        answers = [server.ask("/health/ready") for _ in range(12)]
        # a process that was started last may still load its models
        revisions = {json.loads(one.body)["revision"] for one in answers if one.status == 200}
        assert revisions == {1 + 2 * AFTER}
    lines = log.read_text()
    assert lines.count("the collection is being rebuilt") == 2, lines
    assert "Traceback" not in lines
    # the log is the winner's: how it began, and the answer of a build that was done
    rebuilt = (tmp_path / "rebuild.log").read_text()
    assert json.loads(rebuilt.splitlines()[0])["changes"] == AFTER
    assert re.search(rf"revision\s+{1 + 2 * AFTER}\b", rebuilt), rebuilt
