"""Blocks of profiles as columns of numbers: how all features read the words of a collection at once.

Words lie end to end in arrays, every string as a number of one :class:`Lexicon`, so that a scope is a few
operations on arrays and not a loop over words.
"""

import gc
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import cached_property
from itertools import chain
from operator import attrgetter
from threading import RLock
from typing import NamedTuple, TypeVar, cast

import numpy as np

from features.arrays import Bools, Bytes, Integers, Longs, Rows
from features.profiles.profile import ORDER, AnalysedValue, Profile
from features.text.annotation import KINDS, Word
from features.text.boilerplate import Spans
from ingest.record import Field

SIZE = 1000
"""Items of a block in a build."""

_Made = TypeVar("_Made")


class Lexicon:
    """Numbers of strings, in the order in which they are met.

    >>> lexicon = Lexicon()
    >>> lexicon.lowered(["Sea", "ship", "sea"]).tolist(), lexicon.number("Sea"), lexicon.terms
    ([0, 1, 0], 2, ['sea', 'ship', 'Sea'])
    """

    def __init__(self) -> None:
        self.terms: list[str] = []
        lock = RLock()
        self._numbers = _Known(self._new, lock)
        self._lowered = _Known(lambda term: self._numbers[term.lower()], lock)
        self._worded = bytearray()

    def __len__(self) -> int:
        return len(self.terms)

    def number(self, term: str) -> int:
        """The number of a string as it stands."""
        return self._numbers[term]

    def numbers(self, terms: Iterable[str]) -> Longs:
        """The numbers of strings as they stand."""
        return np.fromiter(map(self._numbers.__getitem__, terms), np.int64)

    def lowered(self, terms: Iterable[str]) -> Longs:
        """The numbers of strings in lower case."""
        return np.fromiter(map(self._lowered.__getitem__, terms), np.int64)

    @property
    def worded(self) -> Bools:
        """Of every string, whether it has a letter or a digit."""
        return np.frombuffer(bytes(self._worded), np.bool_)

    def _new(self, term: str) -> int:
        self.terms.append(term)
        # most terms are a word, which is quick to see
        self._worded.append(term.isalnum() or any(character.isalnum() for character in term))
        return len(self.terms) - 1


class _Known(dict[str, int]):
    """Numbers by their strings; one that is not there is made when it is looked up."""

    def __init__(self, make: Callable[[str], int], lock: AbstractContextManager[bool]) -> None:
        super().__init__()
        self._make, self._lock = make, lock

    def __missing__(self, term: str) -> int:
        # features of one block are read by several threads, and a string has one number
        with self._lock:
            number = self.get(term)
            if number is None:
                number = self[term] = self._make(term)
            return number


class Words(NamedTuple):
    """The words of a block in text order, a row a word.

    ``values`` is the row of the value that a word stands in; ``starts`` and ``ends`` are its offsets there.
    ``forms``, ``lemmas`` (both in lower case) and ``tags`` are numbers of the lexicon. ``kinds`` has a bit
    for each kind of mention that it lies in; ``boilerplate`` and ``context`` say whether it begins in some.
    """

    values: Longs
    starts: Longs
    ends: Longs
    forms: Longs
    lemmas: Longs
    tags: Longs
    kinds: Bytes
    boilerplate: Bools
    context: Bools


