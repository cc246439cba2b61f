"""Blend: all vectors that the columns keep of an item as one short vector of bytes.

A type weighs sentence vectors, predicted subjects and how usual a text is against each other. Laid end to
end they are one vector, of which a weighted sum of cosines is one inner product. It is turned to its main
directions, cut to these, and rounded to 8 bits: what is found by it is scored exactly afterwards.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Self, TypeAlias

import msgspec
import numpy as np
import numpy.typing as npt

from features.measures.base import Column, FeatureColumn
from features.measures.sentences import Sentences, SentencesColumn
from features.measures.subjects import CosineColumn, Predictions
from features.measures.tables import Table

Floats: TypeAlias = npt.NDArray[np.float32]

WIDTH: Final = 320
"""Directions that are kept of the cosines."""

_USUAL: Final = 8
"""Numbers that tell how usual a text is: one alone would be coarse beside the others in 8 bits."""

_MOST: Final = 127


def parts(columns: Mapping[str, FeatureColumn]) -> dict[str, str]:
    """The features whose vectors are blended, by the name of the part: features over one text share it."""
    found: dict[str, str] = {}
    for name, column in columns.items():
        if isinstance(column, SentencesColumn):
            # of two over one text the scaled one knows how usual it is
            key = f"text {column.text}"
            if key not in found or column.scaled:
                found[key] = name
        elif isinstance(column, CosineColumn):
            found[name] = name
    return found


def part_of(name: str, column: FeatureColumn) -> str | None:
    """The part that a feature's value is a cosine of; None for a feature of another kind."""
    if isinstance(column, SentencesColumn):
        return f"text {column.text}"
    return name if isinstance(column, CosineColumn) else None


def unit(column: Column[Table], table: Table) -> Floats:
    """The vectors of a table at length 1, whose products are cosines; 0 for no information."""
    if isinstance(table, Sentences):
        lengths = np.sqrt(np.maximum(table.squares, 1)).astype(np.float32)
        return table.vectors.astype(np.float32) / lengths[:, np.newaxis]
    if isinstance(table, Predictions) and isinstance(column, CosineColumn):
        found: Floats = (table.predictions * column.roots).astype(np.float32)
        lengths = np.sqrt(np.maximum((found * found).sum(axis=1), 1e-9))
        shares: Floats = found / lengths[:, np.newaxis]
        return shares
    raise TypeError("only cosines are blended")


@dataclass(frozen=True, slots=True)
class Blend:
    """How vectors are turned, centred and rounded; the same for all items of an index."""

    parts: tuple[str, ...]
    turn: Floats
    centre: Floats
    usual: Floats
    scale: float

    @property
    def width(self) -> int:
        """The numbers of a blended vector."""
        return int(self.turn.shape[1]) + _USUAL * len(self.usual)

    @classmethod
    def learnt(cls, names: tuple[str, ...], sample: Floats, densities: Floats) -> Self:
        """The directions in which a sample differs most, float32[items, numbers] and [items, texts]."""
        centre = sample.mean(axis=0)
        spread = (sample - centre).astype(np.float64)
        _, directions = np.linalg.eigh(spread.T @ spread)
        rows = directions.T[::-1][:WIDTH]
        # any turn within what is kept leaves products as they are; an even one makes all numbers as large
        even, _ = np.linalg.qr(np.random.default_rng(0).standard_normal((len(rows), len(rows))))
        turn = np.ascontiguousarray((even @ rows).T.astype(np.float32))
        usual = densities.mean(axis=0) if densities.size else np.zeros(densities.shape[1], np.float32)
        made = cls(names, turn, centre, usual.astype(np.float32), 1.0)
        most = float(np.quantile(np.abs(made._laid(sample - centre, densities - usual)), 0.9999))
        return cls(names, turn, centre, usual.astype(np.float32), _MOST / max(most, 1e-9))

    def of(self, vectors: Floats, densities: Floats) -> npt.NDArray[np.int8]:
        """The blended vectors of some items, int8[items, width]."""
        laid = self._laid(vectors - self.centre, densities - self.usual) * self.scale
        rounded: npt.NDArray[np.int8] = np.clip(np.rint(laid), -_MOST, _MOST).astype(np.int8)
        return rounded

    def question(self, vector: Floats, usual: Floats) -> tuple[list[int], float] | None:
        """A weighted vector, and what each text's density counts, as numbers to ask with; None for nothing.

        Beside it what a product with an item's numbers is to be multiplied with.
        """
        laid = self._laid(vector[np.newaxis], usual[np.newaxis])[0]
        most = float(np.abs(laid).max(initial=0.0))
        if most == 0:
            return None
        found: list[int] = np.rint(laid * (_MOST / most)).astype(int).tolist()
        return found, most / _MOST / self.scale

    def _laid(self, vectors: Floats, densities: Floats) -> Floats:
        spread = np.repeat(densities, _USUAL, axis=1) / np.float32(np.sqrt(_USUAL))
        return np.hstack([vectors @ self.turn, spread.astype(np.float32)])

    def encode(self) -> bytes:
        """As bytes."""
        arrays = {name: (getattr(self, name).shape, getattr(self, name).tobytes()) for name in _ARRAYS}
        return msgspec.msgpack.encode({"parts": self.parts, "scale": self.scale, "arrays": arrays})

    @classmethod
    def decode(cls, data: bytes) -> Self:
        """The inverse of ``encode``."""
        kept = msgspec.msgpack.decode(data, type=_Kept)
        arrays = {
            name: np.frombuffer(own, np.float32).reshape(shape) for name, (shape, own) in kept.arrays.items()
        }
        return cls(kept.parts, arrays["turn"], arrays["centre"], arrays["usual"], kept.scale)


_ARRAYS: Final = ("turn", "centre", "usual")


class _Kept(msgspec.Struct, frozen=True):
    parts: tuple[str, ...]
    scale: float
    arrays: dict[str, tuple[tuple[int, ...], bytes]]
