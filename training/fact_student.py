"""The student of the teacher of facts: the network that comes with Kindred, while it learns.

It is the network of :mod:`features.facts.network`, written for gradients. It learns from records that readers
read and from what the teacher says of others. A tenth of the channels, and one known word in six, are hidden
at every step, so that it does not rest on single words.
"""

from collections.abc import Sequence
from typing import Final, cast

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from features.arrays import Longs, Rows, Singles
from features.facts.network import FactsWeights
from features.facts.words import SIGNS, FactWords
from features.text.sentence_vectors import WIDTH
from training.fact_labels import CATEGORIES, PRESENCE
from training.fact_texts import StudentTexts

CHANNELS: Final = 64
_ROUNDS: Final = 6
_BATCH: Final = 128
_RATE: Final = 2e-3
_WARM: Final = 200
_HIDDEN: Final = 0.2
_WORDS_HIDDEN: Final = 0.15
_DECAY: Final = 0.01
_DECAY_OF_WORDS: Final = 0.1
_KINDS_WEIGHT: Final = 0.3
"""What a kind or a group counts in the loss beside a presence."""


class Student(nn.Module):
    """The network with a base, a word and a layer as its tensors; row 0 of the words is for unknown ones."""

    def __init__(self, known: int) -> None:
        super().__init__()
        self.meaning = nn.Linear(WIDTH, CHANNELS)
        self.words = nn.Embedding(known + 1, CHANNELS, padding_idx=0)
        self.signs = nn.ModuleDict({name: nn.Embedding(size, CHANNELS) for name, size in SIGNS.items()})
        self.first, self.second = (nn.Linear(3 * CHANNELS, CHANNELS) for _ in range(2))
        self.answers = nn.Linear(3 * CHANNELS, len(CATEGORIES))
        self.hidden = nn.Dropout(_HIDDEN)
        nn.init.normal_(self.words.weight, std=0.02)
        with torch.no_grad():
            self.words.weight[0] = 0
        for each in self.signs.values():
            nn.init.normal_(each.weight, std=0.1)  # type: ignore[arg-type]

    def forward(self, texts: StudentTexts, records: Rows, known: Tensor) -> Tensor:
        """The logits of some records; ``known`` has the row of each term among the words."""
        words = texts.words
        rows, sizes = words_of(words, records)
        forms, lemmas = (torch.from_numpy(each[rows]) for each in (words.forms, words.lemmas))
        states = self.meaning((texts.vectors[forms] + texts.vectors[lemmas]) / 2)
        if self.training:
            seen = (torch.rand(len(rows)) > _WORDS_HIDDEN).long()
            states = states + self.words(known[lemmas] * seen)
        else:
            states = states + self.words(known[lemmas])
        for name, table in self.signs.items():
            states = states + table(torch.from_numpy(getattr(words, name)[rows]))
        states = self.hidden(functional.relu(states))
        joined = torch.from_numpy(words.joined[rows].astype(np.float32))[:, None]
        for layer in (self.first, self.second):
            states = states + self.hidden(functional.relu(layer(beside(states, joined))))
        of = torch.from_numpy(np.repeat(np.arange(len(records)), sizes))
        titles = torch.from_numpy(words.titles[rows].astype(np.float32))[:, None]
        return self.answers(_pools(states, of, titles, torch.from_numpy(sizes)))  # type: ignore[no-any-return]

    def weights(self) -> FactsWeights:
        """The numbers as the model has them."""
        arrays = {
            "meaning": self.meaning.weight.T,
            "words": self.words.weight[1:],
            **{name: cast("Tensor", table.weight) for name, table in self.signs.items()},
            "base": self.meaning.bias[None],
            "first": self.first.weight.T,
            "first_base": self.first.bias[None],
            "second": self.second.weight.T,
            "second_base": self.second.bias[None],
            "answers": self.answers.weight.T,
            "intercepts": self.answers.bias[None],
        }
        halves = {name: each.detach().numpy().astype(np.float16) for name, each in arrays.items()}
        return FactsWeights(**halves)


def words_of(words: FactWords, records: Rows) -> tuple[Rows, Longs]:
    """The rows of the words of some records, one record after the other, and how many each has."""
    sizes = words.starts[records + 1] - words.starts[records]
    rows = np.repeat(words.starts[records] - np.cumsum(sizes) + sizes, sizes) + np.arange(sizes.sum())
    return rows, sizes


def beside(states: Tensor, joined: Tensor) -> Tensor:
    """Of each word what is known of the word before, of itself and of the word behind, in the same value.

    ``joined`` [words, 1] is 1 where the word before stands in the same value, else 0.

    >>> states, joined = torch.tensor([[1.0], [2.0], [3.0]]), torch.tensor([[0.0], [1.0], [0.0]])
    >>> beside(states, joined).tolist()
    [[0.0, 1.0, 2.0], [1.0, 2.0, 0.0], [0.0, 3.0, 0.0]]
    """
    none = torch.zeros(1, states.shape[1])
    before = torch.cat([none, states[:-1]]) * joined
    behind = torch.cat([states[1:] * joined[1:], none])
    return torch.cat([before, states, behind], 1)


def _pools(states: Tensor, of: Tensor, titles: Tensor, sizes: Tensor) -> Tensor:
    none = torch.zeros(len(sizes), CHANNELS)
    where = of[:, None].expand(-1, CHANNELS)
    largest = none.scatter_reduce(0, where, states, "amax")
    mean = none.index_add(0, of, states) / sizes.clamp(min=1)[:, None]
    return torch.cat([largest, mean, none.scatter_reduce(0, where, states * titles, "amax")], 1)


def learn(
    texts: StudentTexts, vocabulary: Sequence[str], wanted: Singles, weights: Singles, seed: int = 1
) -> FactsWeights:
    """What a network learns of ``wanted`` shares float32[records, categories], each record with its weight.

    A record of weight 0 is not looked at.
    """
    torch.manual_seed(seed)
    chance, student = np.random.default_rng(seed), Student(len(vocabulary))
    row_of = {word: row for row, word in enumerate(vocabulary, 1)}
    known = torch.tensor([row_of.get(term, 0) for term in texts.words.terms])
    used = np.flatnonzero(weights)
    of_words = student.words.weight
    rest = [each for each in student.parameters() if each is not of_words]
    groups = [
        {"params": rest, "weight_decay": _DECAY},
        {"params": [of_words], "weight_decay": _DECAY_OF_WORDS},
    ]
    optimizer = torch.optim.AdamW(groups, lr=_RATE)
    steps = _ROUNDS * -(-len(used) // _BATCH)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min((step + 1) / _WARM, (steps - step) / steps)
    )
    targets, shares = torch.from_numpy(wanted), torch.from_numpy(weights)
    counts = torch.tensor([1.0 if name in PRESENCE else _KINDS_WEIGHT for name in CATEGORIES])
    for _ in range(_ROUNDS):
        order = chance.permutation(used)
        for at in range(0, len(order), _BATCH):
            records = order[at : at + _BATCH]
            logits = student(texts, records, known)
            each = functional.binary_cross_entropy_with_logits(logits, targets[records], reduction="none")
            loss = ((each * counts).sum(1) * shares[records]).mean()
            optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            optimizer.step()
            schedule.step()
    student.eval()
    return student.weights()
