"""What a record is about: a vector beside those that the compact sentence encoder has of plain phrases.

Readers wrote down in one to four phrases what a record shows or is about: *bridge over a river*, *drinking
cup*. A small network (the first layers of :mod:`features.facts.network`) learnt from them how salient each
word of a record is, and how the vectors of its words, each times its salience, are put together. So it
matters little what a thing is made of, who gave it and how large it is. Of a word its lemma counts, which is
English in whatever language the record is, as far as glosses go. ``python -m training about`` learns
the numbers; MODEL_CARD.md says from what, and how good they are.
"""

import hashlib
import math
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from features.arrays import Doubles, Halves, Longs, Singles
from features.compiled import compiled
from features.facts.model import SHIPPED
from features.facts.network import add_signs, convolved, products
from features.facts.words import SIGNS, FactWords
from features.knowledge.resources import Resources
from features.text import model_files, piece_sums
from features.text.model_files import ModelManifest
from features.text.sentence_vectors import WIDTH
from ingest.errors import DamagedArtefact

FOLDER: Final = "about"
"""The folder of the model within that of the model of facts."""

MODEL: Final = "d70ddc7b9e74527b"
"""Its name, by which settings call it before it is opened; a new model gets a new one here."""

MOST_SALIENT: Final = 8.0
"""The logarithm of a word's salience lies between this and its negative."""

_WEIGHTS: Final = "weights.npz"
_NEIGHBOURS: Final = 3
_REMEDY: Final = (
    "reinstall Kindred, or, in a checkout, train it again, into the folder of the models of facts: python -m"
    " training about --shared DIR --out DIR --work DIR"
)


class AboutManifest(ModelManifest):
    """What a model learnt from, how good it is, and the digest of its numbers.

    ``encoder`` is what the vectors of words depend on. ``cosine`` is that of its vectors to those of readers'
    phrases in collections that nothing was learnt from, the mean of collections; None where that was not
    measured.
    """

    encoder: str
    channels: int
    records: int
    cosine: float | None = None
    weights_sha256: str = ""


class AboutWeights(NamedTuple):
    """The numbers of a network of c channels, float16.

    ``meaning`` [384, c] projects the vectors of lemmas; ``fields``, ``tags``, ``kinds``, ``marks``
    and ``files`` [values, c]; ``base`` [1, c]. ``layer`` [3 c, c] sees the word before, the word and the word
    behind, ``layer_base`` [1, c]. ``salience`` [c, 1] gives the logarithm of a word's; ``projection``
    [384, 384] makes of the sum of the words' vectors that of what the record is about.
    """

    meaning: Halves
    fields: Halves
    tags: Halves
    kinds: Halves
    marks: Halves
    files: Halves
    base: Halves
    layer: Halves
    layer_base: Halves
    salience: Halves
    projection: Halves

    @classmethod
    def shapes(cls, channels: int) -> "dict[str, tuple[int, int]]":
        """The shape of each array.

        >>> AboutWeights.shapes(64)["layer"]
        (192, 64)
        """
        rows = {"meaning": WIDTH, **SIGNS, "base": 1, "layer": _NEIGHBOURS * channels, "layer_base": 1}
        shapes = {name: (size, channels) for name, size in rows.items()}
        return {**shapes, "salience": (channels, 1), "projection": (WIDTH, WIDTH)}


class AboutModel:
    """A loaded model."""

    def __init__(self, manifest: AboutManifest, weights: AboutWeights) -> None:
        """Take the numbers and what they are of."""
        self.manifest: Final = manifest
        self.weights: Final = weights
        # row by row, however they are stored: the loops go along the channels
        self._weights = {name: each.astype(np.float32, order="C") for name, each in weights._asdict().items()}

    @property
    def name(self) -> str:
        """The beginning of the digest of its file."""
        return hashlib.sha256(self.manifest.weights_sha256.encode()).hexdigest()[:16]

    def read(self, words: FactWords) -> Singles:
        """Unit vectors float32[records, 384] of what each is about; 0 for one without known words.

        A record gets the same numbers in whatever company.
        """
        vectors, lemmas = _of_lemmas(words)
        sums = _unit(_summed(words.starts, lemmas, vectors, self._salience(words, vectors, lemmas)))
        return _unit(products(sums, self._weights["projection"], np.zeros(WIDTH, np.float32)))

    def salience(self, words: FactWords) -> Doubles:
        """What each word of some records counts beside the others of its record, float64[words], above 0."""
        return self._salience(words, *_of_lemmas(words)).astype(np.float64)

    def _salience(self, words: FactWords, vectors: Singles, lemmas: Longs) -> Singles:
        weights = self._weights
        states = products(vectors, weights["meaning"], weights["base"][0])[lemmas]
        add_signs(states, words, weights)
        states = np.maximum(states, np.float32(0))
        states = convolved(states, words.joined, weights["layer"], weights["layer_base"][0])
        return _exponentials(products(states, weights["salience"], np.zeros(1, np.float32))[:, 0])


