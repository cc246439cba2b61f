"""The store of the exploration paths: every version of every path, in one SQLite file.

A change is a new version, on the disk before the call returns; nothing is written over. Each change names the
version that was read: where another has come since, it is refused, so that two curators never write over
each other. An undo writes the content of an earlier version as a new one.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

from msgspec.structs import replace

from ingest.errors import InvalidRequest, PathConflict, PathsError, UnknownPath
from ingest.storage.database import FileFormat, Parameter, Store
from ingest.storage.sealing import seal, unseal
from service.paths.model import Content, ExplorationPath, Fork, Signature, check, decode, encode, new_id

_PATHS: Final = (
    """CREATE TABLE paths (
        id TEXT PRIMARY KEY CHECK (id <> ''), version INTEGER NOT NULL, published INTEGER,
        fork_path TEXT, fork_version INTEGER
    ) STRICT, WITHOUT ROWID""",
    """CREATE TABLE versions (
        path TEXT NOT NULL, version INTEGER NOT NULL, body BLOB NOT NULL, changed_by TEXT NOT NULL,
        changed TEXT NOT NULL, action TEXT NOT NULL, content_of INTEGER NOT NULL, published INTEGER,
        PRIMARY KEY (path, version)
    ) STRICT""",
)
# changed_by is the name of a key from here on; before it was what was given, or else that
_SIGNED: Final = (
    "ALTER TABLE versions ADD COLUMN signed TEXT NOT NULL DEFAULT ''",
    "UPDATE versions SET signed = changed_by, changed_by = ''",
)
# what a path says has a checksum (ingest.storage.sealing)
_SEALED: Final = ("UPDATE versions SET body = sealed(body)",)


Listed: TypeAlias = tuple[str, str]
"""Where a path stands in a list: when it was changed, and its id."""

_BEGINNING: Final[Listed] = ("~", "")  # a path would have been changed later than any date


class Version(NamedTuple):
    """A version in short."""

    version: int
    action: str
    changed: str
    by: Signature
    published: bool


class PathsFile(Store):
    """The paths on the disk; threads and processes may share them. Reading needs no file.

    Raises:
        PathsError: the file is none of paths, of a newer Kindred, damaged, or cannot be written (every
            method may raise it).
        UnknownPath: no path of that id, or no such version of it.
        PathConflict: the path was changed since the version that was read.
        InvalidRequest: no path can be so.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder, PathsFile(Path(folder, "paths.sqlite")) as paths:
    ...     made = paths.create(Content(title="Venice"), Signature("Ada"))
    ...     changed = paths.change(made.id, 1, Content(title="Venice by water"), Signature("Ada"))
    ...     undone = paths.undo(made.id, 2, Signature("Ada"))
    ...     (changed.version, undone.version, undone.content.title)
    (2, 3, 'Venice')
    """

    FORMAT = FileFormat(
        application=0x4B505448,  # "KPTH"
        steps=(_PATHS, _SIGNED, _SEALED),
        error=PathsError,
        lacks="holds no paths",
        remedy="put back the one of a backup (kindred restore), or move it away to begin anew",
    )

    def __init__(self, file: Path, clock: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        super().__init__(file)
        self._clock = clock

    def get(self, path: str, version: int | None = None) -> ExplorationPath:
        """A path as it is now, or as it was in a version."""
        which = "" if version is None else f" with a version {version}"
        where = "p.id = ? AND v.version = coalesce(?, p.version)"
        return self._paths(where, path, version, absent=f"no path {path!r}{which}")[0]

    def published(self, path: str) -> ExplorationPath:
        """A path as visitors see it; one that is not published is unknown to them."""
        where = "p.id = ? AND v.version = p.published"
        return self._paths(where, path, absent=f"no path {path!r} is published")[0]

    def all_published(self, most: int = -1, behind: Listed | None = None) -> list[ExplorationPath]:
        """What visitors see, the newest publication first.

        ``most`` says how many, -1 for all; ``behind`` gives those that follow a path in this order.
        """
        return self._listed("published", most, behind)

    def publication(self) -> str:
        """A text that differs where visitors see something else."""
        rows = self._all("SELECT id, published FROM paths WHERE published IS NOT NULL ORDER BY id")
        return " ".join(f"{path}:{version}" for path, version in rows)

    def all(self, most: int = -1, behind: Listed | None = None) -> list[ExplorationPath]:
        """Every path as it is now, the last changed first; otherwise as :meth:`all_published`."""
        return self._listed("version", most, behind)

    def changed_by(self, key: str) -> frozenset[str]:
        """The ids of the paths of which a version was made with a key of that name."""
        rows = self._all(_SIGNED_PATHS.format(signed=self._signed))
        return frozenset(path for path, by, _ in rows if by == key)

    def versions(self, path: str) -> list[Version]:
        """All versions of a path, the newest first."""
        rows = self._all(_VERSIONS.format(signed=self._signed), path)
        if not rows:
            raise UnknownPath(f"no path {path!r}; {_WHERE}")
        return [
            Version(version, action, changed, Signature(key, name), bool(published))
            for version, action, changed, key, name, published in rows
        ]

    def expect(self, path: str, read: int) -> ExplorationPath:
        """A path as it is now; raises ``PathConflict`` where it is not the version that was read."""
        now = self.get(path)
        if now.version != read:
            raise PathConflict(
                f"the path {path!r} was changed since version {read}: it has version {now.version} now,"
                f" by {now.by.shown}; read it, put your change into it and send that",
                now.version,
            )
        return now

    def create(self, content: Content, by: Signature, action: str = "created") -> ExplorationPath:
        """Store a new path, under an id of its own."""
        return self._create(check(content), by, action, None)

    def change(self, path: str, read: int, content: Content, by: Signature) -> ExplorationPath:
        """Make another content the next version of a path; what is the same already is left alone.

        ``read`` is the version that the change was made from.
        """
        check(content)
        with self._changing(path, read) as now:
            if now.content == content:
                return now
            return self._next(now, content, by, "changed", published=now.published)

    def publish(self, path: str, read: int, by: Signature) -> ExplorationPath:
        """Show the path to visitors as it is now; later changes are seen when it is published again."""
        with self._changing(path, read) as now:
            if len(now.content.steps) == 0:
                raise InvalidRequest("a path without a step cannot be published; add one")
            if now.published == now.version:
                return now
            return self._next(now, now.content, by, "published", now.content_of, published=now.version + 1)

    def unpublish(self, path: str, read: int, by: Signature) -> ExplorationPath:
        """Show the path to visitors no more."""
        with self._changing(path, read) as now:
            if now.published is None:
                return now
            return self._next(now, now.content, by, "unpublished", now.content_of, published=None)

    def undo(self, path: str, read: int, by: Signature) -> ExplorationPath:
        """Make the content before the present one the next version; again and again goes further back."""
        with self._changing(path, read) as now:
            query = "SELECT max(version) FROM versions WHERE path = ? AND version < ?"
            ((before,),) = self._all(query, path, now.content_of)
            if before is None:
                raise InvalidRequest("there is nothing to undo: this is the path as it was begun")
            return self._back_to(now, before, by, "undone")

    def restore(self, path: str, read: int, version: int, by: Signature) -> ExplorationPath:
        """Make the content of an earlier version the next one."""
        with self._changing(path, read) as now:
            return self._back_to(now, version, by, f"restored from version {version}")

    def fork(self, path: str, version: int, by: Signature, title: str | None = None) -> ExplorationPath:
        """Begin another path with the content of a version of this one."""
        origin = self.get(path, version).content
        content = replace(origin, title=title or origin.title, curator=by.name or origin.curator)
        return self._create(check(content), by, "forked", Fork(path, version))

    def delete(self, path: str, read: int) -> None:
        """Remove a path with all its versions."""
        with self._changing(path, read):
            self._run("DELETE FROM versions WHERE path = ?", path)
            self._run("DELETE FROM paths WHERE id = ?", path)

    def _create(self, content: Content, by: Signature, action: str, fork: Fork | None) -> ExplorationPath:
        with self._writing():
            path = ExplorationPath(
                id=new_id(content.title),
                version=1,
                content=content,
                by=by,
                changed=self._now(),
                action=action,
                content_of=1,
                fork_of=fork,
            )
            origin = (None, None) if fork is None else (fork.path, fork.version)
            self._run("INSERT INTO paths VALUES (?, 1, NULL, ?, ?)", path.id, *origin)
            return self._add(path)

    @contextmanager
    def _changing(self, path: str, read: int) -> Iterator[ExplorationPath]:
        """One transaction over a path that has the version that was read; raises ``PathConflict``."""
        with self._writing():
            yield self.expect(path, read)

    def _back_to(self, now: ExplorationPath, version: int, by: Signature, action: str) -> ExplorationPath:
        then = self.get(now.id, version)
        return self._next(now, then.content, by, action, then.content_of, published=now.published)

    def _next(
        self,
        now: ExplorationPath,
        content: Content,
        by: Signature,
        action: str,
        content_of: int | None = None,
        *,
        published: int | None,
    ) -> ExplorationPath:
        path = replace(
            now,
            version=now.version + 1,
            content=content,
            by=by,
            changed=self._now(),
            action=action,
            content_of=content_of or now.version + 1,
            published=published,
        )
        update = "UPDATE paths SET version = ?, published = ? WHERE id = ?"
        self._run(update, path.version, path.published, path.id)
        return self._add(path)

    def _add(self, path: ExplorationPath) -> ExplorationPath:
        content, changed = seal(encode(path.content)), (path.by.key, path.changed, path.action)
        row = path.id, path.version, content, *changed, path.content_of, path.published, path.by.name
        self._run("INSERT INTO versions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", *row)
        return path

    def _now(self) -> str:
        return self._clock().strftime("%Y-%m-%dT%H:%M:%SZ")

    def _listed(self, which: str, most: int, behind: Listed | None) -> list[ExplorationPath]:
        changed, path = behind or _BEGINNING
        return self._paths(
            f"v.version = p.{which} AND (v.changed < ? OR v.changed = ? AND p.id > ?)"
            " ORDER BY v.changed DESC, p.id LIMIT ?",
            *(changed, changed, path, most),
        )

    def _paths(self, where: str, *values: Parameter, absent: str = "") -> list[ExplorationPath]:
        """The versions that fit a condition; raises ``UnknownPath`` with ``absent`` for none, if given."""
        rows = self._all(f"{_SELECT.format(signed=self._signed)} WHERE {where}", *values)
        if absent and not rows:
            raise UnknownPath(f"{absent}; {_WHERE}")
        paths = []
        for body, fork, fork_version, key, name, *fields in rows:
            fork_of = None if fork is None else Fork(fork, fork_version)
            known = dict(zip(_FIELDS, fields, strict=True))
            by, whole = Signature(key, name), unseal(body, f"the path {known['id']!r}", _BACK)
            paths.append(ExplorationPath(content=decode(whole), by=by, fork_of=fork_of, **known))
        return paths

    @property
    def _signed(self) -> str:
        """The columns of who made a version; a file that may only be read can be of the first format."""
        return "changed_by, signed" if self._all("PRAGMA user_version") != [(1,)] else "'', changed_by"


_WHERE: Final = "check the id: GET /paths and kindred paths list name those that there are"

_BACK: Final = "put back the file of a backup (kindred restore)"

_FIELDS: Final = ("id", "version", "changed", "action", "content_of", "published")
_SIGNED_PATHS: Final = "SELECT DISTINCT path, {signed} FROM versions"
_VERSIONS: Final = (
    "SELECT version, action, changed, {signed}, published = version FROM versions"
    " WHERE path = ? ORDER BY version DESC"
)
_SELECT: Final = """
    SELECT v.body, p.fork_path, p.fork_version, {signed},
    p.id, v.version, v.changed, v.action, v.content_of, v.published
    FROM paths p JOIN versions v ON v.path = p.id
"""
