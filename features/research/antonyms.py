"""Words of opposite meaning, as WordNet 3.0 relates them."""

from functools import lru_cache

from features.knowledge.wordnet.reader import OPEN_TAGS, WordNet


class Antonyms:
    """Which words are antonyms of which."""

    def __init__(self, wordnet: WordNet) -> None:
        self._wordnet = wordnet
        self._of = lru_cache(1 << 16)(self._antonyms)

    def has(self, one: str, other: str) -> bool:
        """Whether a sense of one word has the other as its antonym; the relation holds both ways."""
        return bool(self._lemmas(other) & self._of(one))

    def _lemmas(self, word: str) -> frozenset[str]:
        return frozenset(lemma for tag in OPEN_TAGS for lemma, _ in self._wordnet.lemmas(word, tag))

    def _antonyms(self, word: str) -> frozenset[str]:
        wordnet = self._wordnet
        nodes = {
            node
            for tag in OPEN_TAGS
            for lemma, pos in wordnet.lemmas(word, tag)
            for node in wordnet.senses(lemma, pos)
        }
        own = self._lemmas(word)
        return frozenset(
            link.target_word.lower()
            for node in nodes
            for link in wordnet.antonyms(node)
            if link.word.lower() in own
        )
