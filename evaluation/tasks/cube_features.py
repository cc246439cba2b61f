"""The thirty features that the thesis' regression reads beside the layers of the Cube (4.3.4).

Eight of ROUGE, six of numbers, three of names, three of lengths, and ten of aligned segments. The thesis
aligns chunks and tells their relation by a system of its own (interpretable similarity). Here a segment is an
aligned content word: EQUI where both are the same or of one synset, SPE where one is above the other in
WordNet, OPPO where they are antonyms, SIM where their boosted vectors are at least .6 alike, and REL where
they are less so. Its score is five times the likeness.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np

from evaluation.tasks.texts import TextWord, WordPairs
from features.arrays import Doubles
from features.knowledge.wordnet.reader import WordNet
from features.research.antonyms import Antonyms
from features.research.boosted_vectors import BoostedVectors
from features.research.measures.alignment import AlignedWords, TaggedWord, align
from features.research.measures.rouge import RougeKind, rouge
from features.research.numbers import number_of
from features.research.word_vectors import VectorSimilarity, word_vectors

ROUGE: Final[tuple[RougeKind, ...]] = ("1", "2", "3", "4", "l", "w", "s", "su")
_ALIKE: Final = 0.6
"""From here on two aligned words that WordNet does not relate are similar, below it they are related."""
_NEAR: Final = frozenset({"EQUI", "SPE", "SIM"})
"""The relations whose scores are counted."""

NAMES: Final = (
    *(f"ROUGE-{kind.upper()}" for kind in ROUGE),
    *(
        "numbers left",
        "numbers right",
        "numbers apart",
        "numbers same or none",
        "numbers same",
        "numbers within",
    ),
    *("names left", "names right", "names apart", "length left", "length right", "lengths apart"),
    *("segments", "EQUI", "SPE", "SIM", "REL", "OPPO", "score 4", "score 3", "score 2", "score"),
)
"""The features in their order."""


def thirty_features(pairs: WordPairs, wordnet: WordNet) -> Doubles:
    """The features of every pair, float64[pairs, 30]."""
    segments = _Segments(wordnet)
    rows = [
        [*_rouge(left, right), *_numbers(left, right), *_counts(left, right), *segments.of(left, right)]
        for left, right in zip(pairs.left, pairs.right, strict=True)
    ]
    return np.array(rows, np.float64).reshape(len(rows), len(NAMES))


def _rouge(left: Sequence[TextWord], right: Sequence[TextWord]) -> list[float]:
    one, other = ([word.form.lower() for word in words if word.tag != "PUNCT"] for words in (left, right))
    return [rouge(kind, one, other) for kind in ROUGE]


def _numbers(left: Sequence[TextWord], right: Sequence[TextWord]) -> list[float]:
    """How many numbers either side has, and how these agree.

    >>> word = lambda form: TextWord(form, form, "NUM", "")
    >>> _numbers([word("two"), word("1,000")], [word("2")])  # 2 and 1; 2 is within
    [2.0, 1.0, 1.0, 0.0, 0.0, 1.0]
    """
    one, other = ({number_of(word.form) for word in words} - {None} for words in (left, right))
    both = bool(one) and bool(other)
    return [
        float(len(one)),
        float(len(other)),
        float(abs(len(one) - len(other))),
        float(one == other),
        float(both and one == other),
        float(both and (one <= other or other <= one)),
    ]


def _counts(left: Sequence[TextWord], right: Sequence[TextWord]) -> list[float]:
    """Names and words of either side, and how far these numbers are apart."""
    answer: list[float] = []
    for count in (_named, len):
        one, other = count(left), count(right)
        answer += [float(one), float(other), float(abs(one - other))]
    return answer


def _named(words: Sequence[TextWord]) -> int:
    """How many words are part of a name."""
    return sum(word.name not in ("", "date") for word in words)


class _Segments:
    """What is counted of aligned words."""

    def __init__(self, wordnet: WordNet) -> None:
        self._words = BoostedVectors(VectorSimilarity(word_vectors()), wordnet)
        self._antonyms = Antonyms(wordnet)

    def of(self, left: Sequence[TextWord], right: Sequence[TextWord]) -> list[float]:
        """The ten features of a pair."""
        one, other = ([TaggedWord(word.lemma.lower(), word.tag) for word in words] for words in (left, right))
        pairs = [pair for pair in align(one, other, self._words) if one[pair.left].is_content]
        kinds = [self._kind(one[pair.left].term, other[pair.right].term, pair) for pair in pairs]
        scores = [5 * pair.alike for pair, kind in zip(pairs, kinds, strict=True) if kind in _NEAR]
        return [
            float(len(pairs)),
            *(float(kinds.count(kind)) for kind in ("EQUI", "SPE", "SIM", "REL", "OPPO")),
            *(float(sum(score >= least for score in scores)) for least in (4, 3, 2)),
            5 * float(np.mean([pair.alike for pair in pairs])) if pairs else 0.0,
        ]

    def _kind(self, one: str, other: str, pair: AlignedWords) -> str:
        if self._antonyms.has(one, other):
            return "OPPO"
        distance = 0 if one == other else self._words.distance(one, other)
        if distance == 0:
            return "EQUI"
        if distance == 1:
            return "SPE"
        return "SIM" if pair.alike >= _ALIKE else "REL"
