"""Which words of two texts stand for each other: the monolingual aligner of DLS@CU, without dependencies.

Sultan, Bethard and Sumner (2014; thesis 2.8.4) align in steps, and a word that a step has aligned is free no
more:

1. runs of equal words that have a content word, the longest first;
2. an abbreviation with the names whose initials it has (equal names are runs of the first step);
3. content words, by how alike they are and how alike the three words are that stand on either side of them:
   of all pairs that are alike at all, that with the highest ``.9 word + .1 neighbours`` first.

Their third step knows a word by its neighbours in a dependency tree, too, for which a parser lacks. Their
table of paraphrases (PPDB) can't be had: words are alike as WordNet has them, or by a measure of words that
is handed in.
"""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import numpy as np

from features.arrays import Doubles
from features.research.measures.tiling import common_runs
from features.research.word_measures import WordMeasure

CONTENT: Final = frozenset({"NOUN", "PROPN", "VERB", "ADJ", "ADV", "NUM"})
"""The parts of speech of content words."""
_WORD: Final = 0.9
"""What the likeness of two words counts beside that of their neighbours (Sultan and others 2014)."""
_WINDOW: Final = 3
_LEAST: Final = 0.4
"""Words that are less alike are not aligned."""


class TaggedWord(NamedTuple):
    """A word in small letters and its universal part of speech."""

    term: str
    tag: str

    @property
    def is_content(self) -> bool:
        """Whether it is a word of an open class, or a number."""
        return self.tag in CONTENT


class AlignedWords(NamedTuple):
    """The places of two words that stand for each other, and how alike they are, 0 to 1."""

    left: int
    right: int
    alike: float


def align(left: list[TaggedWord], right: list[TaggedWord], measure: WordMeasure) -> list[AlignedWords]:
    """The aligned words of two texts, in the order of the left one; each word is in one pair at most.

    >>> class Toy:
    ...     def of(self, words, others):
    ...         alike = {("boat", "ship"): 0.9}
    ...         return np.array([[alike.get((a, b), float(a == b)) for b in others] for a in words])
    >>> one = [TaggedWord(*word) for word in (("a", "DET"), ("small", "ADJ"), ("boat", "NOUN"))]
    >>> two = [TaggedWord(*word) for word in (("ship", "NOUN"), (",", "PUNCT"), ("small", "ADJ"))]
    >>> align(one, two, Toy())  # 'small' as a run of one word, then the two nouns
    [AlignedWords(left=1, right=2, alike=1.0), AlignedWords(left=2, right=0, alike=0.9)]
    """
    # of equally good pairs the first is taken, so that the order of the sides must not count
    if (len(right), right) < (len(left), left):
        turned = align(right, left, measure)
        return sorted(AlignedWords(pair.right, pair.left, pair.alike) for pair in turned)
    aligner = _Aligner(left, right, _likeness(left, right, measure))
    for step in (aligner.runs, aligner.names, aligner.turned_names, aligner.content):
        for one in list(step()):
            aligner.pairs[one.left] = one
    return [aligner.pairs[place] for place in sorted(aligner.pairs)]


def _likeness(left: Sequence[TaggedWord], right: Sequence[TaggedWord], measure: WordMeasure) -> Doubles:
    """How alike every word is to every other; the measure is asked once for each word."""
    sides = [[word.term for word in words] for words in (left, right)]
    distinct = [list(dict.fromkeys(terms)) for terms in sides]
    places = [
        list(map({term: at for at, term in enumerate(own)}.__getitem__, terms))
        for terms, own in zip(sides, distinct, strict=True)
    ]
    alike: Doubles = measure.of(distinct[0], distinct[1])[np.ix_(*places)]
    return alike


class _Aligner:
    """Two texts, how alike their words are, and the pairs that the steps have made, by their left places."""

    def __init__(self, left: Sequence[TaggedWord], right: Sequence[TaggedWord], alike: Doubles) -> None:
        self._left, self._right, self._alike = left, right, alike
        self.pairs: dict[int, AlignedWords] = {}

    def _free(self) -> tuple[list[int], list[int]]:
        """The places of the content words of both sides that no pair has yet."""
        used = self.pairs.keys(), {pair.right for pair in self.pairs.values()}
        left, right = (
            [at for at, word in enumerate(words) if word.is_content and at not in own]
            for words, own in zip((self._left, self._right), used, strict=True)
        )
        return left, right

    def runs(self) -> Iterator[AlignedWords]:
        """Words of equal runs; a run of closed words alone says nothing."""
        for run in common_runs([word.term for word in self._left], [word.term for word in self._right]):
            places = range(run.size)
            if any(self._left[run.left + at].is_content for at in places):
                yield from (AlignedWords(run.left + at, run.right + at, 1.0) for at in places)

    def names(self) -> Iterator[AlignedWords]:
        """Abbreviations on the left with the first of the names that they stand for on the right."""
        left, right = self._free()
        return (AlignedWords(*places, 1.0) for places in _abbreviated(self._left, left, self._right, right))

    def turned_names(self) -> Iterator[AlignedWords]:
        """The same with the abbreviations on the right."""
        left, right = self._free()
        places = _abbreviated(self._right, right, self._left, left)
        return (AlignedWords(one, other, 1.0) for other, one in places)

    def content(self) -> Iterator[AlignedWords]:
        """The best pairs of free content words, one after the other."""
        left, right = self._free()
        candidates = sorted(
            (-_WORD * self._alike[row, column] - (1 - _WORD) * self._around(row, column), row, column)
            for row in left
            for column in right
            if self._alike[row, column] >= _LEAST
        )
        used: tuple[set[int], set[int]] = (set(), set())
        for _, row, column in candidates:
            if row not in used[0] and column not in used[1]:
                used[0].add(row)
                used[1].add(column)
                yield AlignedWords(row, column, float(self._alike[row, column]))

    def _around(self, row: int, column: int) -> float:
        """The mean likeness of the content words around two words, from both sides."""
        rows, columns = _neighbours(self._left, row), _neighbours(self._right, column)
        if not rows or not columns:
            return 0.0
        alike = self._alike[np.ix_(rows, columns)]
        return float(alike.max(axis=1).mean() + alike.max(axis=0).mean()) / 2


def _neighbours(words: Sequence[TaggedWord], place: int) -> list[int]:
    """The places of the content words in the window around a place."""
    window = range(max(0, place - _WINDOW), min(len(words), place + _WINDOW + 1))
    return [at for at in window if at != place and words[at].is_content]


def _abbreviated(
    short: Sequence[TaggedWord], free: Sequence[int], long: Sequence[TaggedWord], there: Sequence[int]
) -> Iterator[tuple[int, int]]:
    """Where a free abbreviation stands, and where the words begin whose initials it has.

    >>> one = [TaggedWord("un", "PROPN")]
    >>> two = [TaggedWord("united", "PROPN"), TaggedWord("nations", "PROPN")]
    >>> list(_abbreviated(one, [0], two, [0, 1]))
    [(0, 0)]
    """
    for place in free:
        term = short[place].term
        if short[place].tag == "PROPN" and len(term) > 1:
            for start in there:
                run = long[start : start + len(term)]
                if all(word.is_content for word in run) and "".join(word.term[0] for word in run) == term:
                    yield place, start
                    break
