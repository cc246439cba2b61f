"""How near two numbers are (thesis eq. 4.2), in digits or in words."""

import re
from collections.abc import Sequence
from typing import Final

import numpy as np

from features.arrays import Doubles

_DIGITS: Final = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?")
_SMALL: Final = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
_TENS: Final = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_WORDS: Final = {
    **{word: float(number) for number, word in enumerate(_SMALL)},
    **{word: 10.0 * tens for tens, word in enumerate(_TENS, 2)},
    "dozen": 12.0,
    "hundred": 100.0,
    "thousand": 1000.0,
    "million": 1e6,
}


def number_of(word: str) -> float | None:
    """The number that a word is, commas of thousands left out; None for none.

    >>> number_of("1,000"), number_of("twelve"), number_of("boat")
    (1000.0, 12.0, None)
    """
    if _DIGITS.fullmatch(word):
        return float(word.replace(",", ""))
    return _WORDS.get(word.lower())


class NumberSimilarity:
    """Words compared as numbers: ``1 - |a - b| / max(a, b)``; what is no number is like itself alone."""

    def of(self, words: Sequence[str], others: Sequence[str]) -> Doubles:
        """The similarities of all words with all others, float64[words, others].

        >>> NumberSimilarity().of(["10", "zero"], ["eight", "0", "boat"]).tolist()
        [[0.8, 0.0, 0.0], [0.0, 1.0, 0.0]]
        """
        same = np.array([[word == other for other in others] for word in words], np.bool_)
        left, right = (np.array([_value(word) for word in some])[:, None] for some in (words, others))
        most = np.maximum(left, right.T)
        apart = np.abs(left - right.T)
        near = np.where(
            np.isnan(most), 0, 1 - np.divide(apart, most, out=np.zeros_like(apart), where=most > 0)
        )
        values: Doubles = np.where(same.reshape(len(words), len(others)), 1.0, near)
        return values


def _value(word: str) -> float:
    number = number_of(word)
    return np.nan if number is None else number
