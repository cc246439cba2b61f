"""``kindred serve``: from a collection on disk to a server that stops when told."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from http.client import HTTPConnection
from pathlib import Path

import pytest

from features.collection.build import build
from ingest.errors import CollectionMissing, ResourceMissing
from models import artefact
from service.composition import open_provider, open_recommender
from service.settings import Settings, StateSettings
from tests.builders import NONE
from tests.service.builders import items, record, served, system
from tests.service.processes import ROOT, serving

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
    assert open_recommender(there, "T0").system.name == "T0"


@pytest.mark.parametrize("stop", [signal.SIGTERM, signal.SIGINT])
def test_serve_says_where_and_stops_when_told(there: Settings, stop: signal.Signals) -> None:
    fill(there, 12, 3)
    with serving(there.state.directory, stop, SYSTEM=there.service.system) as (server, said):
        assert said == "kindred: 12 items, system linear\n"
        ready = json.loads(server.ask("/health/ready").body)
        assert (ready["items"], ready["revision"]) == (12, 3)


def test_several_processes_answer_at_one_address_and_stop_when_told(there: Settings) -> None:
    fill(there, 12, 3)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
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
        rest = process.communicate(timeout=30)[1]
        assert "Traceback" not in rest
        assert process.returncode == 0
    finally:
        process.kill()
        process.communicate()


def _patiently(port: int) -> dict[str, object]:
    """What the service says of itself, once a process listens."""
    for _ in range(300):
        connection = HTTPConnection("127.0.0.1", port, timeout=30)
        try:
            connection.request("GET", "/health/ready")
            ready: dict[str, object] = json.loads(connection.getresponse().read())
        except ConnectionRefusedError:
            time.sleep(0.2)
        else:
            return ready
        finally:
            connection.close()
    raise AssertionError("no process listens after a minute")
