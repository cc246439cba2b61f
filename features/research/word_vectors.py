"""Word vectors: skip-gram over museum records and a Wikipedia selection, of the compact English models.

``features/text/english/MODEL_CARD.md`` says of which texts. They come with the project.
"""

import hashlib
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from features.arrays import Array, Bytes, Doubles, Ints, Singles
from features.text.language import ENGLISH, read_manifest
from features.text.model_files import VECTORS
from ingest.errors import DamagedArtefact, LanguageModelError

_RESERVED = 4
"""The first rows stand for padding and unknown words, and mean nothing."""


@dataclass(frozen=True, slots=True, eq=False)
class WordVectors:
    """Vectors float32[words, dimensions] with the row of every word, and the sha256 of their file.

    >>> toy = WordVectors({"sea": 0, "ship": 1}, np.array([[3, 4], [1, 0]], np.float32), b"")
    >>> toy.rows(["ship", "unheard-of"]).tolist()
    [1, -1]
    >>> toy.units(toy.rows(["sea", "unheard-of"])).round(1).tolist()
    [[0.6000000238418579, 0.800000011920929], [0.0, 0.0]]
    """

    row: Mapping[str, int]
    vectors: Singles
    digest: bytes

    def rows(self, terms: Sequence[str]) -> Ints:
        """The row of each term, -1 for an unknown one."""
        return np.array([self.row.get(term, -1) for term in terms], dtype=np.int32)

    def of(self, rows: Ints) -> Singles:
        """The vectors of rows as :meth:`rows` gives them; an unknown word has the vector 0."""
        vectors = self.vectors[rows]
        vectors[rows < 0] = 0.0
        return vectors

    def units(self, rows: Ints) -> Singles:
        """The same, each of length 1 or 0."""
        vectors = self.of(rows)
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        units: Singles = np.divide(vectors, lengths, out=np.zeros_like(vectors), where=lengths > 0)
        return units

    def mark(self) -> Bytes:
        """What a column stores, to notice later that the vectors are no longer the same."""
        return np.frombuffer(self.digest, np.uint8)

    def check(self, mark: Array) -> None:
        """Raise ``DamagedArtefact`` where a column was made with other vectors."""
        if np.asarray(mark).tobytes() != self.digest:
            raise DamagedArtefact("the collection was built with other word vectors; run: kindred build")


class VectorSimilarity:
    """The cosine of word vectors, 0 where it is negative or a word has none."""

    def __init__(self, words: WordVectors) -> None:
        self._words = words

    def of(self, words: Sequence[str], others: Sequence[str]) -> Doubles:
        """The similarities of all words with all others, float64[words, others].

        >>> toy = WordVectors({"sea": 0, "ship": 1}, np.array([[3, 4], [1, 0]], np.float32), b"")
        >>> VectorSimilarity(toy).of(["sea", "unheard"], ["ship", "unheard"]).round(2).tolist()
        [[0.6, 0.0], [0.0, 1.0]]
        """
        rows = (self._words.rows(some) for some in (words, others))
        left, right = (self._words.units(own).astype(np.float64) for own in rows)
        same = np.array([[word == other for other in others] for word in words], np.bool_)
        cosines = np.clip(left @ right.T, 0.0, 1.0)
        values: Doubles = np.where(same.reshape(cosines.shape), 1.0, cosines)
        return values


@cache
def word_vectors(directory: Path = ENGLISH) -> WordVectors:
    """The vectors that come with Kindred, read once a process; raises ``LanguageModelError``."""
    import torch

    path, wanted = directory / VECTORS, read_manifest(directory).files.get(VECTORS)
    try:
        data = path.read_bytes()
    except OSError as error:
        raise LanguageModelError(f"{path} cannot be read ({error}); reinstall Kindred") from error
    digest = hashlib.sha256(data)
    if wanted is None or digest.hexdigest() != wanted.sha256:
        raise LanguageModelError(f"{path} does not fit its checksum; reinstall Kindred")
    read = torch.load(io.BytesIO(data), map_location="cpu", weights_only=True)
    words: list[str] = read["vocab"]["_id2unit"][_RESERVED:]
    vectors: Singles = read["emb"][_RESERVED:].float().numpy()
    return WordVectors({word: n for n, word in enumerate(words)}, vectors, digest.digest())
