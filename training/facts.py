"""Trains the model of facts: from readers' facts, and from what a teacher says of more records.

Collections are dealt out to four divisions. For each of them, and for none, a teacher
(:mod:`training.fact_teacher`) learns from the records that readers read in the other divisions, and tells of
a sample of their collections what each record has. The model learns from both, by logistic regression. So
there is for every museum a model that has learnt nothing from it: it is measured by these, and the systems
that use it are trained and measured with their values. The model that comes with Kindred has learnt from all.
"""

import json
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
import torch
from msgspec.structs import replace
from torch import Tensor
from torch.nn import functional

from evaluation.fact_models import MUSEUMS
from features.arrays import Bools, Doubles, Int8s, Rows, Singles
from features.facts.model import FactsManifest, FactsModel, FactsWeights, Signals, save
from features.knowledge.resources import Resources
from features.measures.fact_signals import SignalsReader, sign_names
from features.profiles.analysis import AnalysisSettings, Models, analyse_pending, fingerprint
from features.profiles.blocks import SIZE, Block
from features.profiles.profile import decode
from features.text import sentences
from features.text.sentences import EncoderName
from ingest.catalogue import Catalogue
from ingest.mapping import Mapping as RecordMapping
from ingest.record import Field, Record
from ingest.storage.files import make_folder, whole_file, write_whole
from training.corpora import read_rows
from training.fact_labels import CATEGORIES, PRESENCE, ReadRecords, divisions, read_records
from training.fact_teacher import Teacher

WHOLE: Final = "whole"
"""What learns from all collections."""

_SAMPLED: Final = 1200
"""Records of each file that the teacher reads, at most."""
_OF_TRAIN: Final = ("tate", "teenie", "cmoa", "tna")
"""Files of records that are one collection in the readers' facts, ``train``."""
_LEAST: Final = 6
"""A word is known that stands in so many records, of two collections at least."""
_READ_WEIGHT: Final = 2.0
"""What a record that a reader read counts beside one that the teacher read."""
_LIKELY: Final = 0.5
_FEW: Final = 2
_RIDGE: Final = 4.0
_STEPS: Final = 60
_VECTOR_SCALE: Final = 1.5
_TERM_SCALE: Final = 0.35
"""By these scales the ridge finds it less dear to use vectors than single words."""

Say = Callable[[str], None]


class Sampled(NamedTuple):
    """Records of all collections, and of which collection each is."""

    collections: tuple[str, ...]
    records: tuple[Record, ...]


def train_facts(
    shared: Path,
    out: Path,
    work: Path,
    mappings: Mapping[str, RecordMapping],
    resources: Resources,
    encoders: Sequence[EncoderName],
    *,
    analysis: AnalysisSettings,
    say: Say,
) -> dict[str, float]:
    """Train the models of all divisions into ``out/divisions``, and those of all collections beside it.

    Gives the mean AUC of each category of presence over collections that nothing was learnt from.

    Raises:
        ResourceMissing: MiniLM or WordNet is not installed.
        UnreadableFile: the readers' facts are not in ``shared``.
    """
    read, sampled = read_records(shared), sample(shared, mappings)
    division_of = divisions(read.collections)
    names = (*sorted(set(division_of.values())), WHOLE)
    taught = {name: _soft_targets(name, division_of, read, sampled, work, say) for name in names}
    figures: dict[str, float] = {}
    for encoder in encoders:
        material = _Material(
            read, sampled, division_of, _Features(read, sampled, encoder, work, resources, analysis)
        )
        likely = np.empty((len(read.records), len(CATEGORIES)))
        for name in names[:-1]:
            model, rows = material.fitted(name, taught[name], {}), material.of_division(name)
            likely[rows] = material.predicted(model, rows)
            save(out / "divisions" / encoder / name, model)
        auc = areas(read, likely)
        say(table(read, likely))
        save(out / encoder, material.fitted(WHOLE, taught[WHOLE], auc))
        write_whole(out / "divisions" / encoder / MUSEUMS, json.dumps(division_of, indent=1).encode())
        figures |= {f"{name}_{encoder}": value for name, value in auc.items()}
    return figures


def sample(shared: Path, mappings: Mapping[str, RecordMapping]) -> Sampled:
    """Some records of each file of ``data/records``; the same for the same files."""
    folder = shared / "data" / "records"
    collections, records = list[str](), list[Record]()
    for path in [*sorted(folder.glob("*.jsonl.gz")), *sorted((folder / "museums").glob("*.jsonl.gz"))]:
        name = path.name.partition(".")[0]
        rows = list(read_rows(path))
        chosen = random.Random(1).sample(rows, min(_SAMPLED, len(rows)))  # noqa: S311 - a sample, no secret
        mapping = mappings.get(name, mappings["dublin-core"])
        for place, row in enumerate(chosen):
            record = mapping.apply(row)
            collections.append("train" if name in _OF_TRAIN else name)
            # as readers saw them: nothing that the museum indexes apart from the six fields
            own = Record(id=f"{name} {place}")
            records.append(replace(own, **{field.value: record.field(field) for field in Field}))
    return Sampled(tuple(collections), tuple(records))


