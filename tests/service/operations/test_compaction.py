"""Compaction of live changes: a real service beside real rebuilds, and the commands."""

import fcntl
import json
import os
import re
import signal
import subprocess
import sys
import weakref
from collections.abc import Sequence
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest
from typer.testing import CliRunner

from features.collection import generation
from features.profiles.profile import Profile
from ingest.errors import UnwritableState
from ingest.record import Record
from service.cli.root import app
from service.composition import Analyser
from service.operations.compaction import Compaction, alone, log_file, start_if_due
from service.sections import StateSettings
from service.settings import Settings
from tests.environment import PATIENCE
from tests.service.builders import profiles, record
from tests.service.operations.live_machine import Machine
from tests.service.processes import patiently, serving


@pytest.fixture
def machine(settings: Settings, tmp_path: Path) -> Machine:
    return Machine(settings.model_copy(update={"state": StateSettings(directory=tmp_path)}), 2)


def _environment(machine: Machine) -> dict[str, str]:
    return {
        "KINDRED_STATE__DIRECTORY": str(machine.settings.state.directory),
        "KINDRED_SERVICE__SYSTEM": "linear",
    }


def _built(machine: Machine) -> int:
    manifest = generation.unchecked_manifest(machine.settings.state.collection)
    assert manifest is not None
    return manifest.revision


def test_a_service_shows_changes_at_once_and_compacts_them(machine: Machine) -> None:
    with serving(machine.settings.state.directory, REBUILD_AFTER="3") as (server, _):
        patiently(lambda: server.ask("/health/ready").status == 200)
        for n in range(3):
            machine.put(record(f"y:{n}", "Regatta in Venice", "Canaletto"))
            assert server.ask(f"/items/y:{n}/similar?type=author").status == 200
        deadline = monotonic() + PATIENCE
        while _built(machine) < 4:
            assert monotonic() < deadline, "nothing was rebuilt"
            assert json.loads(server.ask("/health/ready").body)["items"] == 15
            sleep(0.05)
        machine.put(record("y:3", "Boat"))
        ready = json.loads(server.ask("/health/ready").body)
        assert (ready["items"], ready["revision"]) == (16, 5)
        assert _built(machine) == 4


@pytest.fixture
def commands(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> Machine:
    for name, value in _environment(machine).items():
        monkeypatch.setenv(name, value)

    def analyse(_: Analyser, records: Sequence[Record]) -> list[Profile]:
        return profiles(records)

    monkeypatch.setattr(Analyser, "__call__", analyse)
    return machine


def run(*arguments: str, given: str | None = None) -> dict[str, Any]:
    """What a command answers for programs."""
    done = CliRunner().invoke(app, [*arguments, "--json"], input=given, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    answer = json.loads(done.stdout)
    assert isinstance(answer, dict)
    return answer


WHOLE = {"dates_not_understood": 0}


def test_put_delete_and_rebuild(commands: Machine, tmp_path: Path) -> None:
    file = tmp_path / "records.json"
    file.write_text('[{"id": "y:1", "title": "Boat"}, {"id": "x:00", "title": ["Boat", "Ship"]}]')
    assert run("put", str(file)) == {"revision": 2, "added": 1, "replaced": 1, "unchanged": 0, **WHOLE}
    assert run("put", str(file)) == {"revision": 2, "added": 0, "replaced": 0, "unchanged": 2, **WHOLE}
    lines = '{"id": "y:2", "title": "Boat"}\n\n{"id": "y:3", "title": "Boat"}\n'
    assert run("put", "-", given=lines) == {"revision": 3, "added": 2, "replaced": 0, "unchanged": 0, **WHOLE}
    assert run("delete", "y:2", "y:3") == {"revision": 4, "deleted": 2}
    assert run("item", "x:00")["title"] == ["Boat", "Ship"]
    rebuilt = run("rebuild")
    assert (rebuilt["items"], rebuilt["analysed"], rebuilt["revision"]) == (13, 0, 4)
    assert rebuilt["usual"] == {}  # linear reads no scaled feature
    assert _built(commands) == 4
    assert run("item", "x:00")["title"] == ["Boat", "Ship"]


@pytest.mark.filterwarnings("ignore:subprocess .* is still running:ResourceWarning")  # so it shall be
def test_rebuild_in_the_background(commands: Machine) -> None:
    commands.put(record("y:1", "Boat"))
    answer = run("rebuild", "--background")
    os.waitpid(answer["process"], 0)
    assert _built(commands) == 2, Path(answer["log"]).read_text()


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ('{"title": "Boat"}', "needs an id"),
        ('{"id": "y:1"}', "needs text"),
        (
            '[{"id": "y:1", "title": "Boat"}, {"id": "y:2", "titel": "Boat"}]',
            "record 2: .*titel is not",
        ),
        ('{"id": "y:1", "title": 7}', "record 1: .*title must be a text"),
        ("[1]", "record 1: .* must be a JSON object"),
        ("id,title", "no JSON"),
        ("[" + ",".join(f'{{"id": "z:{n}", "title": "x"}}' for n in range(1001)) + "]", "kindred ingest"),
    ],
)
def test_broken_input_puts_nothing(commands: Machine, given: str, message: str) -> None:
    done = CliRunner().invoke(app, ["put", "-"], input=given)
    assert re.search(message, str(done.exception))
    assert len(commands.provider().collection) == 12


