"""A cluster with security on: a user of few privileges is enough, and what is wrong is told."""

import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from ingest.errors import IndexRefused
from service.composition import open_provider, open_writer
from service.search.engines.elastic.client import PASSWORD_VARIABLE
from service.search.engines.elastic.sending import Outbox
from service.settings import Settings
from service.web.api.app import create_app
from tests.environment import PATIENCE
from tests.service.builders import profiles, record
from tests.service.conftest import running
from tests.service.elastic.cluster import Cluster
from tests.service.elastic.conftest import send

_PASSWORD = "for this test alone"  # noqa: S105

ROLES = {
    "building": ("manage", "read", "write"),
    "writing": ("read", "view_index_metadata", "write"),
    "reading": ("read", "view_index_metadata"),
}
"""The privileges that docs/cluster.md names, on ``kindred`` and ``kindred-*``."""


@pytest.fixture
def secured(cluster: Cluster) -> Iterator[str]:
    """The address of a node of its own that asks who comes."""
    folder = Path(tempfile.mkdtemp(prefix="kindred-secured-"))
    (home,) = cluster.folder.glob("elasticsearch-*")
    shutil.copytree(home / "config", folder / "config")
    # this build of the engine cannot make keys: its own index of them needs an analyser that it lacks
    roles = [
        f"{name}: {json.dumps({'indices': [{'names': ['kindred', 'kindred-*'], 'privileges': may}]})}\n"
        for name, may in ROLES.items()
    ]
    (folder / "config" / "roles.yml").write_text("".join(roles))
    port = cluster.port + 50
    plain = {"cluster.name": "secured", "path.data": folder / "data", "path.logs": folder / "logs"}
    told = {"network.host": "127.0.0.1", "http.port": port, "transport.port": port + 100}
    security = {"enabled": "true", "http.ssl.enabled": "false", "transport.ssl.enabled": "false"}
    security = {f"xpack.security.{name}": value for name, value in security.items()}
    options = {**plain, **told, **security, "discovery.type": "single-node"}
    start = [home / "bin" / "elasticsearch", "-d", "-p", folder / "pid"]
    for name, value in options.items():
        start += ["-E", f"{name}={value}"]
    try:
        if os.getuid() == 0:
            subprocess.run(["chown", "-R", "elasticsearch", folder], check=True)
        for name in ROLES:
            _run(folder, [home / "bin" / "elasticsearch-users", "useradd", name, "-p", _PASSWORD, "-r", name])
        _run(folder, start)
        yield f"http://127.0.0.1:{port}"
    finally:
        if (folder / "pid").is_file():
            subprocess.run(["kill", "-KILL", (folder / "pid").read_text()], check=False)
        shutil.rmtree(folder, ignore_errors=True)


def _run(folder: Path, command: Sequence[object]) -> None:
    java = Path(shutil.which("java") or "/").resolve().parents[1]
    own = {"ES_PATH_CONF": folder / "config", "ES_JAVA_HOME": java, "ES_JAVA_OPTS": "-Xms320m -Xmx320m"}
    run = ["env", *(f"{name}={value}" for name, value in own.items()), *map(str, command)]
    if os.getuid() == 0:  # the engine refuses to run as root
        run = ["runuser", "-u", "elasticsearch", "--", *run]
    done = subprocess.run(
        run, stdout=subprocess.DEVNULL, cwd=folder, text=True, timeout=PATIENCE, check=False
    )
    assert done.returncode == 0


def test_each_user_may_do_what_the_role_is_for(
    museum: Settings, secured: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(PASSWORD_VARIABLE, _PASSWORD)

    def as_user(name: str) -> Settings:
        own = museum.index.model_copy(update={"urls": (secured,), "user": name, "replicas": 0})
        return museum.model_copy(update={"index": own})

    building, writing, reading = map(as_user, ROLES)
    send(building)

    source = open_provider(reading)
    assert source().item("m:01").label == "View of Venice"
    assert source().similar("m:01", "location", 3)
    with open_writer(reading, profiles) as writer:
        writer.put([record("new:1", "A boat in Venice", "Canaletto")])
    with Outbox(museum.state.outbox) as outbox:
        (write,) = outbox.pending()
    assert (write.id, "privileges" in write.reason) == ("new:1", True)

    with open_writer(writing, profiles) as writer:
        writer.put([record("new:2", "A boat in Venice", "Canaletto")])
        writer.delete(["m:12"])
    assert source().item("new:2").label == "A boat in Venice"
    with pytest.raises(IndexRefused, match="privileges"):
        send(writing)

    wrong = as_user("nobody")
    with running(create_app(open_provider(wrong), wrong)) as server:
        refused = server.ask("/health/ready")
        assert (refused.status, json.loads(refused.body)["type"]) == (503, "/problems/index-refused")
        assert _PASSWORD not in refused.body.decode()
