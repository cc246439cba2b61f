"""What happens when a real cluster of three nodes with one replica fails in parts, and as a whole."""

import json
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from threading import Event
from time import monotonic

import pytest

from ingest.errors import UsageError
from service.composition import open_provider, open_writer
from service.search.engines.elastic import building
from service.search.engines.elastic.client import connect
from service.search.engines.elastic.documents import VERSION
from service.search.engines.elastic.generations import Generations
from service.search.engines.elastic.sending import Outbox, retry
from service.search.engines.elastic.settings import cluster as cluster_of
from service.settings import Settings
from service.web.api.app import create_app
from tests.environment import PATIENCE
from tests.service.builders import profiles, rebuild, record
from tests.service.conftest import Server, running
from tests.service.elastic.cluster import Cluster, patiently
from tests.service.elastic.conftest import index_behind, send
from tests.service.elastic.test_elastic_commands import command, environment
from tests.service.museum import RECORDS

SIMILAR = "/items/m:01/similar?type=location"

LONG = 120
"""Seconds that no answer takes, however slow the machine, but one that waits for a node that hangs."""


@contextmanager
def answering_service(settings: Settings) -> Iterator[Server]:
    """The service over a cluster, in this process."""
    with running(create_app(open_provider(settings), settings)) as server:
        yield server


def until(server: Server, path: str, status: int) -> None:
    """Wait until a path is answered with a status."""
    for _ in patiently():
        if server.ask(path).status == status:
            break


@pytest.fixture
def whole(answering: Settings, cluster: Cluster) -> Settings:
    """A few items in the cluster, with all copies there."""
    cluster.green(cluster_of(answering).name)
    return answering


def ids(settings: Settings) -> list[str]:
    """All items of the cluster, each as often as it is there."""
    client, name = connect(cluster_of(settings)), cluster_of(settings).name
    client.indices.refresh(index=name)
    wanted = [{"field": "id"}]
    results = client.search(index=name, size=10_000, sort=["id"], docvalue_fields=wanted, source=False)
    return [hit["fields"]["id"][0] for hit in results["hits"]["hits"]]


