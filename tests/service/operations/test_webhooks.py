"""Webhooks: a real receiver on loopback is told what is new, signed, and nothing is lost."""

import base64
import hmac
import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from ingest.errors import ConfigError
from service.operations.webhooks import Delivered, Webhooks, messages, read
from service.sections import StateSettings, WebhookSettings
from service.settings import Settings
from tests.service.operations.live_machine import Machine
from tests.service.processes import patiently, serving

KEY = bytes(range(32))
PAUSE = 0.01


class Receiver(ThreadingHTTPServer):
    """Stores what it was sent; answers the statuses that it was given, one after the other, and then 204."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.requests: list[tuple[dict[str, str], bytes]] = []
        self.statuses: list[int] = []

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/hook"

    @property
    def events(self) -> list[tuple[str, dict[str, object]]]:
        bodies = [json.loads(body) for _, body in self.requests]
        return [(body["type"], body["data"]) for body in bodies]


class _Handler(BaseHTTPRequestHandler):
    server: Receiver

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.requests.append(({name.lower(): value for name, value in self.headers.items()}, body))
        self.send_response(self.server.statuses.pop(0) if self.server.statuses else 204)
        self.send_header("Location", f"http://127.0.0.1:{self.server.server_address[1]}/elsewhere")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with Receiver() as made:
        Thread(target=made.serve_forever, daemon=True).start()
        yield made
        made.shutdown()


@pytest.fixture
def machine(settings: Settings, tmp_path: Path) -> Machine:
    return Machine(settings.model_copy(update={"state": StateSettings(directory=tmp_path / "state")}), 1)


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    file = tmp_path / "secret"
    file.write_text(f"whsec_{base64.b64encode(KEY).decode()}\n")
    return file


@contextmanager
def sending(machine: Machine, *webhooks: WebhookSettings) -> Iterator[None]:
    started = Webhooks(machine.settings.state, webhooks, PAUSE)
    started.start()
    try:
        yield
    finally:
        started.stop()


def test_it_is_told_of_changes_and_builds_and_can_verify_them(
    machine: Machine, receiver: Receiver, secret: Path
) -> None:
    revision = machine.writer.put([machine.made("x:first")]).revision
    with sending(machine, WebhookSettings(address=receiver.address, secret_file=secret)):
        patiently(lambda: len(receiver.requests) == 2)
        first, second = receiver.events
        assert first == ("items.changed", {"since": 0, "revision": revision})
        assert (second[0], list(second[1])) == ("collection.built", ["generation"])
        later = machine.writer.put([machine.made("x:second")]).revision
        patiently(lambda: len(receiver.requests) == 3)
        assert receiver.events[2] == ("items.changed", {"since": revision, "revision": later})
        machine.rebuild()
        patiently(lambda: receiver.events[-1][0] == "collection.built" and len(receiver.requests) >= 4)
    for headers, body in receiver.requests:
        signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
        wanted = base64.b64encode(hmac.new(KEY, signed, "sha256").digest()).decode()
        assert headers["webhook-signature"] == f"v1,{wanted}"
        assert headers["content-type"] == "application/json"
    assert len({headers["webhook-id"] for headers, _ in receiver.requests}) == len(receiver.requests)


@pytest.mark.parametrize("status", [500, 302, 410])
def test_what_is_refused_is_sent_again_with_the_same_id(
    machine: Machine, receiver: Receiver, secret: Path, status: int, caplog: pytest.LogCaptureFixture
) -> None:
    receiver.statuses = [status]
    with sending(machine, WebhookSettings(address=receiver.address, secret_file=secret)):
        patiently(lambda: len(receiver.requests) == 3)
    ids = [headers["webhook-id"] for headers, _ in receiver.requests]
    assert ids[0] == ids[1] != ids[2]
    assert f"it answers {status}" in caplog.text


def test_who_begins_anew_says_only_what_is_new(machine: Machine, receiver: Receiver, secret: Path) -> None:
    webhook = WebhookSettings(address=receiver.address, secret_file=secret)
    with sending(machine, webhook):
        patiently(lambda: len(receiver.requests) == 2)
    revision = receiver.events[0][1]["revision"]
    later = machine.writer.put([machine.made("x:second")]).revision
    with sending(machine, webhook), sending(machine, webhook):  # as two processes would
        patiently(lambda: len(receiver.requests) == 3)
        last = machine.writer.put([machine.made("x:third")]).revision
        patiently(lambda: len(receiver.requests) == 4)
    assert [data for _, data in receiver.events[2:]] == [
        {"since": revision, "revision": later},
        {"since": later, "revision": last},
    ]


def test_one_that_does_not_answer_keeps_no_other_waiting_for_ever(
    machine: Machine, receiver: Receiver, secret: Path
) -> None:
    dead = WebhookSettings(address="http://ada:secret@127.0.0.1:1/hook", secret_file=secret)
    with sending(machine, dead, WebhookSettings(address=receiver.address, secret_file=secret)):
        patiently(lambda: len(receiver.requests) == 2)
    assert list(read(machine.settings.state.webhooks)) == [receiver.address]


def test_damage_to_what_was_delivered_loses_nothing(
    machine: Machine, receiver: Receiver, secret: Path
) -> None:
    webhook = WebhookSettings(address=receiver.address, secret_file=secret)
    with sending(machine, webhook):
        patiently(lambda: len(receiver.requests) == 2)
    file = machine.settings.state.webhooks
    stored = bytearray(file.read_bytes())
    stored[-3] ^= 1
    file.write_bytes(stored)
    with sending(machine, webhook):
        patiently(lambda: len(receiver.requests) == 4)
    assert receiver.events[2:] == receiver.events[:2]


def test_after_a_restore_all_may_have_changed() -> None:
    (message,) = messages(Delivered(9, "a"), Delivered(4, "a"))
    assert json.loads(message.body)["data"] == {"since": 0, "revision": 4}
    assert message.id != next(messages(Delivered(3, "a"), Delivered(4, "a"))).id


@pytest.mark.parametrize("text", ["", "whsec_", "whsec_c2hvcnQ=", "c2VjcmV0", "whsec_???", "é", None])
def test_a_secret_that_is_none_is_refused(machine: Machine, tmp_path: Path, text: str | None) -> None:
    file = tmp_path / "other"
    if text is not None:
        file.write_text(text, "utf-8")
    webhook = WebhookSettings(address="https://ada:hidden@portal.example/hook", secret_file=file)
    with pytest.raises(ConfigError, match=r"secret of the webhook to portal\.example") as refused:
        Webhooks(machine.settings.state, [webhook])
    assert "hidden" not in refused.value.detail


@pytest.mark.slow
def test_the_service_tells(machine: Machine, receiver: Receiver, secret: Path) -> None:
    webhooks = json.dumps([{"address": receiver.address, "secret_file": str(secret)}])
    with serving(machine.settings.state.directory, WEBHOOKS=webhooks) as (server, _):
        patiently(lambda: len(receiver.requests) == 2)
        patiently(lambda: server.ask("/health/ready").status == 200)
