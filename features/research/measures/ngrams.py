"""Word or character n-grams that two texts share: n words, or n characters, in a row.

An n-gram lies in one value of a record; characters are those of its words in small letters, parted by single
blanks. Grams of a scope are a set A, each once. ``jaccard`` is |A n B| / |A u B|. ``containment`` is
|A n B| / |A|, how much of the first text the second has (Broder 1997): it is directional, and an item that
others are compared with is the first. A side with fewer words or characters than n has no gram: NaN.

Stop words are the words of closed classes by their part of speech; they are dropped before grams are made.
"""

from collections.abc import Hashable, Iterable, Iterator
from typing import ClassVar, Literal

import numpy as np
from pydantic import Field

from features.arrays import Arrays, Doubles
from features.knowledge.resources import Resources
from features.measures.bags import ScopedSettings
from features.measures.base import ByParts, Column, Columns
from features.measures.overlap import OverlapBuilder, OverlapColumn, OverlapSettings, Sets
from features.measures.scope import Scope
from features.measures.selections import ScopeReader, TermSelection
from features.profiles.blocks import Block
from features.research.measures.texts import StopWords, characters, without_stop_words

GramUnit = Literal["words", "characters"]


class NgramsSettings(ScopedSettings):
    """n-grams over one scope."""

    EXAMPLES = (
        {"of": "characters", "size": 3},
        {"of": "words", "size": 2},
        {"of": "words", "size": 1, "compare": "containment", "stop_words": "drop"},
    )
    GROUPED = False
    cost: ClassVar[float] = 1000.0

    measure: Literal["ngrams"] = Field(description="shared n-grams of words or characters")
    of: GramUnit = Field(description="what a gram is made of")
    size: int = Field(ge=1, description="how many words or characters in a row make a gram")
    compare: Literal["jaccard", "containment"] = Field(
        "jaccard",
        description="`jaccard`: the shared grams over those of both sides together; `containment`: over those"
        " of the first. With `containment` the value of two items changes with their order",
    )
    stop_words: StopWords = Field(
        "keep",
        description="`drop`: without articles, prepositions, conjunctions, pronouns, particles and"
        " auxiliary verbs",
    )

    @property
    def collects(self) -> Hashable:
        """The grams of the scope."""
        return self.grams

    @property
    def grams(self) -> tuple[Scope, GramUnit, int, StopWords]:
        """What makes the grams."""
        return self.scope, self.of, self.size, self.stop_words

    def builder(self, resources: Resources) -> OverlapBuilder:
        """An empty builder of sets of grams; raises ``ResourceMissing``."""
        return OverlapBuilder(_of_sets(self), GramReader(self, resources))

    def column(self, arrays: Arrays, resources: Resources, columns: Columns) -> "NgramsColumn":
        """The column over stored arrays, used where they lie."""
        return NgramsColumn(self, GramReader(self, resources), arrays)


def _of_sets(settings: NgramsSettings) -> OverlapSettings:
    return OverlapSettings(measure="overlap", kind="jaccard", scope=settings.scope)


class GramReader(ScopeReader):
    """Reads the n-grams of a scope as terms, each from the start of its first word or character."""

    def __init__(self, settings: NgramsSettings, resources: Resources) -> None:
        super().__init__(settings.scope, resources)
        self._settings = settings
        self._words = ScopeReader(settings.scope, resources)

    @property
    def key(self) -> Hashable:
        """What makes the grams."""
        return GramReader, self._settings.grams

    def selection(self, block: Block) -> TermSelection:
        """The grams in a block in text order."""
        return block.once(self.key, lambda: self._grams(block))

    def _grams(self, block: Block) -> TermSelection:
        words = without_stop_words(block, self._words.selection(block), self._settings.stop_words)
        of_value = _word_grams if self._settings.of == "words" else _character_grams
        changes = np.flatnonzero(np.diff(words.values)) + 1
        grams = [
            gram
            for rows in np.split(np.arange(len(words.values)), changes)
            if len(rows)
            for gram in of_value(block, words.at(rows), self._settings.size)
        ]
        values, starts, ends = np.array([gram[:3] for gram in grams], np.int64).reshape(-1, 3).T
        terms = block.lexicon.numbers(gram[3] for gram in grams)
        none = block.lexicon.number("")
        return TermSelection(values, starts, ends, terms, np.full(len(grams), none, np.int64))


def shingles(tokens: Iterable[str], size: int) -> list[tuple[str, ...]]:
    """The n-grams of words or characters, in order.

    >>> shingles("boat", 3), shingles(["at", "sea"], 3)
    ([('b', 'o', 'a'), ('o', 'a', 't')], [])
    """
    every = tuple(tokens)
    return [every[at : at + size] for at in range(len(every) - size + 1)]


def _word_grams(block: Block, words: TermSelection, size: int) -> Iterator[tuple[int, int, int, str]]:
    """The grams of the words of one value: its row, start, end and the words."""
    row, starts, ends = int(words.values[0]), words.starts.tolist(), words.ends.tolist()
    forms = [block.lexicon.terms[term] for term in words.terms.tolist()]
    for at, gram in enumerate(shingles(forms, size)):
        yield row, starts[at], max(ends[at : at + size]), " ".join(gram)


def _character_grams(block: Block, words: TermSelection, size: int) -> Iterator[tuple[int, int, int, str]]:
    """The grams of the characters of one value."""
    row, text = int(words.values[0]), characters(block, words)
    for at, gram in enumerate(shingles(text.text, size)):
        yield row, text.starts[at], max(text.ends[at : at + size]), "".join(gram)


def containment(shared: Doubles, first: float) -> Doubles:
    """The share of the grams of the first text that the second has too.

    >>> containment(np.array([2.0, 0.0]), 4.0).tolist()  # 2 of 4, none of 4
    [0.5, 0.0]
    """
    return shared / first


class NgramsColumn(OverlapColumn):
    """The n-grams of an item compared with those of others."""

    def __init__(self, settings: NgramsSettings, reader: GramReader, arrays: Arrays) -> None:
        super().__init__(_of_sets(settings), reader, arrays)
        self._of_first = settings.compare == "containment"

    def similarities(self, query: Sets, table: Sets) -> Doubles:
        """What is shared, of both sides together or of the first."""
        if self._of_first:
            return containment(self.shared(query, table), query.sizes[0].item())
        return super().similarities(query, table)

    def informed_by_parts(self, query: Sets) -> ByParts:
        """By posting lists, or of the first all rows at once."""
        return Column.informed_by_parts(self, query) if self._of_first else super().informed_by_parts(query)
