"""What whoever runs the service sees of it: ids of requests, the log, the metrics."""

import json
import logging
import os
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families

from ingest.errors import CollectionMissing
from service.composition import open_provider
from service.operations.keys import Keys, Role
from service.search.recommender import Recommender
from service.sections import StateSettings
from service.settings import Settings
from service.web.api.app import create_app
from tests.service.conftest import Server, new_key, running
from tests.service.operations.live_machine import Machine
from tests.service.processes import ROOT, logged

# -- ids of requests -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "path", ["/items", "/items/none", "/none", "/", "/health/live", "/static/kindred.css"]
)
def test_every_answer_has_the_id_of_its_request(server: Server, path: str) -> None:
    ids = {server.ask(path).headers["x-request-id"] for _ in range(3)}
    assert len(ids) == 3
    assert server.ask(path, headers={"X-Request-ID": "portal:7/a"}).headers["x-request-id"] == "portal:7/a"
    assert all(re.fullmatch(r"[0-9a-f]{32}", one) for one in ids)


@pytest.mark.parametrize("given", ["", "a b", "x" * 129, '"', "a,b", "{}", "é"])
def test_an_id_that_would_upset_a_log_is_replaced(server: Server, given: str) -> None:
    made = server.ask("/items", headers={"X-Request-ID": given}).headers["x-request-id"]
    assert re.fullmatch(r"[0-9a-f]{32}", made)


def test_a_problem_names_its_request(server: Server) -> None:
    reply = server.ask("/items/none", headers={"X-Request-ID": "abc"})
    assert json.loads(reply.body)["request"] == "abc"


# -- the log -------------------------------------------------------------------------------------


@pytest.fixture
def machine(settings: Settings, tmp_path: Path) -> Machine:
    return Machine(settings.model_copy(update={"state": StateSettings(directory=tmp_path)}), 7)


def test_a_log_for_programs_has_a_document_a_line(machine: Machine, tmp_path: Path) -> None:
    log = tmp_path / "serve.log"
    made, key = Keys(machine.settings.state.keys).add("Portal", Role.CURATOR)
    with logged(tmp_path, log, LOG="json") as server:
        server.ask("/items/x:00/similar?place=Secret%20place", headers={"X-Request-ID": "one"})
        server._replace(key=key).ask("/items/none", headers={"X-Request-ID": "two"})
        server.ask("/none", headers={"X-Request-ID": "three"})
        server.ask("/static/kindred.css", "HEAD", headers={"X-Request-ID": "four"})
    written = log.read_text()
    lines = [json.loads(line) for line in written.splitlines()]
    assert all({"time", "level", "message", "request"} <= set(line) for line in lines)
    assert lines[0]["message"] == "12 items, system linear"
    numbers = {line["request"]: line for line in lines if line["request"]}
    facts = {
        name: tuple(numbers[name][key] for key in ("method", "route", "status", "key"))
        for name in ("one", "two", "three", "four")
    }
    assert facts == {
        "one": ("GET", "/items/{id}/similar", 200, None),
        "two": ("GET", "/items/{id}", 404, made.id),
        "three": ("GET", "none", 404, None),
        "four": ("HEAD", "/static", 200, None),
    }
    assert all(line["milliseconds"] >= 0 and line["level"] == "info" for line in numbers.values())
    assert "Secret" not in written
    assert key not in written
    assert "127.0.0.1:" in written  # where it listens
    assert "127.0.0.1" not in "".join(json.dumps(line) for line in numbers.values())


@pytest.mark.parametrize("form", ["text", "quiet"])
def test_a_log_for_people(machine: Machine, tmp_path: Path, form: str) -> None:
    log = tmp_path / "serve.log"
    machine.settings.state.keys.write_text("no database at all, but long enough to be read as one" * 20)
    with logged(tmp_path, log, LOG=form) as server:
        server.ask("/items/none?", headers={"X-Request-ID": "one"})
        server._replace(key="kindred_0_0").ask("/items", headers={"X-Request-ID": "two"})
    written = log.read_text()
    assert all(line.startswith("kindred: ") for line in written.splitlines())
    assert re.search(r"^kindred: error: keys: .* request=two$", written, re.MULTILINE)
    line = r"^kindred: GET /items/\{id\} 404 method=GET .*status=404 milliseconds=[\d.]+ request=one$"
    assert bool(re.search(line, written, re.MULTILINE)) == (form == "text")


def test_a_fault_is_in_the_log_with_its_traceback(
    settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    def broken() -> Recommender:
        raise RuntimeError("what went wrong")

    with running(create_app(broken, settings)) as server, caplog.at_level(logging.ERROR):
        assert server.ask("/items/a").status == 500
    assert "internal: GET /items/{id}" in caplog.text
    assert "what went wrong" in caplog.text


# -- metrics -------------------------------------------------------------------------------------


def metrics(server: Server) -> dict[tuple[str, tuple[tuple[str, str], ...]], float]:
    """Every sample by name and labels."""
    reply = server.ask("/metrics")
    assert (reply.status, reply.headers["content-type"].partition(";")[0]) == (200, "text/plain")
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(reply.body.decode())
        for sample in family.samples
    }


