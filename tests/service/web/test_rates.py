"""How often one client may ask."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.operations.keys import Client, Keys, Role
from service.search.recommender import Recommender
from service.sections import StateSettings
from service.settings import Settings
from service.web.access.rates import Buckets, household
from service.web.api.app import create_app
from tests.documents import defaults
from tests.service.conftest import BACINO, Server, new_key, running
from tests.service.operations.live_machine import Machine
from tests.service.processes import logged

ITEM = BACINO.replace(" ", "%20")


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@given(
    steps=st.lists(st.floats(0, 3), min_size=1, max_size=60),
    rate=st.floats(0.1, 5),
    burst=st.integers(1, 5),
)
def test_nobody_gets_more_than_the_burst_and_what_came_in_since(
    steps: list[float], rate: float, burst: int
) -> None:
    clock = Clock()
    buckets, allowed = Buckets(rate, burst, clock=clock), 0
    for step in steps:
        clock.now += step
        left = buckets.take("a")
        allowed += left.allowed
        assert allowed <= burst + clock.now * rate + 1e-6
        assert left.allowed or left.one_more > 0
    # whoever waits as long as it was told is let in
    clock.now += buckets.take("a").one_more + 1e-6
    assert buckets.take("a").allowed


def test_what_is_left_is_told_exactly() -> None:
    clock = Clock()
    buckets = Buckets(rate=0.5, burst=3, clock=clock)
    results = [buckets.take("a") for _ in range(4)]
    assert [tuple(one) for one in results] == [
        *((True, 2, 0.0, 2.0), (True, 1, 0.0, 4.0), (True, 0, 2.0, 6.0), (False, 0, 2.0, 6.0)),
    ]
    clock.now = 1.0  # half a request has come in
    assert tuple(buckets.take("a")) == (False, 0, 1.0, 5.0)
    clock.now = 2.0
    assert tuple(buckets.take("a")) == (True, 0, 2.0, 6.0)
    clock.now = 100.0  # no more comes in than the bucket holds
    assert tuple(buckets.take("a")) == (True, 2, 0.0, 2.0)


def test_a_household_is_one_client_and_a_mapped_address_is_that_of_ipv4() -> None:
    assert household("2001:db8:1:2::1") == household("2001:db8:1:2:ffff::9") == "2001:db8:1:2::/64"
    assert household("2001:db8:1:3::1") == "2001:db8:1:3::/64"
    assert household("::ffff:192.0.2.7") == "::ffff:192.0.2.7"


def test_a_process_remembers_so_many_clients_and_no_more() -> None:
    clock = Clock()
    buckets = Buckets(1e-9, 1, most=3, clock=clock)
    assert all(buckets.take(str(n)).allowed for n in range(50))
    assert len(buckets) == 3
    assert not buckets.take("49").allowed
    assert buckets.take("0").allowed  # forgotten since


@pytest.fixture
def there(settings: Settings, tmp_path: Path) -> Settings:
    service = settings.service.model_copy(update={"rate": 0.001, "burst": 3})
    placed = settings.model_copy(update={"service": service})
    return placed.model_copy(update={"state": StateSettings(directory=tmp_path)})


def statuses(server: Server, times: int, path: str = "/items") -> list[int]:
    return [server.ask(path).status for _ in range(times)]


def test_who_asks_too_often_is_told_when_to_ask_again(
    museum_recommender: Recommender, there: Settings
) -> None:
    with running(create_app(museum_recommender, there)) as server:
        assert [server.ask("/items").headers["ratelimit-remaining"] for _ in range(3)] == ["2", "1", "0"]
        reply = server.ask("/items")
        assert reply.status == 429
        assert reply.headers["content-type"] == "application/problem+json"
        problem = json.loads(reply.body)
        assert problem["type"] == "/problems/rate-limited"
        assert 900 < int(reply.headers["retry-after"]) <= 1000
        assert reply.headers["retry-after"] in problem["detail"]
        assert reply.headers["ratelimit-limit"] == "3"
        assert reply.headers["ratelimit-remaining"] == "0"
        assert 2_900 < int(reply.headers["ratelimit-reset"]) <= 3_000
        page = server.ask("/")
        assert (page.status, page.headers["content-type"]) == (429, "text/html; charset=utf-8")
        # who watches over the service, and the files of the pages, are not counted
        for path in ("/health/live", "/health/ready", "/metrics", "/static/kindred.css"):
            assert statuses(server, 5, path) == [200] * 5


def test_every_key_is_a_client_of_its_own_and_admins_are_not_held(
    museum_recommender: Recommender, there: Settings
) -> None:
    with running(create_app(museum_recommender, there)) as server:
        assert statuses(server, 4) == [200, 200, 200, 429]
        for role in (Role.READER, Role.CURATOR):
            assert statuses(server._replace(key=new_key(there, role)), 4) == [200, 200, 200, 429]
        assert statuses(server._replace(key=new_key(there, Role.ADMIN)), 9) == [200] * 9
        # a key that is none makes nobody a client of its own
        assert statuses(server._replace(key="kindred_0_0"), 1) == [429]


def test_too_many_wrong_keys_are_refused_before_they_are_looked_up(
    museum_recommender: Recommender, there: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked_up: list[str] = []
    client = Keys.client

    def watched(keys: Keys, token: str) -> Client | None:
        looked_up.append(token)
        return client(keys, token)

    monkeypatch.setattr(Keys, "client", watched)
    right = new_key(there, Role.READER)
    with running(create_app(museum_recommender, there)) as server:
        assert statuses(server._replace(key=right), 1) == [200]
        wrong = [server._replace(key=f"kindred_0000000{n}_x") for n in range(9)]
        assert [one.ask("/items").status for one in wrong] == [200] * 3 + [429] * 6
        reply = wrong[0].ask("/items")
        assert json.loads(reply.body)["type"] == "/problems/rate-limited"
        assert 900 < int(reply.headers["retry-after"]) <= 1000
        assert wrong[0].ask("/health/live").status == 200
        assert len(looked_up) == 1 + 3
        # who guesses keys does not shut out a key that counted at the same address
        assert statuses(server._replace(key=right), 1) == [200]


def test_without_a_rate_nobody_is_counted(museum_recommender: Recommender, settings: Settings) -> None:
    assert settings.service.rate == 0
    with running(create_app(museum_recommender, settings)) as server:
        assert "ratelimit-limit" not in server.ask("/items").headers


def test_clients_are_counted_unless_a_setting_says_otherwise(
    museum_recommender: Recommender, settings: Settings
) -> None:
    usual = settings.model_copy(update={"service": defaults().service})
    with running(create_app(museum_recommender, usual)) as server:
        headers = server.ask("/items").headers
    assert (headers["ratelimit-limit"], headers["ratelimit-remaining"]) == ("300", "299")


def test_what_is_dear_counts_for_several_requests(museum_recommender: Recommender, there: Settings) -> None:
    costs = {"GET /walk": 2, "GET /items/*/similar": 9}
    service = there.service.model_copy(update={"costs": costs})
    with running(create_app(museum_recommender, there.model_copy(update={"service": service}))) as server:
        walk = f"/walk?item={ITEM}&length=2"
        assert server.ask(walk).headers["ratelimit-remaining"] == "1"  # of the three that there are
        refused = server.ask(walk)
        assert refused.status == 429
        assert 900 < int(refused.headers["retry-after"]) <= 1000
        assert server.ask("/items").headers["ratelimit-remaining"] == "0"
    with running(create_app(museum_recommender, there.model_copy(update={"service": service}))) as server:
        # one that counts for more than there can be takes all, by whatever address
        assert server.ask(f"/v1/items/{ITEM}/similar?type=time").headers["ratelimit-remaining"] == "0"


def test_pictures_of_a_page_count_for_nothing(museum_recommender: Recommender, there: Settings) -> None:
    service = there.service.model_copy(update={"costs": defaults().service.costs})
    with running(create_app(museum_recommender, there.model_copy(update={"service": service}))) as server:
        assert statuses(server, 5, f"/view/emblems/{ITEM}") == [200] * 5
        assert server.ask("/items").headers["ratelimit-remaining"] == "2"


def test_a_proxy_that_is_not_named_is_said_once(
    museum_recommender: Recommender, there: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    with running(create_app(museum_recommender, there)) as server:
        for _ in range(3):
            server.ask("/items", headers={"X-Forwarded-For": "192.0.2.1"})
    (line,) = [one.message for one in caplog.records if "proxy" in one.message]
    assert "service.proxies does not name" in line


@pytest.mark.parametrize(("proxies", "second"), [("[]", 429), ('["127.0.0.1"]', 200), ('["10.0.0.1"]', 429)])
def test_only_a_trusted_proxy_says_whom_it_asks_for(
    settings: Settings, tmp_path: Path, proxies: str, second: int
) -> None:
    Machine(settings.model_copy(update={"state": StateSettings(directory=tmp_path)}), 6)
    limits = {"RATE": "0.001", "BURST": "1", "PROXIES": proxies}
    with logged(tmp_path, tmp_path / "serve.log", **limits) as server:
        results = [
            server.ask("/items", headers={"X-Forwarded-For": client}).status
            for client in ("192.0.2.1", "192.0.2.2", "192.0.2.1")
        ]
        assert results == [200, second, 429]
