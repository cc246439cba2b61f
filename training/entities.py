"""The entity tagger: Stanza's network, trained on news, web, Wikipedia and museum sentences together.

The loop is Kindred's own: see `schedule.py`.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from training.augment import Names, capitalised, renamed, shouted
from training.corpora import Labelled, read_bio, to_bioes
from training.quiet import repeatable
from training.schedule import Average, set_rate
from training.sources import TrainingSources

Untyped = Any  # Stanza declares no types


@dataclass(frozen=True, slots=True)
class EntitySettings:
    """What was tried and kept; see the model card for what was not."""

    steps: int = 3200
    rate: float = 0.003
    batch_words: int = 500
    hidden: int = 128
    characters: int = 50
    dropout: float = 0.4
    averaging: float = 0.998
    evaluate_every: int = 250
    museum_copies: int = 2
    renamed_copies: int = 4
    titled_share: float = 0.15
    seed: int = 1


def web_sentences(sources: TrainingSources) -> list[Labelled]:
    """Give the training sentences of the public corpora."""
    uner = read_bio(sources.uner / "en_ewt-ud-train.OLDER-COMMIT.iob2", 1, 2)
    wnut = read_bio(sources.wnut / "train" / "wnut17train.conll", 0, 1)
    return [*uner, *read_bio(sources.wikigold, 0, 1), *wnut]


def uner(sources: TrainingSources, part: str) -> list[Labelled]:
    """Give UNER's own dev or test sentences."""
    return list(read_bio(sources.uner / f"en_ewt-ud-{part}.iob2", 1, 2))


def blend(
    web: list[Labelled], museum: list[Labelled], names: Names, settings: EntitySettings
) -> list[Labelled]:
    """Mix the corpora and their variations; the order is left to the batches."""
    chance = random.Random(settings.seed)  # noqa: S311 (variation, not secrecy)
    museum = list(dict.fromkeys(museum))  # boilerplate once
    blended = web + museum * settings.museum_copies
    for _ in range(settings.renamed_copies):
        blended += [renamed(s, names, chance) for s in museum if set(s.labels) != {"O"}]
    named = [s for s in blended if set(s.labels) != {"O"}]
    blended += [capitalised(s) for s in blended if chance.random() < settings.titled_share]
    blended += [shouted(s) for s in named if chance.random() < 0.04]
    return blended


def train_entities(
    blended: Sequence[Labelled],
    own_words: Sequence[Labelled],
    dev: dict[str, list[Labelled]],
    vectors: Path,
    work: Path,
    settings: EntitySettings,
) -> Path:
    """Train; keep the averaged weights that do best on the mean of the dev scores."""
    path = work / "entities.pt"
    with repeatable(work / "entities.log", settings.seed), (work / "entities.scores").open("w") as log:
        trainer = _trainer(blended, own_words, vectors, settings)
        batches = _Batches(blended, trainer.vocab, trainer.args, settings)
        tests = {name: _loader(part, trainer.vocab, trainer.args) for name, part in dev.items()}
        average = Average(trainer.model, settings.averaging)
        best = -1.0
        for step in range(1, settings.steps + 1):
            set_rate([trainer.optimizer], step, settings.steps, settings.rate)
            trainer.update(batches.next())
            average.take(trainer.model, step)
            if step % settings.evaluate_every == 0:
                own = average.exchange(trainer.model)
                scores = {name: score(trainer, test, dev[name]) for name, test in tests.items()}
                mean = sum(scores.values()) / len(scores)
                log.write(f"{step}\t{mean:.4f}\t{scores}\n")
                log.flush()
                if mean > best:
                    best = mean
                    trainer.save(str(path))
                trainer.model.load_state_dict(own)
    return path


def score(trainer: Untyped, loader: Untyped, gold: Sequence[Labelled]) -> float:
    """Give the F1 of whole entities."""
    from stanza.models.ner.scorer import score_by_entity

    predicted = [labels for batch in loader for labels in trainer.predict(batch)]
    return float(score_by_entity(predicted, [list(to_bioes(s.labels)) for s in gold], verbose=False)[2])


def _document(sentences: Sequence[Labelled]) -> Untyped:
    from stanza.models.common.doc import Document

    rows = [
        [{"text": w, "ner": n} for w, n in zip(s.words, to_bioes(s.labels), strict=True)] for s in sentences
    ]
    return Document(rows)


def _loader(sentences: Sequence[Labelled], vocab: Untyped, args: dict[str, Any]) -> Untyped:
    from stanza.models.ner.data import DataLoader

    return DataLoader(_document(sentences), 64, args, vocab=vocab, evaluation=True)


def _trainer(
    blended: Sequence[Labelled], own_words: Sequence[Labelled], vectors: Path, s: EntitySettings
) -> Untyped:
    """Build the network; only words of real sentences get a vector of their own beside the shipped one."""
    from stanza.models import ner_tagger
    from stanza.models.common.pretrain import Pretrain
    from stanza.models.ner.data import DataLoader
    from stanza.models.ner.trainer import Trainer
    from stanza.models.pos.vocab import WordVocab

    pretrain = Pretrain(str(vectors), save_to_file=False)
    args = ner_tagger.parse_args(
        [
            *(
                "--cpu",
                "--mode",
                "train",
                "--shorthand",
                "en_museum",
                "--scheme",
                "bioes",
                "--seed",
                str(s.seed),
            ),
            *("--hidden_dim", str(s.hidden), "--char_hidden_dim", str(s.characters), "--char_emb_dim", "25"),
            *("--dropout", str(s.dropout), "--word_dropout", "0.05", "--optim", "adam", "--lr", str(s.rate)),
            *("--word_emb_dim", str(pretrain.emb.shape[1])),
        ]
    )
    vocab = DataLoader(_document(blended), 32, args, pretrain).vocab
    known = [
        [(w,) for w in sentence.words if w.lower() in pretrain.vocab] for sentence in dict.fromkeys(own_words)
    ]
    vocab["delta"] = WordVocab(known, "en_museum", cutoff=2, lower=True)
    return Trainer(args=args, vocab=vocab, pretrain=pretrain, device="cpu")


class _Batches:
    """Endless batches of alike lengths: a long sentence among short ones would make them all long."""

    _POOL: Final = 1024

    def __init__(
        self, sentences: Sequence[Labelled], vocab: Untyped, args: dict[str, Any], settings: EntitySettings
    ) -> None:
        from stanza.models.ner.data import DataLoader

        self._loader = DataLoader(_document(sentences), 32, args, vocab=vocab)
        self._items = [item for chunk in self._loader.data for item in chunk]
        self._words = settings.batch_words
        self._chance = random.Random(settings.seed)  # noqa: S311 (an order, not a secret)
        self._waiting: list[list[Any]] = []

    def next(self) -> Untyped:
        if not self._waiting:
            self._refill()
        self._loader.data = [self._waiting.pop()]
        return self._loader[0]

    def _refill(self) -> None:
        self._chance.shuffle(self._items)
        for begin in range(0, len(self._items), self._POOL):
            batch: list[Any] = []
            for item in sorted(self._items[begin : begin + self._POOL], key=lambda item: len(item[0])):
                if batch and (len(batch) + 1) * len(item[0]) > self._words:
                    self._waiting.append(batch)
                    batch = []
                batch.append(item)
            self._waiting.append(batch)
        self._chance.shuffle(self._waiting)
