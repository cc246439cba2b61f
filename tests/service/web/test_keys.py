"""Keys: made once, kept as hashes, revoked at once; and what each role may do over HTTP."""

import json
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from ingest.errors import InvalidRequest, KeysError, UnknownKey
from service.composition import open_provider
from service.operations.keys import Keys, KeyUses, Role
from service.sections import StateSettings
from service.settings import Settings
from service.web.api.app import create_app
from tests.service.cli.commands import Kindred
from tests.service.cli.test_cli import kindred, state
from tests.service.conftest import Server, new_key, running
from tests.service.operations.live_machine import Machine

__all__ = ["kindred", "state"]

BODY = b'{"title": "Regatta in Venice"}'


@pytest.fixture
def keys(tmp_path: Path) -> Keys:
    return Keys(tmp_path / "state" / "keys.sqlite")


def test_a_key_tells_who_holds_it_until_it_is_revoked(keys: Keys, tmp_path: Path) -> None:
    assert keys.all() == []
    assert keys.client("kindred_0_0") is None
    made, token = keys.add("Our portal", Role.CURATOR)
    other, _ = keys.add("Our portal", Role.READER)
    assert [key.id for key in keys.all()] == [made.id, other.id]
    elsewhere = Keys(tmp_path / "state" / "keys.sqlite")
    client = elsewhere.client(token)
    assert client is not None
    assert (client.id, client.name, client.role) == (made.id, "Our portal", Role.CURATOR)
    done = keys.revoke(made.id)
    assert done.revoked is not None
    assert keys.revoke(made.id) == done
    assert elsewhere.client(token) is None
    with pytest.raises(UnknownKey, match="kindred keys list"):
        keys.revoke("none")


@pytest.mark.parametrize("role", Role)
def test_each_role_may_what_those_before_it_may(role: Role) -> None:
    may = {Role.READER: "reader", Role.CURATOR: "reader curator", Role.ADMIN: "reader curator admin"}
    assert [other.value for other in Role if role.reaches(other)] == may[role].split()


def test_a_key_is_long_and_its_name_bare(keys: Keys) -> None:
    longest, token = keys.add(" " + "x" * 98 + " ", Role.READER)
    assert longest.name == "x" * 98
    assert keys.add("x" * 100, Role.READER)[0].name == "x" * 100
    mark, identity, secret = token.split("_", 2)
    # 4 bytes in hexadecimal digits; 32 bytes, which nobody can guess, in base64
    assert (mark, identity, len(identity), len(secret)) == ("kindred", longest.id, 8, 43)


def test_a_session_lasts_half_a_day_and_is_cleared_away_behind(keys: Keys, tmp_path: Path) -> None:
    made, token = keys.add("x", Role.READER)
    client = keys.client(token)
    assert client is not None
    keys.log_in(client, timedelta(seconds=-1))
    before = datetime.now(UTC)
    keys.log_in(client)
    with closing(sqlite3.connect(tmp_path / "state" / "keys.sqlite")) as connection:
        ((key, ends),) = connection.execute("SELECT key, ends FROM sessions").fetchall()
    assert key == made.id
    after = datetime.fromisoformat(ends).replace(tzinfo=UTC) - before - timedelta(hours=12)
    assert abs(after) < timedelta(minutes=1)


@pytest.mark.parametrize(
    "change", [str.upper, lambda t: t[:-1], lambda t: t + "x", lambda t: t.split("_")[1]]
)
def test_what_is_not_the_key_to_the_letter_is_none(keys: Keys, change: object) -> None:
    _, token = keys.add("x", Role.READER)
    assert callable(change)
    assert keys.client(change(token)) is None


def test_the_file_holds_no_secret_and_is_nobody_elses(keys: Keys, tmp_path: Path) -> None:
    made, token = keys.add("x", Role.READER)
    client = keys.client(token)
    assert client is not None
    session = keys.log_in(client)
    file = tmp_path / "state" / "keys.sqlite"
    log = file.with_name("keys.sqlite-wal")
    assert log.stat().st_mode & 0o077 == 0
    written = file.read_bytes() + log.read_bytes()
    for secret in (token, session):
        assert secret.split("_", 2)[2].encode() not in written
    assert made.id.encode() in written
    assert file.stat().st_mode & 0o077 == 0


def test_a_session_ends_with_its_time_its_key_or_when_it_is_told_to(keys: Keys) -> None:
    made, token = keys.add("x", Role.CURATOR)
    client = keys.client(token)
    assert client is not None
    one, two, over = keys.log_in(client), keys.log_in(client), keys.log_in(client, timedelta(0))
    assert (keys.in_session(one), keys.in_session(two), keys.in_session(over)) == (client, client, None)
    assert keys.client(one) is None
    assert keys.in_session(token) is None
    keys.log_out(one)
    keys.log_out("nonsense")
    assert (keys.in_session(one), keys.in_session(two)) == (None, client)
    keys.revoke(made.id)
    assert keys.in_session(two) is None


