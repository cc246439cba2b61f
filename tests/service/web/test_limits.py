"""What one request may cost, and what happens to those that come when enough is worked on."""

import json
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from socket import create_connection
from threading import Event, Semaphore

import msgspec
import pytest

from features.collection.blobs import Ids
from features.measures.base import EvidencePair
from features.measures.tfidf import TfidfColumn
from features.profiles.blocks import Block
from features.profiles.profile import Profile
from ingest.catalogue import Catalogue
from ingest.errors import InvalidRequest, TimedOut
from ingest.record import Record, values
from models.types import OFFICIAL, SimilarityType
from service.operations.writing import Writer
from service.search import cursors
from service.search.cursors import Cursor
from service.search.queries import Search, WeightedSeed
from service.search.recommender import Recommender
from service.sections import ServiceSettings, StateSettings
from service.settings import Settings
from service.web.access.limits import check_work
from service.web.api.app import create_app
from tests.builders import profiles
from tests.environment import PATIENCE
from tests.service.conftest import BACINO, YARD, Reply, Server, new_key, running
from tests.service.operations.live_machine import Machine


def limited(settings: Settings, **limits: float) -> Settings:
    return settings.model_copy(update={"service": settings.service.model_copy(update=limits)})


class Gate:
    """A source of the recommender that lets nobody through before it is opened."""

    def __init__(self, recommender: Recommender) -> None:
        self._recommender = recommender
        self.opened, self.entered = Event(), Semaphore(0)

    def __call__(self) -> Recommender:
        self.entered.release()
        assert self.opened.wait(PATIENCE)
        return self._recommender


@contextmanager
def gated(
    museum_recommender: Recommender, settings: Settings, **limits: float
) -> Iterator[tuple[Server, Gate]]:
    gate = Gate(museum_recommender)
    with running(create_app(gate, limited(settings, **limits))) as server:
        try:
            yield server, gate
        finally:
            gate.opened.set()


def put_off(reply: Reply, code: str) -> bool:
    problem = json.loads(reply.body)
    assert problem["type"] == f"/problems/{code}"
    assert reply.headers["content-type"] == "application/problem+json"
    assert int(reply.headers["retry-after"]) > 0
    return reply.status == 503


def test_what_comes_beyond_the_limits_is_put_off(museum_recommender: Recommender, settings: Settings) -> None:
    with (
        gated(museum_recommender, settings, requests=2, waiting=1) as (server, gate),
        ThreadPoolExecutor(5) as clients,
    ):
        working = [clients.submit(server.ask, "/items") for _ in range(2)]
        for _ in working:
            assert gate.entered.acquire(timeout=PATIENCE)
        # of three more one waits in line, whichever comes first, and two are told so at once
        more = [clients.submit(server.ask, f"/items?limit={n}") for n in (1, 2, 3)]
        refused = list(islice(as_completed(more), 2))
        assert all(put_off(one.result(), "busy") for one in refused)
        assert server.ask("/health/live").status == 200
        assert server.ask("/static/kindred.css").status == 200
        gate.opened.set()
        assert [one.result().status for one in {*working, *more}.difference(refused)] == [200] * 3
        # the turns are given back
        assert [server.ask("/items").status for _ in range(5)] == [200] * 5


def test_who_waits_too_long_is_put_off(museum_recommender: Recommender, settings: Settings) -> None:
    with (
        gated(museum_recommender, settings, requests=1, seconds=0.2) as (server, gate),
        ThreadPoolExecutor(1) as clients,
    ):
        working = clients.submit(server.ask, "/items")
        assert gate.entered.acquire(timeout=PATIENCE)
        assert put_off(server.ask("/items"), "busy")
        gate.opened.set()
        assert working.result().status == 200


@pytest.mark.parametrize(
    "path",
    [
        "/items/sample%3Atwin%2Fone/similar?limit=100&explain=true",
        "/items/sample%3Atwin%2Fone/similar?type=time",
        "/items/sample%3Atwin%2Fone/similar?type=time&diversity=0.5",
        "/explain?left=sample%3Atwin%2Fone&right=sample%3Abare",
        "/items?q=boat",
    ],
)
def test_an_answer_that_takes_too_long_ends(
    museum_recommender: Recommender, settings: Settings, path: str
) -> None:
    with running(create_app(museum_recommender, limited(settings, seconds=1e-9))) as server:
        assert put_off(server.ask(path), "timed-out")
        assert server.ask("/items").status == 200  # nothing is compared for it
        page = server.ask("/view/items/sample%3Atwin%2Fone")
        assert (page.status, page.headers["content-type"]) == (503, "text/html; charset=utf-8")


