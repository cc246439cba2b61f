"""A cache of what is made of texts, for texts that strangers send: bounded in entries and in their length."""

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Concatenate, ParamSpec, TypeVar

_P = ParamSpec("_P")
_R = TypeVar("_R")

_Made = Callable[Concatenate[str, _P], _R]


def text_cache(entries: int, longest: int = 100) -> Callable[[_Made[_P, _R]], _Made[_P, _R]]:
    """Cache a function of a text, and of further hashable arguments that are short; threads may share it.

    The result of a text of more than ``longest`` characters is not cached. Of the others so many ``entries``
    are cached, and the least recently used one goes first.

    >>> made = []
    >>> @text_cache(2, longest=5)
    ... def upper(text: str) -> str:
    ...     made.append(text)
    ...     return text.upper()
    >>> [upper(text) for text in ("sea", "ship", "sea", "harbour", "harbour", "sail", "ship")][-1], made
    ('SHIP', ['sea', 'ship', 'harbour', 'harbour', 'sail', 'ship'])
    """

    def decorate(make: _Made[_P, _R]) -> _Made[_P, _R]:
        cached = lru_cache(maxsize=entries)(make)

        @wraps(make)
        def made(text: str, /, *rest: _P.args, **named: _P.kwargs) -> _R:
            # lru_cache asks for hashable arguments, which a parameter list cannot promise
            if len(text) > longest:
                return make(text, *rest, **named)
            return cached(text, *rest, **named)  # type: ignore[arg-type]

        return made

    return decorate
