"""Keys of the service: who may change what, and the sessions of those who logged in, in one SQLite file.

A key is shown once; the file holds its SHA-256 alone, which suffices for 256 random bits. What one process
writes counts at once in all others, and is on the disk before a call returns.
"""

import hashlib
import hmac
import secrets
import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from math import inf
from pathlib import Path
from typing import Final

from ingest.errors import InvalidRequest, KeysError, UnknownKey
from ingest.storage.database import FileFormat, Store

_MARK: Final = "kindred"
_SECRET_BYTES: Final = 32
_LONGEST_NAME: Final = 100
SESSION: Final = timedelta(hours=12)  # how long a session lasts
_HOUR_S: Final = 3600.0  # how exactly a use is known: a file is touched once in so many seconds at most
_SCHEMA: Final = (
    """CREATE TABLE keys (
        id TEXT PRIMARY KEY, digest BLOB NOT NULL, name TEXT NOT NULL, role TEXT NOT NULL,
        created TEXT NOT NULL, revoked TEXT
    ) STRICT""",
    """CREATE TABLE sessions (
        id TEXT PRIMARY KEY, digest BLOB NOT NULL, key TEXT NOT NULL REFERENCES keys(id), ends TEXT NOT NULL
    ) STRICT""",
)
_SUM_KEY: Final = "UPDATE keys SET checksum = row_checksum(id, digest, name, role, created, revoked)"
_SUM_SESSION: Final = "UPDATE sessions SET checksum = row_checksum(id, digest, key, ends)"
_CHECKSUMS: Final = (
    "ALTER TABLE keys ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0",
    _SUM_KEY,
    "ALTER TABLE sessions ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0",
    _SUM_SESSION,
)
_THIS: Final = " WHERE id = ?"


class Role(StrEnum):
    """What the holder of a key may do; each may what those before it may."""

    READER = "reader"
    CURATOR = "curator"
    ADMIN = "admin"

    def reaches(self, other: "Role") -> bool:
        """Whether this role includes what the other may do."""
        roles = list(Role)
        return roles.index(self) >= roles.index(other)


@dataclass(frozen=True, slots=True)
class Client:
    """A client of the service: the public id of its key, the name and the role of the key."""

    id: str
    name: str
    role: Role


@dataclass(frozen=True, slots=True)
class Key:
    """All of a key but its secret. Times are UTC; ``revoked`` is None while it counts."""

    id: str
    name: str
    role: Role
    created: str
    revoked: str | None


