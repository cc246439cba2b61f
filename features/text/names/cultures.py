"""Cultures, nations and peoples that a text names: French, Northern Italian, Greco-Roman, Safavid.

``peoples.tsv`` lists them: the adjective, which is the culture's key, with other forms of it behind commas;
the place that it belongs to; the cultures that it is a part of. A form that ends in a hyphen is the first
part of a compound (Greco-Roman). Forms are in lower case without accents, of up to three words.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable
from functools import cache, lru_cache
from typing import Final, NamedTuple, TypeVar

from features.text.names.parts import fold
from features.text.names.tables import table
from features.text.word_lists import word_list

_Node = TypeVar("_Node", str, int)
_LONGEST: Final = 3
_WORD: Final = re.compile(r"[^\W\d_]+")
_BESIDE: Final = word_list("beside culture")
"""What may stand beside a culture in a value that names no maker but the culture."""


class Culture(NamedTuple):
    """A culture where a text names it: ``text[start:end]``."""

    key: str
    start: int
    end: int


class _People(NamedTuple):
    key: str
    place: str
    wider: tuple[str, ...]


@cache
def _peoples() -> dict[str, _People]:
    """Every form in lower case and the people that it names."""
    peoples: dict[str, _People] = {}
    for forms, place, wider in table("peoples.tsv"):
        names = forms.split(", ")
        people = _People(names[0], place, tuple(wider.split(", ")) if wider else ())
        peoples.update(dict.fromkeys(names, people))
    return peoples


def cultures_in(text: str, *, capital: bool = True) -> tuple[Culture, ...]:
    """The cultures that a text names, in its order, by the longest forms of the table.

    With ``capital`` only words count that begin with a capital letter, as they do in English.

    >>> [found.key for found in cultures_in("North Italian or South German, Persian (?)")]
    ['italian', 'german', 'iranian']
    >>> [found.key for found in cultures_in("Greco-Roman")]
    ['greek', 'roman']
    """
    words = list(_WORD.finditer(text))
    folded = [fold(word[0]) for word in words]
    cultures: list[Culture] = []
    known, at = _peoples(), 0
    while at < len(words):
        longest = min(_LONGEST, len(words) - at)
        size = next((n for n in range(longest, 0, -1) if " ".join(folded[at : at + n]) in known), 0)
        form = " ".join(folded[at : at + size])
        if not size and text[words[at].end() : words[at].end() + 1] == "-":
            form, size = folded[at] + "-", int(folded[at] + "-" in known)
        if size and (words[at][0][0].isupper() or not capital):
            cultures.append(Culture(known[form].key, words[at].start(), words[at + size - 1].end()))
        at += max(size, 1)
    return tuple(cultures)


def only_cultures(text: str) -> tuple[Culture, ...]:
    """The cultures of a text that names nothing else, but for words such as *school*; else none.

    >>> [found.key for found in only_cultures("British (?) School 19th century")]
    ['british']
    >>> only_cultures("Roman Polanski"), only_cultures("School of Pisa")
    ((), ())
    """
    cultures, words = cultures_in(text), _WORD.finditer(text)
    outside = [word[0] for word in words if not any(one.start <= word.start() < one.end for one in cultures)]
    return cultures if all(fold(word) in _BESIDE for word in outside) else ()


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
    return _peoples()[key].place if key in _peoples() else ""


@cache
def _cultures() -> dict[str, str]:
    """Every place of a culture, and of its cultures the one of one word that most others are a part of.

    Of two that are alike in this the first of the table counts.
    """
    peoples = dict.fromkeys(_peoples().values())
    parts = Counter(wider for people in peoples for wider in people.wider)
    cultures: dict[str, str] = {}
    for people in sorted(peoples, key=lambda people: (" " in people.key, -parts[people.key])):
        cultures.setdefault(fold(people.place), people.key)
    return cultures


def culture_of(place: str) -> str:
    """The culture of a place or area, empty where none belongs to it.

    >>> culture_of("Italy"), culture_of("unheard")
    ('italian', '')
    """
    return _cultures().get(fold(place), "")


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
    left, right = _above(one), _above(two)
    deep = {key: 2 * _depth(key) for key in left.keys() & right.keys()}
    return max((twice / (twice + left[key] + right[key]) for key, twice in deep.items()), default=0.0) ** 2


@cache
def _above(key: str) -> dict[str, int]:
    """A culture and all that it is a part of, each with the steps that lead there."""
    return steps_up(key, _wider)


def steps_up(start: _Node, above: Callable[[_Node], Iterable[_Node]]) -> dict[_Node, int]:
    """A start and all that ``above`` leads to, nearest first, each with the steps that lead there."""
    steps, level, count = {start: 0}, [start], 0
    while level:
        count += 1
        level = [up for up in dict.fromkeys(up for name in level for up in above(name)) if up not in steps]
        steps.update(dict.fromkeys(level, count))
    return steps


@cache
def _depth(key: str) -> int:
    """1 for a culture that is part of no other, else one more than the least deep that it is a part of."""
    return 1 + min(map(_depth, _wider(key)), default=0)


def _wider(key: str) -> tuple[str, ...]:
    return _peoples()[key].wider if key in _peoples() else ()
