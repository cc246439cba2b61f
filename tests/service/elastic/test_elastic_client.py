"""How a cluster is reached: addresses, secrets, and what cannot be read."""

import json
import socket
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from ingest.errors import ConfigError, IndexUnavailable
from service.search.engines.elastic.bulk import Write, send
from service.search.engines.elastic.client import KEY_VARIABLE, PASSWORD_VARIABLE, asking, connect
from service.search.engines.elastic.provider import ClusterProvider
from service.search.engines.elastic.settings import ElasticSettings
from service.sections import StateSettings
from service.settings import IndexSettings, load

NOBODY = ("http://127.0.0.1:9",)


def header(settings: ElasticSettings) -> str | None:
    """What the client says of who asks."""
    return connect(settings)._headers.get("authorization")


@pytest.fixture(autouse=True)
def no_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (KEY_VARIABLE, PASSWORD_VARIABLE):
        monkeypatch.delenv(name, raising=False)


def test_a_key_comes_from_a_file_or_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert header(ElasticSettings()) is None
    monkeypatch.setenv(KEY_VARIABLE, "from the environment")
    assert header(ElasticSettings()) == "ApiKey from the environment"
    file = tmp_path / "key"
    file.write_text("from a file\n")
    assert header(ElasticSettings(key_file=file)) == "ApiKey from a file"


def test_a_password_comes_from_a_file_or_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(ConfigError, match=r"password.*index\.password_file, or ELASTICSEARCH_PASSWORD"):
        connect(ElasticSettings(user="kindred"))
    monkeypatch.setenv(PASSWORD_VARIABLE, "secret")
    assert header(ElasticSettings(user="kindred")) == "Basic a2luZHJlZDpzZWNyZXQ="
    with pytest.raises(ConfigError, match="nowhere"):
        connect(ElasticSettings(user="kindred", password_file=tmp_path / "nowhere"))


@pytest.mark.parametrize("key", ["top\nsecret", "tøpsecret"])
def test_a_key_that_no_header_can_hold_is_refused_and_not_shown(
    key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(KEY_VARIABLE, key)
    with pytest.raises(ConfigError, match=KEY_VARIABLE) as raised:
        connect(ElasticSettings())
    assert "secret" not in raised.value.detail


def test_a_key_may_end_with_a_line_break(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(KEY_VARIABLE, "secret\n")
    assert header(ElasticSettings()) == "ApiKey secret"


@pytest.mark.parametrize("url", ["http://elastic:topsecret@10.0.0.5:9200", "*"])
def test_an_address_with_a_password_is_refused_and_not_shown(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KINDRED_INDEX__URLS", json.dumps([url]))
    with pytest.raises(ConfigError, match=r"index\.urls") as raised:
        load()
    assert "topsecret" not in raised.value.detail


def test_who_waits_for_a_cluster_that_hangs_fails_with_the_first(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as hanging:
        url = f"http://127.0.0.1:{hanging.getsockname()[1]}"
        index = IndexSettings.model_validate({"urls": (url,), "retries": 0, "timeout": 1.0})
        found = load().model_copy(update={"index": index, "state": StateSettings(directory=tmp_path)})
        provider = ClusterProvider(found, lambda _: [])
        with ThreadPoolExecutor(4) as together:
            under_way = [together.submit(provider) for _ in range(4)]
            hanging.settimeout(5)
            asked, _ = hanging.accept()
            with asked:
                for one in under_way:
                    assert isinstance(one.exception(), IndexUnavailable)
        hanging.settimeout(0)
        with pytest.raises(BlockingIOError):
            hanging.accept()


def test_an_authority_has_to_be_a_file(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"index\.authority"):
        connect(ElasticSettings(urls=("https://127.0.0.1:9200",), authority=tmp_path))


def test_a_cluster_that_is_not_there_is_told_by_its_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(KEY_VARIABLE, "secret")
    settings = ElasticSettings(urls=NOBODY, retries=0)
    with (
        pytest.raises(IndexUnavailable, match=r"http://127\.0\.0\.1:9 .*running\?") as raised,
        asking(settings),
    ):
        connect(settings).count(index="kindred")
    assert "secret" not in raised.value.detail


def busy(*kinds: int) -> bytes:
    """What the engine answers to a bulk request: a status for each of its items."""
    items = [
        {
            "index": {
                "status": status,
                **({} if status < 300 else {"error": {"type": "busy", "reason": "full"}}),
            }
        }
        for status in kinds
    ]
    return json.dumps({"errors": max(kinds) >= 300, "items": items}).encode()


@contextmanager
def engine(*answers: tuple[int, bytes]) -> Iterator[tuple[ElasticSettings, list[int]]]:
    """A server that gives these answers, the last one for ever, and the lines of each request to it."""
    left, lines = list(answers), list[int]()

    class Handler(BaseHTTPRequestHandler):
        def do_PUT(self) -> None:
            asked = self.rfile.read(int(self.headers["content-length"]))
            lines.append(asked.count(b"\n"))
            status, body = left.pop(0) if len(left) > 1 else left[0]
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("x-elastic-product", "Elasticsearch")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        url = f"http://127.0.0.1:{server.server_address[1]}"
        yield ElasticSettings(urls=(url,), retries=0), lines
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


WRITES = [Write(f"m:{n}", 1, {"id": f"m:{n}"}) for n in range(3)]


def test_what_a_busy_cluster_does_not_take_is_sent_again_later_and_later() -> None:
    slept = list[float]()
    answers = (503, b"{}"), (429, b"{}"), (200, busy(201, 429, 201)), (200, busy(201))
    with engine(*answers) as (settings, lines):
        assert send(connect(settings), settings, "i", WRITES, 60.0, sleep=slept.append) == []
    # two lines a write: all three, twice more all three, then the one that was not taken
    assert lines == [6, 6, 6, 2]
    # between half of .1, .2, .4 seconds and all of it
    assert all(0.05 * 2**n <= wait <= 0.1 * 2**n for n, wait in enumerate(slept))
    assert len(slept) == 3


def test_what_a_cluster_is_too_busy_for_until_the_end_is_given_back_with_the_reason() -> None:
    with engine((200, busy(201, 429, 201)), (200, busy(429))) as (settings, _):
        (refused,) = send(connect(settings), settings, "i", WRITES, 0.5)
    assert (refused.id, refused.reason) == ("m:1", "busy: full")
