"""Which facts a record has: whether anybody is there, anything happens, a place or a maker is named.

And of which kinds and groups they are. Some small networks, whose mean counts, read the words of the record
(:mod:`features.facts.words`, :mod:`features.facts.network`). They learnt from readers' facts of single
records, and from what a large network that was trained on these says of many more. ``python -m training
facts`` learns the numbers; MODEL_CARD.md says from what, and how good they are.
"""

import hashlib
from collections.abc import Sequence
from functools import cache, cached_property
from pathlib import Path
from typing import Final

import numpy as np

from features.arrays import Doubles, Singles
from features.facts.network import FactsNetwork, FactsWeights, FactTerms
from features.facts.words import FactWords
from features.text import model_files
from features.text.model_files import ModelManifest
from ingest.errors import DamagedArtefact

SHIPPED: Final = Path(__file__).parent / "weights"
"""The model that comes with Kindred."""

MODEL: Final = "b99bf1d93b40bff1"
"""Its name, by which settings call it before it is opened; a new model gets a new one here."""

_VOCABULARY: Final = "vocabulary.txt"
_WEIGHTS: Final = "weights.npz"
REMEDY: Final = (
    "reinstall Kindred, or, in a checkout, train it again: python -m training facts --shared DIR --out DIR"
)


class FactsManifest(ModelManifest):
    """What a model predicts, what it learnt from, and the digests of its files.

    ``encoder`` is what the vectors of words depend on. ``frequencies`` holds how often each category is
    expected in the records that were learnt from. ``auc`` says how well categories are predicted in
    collections that nothing was learnt from (1 is best, .5 chance).
    """

    encoder: str
    categories: tuple[str, ...]
    networks: int
    channels: int
    frequencies: tuple[float, ...]
    records: int
    auc: dict[str, float]
    vocabulary_sha256: str = ""
    weights_sha256: str = ""


class FactsModel:
    """A loaded model; ``vocabulary`` has the row of each word that it knows, a lemma in small letters."""

    def __init__(
        self, manifest: FactsManifest, vocabulary: tuple[str, ...], weights: tuple[FactsWeights, ...]
    ) -> None:
        """Take the numbers of each network and what they are of."""
        self.manifest: Final = manifest
        self.words: Final = vocabulary
        self.weights: Final = weights
        self._networks = [FactsNetwork(each) for each in weights]

    @property
    def name(self) -> str:
        """The beginning of the digest of its files."""
        both = self.manifest.vocabulary_sha256 + self.manifest.weights_sha256
        return hashlib.sha256(both.encode()).hexdigest()[:16]

    @cached_property
    def vocabulary(self) -> dict[str, int]:
        """The row of each word."""
        return {word: row for row, word in enumerate(self.words)}

    def likely(self, words: FactWords) -> Singles:
        """How likely each category is, float32[records, categories]; the same in whatever company."""
        terms = FactTerms.of(words.terms, self.vocabulary)
        logits = sum(each.logits(words, terms) for each in self._networks) / len(self._networks)
        likely: Singles = (1 / (1 + np.exp(-logits))).astype(np.float32)
        return likely

    def states(self, words: FactWords) -> list[Singles]:
        """What each network makes of the words of some records, each float32[words, channels]."""
        terms = FactTerms.of(words.terms, self.vocabulary)
        return [each.states(words, terms) for each in self._networks]

    def contributions(
        self, words: FactWords, record: int, states: Sequence[Singles], category: int
    ) -> Doubles:
        """What each word of a record adds to a logit, float64[its words]; ``states`` are those of all."""
        own = words.of(record)
        of_networks = zip(self._networks, states, strict=True)
        added = [each.contributions(of_all[own], words.titles[own], category) for each, of_all in of_networks]
        mean: Doubles = np.mean(added, axis=0)
        return mean


@cache
def open_facts(directory: Path) -> FactsModel:
    """Open a model; raises ``DamagedArtefact`` where it was cut, altered or is of another format."""
    manifest = model_files.read_manifest(directory, FactsManifest, REMEDY)
    words = model_files.read_checked(directory, _VOCABULARY, manifest.vocabulary_sha256, REMEDY)
    vocabulary = tuple(words.decode().split("\n")) if words else ()
    names = [f"{name}_{number}" for number in range(manifest.networks) for name in FactsWeights._fields]
    arrays = model_files.read_arrays(directory, _WEIGHTS, manifest.weights_sha256, REMEDY, *names)
    halves = [array.astype(np.float16, copy=False) for array in arrays]
    size = len(FactsWeights._fields)
    weights = tuple(FactsWeights(*halves[at : at + size]) for at in range(0, len(halves), size))
    expected = FactsWeights.shapes(len(vocabulary), len(manifest.categories), manifest.channels)
    shapes = [{name: each.shape for name, each in own._asdict().items()} for own in weights]
    if any(own != expected for own in shapes) or not all(np.isfinite(each).all() for each in halves):
        raise DamagedArtefact(f"{directory} does not hold numbers of the shapes {expected}; {REMEDY}")
    return FactsModel(manifest, vocabulary, weights)


def save(directory: Path, model: FactsModel) -> int:
    """Write a model and give the bytes written; the digests of its manifest are filled in."""
    words = "\n".join(model.words).encode()
    numbered = enumerate(model.weights)
    arrays = {f"{name}_{number}": each for number, own in numbered for name, each in own._asdict().items()}
    data, digest = model_files.packed(**arrays)
    digests = {"vocabulary_sha256": hashlib.sha256(words).hexdigest(), "weights_sha256": digest}
    files = {_VOCABULARY: words, _WEIGHTS: data}
    return model_files.write_model(directory, files, model.manifest.model_copy(update=digests))
