"""The words that speak for what a model reads in a record: where each stands, and how much it says."""

from collections import defaultdict
from collections.abc import Iterable
from functools import partial
from typing import Final, NamedTuple

import numpy as np

from features.arrays import Doubles
from features.facts.words import FactWords, fact_words_reader
from features.knowledge.wordnet.reader import WordNet
from features.profiles.blocks import Block
from features.profiles.profile import Occurrence

_SPEAKING: Final = frozenset({"NOUN", "PROPN", "VERB", "X"})  # X is a word of another language


class Speaking(NamedTuple):
    """The rows of each word among those of a block, and how much it says, all its places together."""

    rows: dict[str, list[int]]
    weights: dict[str, float]

    def standing(self, block: Block, terms: Iterable[str]) -> dict[str, list[Occurrence]]:
        """Some of the words, with where each stands."""
        return {term: [_occurrence(block, row) for row in self.rows[term]] for term in terms}


def words_of(block: Block, wordnet: WordNet) -> FactWords:
    """What models of facts are told of the items of a block, read once."""
    return block.once(FactWords, partial(fact_words_reader(wordnet).words, block))


def speaking(block: Block, words: FactWords, item: int, shares: Doubles, least: float) -> Speaking:
    """The nouns, names, verbs and words of other languages of an item that say more than ``least``.

    ``words`` are those of the block, and ``shares`` float64[words of the item] is how much each says.
    """
    rows = words.rows[words.of(item)]
    picked = np.flatnonzero(np.isin(block.words.tags[rows], block.lexicon.numbers(sorted(_SPEAKING))))
    terms = block.lexicon.terms
    places, sums = defaultdict[str, list[int]](list), defaultdict[str, float](float)
    lemmas = block.words.lemmas[rows[picked]].tolist()
    for row, lemma, share in zip(rows[picked].tolist(), lemmas, shares[picked].tolist(), strict=True):
        places[terms[lemma]].append(row)
        sums[terms[lemma]] += share
    strong = {term: weight for term, weight in sums.items() if weight > least}
    return Speaking({term: places[term] for term in strong}, strong)


def _occurrence(block: Block, row: int) -> Occurrence:
    words, terms = block.words, block.lexicon.terms
    value = block.values[words.values[row]]
    term, tag = terms[words.lemmas[row]], terms[words.tags[row]]
    return Occurrence(term, value.part, value.index, int(words.starts[row]), int(words.ends[row]), tag)
