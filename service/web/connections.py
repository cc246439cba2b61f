"""Connections: a client that lets the service wait is cut off.

Uvicorn closes a connection that is idle after an answer. It waits without end for a request that does not
come whole, and for a client that takes no more of its answer, which stays in memory until then.
"""

import socket
from asyncio import TimerHandle, Transport

from uvicorn.protocols.http.h11_impl import H11Protocol

from ingest.errors import UnusableAddress


class Impatient(H11Protocol):
    """HTTP on one connection, which is cut where the client owes something twice the same.

    It is looked at every ``timeout_keep_alive`` seconds, so a client has once to twice that time for the head
    of a request, for its body, and to take some more of an answer.
    """

    _before: tuple[str, object] | None = None
    _next_look: TimerHandle

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]
        """Begin."""
        super().connection_made(transport)
        self._look()

    def connection_lost(self, exc: Exception | None) -> None:
        """End."""
        self._next_look.cancel()
        super().connection_lost(exc)

    def _look(self) -> None:
        owed = self._owed()
        if owed is not None and owed == self._before:
            self.transport.abort()
        self._before = owed
        self._next_look = self.loop.call_later(self.timeout_keep_alive, self._look)

    def _owed(self) -> tuple[str, object] | None:
        """What the client has to do before anything goes on; None while it waits for us."""
        left = self.transport.get_write_buffer_size()
        if left:
            return "take the answer", left
        if self.cycle is None or self.cycle.response_complete:
            return "send a request", self.cycle
        return ("send the body", self.cycle) if self.cycle.more_body else None


def bound(host: str, port: int) -> socket.socket:
    """A socket for an address, which does not listen yet; raises ``UnusableAddress``."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        opened = socket.socket(family, kind, protocol)
        try:
            opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            opened.bind(address)
        except OSError:
            opened.close()
            raise
    except OSError as error:
        raise UnusableAddress(
            f"{host}, port {port} cannot be listened on ({error.strerror or error});"
            " end what listens there, or name another: --port, --host"
        ) from None
    opened.set_inheritable(True)
    return opened
