"""Which facts a record has: whether anybody is there, anything happens, a place or a maker is named.

And of which kinds and groups they are. Each category is a logistic regression over what :class:`Signals`
holds of a record: the sentence vectors of both of its texts, the dictionary forms of its words, and counts of
signs such as kinds of people. It learnt from readers' facts of single records, and from what a network that
was trained on these says of many more. ``python -m training facts`` learns the numbers; MODEL_CARD.md says
from what, and how good they are.
"""

import hashlib
from functools import cache, cached_property
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from features.arrays import Bytes, Doubles, Halves, Int8s, Longs, Singles
from features.text import model_files
from features.text.model_files import ModelManifest
from features.text.sentence_vectors import WIDTH
from features.text.sentences import EncoderName
from ingest.errors import DamagedArtefact

_HERE: Final = Path(__file__).parent
SHIPPED: Final[dict[EncoderName, Path]] = {"compact": _HERE / "compact", "full": _HERE / "full"}
"""The models that come with Kindred, one for the vectors of each sentence encoder."""

MODELS: Final[dict[EncoderName, str]] = {"compact": "86dedd7e0a2ef8fd", "full": "3cb2f882f76b6b77"}
"""Their names, by which settings call them before they are opened; a new model gets a new one here."""

_VOCABULARY: Final = "vocabulary.txt"
_WEIGHTS: Final = "weights.npz"
REMEDY: Final = (
    "reinstall Kindred, or, in a checkout, train it again: python -m training facts --shared DIR --out DIR"
)


class FactsManifest(ModelManifest):
    """What a model predicts, what it learnt from, and the digests of its files.

    ``frequencies`` holds how often each category is expected in the records that were learnt from, ``signs``
    what is counted. ``auc`` says how well categories are predicted in collections that nothing was learnt
    from (1 is best, .5 chance).
    """

    encoder: str
    categories: tuple[str, ...]
    signs: tuple[str, ...]
    frequencies: tuple[float, ...]
    records: int
    auc: dict[str, float]
    vocabulary_sha256: str = ""
    weights_sha256: str = ""


class Signals(NamedTuple):
    """What is known of some records, a row a record.

    ``content`` and ``every`` are their sentence vectors int8[records, 384], 0 for none; ``signs`` counts
    uint8[records, signs]. Record ``records[i]`` has the word ``terms[i]`` of the vocabulary, each once.
    """

    content: Int8s
    every: Int8s
    signs: Bytes
    records: Longs
    terms: Longs


class FactsWeights(NamedTuple):
    """The numbers of a model, float16, a column a category; ``vectors`` has rows for both vectors."""

    vectors: Halves
    signs: Halves
    terms: Halves
    intercepts: Halves


class FactsModel:
    """A loaded model; ``vocabulary`` has the row of each word that it knows."""

    def __init__(self, manifest: FactsManifest, vocabulary: tuple[str, ...], weights: FactsWeights) -> None:
        """Take the numbers and what they are of."""
        self.manifest: Final = manifest
        self.words: Final = vocabulary
        self.weights: Final = weights
        self._content, self._every = weights.vectors.astype(np.float64).reshape(2, WIDTH, -1)
        self._terms, self._signs = weights.terms.astype(np.float64), weights.signs.astype(np.float64)

    @property
    def name(self) -> str:
        """The beginning of the digest of its files."""
        both = self.manifest.vocabulary_sha256 + self.manifest.weights_sha256
        return hashlib.sha256(both.encode()).hexdigest()[:16]

    @cached_property
    def vocabulary(self) -> dict[str, int]:
        """The row of each word."""
        return {word: row for row, word in enumerate(self.words)}

    def likely(self, signals: Signals) -> Singles:
        """How likely each category is, float32[records, categories].

        A record gets the same numbers in whatever company: 16-bit numbers are multiples of 2^-24, so that
        float64 adds up their products with whole numbers exactly, in any order.

        >>> weights = FactsWeights(*(np.zeros((n, 1), np.float16) for n in (768, 1, 1, 1)))
        >>> weights.terms[0], weights.signs[0] = 1.5, -0.25
        >>> model = FactsModel(FactsManifest(encoder="", categories=("people",), signs=("named",),
        ...     frequencies=(0.5,), records=1, auc={}), ("t:man",), weights)
        >>> none = np.zeros((2, 384), np.int8)
        >>> signs, here = np.array([[0], [2]], np.uint8), np.array([0])
        >>> likely = model.likely(Signals(none, none, signs, here, here))
        >>> likely.astype(float).round(3).tolist()  # of 1.5, and of -.5
        [[0.818], [0.378]]
        """
        answers = self.weights.intercepts.astype(np.float64) + _cosines(signals.content, self._content)
        answers = (
            answers + _cosines(signals.every, self._every) + signals.signs.astype(np.float64) @ self._signs
        )
        sums = np.zeros((len(signals.signs), self._terms.shape[1]))
        np.add.at(sums, signals.records, self._terms[signals.terms])
        likely: Singles = (1 / (1 + np.exp(-(answers + sums)))).astype(np.float32)
        return likely


def _cosines(vectors: Int8s, slopes: Doubles) -> Doubles:
    """The products of vectors at length 1 with each column; 0 for a vector of 0."""
    numbers = vectors.astype(np.float64)
    lengths = np.sqrt((numbers * numbers).sum(axis=1, keepdims=True))
    products: Doubles = numbers @ slopes
    cosines: Doubles = np.divide(products, lengths, out=np.zeros_like(products), where=lengths > 0)
    return cosines


@cache
def open_facts(directory: Path) -> FactsModel:
    """Open a model; raises ``DamagedArtefact`` where it was cut, altered or is of another format."""
    manifest = model_files.read_manifest(directory, FactsManifest, REMEDY)
    words = model_files.read_checked(directory, _VOCABULARY, manifest.vocabulary_sha256, REMEDY)
    vocabulary = tuple(words.decode().split("\n")) if words else ()
    arrays = model_files.read_arrays(
        directory, _WEIGHTS, manifest.weights_sha256, REMEDY, *FactsWeights._fields
    )
    weights = FactsWeights(*(array.astype(np.float16, copy=False) for array in arrays))
    width = len(manifest.categories)
    expected = [(2 * WIDTH, width), (len(manifest.signs), width), (len(vocabulary), width), (1, width)]
    if [each.shape for each in weights] != expected or not all(np.isfinite(each).all() for each in weights):
        raise DamagedArtefact(f"{directory} does not hold numbers of the shapes {expected}; {REMEDY}")
    return FactsModel(manifest, vocabulary, weights)


def save(directory: Path, model: FactsModel) -> int:
    """Write a model and give the bytes written; the digests of its manifest are filled in."""
    words = "\n".join(model.words).encode()
    data, digest = model_files.packed(**model.weights._asdict())
    digests = {"vocabulary_sha256": hashlib.sha256(words).hexdigest(), "weights_sha256": digest}
    files = {_VOCABULARY: words, _WEIGHTS: data}
    return model_files.write_model(directory, files, model.manifest.model_copy(update=digests))
