"""The terms of a collection as arrays, looked up where they lie; the number of a term is its place.

They stand in the order of their UTF-8, which is that of their code points. Beside them lie their first eight
bytes as numbers, by which many are looked up at once; terms that begin alike are told apart by halving.
"""

from bisect import bisect_left
from collections.abc import Sequence

import numpy as np

from features.arrays import Arrays, Hashes, Ints, NewArrays
from features.profiles.blocks import Lexicon

_KEY = 8


def written(terms: Sequence[str]) -> NewArrays:
    """Terms in the order of their code points as arrays: their UTF-8 end to end, where each ends, its key."""
    blob = [term.encode() for term in terms]
    return {
        "vocabulary": np.frombuffer(b"".join(blob), np.uint8),
        "vocabulary_ends": np.cumsum([len(term) for term in blob], dtype=np.int64),
        "vocabulary_keys": _keys(blob),
    }


class Vocabulary:
    """Reads what :func:`written` wrote.

    >>> words = Vocabulary(written(["Meer", "sea", "été"]))
    >>> words.numbers(["été", "ship", "sea"]).tolist(), words[2], len(words)
    ([2, -1, 1], 'été', 3)
    """

    def __init__(self, arrays: Arrays) -> None:
        # asarray neither copies nor reads: memory-mapped arrays stay on disk
        self._text = np.asarray(arrays["vocabulary"], np.uint8)
        self._ends = np.asarray(arrays["vocabulary_ends"], np.int64)
        self._keys = np.asarray(arrays["vocabulary_keys"], np.uint64)

    def __len__(self) -> int:
        return len(self._ends)

    def __getitem__(self, number: int) -> str:
        return self._bytes(number).decode()

    def numbers(self, terms: Sequence[str]) -> Ints:
        """The number of each term, int32[terms], -1 for one that is not there."""
        blob = [term.encode() for term in terms]
        keys = _keys(blob)
        low = self._keys.searchsorted(keys, "left").tolist()
        high = self._keys.searchsorted(keys, "right").tolist()
        return np.array(list(map(self._find, blob, low, high)), np.int32)

    def numbers_of(self, terms: Sequence[str], lexicon: Lexicon) -> list[int]:
        """The numbers of terms; one that is not there is numbered beyond, as a block's lexicon has it."""
        return [
            number if number >= 0 else len(self) + lexicon.number(term)
            for term, number in zip(terms, self.numbers(terms).tolist(), strict=True)
        ]

    def _find(self, term: bytes, low: int, high: int) -> int:
        """The number of a term among those from ``low`` to ``high``, which begin like it."""
        place = bisect_left(range(high), term, low, key=self._bytes)
        return place if place < high and self._bytes(place) == term else -1

    def _bytes(self, number: int) -> bytes:
        start = int(self._ends[number - 1]) if number else 0
        return self._text[start : int(self._ends[number])].tobytes()


def _keys(blob: Sequence[bytes]) -> Hashes:
    """The first bytes of terms as numbers in the order of the terms, short ones filled up with zeros."""
    starts = b"".join(term[:_KEY].ljust(_KEY, b"\0") for term in blob)
    return np.frombuffer(starts, ">u8").astype(np.uint64)
