"""A build by the workers of a real Dask cluster: the same collection, also where a worker is killed."""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from distributed import Client, LocalCluster

from features.collection import build, fitting, generation
from features.profiles.analysis import AnalysisSettings, Models, analyse_pending, fingerprint
from ingest.catalogue import Catalogue
from ingest.errors import SchedulerMissing
from service.settings import load
from tests.builders import NONE
from tests.environment import PATIENCE
from tests.service.builders import record, served

MARK = fingerprint(Models())
RECORDS = [
    record(f"x:{n:02}", f"View {n} of the Grand Canal in Venice", "Canaletto", f"Boats in {1700 + n}.")
    for n in range(60)
]


@pytest.fixture(scope="module")
def cluster() -> Iterator[LocalCluster]:
    """Two worker processes, each with its nanny, which starts it again."""
    with LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0") as started:
        yield started


def analysed(
    folder: Path, scheduler: str, batch: int = 20, once: Callable[[], None] | None = None
) -> Catalogue:
    """All records analysed; ``once`` is called after the first batch, while others are under way."""
    catalogue = Catalogue(folder / "catalogue.sqlite")
    catalogue.put_many(RECORDS)
    waiting = [once] if once else []

    def advance(_: int) -> None:
        if waiting:
            waiting.pop()()

    settings = AnalysisSettings(processes=1, batch=batch, scheduler=scheduler)
    assert analyse_pending(catalogue, Models(), settings, advance) == len(RECORDS)
    return catalogue


def built(folder: Path, catalogue: Catalogue, scheduler: str) -> dict[str, bytes]:
    """The files of a collection of what was analysed; they are called by their content."""
    items = [build.AnalysedItem(one, profile) for one, profile in catalogue.profiled(MARK)]
    features = served(load())
    build.build(folder, items, features, NONE, revision=1, pipeline=MARK, processes=2, scheduler=scheduler)
    read = generation.read(folder)
    return {path.name: path.read_bytes() for path in read.folder.glob("*.npy")}


@pytest.mark.kills
def test_a_cluster_makes_the_same_collection_also_where_a_worker_is_killed(
    cluster: LocalCluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fitting, "FEW", 0)
    folders = [tmp_path / name for name in ("here", "there", "killed")]
    for folder in folders:
        folder.mkdir()
    scheduler: str = cluster.scheduler_address

    def kill() -> None:
        os.kill(cluster.workers[0].process.process.pid, signal.SIGKILL)

    with (
        analysed(folders[0], "") as here,
        analysed(folders[1], scheduler) as there,
        analysed(folders[2], scheduler, batch=3, once=kill) as killed,
    ):
        profiles = [[profile for _, profile in one.profiled(MARK)] for one in (here, there, killed)]
        assert profiles[0] == profiles[1] == profiles[2]
        assert len(profiles[0]) == len(RECORDS)
        expected = built(tmp_path / "a", here, "")
        assert expected
        assert built(tmp_path / "b", here, scheduler) == expected


def test_a_scheduler_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(SchedulerMissing, match=r"no Dask scheduler answers at tcp://127\.0\.0\.1:1;"):
        analysed(tmp_path, "tcp://127.0.0.1:1")


def test_a_scheduler_without_workers_is_named(tmp_path: Path) -> None:
    with (
        LocalCluster(n_workers=0, processes=True, dashboard_address=":0") as empty,
        pytest.raises(SchedulerMissing, match="has no workers"),
    ):
        analysed(tmp_path, empty.scheduler_address)


@contextmanager
def dask(*arguments: str, **variables: str) -> Iterator[subprocess.Popen[bytes]]:
    command = [sys.executable, "-m", "dask", *arguments, "--no-dashboard"]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL, env={**os.environ, **variables}) as process:
        try:
            yield process
        finally:
            process.kill()


def wait_for_a_worker(address: str) -> None:
    with Client(address, timeout=PATIENCE, set_as_default=False) as client:
        client.wait_for_workers(1, timeout=PATIENCE)


def test_a_worker_with_another_kindred_is_refused(tmp_path: Path) -> None:
    described = tmp_path / "kindred-0.0.7.dist-info"
    described.mkdir()
    (described / "METADATA").write_text("Metadata-Version: 2.1\nName: kindred\nVersion: 0.0.7\n")
    with LocalCluster(n_workers=0, processes=True, dashboard_address=":0") as empty:
        address: str = empty.scheduler_address
        with dask("worker", address, "--no-nanny", PYTHONPATH=str(tmp_path)):
            wait_for_a_worker(address)
            with pytest.raises(SchedulerMissing, match=r"some have 0\.0\.7 Kindred, not"):
                analysed(tmp_path, address)


@pytest.mark.kills
def test_a_scheduler_that_goes_away_is_named_and_what_was_analysed_stays(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    address = f"tcp://127.0.0.1:{port}"
    with (
        dask("scheduler", "--host", "127.0.0.1", "--port", str(port)) as scheduler,
        dask("worker", address, "--no-nanny"),
    ):
        wait_for_a_worker(address)
        with pytest.raises(SchedulerMissing, match="went away; start it"):
            analysed(tmp_path, address, batch=3, once=scheduler.kill)
    with Catalogue(tmp_path / "catalogue.sqlite") as catalogue:
        assert list(catalogue.profiled(MARK))
