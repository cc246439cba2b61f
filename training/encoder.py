"""Trains the compact sentence encoder: one vector a word piece, their sums like MiniLM's vectors of texts.

A static encoder distilled from a large one (as Reimers and Gurevych 2020, "Making monolingual sentence
embeddings multilingual", have a student imitate the vectors of a teacher; here the student is a sum). Each
piece starts from MiniLM's vector of itself and with a weight that falls with the share of the texts
that have it, a / (a + share) (Arora et al. 2017, "A simple but tough-to-beat baseline for sentence
embeddings"). Both are then learnt: from the cosine to the teacher's vector, and from the cosines between
the texts of a batch, for cosines are what the vectors are used for.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from features.arrays import Bools, Int8s, Longs, Singles
from features.knowledge.wordnet.reader import WordNet
from features.text import minilm, piece_sums
from features.text.sentence_vectors import WIDTH
from ingest.mapping import Mapping as RecordMapping
from training.encoder_texts import Text, TextSettings, collect
from training.teacher import start_vectors, teach

if TYPE_CHECKING:
    import torch

_ANSWERS: Final = (
    ("View of Venice from the lagoon", "The Grand Canal with gondolas, Venice"),
    ("A mother bathing her child", "Woman washing an infant in a tub"),
)
"""The pairs of texts by which a model is checked when it is opened."""

_PAIRS: Final = 20_000
"""Pairs of texts that were kept out, over which the cosines are compared."""

_LEAST: Final = 100
"""Texts that an origin needs, so that figures are given."""

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class EncoderSettings:
    """The sizes of a run; the defaults made the model that comes with Kindred."""

    texts: TextSettings = field(default_factory=TextSettings)
    rounds: int = 10
    batch: int = 2048
    rate: float = 0.002
    """Of the vectors; both rates fall to nothing over the run."""
    weight_rate: float = 0.01
    """Of the logarithms of the weights."""
    share: float = 0.001
    """The share of texts at which a piece starts with half of the highest weight."""
    pairs: float = 5.0
    """How much the cosines within a batch count against the cosine to the teacher."""
    rare: int = 5
    """Texts: what a piece that was never met weighs is what those weigh that no more texts have."""
    seed: int = 1


class _Cut(NamedTuple):
    """Texts in pieces: one after the other, and where each begins."""

    pieces: Longs
    starts: Longs

    def of(self, places: Longs) -> "_Cut":
        """Some of the texts."""
        lengths = np.diff(self.starts, append=len(self.pieces))[places]
        starts = np.cumsum(lengths) - lengths
        within = np.arange(lengths.sum()) - np.repeat(starts, lengths)
        return _Cut(self.pieces[np.repeat(self.starts[places], lengths) + within], starts)


def train_encoder(
    shared: Path,
    out: Path,
    work: Path,
    mappings: Mapping[str, RecordMapping],
    wordnet: WordNet,
    *,
    workers: int,
    settings: EncoderSettings | None = None,
    say: Say = lambda _: None,
) -> dict[str, float]:
    """Train and write the model; gives its size and how near it comes to MiniLM on texts that were kept out.

    Raises:
        ResourceMissing: MiniLM is not installed.
    """
    settings = settings or EncoderSettings()
    texts = collect(shared, mappings, wordnet, settings.texts)
    taught = teach([one.text for one in texts], work, workers, say)
    vocabulary = minilm.vocabulary()
    start = _informed(vocabulary, start_vectors(work, len(vocabulary)))
    cut = _cut(vocabulary, texts, np.asarray(start.any(axis=1)))
    left_out = np.array([one.left_out for one in texts])
    learnt = _learn(cut, taught, np.flatnonzero(~left_out), start, settings, say)
    figures = _figures(learnt, cut, taught, [one.origin for one in texts], left_out, settings.seed)
    size = piece_sums.save(out, vocabulary, learnt, _ANSWERS, int((~left_out).sum()), figures)
    return {"texts": len(texts), "bytes": size, **figures}


def _informed(vocabulary: Sequence[str], start: Singles) -> Singles:
    """The start without the marks, unknown and unused pieces: those say nothing."""
    says = np.array(
        [not (piece.startswith("[") and piece.endswith("]") and len(piece) > 2) for piece in vocabulary]
    )
    return np.where(says[:, np.newaxis], start, 0).astype(np.float32)


def _cut(vocabulary: Sequence[str], texts: Sequence[Text], says: Bools) -> _Cut:
    """The texts in pieces, without those that say nothing."""
    tokenizer = piece_sums.tokenizer_of(vocabulary)
    encodings = tokenizer.encode_batch_fast([one.text for one in texts])
    ids = [one.ids[: piece_sums.MOST_PIECES] for one in encodings]
    lengths = np.array([len(each) for each in ids])
    pieces = np.fromiter((piece for each in ids for piece in each), np.int64, lengths.sum())
    used = says[pieces]
    left = np.bincount(np.repeat(np.arange(len(ids)), lengths)[used], minlength=len(ids))
    return _Cut(pieces[used], np.cumsum(left) - left)


def _counts(cut: _Cut, pieces: int) -> Longs:
    """In how many texts each piece is."""
    lengths = np.diff(cut.starts, append=len(cut.pieces))
    pairs = np.unique(np.repeat(np.arange(len(lengths)), lengths) * pieces + cut.pieces)
    return np.bincount(pairs % pieces, minlength=pieces)


def _learn(
    cut: _Cut,
    taught: Int8s,
    places: Longs,
    start: Singles,
    settings: EncoderSettings,
    say: Say,
) -> Singles:
    """The vectors of the pieces float32[pieces, 384], their weights in them."""
    import torch

    torch.manual_seed(settings.seed)
    counts = _counts(cut.of(places), len(start))
    first = np.log(settings.share / (settings.share + counts / len(places)))
    vectors = torch.nn.Parameter(torch.from_numpy(start.copy()))
    weights = torch.nn.Parameter(torch.from_numpy(first.astype(np.float32)))
    optimiser = torch.optim.Adam(
        [
            {"params": [vectors], "lr": settings.rate},
            {"params": [weights], "lr": settings.weight_rate},
        ]
    )
    steps = settings.rounds * -(-len(places) // settings.batch)
    falling = torch.optim.lr_scheduler.LambdaLR(optimiser, lambda step: max(0.0, 1 - step / steps))
    chance = np.random.default_rng(settings.seed)
    for each in range(settings.rounds):
        lost = []
        for batch in np.array_split(chance.permutation(places), -(-len(places) // settings.batch)):
            loss = _loss(vectors, weights, cut.of(batch), torch.from_numpy(taught[batch]), settings.pairs)
            optimiser.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            optimiser.step()
            falling.step()
            lost.append(loss.item())
        say(f"round {each + 1} of {settings.rounds}: loss {np.mean(lost):.4f}")
    learnt: Singles = (vectors * weights.exp()[:, None]).detach().numpy()
    return _completed(learnt, start, counts, settings.rare)


def _loss(
    vectors: "torch.Tensor", weights: "torch.Tensor", cut: _Cut, taught: "torch.Tensor", pairs: float
) -> "torch.Tensor":
    import torch
    from torch.nn import functional

    pieces = torch.from_numpy(cut.pieces)
    sums = functional.embedding_bag(
        pieces, vectors, torch.from_numpy(cut.starts), mode="sum", per_sample_weights=weights.exp()[pieces]
    )
    learnt = functional.normalize(sums)
    wanted = functional.normalize(taught.float())
    apart = (1 - (learnt * wanted).sum(1)).mean()
    return apart + pairs * functional.mse_loss(learnt @ learnt.T, wanted @ wanted.T)


def _completed(learnt: Singles, start: Singles, counts: Longs, rare: int) -> Singles:
    """A piece that no text has keeps the direction of its start, and gets the length of a rare one."""
    lengths = np.linalg.norm(learnt, axis=1)
    usual = float(np.median(lengths[(counts > 0) & (counts <= rare)]))
    units = start / np.maximum(np.linalg.norm(start, axis=1, keepdims=True), 1e-12)
    return np.where(counts[:, np.newaxis] > 0, learnt, units * usual).astype(np.float32)


def _figures(
    learnt: Singles,
    cut: _Cut,
    taught: Int8s,
    origins: Sequence[str],
    left_out: Bools,
    seed: int,
) -> dict[str, float]:
    """Of each origin the mean cosine to the teacher, and how pairs' cosines correlate with the teacher's."""
    figures: dict[str, float] = {}
    named = np.array(origins)
    for origin in ("all", *dict.fromkeys(origins)):
        places = np.flatnonzero(left_out & ((named == origin) if origin != "all" else True))
        if len(places) < _LEAST:
            continue
        ours, wanted = _sums(learnt, cut.of(places)), _units(taught[places].astype(np.float32))
        left, right = np.random.default_rng(seed).integers(0, len(places), (2, _PAIRS))
        other = left != right
        left, right = left[other], right[other]
        pairs = [(each[left] * each[right]).sum(axis=1) for each in (ours, wanted)]
        mark = origin.replace(" ", "_")
        figures[f"cosine_{mark}"] = round(float((ours * wanted).sum(axis=1).mean()), 4)
        figures[f"pairs_r_{mark}"] = round(float(np.corrcoef(*pairs)[0, 1]), 4)
    return figures


def _sums(learnt: Singles, cut: _Cut) -> Singles:
    ends = np.append(cut.starts[1:], len(cut.pieces))
    sums = np.zeros((len(cut.starts), WIDTH), np.float32)
    for place, (start, end) in enumerate(zip(cut.starts, ends, strict=True)):
        sums[place] = learnt[cut.pieces[start:end]].sum(axis=0)
    return _units(sums)


def _units(vectors: Singles) -> Singles:
    units: Singles = vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)
    return units
