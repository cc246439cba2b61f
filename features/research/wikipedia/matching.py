"""Finds all surfaces in a run of units at once."""

from typing import NamedTuple

import numpy as np

from features.arrays import Hashes, Longs, NewArrays
from features.research.wikipedia.phrases import phrase_keys


class Matches(NamedTuple):
    """Surfaces in a text, shorter ones first: the unit each begins at, its units, its row among surfaces."""

    starts: Longs
    lengths: Longs
    rows: Longs


class Matcher:
    """Looks the phrases of a text up among the surfaces; only phrases whose first unit opens one."""

    def __init__(self, arrays: NewArrays) -> None:
        self._surfaces = np.asarray(arrays["surfaces"], np.uint64)
        self._openers = np.asarray(arrays["openers"], np.uint64)
        self._longest = np.asarray(arrays["openers-longest"], np.uint8)

    def matches(self, numbers: Hashes, texts: Longs) -> Matches:
        """Every surface that stands in some texts, given the numbers of their units end to end.

        ``texts`` says of every unit which text it is of.
        """
        at = places(self._openers, numbers)
        longest = np.where(at >= 0, self._longest[at], 0) if len(self._longest) else np.zeros(len(at))
        found = [Matches(*(np.empty(0, np.int64) for _ in range(3)))]
        for length, keys in enumerate(phrase_keys(numbers), 1):
            starts = np.flatnonzero(
                (longest[: len(keys)] >= length) & (texts[: len(keys)] == texts[length - 1 :])
            )
            rows = places(self._surfaces, keys[starts])
            hit = rows >= 0
            found.append(Matches(starts[hit], np.full(int(hit.sum()), length), rows[hit]))
        return Matches(*(np.concatenate(each) for each in zip(*found, strict=True)))


def places(keys: Hashes, wanted: Hashes) -> Longs:
    """Where each wanted key stands among ascending keys, -1 where it does not."""
    if not len(keys):
        return np.full(len(wanted), -1, np.int64)
    at = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
    return np.where(keys[at] == wanted, at, -1)