@pytest.mark.parametrize("name", ["", " ", "x" * 101, "a\nb", "a\x00"])
def test_a_name_that_no_list_can_show_is_refused(keys: Keys, name: str) -> None:
    with pytest.raises(InvalidRequest, match="a key needs a name"):
        keys.add(name, Role.READER)
    assert keys.all() == []


def test_a_file_of_another_kind_is_refused_and_left_alone(tmp_path: Path) -> None:
    text, other, newer = tmp_path / "text", tmp_path / "other", tmp_path / "newer"
    text.write_text("no database at all, but long enough to be read as one" * 20)
    with closing(sqlite3.connect(other)) as connection:
        connection.execute("CREATE TABLE keys (id TEXT)")
    Keys(newer).add("x", Role.READER)
    with closing(sqlite3.connect(newer)) as connection:
        connection.execute("PRAGMA user_version = 99")
    for file, reason in ((text, "holds no keys"), (other, "another program"), (newer, "newer Kindred")):
        before = file.read_bytes()
        with pytest.raises(KeysError, match=reason):
            Keys(file).all()
        with pytest.raises(KeysError, match=reason):
            Keys(file).add("x", Role.READER)
        assert file.read_bytes() == before


def test_a_folder_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(KeysError):
        Keys(tmp_path / "file" / "keys.sqlite").add("x", Role.READER)


# -- over HTTP -----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def there(settings: Settings, tmp_path_factory: pytest.TempPathFactory) -> Settings:
    placed = settings.model_copy(update={"state": StateSettings(directory=tmp_path_factory.mktemp("state"))})
    service = placed.service.model_copy(update={"writes": True})
    return placed.model_copy(update={"service": service})


@pytest.fixture(scope="module")
def writable(there: Settings) -> Iterator[Server]:
    machine = Machine(there, 3)
    app = create_app(open_provider(there), there)
    app.state.writer = machine.writer
    with running(app) as server:
        yield server


def refused(server: Server, status: int, code: str) -> dict[str, str]:
    """How PUT and DELETE are refused."""
    for reply in (server.ask("/items/k:1", "PUT", BODY), server.ask("/items/x:00", "DELETE")):
        assert (reply.status, json.loads(reply.body)["type"]) == (status, f"/problems/{code}")
    assert server.ask("/items/x:00").status == 200
    assert server.ask("/items/k:1").status == 404
    return reply.headers


def test_nobody_writes_without_a_key_that_counts(writable: Server, there: Settings) -> None:
    for key in ("", "nonsense", "kindred_00000000_" + "x" * 43):
        headers = refused(writable._replace(key=key), 401, "key-required")
        assert headers["www-authenticate"] == 'Bearer realm="Kindred"'
    made, token = Keys(there.state.keys).add("Gone", Role.ADMIN)
    Keys(there.state.keys).revoke(made.id)
    refused(writable._replace(key=token), 401, "key-required")


def test_a_reader_does_not_write(writable: Server, there: Settings) -> None:
    refused(writable._replace(key=new_key(there, Role.READER)), 403, "role-too-low")


@pytest.mark.parametrize("role", [Role.CURATOR, Role.ADMIN])
def test_curators_and_admins_write(writable: Server, there: Settings, role: Role) -> None:
    server = writable._replace(key=new_key(there, role))
    assert server.ask(f"/items/{role.value}", "PUT", BODY).status == 201
    assert server.ask(f"/items/{role.value}", "DELETE").status == 204


def test_a_curator_withdraws_an_item_on_its_page_and_nobody_else(writable: Server, there: Settings) -> None:
    curator = writable._replace(key=new_key(there))
    assert curator.ask("/items/away", "PUT", BODY).status == 201
    assert b"Withdraw this item" in curator.ask("/view/items/away").body
    for server, status in (
        (writable, 401),
        (writable._replace(key=new_key(there, Role.READER)), 403),
        (curator, 303),
    ):
        assert b"Withdraw this item" not in writable.ask("/view/items/away").body
        assert server.ask("/edit/withdraw", "POST", b"item=away").status == status
    assert curator.ask("/items/away").status == 404
    assert curator.ask("/edit/withdraw", "POST", b"item=away").status == 404


def test_where_nothing_may_be_changed_no_key_helps(settings: Settings, there: Settings) -> None:
    closed = there.model_copy(update={"service": settings.service})
    with running(create_app(open_provider(closed), closed), new_key(there, Role.ADMIN)) as server:
        reply = server.ask("/items/k:1", "PUT", BODY)
        assert (reply.status, json.loads(reply.body)["type"]) == (403, "/problems/read-only")


