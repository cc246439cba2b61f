"""``kindred serve``: from a collection on disk to a server that stops when told."""

import gc
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
import weakref
from contextlib import closing, suppress
from http import HTTPStatus
from http.client import HTTPConnection
from pathlib import Path

import pytest

from bench.served import free_port
from features.collection.build import build
from ingest.errors import CollectionMissing, ResourceMissing, UnusableAddress
from models import artefact
from service.composition import open_provider, open_recommender
from service.sections import StateSettings
from service.settings import Settings
from service.web.serving import bound, freeze
from tests.builders import NONE
from tests.environment import PATIENCE
from tests.service.builders import items, record, served, system
from tests.service.processes import ROOT, patiently, serving

RECORDS = [record(f"x:{n}", f"View {n} of Venice", "Hand", "", f"18{n:02}") for n in range(12)]


@pytest.fixture
def there(settings: Settings, tmp_path: Path) -> Settings:
    return settings.model_copy(update={"state": StateSettings(directory=tmp_path)})


def fill(settings: Settings, number: int, revision: int) -> None:
    build(
        settings.state.collection,
        items(RECORDS[:number]),
        served(settings),
        NONE,
        revision=revision,
        pipeline="",
    )
    artefact.save(
        settings.state.weights,
        system(settings),
        settings.system("linear"),
        settings.features,
        trained_on="nothing",
        pairs=0,
    )


def test_a_desk_opens_what_is_built_and_then_what_is_built_anew(there: Settings) -> None:
    provider = open_provider(there)
    with pytest.raises(CollectionMissing, match="kindred build"):
        provider()
    fill(there, 6, 1)
    first = provider()
    assert len(first.collection) == 6
    assert provider() is first
    fill(there, 12, 2)
    assert len(provider().collection) == 12
    assert len(first.collection) == 6