def test_a_node_killed_during_a_build_loses_and_repeats_nothing(museum: Settings, cluster: Cluster) -> None:
    rebuild(museum, [record(f"x:{n:04}", f"View {n} of Venice", "Hand", "", "1850") for n in range(6000)])
    sending = subprocess.Popen(
        [sys.executable, "-c", "from service.cli.root import main; main()", "index", "build", "--json"],
        env=environment(museum),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    name = building.index_name(museum, building.opened(museum).folder.name)
    with Outbox(museum.state.outbox) as outbox:
        for _ in patiently():
            if outbox.sent(name):
                break
    cluster.kill(1)
    answer, errors = sending.communicate(timeout=PATIENCE)
    assert sending.returncode == 0, errors
    total = 6000 + len(RECORDS)
    assert json.loads(answer)["items"] == total
    stored = ids(museum)
    assert len(stored) == len(set(stored)) == total


def test_a_node_killed_during_live_writes_loses_no_acknowledged_one(
    whole: Settings, cluster: Cluster
) -> None:
    acknowledged: list[str] = []
    killed = Event()
    with ThreadPoolExecutor(1) as other, open_writer(whole, profiles) as writer:
        killing = other.submit(lambda: (killed.wait(), cluster.kill(2)))
        for n in range(60):
            if n == 15:
                killed.set()
            writer.put([record(f"live:{n:02}", f"A boat {n}", "Hand")])
            acknowledged.append(f"live:{n:02}")
        killing.result()
    retry(whole)
    with Outbox(whole.state.outbox) as outbox:
        assert outbox.pending() == []
    stored = ids(whole)
    assert len(stored) == len(set(stored)) == len(RECORDS) + 60
    assert set(acknowledged) <= set(stored)


def test_a_node_killed_during_queries_is_not_noticed(whole: Settings, cluster: Cluster) -> None:
    with answering_service(whole) as server, ThreadPoolExecutor(1) as other:
        assert server.ask(SIMILAR).status == 200
        killing = other.submit(cluster.kill, 0)
        statuses = []
        while not killing.done():
            statuses.append(server.ask(SIMILAR).status)
        statuses += [server.ask(SIMILAR).status for _ in range(20)]
    assert set(statuses) == {200}


def test_a_cluster_that_is_away_is_told_and_heals_alone(whole: Settings, cluster: Cluster) -> None:
    with answering_service(whole) as server:
        assert server.ask("/health/ready").status == 200
        for node in range(cluster.nodes):
            cluster.kill(node)
        began = monotonic()
        away = server.ask(SIMILAR)
        assert monotonic() - began < LONG
        assert (away.status, away.headers["content-type"]) == (503, "application/problem+json")
        assert int(away.headers["retry-after"]) > 0
        assert json.loads(away.body)["type"] == "/problems/index-unavailable"
        ready = server.ask("/health/ready")
        assert (ready.status, json.loads(ready.body)["type"]) == (503, "/problems/index-unavailable")
        with open_writer(whole, profiles) as writer:
            writer.put([record("new:1", "A boat in Venice", "Canaletto")])
        cluster.mend()
        until(server, "/health/ready", 200)
        assert server.ask(SIMILAR).status == 200
        assert server.ask("/items/new:1").status == 404
        assert retry(whole) == (1, 0)
        assert server.ask("/items/new:1").status == 200


def test_an_index_that_was_deleted_is_told_and_built_again(whole: Settings, cluster: Cluster) -> None:
    with answering_service(whole) as server:
        assert server.ask(SIMILAR).status == 200
        cluster.ask(f"/{index_behind(whole)}", "DELETE")
        for _ in patiently():
            gone = server.ask(SIMILAR)
            if gone.status != 200:
                break
        assert (gone.status, json.loads(gone.body)["type"]) == (503, "/problems/index-missing")
        assert "kindred index build" in json.loads(gone.body)["detail"]
        until(server, "/health/ready", 503)
        command(whole, "build")
        assert server.ask(SIMILAR).status == 200


def test_a_slow_node_does_not_keep_a_question_beyond_its_time(whole: Settings, cluster: Cluster) -> None:
    short = whole.model_copy(update={"index": whole.index.model_copy(update={"timeout": 2.0})})
    with answering_service(short) as server:
        assert server.ask(SIMILAR).status == 200
        cluster.freeze(1)
        try:
            for _ in range(8):
                began = monotonic()
                answer = server.ask(SIMILAR)
                assert monotonic() - began < LONG
                assert answer.status in (200, 503)
        finally:
            cluster.thaw(1)
        until(server, SIMILAR, 200)


def test_an_index_of_another_version_is_refused_with_the_command(whole: Settings, cluster: Cluster) -> None:
    name = index_behind(whole)
    mappings = connect(cluster_of(whole)).indices.get_mapping(index=name)
    meta = mappings[name]["mappings"]["_meta"]
    meta["kindred"]["version"] = 0
    cluster.ask(f"/{name}/_mapping", "PUT", {"_meta": meta})
    with answering_service(whole) as server:
        refused = server.ask(SIMILAR)
        assert (refused.status, json.loads(refused.body)["type"]) == (503, "/problems/index-missing")
        assert "kindred index build" in json.loads(refused.body)["detail"]
    other = whole.model_copy(update={"service": whole.service.model_copy(update={"also": ("linear",)})})
    folder = building.opened(whole).folder.name
    assert building.index_name(other, folder) != building.index_name(whole, folder) == name
    with pytest.raises(UsageError, match=f"of version 0, not {VERSION}"):
        building.switch(whole, name, Generations(connect(cluster_of(whole)), cluster_of(whole)))


def test_without_a_shard_an_answer_is_none(museum: Settings, cluster: Cluster) -> None:
    alone = museum.model_copy(update={"index": museum.index.model_copy(update={"shards": 6, "replicas": 0})})
    send(alone)
    with answering_service(alone) as server:
        assert server.ask(SIMILAR).status == 200
        cluster.kill(1)
        for path in (SIMILAR, "/items/m:01", "/search?q=venice"):
            assert server.ask(path).status == 503, path
        until(server, "/health/ready", 503)
