"""Parts of the items that others search: how answers are put together, and what a missing one does."""

import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace as altered
from starlette.testclient import TestClient

from features.measures.parts import cut
from ingest.errors import ConfigError, TimedOut
from models.types import SimilarityType
from service.composition import open_built, open_provider
from service.search.engines.local.index import LocalIndex, PartResults
from service.search.engines.local.provider import LocalProvider
from service.search.engines.port import ProposedItem, Question
from service.search.engines.ranking import nearest, passed
from service.search.engines.sharded.answering import PartSearch
from service.search.engines.sharded.messages import PATH, PartAnswer, PartQuestion, Scoring, merged
from service.search.queries import WeightedSeed
from service.search.recommender import Recommender
from service.settings import Settings
from service.web.shard import shard_app
from tests.environment import PATIENCE
from tests.service import builders
from tests.service.builders import profiles
from tests.service.cli.commands import Kindred
from tests.service.museum import RECORDS
from tests.service.processes import searching

TIME: tuple[SimilarityType, ...] = ("time", "general")
QUESTION = Question(seeds=(WeightedSeed("m:01"),), types=TIME)


@pytest.fixture(scope="module")
def museum(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """A few items, built."""
    return builders.museum(tmp_path_factory.mktemp("museum"), RECORDS)


@pytest.fixture(scope="module")
def local(museum: Settings) -> Recommender:
    return LocalProvider(museum, profiles)()


def asking(
    museum: Settings, *searchers: str, secret: Path | None = None, deadline: float = 60
) -> Recommender:
    """What answers with these searchers."""
    keys = {"kind": "sharded", "searchers": searchers, "secret_file": secret, "deadline": deadline}
    index = type(museum.index).model_validate({**museum.index.model_dump(), **keys})
    return open_provider(museum.model_copy(update={"index": index}))()


def scoring_of(recommender: Recommender) -> Scoring:
    return Scoring.of(recommender.collection, recommender.system)


@contextmanager
def answering(status: int, body: bytes) -> Iterator[tuple[str, list[str]]]:
    """A server that says the same to every question; its address, and the paths of all questions."""
    requests = list[str]()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            requests.append(self.path)
            self.rfile.read(int(self.headers["Content-Length"]))
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever).start()
        yield f"http://127.0.0.1:{server.server_port}", requests
        server.shutdown()


@given(
    st.lists(st.sampled_from([0.5, 1.0, 2.0, 2.5, 4.0, -np.inf]), min_size=1, max_size=60),
    st.integers(1, 5),
    st.integers(1, 20),
    st.none() | st.tuples(st.integers(0, 59), st.sampled_from([1.0, 2.0, 3.0])),
)
def test_the_best_of_all_parts_are_the_best_of_all(
    drawn: list[float], parts: int, most: int, place: tuple[int, float] | None
) -> None:
    ids, scores = [f"{row:02}" for row in range(len(drawn))], np.array(drawn)
    after = None if place is None else ProposedItem(f"{place[0]:02}", place[1])

    def part(rows: slice) -> PartResults:
        own = np.arange(rows.start, rows.stop)
        return PartResults(
            nearest(ids, own, scores[rows], most, after), passed(ids, own, scores[rows], after)
        )

    every = [part(cut(slice(0, len(ids)), number, parts)) for number in range(parts)]
    assert merged(every, most) == part(slice(0, len(ids))).best


def test_a_part_that_is_not_answered_is_searched_here_and_why_is_said(
    museum: Settings, local: Recommender, caplog: pytest.LogCaptureFixture
) -> None:
    none = PartResults([], 0)
    empty = msgspec.msgpack.encode(dict.fromkeys(TIME, none))
    with (
        searching(museum.state.directory) as well,
        answering(409, b"the collection here is another") as (other, _),
        answering(200, b"<html>") as (nonsense, _),
        answering(200, empty) as (idle, paths),
    ):
        gone = "http://127.0.0.1:9"  # the discard port: nothing listens there
        near = asking(museum, well, gone, other, nonsense).index.propose(QUESTION, 5)
        assert near == local.index.propose(QUESTION, 5)
        logged = {
            address: [message for message in caplog.messages if address in message]
            for address in (well, gone, other, nonsense)
        }
        assert [len(own) for own in logged.values()] == [0, 1, 1, 1]
        assert logged[other] == [
            f"searcher {other}: the collection here is another; its part is searched here"
        ]
        # what a searcher says counts, where it is a whole answer
        assert asking(museum, idle).index.propose(QUESTION, 5) == {kind: [] for kind in TIME}
        assert paths == [PATH]


def test_a_searcher_that_failed_is_left_alone_for_a_while(museum: Settings, local: Recommender) -> None:
    with answering(500, b"no") as (address, requests):
        recommender = asking(museum, address)
        for _ in range(3):
            assert recommender.index.propose(QUESTION, 5) == local.index.propose(QUESTION, 5)
    assert requests == [PATH]


