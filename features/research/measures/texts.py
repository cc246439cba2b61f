"""The text of a scope as a string, for measures that compare characters.

A text is the terms of the scope in text order, in small letters and parted by single blanks: spaces and
marks between words do not count, nor does it count which values the words stand in.
"""

from abc import abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import ClassVar, Final, Literal, NamedTuple

import numpy as np

from features.arrays import Arrays, Bools, Doubles, Ints, Longs
from features.measures.bags import ScopedSettings
from features.measures.base import Column, EvidencePair
from features.measures.matches import MOST
from features.measures.selections import ScopeReader, TermSelection
from features.measures.tables import Table, starts_of
from features.profiles.blocks import Block
from features.profiles.profile import Occurrence

StopWords = Literal["keep", "drop"]
_CLOSED: Final = ("ADP", "AUX", "CCONJ", "DET", "PART", "PRON", "SCONJ")
"""The closed classes of the universal parts of speech, whose words are stop words."""


class TextSettings(ScopedSettings):
    """A measure over the text of one scope, which is read of each item alone."""

    cost: ClassVar[float] = 100.0
    search_cost: ClassVar[float] = 10_000.0  # every character of an item with every other


class SharedRun(NamedTuple):
    """A run of characters that two texts share: where it begins in either, and its length."""

    left: int
    right: int
    size: int


class Characters(NamedTuple):
    """A text, and for each of its characters the value and the offsets that it stands at.

    A blank stands between the words that it parts; between two values it stands at the end of the first.
    """

    text: str
    values: tuple[int, ...]
    starts: tuple[int, ...]
    ends: tuple[int, ...]

    def occurrences(self, block: Block, start: int, end: int) -> tuple[Occurrence, ...]:
        """Where the characters from ``start`` to ``end`` stand, one for each value; blanks at ends aside."""
        places = []
        for row, run in groupby(range(start, end), key=self.values.__getitem__):
            own = [at for at in run if self.text[at] != " "]
            if own:
                value, (first, last) = block.values[row], (own[0], own[-1])
                term = self.text[first : last + 1]
                # two terms may stand at one place: the later need not end later
                beyond = max(self.ends[first : last + 1])
                places.append(Occurrence(term, value.part, value.index, self.starts[first], beyond))
        return tuple(places)


def characters(block: Block, selection: TermSelection) -> Characters:
    """The text of some terms, parted by blanks.

    >>> from features.profiles.profile import AnalysedValue, Profile
    >>> from features.text.annotation import Word
    >>> words = (Word(0, 2, "To", "to", "ADP"), Word(4, 8, "Troy", "troy", "PROPN"))
    >>> block = Block([Profile((AnalysedValue("title", 0, words, ()),))])
    >>> read = block.words
    >>> every = TermSelection(read.values, read.starts, read.ends, read.forms, read.tags)
    >>> characters(block, every)[::2]  # the blank stands from 2 to 4
    ('to troy', (0, 1, 2, 4, 5, 6, 7))
    """
    places: list[tuple[int, int, int]] = []
    text: list[str] = []
    for row, start, end, term in zip(*(column.tolist() for column in selection[:4]), strict=True):
        form = block.lexicon.terms[term]
        if places:
            before, _, after = places[-1]
            places.append((before, after, max(after, start) if before == row else after))
        # a lemma or an address may be longer than the word that it stands for
        each = len(form) == end - start
        places += [(row, start + n, start + n + 1) if each else (row, start, end) for n in range(len(form))]
        text.append(form)
    values, starts, ends = zip(*places, strict=True) if places else ((), (), ())
    return Characters(" ".join(text), values, starts, ends)


def without_stop_words(block: Block, selection: TermSelection, stop_words: StopWords) -> TermSelection:
    """A selection without words of closed classes, where these are dropped; names have no class."""
    if stop_words == "keep":
        return selection
    closed = np.isin(selection.tags, block.lexicon.numbers(_CLOSED))
    return selection.at(np.flatnonzero(~closed))


@dataclass(frozen=True, slots=True, eq=False)
class TextRows(Table):
    """The characters of every item's text, as code points."""

    LISTS = ("points",)

    starts: Longs
    points: Ints

    @classmethod
    def written(cls, texts: Iterable[str]) -> "TextRows":
        """Texts as a table.

        >>> table = TextRows.written(["ab", "", "c"])
        >>> table.starts.tolist(), table.points.tolist(), table.text(0)
        ([0, 2, 2, 3], [97, 98, 99], 'ab')
        """
        every = list(texts)
        points = np.frombuffer("".join(every).encode("utf-32-le", "surrogatepass"), np.int32)
        return cls(starts_of(map(len, every)), points)

    def text(self, row: int) -> str:
        """The text of a row."""
        points = np.asarray(self.points[self.starts[row] : self.starts[row + 1]], "<i4")
        return points.tobytes().decode("utf-32-le", "surrogatepass")


class TextColumn(Column[TextRows]):
    """A text compared with others, one after the other: too slow to look neighbours up by it.

    It is of no use to a search engine, which scores with it what others propose.
    """

    def __init__(self, reader: ScopeReader, arrays: Arrays, least: int = 1) -> None:
        super().__init__(TextRows.of(arrays))
        self._reader, self._least = reader, least

    def read(self, block: Block) -> TextRows:
        """The texts of the items of a block."""
        return TextRows.written(
            characters(block, self._reader.of_item(block, item)).text for item in range(len(block))
        )

    def informed(self, table: TextRows) -> Bools:
        """Which texts are long enough to be compared."""
        long_enough: Bools = np.diff(table.starts) >= self._least
        return long_enough

    def similarities(self, query: TextRows, table: TextRows) -> Doubles:
        """Of a text with each."""
        own = query.text(0)
        informed = self.informed(table).tolist()
        return np.array(
            [self.similarity(own, table.text(row)) if is_ else 0.0 for row, is_ in enumerate(informed)],
            np.float64,
        )

    @abstractmethod
    def similarity(self, one: str, other: str) -> float:
        """The value of two texts that are long enough."""

    @abstractmethod
    def spans(self, one: str, other: str) -> Iterator[SharedRun]:
        """What they share."""

    def evidence(self, block: Block, left: int, right: int) -> tuple[EvidencePair, ...]:
        """The longest passages that both share, with their shares of the characters of those named."""
        here, there = (characters(block, self._reader.of_item(block, item)) for item in (left, right))
        pairs = [
            (span.size, *sides)
            for span in self.spans(here.text, there.text)
            if all(sides := _sides(block, here, there, span))
        ]
        longest = sorted(pairs, key=lambda pair: -pair[0])[:MOST]
        total = sum(size for size, *_ in longest)
        return tuple(EvidencePair(one, other, size / total) for size, one, other in longest)


def _sides(
    block: Block, here: Characters, there: Characters, span: SharedRun
) -> tuple[tuple[Occurrence, ...], tuple[Occurrence, ...]]:
    """Where a shared passage stands on both sides; nowhere if it is blank."""
    return (
        here.occurrences(block, span.left, span.left + span.size),
        there.occurrences(block, span.right, span.right + span.size),
    )
