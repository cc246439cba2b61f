"""A cache of what is made of texts, for texts that strangers send: bounded in entries and in their length."""

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Concatenate, ParamSpec, TypeVar, cast

_P = ParamSpec("_P")
_R = TypeVar("_R")

_Made = Callable[Concatenate[str, _P], _R]


def text_cache(entries: int, longest: int = 100) -> Callable[[_Made[_P, _R]], _Made[_P, _R]]:
    """Cache a function of a text, and of further hashable arguments that are short; threads may share it.

    The result of a text of more than ``longest`` characters is not kept. Of the others so many ``entries``
    are kept, and the one that was asked for longest ago goes first.

    >>> asked = []
    >>> @text_cache(2, longest=5)
    ... def upper(text: str) -> str:
    ...     asked.append(text)
    ...     return text.upper()
    >>> [upper(text) for text in ("sea", "ship", "sea", "harbour", "harbour", "sail", "ship")][-1], asked
    ('SHIP', ['sea', 'ship', 'harbour', 'harbour', 'sail', 'ship'])
    """

    def decorate(make: _Made[_P, _R]) -> _Made[_P, _R]:
        kept = cast("_Made[_P, _R]", lru_cache(maxsize=entries)(make))

        @wraps(make)
        def made(text: str, /, *rest: _P.args, **named: _P.kwargs) -> _R:
            return kept(text, *rest, **named) if len(text) <= longest else make(text, *rest, **named)

        return made

    return decorate
