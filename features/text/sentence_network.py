"""The forward pass of BERT (Devlin et al. 2019) over batches of texts of one length, in plain torch.

The library that the model comes from takes 7 to 15 s to import, and pads; here nothing is padded.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

import torch
from torch import Tensor
from torch.nn import functional

from features.arrays import Singles

_EPSILON: Final = 1e-12
_HEADS: Final = 12


class _Affine(NamedTuple):
    weight: Tensor
    bias: Tensor


class _Layer(NamedTuple):
    attention: _Affine
    mixed: _Affine
    mixed_norm: _Affine
    wide: _Affine
    narrow: _Affine
    narrow_norm: _Affine


class BertNetwork:
    """A BERT encoder with mean pooling, read from a safetensors file of Hugging Face's names."""

    def __init__(self, path: Path, *, short: bool = False) -> None:
        """Read the weights; with ``short`` the layers compute in bfloat16."""
        # there only with the extra
        from safetensors.torch import load_file

        weights = load_file(path)
        self._words: Final = weights["embeddings.word_embeddings.weight"]
        # every text is the first of its pair: type 0 is one more constant of the position
        places, types = (
            weights[f"embeddings.{kind}_embeddings.weight"] for kind in ("position", "token_type")
        )
        self._places: Final = places + types[0]
        self._norm: Final = _affine(weights, "embeddings.LayerNorm")
        count = len({name.split(".")[2] for name in weights if name.startswith("encoder.layer.")})
        self._numbers: Final = torch.bfloat16 if short else torch.float32
        narrow = {name: weight.to(self._numbers) for name, weight in weights.items()}
        self._layers: Final = tuple(_layer(narrow, f"encoder.layer.{n}") for n in range(count))

    @property
    def width(self) -> int:
        """Numbers of a token's state."""
        return int(self._words.shape[1])

    def vectors(self, tokens: Sequence[Sequence[int]]) -> Singles:
        """Unit vectors of texts that have the same number of tokens: float32[texts, width]."""
        with torch.inference_mode():
            states = self.states(torch.tensor(tokens))
            vectors: Singles = functional.normalize(states.float().mean(1)).numpy()
        return vectors

    def states(self, tokens: Tensor) -> Tensor:
        """The last layer's state of each token, [texts, tokens, width]."""
        x = self._words[tokens] + self._places[: tokens.shape[1]]
        x = _normalised(x, self._norm).to(self._numbers)
        for layer in self._layers:
            x = _through(x, layer)
        return x

    def layer_parameters(self) -> list[Tensor]:
        """The numbers of the layers, for whoever trains them further; those of words and places stay."""
        return [numbers for layer in self._layers for part in layer for numbers in part]


def _through(x: Tensor, layer: _Layer) -> Tensor:
    texts, length, width = x.shape
    parts = functional.linear(x, *layer.attention).view(texts, length, 3, _HEADS, width // _HEADS)
    query, key, value = parts.permute(2, 0, 3, 1, 4)
    seen = functional.scaled_dot_product_attention(query, key, value).transpose(1, 2).reshape(x.shape)
    x = _normalised(x + functional.linear(seen, *layer.mixed), layer.mixed_norm)
    wide = functional.gelu(functional.linear(x, *layer.wide))
    return _normalised(x + functional.linear(wide, *layer.narrow), layer.narrow_norm)


def _normalised(x: Tensor, norm: _Affine) -> Tensor:
    return functional.layer_norm(x, norm.weight.shape, norm.weight, norm.bias, _EPSILON)


def _affine(weights: dict[str, Tensor], name: str) -> _Affine:
    return _Affine(weights[f"{name}.weight"], weights[f"{name}.bias"])


def _layer(weights: dict[str, Tensor], name: str) -> _Layer:
    parts = [_affine(weights, f"{name}.attention.self.{part}") for part in ("query", "key", "value")]
    # one product for the three of them
    attention = _Affine(torch.cat([part.weight for part in parts]), torch.cat([part.bias for part in parts]))
    rest = ("attention.output.dense", "attention.output.LayerNorm", "intermediate.dense", "output.dense")
    return _Layer(attention, *(_affine(weights, f"{name}.{one}") for one in (*rest, "output.LayerNorm")))
