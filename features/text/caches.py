"""Caches of what is made of texts that strangers send: bounded in entries and in bytes, and counted."""

import sys
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import lru_cache, wraps
from threading import Lock
from typing import Concatenate, Final, Generic, NamedTuple, ParamSpec, TypeVar
from weakref import WeakSet

_P = ParamSpec("_P")
_R = TypeVar("_R")
_K = TypeVar("_K", bound=Hashable)
_V = TypeVar("_V")

_Made = Callable[Concatenate[str, _P], _R]

_MOST: Final = 16 << 20  # bytes of a cache of texts


class Usage(NamedTuple):
    """What the caches of one name hold: how many entries, and how many bytes at most."""

    entries: int
    bytes: int
    limit: int


class _Counter:
    """Counts what one cache holds."""

    def __init__(self, name: str, limit: int, entries: Callable[[], int]) -> None:
        self.name, self.limit, self.entries = name, limit, entries
        self.bytes = 0


_counters: WeakSet[_Counter] = WeakSet()


def usage() -> dict[str, Usage]:
    """What the caches of this process hold, by the module and the function whose results they are."""
    added: dict[str, Usage] = {}
    for one in list(_counters):
        entries, size, limit = added.get(one.name, Usage(0, 0, 0))
        added[one.name] = Usage(entries + one.entries(), size + one.bytes, limit + one.limit)
    return added


def size_of(value: object) -> int:
    """How many bytes a value takes with all that is in it: what is shared is counted each time.

    >>> size_of(("sea", "ship")) == sum(map(sys.getsizeof, (("sea", "ship"), "sea", "ship")))
    True
    """
    size, left = 0, [value]
    while left:
        one = left.pop()
        if one is None or isinstance(one, type | Enum):
            continue
        size += sys.getsizeof(one)
        if isinstance(one, dict):
            left += [*one.keys(), *one.values()]
        elif isinstance(one, tuple | list | set | frozenset):
            left += one
        elif is_dataclass(one):
            left += [getattr(one, field.name) for field in fields(one)]
    return size


def text_cache(
    entries: int, longest: int = 100, limit: int = _MOST
) -> Callable[[_Made[_P, _R]], _Made[_P, _R]]:
    """Cache a function of a text, and of further hashable arguments that are short; threads may share it.

    The result of a text of more than ``longest`` characters is not cached. Of the others so many ``entries``
    are cached, and the least recently used one goes first. When all that was added comes to ``limit`` bytes
    the cache begins anew: to empty it is rare, and makes it as quick to read as one that counts nothing.

    >>> made = []
    >>> @text_cache(2, longest=5)
    ... def upper(text: str) -> str:
    ...     made.append(text)
    ...     return text.upper()
    >>> [upper(text) for text in ("sea", "ship", "sea", "harbour", "harbour", "sail", "ship")][-1], made
    ('SHIP', ['sea', 'ship', 'harbour', 'harbour', 'sail', 'ship'])
    """

    def decorate(make: _Made[_P, _R]) -> _Made[_P, _R]:
        lock = Lock()

        def counted(text: str, *rest: _P.args, **named: _P.kwargs) -> _R:
            result = make(text, *rest, **named)
            size = size_of((text, rest, result))
            with lock:
                if counter.bytes + size > limit:
                    cached.cache_clear()
                    counter.bytes = 0
                counter.bytes += size
            return result

        cached = lru_cache(maxsize=entries)(counted)
        name = f"{make.__module__}.{make.__qualname__}"
        counter = _Counter(name, limit, lambda: cached.cache_info().currsize)
        _counters.add(counter)

        @wraps(make)
        def made(text: str, /, *rest: _P.args, **named: _P.kwargs) -> _R:
            # lru_cache asks for hashable arguments, which a parameter list cannot promise
            if len(text) > longest:
                return make(text, *rest, **named)
            return cached(text, *rest, **named)  # type: ignore[arg-type]

        return made

    return decorate


class BoundedCache(Generic[_K, _V]):
    """Values by key, so many bytes of both at most: the least recently used go first. For one thread.

    >>> cache = BoundedCache("of numbers", 200)
    >>> for key in range(9):
    ...     cache.put(key, key)
    >>> cache.get(0), cache.get(8)
    (None, 8)
    """

    def __init__(self, name: str, limit: int) -> None:
        self._values: OrderedDict[_K, tuple[_V, int]] = OrderedDict()
        self._counter = _Counter(name, limit, self._values.__len__)
        _counters.add(self._counter)

    def get(self, key: _K) -> _V | None:
        """The value of a key, which is the most recently used one now."""
        if key not in self._values:
            return None
        self._values.move_to_end(key)
        return self._values[key][0]

    def known(self, keys: Iterable[_K]) -> dict[_K, _V]:
        """The values of those of some keys that it has."""
        return {key: value for key in keys if (value := self.get(key)) is not None}

    def put(self, key: _K, value: _V) -> None:
        """Cache a value, unless it alone takes more than the cache may."""
        size, counter = size_of((key, value)), self._counter
        if size > counter.limit or key in self._values:
            return
        self._values[key] = value, size
        counter.bytes += size
        while counter.bytes > counter.limit:
            _, (_, gone) = self._values.popitem(last=False)
            counter.bytes -= gone
