"""Trains the model of what records are about from readers' phrases.

Readers wrote down of single records in one to four phrases what each is about. The vector that the compact
sentence encoder has of these phrases is what the network of :mod:`features.facts.about` learns to make of the
words of the record. Collections are dealt out to divisions as those of the models of facts are, so that
there is for every museum a model that has learnt nothing from it; the model that comes with Kindred has
learnt from all.
"""

from collections.abc import Callable, Sequence, Set
from pathlib import Path
from typing import Final, cast

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from evaluation.fact_models import MUSEUMS, fact_models
from features.arrays import Rows, Singles
from features.facts.about import FOLDER, MOST_SALIENT, AboutManifest, AboutModel, AboutWeights, save
from features.facts.words import SIGNS
from features.knowledge.wordnet.reader import WordNet
from features.profiles.analysis import AnalysisSettings
from features.text import piece_sums
from features.text.sentence_vectors import WIDTH
from ingest.errors import UsageError
from ingest.storage.files import make_folder
from training.fact_labels import FactLine, fact_lines, fact_record
from training.fact_student import CHANNELS, beside, words_of
from training.fact_texts import StudentTexts, texts_of
from training.facts import WHOLE

_ROUNDS: Final = 8
_BATCH: Final = 64
_RATE: Final = 2e-3
_RATE_OF_PROJECTION: Final = 5e-4
"""It begins as what changes nothing, and is the larger part of the numbers."""
_WARM: Final = 100
_HIDDEN: Final = 0.2
_DECAY: Final = 0.02

Say = Callable[[str], None]


def train_about(
    shared: Path, out: Path, work: Path, wordnet: WordNet, *, analysis: AnalysisSettings, say: Say
) -> dict[str, float]:
    """Train the models of all divisions into ``out/divisions``, and that of all collections beside them.

    ``out`` is the folder of the models of facts: its ``divisions/museums.json`` says of which division each
    collection is, and each model lies beside the model of facts that has not seen these collections either.
    Gives the cosine to the vectors of readers' phrases in collections that nothing was learnt from: that of
    each, and the mean.

    Raises:
        ResourceMissing: WordNet is not installed.
        UnreadableFile: the readers' facts are not in ``shared``.
        UsageError: ``out`` does not say of which division a collection is.
    """
    lines = fact_lines(shared)
    folders = _folders(out / "divisions", {line.collection for line in lines})
    make_folder(work)
    records = [fact_record(line) for line in lines]
    texts, wanted = texts_of(records, work / "about.sqlite", wordnet, analysis), about_vectors(lines)
    collections = np.array([line.collection for line in lines])
    of = np.array([folder.name for folder in folders.values()])[np.searchsorted([*folders], collections)]
    given = np.empty_like(wanted)
    for folder in sorted(set(folders.values())):
        own = of == folder.name
        model = _fitted(texts, wanted, np.flatnonzero(~own))
        given[own] = model.read(texts.words)[own]
        save(folder / FOLDER, model)
        say(f"{folder.name}: the model is learnt")
    cosines = (given * wanted).sum(axis=1)
    figures = {name: round(float(cosines[collections == name].mean()), 4) for name in folders}
    mean = round(float(np.mean(list(figures.values()))), 4)
    save(out / WHOLE / FOLDER, _fitted(texts, wanted, np.arange(len(lines)), mean))
    return {"mean": mean, **figures}


def _folders(divisions: Path, collections: Set[str]) -> dict[str, Path]:
    """The folder of the model that must learn nothing from a collection, of each in order."""
    named = fact_models(divisions)
    if missing := sorted(collections - named.keys()):
        raise UsageError(
            f"{divisions / MUSEUMS} does not say of which division {missing[0]!r} is; python -m training"
            " facts writes it"
        )
    return {name: named[name] for name in sorted(collections)}


def about_vectors(lines: Sequence[FactLine]) -> Singles:
    """The mean of the unit vectors of each record's phrases, scaled to length 1; 0 where there are none.

    >>> lines = [FactLine("c", "1", {}, about=["bridge over a river"]), FactLine("c", "2", {})]
    >>> np.linalg.norm(about_vectors(lines), axis=1).round(3).tolist()
    [1.0, 0.0]
    """
    phrases = piece_sums.open_model().encode([phrase for line in lines for phrase in line.about])
    of = np.repeat(np.arange(len(lines)), [len(line.about) for line in lines])
    sums = np.zeros((len(lines), WIDTH), np.float32)
    np.add.at(sums, of, phrases)
    return cast("Singles", functional.normalize(torch.from_numpy(sums), dim=1).numpy())


