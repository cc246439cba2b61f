"""Phrases as numbers: how a run of words in a text is looked up among millions of titles.

A *unit* is a word without accents in lower case. Its number is a 64-bit digest; the number of a
phrase is ``u1 * P**(n-1) + ... + un`` modulo 2**64, so that the numbers of all phrases of a text
come from a few array operations and nothing has to be spelt out.
"""

import hashlib
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from features.arrays import Hashes, Integers, Longs, NewArrays
from features.text.caches import text_cache
from features.text.names.parts import fold

LONGEST = 8
"""Units that a phrase may have: longer titles are hardly ever written out."""

_BASE = np.uint64(0x9E3779B97F4A7C15)
_WORD = re.compile(r"\w+")
_QUALIFIER = re.compile(r"\s*\([^()]*\)$")
_ARTICLE = re.compile(r"(?:the|an?) (?=\S+ )", re.IGNORECASE)


def units(text: str) -> list[str]:
    """The units of a text, punctuation left out.

    >>> units("Paul Cézanne's Still-Life")
    ['paul', 'cezanne', 's', 'still', 'life']
    """
    return [word for word in _WORD.findall(fold(text)) if word]


@text_cache(200_000)
def unit_keys(form: str) -> tuple[int, ...]:
    """The numbers of the units of one word of a text, often one."""
    return tuple(key(unit) for unit in units(form))


def key(term: str) -> int:
    """The number of a unit, or of any other term."""
    return int.from_bytes(hashlib.blake2b(term.encode(), digest_size=8).digest(), "little")


def phrase_keys(numbers: Hashes) -> Iterator[Hashes]:
    """The numbers of all phrases of a text by length, 1 up to ``LONGEST``; item ``i`` begins at unit ``i``.

    >>> one, two, *_ = phrase_keys(np.array([key("new"), key("york")], np.uint64))
    >>> len(one), int(two[0]) == phrase_key(["new", "york"])
    (2, True)
    """
    keys = numbers
    for length in range(1, min(LONGEST, len(numbers)) + 1):
        if length > 1:
            keys = keys[:-1] * _BASE + numbers[length - 1 :]
        yield keys


def phrase_key(words: Sequence[str]) -> int:
    """The number of one phrase, given its units."""
    number = 0
    for word in words:
        number = (number * int(_BASE) + key(word)) % 2**64
    return number


def surfaces(title: str) -> list[str]:
    """How a title may stand in a text: whole, without its qualifier, without a leading article.

    >>> surfaces("Paris, Texas")
    ['Paris, Texas', 'Paris']
    >>> surfaces("The Last Supper (Leonardo)")
    ['The Last Supper (Leonardo)', 'The Last Supper', 'Last Supper']
    """
    bare = _QUALIFIER.sub("", title)
    short = bare.partition(", ")[0]
    ways = [title, bare, short, *(_ARTICLE.sub("", each, count=1) for each in (bare, short))]
    return [way for way in dict.fromkeys(ways) if way]


class Matches(NamedTuple):
    """Surfaces in a text, shorter ones first: the unit each begins at, its units, its row among surfaces."""

    starts: Longs
    lengths: Longs
    rows: Longs


class Matcher:
    """Looks the phrases of a text up among the surfaces; only phrases whose first unit opens one."""

    def __init__(self, arrays: NewArrays) -> None:
        self._surfaces = np.asarray(arrays["surfaces"], np.uint64)
        self._openers = np.asarray(arrays["openers"], np.uint64)
        self._longest = np.asarray(arrays["openers-longest"], np.uint8)

    def matches(self, numbers: Hashes, texts: Longs) -> Matches:
        """Every surface that stands in some texts, given the numbers of their units end to end.

        ``texts`` says of every unit which text it is of.
        """
        at = places(self._openers, numbers)
        longest = np.where(at >= 0, self._longest[at], 0) if len(self._longest) else np.zeros(len(at))
        matches = [Matches(*(np.empty(0, np.int64) for _ in range(3)))]
        for length, keys in enumerate(phrase_keys(numbers), 1):
            starts = np.flatnonzero(
                (longest[: len(keys)] >= length) & (texts[: len(keys)] == texts[length - 1 :])
            )
            rows = places(self._surfaces, keys[starts])
            hit = rows >= 0
            matches.append(Matches(starts[hit], np.full(int(hit.sum()), length), rows[hit]))
        return Matches(*(np.concatenate(each) for each in zip(*matches, strict=True)))


def places(keys: Integers, wanted: Integers) -> Longs:
    """Where each wanted key stands among ascending keys, -1 where it does not."""
    if not len(keys):
        return np.full(len(wanted), -1, np.int64)
    at = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
    return np.where(keys[at] == wanted, at, -1)