def _soft_targets(
    name: str, division_of: Mapping[str, str], read: ReadRecords, sampled: Sampled, work: Path, say: Say
) -> Singles:
    """What the teacher of a division says of the sampled records of others, float32[records, categories]."""
    path = work / f"told-{name}.npy"
    if path.exists():
        stored: Singles = np.load(path, allow_pickle=False)
        return stored
    make_folder(work)
    own = read.some(_outside(name, division_of, read.collections))
    say(f"{name}: the teacher learns from {len(own.records):,} records")
    teacher = Teacher()
    teacher.learn(own.records, own.has, say)
    rows = _outside(name, division_of, sampled.collections)
    targets = np.full((len(sampled.records), len(CATEGORIES)), np.nan, np.float32)
    targets[rows] = teacher.tell([sampled.records[row] for row in rows])
    with whole_file(path) as file:
        np.save(file, targets, allow_pickle=False)
    return targets


def _outside(name: str, division_of: Mapping[str, str], collections: Sequence[str]) -> Rows:
    return np.flatnonzero([division_of[one] != name for one in collections])


class _Features:
    """What the model is told of the records: of those that readers read, then of the sampled ones."""

    def __init__(
        self,
        read: ReadRecords,
        sampled: Sampled,
        encoder: EncoderName,
        work: Path,
        resources: Resources,
        analysis: AnalysisSettings,
    ) -> None:
        # of the readers' records some have one id, cut at a blank
        every = enumerate((*read.records, *sampled.records))
        records = [replace(record, id=str(place)) for place, record in every]
        models = Models(encoder=encoder)
        with Catalogue(work / f"records-{encoder}.sqlite") as catalogue:
            catalogue.put_many(records)
            analyse_pending(catalogue, models, analysis, lambda _: None)
            profiles = dict(catalogue.profiles(fingerprint(models)))
        self.encoder = encoder
        self._reader = SignalsReader(resources)
        self._blocks = [
            Block([decode(profiles[record.id]) for record in records[at : at + SIZE]])
            for at in range(0, len(records), SIZE)
        ]

    def vocabulary(self, collections: Sequence[str], used: Bools) -> tuple[str, ...]:
        """The words that enough of the used records have, in alphabetical order."""
        numbers = {name: number for number, name in enumerate(dict.fromkeys(collections))}
        of = np.array([numbers[name] for name in collections])
        records: dict[str, int] = {}
        museums: dict[str, set[int]] = {}
        for first, block in self._each():
            terms = self._reader.terms(block)
            for item, number in zip(terms.items.tolist(), terms.numbers.tolist(), strict=True):
                if used[first + item]:
                    word = terms.words[number]
                    records[word] = records.get(word, 0) + 1
                    museums.setdefault(word, set()).add(int(of[first + item]))
        return tuple(
            sorted(word for word, count in records.items() if count >= _LEAST and len(museums[word]) > 1)
        )

    def signals(self, vocabulary: Sequence[str]) -> Signals:
        """What is known of all records."""
        known = {word: row for row, word in enumerate(vocabulary)}
        parts = [(first, self._reader.signals(block, known)) for first, block in self._each()]
        rows = [part.records + first for first, part in parts]
        content, every, signs = (np.concatenate([part[n] for _, part in parts]) for n in range(3))
        terms = np.concatenate([part.terms for _, part in parts])
        return Signals(content, every, signs, np.concatenate(rows), terms)

    def _each(self) -> Iterator[tuple[int, Block]]:
        return ((number * SIZE, block) for number, block in enumerate(self._blocks))


class _Material:
    """All that models are learnt from."""

    def __init__(
        self, read: ReadRecords, sampled: Sampled, division_of: Mapping[str, str], features: _Features
    ) -> None:
        self._read, self._features = read, features
        self._collections = (*read.collections, *sampled.collections)
        self._division_of = division_of
        self._divisions = np.array([division_of[name] for name in self._collections])

    def of_division(self, name: str) -> Rows:
        """The records that readers read of a division."""
        return np.flatnonzero(self._divisions[: len(self._read.records)] == name)

    def predicted(self, model: FactsModel, rows: Rows) -> Doubles:
        """What a model says of records that readers read."""
        likely: Doubles = model.likely(self._features.signals(model.words)).astype(np.float64)
        return likely[rows]

    def fitted(self, name: str, taught: Singles, auc: Mapping[str, float]) -> FactsModel:
        """The model that learnt nothing from a division."""
        used = self._divisions != name
        vocabulary = self._features.vocabulary(self._collections, used)
        signals = self._features.signals(vocabulary)
        wanted = np.vstack([self._read.has.astype(np.float32), taught])
        weights = np.ones(len(wanted), np.float32)
        weights[: len(self._read.records)] = _READ_WEIGHT
        numbers = fit(signals, len(vocabulary), wanted, np.where(used, weights, 0).astype(np.float32))
        shares = np.average(wanted[used], axis=0, weights=weights[used])
        manifest = FactsManifest(
            encoder=sentences.fingerprint(self._features.encoder),
            categories=CATEGORIES,
            signs=sign_names(),
            frequencies=tuple(round(float(share), 6) for share in shares),
            records=int(used.sum()),
            auc=dict(auc),
        )
        return FactsModel(manifest, vocabulary, numbers)


