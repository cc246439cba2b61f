"""The outbox opens the files of earlier versions, and makes none before something is written."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from ingest.errors import StateError
from service.search.engines.elastic.bulk import PendingWrite
from service.search.engines.elastic.sending import Outbox

EARLIER = """
CREATE TABLE taken (
    index_name TEXT NOT NULL, block INTEGER NOT NULL, PRIMARY KEY (index_name, block)
) STRICT, WITHOUT ROWID;
CREATE TABLE letters (
    id TEXT PRIMARY KEY, revision INTEGER NOT NULL, reason TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE before (number INTEGER PRIMARY KEY, index_name TEXT NOT NULL) STRICT;
PRAGMA user_version = 1;
INSERT INTO taken VALUES ('kindred-1', 4);
INSERT INTO letters VALUES ('m:01', 7, 'busy');
INSERT INTO before(index_name) VALUES ('kindred-0');
"""
"""What an earlier version wrote."""


def test_a_file_of_an_earlier_version_is_read_and_written(tmp_path: Path) -> None:
    path = tmp_path / "index.sqlite"
    with closing(sqlite3.connect(path)) as file:
        file.executescript(EARLIER)
    with Outbox(path) as outbox:
        assert outbox.sent("kindred-1") == {4}
        assert outbox.pending() == [PendingWrite("m:01", 7, "busy")]
        assert outbox.answered_before() == ["kindred-0"]
        outbox.remove([("m:01", 7)])
        outbox.forget("kindred-0")
        assert (outbox.pending(), outbox.answered_before()) == ([], [])


def test_reading_makes_no_file(tmp_path: Path) -> None:
    with Outbox(tmp_path / "index.sqlite") as outbox:
        assert (outbox.pending(), outbox.sent("kindred-1"), outbox.answered_before()) == ([], set(), [])
    assert [*tmp_path.iterdir()] == []


def test_what_is_no_such_file_is_told(tmp_path: Path) -> None:
    path = tmp_path / "index.sqlite"
    path.write_text("no database, but long enough to be looked at as one" * 40)
    with Outbox(path) as outbox, pytest.raises(StateError, match="kindred index build"):
        outbox.pending()
