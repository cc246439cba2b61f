"""The store of paths: versions, undo, forks, publication, conflicts, kills, other files in its place."""

import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.errors import InvalidRequest, PathConflict, PathsError, UnknownPath
from service.paths.model import MOST_STEPS, Content, Fork, Signature, StoredStep
from service.paths.store import PathsFile


class Clock:
    """A minute passes with each look."""

    def __init__(self) -> None:
        self.now = datetime(2026, 1, 1, tzinfo=UTC)

    def __call__(self) -> datetime:
        self.now += timedelta(minutes=1)
        return self.now


@pytest.fixture
def paths(tmp_path: Path) -> Iterator[PathsFile]:
    with PathsFile(tmp_path / "paths.sqlite", Clock()) as opened:
        yield opened


def content(title: str = "Venice", *items: str) -> Content:
    return Content(title=title, steps=tuple(StoredStep(item=item, title=item.upper()) for item in items))


def test_reading_makes_no_file(paths: PathsFile) -> None:
    assert paths.all() == paths.all_published() == []
    with pytest.raises(UnknownPath):
        paths.get("none")
    assert not paths.path.exists()


def test_every_change_is_a_version_that_stays(paths: PathsFile) -> None:
    made = paths.create(content("Venice", "a"), Signature("Ada"))
    changed = paths.change(made.id, 1, content("Venice", "a", "b"), Signature("Bo"))
    assert (changed.version, changed.by, changed.action) == (2, Signature("Bo"), "changed")
    assert paths.get(made.id) == changed
    assert paths.get(made.id, 1).content == made.content
    with pytest.raises(UnknownPath, match="version 3"):
        paths.get(made.id, 3)
    assert [(one.version, one.action, one.by.key) for one in paths.versions(made.id)] == [
        (2, "changed", "Bo"),
        (1, "created", "Ada"),
    ]


def test_a_change_that_changes_nothing_is_no_version(paths: PathsFile) -> None:
    made = paths.create(content("Venice", "a"), Signature("Ada"))
    assert paths.change(made.id, 1, content("Venice", "a"), Signature("Bo")) == made


def test_of_two_curators_the_second_is_told(paths: PathsFile) -> None:
    made = paths.create(content("Venice"), Signature("Ada"))
    paths.change(made.id, 1, content("Of Ada"), Signature("Ada"))
    with pytest.raises(PathConflict, match="since version 1: it has version 2 now, by Ada") as refused:
        paths.change(made.id, 1, content("Of Bo"), Signature("Bo"))
    assert refused.value.version == 2
    assert paths.get(made.id).content.title == "Of Ada"
    changing: list[Callable[[], object]] = [
        lambda: paths.publish(made.id, 1, Signature()),
        lambda: paths.undo(made.id, 1, Signature()),
        lambda: paths.restore(made.id, 1, 1, Signature()),
        lambda: paths.delete(made.id, 1),
    ]
    for stale in changing:
        with pytest.raises(PathConflict):
            stale()


def test_of_many_at_once_one_wins_each_version(paths: PathsFile) -> None:
    made = paths.create(content("0"), Signature())
    others = [PathsFile(paths.path) for _ in range(4)]

    def write(number: int) -> bool:
        try:
            others[number % 4].change(made.id, 1, content(f"by {number}"), Signature(str(number)))
        except PathConflict:
            return False
        return True

    with ThreadPoolExecutor(8) as pool:
        done = list(pool.map(write, range(16)))
    for other in others:
        other.close()
    assert done.count(True) == 1
    assert paths.get(made.id).content.title == f"by {done.index(True)}"


@given(st.lists(st.sampled_from(["change", "undo", "publish"]), max_size=12))
def test_undo_walks_back_through_what_was_written(
    tmp_path_factory: pytest.TempPathFactory, acts: list[str]
) -> None:
    """Against a plain stack: an undo takes the last content off it."""
    with PathsFile(tmp_path_factory.mktemp("state") / "paths.sqlite") as paths:
        path = paths.create(content("0", "a"), Signature())
        stack = [path.content]
        for number, act in enumerate(acts, 1):
            if act == "change":
                path = paths.change(path.id, path.version, content(str(number), "a"), Signature())
                stack.append(path.content)
            elif act == "publish":
                path = paths.publish(path.id, path.version, Signature())
            elif len(stack) > 1:
                stack.pop()
                path = paths.undo(path.id, path.version, Signature())
            else:
                with pytest.raises(InvalidRequest, match="nothing to undo"):
                    paths.undo(path.id, path.version, Signature())
            assert path.content == stack[-1]
            assert paths.get(path.id) == path


