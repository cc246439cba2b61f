"""Live changes: they show at once, outlast kills, and become part of the collection."""

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from ingest.catalogue import Catalogue
from ingest.errors import InvalidRequest, ResourceMissing
from service.composition import open_provider
from service.sections import StateSettings
from service.settings import Settings
from service.web.api.app import create_app
from tests.builders import built
from tests.service.builders import record
from tests.service.conftest import Server, running
from tests.service.operations.live_machine import Machine, writable

OPERATIONS = int(os.environ.get("LIVE_OPERATIONS", "250"))
"""10,000 for the whole promise; it takes some minutes."""


@pytest.fixture
def there(settings: Settings, tmp_path: Path) -> Settings:
    return settings.model_copy(update={"state": StateSettings(directory=tmp_path)})


@pytest.mark.kills
def test_random_operations_and_kills_answer_as_scoring_every_pair(there: Settings) -> None:
    done = Machine(there, 20130613).run(OPERATIONS)
    assert sum(done.values()) == OPERATIONS
    assert min(done.values()) > 0


@pytest.fixture
def machine(there: Settings) -> Machine:
    return Machine(there, 1)


@pytest.fixture
def writing(machine: Machine) -> Iterator[Server]:
    """A service that may write."""
    with writable(machine) as server:
        yield server


def test_over_http(writing: Server) -> None:
    body = json.dumps({"title": "Regatta in Venice", "creator": ["Canaletto"], "date": "1740"}).encode()
    added = writing.ask("/items/new:1%2Fa", "PUT", body)
    assert (added.status, added.headers["location"]) == (201, "/items/new%3A1%2Fa")
    assert json.loads(added.body) == {
        "id": "new:1/a",
        "revision": 2,
        "changed": True,
        "dates_not_understood": [],
    }
    assert json.loads(writing.ask("/items/new:1/a").body)["creator"] == ["Canaletto"]
    near = json.loads(writing.ask("/items/new:1/a/similar?type=location").body)["neighbours"]
    back = writing.ask(f"/items/{near[0]['id']}/similar?type=location&limit=20")
    assert "new:1/a" in [one["id"] for one in json.loads(back.body)["neighbours"]]
    assert json.loads(writing.ask("/items").body)["total"] == 13
    again = writing.ask("/items/new:1/a", "PUT", body)
    assert (again.status, json.loads(again.body)["changed"]) == (200, False)
    replaced = writing.ask("/items/new:1/a", "PUT", b'{"title": "Spoon", "date": "the other day"}')
    assert (replaced.status, json.loads(replaced.body)["revision"]) == (200, 3)
    assert json.loads(replaced.body)["dates_not_understood"] == ["the other day"]
    assert json.loads(writing.ask("/items/new:1/a").body)["title"] == ["Spoon"]
    assert writing.ask("/items/new:1/a", "DELETE").status == 204
    for reply in (writing.ask("/items/new:1/a"), writing.ask("/items/new:1/a", "DELETE")):
        assert (reply.status, json.loads(reply.body)["type"]) == (404, "/problems/unknown-item")
    assert json.loads(writing.ask("/health/ready").body)["revision"] == 4


@pytest.mark.parametrize(
    ("body", "status", "message"),
    [
        (b"{}", 422, "needs text"),
        (b'{"title": " "}', 422, "needs text"),
        (b'{"id": "other", "title": "x"}', 422, "leave the first out"),
        (b'{"titel": "x"}', 422, "allowed are: concepts, creator"),
        (b"{", 400, "no JSON"),
    ],
)
def test_what_is_no_record_is_refused(writing: Server, body: bytes, status: int, message: str) -> None:
    reply = writing.ask("/items/x:00", "PUT", body)
    assert (reply.status, message in json.loads(reply.body)["detail"]) == (status, True)
    assert json.loads(writing.ask("/health/ready").body)["revision"] == 1


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("/items/%2E%2E", "a step in a path"),
        ("/items/.", "a step in a path"),
        ("/items/a%00b", "a control character"),
        ("/items/a%0Ab", "a control character"),
        ("/items/a%FF", "no UTF-8"),
        ("/items/%20", "needs an id"),
    ],
)
def test_an_id_that_no_address_can_hold_is_refused(writing: Server, path: str, message: str) -> None:
    reply = writing.ask(path, "PUT", b'{"title": "Boat"}')
    assert (reply.status, message in json.loads(reply.body)["detail"]) == (422, True)
    assert json.loads(writing.ask("/health/ready").body)["revision"] == 1


