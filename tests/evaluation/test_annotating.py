"""People judge drawn pairs on pages of the portal, and what they say becomes gold: annotate and export."""

import sqlite3
from pathlib import Path

import numpy as np
import pytest

from evaluation.gold.pages import AnnotationTask, catalogued_pictures
from evaluation.typed import read_pairs
from ingest.catalogue import Catalogue
from ingest.errors import AnnotationsError, InvalidRequest, PairsError, UsageError
from ingest.record import Record
from ingest.typed_files import GOLD, INPUT
from service.operations.annotations import Annotations
from service.operations.backup import backup, restore
from service.operations.keys import Role
from service.sections import StateSettings
from service.settings import Settings
from tests.builders import RECORDS
from tests.documents import defaults
from tests.evaluation.annotating import IDS, annotating, everything, judge, key, task, written
from tests.evaluation.running import document, run
from tests.service.conftest import Server


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return defaults().model_copy(update={"state": StateSettings(directory=tmp_path / "state")})


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return written(tmp_path / "drawn")


def control(given: AnnotationTask) -> int:
    """The number of the first question that shows a record twice."""
    return next(n for n, one in enumerate(given.questions, 1) if one.left.id == one.right.id)


def test_every_pair_is_asked_once_with_a_control_question_after_three(
    settings: Settings, folder: Path
) -> None:
    given = task(settings, folder)
    shown = [one.pair for one in given.questions]
    assert sorted(pair for pair in shown if pair[0] != pair[1]) == sorted(IDS)
    assert [n for n, (one, other) in enumerate(shown, 1) if one == other] == [4, 8]
    assert shown == [one.pair for one in task(settings, folder).questions]


def test_pairs_with_gold_are_asked_as_control_questions_first(
    settings: Settings, folder: Path, tmp_path: Path
) -> None:
    known = read_pairs(written(tmp_path / "known", [("a:2", "a:8")], 1.0))
    shown = [one.pair for one in task(settings, folder, known).questions]
    # after three pairs the one with gold, after three more a record twice
    assert shown[3] == ("a:2", "a:8")
    assert shown[7][0] == shown[7][1]


def test_who_has_no_key_of_a_curator_judges_nothing(settings: Settings, folder: Path) -> None:
    with annotating(settings, task(settings, folder)) as server:
        for path in ("/edit/pairs", "/edit/pairs/1"):
            assert server.ask(path).status == 401
        assert judge(server, 1, everything("3")).status == 401
        reader = server._replace(key=key(settings, "Eve", Role.READER))
        assert judge(reader, 1, everything("3")).status == 403
    assert Annotations(settings.state.annotations).every() == []


def test_an_annotator_stops_and_goes_on(settings: Settings, folder: Path) -> None:
    token = key(settings, "Ann")
    with annotating(settings, task(settings, folder)) as server:
        ann = server._replace(key=token)
        assert b"Begin with pair 1" in ann.ask("/edit/pairs").body
        first = judge(ann, 1, everything("3", people="NA"))
        assert (first.status, first.headers["location"]) == (303, "/edit/pairs/2")
        judge(ann, 3, everything("0"))
    # another process goes on from what is on the disk
    with annotating(settings, task(settings, folder)) as server:
        ann = server._replace(key=token)
        start = ann.ask("/edit/pairs").body.decode()
        assert "You have judged 2 of 8" in start
        assert "Go on with pair 2" in start
        again = ann.ask("/edit/pairs/1").body.decode()
        assert 'name="people" value="NA" required checked' in again
        assert 'name="time" value="3" required checked' in again
        assert judge(ann, 2, everything("1")).headers["location"] == "/edit/pairs/4"
        for number in range(4, 9):
            last = judge(ann, number, everything("5"))
        assert last.headers["location"] == "/edit/pairs"
        assert "You have judged them all" in ann.ask("/edit/pairs").body.decode()