def _of_lemmas(words: FactWords) -> tuple[Singles, Longs]:
    """The vectors of the distinct lemmas, float32[lemmas, 384], and the row of each word's."""
    used, rows = np.unique(words.lemmas, return_inverse=True)
    return piece_sums.open_model().encode([words.terms[number] for number in used.tolist()]), rows


@compiled
def _exponentials(logarithms: Singles) -> Singles:
    values = np.empty_like(logarithms)
    for n in range(len(logarithms)):
        values[n] = math.exp(min(max(logarithms[n], -MOST_SALIENT), MOST_SALIENT))
    return values


@compiled
def _summed(starts: Longs, lemmas: Longs, vectors: Singles, salience: Singles) -> Singles:
    """The sum of the vectors of the lemmas of each record, each times the word's salience."""
    sums = np.zeros((len(starts) - 1, vectors.shape[1]), np.float32)
    for record in range(len(starts) - 1):
        for n in range(starts[record], starts[record + 1]):
            vector, weight = vectors[lemmas[n]], salience[n]
            for k in range(vectors.shape[1]):
                sums[record, k] += vector[k] * weight
    return sums


@compiled
def _unit(rows: Singles) -> Singles:
    """The rows at length 1; a row of 0 stays."""
    values = np.zeros_like(rows)
    for n in range(len(rows)):
        square = np.float32(0.0)
        for k in range(rows.shape[1]):
            square += rows[n, k] * rows[n, k]
        if square > 0:
            share = np.float32(1.0) / np.sqrt(square)
            for k in range(rows.shape[1]):
                values[n, k] = rows[n, k] * share
    return values


def about_model(resources: Resources, name: str) -> AboutModel:
    """The model of the resources, or the one that comes with Kindred, which has to have this name.

    Raises ``DamagedArtefact`` where it has another, or was learnt from other vectors of words.
    """
    model = open_about((resources.facts or SHIPPED) / FOLDER)
    if resources.facts is None and model.name != name:
        raise DamagedArtefact(
            f"what records are about is read by the model {model.name}, not {name!r}; run: kindred build"
        )
    if model.manifest.encoder != piece_sums.fingerprint():
        raise DamagedArtefact(
            f"the model of what records are about was learnt from other vectors of words; {_REMEDY}"
        )
    return model


@cache
def open_about(directory: Path) -> AboutModel:
    """Open a model; raises ``DamagedArtefact`` where it was cut, altered or is of another format."""
    manifest = model_files.read_manifest(directory, AboutManifest, _REMEDY)
    names, expected = AboutWeights._fields, AboutWeights.shapes(manifest.channels)
    arrays = model_files.read_arrays(directory, _WEIGHTS, manifest.weights_sha256, _REMEDY, *names)
    weights = AboutWeights(*(array.astype(np.float16, copy=False) for array in arrays))
    shapes = {name: each.shape for name, each in weights._asdict().items()}
    if shapes != expected or not all(np.isfinite(each).all() for each in weights):
        raise DamagedArtefact(f"{directory} does not hold numbers of the shapes {expected}; {_REMEDY}")
    return AboutModel(manifest, weights)


def save(directory: Path, model: AboutModel) -> int:
    """Write a model and give the bytes written; the digest of its manifest is filled in."""
    data, digest = model_files.packed(**model.weights._asdict())
    manifest = model.manifest.model_copy(update={"weights_sha256": digest})
    return model_files.write_model(directory, {_WEIGHTS: data}, manifest)
