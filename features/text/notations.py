"""Iconclass notations, which say what art shows: 31D15 is an adult woman, and part of 31D and of 31.

A notation is a path through the hierarchy, a sign a step: two digits, a letter, digits; then a name or a kind
in brackets (25F711(BUTTERFLY)), and a key that shades it (25I141(+1)). So what is broader stands in itself.
"""

import re
from typing import Final
from urllib.parse import unquote

from features.text.caches import text_cache

_AT: Final = "http://iconclass.org/"
"""How the addresses of its concepts begin, as records are stored."""

NOTATION: Final = "notation"
"""What stands for the part of speech of a notation."""

_SIGNS: Final = re.compile(
    # bounded, since a text that is none may be of any length; literature (83) has names alone
    r"(?P<base>[0-9]{2}(?:(?P<letter>[A-Z])(?P=letter)?[0-9]{0,20}|(?=\()))"
    r"(?P<name>\([^()+]{1,80}\))?(?P<rest>[0-9]{0,20})(?P<key>\(\+[0-9a-z]{1,9}\))?"
)


def notation_at(address: str | None) -> str:
    """The notation that the address of a concept ends in; nothing for an address of another authority.

    >>> notation_at("http://iconclass.org/25F711%28MOTH%29"), notation_at("http://vocab.getty.edu/aat/300011")
    ('25F711(MOTH)', '')
    """
    return unquote(address.removeprefix(_AT)) if address and address.startswith(_AT) else ""


@text_cache(1 << 12)
def broader(text: str) -> tuple[str, ...]:
    """A notation and all that it is part of, the nearest first; nothing for a text that is none.

    >>> broader("25F711(BUTTERFLY)")
    ('25F711(BUTTERFLY)', '25F711', '25F71', '25F7', '25F', '25')
    >>> broader("31AA1(+2)"), broader("31"), broader("portrait")
    (('31AA1(+2)', '31AA1', '31AA', '31A', '31'), (), ())
    >>> broader("83(SHAKESPEARE, Hamlet)")
    ('83(SHAKESPEARE, Hamlet)', '83')
    """
    match = _SIGNS.fullmatch(text.strip())
    if match is None:
        return ()
    base, name, rest, key = (match[group] or "" for group in ("base", "name", "rest", "key"))
    paths = [base + name + rest + key] if key else []
    paths += [base + name + rest[:size] for size in range(len(rest), 0, -1)]
    paths += [base + name] if name else []
    return (*paths, *(base[:size] for size in range(len(base), 1, -1)))
