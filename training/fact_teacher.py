"""MiniLM, fine-tuned to say which facts a record has: the teacher of the model that comes with Kindred.

It reads a record as ``title: ... | creator: ... | subject: ... | description: ... | date: ...``, up to 128
word pieces. The mean and the maximum of its last layer go to the logit of each category. It learns from the
records that readers read (:mod:`training.fact_labels`) and tells how likely each category is in others.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Final

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from features.arrays import Bools, Singles
from features.profiles.record_language import declared, language_of
from features.text.boilerplate import content_spans
from features.text.glosses import glossed
from features.text.minilm import open_network
from ingest.record import Field, Record, Value
from training.fact_labels import CATEGORIES, PRESENCE

_FIELDS: Final = (Field.TITLE, Field.CREATOR, Field.SUBJECT, Field.DESCRIPTION, Field.DATE)
_GLOSSED: Final = frozenset({Field.TITLE, Field.SUBJECT, Field.DESCRIPTION})
_ROUNDS: Final = 3
_BATCH: Final = 16
_READ: Final = 64
"""Texts that are read at once when nothing is learnt."""
_STEP: Final = 4
"""Texts are cut to a multiple of so many pieces, so that those of one batch are equally long."""
_ENCODER_RATE: Final = 8e-5
_HEADS_RATE: Final = 2e-3
_WARM: Final = 0.1
_KINDS_WEIGHT: Final = 0.3
"""What a kind or a group counts in the loss beside a presence."""

Say = Callable[[str], None]


def text_of(record: Record) -> str:
    """What the teacher reads of a record, with English words for what is in another language.

    >>> from ingest.record import values
    >>> text_of(Record(id="a", title=values("Brug"), creator=values("Jan Smit"), date=values("1890")))
    'title: Brug | creator: Jan Smit | date: 1890'
    """
    language = language_of(record)

    def written(field: Field, value: Value) -> str:
        spans = content_spans(value.text) if field == Field.DESCRIPTION else ((0, len(value.text)),)
        text = " ".join(value.text[start:end] for start, end in spans)
        return glossed(text, declared(value) or language) if field in _GLOSSED else text

    parts = ((field, "; ".join(written(field, value) for value in record.field(field))) for field in _FIELDS)
    return " | ".join(f"{field.value}: {text}" for field, text in parts if text)


class Teacher:
    """MiniLM with a logit for each category."""

    def __init__(self, seed: int = 1) -> None:
        """Load MiniLM; raises ``ResourceMissing`` where the extra is not installed."""
        torch.manual_seed(seed)
        self._network, self._tokenizer = open_network()
        self._heads = nn.Linear(2 * self._network.width, len(CATEGORIES))

    def learn(self, records: Sequence[Record], has: Bools, say: Say) -> None:
        """Learn from records that readers read, and what they have, bool[records, categories]."""
        pieces = self._pieces(records)
        wanted = torch.from_numpy(has.astype(np.float32))
        weights = torch.tensor([1.0 if name in PRESENCE else _KINDS_WEIGHT for name in CATEGORIES])
        encoder = self._network.layer_parameters()
        for each in encoder:
            each.requires_grad_()
        groups = [
            {"params": encoder, "lr": _ENCODER_RATE},
            {"params": list(self._heads.parameters()), "lr": _HEADS_RATE},
        ]
        optimizer = torch.optim.AdamW(groups, weight_decay=0.01, fused=True)
        steps = _ROUNDS * len(_batches(pieces, _BATCH))
        schedule = torch.optim.lr_scheduler.LambdaLR(
            optimizer, lambda step: min((step + 1) / (_WARM * steps), (steps - step) / ((1 - _WARM) * steps))
        )
        chance = np.random.default_rng(1)
        for number in range(_ROUNDS):
            losses = []
            batches = _batches(pieces, _BATCH, chance)
            for rows in batches:
                optimizer.zero_grad()
                logits = self._logits(pieces, rows)
                each = functional.binary_cross_entropy_with_logits(logits, wanted[rows], reduction="none")
                loss = (each * weights).mean(0).sum()
                loss.backward()  # type: ignore[no-untyped-call]
                optimizer.step()
                schedule.step()
                losses.append(loss.item())
            say(f"round {number + 1} of {_ROUNDS}: loss {np.mean(losses):.3f}")
        for each in encoder:
            each.requires_grad_(False)

    def tell(self, records: Sequence[Record]) -> Singles:
        """How likely each category is, float32[records, categories]."""
        pieces = self._pieces(records)
        likely = np.empty((len(records), len(CATEGORIES)), np.float32)
        with torch.inference_mode():
            for rows in _batches(pieces, _READ):
                likely[rows] = torch.sigmoid(self._logits(pieces, rows)).numpy()
        return likely

    def _pieces(self, records: Sequence[Record]) -> list[list[int]]:
        encoded = self._tokenizer.encode_batch([text_of(record) for record in records])
        return [text.ids[: max(_STEP, len(text.ids) // _STEP * _STEP)] for text in encoded]

    def _logits(self, pieces: Sequence[Sequence[int]], rows: Sequence[int]) -> Tensor:
        # half as long in 16 bits, where the processor knows them
        with torch.autocast("cpu", dtype=torch.bfloat16):
            states = self._network.states(torch.tensor([pieces[row] for row in rows])).float()
        logits: Tensor = self._heads(torch.cat([states.mean(1), states.amax(1)], dim=1))
        return logits


def _batches(
    pieces: Sequence[Sequence[int]], size: int, chance: np.random.Generator | None = None
) -> list[list[int]]:
    """Rows of equally long texts, at most ``size`` together; in a new order where there is ``chance``."""
    batches = list(_alike(pieces, size, chance))
    if chance is not None:
        chance.shuffle(batches)
    return batches


def _alike(
    pieces: Sequence[Sequence[int]], size: int, chance: np.random.Generator | None
) -> Iterator[list[int]]:
    lengths = np.array([len(own) for own in pieces])
    for length in np.unique(lengths):
        rows = np.flatnonzero(lengths == length)
        if chance is not None:
            chance.shuffle(rows)
        yield from (rows[at : at + size].tolist() for at in range(0, len(rows), size))
