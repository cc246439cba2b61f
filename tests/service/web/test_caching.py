"""What has not changed is answered 304, before any search; what has is answered anew."""

import gzip
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from service.composition import open_provider
from service.operations.keys import Keys
from service.search.recommender import Recommender
from service.sections import StateSettings
from service.settings import Settings
from service.web.api.app import create_app
from service.web.portal.rendering import static_address
from tests.service.builders import record
from tests.service.conftest import BACINO, YARD, Server, new_key, running
from tests.service.operations.live_machine import Machine

ITEM = BACINO.replace(" ", "%20")
REVALIDATED = (
    "/items?limit=2",
    f"/items/{ITEM}",
    f"/items/{ITEM}/similar?type=time",
    f"/items/{ITEM}/similar",
    f"/explain?left={ITEM}&right={YARD}",
    "/",
    f"/view/items/{ITEM}",
)


@pytest.mark.parametrize("path", REVALIDATED)
def test_what_the_client_has_is_not_sent_again(server: Server, path: str) -> None:
    first = server.ask(path)
    tag = first.headers["etag"]
    assert tag.startswith('"' if path == f"/items/{ITEM}" else 'W/"')
    assert first.headers["cache-control"] == "no-cache"
    for given in (tag, f'"other", {tag}', tag.removeprefix("W/"), "*"):
        again = server.ask(path, headers={"If-None-Match": given})
        assert (again.status, again.body) == (304, b"")
        assert (again.headers["etag"], again.headers["cache-control"]) == (tag, "no-cache")
        assert "Accept-Encoding" in again.headers["vary"]
    for given in ('"other"', "W/", tag[:-2] + '"'):
        assert server.ask(path, headers={"If-None-Match": given}).body == first.body
    assert server.ask(path, "HEAD", headers={"If-None-Match": tag}).status == 304
    assert server.ask(path, "HEAD").headers["etag"] == tag


def test_every_address_has_a_mark_of_its_own(server: Server) -> None:
    tags = [server.ask(path).headers["etag"] for path in (*REVALIDATED, "/items?limit=3", "/items")]
    assert len(set(tags)) == len(tags)


@pytest.mark.parametrize(
    "path", ["/health/live", "/health/ready", "/metrics", "/items/none", "/items?limit=0", "/login", "/none"]
)
def test_what_changes_by_itself_and_errors_have_no_mark(server: Server, path: str) -> None:
    reply = server.ask(path)
    assert "etag" not in reply.headers
    assert "max-age" not in reply.headers.get("cache-control", "")


