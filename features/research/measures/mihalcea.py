"""Texts compared by their most similar words (Mihalcea, Corley and Strapparava 2006; thesis eq. 2.7).

    sim(A, B) = 1/2 (sum over w in A of idf(w) max sim(w, B) / sum over w in A of idf(w) + the same from B)

``max sim(w, B)`` is the similarity of ``w`` to the word of B that is most like it: of a word with itself 1,
and by WordNet 3.0 of two words the highest of their senses, noun with noun or verb with verb. Words that
WordNet lacks are 0 to all others. The words are the terms of a scope, each once; a scope with
``tags: [NOUN, VERB]`` leaves out all others than nouns and verbs. Both directions count half, so that the
measure is symmetric.

The measures of two words, by ``word``, are those of :mod:`features.research.word_measures`: over WordNet
``path``, ``lch`` (Leacock and Chodorow), ``wup`` (Wu and Palmer), ``res`` (Resnik), ``lin``, ``jcn`` (Jiang
and Conrath), ``li`` (Li, Bandar and McLean), ``hso`` (Hirst and St-Onge) and ``lesk`` (extended Lesk), of
which the last two compare words of all parts of speech, as do ``walks``; ``numbers`` (eq. 4.2);
``vectors``, the cosine of word vectors, and ``clusters`` of these; ``paraphrases``, words of one synset or
derived from each other; ``boosted``, the vectors raised by WordNet (thesis 2.8.3); the clusters ``brown`` and
``clark``; ``cbow``, the cosine of vectors of windows of nine words; and ``articles``, the articles of
Wikipedia that words may name (eq. 4.1). ``res``, ``lin`` and ``jcn`` read
information content, counted on the texts that WordNet's makers tagged.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Literal

import numpy as np
from pydantic import Field

from features.arrays import Arrays, Bytes, Doubles, Integers, Ints, Longs, NewArrays
from features.knowledge.resources import ResourceName, Resources
from features.measures.bags import BagBuilder, ScopedSettings, TermColumn, TermRows, idf, looked_up
from features.measures.base import Columns, EvidencePair, Theme, distinct
from features.measures.matches import matches
from features.measures.overlap import TermWeighting
from features.measures.selections import ScopeReader
from features.measures.tables import items_of
from features.measures.vocabulary import Vocabulary, written
from features.profiles.blocks import Block
from features.research.measures.best_matches import best_matches, in_order, weighted_amounts
from features.research.word_measures import WordMeasure, WordMeasureName, needed_by, word_measure


class MihalceaSettings(ScopedSettings):
    """Best matches of the words of one scope, by a similarity over WordNet."""

    EXAMPLES = (
        {"word": "wup", "scope": {"form": "lemma"}},
        {"word": "path", "scope": {"form": "lemma"}, "weights": "none"},
        {"word": "lch", "scope": {"form": "lemma"}},
        {"word": "res", "scope": {"form": "lemma"}},
        {"word": "lin", "scope": {"form": "lemma"}},
        {"word": "jcn", "scope": {"form": "lemma"}},
        {"word": "li", "scope": {"form": "lemma"}},
        {"word": "hso", "scope": {"form": "lemma"}},
        {"word": "lesk", "scope": {"form": "lemma"}},
        {"word": "numbers", "weights": "none"},
        {"word": "vectors", "scope": {"form": "lemma"}},
        {"word": "clusters", "scope": {"form": "lemma"}},
        {"word": "paraphrases", "scope": {"form": "lemma"}},
        {"word": "boosted", "scope": {"form": "lemma"}},
        {"word": "brown", "scope": {"form": "lemma"}},
        {"word": "clark", "scope": {"form": "lemma"}},
        {"word": "cbow", "scope": {"form": "lemma"}},
        {"word": "articles", "scope": {"form": "lemma"}},
    )
    cost: ClassVar[float] = 20.0
    theme: ClassVar[Theme] = "meaning"

    measure: Literal["mihalcea"] = Field(description="best matches of words (eq. 2.7)")
    word: WordMeasureName = Field(
        description="how alike two words are, by WordNet: `path`, `lch` (Leacock and Chodorow), `wup` (Wu and"
        " Palmer), `res` (Resnik), `lin`, `jcn` (Jiang and Conrath), `li` (Li, Bandar and McLean), `hso`"
        " (Hirst and St-Onge) or `lesk` (extended Lesk, eq. 2.1); `walks` (random walks); `numbers` (eq."
        " 4.2); `vectors`, the cosine of word vectors, or `clusters`, whether these are of one cluster;"
        " `paraphrases`, words of one synset or derived from each other; `boosted`, vectors raised by"
        " WordNet; `brown` or `clark`, whether words are of one such cluster; `cbow`, the cosine of vectors"
        " of windows of nine words; `articles`, the share of articles of Wikipedia that both may name"
        " (eq. 4.1)",
    )
    weights: TermWeighting = Field(
        "idf",
        description="`none`: every term counts 1; `idf`: a term counts `ln(1 + N / df)`, rare ones more",
    )

    @property
    def needs(self) -> tuple[ResourceName, ...]:
        """What the words are compared by, and what the scope is read with."""
        return tuple(dict.fromkeys((*needed_by(self.word), *self.scope.needs)))

    def builder(self, resources: Resources) -> "MihalceaBuilder":
        """An empty builder; raises ``ResourceMissing``."""
        return MihalceaBuilder(ScopeReader(self.scope, resources))

    def column(self, arrays: Arrays, resources: Resources, columns: Columns) -> "MihalceaColumn":
        """The column over stored arrays; raises ``ResourceMissing``."""
        words = word_measure(self.word, resources)
        return MihalceaColumn(self.weights, ScopeReader(self.scope, resources), arrays, words)


@dataclass(frozen=True, slots=True, eq=False)
class WordRows(TermRows):
    """Items as sets of words.

    ``unseen`` are the numbers of words that the collection lacks, ascending, ``letters`` their UTF-8 end to
    end and ``ends`` where each ends.
    """

    SHARED = ("unseen", "letters", "ends")

    unseen: Longs
    letters: Bytes
    ends: Longs

    def words(self, numbers: Integers) -> list[str]:
        """Some of the words that the collection lacks."""
        letters, ends = self.letters.tobytes(), [0, *self.ends.tolist()]
        places = np.searchsorted(self.unseen, numbers).tolist()
        return [letters[ends[place] : ends[place + 1]].decode() for place in places]


def _set_rows(starts: Longs, terms: Ints, unseen: Longs, words: Sequence[str]) -> WordRows:
    """Sets of words with those words that the collection lacks."""
    encoded = [word.encode() for word in words]
    ends = np.cumsum([len(word) for word in encoded], dtype=np.int64)
    return WordRows(starts, terms, unseen, np.frombuffer(b"".join(encoded), np.uint8), ends)


class MihalceaBuilder(BagBuilder):
    """Keeps which item has which word."""

    def arrays(self) -> NewArrays:
        """The sets, the vocabulary and its document frequencies."""
        starts, terms, _ = self._bags.bags()
        return {
            **_set_rows(starts, terms, np.empty(0, np.int64), ()).arrays(),
            "frequencies": self.frequencies(),
            **written(self._bags.names),
        }


class MihalceaColumn(TermColumn[WordRows]):
    """Best matches of an item's words with those of others.

    The similarities of its words to all words of a table are computed first, once for each pair of words.
    """

    def __init__(
        self, weights: TermWeighting, reader: ScopeReader, arrays: Arrays, words: WordMeasure
    ) -> None:
        super().__init__(WordRows.of(arrays), reader, Vocabulary(arrays))
        self._weighting, self._words = weights, words
        self._items = items_of(arrays, self.table)
        self._frequencies = np.asarray(arrays["frequencies"], np.float64)

    def read(self, block: Block) -> WordRows:
        """The sets of the items of a block."""
        bags = self.bags(block)
        unseen = self.unseen(bags)
        words = [block.lexicon.terms[number] for number in unseen.tolist()]
        return _set_rows(bags.starts, bags.terms, unseen + len(self._vocabulary), words)

    def similarities(self, query: WordRows, table: WordRows) -> Doubles:
        """The mean of both directions, eq. 2.7."""
        met, places = distinct(table.terms, int(table.terms.max(initial=-1)) + 1)
        similar = self._words.of(self._named(table, met), self._named(query, query.terms))
        return best_matches(
            table.starts, places, similar, self._weights_of(met), self._weights_of(query.terms)
        )

    def evidence(self, block: Block, left: int, right: int) -> tuple[EvidencePair, ...]:
        """The pairs of words that bring most of the value."""
        table = self.of(block)
        one, other = table.row(left), table.row(right)
        similar = self._words.of(self._named(one, one.terms), self._named(other, other.terms))
        left_weights, right_weights = self._weights_of(one.terms), self._weights_of(other.terms)
        amounts = weighted_amounts(
            similar, left_weights, right_weights, left_weights.sum(), right_weights.sum()
        )
        here = in_order(self.standing(block, left), one.terms)
        return matches(amounts, here, in_order(self.standing(block, right), other.terms))

    def _named(self, table: WordRows, terms: Integers) -> list[str]:
        """The words of some numbers of a table."""
        known = terms < len(self._vocabulary)
        unseen = dict(zip(terms[~known].tolist(), table.words(terms[~known]), strict=True))
        return [
            self._vocabulary[number] if number < len(self._vocabulary) else unseen[number]
            for number in terms.tolist()
        ]

    @cached_property
    def _weights(self) -> Doubles:
        return self._of_frequencies(self._frequencies)

    def _weights_of(self, terms: Integers) -> Doubles:
        unseen = self._of_frequencies(np.zeros(1, np.int32)).item()
        return looked_up(self._weights, unseen, terms)

    def _of_frequencies(self, frequencies: Integers | Doubles) -> Doubles:
        """What terms count that so many items have."""
        plain = self._weighting == "none"
        return np.ones(len(frequencies)) if plain else idf(self._items, frequencies)
