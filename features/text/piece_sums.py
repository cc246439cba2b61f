"""The compact sentence encoder: the vector of a text is the sum of the vectors of its word pieces.

Each word piece of BERT has a vector of 384 numbers, its weight in it; their sum, scaled to length 1, is the
text's. The vectors were learnt so that such sums come near to what MiniLM says of whole texts: ``python -m
training encoder``, and compact/MODEL_CARD.md. The model comes with Kindred, and needs no extra.
"""

import hashlib
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
from pydantic import BaseModel, ConfigDict

from features.arrays import Int8s, Longs, Singles
from features.compiled import compiled
from features.text import model_files
from features.text.model_files import ModelManifest, read_manifest
from features.text.sentence_vectors import WIDTH, check_answers, scaled
from ingest.errors import DamagedArtefact

if TYPE_CHECKING:
    from tokenizers import Tokenizer

SHIPPED: Final = Path(__file__).parent / "compact"
"""The model that comes with Kindred."""

UNKNOWN: Final = "[UNK]"
MOST_PIECES: Final = 126
"""Pieces of a text that are read: MiniLM's 128 without the two marks that it puts around a text."""

_VOCABULARY: Final = "vocabulary.txt"
_NUMBERS: Final = "pieces.npz"
_TOLERANCE: Final = 1e-4
_BATCH: Final = 4096
_REMEDY: Final = (
    "reinstall Kindred, or, in a checkout, train it again: python -m training encoder --shared DIR --out DIR"
)


class KnownAnswer(BaseModel):
    """Two texts, and the cosine of their vectors when the model was made."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    left: str
    right: str
    cosine: float


class PieceSumsManifest(ModelManifest):
    """The digests of a model's files, what it must answer, and how well it learnt.

    ``texts`` is how many texts it learnt from; ``figures`` are of texts that were kept out: the mean cosine
    to MiniLM's vectors, and the correlation of the cosines of pairs of texts with MiniLM's.
    """

    vocabulary_sha256: str
    numbers_sha256: str
    answers: tuple[KnownAnswer, ...]
    texts: int
    figures: dict[str, float]


class PieceSums:
    """A loaded model. A text has the same vector in whatever company."""

    def __init__(self, tokenizer: "Tokenizer", numbers: Int8s, scales: Singles) -> None:
        """Take the vectors of the pieces in 8 bits, int8[pieces, 384], and the scale of each."""
        self._tokenizer, self._numbers, self._scales = tokenizer, numbers, scales

    def encode(self, texts: Sequence[str]) -> Singles:
        """Unit vectors float32[texts, 384]; a text without a piece that says anything has a vector of 0."""
        vectors = np.empty((len(texts), WIDTH), np.float32)
        for start in range(0, len(texts), _BATCH):
            encoded = self._tokenizer.encode_batch_fast(list(texts[start : start + _BATCH]))
            pieces = [text.ids[:MOST_PIECES] for text in encoded]
            ends = np.cumsum([len(ids) for ids in pieces])
            flat = np.fromiter((piece for ids in pieces for piece in ids), np.int64, ends[-1])
            vectors[start : start + _BATCH] = _sums(self._numbers, self._scales, flat, ends)
        return vectors


@compiled
def _sums(numbers: Int8s, scales: Singles, pieces: Longs, ends: Longs) -> Singles:
    width = numbers.shape[1]
    sums = np.zeros((len(ends), width), np.float32)
    start = 0
    for text in range(len(ends)):
        for place in range(start, ends[text]):
            piece = pieces[place]
            scale = scales[piece]
            for k in range(width):
                sums[text, k] += scale * numbers[piece, k]
        start = ends[text]
        square = 0.0
        for k in range(width):
            square += np.float64(sums[text, k]) * sums[text, k]
        if square > 0:
            length = np.float32(np.sqrt(square))
            for k in range(width):
                sums[text, k] /= length
    return sums


def tokenizer_of(vocabulary: Sequence[str]) -> "Tokenizer":
    """What cuts texts into pieces: small letters, no accents, the longest pieces first (as BERT, uncased)."""
    from tokenizers import Tokenizer
    from tokenizers.models import WordPiece
    from tokenizers.normalizers import BertNormalizer
    from tokenizers.pre_tokenizers import BertPreTokenizer

    places = {piece: place for place, piece in enumerate(vocabulary)}
    tokenizer = Tokenizer(WordPiece(places, unk_token=UNKNOWN, max_input_chars_per_word=100))
    tokenizer.normalizer = BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = BertPreTokenizer()
    return tokenizer


@cache
def fingerprint(directory: Path = SHIPPED) -> str:
    """What a vector depends on besides the text; reads the manifest alone."""
    manifest = read_manifest(directory, PieceSumsManifest, _REMEDY)
    digests = (manifest.vocabulary_sha256, manifest.numbers_sha256)
    return hashlib.sha256(repr(digests).encode()).hexdigest()


@cache
def open_model(directory: Path = SHIPPED) -> PieceSums:
    """Open a model, and check that it answers as it did when it was made; raises ``DamagedArtefact``."""
    manifest = read_manifest(directory, PieceSumsManifest, _REMEDY)
    words = model_files.read_checked(directory, _VOCABULARY, manifest.vocabulary_sha256, _REMEDY)
    vocabulary = words.decode().split("\n")
    numbers, scales = model_files.read_arrays(
        directory, _NUMBERS, manifest.numbers_sha256, _REMEDY, "numbers", "scales"
    )
    if numbers.shape != (len(vocabulary), WIDTH) or numbers.dtype != np.int8:
        raise DamagedArtefact(f"{directory}: the numbers do not fit the vocabulary; {_REMEDY}")
    model = PieceSums(
        tokenizer_of(vocabulary), numbers.astype(np.int8, copy=False), scales.astype(np.float32, copy=False)
    )
    known = [(answer.left, answer.right, answer.cosine) for answer in manifest.answers]
    check_answers(model.encode, known, _TOLERANCE, _REMEDY)
    return model


def save(
    directory: Path,
    vocabulary: Sequence[str],
    vectors: Singles,
    pairs: Sequence[tuple[str, str]],
    texts: int,
    figures: dict[str, float],
) -> int:
    """Write vectors float32[pieces, 384] in 8 bits; the answers to ``pairs`` are checked; gives the bytes."""
    numbers, scales = scaled(vectors)
    model = PieceSums(tokenizer_of(vocabulary), numbers, scales)
    answers = []
    for left, right in pairs:
        a, b = model.encode((left, right))
        answers.append(KnownAnswer(left=left, right=right, cosine=round(float(a @ b), 5)))
    words = "\n".join(vocabulary).encode()
    data, digest = model_files.packed(numbers=numbers, scales=scales)
    manifest = PieceSumsManifest(
        vocabulary_sha256=hashlib.sha256(words).hexdigest(),
        numbers_sha256=digest,
        answers=tuple(answers),
        texts=texts,
        figures=figures,
    )
    return model_files.write_model(directory, {_VOCABULARY: words, _NUMBERS: data}, manifest)
