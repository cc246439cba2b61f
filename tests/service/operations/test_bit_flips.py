"""One bit of the state is not what was written: it is found before anything answers.

``KINDRED_SEED`` tries other bits.
"""

import random
import sqlite3
from contextlib import closing, suppress
from pathlib import Path

import pytest

from features.collection import generation
from features.fulltext import index_file
from ingest.catalogue import Catalogue
from ingest.errors import KindredError, UnreadableFile
from ingest.record import Record
from models import artefact
from service.composition import open_recommender
from service.operations.backup import backup, restore
from service.operations.feedback import Feedback, Verdict
from service.operations.keys import Keys, Role
from service.paths.model import Content, ExplorationPath, Signature, StoredStep
from service.paths.store import PathsFile
from service.sections import StateSettings
from service.settings import Settings
from service.state import StateFolder
from tests.documents import defaults
from tests.environment import SEED
from tests.service.builders import system
from tests.service.operations.test_disk_faults import copied

POSITIONS = 60

pytestmark = pytest.mark.kills


def flipped(path: Path, draw: random.Random) -> str:
    """Turn one bit of a file over; gives what to say of it."""
    data = bytearray(path.read_bytes())
    at, bit = draw.randrange(len(data)), draw.randrange(8)
    data[at] ^= 1 << bit
    path.unlink()  # it may be linked to the one that all tests share
    path.write_bytes(bytes(data))
    return f"KINDRED_SEED={SEED}: bit {bit} of byte {at:,} of {path.name}"


def opened(root: Path) -> str:
    """Open what answers are made from: arrays and full-text index; gives why others than the last answer."""
    read = generation.read(root)
    index_file.opened(read.folder / index_file.FILE, read.manifest.items).close()
    return read.notice


def test_a_bit_of_any_file_of_a_collection_is_found(sample: Path, tmp_path: Path) -> None:
    state = copied(sample, tmp_path / "state")
    root, draw = state / "collection", random.Random(SEED)
    folder = generation.read(root).folder
    files = [*folder.iterdir(), root / "current"]
    assert len(files) > 100
    for path in files:
        whole = path.read_bytes()
        what = flipped(path, draw)
        with suppress(KindredError):
            assert "is damaged" in opened(root), what  # the one that is whole answers, and says so
        path.write_bytes(whole)
    assert generation.read(root).folder == folder


def test_whoever_opens_such_a_collection_is_told_what_to_do(sample: Path, tmp_path: Path) -> None:
    state = copied(sample, tmp_path / "state")
    folder = generation.read(state / "collection").folder
    flipped(max(folder.glob("*.npy"), key=lambda path: path.stat().st_size), random.Random(SEED))
    settings = defaults().model_copy(update={"state": StateSettings(directory=state)})
    with pytest.raises(KindredError, match="kindred build"):
        open_recommender(settings)