def test_deleting_what_there_is_not_deletes_nothing(commands: Machine) -> None:
    done = CliRunner().invoke(app, ["delete", "x:00", "nobody"])
    assert "'nobody'" in str(done.exception)
    assert commands.provider().holds("x:00")


def test_one_rebuild_at_a_time(commands: Machine) -> None:
    with alone(commands.settings.state):
        for more in ((), ("--background",)):
            done = CliRunner().invoke(app, ["rebuild", *more])
            assert "under way" in str(done.exception)
    run("rebuild")


def test_a_rebuild_in_the_background_keeps_others_from_its_log(commands: Machine) -> None:
    with log_file(commands.settings.state).open("ab") as log:
        fcntl.flock(log, fcntl.LOCK_EX)
        log.write(b"what the first one says")
        log.flush()
        done = CliRunner().invoke(app, ["rebuild", "--background"])
        assert "under way" in str(done.exception)
        assert start_if_due(commands.settings, None, _current(commands), 1000) is None
    assert log_file(commands.settings.state).read_bytes() == b"what the first one says"


def _current(machine: Machine) -> str:
    return (machine.settings.state.collection / "current").read_text().strip()


@pytest.fixture
def failing(commands: Machine, monkeypatch: pytest.MonkeyPatch) -> Machine:
    """Rebuilds in the background begin after 5 changes, and fail."""
    monkeypatch.setenv("KINDRED_SERVICE__SYSTEM", "no such system")
    service = commands.settings.service.model_copy(update={"rebuild_after": 5})
    commands.settings = commands.settings.model_copy(update={"service": service})
    return commands


def test_when_a_rebuild_is_due(failing: Machine) -> None:
    def begun(changes: int, generation: str = "") -> bool:
        process = start_if_due(failing.settings, None, generation or _current(failing), changes)
        if process is not None:
            assert process.wait() == 2  # an error of the configuration
        return process is not None

    assert not begun(4)
    assert not begun(5, "generation-before")  # it was replaced since
    with alone(failing.settings.state):  # another is under way
        assert not begun(5)
    assert begun(5)
    # it failed, and whichever process asks: the next one begins after as many changes more
    assert not begun(5)
    assert not begun(9)
    assert "no such system" in log_file(failing.settings.state).read_text()
    assert begun(10)
    log_file(failing.settings.state).write_text("no note of an earlier one")
    assert begun(5)


def test_one_process_begins_one_rebuild_at_a_time(caplog: pytest.LogCaptureFixture) -> None:
    begun: list[subprocess.Popen[bytes]] = []

    def begin(generation: str, changes: int) -> "subprocess.Popen[bytes]":
        assert (generation, changes) != ("g", 4)
        code = "import sys; sys.stdin.read(); sys.exit(1)"
        begun.append(
            subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, start_new_session=True)
        )
        return begun[-1]

    compaction = Compaction(5, begin)
    for changes in (0, 4, 5, 6, 20):
        compaction("g", changes)
    assert len(begun) == 1
    begun[0].communicate()  # it fails
    compaction("g", 3)
    assert "ended with status 1" in caplog.text
    assert len(begun) == 1
    compaction("g", 5)
    assert len(begun) == 2
    compaction.stop()
    assert begun[1].returncode == -signal.SIGTERM
    never = Compaction(0, begin)
    never("g", 1000)
    assert len(begun) == 2
    begun[1].communicate()


def test_what_keeps_a_rebuild_from_beginning_is_said_once(caplog: pytest.LogCaptureFixture) -> None:
    now, attempts = [0.0], list[int]()

    def begin(generation: str, changes: int) -> None:
        attempts.append(changes)
        raise UnwritableState(f"{generation}-{changes // 10} cannot be written")

    compaction = Compaction(5, begin, lambda: now[0])
    for seconds, changes in ((0, 5), (4.9, 6), (5, 7), (9.9, 8), (60, 9)):
        now[0] = seconds
        compaction("g", changes)
    # it is tried every five seconds at most
    assert attempts == [5, 7, 9]
    assert caplog.text.count("not rebuilt: g-0 cannot be written") == 1


class Answer:
    """What a request has in its hands."""


def test_a_request_that_meets_a_rebuild_leaves_nothing_in_memory(settings: Settings, tmp_path: Path) -> None:
    under = settings.model_copy(update={"state": StateSettings(directory=tmp_path)})

    def ask() -> weakref.ref[Answer]:
        answer = Answer()
        assert start_if_due(under, None, "", 10**6) is None
        return weakref.ref(answer)

    with alone(under.state):
        assert [ask()() for _ in range(3)] == [None, None, None]