def test_only_who_knows_the_secret_is_answered(museum: Settings, local: Recommender) -> None:
    source = LocalProvider(museum, profiles, live=False)
    question = PartQuestion.about(QUESTION, 5, scoring_of(local), 0, 1, PATIENCE)
    body = msgspec.msgpack.encode(question)
    with TestClient(shard_app(PartSearch(source), "sesame", 1)) as client:
        assert client.post(PATH, content=body).status_code == 401
        assert client.post(PATH, content=body, headers={"Authorization": "Bearer no"}).status_code == 401
        reply = client.post(PATH, content=body, headers={"Authorization": "Bearer sesame"})
        assert client.get("/health/live").text == "ok"
    answer = msgspec.msgpack.decode(reply.content, type=PartAnswer)
    assert {kind: own.best for kind, own in answer.items()} == local.index.propose(QUESTION, 5)


def test_what_is_no_question_for_this_collection_is_refused(museum: Settings, local: Recommender) -> None:
    good = PartQuestion.about(QUESTION, 5, scoring_of(local), 0, 1, PATIENCE)
    scoring = good.scoring
    refused = {
        "there is no part 2 of 2": (422, altered(good, number=2, of=2)),
        "no item 'none'": (404, altered(good, seeds=(WeightedSeed("none"),))),
        "the answer took longer": (TimedOut.status, altered(good, seconds=0.0)),
        "the version of Kindred is 0 there": (409, altered(good, scoring=altered(scoring, version="0"))),
        "the system is T0 there": (409, altered(good, scoring=altered(scoring, system="T0"))),
        "the collection or the weights": (409, altered(good, scoring=altered(scoring, mark="0"))),
    }
    search = PartSearch(LocalProvider(museum, profiles, live=False))
    search.warm()
    with TestClient(shard_app(search, None, 1)) as client:
        for message, (status, question) in refused.items():
            reply = client.post(PATH, content=msgspec.msgpack.encode(question))
            assert reply.status_code == status
            assert reply.text.startswith(message)
        assert [client.post(PATH, content=body).status_code for body in (b"", b"{}")] == [422, 422]
        assert client.post(PATH, content=bytes(16_000_001)).status_code == 413


def test_a_part_has_its_own_items_alone(local: Recommender) -> None:
    index = local.index
    assert isinstance(index, LocalIndex)
    ids = index.collection.ids
    whole, half = index.propose(QUESTION, len(ids))["time"], len(ids) // 2
    halves = [
        index.among(part, QUESTION, len(ids))["time"].best for part in (slice(0, half), slice(half, len(ids)))
    ]
    assert all(one.id in ids[:half] for one in halves[0])
    assert all(one.id in ids[half:] for one in halves[1])
    assert sorted(one.id for half in halves for one in half) == sorted(one.id for one in whole)


def test_a_secret_that_cannot_be_read_is_told(museum: Settings, tmp_path: Path) -> None:
    empty = tmp_path / "secret"
    empty.write_text("\n")
    two_lines = tmp_path / "two"
    two_lines.write_text("one\ntwo\n")
    for file, message in (
        (tmp_path / "none", "cannot be read"),
        (empty, "one line"),
        (two_lines, "one line"),
    ):
        with pytest.raises(ConfigError, match=f"index.secret_file: .* {message}") as refused:
            asking(museum, "http://127.0.0.1:9", secret=file)
        assert "two\n" not in str(refused.value)


def test_an_address_that_is_none_is_told(museum: Settings) -> None:
    with pytest.raises(ConfigError, match="http://host:b is no address"):
        asking(museum, "http://host:b")


def test_nobody_waits_longer_than_the_deadline(museum: Settings, local: Recommender) -> None:
    with socket.socket() as idle:
        idle.bind(("127.0.0.1", 0))
        idle.listen()
        recommender = asking(museum, f"http://127.0.0.1:{idle.getsockname()[1]}", deadline=0.01)
        assert recommender.index.propose(QUESTION, 5) == local.index.propose(QUESTION, 5)


def test_without_live_changes_nobody_is_asked(museum: Settings, local: Recommender) -> None:
    with answering(500, b"no") as (address, requests):
        keys = {**museum.index.model_dump(), "kind": "sharded", "searchers": [address]}
        index = type(museum.index).model_validate(keys)
        built = open_built(museum.model_copy(update={"index": index}))
        assert built.index.propose(QUESTION, 5) == local.index.propose(QUESTION, 5)
    assert requests == []


def test_beyond_this_machine_a_secret_is_needed(
    museum: Settings, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("KINDRED_STATE__DIRECTORY", str(museum.state.directory))
    kindred = Kindred(monkeypatch, capsys)
    answer = kindred("shard", "--host", "192.0.2.1")
    assert (answer.status, answer.out) == (2, "")
    assert "index.secret_file" in answer.err
    monkeypatch.setenv("KINDRED_INDEX__SEARCHERS", json.dumps(["ftp://127.0.0.1"]))
    assert "index.searchers" in kindred("shard").err
