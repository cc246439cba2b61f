"""How a cluster is reached: addresses, secrets, and what cannot be read."""

import json
import socket
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from ingest.errors import ConfigError, IndexUnavailable
from service.index.elastic.client import KEY_VARIABLE, PASSWORD_VARIABLE, asking, connect
from service.index.elastic.desk import ClusterDesk
from service.settings import IndexSettings, StateSettings, load

NOBODY = ("http://127.0.0.1:9",)


def header(settings: IndexSettings) -> str | None:
    """What the client says of who asks."""
    return connect(settings)._headers.get("authorization")


@pytest.fixture(autouse=True)
def no_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (KEY_VARIABLE, PASSWORD_VARIABLE):
        monkeypatch.delenv(name, raising=False)


def test_a_key_comes_from_a_file_or_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert header(IndexSettings()) is None
    monkeypatch.setenv(KEY_VARIABLE, "from the environment")
    assert header(IndexSettings()) == "ApiKey from the environment"
    file = tmp_path / "key"
    file.write_text("from a file\n")
    assert header(IndexSettings(key_file=file)) == "ApiKey from a file"


def test_a_password_comes_from_a_file_or_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(ConfigError, match=r"password.*index\.password_file, or ELASTICSEARCH_PASSWORD"):
        connect(IndexSettings(user="kindred"))
    monkeypatch.setenv(PASSWORD_VARIABLE, "secret")
    assert header(IndexSettings(user="kindred")) == "Basic a2luZHJlZDpzZWNyZXQ="
    with pytest.raises(ConfigError, match="nowhere"):
        connect(IndexSettings(user="kindred", password_file=tmp_path / "nowhere"))


@pytest.mark.parametrize("key", ["top\nsecret", "tøpsecret"])
def test_a_key_that_no_header_can_hold_is_refused_and_not_shown(
    key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(KEY_VARIABLE, key)
    with pytest.raises(ConfigError, match=KEY_VARIABLE) as raised:
        connect(IndexSettings())
    assert "secret" not in raised.value.detail


def test_a_key_may_end_with_a_line_break(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(KEY_VARIABLE, "secret\n")
    assert header(IndexSettings()) == "ApiKey secret"


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
        index = IndexSettings(kind="elasticsearch", urls=(url,), retries=0, timeout=1.0)
        found = load().model_copy(update={"index": index, "state": StateSettings(directory=tmp_path)})
        desk = ClusterDesk(found, lambda _: [])
        with ThreadPoolExecutor(4) as together:
            under_way = [together.submit(desk) for _ in range(4)]
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
        connect(IndexSettings(urls=("https://127.0.0.1:9200",), authority=tmp_path))


def test_a_cluster_that_is_not_there_is_told_by_its_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(KEY_VARIABLE, "secret")
    settings = IndexSettings(urls=NOBODY, retries=0)
    with (
        pytest.raises(IndexUnavailable, match=r"http://127\.0\.0\.1:9 .*running\?") as raised,
        asking(settings),
    ):
        connect(settings).count(index="kindred")
    assert "secret" not in raised.value.detail
