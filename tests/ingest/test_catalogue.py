"""The catalogue: what is put comes back, changes are counted, a kill or a foreign file does no harm."""

import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.catalogue import AppliedChange, Catalogue, ChangeCounts, LiveChange
from ingest.errors import CatalogueError, CollectionMissing, DamagedArtefact, UnknownItem
from ingest.record import Record, Value, values
from tests.environment import tries

ROOT = Path(__file__).parents[2]


@pytest.fixture
def catalogue(tmp_path: Path) -> Iterator[Catalogue]:
    with Catalogue(tmp_path / "catalogue.sqlite") as opened:
        yield opened


def record(record_id: str, title: str = "View of Venice") -> Record:
    return Record(id=record_id, title=values(title))


field_values = st.lists(st.builds(Value, st.text(), st.none() | st.text()), max_size=3).map(tuple)
some_records = st.lists(
    st.builds(
        Record,
        id=st.text(min_size=1),
        title=field_values,
        subject=field_values,
        places=field_values,
        type=st.none() | st.text(),
    )
)


@tries(50)
@given(some_records)
def test_what_is_put_comes_back_and_putting_it_again_changes_nothing(records: list[Record]) -> None:
    latest = {each.id: each for each in records}
    with tempfile.TemporaryDirectory() as folder, Catalogue(Path(folder, "c.sqlite")) as catalogue:
        assert catalogue.put_many(records) == ChangeCounts(added=len(latest))
        revision = catalogue.revision
        assert catalogue.put_many(latest.values()) == ChangeCounts(unchanged=len(latest))
        assert catalogue.revision == revision
        assert {each.id: each for each in catalogue.records()} == latest
        # SQLite orders text by its UTF-8 bytes, as Python does by code points
        assert list(catalogue.ids()) == sorted(latest)


def test_only_what_really_changed_gets_a_new_revision(catalogue: Catalogue) -> None:
    assert catalogue.put_many([record("a"), record("b")]) == ChangeCounts(2, 0, 0)
    seen = catalogue.revision
    assert catalogue.put_many([record("a"), record("b", "Bridge"), record("c")]) == ChangeCounts(1, 1, 1)
    assert [each.id for each in catalogue.records(since=seen)] == ["b", "c"]
    assert catalogue.put_many([]) == ChangeCounts()
    with pytest.raises(CatalogueError, match="nothing was written"):
        catalogue.put_many([record("d"), record("")])
    assert catalogue.revision == seen + 1


def test_what_changed_last_is_known_with_its_time(catalogue: Catalogue) -> None:
    before = datetime.now(UTC).replace(microsecond=0)
    catalogue.put_many([record("a"), record("b"), record("c")])
    catalogue.put_many([record("b", "Bridge")])
    newest = catalogue.newest(None, 2)
    assert [(one.id, one.revision) for one in newest] == [("b", 2), ("c", 1)]
    assert [one.id for one in catalogue.newest(newest[-1], 9)] == ["a"]
    assert [one.id for one in catalogue.versions(["a", "b", "none"])] == ["b", "a"]
    for one in newest:
        assert before <= datetime.fromisoformat(str(one.at)) <= datetime.now(UTC)


def test_a_deleted_record_is_gone_until_it_is_put_again(catalogue: Catalogue) -> None:
    catalogue.put_many([record("a"), record("b")])
    assert catalogue.delete("a")
    assert not catalogue.delete("a")
    assert (catalogue.get("a"), catalogue.count()) == (None, 1)
    catalogue.put_many([record("a")])
    assert (catalogue.get("a"), catalogue.count()) == (record("a"), 2)


def test_a_record_that_cannot_be_read_says_what_to_do_and_ingesting_it_again_helps(
    catalogue: Catalogue,
) -> None:
    catalogue.put_many([record("a")])
    with closing(sqlite3.connect(catalogue.path)) as other, other:
        other.execute("UPDATE records SET body = ?", (b'{"id": "a"',))
    with pytest.raises(DamagedArtefact, match="ingest its file again"):
        catalogue.get("a")
    assert catalogue.put_many([record("a")]) == ChangeCounts(changed=1)
    assert catalogue.get("a") == record("a")


