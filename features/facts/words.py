"""What the model of facts is told of the words of some records: which they are, of which field and kind."""

from functools import cache
from typing import Final, NamedTuple

import numpy as np

from features.arrays import Bools, Longs
from features.knowledge.wordnet.files import LEXICOGRAPHER_FILES
from features.knowledge.wordnet.reader import WordNet
from features.profiles.blocks import Block
from features.profiles.profile import EVERYWHERE, ORDER
from features.text.annotation import KINDS
from features.text.caches import text_cache

MOST: Final = 160
"""Words of a record that are read, from the title on."""

TAGS: Final = (
    "ADJ", "ADP", "ADV", "AUX", "CCONJ", "DET", "INTJ", "NOUN", "NUM", "PART", "PRON", "PROPN", "PUNCT",
    "SCONJ", "SYM", "VERB", "X",
)  # fmt: skip
"""The universal parts of speech; what is none of them counts as ``X``."""

SIGNS: Final = {
    "fields": len(EVERYWHERE),
    "tags": len(TAGS),
    "kinds": 1 << len(KINDS),
    "marks": 4,
    "files": len(LEXICOGRAPHER_FILES) + 1,
}
"""How many values each column of :class:`FactWords` that tells of one word alone may have."""

_OF_TAG: Final = {"NOUN": "n", "PROPN": "n", "VERB": "v", "ADJ": "a", "ADV": "r"}
_IN_TITLE: Final = (ORDER["title"], ORDER["subject"])


class FactWords(NamedTuple):
    """The words of some records in the order of the text, a row a word.

    Those of record r are ``starts[r]`` to ``starts[r + 1]``. ``forms`` and ``lemmas`` are numbers of
    ``terms``, ``fields`` and ``tags`` those of the six fields and of :data:`TAGS`; ``kinds`` has a bit for
    each kind of mention that a word lies in, ``marks`` 1 in boilerplate and 2 in context; ``files`` is the
    lexicographer file of the first sense in WordNet, from 1, or 0. ``joined`` says whether the word before
    stands in the same value, ``titles`` whether it stands in title or subject. ``rows`` are those of the
    block's words.
    """

    terms: tuple[str, ...]
    starts: Longs
    forms: Longs
    lemmas: Longs
    fields: Longs
    tags: Longs
    kinds: Longs
    marks: Longs
    files: Longs
    joined: Bools
    titles: Bools
    rows: Longs

    def of(self, record: int) -> slice:
        """Where the words of a record stand."""
        return slice(int(self.starts[record]), int(self.starts[record + 1]))


class FactWordsReader:
    """Reads the words of records, with a WordNet for what they are."""

    def __init__(self, wordnet: WordNet) -> None:
        self._wordnet = wordnet
        self._numbers = {name: number for number, name in enumerate(LEXICOGRAPHER_FILES, 1)}
        # words are whatever texts hold
        self._file = text_cache(1 << 16)(self._file_of)

    def words(self, block: Block) -> FactWords:
        """The words of the six fields of the items of a block, at most :data:`MOST` of each."""
        words, lexicon = block.words, block.lexicon.terms
        fields = np.array([ORDER[value.part] for value in block.values], np.int64)[words.values]
        # the order of the text, not that of the index: a value of an own index says nothing here
        order = np.argsort(block.places[words.values], kind="stable")
        order = order[fields[order] < len(EVERYWHERE)]
        items = block.items[words.values[order]]
        first = np.searchsorted(items, np.arange(len(block) + 1))
        rows = order[np.arange(len(order)) - first[items] < MOST]
        items, values = block.items[words.values[rows]], words.values[rows]
        used, places = np.unique(np.concatenate([words.forms[rows], words.lemmas[rows]]), return_inverse=True)
        joined = np.zeros(len(rows), np.bool_)
        joined[1:] = values[1:] == values[:-1]
        return FactWords(
            terms=tuple(lexicon[number] for number in used.tolist()),
            starts=np.searchsorted(items, np.arange(len(block) + 1)),
            forms=places[: len(rows)],
            lemmas=places[len(rows) :],
            fields=fields[rows],
            tags=_tags(lexicon, words.tags[rows]),
            kinds=words.kinds[rows].astype(np.int64),
            marks=words.boilerplate[rows] + 2 * words.context[rows].astype(np.int64),
            files=self._files(lexicon, words.lemmas[rows], words.tags[rows]),
            joined=joined,
            titles=np.isin(fields[rows], _IN_TITLE),
            rows=rows,
        )

    def _files(self, lexicon: list[str], lemmas: Longs, tags: Longs) -> Longs:
        pairs, which = np.unique(lemmas << 32 | tags, return_inverse=True)
        both = zip((pairs >> 32).tolist(), (pairs & 0xFFFFFFFF).tolist(), strict=True)
        files = [self._file(lexicon[lemma], lexicon[tag]) for lemma, tag in both]
        return np.array(files, np.int64)[which]

    def _file_of(self, lemma: str, tag: str) -> int:
        pos = _OF_TAG.get(tag)
        senses = self._wordnet.senses(lemma, pos) if pos else ()
        return self._numbers[self._wordnet.lexicographer(senses[0])] if senses else 0


def _tags(lexicon: list[str], tags: Longs) -> Longs:
    distinct, which = np.unique(tags, return_inverse=True)
    named = [lexicon[number] for number in distinct.tolist()]
    numbers = [TAGS.index(tag if tag in TAGS else "X") for tag in named]
    return np.array(numbers, np.int64)[which]


@cache
def fact_words_reader(wordnet: WordNet) -> FactWordsReader:
    """The reader with a WordNet, made once."""
    return FactWordsReader(wordnet)