class Block:
    """Some profiles, with their ``rows`` in the collection, and what a column ``stored`` of them, if any.

    >>> from features.profiles.profile import AnalysedValue, Word
    >>> value = AnalysedValue("title", 0, (Word(0, 4, "Ships", "ship", "NOUN"),), ())
    >>> block = Block([Profile(()), Profile((value,))])
    >>> block.items.tolist(), [block.lexicon.terms[number] for number in block.words.lemmas]
    ([1], ['ship'])
    """

    def __init__(
        self,
        profiles: Sequence[Profile],
        lexicon: Lexicon | None = None,
        rows: Rows | None = None,
        stored: Callable[[object], object] | None = None,
    ) -> None:
        self.profiles, self.rows, self.stored = profiles, rows, stored
        self.lexicon = Lexicon() if lexicon is None else lexicon
        self.values: tuple[AnalysedValue, ...] = tuple(v for profile in profiles for v in profile.values)
        self._made: dict[Hashable, object] = {}

    def __len__(self) -> int:
        return len(self.profiles)

    def once(self, key: Hashable, make: Callable[[], _Made]) -> _Made:
        """What ``make`` gives, made once for a key."""
        if key not in self._made:
            self._made[key] = make()
        return cast("_Made", self._made[key])

    @cached_property
    def items(self) -> Longs:
        """Of every value, the place of its item in the block."""
        sizes = np.array([len(profile.values) for profile in self.profiles], np.int64)
        return np.repeat(np.arange(len(self)), sizes)

    @cached_property
    def places(self) -> Longs:
        """Numbers that order the values as text is read: by item, part and index."""
        inside = np.array([ORDER[value.part] << 32 | value.index for value in self.values], np.int64)
        return (self.items << 40) | inside

    def within(self, parts: Iterable[str]) -> Bools:
        """Of every value, whether it is of one of these parts."""
        wanted = frozenset(parts)
        return np.array([value.part in wanted for value in self.values], np.bool_)

    @cached_property
    def words(self) -> Words:
        """All words."""
        of_values = [_words(value) for value in self.values]
        words = list(chain.from_iterable(of_values))
        sizes = np.array([len(own) for own in of_values], np.int64)
        values = np.repeat(np.arange(len(self.values)), sizes)
        starts = np.fromiter(map(attrgetter("start"), words), np.int64, len(words))
        ends = np.fromiter(map(attrgetter("end"), words), np.int64, len(words))
        lexicon = self.lexicon
        forms, lemmas, tags = (map(attrgetter(name), words) for name in ("form", "lemma", "tag"))
        numbers = (lexicon.lowered(forms), lexicon.lowered(lemmas), lexicon.numbers(tags))
        kinds = self._kinds(values, starts, ends)
        boilerplate = self._within([value.boilerplate for value in self.values], values, starts)
        context = self._within([value.context for value in self.values], values, starts)
        return Words(values, starts, ends, *numbers, kinds, boilerplate, context)

    def _kinds(self, values: Longs, starts: Longs, ends: Longs) -> Bytes:
        kinds = np.zeros(len(values), np.uint8)
        mentions = [(row, one) for row, value in enumerate(self.values) for one in value.mentions]
        spans = np.array([(row, one.start, one.end) for row, one in mentions], np.int64).reshape(-1, 3)
        bits = np.array([1 << KINDS.index(one.kind) for _, one in mentions], np.uint8)
        of, rows = _begun_in(spans, values, starts)
        inside = ends[rows] <= spans[of, 2]
        np.bitwise_or.at(kinds, rows[inside], bits[of[inside]])
        return kinds

    def _within(self, parts: Sequence[Spans], values: Longs, starts: Longs) -> Bools:
        within = np.zeros(len(values), np.bool_)
        spans = [(row, start, end) for row, own in enumerate(parts) for start, end in own]
        within[_begun_in(np.array(spans, np.int64).reshape(-1, 3), values, starts)[1]] = True
        return within


def _words(value: AnalysedValue) -> Sequence[Word]:
    """The words of a value; before those of a subject that has an address stands this, as one more word."""
    if value.address is None or value.part != Field.SUBJECT or not value.words:
        return value.words
    return (Word(0, value.words[-1].end, value.address, value.address, "PROPN"), *value.words)


def kinds_bits(kinds: Iterable[str]) -> int:
    """The bits of :class:`Words` for some kinds of mention."""
    return sum(1 << KINDS.index(kind) for kind in set(kinds))


def _begun_in(spans: Longs, values: Longs, starts: Longs) -> tuple[Longs, Longs]:
    """The words that begin in spans ``[value, start, end)``: pairs of a span's and a word's row."""
    at = (values << 32) | starts
    low = np.searchsorted(at, (spans[:, 0] << 32) | spans[:, 1])
    sizes = np.searchsorted(at, (spans[:, 0] << 32) | spans[:, 2]) - low
    return np.repeat(np.arange(len(spans)), sizes), stretched(low, sizes)


def stretched(first: Integers, sizes: Integers) -> Longs:
    """Runs of places, one after the other.

    >>> stretched(np.array([7, 2]), np.array([1, 3])).tolist()
    [7, 2, 3, 4]
    """
    ends = np.cumsum(sizes, dtype=np.int64)
    return np.repeat(first - ends + sizes, sizes) + np.arange(ends[-1] if len(ends) else 0)


@contextmanager
def uncollected() -> Iterator[None]:
    """Without the search for cycles: profiles have none, and it goes through all words again and again."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()
