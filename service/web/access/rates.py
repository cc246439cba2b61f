"""How often one client may ask: a bucket of requests each, which fills again as time goes."""

from collections import OrderedDict
from collections.abc import Callable
from ipaddress import IPv6Address, ip_address, ip_network
from math import ceil
from time import monotonic
from typing import Final, NamedTuple

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ingest.errors import KindredError, RateLimited
from service.settings import ServiceSettings
from service.web.access.keys import Client, Role
from service.web.api.trace import trace

REMEMBERED: Final = 10_000
"""Clients that a process remembers; who was not heard of for longest is forgotten first."""

UNCOUNTED: Final = ("/health/", "/metrics", "/static/")
"""Addresses that may be asked as often as one likes."""


class Left(NamedTuple):
    """What a client may still ask: whole requests now, and the seconds until it is one more, and all."""

    allowed: bool
    requests: int
    one_more: float
    all: float


class Buckets:
    """A bucket of ``burst`` requests for each client, filled by ``rate`` requests a second.

    >>> now = 0.0
    >>> buckets = Buckets(rate=0.5, burst=2, clock=lambda: now)
    >>> [buckets.take("a").allowed for _ in range(3)], buckets.take("b").allowed
    ([True, True, False], True)
    >>> buckets.take("a").one_more
    2.0
    >>> now = 2.0
    >>> [buckets.take("a").allowed for _ in range(2)]
    [True, False]
    """

    def __init__(
        self, rate: float, burst: int, most: int = REMEMBERED, clock: Callable[[], float] = monotonic
    ) -> None:
        self._rate = rate
        self._burst = burst
        self._most = most
        self._clock = clock
        self._held: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def __len__(self) -> int:
        """The clients that are remembered."""
        return len(self._held)

    def take(self, client: str) -> Left:
        """Let a client ask once more, if it may."""
        now = self._clock()
        held, since = self._held.pop(client, (float(self._burst), now))
        held = min(self._burst, held + (now - since) * self._rate)
        allowed = held >= 1
        held -= allowed
        self._held[client] = held, now
        if len(self._held) > self._most:
            self._held.popitem(last=False)
        return Left(allowed, int(held), max(0.0, 1 - held) / self._rate, (self._burst - held) / self._rate)


class RateLimit:
    """ASGI middleware: who asks too often is told with 429 when to ask again."""

    def __init__(
        self, app: ASGIApp, service: ServiceSettings, refused: Callable[[Request, KindredError], Response]
    ) -> None:
        self._app = app
        self._service = service
        self._refused = refused
        self._buckets = Buckets(service.rate, service.burst)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or refuse it."""
        if scope["type"] != "http" or scope["path"].startswith(UNCOUNTED):
            await self._app(scope, receive, send)
            return
        client = trace(scope).client
        if client is not None and client.role.reaches(Role.ADMIN):
            await self._app(scope, receive, send)
            return
        left = self._buckets.take(_named(client, scope))
        answer = self._app if left.allowed else self._refused(Request(scope), self._sentence(left))
        await answer(scope, receive, self._saying(left, send))

    def _sentence(self, left: Left) -> RateLimited:
        wait = max(1, ceil(left.one_more))
        return RateLimited(
            f"this service takes {self._service.rate:g} requests a second of one client, and"
            f" {self._service.burst} at once; ask again in {wait} s",
            wait,
        )

    def _saying(self, left: Left, send: Send) -> Send:
        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers["RateLimit-Limit"] = str(self._service.burst)
                headers["RateLimit-Remaining"] = str(left.requests)
                headers["RateLimit-Reset"] = str(ceil(left.all))
            await send(message)

        return sending


def _named(client: Client | None, scope: Scope) -> str:
    """What tells one client from another."""
    if client is not None:
        return f"key {client.id}"
    host = scope["client"][0] if scope.get("client") else ""
    return household(host)


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
