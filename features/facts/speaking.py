"""The words that speak for what a model reads in a record: where each stands, and how much it says."""

from collections import defaultdict
from functools import partial
from typing import Final, NamedTuple

from features.arrays import Doubles
from features.facts.words import FactWords, fact_words_reader
from features.knowledge.wordnet.reader import WordNet
from features.profiles.blocks import Block
from features.profiles.profile import Occurrence

_SPEAKING: Final = frozenset({"NOUN", "PROPN", "VERB", "X"})  # X is a word of another language


class Speaking(NamedTuple):
    """Where each word stands, and how much it says, all its places together."""

    places: dict[str, list[Occurrence]]
    weights: dict[str, float]


def words_of(block: Block, wordnet: WordNet) -> FactWords:
    """What models of facts are told of the items of a block, read once."""
    return block.once(FactWords, partial(fact_words_reader(wordnet).words, block))


def speaking(block: Block, words: FactWords, item: int, shares: Doubles, least: float) -> Speaking:
    """The nouns, names and verbs of an item of a block that say more than ``least``.

    ``words`` are those of the block, and ``shares`` float64[words of the item] is how much each says.
    """
    places, sums = defaultdict[str, list[Occurrence]](list), defaultdict[str, float](float)
    for row, share in zip(words.rows[words.of(item)].tolist(), shares.tolist(), strict=True):
        one = _occurrence(block, row)
        if one.tag in _SPEAKING:
            places[one.term].append(one)
            sums[one.term] += share
    strong = {term: weight for term, weight in sums.items() if weight > least}
    return Speaking({term: places[term] for term in strong}, strong)


def _occurrence(block: Block, row: int) -> Occurrence:
    words, terms = block.words, block.lexicon.terms
    value = block.values[words.values[row]]
    term, tag = terms[words.lemmas[row]], terms[words.tags[row]]
    return Occurrence(term, value.part, value.index, int(words.starts[row]), int(words.ends[row]), tag)