class Clock:
    """A deadline that is over when it was asked so many times."""

    def __init__(self, checks: int) -> None:
        self.left = checks

    def __call__(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise TimedOut("the time is over")


@pytest.mark.parametrize("kind", [None, "subject"])
def test_work_ends_between_any_two_pieces_of_evidence(
    museum_recommender: Recommender, kind: SimilarityType | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[object] = []
    evidence = TfidfColumn.evidence

    def look(column: TfidfColumn, block: Block, left: int, right: int) -> tuple[EvidencePair, ...]:
        looked.append(column)
        return evidence(column, block, left, right)

    monkeypatch.setattr(TfidfColumn, "evidence", look)
    search = Search(seeds=(WeightedSeed(BACINO),), type=kind, limit=20)

    def answer(clock: Clock) -> None:
        for near in museum_recommender.search(search, clock).neighbours:
            for part in near.explanation.contributions or ():
                assert isinstance(part.evidence, tuple)

    whole = Clock(10**9)
    answer(whole)
    pieces, needed = len(looked), 10**9 - whole.left
    assert pieces > 20
    # at least one look at the clock before each piece, so that it ends after the piece it is in
    for checks in (0, 1, needed // 2, needed - 1):
        looked.clear()
        clock = Clock(checks)
        with pytest.raises(TimedOut):
            answer(clock)
        assert len(looked) <= checks
        assert clock.left == -1


def test_seeds_are_scored_while_there_is_time(museum_recommender: Recommender) -> None:
    seeds = tuple(map(WeightedSeed, (BACINO, YARD, "sample:bare")))
    with pytest.raises(TimedOut):
        museum_recommender.search(Search(seeds=seeds, type="time"), Clock(2))


def test_a_question_of_many_seeds_has_a_limit_of_work() -> None:
    """Three seeds, 100 items: 300 comparisons with a type, 2,400 in all eight, 2,700 with a ninth."""
    seeds = (WeightedSeed("a"), WeightedSeed("b"), WeightedSeed("c"))
    typed, every = Search(seeds=seeds, type=OFFICIAL[0]), Search(seeds=seeds)
    check_work(typed, 100, 8, ServiceSettings(work=300))
    check_work(every, 100, 8, ServiceSettings(work=2400))
    check_work(Search(seeds=seeds[:1]), 100, 8, ServiceSettings(work=1))
    with pytest.raises(InvalidRequest, match="3 seeds, 100 items and 1 types are 300 comparisons, more than"):
        check_work(typed, 100, 8, ServiceSettings(work=299))
    with pytest.raises(InvalidRequest, match=r"2,400 comparisons.*\(2,399\); name fewer seeds, or a type"):
        check_work(every, 100, 8, ServiceSettings(work=2399))
    with pytest.raises(InvalidRequest, match="3 seeds, 100 items and 9 types are 2,700 comparisons"):
        check_work(every, 100, 9, ServiceSettings(work=2400))


def test_too_much_work_is_refused_over_http(museum_recommender: Recommender, settings: Settings) -> None:
    body = json.dumps({"seeds": [{"id": BACINO}, {"id": YARD}]}).encode()
    with running(create_app(museum_recommender, limited(settings, work=10))) as server:
        reply = server.ask("/similar", "POST", body)
        assert reply.status == 422
        assert "comparisons" in json.loads(reply.body)["detail"]


def test_a_record_with_too_much_text_is_refused(
    museum_recommender: Recommender, settings: Settings, tmp_path: Path
) -> None:
    """20 characters are allowed: 12 of the title and 8 of the place are taken, one more is not."""
    here = settings.model_copy(update={"state": StateSettings(directory=tmp_path)})
    app = create_app(museum_recommender, limited(here, text=20, writes=True))
    with running(app, new_key(here)) as server:
        for more, status in (("", 200), ("!", 422)):
            given = {"title": ["A boat", "Venice"], "places": "Bath, UK" + more}
            body = json.dumps({"left": given, "right": {"id": BACINO}}).encode()
            reply = server.ask("/score", "POST", body)
            assert (reply.status, b"21 characters" in reply.body) == (status, bool(more))
        assert server.ask("/items/x", "PUT", json.dumps(given).encode()).status == 422


def test_a_forged_cursor_reads_no_ids(
    museum_recommender: Recommender, monkeypatch: pytest.MonkeyPatch
) -> None:
    search = Search(seeds=(WeightedSeed(BACINO),), type="time", limit=2)
    digest = search.digest(museum_recommender.system.name)
    assert museum_recommender.mark  # of a collection that lies in memory it is made of the ids, once

    def read(_: Ids) -> Iterator[str]:
        raise AssertionError("all ids are read")

    monkeypatch.setattr(Ids, "__iter__", read)
    forged = Cursor(digest, "another collection", 4.0, "x", b"\0" * 5 * 400)
    answer = museum_recommender.search(
        Search(seeds=search.seeds, type=search.type, cursor=cursors.encode(forged))
    )
    assert answer.neighbours
    longer = Cursor(digest, "another collection", 4.0, "x", b"\0" * 5 * 501)
    with pytest.raises(InvalidRequest, match="none that Kindred gave"):
        museum_recommender.search(Search(seeds=search.seeds, type=search.type, cursor=cursors.encode(longer)))


def test_a_body_that_is_cut_short_is_not_worked_on(
    museum_recommender: Recommender, settings: Settings
) -> None:
    gate = Gate(museum_recommender)
    gate.opened.set()
    with running(create_app(gate, settings)) as server:
        with create_connection(("127.0.0.1", server.port)) as connection:
            connection.sendall(b"POST /similar HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{")
        assert server.ask("/items").status == 200
        assert gate.entered.acquire(timeout=PATIENCE)
        assert not gate.entered.acquire(blocking=False)


def test_the_analysis_of_records_that_are_put_ends_at_the_deadline(
    settings: Settings, tmp_path: Path
) -> None:
    machine = Machine(settings.model_copy(update={"state": StateSettings(directory=tmp_path)}), 1)
    analysed: list[int] = []

    def analyse(records: Sequence[Record]) -> list[Profile]:
        analysed.append(len(records))
        return profiles(records)

    records = [machine.made(f"put:{number}") for number in range(90)]
    with Writer(machine.settings, analyse) as writer:
        whole = Clock(10**9)
        assert len(writer.put(records, check=whole).added) == len(records)
        assert sum(analysed) == len(records)
        changed = [msgspec.structs.replace(record, title=values("Another")) for record in records]
        for checks in range(10**9 - whole.left):
            analysed.clear()
            with pytest.raises(TimedOut):
                writer.put(changed, check=Clock(checks))
            assert len(analysed) <= checks
    with Catalogue(machine.settings.state.catalogue, read_only=True) as catalogue:
        assert [catalogue.get(record.id) for record in records] == records