class Keys(Store):
    """The keys in one file, which is made with the first key. Threads and processes may share it.

    Raises ``KeysError`` where the file cannot be used (every method may).
    """

    FORMAT = FileFormat(
        application=0x4B494E4B,  # "KINK"
        steps=(_SCHEMA, _CHECKSUMS),
        error=KeysError,
        lacks="holds no keys",
        remedy="move it away and make the keys anew",
        private=True,  # hashes of secrets are nobody else's to read
    )

    def add(self, name: str, role: Role) -> tuple[Key, str]:
        """Make a key; gives its entry, and the key itself, which nobody can read again.

        Raises ``InvalidRequest`` for a name that is empty, too long, or holds a control character.
        """
        if not name.strip() or len(name) > _LONGEST_NAME or not name.isprintable():
            raise InvalidRequest(
                f"a key needs a name of 1 to {_LONGEST_NAME} characters that can be printed, not {name!r}"
            )
        identity, token, hashed = _drawn()
        key = Key(identity, name.strip(), role, _stamp(_now()), None)
        row = key.id, hashed, key.name, key.role.value, key.created
        with self._writing():
            self._run("INSERT INTO keys(id, digest, name, role, created) VALUES (?, ?, ?, ?, ?)", *row)
            self._run(_SUM_KEY + _THIS, identity)
        return key, token

    def all(self) -> list[Key]:
        """Every key that was made, revoked ones too, oldest first."""
        rows = self._sound("SELECT * FROM keys ORDER BY created, rowid")
        return [Key(identity, name, Role(role), *times) for identity, _, name, role, *times in rows]

    def revoke(self, identity: str) -> Key:
        """Let a key, and every session that was begun with it, count no more; raises ``UnknownKey``."""
        if identity not in (key.id for key in self.all()):
            raise UnknownKey(f"no key {identity!r}; those that there are: kindred keys list")
        with self._writing():
            self._revoke(identity, _stamp(_now()))
            self._run("DELETE FROM sessions WHERE key = ?", identity)
        return next(key for key in self.all() if key.id == identity)

    def begin_anew(self, revoked: Iterable[Key]) -> None:
        """End every session, and revoke those of the keys that are among ``revoked``."""
        with self._writing():
            for key in revoked:
                self._revoke(key.id, key.revoked)
            self._run("DELETE FROM sessions")

    def client(self, token: str) -> Client | None:
        """Who holds a key; None where it is none, or was revoked."""
        return self._holder(_identity(token), of=token)

    def log_in(self, client: Client, length: timedelta = SESSION) -> str:
        """Begin a session, and clear away those that have ended; gives the token for the browser."""
        identity, token, hashed = _drawn()
        now = _now()
        with self._writing():
            self._run("DELETE FROM sessions WHERE ends <= ?", _stamp(now))
            row = identity, hashed, client.id, _stamp(now + length)
            self._run("INSERT INTO sessions(id, digest, key, ends) VALUES (?, ?, ?, ?)", *row)
            self._run(_SUM_SESSION + _THIS, identity)
        return token

    def in_session(self, token: str) -> Client | None:
        """Who began a session; None where it has ended, or its key was revoked."""
        rows = self._sound("SELECT * FROM sessions WHERE id = ?", _identity(token))
        if not rows:
            return None
        _, hashed, key, ends = rows[0]
        whole = hmac.compare_digest(hashed, digest(token)) and ends > _stamp(_now())
        return self._holder(key) if whole else None

    def log_out(self, token: str) -> None:
        """End a session."""
        if self.in_session(token) is not None:
            with self._writing():
                self._run("DELETE FROM sessions WHERE id = ?", _identity(token))

    def _revoke(self, identity: str, when: str | None) -> None:
        self._run("UPDATE keys SET revoked = ? WHERE id = ? AND revoked IS NULL", when, identity)
        self._run(_SUM_KEY + _THIS, identity)

    def _holder(self, key: str, *, of: str | None = None) -> Client | None:
        """Who holds a key that counts, and whose token ``of`` is where one is given."""
        rows = self._sound("SELECT * FROM keys WHERE id = ?", key)
        if not rows:
            return None
        identity, hashed, name, role, _, revoked = rows[0]
        if revoked is not None or (of is not None and not hmac.compare_digest(hashed, digest(of))):
            return None
        return Client(identity, name, Role(role))


class KeyUses:
    """When keys were last used: the times of empty files, each with the id of a key for its name.

    So no request waits for a database, or fails, to note it. Threads and processes may share the folder.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def note(self, identity: str) -> None:
        """Note that a key is used now, unless it cannot be written."""
        if time.time() - self._time(identity) >= _HOUR_S:
            with suppress(OSError):
                self._folder.mkdir(exist_ok=True)
                (self._folder / identity).touch()

    def last(self, identity: str) -> str | None:
        """When a key was last used (UTC), up to an hour before the very last time; None: not known."""
        known = self._time(identity)
        return _stamp(datetime.fromtimestamp(known, UTC)) if known > -inf else None

    def _time(self, identity: str) -> float:
        try:
            return (self._folder / identity).stat().st_mtime
        except OSError:
            return -inf


def _drawn() -> tuple[str, str, bytes]:
    """A new public id, the token that holds it, and the digest of the token."""
    identity = secrets.token_hex(4)
    token = f"{_MARK}_{identity}_{secrets.token_urlsafe(_SECRET_BYTES)}"
    return identity, token, digest(token)


def _identity(token: str) -> str:
    """The public id within a token; empty for what is none."""
    mark, _, rest = token.partition("_")
    return rest.partition("_")[0] if mark == _MARK else ""


def digest(token: str) -> bytes:
    """What the file holds of a key: its SHA-256."""
    return hashlib.sha256(token.encode(errors="replace")).digest()


def _now() -> datetime:
    return datetime.now(UTC)


def _stamp(when: datetime) -> str:
    """A time as the file has it: the order of such texts is that of the times."""
    return when.strftime("%Y-%m-%dT%H:%M:%SZ")
