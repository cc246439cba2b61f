"""Which addresses a harvest may connect to.

What counts is the address that a connection is made to, not the name that leads there: a name is looked up
once, every address it has is checked, and the connection is made to a checked one. So neither a redirect nor
a name that changes its address in between leads into a private network.
"""

import ipaddress
import re
import socket
import unicodedata
from collections.abc import Callable, Sequence
from typing import Final, TypeAlias
from urllib.parse import SplitResult, urlsplit

from ingest.errors import ForbiddenAddress, SourceUnreachable

Address: TypeAlias = ipaddress.IPv4Address | ipaddress.IPv6Address
Network: TypeAlias = ipaddress.IPv4Network | ipaddress.IPv6Network

Resolve: TypeAlias = Callable[[str, int], Sequence[str]]
"""Gives the addresses of a host name; raises ``OSError`` where there are none."""

_NOT_PUBLIC: Final = tuple(
    ipaddress.ip_network(network)
    for network in (
        *("0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12"),
        *("192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15"),
        *("198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4"),
        *("::/96", "64:ff9b:1::/48", "100::/64", "2001::/23", "2001:db8::/32", "3fff::/20", "5f00::/16"),
        *("fc00::/7", "fe80::/10", "fec0::/10", "ff00::/8"),
    )
)
_NAT64: Final = ipaddress.IPv6Network("64:ff9b::/96")
_NAME: Final = re.compile(r"(?!-)[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*\.?")
_NUMBER: Final = re.compile(r"(0x[0-9a-f]*|[0-9]+)", re.IGNORECASE)


def resolve(host: str, port: int) -> list[str]:
    """The addresses of a host name, as the system has them."""
    entries = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(entry[4][0]) for entry in entries))


class Guard:
    """Checks addresses; ``allowed`` are private networks that may be connected to all the same."""

    def __init__(self, allowed: Sequence[Network] = (), find: Resolve = resolve) -> None:
        self._allowed, self._find = tuple(allowed), find

    def check(self, url: str) -> None:
        """Raise ``ForbiddenAddress`` for an address to which nothing may be sent.

        It is none of http or https, carries a name or password, or its host is written in a way that could
        be read in two ways, or is an address of a private network.
        """
        try:
            parts = urlsplit(url)
            _ = parts.port
        except ValueError as error:
            raise ForbiddenAddress(f"{url!r} is no address ({error}); write http://HOST/PATH") from None
        _check_form(url, parts)
        self._check_host(parts.hostname or "")

    def _check_host(self, host: str) -> Address | None:
        """The address that a host name is, if it is one; raises ``ForbiddenAddress``."""
        literal = _literal(host.strip("[]"))
        if literal is not None:
            self._check_address(literal)
        else:
            _check_name(host)
        return literal

    def addresses(self, host: str, port: int) -> list[str]:
        """The addresses to connect to for a host, all of them checked.

        Raises ``ForbiddenAddress`` where one is private, ``SourceUnreachable`` where the name has none.
        """
        literal = self._check_host(host)
        if literal is not None:
            return [str(literal)]
        try:
            texts = list(self._find(host, port))
        except (OSError, UnicodeError) as error:
            raise SourceUnreachable(f"the name {host} has no address ({error}); check it") from None
        for text in texts:
            address = _literal(text)
            if address is None:
                raise ForbiddenAddress(f"{host} leads to {text!r}, which is no address")
            self._check_address(address)
        if not texts:
            raise SourceUnreachable(f"the name {host} has no address; check it")
        return texts

    def _check_address(self, address: Address) -> None:
        if isinstance(address, ipaddress.IPv6Address) and address.scope_id:
            raise ForbiddenAddress(f"{address} belongs to one network interface; name a public address")
        for meant in (address, *_within(address)):
            if not any(meant in network for network in self._allowed) and _is_private(meant):
                raise ForbiddenAddress(
                    f"{meant} is an address of a private or special network; where it is meant, allow it"
                    " under harvesting.allowed"
                )


def _check_form(url: str, parts: SplitResult) -> None:
    if re.search(r"[\x00-\x20\x7f\\]", url):
        raise ForbiddenAddress(f"{url!r} holds a blank, a control character or a backslash; write it without")
    if parts.scheme not in ("http", "https"):
        raise ForbiddenAddress(f"{url!r} begins with neither http:// nor https://")
    if "@" in parts.netloc:
        raise ForbiddenAddress(f"the address of {parts.hostname} carries a name or password; leave it out")
    if not parts.hostname:
        raise ForbiddenAddress(f"{url!r} names no host")
    if "%" in parts.netloc:
        raise ForbiddenAddress(f"{url!r} has an escaped character in its host; write it plainly")


def _check_name(host: str) -> None:
    """Refuse a host name that different programs read differently."""
    if not host.isascii():
        plain = unicodedata.normalize("NFKC", host)
        looks = plain.casefold() != host.casefold() or re.search(r"(?![0-9])\d", host)
        if looks or not all(part.isalnum() for part in re.split(r"[.-]", host)):
            raise ForbiddenAddress(
                f"the host {host!r} is written with look-alike characters; write {plain!r}"
            )
        try:
            host = host.encode("idna").decode("ascii")
        except UnicodeError:
            raise ForbiddenAddress(f"{host!r} is no host name") from None
    if not _NAME.fullmatch(host.lower()):
        raise ForbiddenAddress(f"{host!r} is no host name")
    if _NUMBER.fullmatch(host.rstrip(".").rpartition(".")[2]):
        raise ForbiddenAddress(
            f"the host {host!r} is a number in an unusual form; write an IPv4 address as four decimal numbers"
        )


def _literal(host: str) -> Address | None:
    try:
        return ipaddress.ip_address(host) if host.isascii() else None
    except ValueError:
        return None


def _within(address: Address) -> list[Address]:
    """The IPv4 addresses that an IPv6 one stands for."""
    if isinstance(address, ipaddress.IPv4Address):
        return []
    nat64 = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF) if address in _NAT64 else None
    meant = (address.ipv4_mapped, address.sixtofour, *(address.teredo or ()), nat64)
    return [inner for inner in meant if inner is not None]


def _is_private(address: Address) -> bool:
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped is not None:
        return False  # what it stands for is checked
    return any(address in network for network in _NOT_PUBLIC)