def test_profiles_follow_the_content_and_the_pipeline(catalogue: Catalogue) -> None:
    catalogue.put_many([record("b"), record("a"), record("c", "Bridge")])
    assert [each.id for each in catalogue.pending("p1")] == ["a", "c"]
    assert catalogue.count_pending("p1") == 2
    catalogue.put_profiles("p1", [(record("a").analysis_hash, b"one")])
    assert list(catalogue.profiles("p1")) == [("a", b"one"), ("b", b"one")]
    assert [(each.id, blob) for each, blob in catalogue.profiled("p1")] == [("a", b"one"), ("b", b"one")]
    assert [each.id for each in catalogue.pending("p1")] == ["c"]
    assert list(catalogue.profiles("p2")) == []
    catalogue.put_profiles("p2", [(record("c", "Bridge").analysis_hash, b"two")])
    catalogue.delete("c")
    assert catalogue.prune_profiles() == 1
    catalogue.put_profiles("p2", [(record("a").analysis_hash, b"two")])
    assert catalogue.prune_profiles(keep="p2") == 1
    assert list(catalogue.profiles("p1")) == []
    assert list(catalogue.profiles("p2")) == [("a", b"two"), ("b", b"two")]


def test_reading_goes_page_by_page_and_may_write_in_between(catalogue: Catalogue) -> None:
    catalogue.put_many(record(f"{number:05}", f"Title {number}") for number in range(1700))
    done = 0
    for each in catalogue.pending("p"):
        catalogue.put_profiles("p", [(each.analysis_hash, b"x")])
        done += 1
    assert done == 1700
    assert sum(1 for _ in catalogue.records()) == sum(1 for _ in catalogue.profiles("p")) == 1700


def test_a_snapshot_holds_one_state_while_another_writes(catalogue: Catalogue) -> None:
    catalogue.put_many([record("a")])
    with Catalogue(catalogue.path, read_only=True) as reader:
        with reader.snapshot() as revision:
            catalogue.put_many([record("b")])
            assert (revision, reader.revision, list(reader.ids())) == (1, 1, ["a"])
            with pytest.raises(CatalogueError, match="one snapshot at a time"), reader.snapshot():
                pass
        assert list(reader.ids()) == ["a", "b"]
        with pytest.raises(CatalogueError, match="may not be written"):
            reader.put_many([record("c")])
    with catalogue.snapshot(), pytest.raises(CatalogueError, match="while a snapshot is held"):
        catalogue.delete("a")