def _fitted(texts: StudentTexts, wanted: Singles, used: Rows, cosine: float | None = None) -> AboutModel:
    """The model that learnt from some records."""
    used = used[wanted[used].any(axis=1)]
    manifest = AboutManifest(
        encoder=piece_sums.fingerprint(), channels=CHANNELS, records=len(used), cosine=cosine
    )
    return AboutModel(manifest, learn(texts, wanted, used))


class AboutStudent(nn.Module):
    """The network of :mod:`features.facts.about` while it learns, written for gradients."""

    def __init__(self) -> None:
        super().__init__()
        self.meaning = nn.Linear(WIDTH, CHANNELS)
        self.signs = nn.ModuleDict({name: nn.Embedding(size, CHANNELS) for name, size in SIGNS.items()})
        self.layer = nn.Linear(3 * CHANNELS, CHANNELS)
        self.salience = nn.Linear(CHANNELS, 1, bias=False)
        self.projection = nn.Linear(WIDTH, WIDTH, bias=False)
        self.hidden = nn.Dropout(_HIDDEN)
        for each in self.signs.values():
            nn.init.normal_(each.weight, std=0.1)  # type: ignore[arg-type]
        nn.init.eye_(self.projection.weight)

    def forward(self, texts: StudentTexts, records: Rows) -> Tensor:
        """Vectors of what some records are about, of any length."""
        words = texts.words
        rows, sizes = words_of(words, records)
        meanings = texts.vectors[torch.from_numpy(words.lemmas[rows])]
        states = self.meaning(meanings)
        for name, table in self.signs.items():
            states = states + table(torch.from_numpy(getattr(words, name)[rows]))
        states = self.hidden(functional.relu(states))
        joined = torch.from_numpy(words.joined[rows].astype(np.float32))[:, None]
        states = states + self.hidden(functional.relu(self.layer(beside(states, joined))))
        salience = self.salience(states).clamp(-MOST_SALIENT, MOST_SALIENT).exp()
        of = torch.from_numpy(np.repeat(np.arange(len(records)), sizes))
        sums = torch.zeros(len(records), WIDTH).index_add(0, of, meanings * salience)
        return self.projection(functional.normalize(sums, dim=1))  # type: ignore[no-any-return]

    def weights(self) -> AboutWeights:
        """The numbers as the model has them."""
        arrays = {
            "meaning": self.meaning.weight.T,
            **{name: cast("Tensor", table.weight) for name, table in self.signs.items()},
            "base": self.meaning.bias[None],
            "layer": self.layer.weight.T,
            "layer_base": self.layer.bias[None],
            "salience": self.salience.weight.T,
            "projection": self.projection.weight.T,
        }
        halves = {name: each.detach().numpy().astype(np.float16) for name, each in arrays.items()}
        return AboutWeights(**halves)


def learn(texts: StudentTexts, wanted: Singles, used: Rows, seed: int = 1) -> AboutWeights:
    """What a network learns of the unit vectors ``wanted`` float32[records, 384] of the ``used`` records."""
    torch.manual_seed(seed)
    chance, student, targets = np.random.default_rng(seed), AboutStudent(), torch.from_numpy(wanted)
    projection = student.projection.weight
    rest = [each for each in student.parameters() if each is not projection]
    groups = [{"params": rest, "lr": _RATE}, {"params": [projection], "lr": _RATE_OF_PROJECTION}]
    optimizer = torch.optim.AdamW(groups, weight_decay=_DECAY)
    steps = _ROUNDS * -(-len(used) // _BATCH)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min((step + 1) / _WARM, (steps - step) / steps)
    )
    for _ in range(_ROUNDS):
        order = chance.permutation(used)
        for at in range(0, len(order), _BATCH):
            records = order[at : at + _BATCH]
            cosines = functional.cosine_similarity(student(texts, records), targets[records], dim=1)
            optimizer.zero_grad()
            (1 - cosines).mean().backward()  # type: ignore[no-untyped-call]
            optimizer.step()
            schedule.step()
    student.eval()
    return student.weights()
