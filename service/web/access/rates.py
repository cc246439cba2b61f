"""How often one client may ask: a bucket of requests each, which fills again as time goes."""

import hashlib
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
from service.sections import ServiceSettings
from service.web.access.keys import Client, Role
from service.web.api.trace import trace

REMEMBERED: Final = 10_000
"""Clients that a process remembers; who was not heard of for longest is forgotten first."""

UNCOUNTED: Final = ("/health/", "/metrics", "/static/")
"""Addresses that may be asked as often as one likes."""


class Allowance(NamedTuple):
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

    def take(self, client: str) -> Allowance:
        """Let a client ask once more, if it may."""
        now = self._clock()
        held = self._filled(client, now)
        allowed = held >= 1
        held -= allowed
        self._held[client] = held, now
        self._held.move_to_end(client)
        if len(self._held) > self._most:
            self._held.popitem(last=False)
        return self._left(allowed, held)

    def look(self, client: str) -> Allowance:
        """What a client may still ask, without letting it ask."""
        held = self._filled(client, self._clock())
        return self._left(held >= 1, held)

    def _filled(self, client: str, now: float) -> float:
        held, since = self._held.get(client, (float(self._burst), now))
        return min(self._burst, held + (now - since) * self._rate)

    def _left(self, allowed: bool, held: float) -> Allowance:
        return Allowance(
            allowed, int(held), max(0.0, 1 - held) / self._rate, (self._burst - held) / self._rate
        )


def too_often(service: ServiceSettings, left: Allowance) -> RateLimited:
    """The error for a client that asks too often."""
    wait = max(1, ceil(left.one_more))
    return RateLimited(
        f"this service takes {service.rate:g} requests a second of one client, and"
        f" {service.burst} at once; ask again in {wait} s",
        wait,
    )


class WrongKeys:
    """How many wrong keys an address may send: beyond that no key of it is looked up, but those that counted.

    A key that counted in this process before is looked up at any time, so that who guesses keys does not shut
    out others at the same address. Of such keys the digests alone are held.
    """

    def __init__(self, service: ServiceSettings) -> None:
        self._service = service
        self._buckets = Buckets(service.rate, service.burst)
        self._right: OrderedDict[bytes, None] = OrderedDict()

    def refusal(self, scope: Scope, key: str) -> RateLimited | None:
        """Why a key is not to be looked up; None where it is."""
        if _digest(key) in self._right:
            return None
        left = self._buckets.look(_named(None, scope))
        return None if left.allowed else too_often(self._service, left)

    def note(self, scope: Scope, key: str, *, counts: bool) -> None:
        """Take account of a key that was looked up."""
        self._right.pop(_digest(key), None)
        if not counts:
            self._buckets.take(_named(None, scope))
            return
        self._right[_digest(key)] = None
        if len(self._right) > REMEMBERED:
            self._right.popitem(last=False)


def _digest(key: str) -> bytes:
    return hashlib.sha256(key.encode(errors="replace")).digest()


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
        answer = self._app if left.allowed else self._refused(Request(scope), too_often(self._service, left))
        await answer(scope, receive, self._saying(left, send))

    def _saying(self, left: Allowance, send: Send) -> Send:
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
