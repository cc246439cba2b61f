"""Fetching: bytes from a server, within limits, from checked addresses only."""

import ssl
import time
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, Final, NamedTuple, Self, TypeAlias
from urllib.parse import urlencode, urljoin, urlsplit

import httpcore2
import httpx2

from ingest.errors import (
    AnswerTooLarge,
    BrokenAnswer,
    ForbiddenAddress,
    HarvestError,
    ServerFault,
    SourceUnreachable,
)
from ingest.oai.guard import Guard, Resolve, resolve
from ingest.oai.settings import HarvestLimits

_REDIRECTS: Final = 5
_AGAIN: Final = frozenset({408, 425, 429, 500, 502, 503, 504})
_Options: TypeAlias = Iterable[Any]
Sleep: TypeAlias = Callable[[float], None]


class FetchedAnswer(NamedTuple):
    """An answer: its bytes, unpacked, and the encoding that the server names."""

    data: bytes
    charset: str | None = None


class Fetcher:
    """Asks one server, again where that helps; use it in a ``with`` block."""

    def __init__(self, limits: HarvestLimits, find: Resolve = resolve, sleep: Sleep = time.sleep) -> None:
        self._limits, self._sleep = limits, sleep
        self._faulty = False  # whether the server has failed at a question for good
        self._guard, self._deadline = Guard(limits.allowed, find), _Deadline()
        self._client = httpx2.Client(
            transport=_Transport(self._guard, self._deadline),
            timeout=httpx2.Timeout(limits.patience),
            trust_env=False,
            headers={"User-Agent": "Kindred (OAI-PMH harvester)", "Accept-Encoding": "gzip"},
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._client.close()

    def get(self, url: str, arguments: Mapping[str, str]) -> FetchedAnswer:
        """The answer to a question.

        Raises:
            ForbiddenAddress: the address, or one that it redirects to, may not be connected to.
            AnswerTooLarge: it has more bytes than ``harvesting.bytes``.
            ServerFault: it is 500, time and again.
            SourceUnreachable: there is none, after ``harvesting.attempts``.
        """
        attempt = 0
        while True:
            try:
                return self._once(url, arguments)
            except _TryAgain as failure:
                attempt += 1
                fails = isinstance(failure.error, ServerFault)
                # a server that has failed for good fails again: the halves of a list are asked for instead
                if attempt == self._limits.attempts or (fails and self._faulty):
                    self._faulty = self._faulty or fails
                    raise failure.error from None
                self._sleep(min(self._limits.wait, failure.after or 2.0 ** (attempt - 1)))

    def _once(self, url: str, arguments: Mapping[str, str]) -> FetchedAnswer:
        self._deadline.begin(self._limits.seconds)
        self._guard.check(url)
        target = f"{url}{'&' if urlsplit(url).query else '?'}{urlencode(arguments)}"
        for _ in range(_REDIRECTS + 1):
            self._guard.check(target)
            try:
                with self._client.stream("GET", target) as response:
                    if response.has_redirect_location:
                        target = _followed(target, response.headers["location"])
                        continue
                    return self._read(target, response)
            except (httpx2.TransportError, httpx2.InvalidURL, httpcore2.NetworkError, OSError) as error:
                fault = f"{target} cannot be read ({str(error) or type(error).__name__}); try again later"
                raise _TryAgain(SourceUnreachable(fault)) from None
        raise SourceUnreachable(f"{url} redirects more than {_REDIRECTS} times; name the last address")

    def _read(self, target: str, response: httpx2.Response) -> FetchedAnswer:
        status = response.status_code
        data = b"".join(self._unpacked(response))
        if not response.is_success and not (b"<OAI-PMH" in data[:4096] and b"<error" in data):
            fault = f"{target} answers with status {status}"
            if status not in _AGAIN:
                raise SourceUnreachable(f"{fault}; check the address of the source")
            error = ServerFault(fault) if status == 500 else SourceUnreachable(f"{fault}; try again later")
            raise _TryAgain(error, _retry_after(response.headers.get("retry-after")))
        return FetchedAnswer(data, response.charset_encoding)

    def _unpacked(self, response: httpx2.Response) -> Iterator[bytes]:
        """The content, unpacked where it is gzip, whether the server says so or not, and never too much."""
        most, count = self._limits.bytes, 0
        deflated = "deflate" in response.headers.get("content-encoding", "").lower()
        unpack: zlib._Decompress | None = None
        for number, chunk in enumerate(self._chunks(response)):
            if number == 0 and chunk[:2] == b"\x1f\x8b":
                unpack = zlib.decompressobj(zlib.MAX_WBITS | 16)
            elif number == 0 and deflated:
                unpack = zlib.decompressobj(zlib.MAX_WBITS if chunk[0] & 15 == 8 else -zlib.MAX_WBITS)
            try:
                part = unpack.decompress(chunk, most - count + 1) if unpack else chunk
            except zlib.error as error:
                raise _TryAgain(BrokenAnswer(f"the compressed answer is damaged ({error})")) from None
            count += len(part)
            if count > most:
                raise AnswerTooLarge(
                    f"an answer of {response.url} has more than {most:,} bytes; raise harvesting.bytes"
                    " where that is right"
                )
            yield part
        if unpack is not None and not unpack.eof:
            raise _TryAgain(BrokenAnswer("the compressed answer is cut short"))

    def _chunks(self, response: httpx2.Response) -> Iterator[bytes]:
        waiting = b""
        for chunk in response.iter_raw():
            self._deadline.left(None)
            waiting += chunk
            if len(waiting) > 1:  # by two bytes it shows whether it is packed
                yield waiting
                waiting = b""
        if waiting:
            yield waiting


def _followed(target: str, location: str) -> str:
    """Where a redirect leads; one that forgets the question is asked it."""
    query = urlsplit(target).query
    try:
        to = urljoin(target, location)
        has = urlsplit(to).query
    except ValueError as error:
        raise ForbiddenAddress(f"{target} redirects to {location!r}, which is no address ({error})") from None
    return to if "verb=" in has else f"{to}{'&' if has else '?'}{query}"


def _retry_after(value: str | None) -> float | None:
    if value is None:
        return None
    if value.strip().isdecimal():
        return float(value)
    try:
        return max(0.0, (parsedate_to_datetime(value) - datetime.now(UTC)).total_seconds())
    except (ValueError, TypeError):
        return None


class _TryAgain(Exception):
    """No answer came; the same may succeed later, after so many seconds where the server says so."""

    def __init__(self, error: HarvestError, after: float | None = None) -> None:
        super().__init__(error.detail)
        self.error, self.after = error, after


class _Deadline:
    """The moment at which an answer has to be there as a whole."""

    _end = 0.0

    def begin(self, seconds: float) -> None:
        self._end = time.monotonic() + seconds

    def left(self, timeout: float | None) -> float:
        left = self._end - time.monotonic()
        if left <= 0:
            raise httpcore2.ReadTimeout("it takes longer than harvesting.seconds")
        return left if timeout is None else min(left, timeout)


class _Stream(httpcore2.NetworkStream):
    """A connection that ends with the deadline, however slowly the other side sends."""

    def __init__(self, stream: httpcore2.NetworkStream, deadline: _Deadline) -> None:
        self._stream, self._deadline = stream, deadline

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._stream.read(max_bytes, self._deadline.left(timeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._stream.write(buffer, self._deadline.left(timeout))

    def close(self) -> None:
        self._stream.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore2.NetworkStream:
        return _Stream(
            self._stream.start_tls(ssl_context, server_hostname, self._deadline.left(timeout)), self._deadline
        )

    def get_extra_info(self, info: str) -> Any:  # noqa: ANN401 - as the library has it
        return self._stream.get_extra_info(info)


class _Backend(httpcore2.NetworkBackend):
    """Connects to checked addresses: a name is looked up here, once, and nowhere else."""

    def __init__(self, guard: Guard, deadline: _Deadline) -> None:
        self._guard, self._deadline = guard, deadline
        self._inner = httpcore2.SyncBackend()

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: _Options | None = None,
    ) -> httpcore2.NetworkStream:
        failure: Exception | None = None
        try:
            addresses = self._guard.addresses(host, port)
        except SourceUnreachable as error:  # a name may have an address the next time
            raise httpcore2.ConnectError(error.detail) from None
        for address in addresses:
            try:
                stream = self._inner.connect_tcp(
                    address, port, self._deadline.left(timeout), local_address, socket_options
                )
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout) as error:
                failure = error
            else:
                return _Stream(stream, self._deadline)
        raise failure or ForbiddenAddress(f"{host} has no address")


class _Transport(httpx2.HTTPTransport):
    def __init__(self, guard: Guard, deadline: _Deadline) -> None:
        super().__init__(trust_env=False)
        self._pool.close()
        self._pool = httpcore2.ConnectionPool(
            ssl_context=httpx2.create_ssl_context(trust_env=False),
            max_connections=1,
            network_backend=_Backend(guard, deadline),
        )