def test_a_restore_is_a_version_of_an_earlier_one(paths: PathsFile) -> None:
    made = paths.create(content("one"), Signature())
    paths.change(made.id, 1, content("two"), Signature())
    paths.change(made.id, 2, content("three"), Signature())
    restored = paths.restore(made.id, 3, 1, Signature("Ada"))
    assert (restored.version, restored.content.title) == (4, "one")
    assert restored.action == "restored from version 1"
    with pytest.raises(UnknownPath):
        paths.restore(made.id, 4, 9, Signature())


def test_visitors_see_what_was_published_until_it_is_again(paths: PathsFile) -> None:
    made = paths.create(content("draft", "a"), Signature())
    with pytest.raises(UnknownPath, match="is published"):
        paths.published(made.id)
    shown = paths.publish(made.id, 1, Signature("Ada"))
    assert (shown.version, shown.published, shown.is_published) == (2, 2, True)
    assert paths.publish(made.id, 2, Signature("Ada")) == shown
    changed = paths.change(made.id, 2, content("better", "a"), Signature())
    assert changed.has_unpublished_changes
    assert paths.published(made.id).content.title == "draft"
    assert [one.content.title for one in paths.all_published()] == ["draft"]
    assert [one.content.title for one in paths.all()] == ["better"]
    paths.publish(made.id, 3, Signature())
    assert paths.published(made.id).content.title == "better"
    hidden = paths.unpublish(made.id, 4, Signature())
    assert hidden.published is None
    assert paths.unpublish(made.id, 5, Signature()) == hidden
    assert paths.all_published() == []


def test_a_path_without_a_step_is_not_published(paths: PathsFile) -> None:
    made = paths.create(content("empty"), Signature())
    with pytest.raises(InvalidRequest, match="without a step"):
        paths.publish(made.id, 1, Signature())


def test_a_fork_is_a_path_of_its_own_that_knows_where_it_is_from(paths: PathsFile) -> None:
    made = paths.create(content("Venice", "a"), Signature("Ada"))
    forked = paths.fork(made.id, 1, Signature("Bo"), "My Venice")
    assert forked.id != made.id
    assert (forked.fork_of, forked.content.title, forked.content.items) == (
        Fork(made.id, 1),
        "My Venice",
        ("a",),
    )
    paths.change(forked.id, 1, content("x"), Signature("Bo"))
    assert paths.get(made.id) == made
    paths.delete(made.id, 1)
    assert paths.get(forked.id).fork_of == Fork(made.id, 1)


def test_a_deleted_path_is_gone_with_its_versions(paths: PathsFile) -> None:
    made = paths.create(content(), Signature())
    paths.delete(made.id, 1)
    readings: list[Callable[[str], object]] = [paths.get, paths.versions, paths.published]
    for read in readings:
        with pytest.raises(UnknownPath):
            read(made.id)


def test_the_last_changed_comes_first(paths: PathsFile) -> None:
    one, two = paths.create(content("one"), Signature()), paths.create(content("two"), Signature())
    assert [path.id for path in paths.all()] == [two.id, one.id]
    paths.change(one.id, 1, content("one again"), Signature())
    assert [path.id for path in paths.all()] == [one.id, two.id]


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (content("  "), "a path needs a title"),
        (content("x" * 301), "the title has 301 characters"),
        (content("x", "a", "b", "a"), "'a' stands 2 times"),
        (content("x", *(str(n) for n in range(MOST_STEPS + 1))), "at most 200 steps"),
        (
            Content(title="x", steps=(StoredStep(item="a", title="a", note="n" * 20_001),)),
            "note of 'a' has 20,001",
        ),
    ],
)
def test_what_no_path_can_be_is_refused(paths: PathsFile, wrong: Content, message: str) -> None:
    made = paths.create(content(), Signature())
    writing: list[Callable[[], object]] = [
        lambda: paths.create(wrong, Signature()),
        lambda: paths.change(made.id, 1, wrong, Signature()),
    ]
    for write in writing:
        with pytest.raises(InvalidRequest, match=message):
            write()
    assert paths.all() == [made]


