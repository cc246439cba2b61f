"""Cultures, nations and peoples that a text names: French, Northern Italian, Greco-Roman, Safavid.

``peoples.tsv`` lists them: the adjective, which is the culture's key, with other forms of it behind commas;
the place or area that it belongs to; the cultures that it is a part of. A form that ends in a hyphen is the
first part of a compound (Greco-Roman). Forms are in lower case without accents, of up to three words,
whatever stands between these.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import resources
from typing import Final, NamedTuple

from features.text.names.parts import fold

_TABLE: Final = "peoples.tsv"
_LONGEST: Final = 3
_WORD: Final = re.compile(r"[^\W\d_]+")
_BESIDE: Final = frozenset(
    re.findall(
        r"\S+",
        """
        a an ancient and anonymous area artist artists by c ca cent central century circa craftsman
        craftsmen culture dynasty early eastern empire first half in kingdom late later likely maker
        makers manufacture master mid middle new north northeastern northern northwestern of old or
        painter painters people peoples perhaps period possibly probably provincial quarter region
        school sculptor second south southeastern southern southwestern st style th third tribe tribes
        under unidentified unknown upper west western workshop workshops
        """,
    )
)
"""What may stand beside a culture in a value that names no maker but the culture."""


class Culture(NamedTuple):
    """A culture where a text names it: ``text[start:end]``."""

    key: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _People:
    key: str
    place: str
    wider: tuple[str, ...]


@cache
def _peoples() -> dict[str, _People]:
    """Every form in lower case and the people that it names."""
    found: dict[str, _People] = {}
    table = resources.files("features.text.names").joinpath(_TABLE).read_text("utf-8")
    for line in table.splitlines()[1:]:
        forms, place, wider = line.split("\t")
        names = forms.split(", ")
        people = _People(names[0], place, tuple(filter(None, wider.split(", "))))
        found.update(dict.fromkeys(names, people))
    return found


def cultures_in(text: str, *, capital: bool = True) -> tuple[Culture, ...]:
    """The cultures that a text names, in its order, by the longest forms of the table.

    With ``capital`` only words count that begin with a capital letter, as they do in English.

    >>> [found.key for found in cultures_in("North Italian or South German, Persian (?)")]
    ['italian', 'german', 'iranian']
    >>> [found.key for found in cultures_in("Greco-Roman")]
    ['greek', 'roman']
    """
    return tuple(culture for culture, _ in _read(text, capital))


def only_cultures(text: str) -> tuple[Culture, ...]:
    """The cultures of a text that names nothing else, but for words such as *school*; else none.

    >>> [found.key for found in only_cultures("British (?) School 19th century")]
    ['british']
    >>> only_cultures("Roman Polanski"), only_cultures("School of Pisa")
    ((), ())
    """
    read = list(_read(text, capital=True))
    words = len(_WORD.findall(text))
    beside = sum(fold(word) in _BESIDE for word in _outside(text, read))
    return tuple(found for found, _ in read) if sum(size for _, size in read) + beside == words else ()


@cache
def keys() -> tuple[str, ...]:
    """The keys of all cultures, in the order of their letters."""
    return tuple(sorted({people.key for people in _peoples().values()}))


def is_culture(word: str) -> bool:
    """Whether a word, or several with blanks between them, names a culture."""
    return fold(word) in _peoples()


def place_of(key: str) -> str:
    """The place or area of a culture, empty where it has none or is not known.

    >>> place_of("ottoman"), place_of("unheard")
    ('Turkey', '')
    """
    people = _peoples().get(key)
    return people.place if people else ""


@lru_cache(maxsize=1 << 16)
def likeness(one: str, two: str) -> float:
    """How near two cultures are, from 0 (nothing in common) to 1 (the same).

    The nearest culture that both belong to counts as in Wu and Palmer (1994): its depth, twice, over that and
    the steps that lead to it. The square is taken, since to be of one continent says little.

    >>> likeness("french", "french"), likeness("french", "chinese")
    (1.0, 0.0)
    >>> round(likeness("venetian", "italian"), 3)  # italian is 3 deep, one step away: (6 / 7)^2
    0.735
    """
    if one == two:
        return 1.0
    ours, theirs = _above(one), _above(two)
    shared = (
        2 * _depth(key) / (2 * _depth(key) + ours[key] + theirs[key]) for key in ours.keys() & theirs.keys()
    )
    return max(shared, default=0.0) ** 2


@cache
def _above(key: str) -> dict[str, int]:
    """A culture and all that it is a part of, each with the steps that lead there."""
    found, level, steps = {key: 0}, [key], 0
    while level:
        steps += 1
        level = [up for each in level for up in _wider(each) if up not in found]
        found.update(dict.fromkeys(level, steps))
    return found


@cache
def _depth(key: str) -> int:
    """1 for a culture that is part of no other, else one more than the least deep that it is a part of."""
    return 1 + min(map(_depth, _wider(key)), default=0)


def _wider(key: str) -> tuple[str, ...]:
    people = _peoples().get(key)
    return people.wider if people else ()


def _read(text: str, capital: bool) -> Iterator[tuple[Culture, int]]:
    """The cultures of a text, each with the number of its words."""
    words = list(_WORD.finditer(text))
    folded = [fold(word[0]) for word in words]
    known, at = _peoples(), 0
    while at < len(words):
        longest = min(_LONGEST, len(words) - at)
        size = next((n for n in range(longest, 0, -1) if " ".join(folded[at : at + n]) in known), 0)
        form = " ".join(folded[at : at + size])
        if not size and text[words[at].end() : words[at].end() + 1] == "-":
            form, size = folded[at] + "-", int(folded[at] + "-" in known)
        if size and (words[at][0][0].isupper() or not capital):
            yield Culture(known[form].key, words[at].start(), words[at + size - 1].end()), size
        at += max(size, 1)


def _outside(text: str, read: list[tuple[Culture, int]]) -> list[str]:
    """The words of a text that are none of the cultures that were read in it."""
    spans = [(found.start, found.end) for found, _ in read]
    return [
        word[0]
        for word in _WORD.finditer(text)
        if not any(start <= word.start() < end for start, end in spans)
    ]
