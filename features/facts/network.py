"""The network of the model of facts: the words of a record to the logit of every category.

A word is the sum of what is learnt of its meaning (the vectors that the compact sentence encoder has of form
and lemma, projected), of the word itself where it is known, and of what it is. Two layers of a convolution
see its neighbours in the same value, two on either side. Of each channel the largest and the mean of all
words and the largest of title and subject go to the logits. Each record is worked out by itself, in one
order, so that it gets the same numbers in whatever company.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from features.arrays import Bools, Doubles, Halves, Longs, Singles
from features.compiled import compiled
from features.facts.words import SIGNS, FactWords
from features.text.piece_sums import open_model
from features.text.sentence_vectors import WIDTH

_POOLS = 3
_NEIGHBOURS = 3


class FactsWeights(NamedTuple):
    """The numbers of a network of c channels and k categories, float16.

    ``meaning`` [384, c] projects the vectors of form and lemma; ``words`` [known words, c]; ``fields``,
    ``tags``, ``kinds``, ``marks`` and ``files`` [values, c]; ``base`` [1, c]. ``first`` and ``second``
    [3 c, c] are the layers over the word before, the word and the word behind, each with its base;
    ``answers`` [3 c, k] weighs the largest, the mean and the largest of title and subject, ``intercepts``
    [1, k].
    """

    meaning: Halves
    words: Halves
    fields: Halves
    tags: Halves
    kinds: Halves
    marks: Halves
    files: Halves
    base: Halves
    first: Halves
    first_base: Halves
    second: Halves
    second_base: Halves
    answers: Halves
    intercepts: Halves

    @classmethod
    def shapes(cls, known: int, categories: int, channels: int) -> "dict[str, tuple[int, int]]":
        """The shape of each array.

        >>> FactsWeights.shapes(10, 44, 64)["answers"]
        (192, 44)
        """
        wide = _NEIGHBOURS * channels
        rows = {"meaning": WIDTH, "words": known, **SIGNS, "base": 1}
        layers = {"first": wide, "first_base": 1, "second": wide, "second_base": 1}
        return {name: (size, channels) for name, size in {**rows, **layers}.items()} | {
            "answers": (_POOLS * channels, categories),
            "intercepts": (1, categories),
        }


class FactTerms(NamedTuple):
    """What a model knows of the terms of some records, the same for all its networks.

    ``vectors`` float32[terms, 384] are those of the compact sentence encoder; ``rows`` are the rows among the
    words that are known by themselves, -1 for none.
    """

    vectors: Singles
    rows: Longs

    @classmethod
    def of(cls, terms: Sequence[str], vocabulary: Mapping[str, int]) -> "FactTerms":
        """Of these terms; ``vocabulary`` has the row of each known word."""
        return cls(
            open_model().encode(terms), np.array([vocabulary.get(term, -1) for term in terms], np.int64)
        )


class FactsNetwork:
    """The numbers at work."""

    def __init__(self, weights: FactsWeights) -> None:
        # row by row, however they are stored: the loops go along the channels
        self._weights = {name: each.astype(np.float32, order="C") for name, each in weights._asdict().items()}

    def logits(self, words: FactWords, terms: FactTerms) -> Doubles:
        """The logits float64[records, categories]."""
        weights = self._weights
        pools = _pooled(self.states(words, terms), words.starts, words.titles)
        return products(pools, weights["answers"], weights["intercepts"][0]).astype(np.float64)

    def contributions(self, states: Singles, titles: Bools, category: int) -> Doubles:
        """What each word of one record adds to a logit: its share of the mean, and where it is the largest.

        ``states`` are those of its words, and ``titles`` says which stand in title or subject. They add up to
        the logit less its intercept.
        """
        largest, mean, of_titles = np.split(self._weights["answers"][:, category].astype(np.float64), _POOLS)
        added: Doubles = states @ mean / max(1, len(states))
        for rows, slopes in ((np.arange(len(states)), largest), (np.flatnonzero(titles), of_titles)):
            if len(rows):
                at, channels = rows[states[rows].argmax(axis=0)], np.arange(states.shape[1])
                np.add.at(added, at, slopes * np.maximum(states[at, channels], 0))
        return added

    def states(self, words: FactWords, terms: FactTerms) -> Singles:
        """What the network makes of each word, float32[words, channels]."""
        weights = self._weights
        meaning = products(terms.vectors, weights["meaning"], weights["base"][0])
        states = (meaning[words.forms] + meaning[words.lemmas]) * np.float32(0.5)
        add_signs(states, words, weights)
        rows = terms.rows[words.lemmas]
        states[rows >= 0] += weights["words"][rows[rows >= 0]]
        states = np.maximum(states, np.float32(0))
        for layer in ("first", "second"):
            states = convolved(states, words.joined, weights[layer], weights[f"{layer}_base"][0])
        return states


def add_signs(states: Singles, words: FactWords, weights: Mapping[str, Singles]) -> None:
    """Add to the state of each word what is learnt of its field, part of speech and other :data:`SIGNS`."""
    for name in SIGNS:
        states += weights[name][getattr(words, name)]


@compiled
def products(rows: Singles, slopes: Singles, base: Singles) -> Singles:
    """Each row times the slopes, and the base: added up in the order of the row."""
    values = np.empty((len(rows), slopes.shape[1]), np.float32)
    for n in range(len(rows)):
        values[n] = base
        for k in range(rows.shape[1]):
            number = rows[n, k]
            if number != 0:
                for c in range(slopes.shape[1]):
                    values[n, c] += number * slopes[k, c]
    return values


@compiled
def convolved(states: Singles, joined: Bools, slopes: Singles, base: Singles) -> Singles:
    """A convolution over three words with what was there before; outside of a value there is nothing."""
    channels = states.shape[1]
    values = np.empty_like(states)
    for n in range(len(states)):
        total = base.copy()
        for beside in range(3):
            at = n + beside - 1
            if at < 0 or at >= len(states) or (beside == 0 and not joined[n]):
                continue
            if beside == 2 and not joined[at]:
                continue
            for k in range(channels):
                number = states[at, k]
                if number != 0:
                    for c in range(channels):
                        total[c] += number * slopes[beside * channels + k, c]
        for c in range(channels):
            values[n, c] = states[n, c] + max(total[c], np.float32(0))
    return values


@compiled
def _pooled(states: Singles, starts: Longs, titles: Bools) -> Singles:
    channels = states.shape[1]
    pools = np.zeros((len(starts) - 1, 3 * channels), np.float32)
    for record in range(len(starts) - 1):
        first, beyond = starts[record], starts[record + 1]
        for n in range(first, beyond):
            for c in range(channels):
                number = states[n, c]
                pools[record, c] = max(pools[record, c], number)
                pools[record, channels + c] += number / np.float32(beyond - first)
                if titles[n]:
                    pools[record, 2 * channels + c] = max(pools[record, 2 * channels + c], number)
    return pools
