"""Where pairs come from, told by what they are: which of them weights have learnt, and whose their gold is.

A copy of pairs in another folder, a part of them, or the same in another order are the same pairs. Each is
known by a digest of its two ids, and with its gold by another; ``known_pairs.npz`` has those of the sets that
the weights of the project were trained on, all of them model-annotated (``python -m scripts.known_pairs``).
"""

import hashlib
import re
from base64 import b64decode, b64encode
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from features.arrays import Bools, Doubles
from models.artefact import WeightsManifest

KNOWN = Path(__file__).with_name("known_pairs.npz")
"""For every set that is known, ``NAME-DIGEST``: uint32[pairs, 2], of a pair and of a pair with its gold."""

Digests = npt.NDArray[np.uint32]


def pair_digests(ids: Sequence[tuple[str, str]], gold: Doubles | None = None) -> Digests:
    """A number for every pair, whichever of its records comes first, and another where its gold counts.

    >>> one, other = pair_digests([("a", "b"), ("b", "a")]), pair_digests([("a", "c"), ("a", "b")])
    >>> bool(one[0] == one[1] == other[1]), bool(one[0] == other[0])
    (True, False)
    """
    rows = [""] * len(ids) if gold is None else ["\t".join(f"{score:.4f}" for score in row) for row in gold]
    texts = ("\n".join((*sorted(pair), row)) for pair, row in zip(ids, rows, strict=True))
    return np.array([int.from_bytes(hashlib.sha256(text.encode()).digest()[:4]) for text in texts], np.uint32)


@cache
def known_sets() -> dict[str, Digests]:
    """The sets that are known, each by the digest of all its pairs with their gold."""
    with np.load(KNOWN, allow_pickle=False) as stored:
        return {name.rpartition("-")[2]: stored[name] for name in stored.files}


def model_annotated(ids: Sequence[tuple[str, str]], gold: Doubles) -> int:
    """How many pairs have, in the official types, the gold of a set that is known to be model-annotated."""
    known = np.concatenate([digests[:, 1] for digests in known_sets().values()])
    return int(np.isin(pair_digests(ids, gold), known).sum())


class LearntPairs(NamedTuple):
    """The pairs that weights were trained on: what is said of them, and the digest of each that is known."""

    trained_on: str
    digests: Digests

    @classmethod
    def of(cls, weights: WeightsManifest) -> "LearntPairs":
        """From what a manifest has of them; of weights without digests those of the sets that are known."""
        known, stored = known_sets(), np.frombuffer(b64decode(weights.learnt), "<u4").astype(np.uint32)
        sets = [known[name][:, 0] for name in trained_digests(weights.trained_on) if name in known]
        return cls(weights.trained_on, np.concatenate([stored, *sets]))

    def among(self, ids: Sequence[tuple[str, str]]) -> Bools:
        """Which pairs were learnt, whatever gold they have now: bool[pairs].

        >>> LearntPairs("", pair_digests([("a", "b")])).among([("b", "a"), ("b", "c")]).tolist()
        [True, False]
        """
        return np.isin(pair_digests(ids), self.digests)


def packed(ids: Sequence[tuple[str, str]]) -> str:
    """The digests of pairs as the manifest of weights has them.

    >>> packed([("a", "b")]) == packed([("b", "a")]), len(packed([("a", "b"), ("a", "c")]))
    (True, 12)
    """
    return b64encode(pair_digests(ids).astype("<u4").tobytes()).decode()


def trained_digests(text: str) -> list[str]:
    """The digests of the sets in what weights say of them, with their gold or, as it once was, without.

    >>> trained_digests("a (b) (6 pairs, e5d5df8fcbb1d0a2, gold: as given) + c (9 pairs, 4923e6901ad0c130)")
    ['e5d5df8fcbb1d0a2', '4923e6901ad0c130']
    """
    return re.findall(r" \([0-9,]+ pairs, ([0-9a-f]{16})[,)]", text)
