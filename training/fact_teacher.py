"""MiniLM, fine-tuned to say which facts a record has: the teacher of the model that comes with Kindred.

It reads a record as ``title: ... | creator: ... | subject: ... | description: ... | date: ...``, up to 128
word pieces. The mean and the maximum of its last layer go to the logit of each category. It learns from the
records that readers read (:mod:`training.fact_labels`), beside the categories also which words readers rest
them on, and tells how likely each category is in others.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from features.arrays import Singles
from features.profiles.record_language import declared, language_of
from features.text.boilerplate import content_spans
from features.text.glosses import glossed
from features.text.minilm import open_network
from ingest.record import Field, Record, Value
from training.fact_labels import CATEGORIES, PRESENCE, TAGS, ReadRecords, TaggedText

if TYPE_CHECKING:
    from tokenizers import Encoding

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
_TAGS_WEIGHT: Final = 2.0
_UNKNOWN: Final = -100
_SHORTEST: Final = 3
_OFTEN: Final = 4
"""Words that readers rest a fact on are looked for so often in a text."""

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


def tagged_spans(text: str, tagged: Sequence[TaggedText]) -> list[tuple[int, int, int]]:
    """Where tagged words stand in a text, ``(start, end, tag)``, the longest first.

    >>> tagged_spans("title: The king | creator: King", [TaggedText("the King", 1), TaggedText("king", 4)])
    [(7, 15, 1), (11, 15, 4), (27, 31, 4)]
    """
    spans, small = list[tuple[int, int, int]](), text.lower()
    for words, tag in tagged:
        wanted = words.strip().lower()
        at = small.find(wanted) if len(wanted) >= _SHORTEST else -1
        for _ in range(_OFTEN):
            if at >= 0:
                spans.append((at, at + len(wanted), tag))
                at = small.find(wanted, at + 1)
    return sorted(spans, key=lambda span: span[0] - span[1])


class Teacher:
    """MiniLM with a logit for each category, and of each word piece for each tag."""

    def __init__(self, seed: int = 1) -> None:
        """Load MiniLM; raises ``ResourceMissing`` where the extra is not installed."""
        torch.manual_seed(seed)
        self._network, self._tokenizer = open_network()
        self._heads = nn.Linear(2 * self._network.width, len(CATEGORIES))
        self._tags = nn.Linear(self._network.width, len(TAGS))

    def learn(self, read: ReadRecords, say: Say) -> None:
        """Learn from records that readers read."""
        texts = [text_of(record) for record in read.records]
        encoded = self._tokenizer.encode_batch(texts)
        pieces, tags = _pieces(encoded), _wanted_tags(texts, encoded, read.tagged)
        wanted = torch.from_numpy(read.has.astype(np.float32))
        weights = torch.tensor([1.0 if name in PRESENCE else _KINDS_WEIGHT for name in CATEGORIES])
        encoder = self._network.layer_parameters()
        for each in encoder:
            each.requires_grad_()
        groups = [
            {"params": encoder, "lr": _ENCODER_RATE},
            {"params": [*self._heads.parameters(), *self._tags.parameters()], "lr": _HEADS_RATE},
        ]
        optimizer = torch.optim.AdamW(groups, weight_decay=0.01, fused=True)
        steps = _ROUNDS * len(_batches(pieces, _BATCH))
        schedule = torch.optim.lr_scheduler.LambdaLR(
            optimizer, lambda step: min((step + 1) / (_WARM * steps), (steps - step) / ((1 - _WARM) * steps))
        )
        chance = np.random.default_rng(1)
        for number in range(_ROUNDS):
            losses = []
            for rows in _batches(pieces, _BATCH, chance):
                optimizer.zero_grad()
                logits, of_pieces = self._logits(pieces, rows)
                each = functional.binary_cross_entropy_with_logits(logits, wanted[rows], reduction="none")
                own = torch.cat([tags[row] for row in rows])
                known = (own != _UNKNOWN).sum().clamp(min=1)
                of_tags = (
                    functional.cross_entropy(
                        of_pieces.reshape(-1, len(TAGS)), own, ignore_index=_UNKNOWN, reduction="sum"
                    )
                    / known
                )
                loss = (each * weights).mean(0).sum() + _TAGS_WEIGHT * of_tags
                loss.backward()  # type: ignore[no-untyped-call]
                optimizer.step()
                schedule.step()
                losses.append(loss.item())
            say(f"round {number + 1} of {_ROUNDS}: loss {np.mean(losses):.3f}")
        for each in encoder:
            each.requires_grad_(False)

    def tell(self, records: Sequence[Record]) -> Singles:
        """How likely each category is, float32[records, categories]."""
        pieces = _pieces(self._tokenizer.encode_batch([text_of(record) for record in records]))
        likely = np.empty((len(records), len(CATEGORIES)), np.float32)
        with torch.inference_mode():
            for rows in _batches(pieces, _READ):
                likely[rows] = torch.sigmoid(self._logits(pieces, rows)[0]).numpy()
        return likely

    def _logits(self, pieces: Sequence[Sequence[int]], rows: Sequence[int]) -> tuple[Tensor, Tensor]:
        # half as long in 16 bits, where the processor knows them
        with torch.autocast("cpu", dtype=torch.bfloat16):
            states = self._network.states(torch.tensor([pieces[row] for row in rows])).float()
        return self._heads(torch.cat([states.mean(1), states.amax(1)], dim=1)), self._tags(states)


def _pieces(encoded: Sequence["Encoding"]) -> list[list[int]]:
    return [text.ids[: _cut(len(text.ids))] for text in encoded]


def _wanted_tags(
    texts: Sequence[str], encoded: Sequence["Encoding"], tagged: Sequence[Sequence[TaggedText] | None]
) -> list[Tensor]:
    """The tag of each piece of each text; of words within others the shorter ones count.

    A text of which no words were written down has tags that nothing is learnt from.
    """
    wanted = []
    for text, pieces, own in zip(texts, encoded, tagged, strict=True):
        starts, ends = np.array(pieces.offsets[: _cut(len(pieces.ids))]).T
        tags = np.full(len(starts), _UNKNOWN if own is None else 0, np.int64)
        for start, end, tag in tagged_spans(text, own or ()):
            tags[(starts >= start) & (ends <= end) & (ends > starts)] = tag
        wanted.append(torch.from_numpy(tags))
    return wanted


def _cut(pieces: int) -> int:
    return max(_STEP, pieces // _STEP * _STEP)


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