def test_records_of_the_catalogue_are_shown_with_their_pictures(settings: Settings, folder: Path) -> None:
    drawn = read_pairs(folder)
    assert catalogued_pictures(settings.state.catalogue, drawn, None) == {}
    picture = "https://museum.example/bath.jpg"
    shown, other = task(settings, folder).questions[0].pair
    with Catalogue(settings.state.catalogue) as catalogue:
        catalogue.put_many(
            [Record(id=shown, image=picture), Record(id=other), Record(id="b:1", image=picture)]
        )
    pictures = catalogued_pictures(settings.state.catalogue, drawn, None)
    assert pictures == {shown: picture}
    token = key(settings, "Ann")
    with annotating(settings, task(settings, folder, pictures=pictures)) as server:
        page = server._replace(key=token).ask("/edit/pairs/1").body.decode()
    assert page.count("<figure") == page.count(picture) == 1


@pytest.mark.parametrize(
    ("number", "scores", "status"),
    [
        (1, everything("6"), 422),
        (1, everything("2.5"), 422),
        (1, {"general": "3"}, 422),
        (9, everything("3"), 404),
        (0, everything("3"), 404),
    ],
)
def test_what_does_not_fit_is_refused(
    settings: Settings, folder: Path, number: int, scores: dict[str, str], status: int
) -> None:
    with annotating(settings, task(settings, folder)) as server:
        assert judge(server._replace(key=key(settings, "Ann")), number, scores).status == status
    assert Annotations(settings.state.annotations).every() == []


def test_a_form_of_another_site_is_refused(settings: Settings, folder: Path) -> None:
    token = key(settings, "Ann")
    with annotating(settings, task(settings, folder)) as server:
        form = {"Content-Type": "application/x-www-form-urlencoded"}
        login = server.ask("/login", "POST", f"key={token}".encode(), {**form, "Origin": server.address})
        cookie = {"Cookie": login.headers["set-cookie"].partition(";")[0], **form}
        body = "&".join(f"{kind}=3" for kind in everything("3")).encode()
        foreign = server.ask("/edit/pairs/1", "POST", body, {**cookie, "Origin": "https://other.example"})
        own = server.ask("/edit/pairs/1", "POST", body, {**cookie, "Origin": server.address})
    assert (foreign.status, own.status) == (403, 303)


def two_annotators(settings: Settings, given: AnnotationTask, server: Server) -> None:
    """Ann and Bob judge the first three pairs and the control question, which Bob gets wrong."""
    ann, bob = (server._replace(key=key(settings, name)) for name in ("Ann", "Bob"))
    for number, (one, other) in enumerate([("1", "2"), ("3", "3"), ("5", "4")], 1):
        judge(ann, number, everything(one, people="NA", event="NA"))
        judge(bob, number, everything(other, people="4", event="NA"))
    judge(ann, control(given), everything("5", people="NA"))
    judge(bob, control(given), everything("1", people="NA"))


def test_how_far_all_agree_is_shown_as_they_go(settings: Settings, folder: Path) -> None:
    given = task(settings, folder)
    with annotating(settings, given) as server:
        two_annotators(settings, given, server)
        page = server._replace(key=key(settings, "Cy")).ask("/edit/pairs").body.decode()
    rows = [line for line in page.splitlines() if 'scope="row"' in line]
    assert "Ann</th><td>3</td><td>1.00</td>" in rows[0] + rows[1]
    assert "Bob</th><td>3</td><td>0.00</td>" in rows[0] + rows[1]
    # 1 3 5 and 2 3 4: r is 1; alpha 1 - 5 * (1 + 0 + 1) * 2 / (sum over the 30 ordered pairs of 1 2 3 3 4 5)
    # = 1 - 20 / 120
    (time,) = (row for row in rows if ">Time<" in row)
    assert "<td>1.00</td><td>0.83</td>" in time


def test_judged_pairs_are_written_as_gold(
    config: Path, settings: Settings, folder: Path, tmp_path: Path
) -> None:
    given, out = task(settings, folder), tmp_path / "gold"
    with annotating(settings, given) as server:
        two_annotators(settings, given, server)
    answer = document(run(config, "pairs", "export", folder, "--out", out, "--json"))
    assert (answer["pairs"], answer["left_out"]) == (3, 3)
    annotators = answer["annotators"]
    assert isinstance(annotators, list)
    assert sorted((one["name"], one["pairs"], one["controls"]) for one in annotators) == [
        ("Ann", 3, 1.0),
        ("Bob", 3, 0.0),
    ]
    pairs = read_pairs(out)
    by_pair = dict(zip(pairs.ids, pairs.known_gold().tolist(), strict=True))
    # general, people and event of the first three questions: Ann leaves people to Bob, nobody sees an event
    expected = [[1.5, 4.0, 0.0], [3.0, 4.0, 0.0], [4.5, 4.0, 0.0]]
    assert [[by_pair[one.pair][n] for n in (0, 2, 5)] for one in given.questions[:3]] == expected
    assert {path.name for path in out.iterdir()} == {INPUT, GOLD, "pairs", "annotations.tsv"}
    alone = document(run(config, "pairs", "export", folder, "--out", out, "--without", "Bob", "--json"))
    assert alone["agreement"] == {}
    general = sorted(read_pairs(out).known_gold()[:, 0].tolist())
    assert general == [1.0, 3.0, 5.0]


