"""Feedback: what curators said of neighbours is kept, repeated, listed and written out as gold."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from evaluation.typed import read_pairs
from ingest.catalogue import Catalogue
from ingest.errors import FeedbackError, InvalidRequest
from ingest.storage.sealing import row_checksum
from ingest.typed_files import ScoredPair, write_pairs
from models.types import OFFICIAL
from service.operations.feedback import Feedback, Verdict, judged
from tests.builders import RECORDS, record
from tests.service.cli.commands import Kindred
from tests.service.cli.test_cli import kindred, state

__all__ = ["kindred", "state"]

SCORES = {**dict.fromkeys(OFFICIAL, 1.0), "people": None}


def judge(
    feedback: Feedback, *pair: str, fits: bool = True, score: float | None = None, by: str = "ann"
) -> None:
    feedback.say((pair[0], pair[1]), "time", Verdict(fits, score), by=by, system="T0", scores=SCORES)


@pytest.fixture
def feedback(tmp_path: Path) -> Feedback:
    return Feedback(tmp_path / "feedback.sqlite")


def test_what_is_said_again_replaces_what_was_said(feedback: Feedback) -> None:
    assert feedback.every() == []
    judge(feedback, "t:2", "t:1")
    judge(feedback, "t:1", "t:2", fits=False)
    judge(feedback, "t:1", "t:2", score=3.0, by="bob")
    stored = feedback.every()
    assert [(one.left, one.right, one.by, one.fits, one.gold) for one in stored] == [
        ("t:1", "t:2", "ann", False, 0.0),
        ("t:1", "t:2", "bob", True, 3.0),
    ]
    assert stored[0].scores == SCORES
    # what was judged is the mean of both; nobody said anything of the rest
    scores = (None, None, None, 1.5, None, None, None, None)
    assert judged(stored, OFFICIAL) == [ScoredPair(("t:1", "t:2"), scores)]


def test_it_is_there_for_another_process(feedback: Feedback, tmp_path: Path) -> None:
    judge(feedback, "t:1", "t:2")
    with Feedback(tmp_path / "feedback.sqlite") as other:
        judge(other, "t:1", "t:3")
        assert len(feedback.every()) == len(other.every()) == 2


@pytest.mark.parametrize(
    ("pair", "score"), [(("t:1", "t:1"), None), (("t:1", "t:2"), 5.5), (("a", "b"), -0.1)]
)
def test_what_makes_no_sense_is_refused(
    feedback: Feedback, pair: tuple[str, str], score: float | None
) -> None:
    with pytest.raises(InvalidRequest):
        judge(feedback, *pair, score=score)
    assert feedback.every() == []


def test_a_file_that_is_no_database_is_named(tmp_path: Path) -> None:
    (tmp_path / "feedback.sqlite").write_bytes(
        b"no database at all, but long enough to be taken for one" * 20
    )
    with pytest.raises(FeedbackError, match="kindred restore"):
        Feedback(tmp_path / "feedback.sqlite").every()


def test_what_is_written_out_is_read_as_pairs_with_gold(tmp_path: Path) -> None:
    known = {one.id: one for one in (*RECORDS, record("x\ty", "View of Bath"))}
    pairs = [
        ScoredPair(("t:1", "t:3"), (1.0, 0.0, 0.0, 4.0, 0.5, 0.0, 0.0, None)),
        ScoredPair(("t:2", "gone"), (0.0,) * 8),
        ScoredPair(("t:2", "x\ty"), (0.0,) * 8),
    ]
    assert write_pairs(tmp_path / "out", pairs, known) == 1
    read = read_pairs(tmp_path / "out")
    assert read.ids == [("t:1", "t:3")]
    assert read.known_gold()[0, :7].tolist() == [1.0, 0.0, 0.0, 4.0, 0.5, 0.0, 0.0]
    assert np.isnan(read.known_gold()[0, 7])
    assert read.left[0].title == known["t:1"].title
    assert read.right[0].date == known["t:3"].date
    # nothing to write leaves nothing behind
    assert write_pairs(tmp_path / "other", pairs[1:], known) == 0
    assert not (tmp_path / "other").exists()


def test_the_commands_list_and_export(kindred: Kindred, state: Path, tmp_path: Path) -> None:
    with Catalogue(state / "catalogue.sqlite") as catalogue:
        catalogue.put_many(RECORDS)
    assert kindred.document("feedback", "list") == {"judgements": []}
    with Feedback(state / "feedback.sqlite") as feedback:
        judge(feedback, "t:1", "t:2")
    answer = json.loads(kindred("feedback", "list", "--json").out)["judgements"]
    assert [(one["left"], one["type"], one["fits"], one["by"]) for one in answer] == [
        ("t:1", "time", True, "ann")
    ]
    assert "does not fit" not in kindred("feedback", "list").out
    out = tmp_path / "out"
    written = kindred.document("feedback", "export", "--out", str(out))
    assert written == {"directory": str(out), "pairs": 1, "left_out": 0}
    assert json.dumps(read_pairs(out).ids) == '[["t:1", "t:2"]]'


def test_feedback_of_an_earlier_version_is_brought_up_to_date_where_it_may_be_written(
    feedback: Feedback, monkeypatch: pytest.MonkeyPatch
) -> None:
    judge(feedback, "t:1", "t:2", fits=False)
    feedback.close()
    with closing(sqlite3.connect(feedback.path)) as database:
        database.executescript("ALTER TABLE judgements DROP COLUMN pinned; PRAGMA user_version = 2;")
        database.create_function("row_checksum", -1, row_checksum, deterministic=True)
        database.execute(
            "UPDATE judgements SET checksum ="
            " row_checksum(one, other, type, fits, score, who, at, system, scores)"
        )
        database.commit()
    with monkeypatch.context() as elsewhere:
        elsewhere.setattr("os.access", lambda *_: False)
        with pytest.raises(FeedbackError, match="was written by an earlier Kindred"):
            Feedback(feedback.path).every()
    (one,) = Feedback(feedback.path).every()
    assert (one.left, one.right, one.fits, one.pinned) == ("t:1", "t:2", False, False)
    judge(feedback, "t:1", "t:2")
    assert feedback.settled() == []
