"""How a cluster is reached: addresses, secrets, and what cannot be read."""

from pathlib import Path

import pytest

from ingest.errors import ConfigError, IndexUnavailable
from service.index.elastic.client import KEY_VARIABLE, PASSWORD_VARIABLE, asking, connect
from service.settings import IndexSettings

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