def test_threads_share_a_catalogue(catalogue: Catalogue) -> None:
    def put(start: int) -> None:
        for number in range(20):
            catalogue.put_many([record(f"{start}-{number}")])

    threads = [threading.Thread(target=put, args=(start,)) for start in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (catalogue.count(), catalogue.revision) == (80, 80)


def test_what_is_no_catalogue_is_refused_and_left_alone(tmp_path: Path) -> None:
    with pytest.raises(CollectionMissing, match="kindred ingest"):
        Catalogue(tmp_path / "none.sqlite", read_only=True)
    text = tmp_path / "text.sqlite"
    text.write_text("no database at all, only some words in a file\n" * 100)
    foreign = tmp_path / "foreign.sqlite"
    database = sqlite3.connect(foreign)
    database.execute("CREATE TABLE t (x)")
    database.close()
    for path, sentence in ((text, "damaged or no catalogue"), (foreign, "database of another program")):
        before = path.read_bytes()
        with pytest.raises(CatalogueError, match=sentence):
            Catalogue(path)
        assert path.read_bytes() == before
    with pytest.raises(CatalogueError, match="is a directory"):
        Catalogue(tmp_path)


def test_a_newer_catalogue_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "catalogue.sqlite"
    Catalogue(path).close()
    database = sqlite3.connect(path)
    database.execute("PRAGMA user_version = 99")
    database.close()
    with pytest.raises(CatalogueError, match="newer Kindred"):
        Catalogue(path)


def test_damage_is_found(tmp_path: Path) -> None:
    path = tmp_path / "catalogue.sqlite"
    with Catalogue(path) as catalogue:
        catalogue.put_many(record(f"{number}", "x" * 500) for number in range(500))
        catalogue.check()
    content = bytearray(path.read_bytes())
    content[8192:-8192] = b"\xaa" * (len(content) - 16384)
    path.write_bytes(content)
    with Catalogue(path) as catalogue, pytest.raises(CatalogueError, match="is damaged"):
        catalogue.check()
    with Catalogue(path) as catalogue, pytest.raises(CatalogueError, match="is damaged"):
        list(catalogue.records())


def test_a_closed_catalogue_says_so(tmp_path: Path) -> None:
    catalogue = Catalogue(tmp_path / "catalogue.sqlite")
    catalogue.close()
    catalogue.close()
    with pytest.raises(CatalogueError, match="was closed"):
        catalogue.count()


WRITER = """
import sys
from itertools import count
from pathlib import Path
from ingest.catalogue import Catalogue
from ingest.record import Record, values

with Catalogue(Path(sys.argv[1])) as catalogue:
    for batch in count():
        catalogue.put_many(Record(id=f"{batch}:{n}", title=values("View of Venice" * 20)) for n in range(50))
        print(batch, flush=True)
"""


@pytest.mark.parametrize("batches", [0, 1, 25])
def test_a_kill_leaves_whole_batches(batches: int, tmp_path: Path) -> None:
    path = tmp_path / "catalogue.sqlite"
    with subprocess.Popen(
        [sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE, cwd=ROOT
    ) as writer:
        assert writer.stdout
        for _ in range(batches):
            writer.stdout.readline()
        writer.send_signal(signal.SIGKILL)
    with Catalogue(path) as catalogue:
        catalogue.check()
        assert catalogue.count() == catalogue.revision * 50
        assert catalogue.revision >= batches
        assert catalogue.put_many([record("after")]) == ChangeCounts(added=1)


def test_live_changes_come_with_their_profiles(catalogue: Catalogue) -> None:
    catalogue.put_many([record("a"), record("b")])
    done = catalogue.change("p", [(record("a", "Boat"), b"1"), (record("c"), b"2")], ["b"], built=1)
    assert done == AppliedChange(2, added=("c",), replaced=("a",), deleted=("b",))
    assert [(one.id, one.revision, one.record, one.profile) for one in catalogue.live("p", 1)] == [
        ("a", 2, record("a", "Boat"), b"1"),
        ("b", 2, None, None),
        ("c", 2, record("c"), b"2"),
    ]
    assert [one.profile for one in catalogue.live("another", 1)] == [None, None, None]
    assert catalogue.live("p", 2) == []


def test_a_live_change_that_changes_nothing_is_none(catalogue: Catalogue) -> None:
    assert catalogue.change("p", [(record("a"), b"1")]) == AppliedChange(1, added=("a",))
    assert catalogue.change("p", [(record("a"), b"1")]) == AppliedChange(1)
    catalogue.put_many([record("b")])
    assert catalogue.change("p", [(record("b"), b"1")], built=1) == AppliedChange(3, replaced=("b",))
    assert catalogue.change("p", [(record("b"), b"1")], built=1) == AppliedChange(3)
    with pytest.raises(UnknownItem, match="nobody"):
        catalogue.change("p", [(record("c"), b"1")], ["a", "nobody"])
    assert list(catalogue.ids()) == ["a", "b"]
    assert catalogue.revision == 3


def test_a_live_change_outlasts_what_is_ingested_over_it_until_a_build(catalogue: Catalogue) -> None:
    catalogue.put_many([record("b")])
    catalogue.change("p", [(record("a"), b"1")], ["b"])
    changes = [LiveChange("a", 2, record("a"), b"1"), LiveChange("b", 2, None, None)]
    assert catalogue.live("p", 1) == changes
    catalogue.put_many([record("a", "Boat"), record("b", "Boat")])
    catalogue.put_many([record("a", "Ship")])
    assert catalogue.live("p", 1) == changes
    assert catalogue.get("a") == record("a", "Ship")
    # the build analyses what was ingested; the profile of what was put is still needed
    catalogue.put_profiles("p", [(record("a", "Ship").analysis_hash, b"2")])
    assert catalogue.prune_profiles("p") == 0
    assert catalogue.live("p", 1) == changes
    catalogue.settle(1)
    assert catalogue.live("p", 1) == changes
    catalogue.settle(3)
    assert catalogue.prune_profiles("p") == 1
    assert catalogue.live("p", 1)[0] == LiveChange("a", 2, record("a", "Ship"), b"2")


def test_a_live_change_after_an_ingest_wins(catalogue: Catalogue) -> None:
    catalogue.change("p", [(record("a"), b"1")])
    catalogue.put_many([record("a", "Boat")])
    # the catalogue has it already, but no answer has
    assert catalogue.change("p", [(record("a", "Boat"), b"2")]).replaced == ("a",)
    assert catalogue.live("p", 0) == [LiveChange("a", 3, record("a", "Boat"), b"2")]
    assert catalogue.change("p", [(record("a", "Boat"), b"2")]).replaced == ()
    assert catalogue.delete("a")
    assert catalogue.live("p", 0) == [LiveChange("a", 3, record("a", "Boat"), b"2")]


def test_live_changes_of_format_2_are_read_and_brought_up_to_date(tmp_path: Path) -> None:
    path = tmp_path / "catalogue.sqlite"
    with Catalogue(path) as catalogue:
        catalogue.change("p", [(record("a"), b"1")])
    with closing(sqlite3.connect(path)) as database:
        database.executescript(
            "DROP TABLE revisions; DROP TABLE imports; DROP TABLE import_changes; DROP TABLE origins;"
            "DROP TABLE harvests; DROP TABLE harvested; DROP TABLE refused;"
            "DROP INDEX records_by_revision; DROP INDEX tombstones_by_revision;"
            "DROP INDEX live_by_said_hash; ALTER TABLE live DROP COLUMN said;"
            "ALTER TABLE live DROP COLUMN said_hash; PRAGMA user_version = 2"
        )
    with Catalogue(path, read_only=True) as reading:
        assert reading.live("p", 0) == [LiveChange("a", 1, record("a"), b"1")]
        with Catalogue(path) as catalogue:
            catalogue.put_many([record("a", "Boat")])
        assert reading.live("p", 0) == [LiveChange("a", 1, record("a"), b"1")]


def test_a_catalogue_of_format_1_is_read_and_brought_up_to_date(tmp_path: Path) -> None:
    path = tmp_path / "catalogue.sqlite"
    with Catalogue(path) as catalogue:
        catalogue.put_many([record("a")])
    with closing(sqlite3.connect(path)) as database:
        for table in (
            "revisions",
            "live",
            "imports",
            "import_changes",
            "origins",
            "harvests",
            "harvested",
            "refused",
        ):
            database.execute(f"DROP TABLE {table}")
        for index in ("records_by_revision", "tombstones_by_revision"):
            database.execute(f"DROP INDEX {index}")
        database.execute("PRAGMA user_version = 1")
    with Catalogue(path, read_only=True) as reading:
        assert reading.live("p", 0) == []
        with Catalogue(path) as catalogue:
            catalogue.change("p", [(record("a", "Boat"), b"1")])
        assert [one.id for one in reading.live("p", 0)] == ["a"]
