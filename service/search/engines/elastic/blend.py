"""The blended vector of an item: one short vector of bytes by which an engine ranks all that a type weighs.

It holds the vectors of the columns (of sentences, of what items are about, of facts), end to end and at
length 1, turned to their main directions and cut to these; and *amounts*, single numbers: how usual a
text is, how surely anything is there, whether a feature knows the item at all. A weighted sum of cosines
and amounts is one inner product. The items that are nearest by it are scored exactly afterwards.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple, Self

import msgspec
import numpy as np

from features.arrays import Int8s, Singles
from features.measures.base import FeatureColumn
from features.measures.searchable import Vector
from features.measures.tables import Table
from service.search.engines.elastic.lookups import searchable

WIDTH: Final = 192  # directions of the vectors that a blend has at most

_MOST: Final = 127


class Part(NamedTuple):
    """A part of the blended vectors: the feature whose column gives it, and what that declares."""

    feature: str
    vector: Vector[Table]


def parts(columns: Mapping[str, FeatureColumn]) -> list[Part]:
    """The vectors that are blended, in their order: features over one text share theirs."""
    every: dict[str, Part] = {}
    for name, column in columns.items():
        vector = vector_of(column)
        if vector is None:
            continue
        of = f"text {vector.text}" if vector.text else name
        # of two over one text the scaled one knows how usual it is
        if of not in every or vector.scaled:
            every[of] = Part(name, vector)
    return [*every.values()]


def vector_of(column: FeatureColumn) -> Vector[Table] | None:
    """The vector that a column declares; None for none."""
    declared = searchable(column)
    return declared if isinstance(declared, Vector) else None


@dataclass(frozen=True, slots=True)
class Blend:
    """How vectors are turned, centred and rounded; the same for all items of an index.

    ``weights`` are, by system and type, what each part's cosine counts, and each amount behind them.
    """

    turn: Singles
    centre: Singles
    amounts: Singles
    scale: float
    weights: Mapping[str, Sequence[float]] = field(default_factory=dict)

    @property
    def width(self) -> int:
        """The numbers of a blended vector."""
        return int(self.turn.shape[1]) + len(self.amounts)

    @classmethod
    def learnt(cls, sample: Singles, amounts: Singles) -> Self:
        """The directions in which a sample differs most, float32[items, numbers] and [items, amounts]."""
        centre = sample.mean(axis=0)
        spread = (sample - centre).astype(np.float64)
        _, directions = np.linalg.eigh(spread.T @ spread)
        rows = directions.T[::-1][:WIDTH]
        # any turn within these directions leaves products as they are; an even one makes all numbers as large
        even, _ = np.linalg.qr(np.random.default_rng(0).standard_normal((len(rows), len(rows))))
        turn = np.ascontiguousarray((even @ rows).T.astype(np.float32))
        made = cls(turn, centre, amounts.mean(axis=0), 1.0)
        most = float(np.abs(made._laid(sample - centre, amounts - made.amounts)).max(initial=1e-9))
        return cls(turn, centre, made.amounts, _MOST / most)

    def of(self, vectors: Singles, amounts: Singles) -> Int8s:
        """The blended vectors of some items, int8[items, width]."""
        laid = self._laid(vectors - self.centre, amounts - self.amounts) * self.scale
        rounded: Int8s = np.clip(np.rint(laid), -_MOST, _MOST).astype(np.int8)
        return rounded

    def question(self, vector: Singles, amounts: Singles) -> tuple[list[int], float] | None:
        """A weighted vector, and what each amount counts, as numbers to ask with; None for nothing.

        Beside it what a product with an item's numbers is to be multiplied with.
        """
        laid = self._laid(vector[np.newaxis], amounts[np.newaxis])[0]
        most = float(np.abs(laid).max(initial=0.0))
        if most == 0:
            return None
        numbers: list[int] = np.rint(laid * (_MOST / most)).astype(int).tolist()
        return numbers, most / _MOST / self.scale

    def _laid(self, vectors: Singles, amounts: Singles) -> Singles:
        return np.hstack([vectors @ self.turn, amounts.astype(np.float32)])

    def encode(self) -> bytes:
        """As bytes."""
        arrays = {name: (getattr(self, name).shape, getattr(self, name).tobytes()) for name in _ARRAYS}
        return msgspec.msgpack.encode({"scale": self.scale, "arrays": arrays, "weights": self.weights})

    @classmethod
    def decode(cls, data: bytes) -> Self:
        """The inverse of ``encode``."""
        stored = msgspec.msgpack.decode(data, type=_Encoded)
        arrays = {
            name: np.frombuffer(own, np.float32).reshape(shape)
            for name, (shape, own) in stored.arrays.items()
        }
        return cls(scale=stored.scale, weights=stored.weights, **arrays)


_ARRAYS: Final = ("turn", "centre", "amounts")


class _Encoded(msgspec.Struct, frozen=True):
    scale: float
    arrays: dict[str, tuple[tuple[int, ...], bytes]]
    weights: dict[str, tuple[float, ...]]
