"""What a model of facts is told of the records of a block: their vectors, their words, and signs."""

from collections.abc import Iterator
from functools import cache, partial
from typing import Final, NamedTuple

import numpy as np

from features.arrays import Bytes, Longs
from features.facts.model import Signals
from features.knowledge.resources import Resources
from features.measures.scope import Scope
from features.measures.selections import ScopeReader, occurrences
from features.measures.sentences import vectors_of
from features.profiles.blocks import Block
from features.profiles.profile import Occurrence

_MOST: Final = 3
"""A sign that stands in a record more often counts so often."""

_CONTENT: Final = Scope(parts=("title", "subject", "description"), boilerplate="drop", context="drop")
_TITLE: Final = Scope(parts=("title", "subject"))

SIGNS: Final[dict[str, Scope]] = {
    "kinds": _CONTENT.model_copy(update={"expand": "people"}),
    "kinds in title": _TITLE.model_copy(update={"expand": "people"}),
    "actions": _CONTENT.model_copy(update={"expand": "events", "form": "lemma"}),
    "persons": _CONTENT.model_copy(update={"entities": ("person",)}),
    "persons in title": _TITLE.model_copy(update={"entities": ("person",)}),
    "places": _CONTENT.model_copy(update={"entities": ("location",)}),
    "places in title": _TITLE.model_copy(update={"entities": ("location",)}),
    "makers": Scope(parts=("creator",)),
}
"""What is counted: each as often as it stands there, up to 3, and once more whether it does at all."""

TERMS: Final[dict[str, Scope]] = {
    "t": _TITLE.model_copy(update={"form": "lemma"}),
    "d": Scope(parts=("title", "subject", "description"), form="lemma", boilerplate="drop"),
}
"""The words that are read, by what stands before them in a vocabulary: ``t:king`` of a title or subject."""


def sign_names() -> tuple[str, ...]:
    """The columns of ``Signals.signs``."""
    return tuple(f"{name}{of}" for of in ("", ", any") for name in SIGNS)


class TermsOfBlock(NamedTuple):
    """The words of a block's records, each pair of an item and a word once."""

    items: Longs
    words: tuple[str, ...]
    numbers: Longs


class SignalsReader:
    """Reads what a model is told; raises ``ResourceMissing`` where WordNet is not installed."""

    def __init__(self, resources: Resources) -> None:
        self._signs = [ScopeReader(scope, resources) for scope in SIGNS.values()]
        self._terms = {mark: ScopeReader(scope, resources) for mark, scope in TERMS.items()}

    def signals(self, block: Block, vocabulary: dict[str, int]) -> Signals:
        """What is known of the items of a block; of its words those of the vocabulary."""
        terms = self.terms(block)
        rows = np.array([vocabulary.get(word, -1) for word in terms.words], np.int64)[terms.numbers]
        known = rows >= 0
        vectors = (vectors_of(block, "content"), vectors_of(block, "all"))
        return Signals(*vectors, self._counts(block), terms.items[known], rows[known])

    def _counts(self, block: Block) -> Bytes:
        counts = np.zeros((len(block), len(self._signs)), np.uint8)
        for column, reader in enumerate(self._signs):
            selection = reader.selection(block)
            # WordNet makes several terms of one word
            places = np.unique(np.stack([selection.values, selection.starts]), axis=1)[0]
            own = np.bincount(block.items[places], minlength=len(block))
            counts[:, column] = np.minimum(own, _MOST)
        return np.hstack([counts, (counts > 0).astype(np.uint8)])

    def terms(self, block: Block) -> TermsOfBlock:
        """All words of the items of a block."""
        return block.once(SignalsReader, partial(self._read_terms, block))

    def words_of(self, block: Block, item: int) -> Iterator[tuple[str, Occurrence]]:
        """The words of one item as a vocabulary has them, each time that they stand there."""
        for mark, reader in self._terms.items():
            for one in occurrences(block, reader.of_item(block, item)):
                yield f"{mark}:{one.term}", one

    def _read_terms(self, block: Block) -> TermsOfBlock:
        items, numbers, words = [np.empty(0, np.int64)], [np.empty(0, np.int64)], list[str]()
        for mark, reader in self._terms.items():
            selection = reader.selection(block)
            pairs = np.unique(np.stack([block.items[selection.values], selection.terms]), axis=1)
            distinct, which = np.unique(pairs[1], return_inverse=True)
            items.append(pairs[0])
            numbers.append(which + len(words))
            words += [f"{mark}:{block.lexicon.terms[number]}" for number in distinct.tolist()]
        return TermsOfBlock(np.concatenate(items), tuple(words), np.concatenate(numbers))


@cache
def signals_reader(resources: Resources) -> SignalsReader:
    """The reader over some resources, made once."""
    return SignalsReader(resources)
