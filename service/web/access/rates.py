"""How often one client may ask: a bucket of requests each, which fills again as time goes."""

import logging
from collections import OrderedDict
from collections.abc import Callable, Mapping
from fnmatch import fnmatchcase
from ipaddress import IPv6Address, ip_address, ip_network
from math import ceil
from time import monotonic
from typing import Final, NamedTuple

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from ingest.errors import RateLimited
from service.operations.keys import Client, Role, digest
from service.sections import ServiceSettings
from service.web.access.limits import UNCOUNTED
from service.web.api.trace import trace
from service.web.asgi import Layer, Refusal, at_start

REMEMBERED: Final = 10_000  # clients of a process; who asked last the longest ago is forgotten first

_LOG = logging.getLogger("kindred")
_PROXY: Final = (
    "requests come through a proxy that service.proxies does not name: all of its visitors count as one"
    " client under service.rate"
)


class Allowance(NamedTuple):
    """The requests that a client may send now, and the seconds until it may send one more such, and all."""

    allowed: bool
    requests: int
    one_more: float
    all: float


class Buckets:
    """A bucket of ``burst`` requests for each client, filled by ``rate`` requests a second.

    A dear request counts for several, at most for all that a bucket holds.

    >>> now = 0.0
    >>> buckets = Buckets(rate=0.5, burst=2, clock=lambda: now)
    >>> [buckets.take("a").allowed for _ in range(3)], buckets.take("b").allowed
    ([True, True, False], True)
    >>> buckets.take("a").one_more
    2.0
    >>> now = 2.0
    >>> [buckets.take("a").allowed for _ in range(2)]
    [True, False]
    >>> now = 6.0
    >>> buckets.take("a", 5).allowed, buckets.take("a").allowed
    (True, False)
    """

    def __init__(
        self, rate: float, burst: int, most: int = REMEMBERED, clock: Callable[[], float] = monotonic
    ) -> None:
        self._rate = rate
        self._burst = burst
        self._most = most
        self._clock = clock
        self._levels: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def __len__(self) -> int:
        """The clients that are remembered."""
        return len(self._levels)

    def take(self, client: str, cost: int = 1) -> Allowance:
        """Let a client ask once more, if it may."""
        now, cost = self._clock(), min(cost, self._burst)
        requests = self._filled(client, now)
        allowed = requests >= cost
        requests -= cost * allowed
        self._levels[client] = requests, now
        self._levels.move_to_end(client)
        if len(self._levels) > self._most:
            self._levels.popitem(last=False)
        return self._left(allowed, requests, cost)

    def look(self, client: str) -> Allowance:
        """What a client may still ask, without letting it ask."""
        requests = self._filled(client, self._clock())
        return self._left(requests >= 1, requests, 1)

    def _filled(self, client: str, now: float) -> float:
        requests, since = self._levels.get(client, (float(self._burst), now))
        return min(self._burst, requests + (now - since) * self._rate)

    def _left(self, allowed: bool, requests: float, cost: int) -> Allowance:
        one_more = max(0.0, cost - requests) / self._rate
        return Allowance(allowed, int(requests), one_more, (self._burst - requests) / self._rate)


def too_often(service: ServiceSettings, left: Allowance) -> RateLimited:
    """The error for a client that asks too often."""
    wait = max(1, ceil(left.one_more))
    return RateLimited(
        f"this service takes {service.rate:g} requests a second of one client, and"
        f" {service.burst} at once; ask again in {wait} s",
        wait,
    )


class WrongKeys:
    """Counts the wrong keys that an address sends: after too many, its keys are not looked up any more.

    A key that counted before is looked up at any time, so that who guesses keys does not shut out others.
    """

    def __init__(self, service: ServiceSettings) -> None:
        self._service = service
        self._buckets = Buckets(service.rate, service.burst)
        self._right: OrderedDict[bytes, None] = OrderedDict()

    def refusal(self, scope: Scope, key: str) -> RateLimited | None:
        """The error for a key that is not to be looked up; None where it may be."""
        if digest(key) in self._right:
            return None
        left = self._buckets.look(_named(None, scope))
        return None if left.allowed else too_often(self._service, left)

    def note(self, scope: Scope, key: str, *, counts: bool) -> None:
        """Count a key that was looked up; ``counts``: it was right."""
        self._right.pop(digest(key), None)
        if not counts:
            self._buckets.take(_named(None, scope))
            return
        self._right[digest(key)] = None
        if len(self._right) > REMEMBERED:
            self._right.popitem(last=False)


def rate_limit(service: ServiceSettings, refused: Refusal) -> Layer:
    """A layer: refuses a client that asks too often with 429, which names when to ask again."""
    buckets = Buckets(service.rate, service.burst)
    warned = bool(service.proxies)

    async def layer(app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
        nonlocal warned
        client = trace(scope).client
        if not warned and client is None and "x-forwarded-for" in Headers(scope=scope):
            warned = True
            _LOG.warning(_PROXY)
        if scope["path"].startswith(UNCOUNTED) or (client is not None and client.role.reaches(Role.ADMIN)):
            await app(scope, receive, send)
            return
        left = buckets.take(_named(client, scope), _cost(service.costs, scope))
        answer = app if left.allowed else refused(Request(scope), too_often(service, left))

        def add(headers: MutableHeaders, _: int) -> None:
            headers["RateLimit-Limit"] = str(service.burst)
            headers["RateLimit-Remaining"] = str(left.requests)
            headers["RateLimit-Reset"] = str(ceil(left.all))

        await answer(scope, receive, at_start(send, add))

    return layer


def _cost(costs: Mapping[str, int], scope: Scope) -> int:
    operation = f"{scope['method']} {scope['path']}"
    return max((cost for pattern, cost in costs.items() if fnmatchcase(operation, pattern)), default=1)


def _named(client: Client | None, scope: Scope) -> str:
    """The name of a client's bucket: its key, else its address."""
    if client is not None:
        return f"key {client.id}"
    return household(scope["client"][0] if scope.get("client") else "")


def household(host: str) -> str:
    """The address of a client; of IPv6 the network of 64 bits, all of which one household has.

    >>> household("192.0.2.7"), household("2001:db8:1:2:a:b:c:d"), household("testclient")
    ('192.0.2.7', '2001:db8:1:2::/64', 'testclient')
    """
    try:
        address = ip_address(host)
    except ValueError:
        return host
    if isinstance(address, IPv6Address) and address.ipv4_mapped is None:
        return str(ip_network((address, 64), strict=False))
    return host