@pytest.mark.kills
def test_a_kill_loses_nothing_that_was_acknowledged(tmp_path: Path) -> None:
    file = tmp_path / "paths.sqlite"
    code = (
        "import sys; from pathlib import Path; from service.paths.model import Content, Signature;"
        "from service.paths.store import PathsFile\n"
        "p = PathsFile(Path(sys.argv[1])); by = Signature()\n"
        "m = p.create(Content(title='0'), by); print(m.id, flush=True)\n"
        "for n in range(1, 10**6): p.change(m.id, n, Content(title=str(n)), by); print(n, flush=True)"
    )
    for last in ("1", "7", "30"):
        process = subprocess.Popen([sys.executable, "-c", code, str(file)], stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        path, acknowledged = process.stdout.readline().strip(), ""
        while acknowledged != last:
            acknowledged = process.stdout.readline().strip()
            assert acknowledged, "the process ended by itself"
        os.kill(process.pid, signal.SIGKILL)
        process.communicate()
        with PathsFile(file) as paths:
            now = paths.get(path)
            assert int(now.content.title) >= int(last)
            assert now.version == int(now.content.title) + 1 == len(paths.versions(path))
            following = paths.change(path, now.version, content("after the kill"), Signature())
            assert following.version == now.version + 1


def test_another_process_sees_what_was_written(paths: PathsFile) -> None:
    made = paths.create(content("one"), Signature())
    with PathsFile(paths.path) as other:
        assert other.get(made.id) == made
        changed = paths.change(made.id, 1, content("two"), Signature())
        assert other.get(made.id) == changed


def test_a_file_that_took_its_place_is_read(paths: PathsFile, tmp_path: Path) -> None:
    made = paths.create(content("one"), Signature())
    with PathsFile(tmp_path / "other.sqlite") as other:
        moved = other.create(content("two"), Signature())
    for name in ("paths.sqlite-wal", "paths.sqlite-shm"):
        (tmp_path / name).unlink(missing_ok=True)
    (tmp_path / "other.sqlite").replace(paths.path)
    assert paths.all() == [moved]
    with pytest.raises(UnknownPath):
        paths.get(made.id)


def test_a_file_of_another_program_is_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "paths.sqlite"
    with sqlite3.connect(file) as other:
        other.execute("CREATE TABLE notes (text)")
    other.close()
    before = file.read_bytes()
    with PathsFile(file) as paths, pytest.raises(PathsError, match="another program"):
        paths.all()
    assert file.read_bytes() == before


def test_a_file_of_a_newer_kindred_is_refused(paths: PathsFile) -> None:
    paths.create(content(), Signature())
    paths.close()
    with sqlite3.connect(paths.path) as newer:
        newer.execute("PRAGMA user_version = 9")
    newer.close()
    with pytest.raises(PathsError, match="newer Kindred"):
        paths.all()


def test_what_is_damaged_is_said_with_what_to_do(tmp_path: Path) -> None:
    file = tmp_path / "paths.sqlite"
    file.write_bytes(b"no database" * 1000)
    with PathsFile(file) as paths, pytest.raises(PathsError, match="is damaged"):
        paths.all()
    folder = tmp_path / "folder"
    folder.mkdir()
    with PathsFile(folder) as paths, pytest.raises(PathsError, match="is a directory"):
        paths.create(content(), Signature())
    with PathsFile(file / "paths.sqlite") as paths, pytest.raises(PathsError):
        paths.create(content(), Signature())


@pytest.mark.parametrize("writable", [True, False])
def test_names_of_a_file_of_the_first_format_are_those_that_were_given(
    paths: PathsFile, monkeypatch: pytest.MonkeyPatch, *, writable: bool
) -> None:
    made = paths.create(content(), Signature("Ada"))
    paths.close()
    with closing(sqlite3.connect(paths.path)) as older:
        older.execute("ALTER TABLE versions DROP COLUMN signed")
        older.execute("PRAGMA user_version = 1")
        older.execute("PRAGMA journal_mode = DELETE")
    if not writable:
        monkeypatch.setattr("os.access", lambda *_: False)
    assert paths.get(made.id).by == paths.versions(made.id)[0].by == Signature(name="Ada")
