"""Predicted subjects: under which categories an item would be filed, and whether it shows anybody.

A ridge regression from the sentence vector of a text (:mod:`features.text.sentences`) to each category, 1
where a record has it, else 0. Its answer, cut off at 0 and 1, is read as how likely the category is.
A category is a path such as ``people/adults/man``; an item has every prefix of its paths, to three levels: of
Tate's subject index, and from The Walters ``keywords/...`` and, of what a thing is, ``kinds/...``.
``shown/person`` and ``shown/action`` are probabilities, by a logistic regression. There is a model for each
sentence encoder. ``python -m training subjects`` learns the numbers; MODEL_CARD.md says from what.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Final

import numpy as np

from features.arrays import Array, Halves, Singles
from features.text import model_files
from features.text.model_files import ModelManifest
from features.text.sentence_vectors import WIDTH
from features.text.sentences import EncoderName
from ingest.errors import DamagedArtefact

_HERE: Final = Path(__file__).parent
SHIPPED: Final[dict[EncoderName, Path]] = {"compact": _HERE / "compact", "full": _HERE / "full"}
"""The models that come with Kindred, one for the vectors of each sentence encoder."""

MODELS: Final[dict[EncoderName, str]] = {"compact": "b24c8cea435395a8", "full": "9347bd7214055f72"}
"""Their names, by which settings call them before they are opened; a new model gets a new one here."""

LEVELS: Final = 3
"""How many levels of a path count; what stands below is part of the third's name."""

_WEIGHTS: Final = "weights.npz"
REMEDY: Final = (
    "reinstall Kindred, or, in a checkout, train it again: python -m training subjects --shared DIR --out DIR"
)
_NO_SUBJECTS: Final = ("kinds", "places", "shown")


class SubjectsManifest(ModelManifest):
    """What a model predicts, what it learnt from, and the digest of its numbers.

    ``frequencies`` holds the share of the training records that each category has, ``auc`` how well each is
    predicted for others (1 is best, .5 chance), ``logistic`` what a logistic regression predicts.
    """

    encoder: str
    categories: tuple[str, ...]
    logistic: tuple[str, ...] = ()
    frequencies: tuple[float, ...]
    records: int
    auc: dict[str, float]
    weights_sha256: str


class Subjects:
    """A loaded model; its ``name`` is the beginning of the digest of its numbers."""

    def __init__(self, manifest: SubjectsManifest, weights: Halves) -> None:
        """Take weights float16[385, categories], the last row the intercepts."""
        self.manifest: Final = manifest
        self.categories: Final = manifest.categories
        self.frequencies: Final = np.array(manifest.frequencies, np.float64)
        self.name: Final = manifest.weights_sha256[:16]
        self._weights = weights
        self._slopes, self._intercepts = weights[:-1].astype(np.float64), weights[-1].astype(np.float64)
        self._logistic = np.isin(manifest.categories, manifest.logistic)

    def predict(self, vectors: Array) -> Singles:
        """How likely each category is, float32[texts, categories], for vectors of any length [texts, 384].

        Vectors of whole numbers, as profiles hold them, get the same numbers in whatever company: a
        16-bit number is a multiple of 2^-24, so that float64 adds their products up exactly. A
        vector of 0 gets NaN.
        """
        numbers = vectors.astype(np.float64)
        lengths = np.sqrt((numbers * numbers).sum(axis=1, keepdims=True))
        products = numbers @ self._slopes
        # where there is no length NaN stays
        cosines = np.divide(products, lengths, out=np.full_like(products, np.nan), where=lengths > 0)
        answers = cosines + self._intercepts
        likely = np.where(self._logistic, 1 / (1 + np.exp(-answers)), np.clip(answers, 0, 1))
        predicted: Singles = likely.astype(np.float32)
        return predicted

    def over(self, columns: Sequence[int]) -> "Subjects":
        """The model of some of the categories; what it predicts of them is the same."""
        categories = tuple(self.categories[place] for place in columns)
        frequencies = tuple(self.manifest.frequencies[place] for place in columns)
        manifest = self.manifest.model_copy(update={"categories": categories, "frequencies": frequencies})
        return Subjects(manifest, self._weights[:, list(columns)])

    def columns(self, branches: Iterable[str], depth: int = LEVELS) -> tuple[int, ...]:
        """Places of the categories that begin so, down to a level; without branches those of all subjects."""
        begin = tuple(branches)
        return tuple(
            place
            for place, category in enumerate(self.categories)
            if level(category) <= depth
            and (category.startswith(begin) if begin else top(category) not in _NO_SUBJECTS)
        )

    def highest(self, columns: Iterable[int]) -> tuple[int, ...]:
        """Those of some categories that are below none of the others."""
        chosen = {self.categories[place]: place for place in columns}
        return tuple(place for category, place in chosen.items() if chosen.keys().isdisjoint(above(category)))


def prefixes(path: str) -> tuple[str, ...]:
    """The categories that a path of the index stands for, the widest first.

    >>> prefixes("people/adults/man")
    ('people', 'people/adults', 'people/adults/man')
    """
    parts = path.split("/", LEVELS - 1)
    return tuple("/".join(parts[: end + 1]) for end in range(len(parts)))


def above(category: str) -> tuple[str, ...]:
    """The categories above one."""
    return prefixes(category)[:-1]


def level(category: str) -> int:
    """The level of a category: 1 is the highest."""
    return len(prefixes(category))


def top(category: str) -> str:
    """The highest category above one, or itself."""
    return prefixes(category)[0]


@cache
def open_subjects(directory: Path) -> Subjects:
    """Open a model; raises ``DamagedArtefact`` where it was cut, altered or is of another format."""
    manifest = read_manifest(directory)
    (weights,) = model_files.read_arrays(directory, _WEIGHTS, manifest.weights_sha256, REMEDY, "weights")
    expected = (WIDTH + 1, len(manifest.categories))
    if weights.dtype != np.float16 or weights.shape != expected or not np.isfinite(weights).all():
        raise DamagedArtefact(f"{directory} does not hold 16-bit numbers of the shape {expected}; {REMEDY}")
    return Subjects(manifest, weights.astype(np.float16, copy=False))


@cache
def read_manifest(directory: Path) -> SubjectsManifest:
    """What a model says of itself; raises ``DamagedArtefact``."""
    manifest = model_files.read_manifest(directory, SubjectsManifest, REMEDY)
    if len(manifest.frequencies) != len(manifest.categories):
        raise DamagedArtefact(f"{directory / model_files.MANIFEST} does not fit its format; {REMEDY}")
    return manifest


def save(directory: Path, manifest: SubjectsManifest, weights: Halves) -> int:
    """Write a model and give the bytes written; ``weights_sha256`` of the manifest is filled in."""
    data, digest = model_files.packed(weights=weights)
    named = manifest.model_copy(update={"weights_sha256": digest})
    return model_files.write_model(directory, {_WEIGHTS: data}, named)