@pytest.mark.parametrize("address", ["javascript:alert(1)", "data:image/png;base64,AAAA", "x.jpg", "//a/b"])
def test_an_address_that_is_none_is_refused(machine: Machine, address: str) -> None:
    for name in ("image", "landing_page"):
        with pytest.raises(InvalidRequest, match=f"{name} must be an address that begins with http"):
            machine.writer.put([replace(record("x:99", "Boat"), **{name: address})])
    machine.put(replace(record("x:99", "Boat"), image="https://m.invalid/1.jpg", landing_page=" "))


def test_nothing_is_written_where_it_is_not_allowed(machine: Machine) -> None:
    with running(create_app(open_provider(machine.settings), machine.settings)) as server:
        for method, body in (("PUT", b'{"title": "x"}'), ("DELETE", None)):
            reply = server.ask("/items/x:00", method, body)
            assert (reply.status, json.loads(reply.body)["type"]) == (403, "/problems/read-only")
        assert json.loads(server.ask("/items").body)["total"] == 12


def test_a_collection_of_other_language_models_is_not_written_over(machine: Machine) -> None:
    built(machine.settings.state.collection)
    with pytest.raises(ResourceMissing, match="kindred build"):
        machine.put(record("x:99", "Boat"))
    with Catalogue(machine.settings.state.catalogue) as catalogue:
        assert catalogue.revision == 1


def test_another_catalogue_in_its_place_is_seen(machine: Machine) -> None:
    provider, path = machine.provider, machine.settings.state.catalogue
    machine.put(record("x:99", "Boat"))
    assert provider().holds("x:99")
    machine.writer.close()
    for file in path.parent.glob("catalogue*"):
        file.unlink()
    assert provider().holds("x:99")
    Catalogue(path).close()
    assert not provider().holds("x:99")


def test_a_catalogue_that_cannot_be_read_leaves_what_was_seen(
    machine: Machine, caplog: pytest.LogCaptureFixture
) -> None:
    provider, path = machine.provider, machine.settings.state.catalogue
    machine.put(record("x:99", "Boat"))
    assert provider().holds("x:99")
    machine.writer.close()
    for file in path.parent.glob("catalogue*"):
        file.unlink()
    path.write_bytes(b"no database at all" * 100)
    assert provider().holds("x:99")
    assert provider().holds("x:99")
    assert len([one for one in caplog.records if "not seen" in one.message]) == 1


def test_a_process_that_may_only_read_sees_what_others_write(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = machine.settings.state.directory
    machine.writer.close()
    assert not list(folder.glob("*-wal"))
    # as in a folder of somebody else; whoever runs the tests may be allowed everything
    monkeypatch.setattr(os, "access", lambda path, mode: not (Path(path) == folder and mode == os.W_OK))
    provider = open_provider(machine.settings)
    assert not provider().holds("x:99")
    machine.put(record("x:99", "Boat"))  # the log is there while the writer is open
    assert provider().holds("x:99")
    machine.put(record("x:98", "Boat"))
    assert provider().holds("x:98")
    machine.writer.close()
    fresh = open_provider(machine.settings)
    assert fresh().holds("x:98")
    machine.put(record("x:97", "Boat"))
    machine.writer.close()  # written and closed between two questions
    assert fresh().holds("x:97")
    assert provider().holds("x:97")


def test_what_ingest_took_in_waits_for_a_build(machine: Machine) -> None:
    machine.put(record("x:99", "Boat"))
    with Catalogue(machine.settings.state.catalogue) as catalogue:
        catalogue.put_many([record("x:99", "Ship"), record("x:98", "Ship")])
    for provider in (machine.provider, open_provider(machine.settings)):
        assert not provider().holds("x:98")
        # what was put is there until what was ingested is
        assert provider().item("x:99").label == "Boat"
    machine.writer.put([record("x:98", "Ship")])
    assert machine.provider().item("x:98").label == "Ship"
