"""Words of German, French and Italian with their English, learnt from the wording of Iconclass.

Iconclass (Rijksmuseum RKD, CC0) words some 42,000 concepts in each of these languages. IBM Model 1 (Brown et
al. 1993, *The Mathematics of Statistical Machine Translation*, Computational Linguistics 19) aligns the words
of the two wordings of a concept, from either side. A pair of words counts where both sides agree.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from importlib import resources
from itertools import product
from typing import Final, NamedTuple
from zipfile import ZipFile

import numpy as np

from features.arrays import Doubles
from features.text.language_codes import Code, stop_words

LANGUAGES: Final = ("de", "fr", "it")

_WORD: Final = re.compile(r"[^\W\d_]+")
_IN_BRACKETS: Final = re.compile(r"\s*\([^)]*\)")
_LONGEST: Final = 25
"""Words of a wording that are read."""
_ROUNDS: Final = 6
_AGREED: Final = 0.5
"""The geometric mean of the probabilities from both sides at least."""
_OFTEN: Final = 2
"""Concepts at least that have the word."""
_LETTERS: Final = 3
_NOTHING: Final = ""
"""The word that stands for none, and that words without a partner are aligned with."""


class Wordings(NamedTuple):
    """The words of the same concepts in two languages."""

    foreign: list[list[str]]
    english: list[list[str]]


def learnt(language: Code, left_out: frozenset[str] = frozenset()) -> dict[str, str]:
    """The English word for each word, both as they are written most often; names have a capital.

    ``left_out`` are notations of concepts that nothing is learnt from.
    """
    wordings, spelt = _wordings(language, left_out)
    ahead = aligned(wordings.foreign, wordings.english)
    back = aligned(wordings.english, wordings.foreign)
    small = {*stop_words(language), *stop_words("en")}
    best: dict[str, tuple[float, str]] = {}
    for (word, english), probability in ahead.items():
        agreed = (probability * back.get((english, word), 0.0)) ** 0.5
        if agreed >= _AGREED and small.isdisjoint((word, english)):
            best[word] = max(best.get(word, (0.0, "")), (agreed, english))
    often = Counter(word for words in wordings.foreign for word in words)
    return {
        word: spelt[english]
        for word, (_, english) in best.items()
        if often[word] >= _OFTEN and min(len(word), len(english)) >= _LETTERS
    }


def aligned(source: Sequence[Sequence[str]], target: Sequence[Sequence[str]]) -> dict[tuple[str, str], float]:
    """The probability of each word of the target, given one of the source that stands beside it anywhere.

    >>> probability = aligned([["das", "haus"], ["das", "buch"]], [["the", "house"], ["the", "book"]])
    >>> round(probability["haus", "house"], 2), round(probability["haus", "the"], 2)
    (0.89, 0.11)
    """
    pairs = [
        (line, one, other)
        for line, (words, others) in enumerate(zip(source, target, strict=True))
        for one, other in product((*words, _NOTHING), others)
    ]
    lines = np.unique([f"{line} {other}" for line, _, other in pairs], return_inverse=True)[1]
    known = dict.fromkeys((one, other) for _, one, other in pairs)
    number = {pair: at for at, pair in enumerate(known)}
    which = np.array([number[one, other] for _, one, other in pairs])
    words = np.unique([one for one, _ in known], return_inverse=True)[1]
    probability = _maximised(which, lines, words)
    return dict(zip(known, probability.tolist(), strict=True))


def _maximised(which: np.ndarray, lines: np.ndarray, words: np.ndarray) -> Doubles:
    """The probabilities of pairs of words after some rounds of expectation and maximisation."""
    probability = np.ones(len(words))
    for _ in range(_ROUNDS):
        share = probability[which]
        share /= np.bincount(lines, share)[lines]
        counts = np.bincount(which, share, len(words))
        probability = counts / np.bincount(words, counts)[words]
    return probability


def concepts(language: Code) -> dict[str, str]:
    """The wording of each notation in a language, without what stands in brackets."""
    with ZipFile(str(resources.files("iconclass") / "data.zip")) as packed:
        text = packed.read(f"txt_{language}.txt").decode("utf-8")
    lines = (line.partition("|") for line in text.splitlines())
    return {notation: _IN_BRACKETS.sub("", wording).strip() for notation, _, wording in lines}


def _wordings(language: Code, left_out: frozenset[str]) -> tuple[Wordings, Mapping[str, str]]:
    """The words of every concept in small letters, and how each English word is written most often."""
    foreign, english = concepts(language), concepts("en")
    shared = [
        key for key in foreign if key in english and key not in left_out and foreign[key] != english[key]
    ]
    spellings = Counter(word for key in shared for word in _WORD.findall(english[key]))
    spelt = {word.lower(): word for word, _ in reversed(spellings.most_common())}
    return Wordings([_words(foreign[key]) for key in shared], [_words(english[key]) for key in shared]), spelt


def _words(text: str) -> list[str]:
    return list(dict.fromkeys(word.lower() for word in _WORD.findall(text)))[:_LONGEST]
