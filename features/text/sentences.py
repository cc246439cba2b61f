"""The sentence encoders: texts to unit vectors of 384 numbers, by the one or the other of two models.

``compact`` (:mod:`features.text.piece_sums`) comes with Kindred, and encodes thousands of texts a second.
``full`` (:mod:`features.text.minilm`) is the model that it was learnt from: a hundred times slower, somewhat
better, and an optional extra. Vectors of the two are never compared with each other.
"""

from collections.abc import Sequence
from typing import Literal, Protocol, TypeAlias

from features.arrays import Singles
from features.text import minilm, piece_sums

EncoderName: TypeAlias = Literal["compact", "full"]
"""The encoders by the names that settings call them."""


class Encoder(Protocol):
    """A loaded encoder."""

    def encode(self, texts: Sequence[str]) -> Singles:
        """Unit vectors float32[texts, 384]; a text that says nothing to the encoder has a vector of 0."""


def open_encoder(name: EncoderName) -> Encoder:
    """Load an encoder, and check what it answers; raises ``ResourceMissing`` and ``DamagedArtefact``."""
    return piece_sums.open_model() if name == "compact" else minilm.MiniLM()


def check(name: EncoderName) -> None:
    """Raise ``ResourceMissing`` where an encoder is not installed."""
    if name == "full":
        minilm.check()


def fingerprint(name: EncoderName) -> str:
    """What a vector depends on besides the text; empty where no encoder is installed. Reads no weights."""
    return piece_sums.fingerprint() if name == "compact" else minilm.fingerprint()