def test_a_bit_of_trained_weights_is_found(settings: Settings, tmp_path: Path) -> None:
    declared = settings.system("linear")
    draw = random.Random(SEED)

    def saved() -> None:
        artefact.save(tmp_path, system(settings), declared, settings.features, trained_on="x", pairs=0)

    saved()
    whole = system(settings).regressor.arrays()
    for name in sorted(path.name for path in tmp_path.iterdir()):
        for _ in range(POSITIONS // 4):
            what = flipped(tmp_path / name, draw)
            try:
                loaded = artefact.load("linear", declared, settings.features, (tmp_path,))
            except KindredError:
                continue
            finally:
                saved()
            # it is in what the manifest says for people: every score is what it was
            arrays = loaded.regressor.arrays()
            assert all((arrays[name] == array).all() for name, array in whole.items()), what


def test_a_bit_of_a_backup_is_found_or_is_none_of_what_is_restored(sample: Path, tmp_path: Path) -> None:
    state, target = StateFolder(copied(sample, tmp_path / "state")), tmp_path / "backup.zip"
    backup(state, target)
    whole, draw, refused = target.read_bytes(), random.Random(SEED), 0
    for number in range(POSITIONS):
        target.write_bytes(whole)
        what = flipped(target, draw)
        other = StateFolder(tmp_path / f"other-{number}")
        try:
            restore(other, target, replace=False)
        except UnreadableFile:
            refused += 1
            assert not other.catalogue.exists(), what
        else:  # it may be the date of a file in the archive
            assert backup(other, tmp_path / "again.zip") == backup(state, target), what
    assert refused > POSITIONS / 2


def answered(state: Path) -> tuple[list[Record], list[tuple[str, bytes]], list[ExplorationPath]]:
    """All that rows of the catalogue and of the paths say."""
    with closing(sqlite3.connect(state / "catalogue.sqlite")) as database:
        ((mark,),) = database.execute("SELECT DISTINCT fingerprint FROM profiles").fetchall()
    with Catalogue(state / "catalogue.sqlite", read_only=True) as catalogue:
        stored = list(catalogue.records()), list(catalogue.profiles(mark))
    return *stored, PathsFile(state / "paths.sqlite").all()


def test_a_bit_of_what_a_row_says_is_found(sample: Path, tmp_path: Path) -> None:
    """In the body of a record, in a profile and in a version of a path."""
    state = copied(sample, tmp_path / "state")
    paths = PathsFile(state / "paths.sqlite")
    item = answered(state)[0][0].id
    step = StoredStep(item=item, title="Boat")
    for number in range(4):
        paths.create(Content(title=f"Path {number}", text="words " * 40, steps=(step,)), Signature("", "Ada"))
    whole, draw = answered(state), random.Random(SEED)
    for name, table, column in (
        ("catalogue", "records", "body"),
        ("catalogue", "profiles", "profile"),
        ("paths", "versions", "body"),
    ):
        path = state / f"{name}.sqlite"
        for _ in range(POSITIONS // 6):
            with closing(sqlite3.connect(path)) as database, database:
                select = f"SELECT {column} FROM {table}"  # noqa: S608 - names of this test
                rows = database.execute(select).fetchall()
                (before,) = draw.choice(rows)
                at, changed = draw.randrange(len(before)), bytearray(before)
                changed[at] ^= 1 << draw.randrange(8)
                update = f"UPDATE {table} SET {column} = ? WHERE {column} = ?"  # noqa: S608
                database.execute(update, (bytes(changed), before))
            with pytest.raises(KindredError):
                answered(state)
            with closing(sqlite3.connect(path)) as database, database:
                database.execute(update, (before, bytes(changed)))
    assert answered(state) == whole


def damaged_column(path: Path, table: str, column: str, draw: random.Random) -> str:
    """Turn one bit of a value over in one row; gives what to say of it."""
    with closing(sqlite3.connect(path)) as database, database:
        select = f"SELECT {KEY_OF[table]}, CAST({column} AS BLOB) FROM {table}"  # noqa: S608
        row, value = draw.choice(database.execute(select).fetchall())
        at, changed = draw.randrange(len(value)), bytearray(value)
        changed[at] ^= 1 << draw.randrange(7)  # text stays text
        text = changed if column in {"digest", "scores"} else changed.decode()
        update = f"UPDATE {table} SET {column} = ? WHERE {KEY_OF[table]} = ?"  # noqa: S608
        database.execute(update, (text, row))
    return f"KINDRED_SEED={SEED}: byte {at} of {column} of {row} in {table}"


KEY_OF = {"keys": "id", "sessions": "id", "judgements": "at"}


@pytest.mark.parametrize("column", ["digest", "name", "role", "created", "revoked"])
def test_a_bit_of_a_key_is_found(tmp_path: Path, column: str) -> None:
    keys = Keys(tmp_path / "keys.sqlite")
    entry, token = keys.add("Ada", Role.READER)
    if column == "revoked":
        keys.revoke(entry.id)
    what = damaged_column(keys.path, "keys", column, random.Random(SEED))
    with pytest.raises(KindredError, match="checksum"):
        raise AssertionError(f"{what}: {keys.client(token)}")


@pytest.mark.parametrize("column", ["digest", "ends"])
def test_a_bit_of_a_session_is_found(tmp_path: Path, column: str) -> None:
    keys = Keys(tmp_path / "keys.sqlite")
    _, token = keys.add("Ada", Role.READER)
    client = keys.client(token)
    assert client is not None
    session = keys.log_in(client)
    what = damaged_column(keys.path, "sessions", column, random.Random(SEED))
    with pytest.raises(KindredError, match="checksum"):
        raise AssertionError(f"{what}: {keys.in_session(session)}")


@pytest.mark.parametrize("column", ["one", "type", "who", "system", "scores"])
def test_a_bit_of_a_judgement_is_found(tmp_path: Path, column: str) -> None:
    feedback = Feedback(tmp_path / "feedback.sqlite")
    feedback.say(("a", "b"), "time", Verdict(fits=False, score=1), by="Ada", system="s", scores={"time": 2.5})
    assert [(one.left, one.right, one.type) for one in feedback.settled()] == [("a", "b", "time")]
    what = damaged_column(feedback.path, "judgements", column, random.Random(SEED))
    with pytest.raises(KindredError, match="checksum"):
        raise AssertionError(f"{what}: {feedback.settled()}")