def test_an_unchanged_answer_takes_no_search(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    paths = [f"/items/{ITEM}/similar?type=time", f"/explain?left={ITEM}&right={YARD}", f"/view/items/{ITEM}"]
    tags = [server.ask(path).headers["etag"] for path in paths]

    def fail(*_: object) -> None:
        raise AssertionError("something was worked out")

    for name in ("search", "score", "grouped", "item"):
        monkeypatch.setattr(Recommender, name, fail)
    for path, tag in zip(paths, tags, strict=True):
        assert server.ask(path, headers={"If-None-Match": tag}).status == 304
        assert server.ask(path).status == 500  # it would be found out


def test_a_mark_ends_with_a_live_change_and_with_a_build(settings: Settings, tmp_path: Path) -> None:
    machine = Machine(settings.model_copy(update={"state": StateSettings(directory=tmp_path)}), 5)
    with running(create_app(open_provider(machine.settings), machine.settings)) as server:
        tags: list[str] = []
        for change in (
            lambda: None,
            lambda: machine.put(record("x:99", "Boat")),
            lambda: machine.writer.delete(["x:99"]),
            machine.rebuild,
        ):
            change()
            reply = server.ask("/items/x:00/similar", headers={"If-None-Match": ", ".join(["x", *tags])})
            assert reply.status == 200
            tags.append(reply.headers["etag"])
            again = server.ask("/items/x:00/similar", headers={"If-None-Match": tags[-1]})
            assert again.status == 304


@contextmanager
def served(museum_recommender: Recommender, settings: Settings, **service: object) -> Iterator[Server]:
    changed = settings.model_copy(update={"service": settings.service.model_copy(update=service)})
    with running(create_app(museum_recommender, changed)) as server:
        yield server


def test_other_settings_may_give_other_answers(museum_recommender: Recommender, settings: Settings) -> None:
    path = f"/items/{ITEM}/similar?type=time"
    with (
        served(museum_recommender, settings, limit=3) as one,
        served(museum_recommender, settings, limit=4) as other,
    ):
        tag = one.ask(path).headers["etag"]
        assert other.ask(path, headers={"If-None-Match": tag}).status == 200
    elsewhere = settings.model_copy(update={"state": StateSettings(directory=Path("elsewhere"))})
    with served(museum_recommender, elsewhere, limit=3, seconds=7, log="json") as again:
        assert again.ask(path, headers={"If-None-Match": tag}).status == 304


def test_how_long_an_answer_may_be_used_is_a_setting(
    museum_recommender: Recommender, settings: Settings
) -> None:
    with served(museum_recommender, settings, max_age=60) as server:
        assert server.ask("/items").headers["cache-control"] == "public, max-age=60"
        assert server.ask("/").headers["cache-control"] == "public, max-age=60"
        assert "cache-control" not in server.ask("/items/none").headers


def test_a_page_is_kept_for_who_is_logged_in_alone(
    museum_recommender: Recommender, settings: Settings, tmp_path: Path
) -> None:
    here = settings.model_copy(update={"state": StateSettings(directory=tmp_path)})
    keys = Keys(here.state.keys)
    client = keys.client(new_key(here))
    assert client is not None
    cookie = {"Cookie": f"kindred-session={keys.log_in(client)}"}
    with served(museum_recommender, here, max_age=60) as server:
        theirs, ours = server.ask("/"), server.ask("/", headers=cookie)
        assert theirs.headers["etag"] != ours.headers["etag"]
        assert ours.headers["cache-control"] == "private, no-cache"
        assert all("Cookie" in reply.headers["vary"] for reply in (theirs, ours))
        # answers of the API are the same for everybody
        assert server.ask("/items", headers=cookie).headers["etag"] == server.ask("/items").headers["etag"]


def test_long_answers_are_compressed_for_who_takes_it(server: Server) -> None:
    packed = {"Accept-Encoding": "gzip"}
    for path in ("/items", "/", "/static/kindred.css"):
        plain, zipped = server.ask(path), server.ask(path, headers=packed)
        assert "content-encoding" not in plain.headers
        assert zipped.headers["content-encoding"] == "gzip"
        assert gzip.decompress(zipped.body) == plain.body
        assert all("Accept-Encoding" in reply.headers["vary"] for reply in (plain, zipped))
        assert plain.headers["etag"] == zipped.headers["etag"]
        tag = {"If-None-Match": zipped.headers["etag"]}
        assert server.ask(path, headers=packed | tag).status == 304
    assert "content-encoding" not in server.ask("/health/live", headers=packed).headers
    refused = {"Accept-Encoding": "gzip;q=0, identity"}
    assert "content-encoding" not in server.ask("/items", headers=refused).headers


def test_files_are_kept_for_ever_under_their_version_alone(server: Server) -> None:
    address = static_address("kindred.css")
    assert address.encode() in server.ask("/").body
    versioned, plain = server.ask(address), server.ask("/static/kindred.css")
    assert versioned.body == plain.body
    assert versioned.headers["cache-control"] == "public, max-age=31536000, immutable"
    for path in ("/static/kindred.css", "/static/kindred.css?v=other", "/static/kindred.css?v="):
        assert server.ask(path).headers["cache-control"] == "no-cache"
    for path in ("/static/none", "/static/none?v=None", "/static/..%2Fpages.py?v="):
        assert server.ask(path).status == 404