def test_a_file_of_keys_that_cannot_be_read_says_so(settings: Settings, tmp_path: Path) -> None:
    broken = settings.model_copy(update={"state": StateSettings(directory=tmp_path)})
    broken.state.keys.write_text("no database at all, but long enough to be read as one" * 20)
    with running(create_app(open_provider(broken), broken)) as server:
        assert server.ask("/health/live").status == 200
        reply = server._replace(key="kindred_0_0").ask("/health/live")
        assert (reply.status, json.loads(reply.body)["type"]) == (500, "/problems/keys")
        assert str(tmp_path).encode() not in reply.body


# -- who may read, and when a key was last used --------------------------------------------------


@pytest.fixture(scope="module")
def private(there: Settings) -> Iterator[Server]:
    Machine(there, 3)
    closed = there.model_copy(
        update={"service": there.service.model_copy(update={"reads": "keys", "max_age": 60})}
    )
    with running(create_app(open_provider(closed), closed)) as server:
        yield server


@pytest.mark.parametrize("path", ["/items", "/items/x:00", "/", "/view/items/x:00", "/search?q=a", "/paths"])
def test_where_reading_needs_a_key_nobody_reads_without_one(
    private: Server, there: Settings, path: str
) -> None:
    for key in ("", "nonsense"):
        assert private._replace(key=key).ask(path).status == 401
    reply = private._replace(key=new_key(there, Role.READER)).ask(path)
    assert reply.status == 200
    assert "public" not in reply.headers.get("cache-control", "")


@pytest.mark.parametrize(
    "path",
    ["/health/live", "/health/ready", "/metrics", "/openapi.json", "/docs", "/login", "/problems/busy"],
)
def test_what_tells_nothing_of_the_items_stays_open(private: Server, path: str) -> None:
    assert private.ask(path).status == 200


def test_a_visitor_without_a_key_is_shown_where_to_log_in(private: Server) -> None:
    assert b'href="/login?next=/view/items/x' in private.ask("/view/items/x:00").body


def test_the_use_of_a_key_is_kept_once_an_hour(writable: Server, there: Settings) -> None:
    key, token = Keys(there.state.keys).add("Portal", Role.READER)
    file = there.state.key_uses / key.id
    assert KeyUses(there.state.key_uses).last(key.id) is None
    server = writable._replace(key=token)
    assert server.ask("/items").status == 200
    now = file.stat().st_mtime
    os.utime(file, (now - 3000, now - 3000))
    server.ask("/items")
    assert file.stat().st_mtime == pytest.approx(now - 3000)
    os.utime(file, (now - 4000, now - 4000))
    server.ask("/items")
    assert file.stat().st_mtime >= now - 1


def test_a_use_that_cannot_be_kept_fails_no_request(settings: Settings, tmp_path: Path) -> None:
    state = settings.model_copy(update={"state": StateSettings(directory=tmp_path)})
    key = new_key(state, Role.READER)
    state.state.key_uses.write_text("a file where the folder would be")
    with running(create_app(open_provider(state), state), key) as server:
        assert server.ask("/health/live").status == 200


# -- commands ------------------------------------------------------------------------------------


def test_the_commands_make_list_and_revoke(kindred: Kindred, state: Path) -> None:
    made = kindred.document("keys", "add", "Our [b] portal", "--role", "curator")
    assert set(made) == {"id", "name", "role", "key"}
    holder = Keys(state / "keys.sqlite").client(str(made["key"]))
    assert holder is not None
    assert (holder.id, holder.role) == (made["id"], Role.CURATOR)
    shown = kindred("keys", "add", "Second")
    assert Keys(state / "keys.sqlite").client(shown.out.splitlines()[-1]) is not None
    listed = kindred.document("keys", "list")["keys"]
    assert isinstance(listed, list)
    assert [(one["name"], one["role"], one["revoked"]) for one in listed] == [
        ("Our [b] portal", "curator", None),
        ("Second", "reader", None),
    ]
    assert all(one["used"] is None for one in listed)
    KeyUses(state / "keys-used").note(str(made["id"]))
    again = kindred.document("keys", "list")["keys"]
    assert isinstance(again, list)
    assert [one["used"] is None for one in again] == [False, True]
    assert "Our [b] portal" in kindred("keys", "list").out
    assert kindred.document("keys", "revoke", str(made["id"]))["revoked"]
    assert Keys(state / "keys.sqlite").client(str(made["key"])) is None
    unknown = kindred("keys", "revoke", "none")
    assert (unknown.status, unknown.err.startswith("kindred: unknown-key: ")) == (2, True)