def answers(server: Server, method: str, route: str, status: int) -> float:
    labels = (("method", method), ("route", route), ("status", str(status)))
    return metrics(server).get(("kindred_requests_total", labels), 0)


def test_answers_are_counted_by_what_was_asked(museum_recommender: Recommender, settings: Settings) -> None:
    with running(create_app(museum_recommender, settings)) as server:
        for _ in range(3):
            server.ask("/items/sample:bare")
        for path, method in (
            ("/items/none", "GET"),
            ("/none", "GET"),
            ("/items", "BREW"),
            ("/items", "HEAD"),
        ):
            server.ask(path, method)
        server.ask("/score", "POST", b"{")
        assert answers(server, "GET", "/items/{id}", 200) == 3
        assert answers(server, "GET", "/items/{id}", 404) == 1
        assert answers(server, "GET", "none", 404) == 1
        assert answers(server, "other", "/items", 405) + answers(server, "other", "none", 405) == 1
        assert answers(server, "HEAD", "/items", 200) == 1
        assert answers(server, "POST", "/score", 400) == 1
        numbers = metrics(server)
        labels = (("method", "GET"), ("route", "/items/{id}"))
        assert numbers["kindred_request_seconds_count", labels] == 4
        assert numbers["kindred_items", ()] == len(museum_recommender.collection)
        assert numbers["kindred_requests_working", ()] == numbers["kindred_requests_waiting", ()] == 0


def test_metrics_tell_the_collection_and_what_changed_since(machine: Machine) -> None:
    started = time.time()
    app = create_app(open_provider(machine.settings), machine.settings)
    with running(app) as server:
        before = metrics(server)
        assert before["kindred_live_changes", ()] == 0
        assert before["kindred_generation_revision", ()] == before["kindred_revision", ()]
        assert 0 < before["kindred_generation_timestamp_seconds", ()] <= started + 1
        machine.put(machine.made("x:new"))
        after = metrics(server)
    assert after["kindred_live_changes", ()] == 1
    assert after["kindred_items", ()] == before["kindred_items", ()] + 1
    assert after["kindred_revision", ()] > before["kindred_revision", ()]
    generation = ("kindred_generation_revision", "kindred_generation_timestamp_seconds")
    assert all(after[name, ()] == before[name, ()] for name in generation)


def test_metrics_tell_what_caches_hold(machine: Machine) -> None:
    with running(create_app(open_provider(machine.settings), machine.settings)) as server:
        assert server.ask("/items/x:00/similar").status == 200
        numbers = metrics(server)
    caches = {dict(labels)["cache"] for name, labels in numbers if name == "kindred_cache_bytes"}
    assert "features.text.dates.fields.is_understood" in caches
    for cache in caches:
        size, limit = (
            numbers[f"kindred_cache_{part}", (("cache", cache),)] for part in ("bytes", "limit_bytes")
        )
        assert 0 <= size <= limit


def test_metrics_need_no_collection(settings: Settings) -> None:
    def closed() -> Recommender:
        raise CollectionMissing("nothing is built")

    with running(create_app(closed, settings)) as server:
        server.ask("/items")
        assert answers(server, "GET", "/items", 503) == 1


@pytest.mark.slow
def test_several_processes_count_together(machine: Machine, tmp_path: Path) -> None:
    facts = {"WORKERS": "2", "WRITES": "true", "LOG": "json"}
    log = tmp_path / "serve.log"
    with logged(tmp_path, log, new_key(machine.settings), **facts) as server:
        for _ in range(20):
            assert server.ask("/items").status == 200
        # whichever of them is asked
        assert {answers(server, "GET", "/items", 200) for _ in range(12)} == {20}
        assert server.ask("/items/x:99", "DELETE").status == 404
        numbers = metrics(server)
        assert numbers["kindred_items", ()] == 12
        assert numbers["kindred_requests_working", ()] == 0
    assert "Traceback" not in log.read_text()


def test_a_process_that_was_killed_works_on_nothing_but_what_it_counted_stays(tmp_path: Path) -> None:
    def run(code: str) -> str:
        environment = {**os.environ, "PROMETHEUS_MULTIPROC_DIR": str(tmp_path)}
        begin = "import os\nfrom ingest.errors import KindredError\nfrom service.web.metrics import Metrics\n"
        command = [sys.executable, "-c", begin + "def closed():\n raise KindredError('x')\n" + code]
        ended = subprocess.run(
            command, env=environment, capture_output=True, text=True, cwd=ROOT, check=False
        )
        return ended.stdout

    tell = "print(m.text(closed).decode(), flush=True)\n"
    work = f"m = Metrics()\nm.working.inc()\nm.answered('GET', '/x', 200, 0.1)\n{tell}os.kill(os.getpid(), 9)"
    assert "kindred_requests_working 1.0" in run(work)
    after = run(f"m = Metrics()\n{tell}")
    assert "kindred_requests_working 0.0" in after
    assert 'kindred_requests_total{method="GET",route="/x",status="200"} 1.0' in after