def test_a_desk_keeps_what_it_has_where_the_new_cannot_be_opened(
    there: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    provider = open_provider(there)
    fill(there, 6, 1)
    first = provider()
    fill(there, 12, 2)
    for manifest in there.state.collection.glob("*/manifest.json"):
        manifest.write_text("{")
    assert provider() is first
    assert "one before" in caplog.text


def test_a_system_whose_features_the_collection_lacks_is_refused(there: Settings) -> None:
    fill(there, 6, 1)
    fewer = {name: feature for name, feature in served(there).items() if name != "years"}
    build(there.state.collection, items(RECORDS), fewer, NONE, revision=2, pipeline="")
    with pytest.raises(ResourceMissing, match=r"needs years.*kindred build"):
        open_recommender(there, "linear")
    assert open_recommender(there, "T0-parsed").system.name == "T0-parsed"


@pytest.mark.parametrize("stop", [signal.SIGTERM, signal.SIGINT])
def test_serve_says_where_and_stops_when_told(there: Settings, stop: signal.Signals) -> None:
    fill(there, 12, 3)
    with serving(there.state.directory, stop, SYSTEM=there.service.system) as (server, first):
        assert first == "kindred: 12 items, system linear\n"
        patiently(lambda: server.ask("/health/ready").status == 200)
        ready = json.loads(server.ask("/health/ready").body)
        assert (ready["items"], ready["revision"]) == (12, 3)


def mapped(folder: Path) -> set[str]:
    """The generations that a process which this one started has in memory."""
    tasks = Path(f"/proc/{os.getpid()}/task").iterdir()
    children = [pid for task in tasks for pid in (task / "children").read_text("utf-8").split()]
    maps = "".join(Path(f"/proc/{pid}/maps").read_text("utf-8") for pid in children)
    return set(re.findall(rf"{re.escape(str(folder))}/(generation-\w+)/", maps))


@pytest.mark.slow
def test_a_generation_that_was_replaced_leaves_the_memory(there: Settings) -> None:
    folder = there.state.collection
    fill(there, 9, 9)
    with serving(there.state.directory, SYSTEM=there.service.system, SECONDS="3") as (server, _):
        for number in (10, 11, 12):
            fill(there, number, number)
            patiently(lambda: json.loads(server.ask("/health/ready").body).get("items") == number)  # noqa: B023
            assert server.ask("/items/x:1/similar").status == 200
        now = (folder / "current").read_text("utf-8").strip()
        patiently(lambda: mapped(folder) == {now})


@pytest.mark.slow
def test_several_processes_answer_at_one_address_and_stop_when_told(there: Settings) -> None:
    fill(there, 12, 3)
    port = free_port()
    environment = {
        **os.environ,
        "KINDRED_STATE__DIRECTORY": str(there.state.directory),
        "KINDRED_SERVICE__SYSTEM": "linear",
        "KINDRED_SERVICE__WORKERS": "2",
    }
    process = subprocess.Popen(
        [sys.executable, "-c", "from service.cli.root import main; main()", "serve", "--port", str(port)],
        env=environment,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    )
    try:
        assert process.stderr is not None
        assert process.stderr.readline() == "kindred: 12 items, system linear\n"
        assert process.stderr.readline() == f"kindred: 2 processes for http://127.0.0.1:{port}\n"
        assert _patiently(port)["items"] == 12
        process.send_signal(signal.SIGTERM)
        rest = process.communicate(timeout=PATIENCE)[1]
        assert "Traceback" not in rest
        assert process.returncode == 0
    finally:
        process.kill()
        process.communicate()


@pytest.mark.slow
def test_curators_are_let_in_on_ones_own_machine(there: Settings) -> None:
    fill(there, 12, 3)
    command = [sys.executable, "-c", "from service.cli.root import main; main()", "serve", "--curators"]
    environment = {
        **os.environ,
        "KINDRED_STATE__DIRECTORY": str(there.state.directory),
        "KINDRED_SERVICE__SYSTEM": "linear",
    }
    keys = []
    for _ in range(2):
        port = free_port()
        process = subprocess.Popen(
            [*command, "--port", str(port)], env=environment, stdout=subprocess.PIPE, text=True, cwd=ROOT
        )
        try:
            assert process.stdout is not None
            assert f"http://127.0.0.1:{port}/login" in process.stdout.readline()
            keys.append(process.stdout.readline().strip())
            _patiently(port)
            # the key of the start before counts no more
            assert [_status(port, key) for key in keys] == [HTTPStatus.UNAUTHORIZED] * (len(keys) - 1) + [200]
        finally:
            process.terminate()
            process.communicate(timeout=PATIENCE)
    refused = subprocess.run(
        [*command, "--host", "0.0.0.0"],  # noqa: S104
        env=environment,
        capture_output=True,
        text=True,
        cwd=ROOT,
        timeout=PATIENCE,
        check=False,
    )
    assert refused.returncode != 0
    assert "--curators is for one's own machine" in refused.stderr
    assert "Traceback" not in refused.stderr


def _status(port: int, key: str) -> int:
    """The status of the page of a curator's paths, asked with a key."""
    with closing(HTTPConnection("127.0.0.1", port, timeout=PATIENCE)) as connection:
        connection.request("GET", "/edit", headers={"Authorization": f"Bearer {key}"})
        return connection.getresponse().status


def _patiently(port: int) -> dict[str, object]:
    """What the service says of itself, once it is ready."""
    for _ in range(300):
        connection = HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        with closing(connection), suppress(ConnectionRefusedError):
            connection.request("GET", "/health/ready")
            answer = connection.getresponse()
            ready: dict[str, object] = json.loads(answer.read())
            if answer.status == HTTPStatus.OK:
                return ready
        time.sleep(0.2)
    raise AssertionError("no process is ready after a minute")


def test_a_connection_that_is_idle_after_an_answer_is_closed(there: Settings) -> None:
    fill(there, 12, 3)
    with (
        serving(there.state.directory, PATIENCE="1") as (server, _),
        socket.create_connection(("127.0.0.1", server.port), timeout=60) as idle,
    ):
        idle.sendall(b"GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n")
        answer = b""
        while piece := idle.recv(65536):
            answer += piece
        assert answer.startswith(b"HTTP/1.1 200")
        assert server.ask("/health/live").status == 200


def test_an_address_in_use_is_one_line(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as busy:
        port = busy.getsockname()[1]
        for workers in ("1", "2"):
            variables = {"KINDRED_STATE__DIRECTORY": str(tmp_path), "KINDRED_SERVICE__WORKERS": workers}
            done = subprocess.run(
                [
                    sys.executable,
                    "-c",
                    "from service.cli.root import main; main()",
                    "serve",
                    "--port",
                    str(port),
                ],
                env={**os.environ, **variables},
                capture_output=True,
                text=True,
                cwd=ROOT,
                check=False,
            )
            assert done.returncode == 1
            (line,) = done.stderr.splitlines()
            assert line.startswith(f"kindred: unusable-address: 127.0.0.1, port {port} cannot be listened on")
            assert "--port" in line


def test_an_address_that_is_none_is_refused() -> None:
    with pytest.raises(UnusableAddress, match=r"no\.such\.host\.invalid, port 80 cannot be listened on"):
        bound("no.such.host.invalid", 80)


class Replaced:
    """What refers to itself, as a collection with live changes does."""

    def __init__(self) -> None:
        self.itself = self


def test_what_changes_replace_is_collected_although_much_is_open() -> None:
    much = list[list[int]]([] for _ in range(3_000_000))
    before = gc.get_threshold()
    try:
        freeze()
        replaced, now = list[weakref.ref[Replaced]](), list[Replaced]()
        for _ in range(150):
            now = [*now[-20:], Replaced()]  # an answer or two still has it
            replaced.append(weakref.ref(now[-1]))
            _answered = [[n] for n in range(30_000)]
        assert len(much) == 3_000_000
        assert sum(one() is not None for one in replaced) < 100
    finally:
        gc.unfreeze()
        gc.set_threshold(*before)