def test_pairs_with_gold_say_who_answers_rightly(
    config: Path, settings: Settings, folder: Path, tmp_path: Path
) -> None:
    known = written(tmp_path / "known", [("a:2", "a:8")], 1.0)
    given, out = task(settings, folder, read_pairs(known)), tmp_path / "gold"
    with annotating(settings, given) as server:
        ann = server._replace(key=key(settings, "Ann"))
        judge(ann, 1, everything("3"))
        # 0 and 2 are within 1 of the gold, 5 is not: seven of eight are right
        judge(ann, 4, everything("2", time="0", event="5"))
    answer = document(run(config, "pairs", "export", folder, "--out", out, "--controls", known, "--json"))
    annotators = answer["annotators"]
    assert isinstance(annotators, list)
    assert annotators[0]["controls"] == 7 / 8
    assert read_pairs(out).ids == [pair for pair in IDS if tuple(sorted(pair)) == given.questions[0].pair]


def test_what_cannot_be_written_is_named(config: Path, folder: Path, tmp_path: Path) -> None:
    nobody = run(config, "pairs", "export", folder, "--out", tmp_path / "gold")
    assert isinstance(nobody.exception, PairsError)
    assert "nobody has judged a pair" in str(nobody.exception)
    own = run(config, "pairs", "export", folder, "--out", folder)
    assert isinstance(own.exception, UsageError)
    unknown = run(config, "pairs", "export", folder, "--out", tmp_path / "gold", "--without", "Zoe")
    assert isinstance(unknown.exception, UsageError)
    assert not (tmp_path / "gold").exists()
    plain = run(config, "pairs", "annotate", folder, "--controls", folder)
    assert isinstance(plain.exception, PairsError)
    assert "have no gold" in str(plain.exception)


def test_two_of_one_name_are_two_annotators(
    config: Path, settings: Settings, folder: Path, tmp_path: Path
) -> None:
    with annotating(settings, task(settings, folder)) as server:
        for score in ("1", "2"):
            judge(server._replace(key=key(settings, "Ann")), 1, everything(score))
    answer = document(run(config, "pairs", "export", folder, "--out", tmp_path / "gold", "--json"))
    annotators = answer["annotators"]
    assert isinstance(annotators, list)
    assert len({one["name"] for one in annotators}) == 2
    assert np.allclose(read_pairs(tmp_path / "gold").known_gold(), 1.5)


def test_annotations_are_in_a_backup(tmp_path: Path) -> None:
    state = StateSettings(directory=tmp_path / "museum")
    with Catalogue(state.catalogue) as catalogue:
        catalogue.put_many(RECORDS)
    Annotations(state.annotations).say(("b", "a"), "1", "Ann", {"time": 2.0, "event": None})
    backup(state, tmp_path / "backup.zip")
    back = StateSettings(directory=tmp_path / "back")
    restore(back, tmp_path / "backup.zip", replace=False)
    (one,) = Annotations(back.annotations).every()
    assert (one.one, one.other, dict(one.scores)) == ("a", "b", {"time": 2.0, "event": None})


@pytest.mark.parametrize("scores", [{}, {"time": 6.0}, {"time": -1.0}])
def test_the_store_takes_no_score_off_the_scale(tmp_path: Path, scores: dict[str, float]) -> None:
    store = Annotations(tmp_path / "annotations.sqlite")
    with pytest.raises(InvalidRequest):
        store.say(("a", "b"), "1", "Ann", scores)
    assert store.every() == []


def test_a_file_of_another_program_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "annotations.sqlite"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE theirs (x)")
    connection.close()
    with pytest.raises(AnnotationsError, match="another program"):
        Annotations(path).every()