def fit(signals: Signals, words: int, wanted: Singles, weights: Singles) -> FactsWeights:
    """Logistic regressions on what may be shares, float32[records, categories]; weights float32[records]."""
    used = np.flatnonzero(weights)
    place = np.full(len(weights), -1)
    place[used] = np.arange(len(used))
    dense = [_unit(signals.content[used]), _unit(signals.every[used])]
    wide = torch.from_numpy(np.hstack([*dense, signals.signs[used].astype(np.float32)]))
    wide[:, : wide.shape[1] - signals.signs.shape[1]] *= _VECTOR_SCALE
    rows = place[signals.records]
    at = torch.from_numpy(np.stack([rows[rows >= 0], signals.terms[rows >= 0]]))
    scale = torch.full((at.shape[1],), _TERM_SCALE)
    terms = torch.sparse_coo_tensor(at, scale, (len(used), words), check_invariants=True).coalesce()
    targets, shares = torch.from_numpy(wanted[used]), torch.from_numpy(weights[used])[:, None]
    slopes = torch.zeros(wide.shape[1], targets.shape[1], requires_grad=True)
    of_terms = torch.zeros(words, targets.shape[1], requires_grad=True)
    base = torch.zeros(targets.shape[1], requires_grad=True)
    optimizer = torch.optim.LBFGS(
        [slopes, of_terms, base], max_iter=_STEPS, history_size=8, line_search_fn="strong_wolfe"
    )

    def loss() -> Tensor:
        optimizer.zero_grad()
        logits = wide @ slopes + torch.sparse.mm(terms, of_terms) + base
        each = functional.binary_cross_entropy_with_logits(logits, targets, reduction="none")
        total = (shares * each).sum() + _RIDGE / 2 * (slopes.square().sum() + of_terms.square().sum())
        total.backward()  # type: ignore[no-untyped-call]
        return total

    optimizer.step(loss)  # type: ignore[no-untyped-call]
    learnt = slopes.detach().numpy()
    vectors = learnt[: 2 * dense[0].shape[1]] * _VECTOR_SCALE
    halves = (
        vectors,
        learnt[len(vectors) :],
        of_terms.detach().numpy() * _TERM_SCALE,
        base.detach().numpy()[None],
    )
    return FactsWeights(*(each.astype(np.float16) for each in halves))


def _unit(vectors: Int8s) -> Singles:
    numbers = vectors.astype(np.float32)
    lengths = np.linalg.norm(numbers, axis=1, keepdims=True)
    units: Singles = np.divide(numbers, lengths, out=np.zeros_like(numbers), where=lengths > 0)
    return units


def areas(read: ReadRecords, likely: Doubles) -> dict[str, float]:
    """The mean AUC of each category of presence, over collections with some records of either kind.

    A category of which no collection has both is left out.
    """
    of_collections = by_collection(read, likely).values()
    every = {name: [own[name].auc for own in of_collections if name in own] for name in PRESENCE}
    return {name: round(float(np.mean(own)), 4) for name, own in every.items() if own}


class Accuracy(NamedTuple):
    """How well a category is predicted: AUC, and F1 of those that are likelier than not."""

    auc: float
    f1: float


def by_collection(read: ReadRecords, likely: Doubles) -> dict[str, dict[str, Accuracy]]:
    """Each presence in each collection that has more than two records with it and more than two without."""
    from sklearn.metrics import f1_score, roc_auc_score

    collections = np.array(read.collections)
    figures = {}
    for collection in sorted(set(read.collections)):
        rows = np.flatnonzero(collections == collection)
        has, own = read.has[rows], likely[rows]
        figures[collection] = {
            name: Accuracy(
                float(roc_auc_score(has[:, column], own[:, column])),
                float(f1_score(has[:, column], own[:, column] > _LIKELY)),
            )
            for column, name in enumerate(PRESENCE)
            if min(has[:, column].sum(), (~has[:, column]).sum()) > _FEW
        }
    return figures


def table(read: ReadRecords, likely: Doubles) -> str:
    """The same as Markdown: AUC and F1."""
    lines = [
        f"| collection | records | {' | '.join(PRESENCE)} |",
        f"| --- | ---: |{' --- |' * len(PRESENCE)}",
    ]
    for collection, own in by_collection(read, likely).items():
        cells = [f"{own[name].auc:.2f} {own[name].f1:.2f}" if name in own else "" for name in PRESENCE]
        lines.append(f"| {collection} | {read.collections.count(collection)} | {' | '.join(cells)} |")
    return "\n".join([*lines, ""])
