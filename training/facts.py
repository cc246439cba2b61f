"""Trains the model of facts: from readers' facts, and from what a teacher says of more records.

Collections are dealt out to four divisions. For each of them a teacher (:mod:`training.fact_teacher`) learns
from the records that readers read in the other divisions, and tells of a sample of their collections what
each record has. The model learns from both (:mod:`training.fact_student`). So there is for every museum a
model that has learnt nothing from it: it is measured by these, and the systems that use it are trained and
measured with their values. The model that comes with Kindred has learnt from all collections, and of a
sampled record from all teachers that tell of it: the mean of their logits.
"""

import json
import random
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from evaluation.fact_models import MUSEUMS
from features.arrays import Bools, Doubles, Rows, Singles
from features.facts.model import FactsManifest, FactsModel, save
from features.facts.words import FactWords
from features.knowledge.resources import Resources
from features.profiles.analysis import AnalysisSettings
from features.text import piece_sums
from ingest.mapping import Mapping as RecordMapping
from ingest.record import Record
from ingest.storage.files import make_folder, whole_file, write_whole
from training.corpora import read_rows
from training.fact_labels import CATEGORIES, PRESENCE, ReadRecords, divisions, joined, read_records
from training.fact_student import CHANNELS, learn
from training.fact_teacher import Teacher
from training.fact_texts import texts_of
from training.labelled_facts import LABELS, labelled_records
from training.record_files import collection_of, files, mapped, path_of

WHOLE: Final = "whole"
"""What learns from all collections."""

_SAMPLED: Final = 1200
"""Records of each file that the teacher reads, at most."""
_LEAST: Final = 6
"""A word is known that stands in so many records, of two collections at least."""
_READ_WEIGHT: Final = 4.0
"""What a record that a reader read counts beside one that the teacher read."""
_LIKELY: Final = 0.5
_FEW: Final = 2
_NETWORKS: Final = 3
"""Networks of a model, from other beginnings: their mean errs less than each."""
_LEAST_SHARE: Final = 1e-6
_SELDOM: Final = 0.002
_FAR: Final = 4.0
"""How far an intercept moves at most."""
_HALVINGS: Final = 20

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
    *,
    analysis: AnalysisSettings,
    say: Say,
    labels: Path = LABELS,
) -> dict[str, float]:
    """Train the models of all divisions into ``out/divisions``, and those of all collections beside it.

    Gives the mean AUC of each category of presence over collections that nothing was learnt from, measured on
    the readers' facts of ``shared``; ``labels`` has those of more records, in short.

    Raises:
        ResourceMissing: MiniLM or WordNet is not installed.
        UnreadableFile: the readers' facts, or the records of ``labels``, are not in ``shared``.
    """
    whole = read_records(shared)
    read = joined(whole, labelled_records(shared, mappings, labels))
    sampled = sample(shared, mappings)
    division_of = divisions(read.collections)
    names = sorted(set(division_of.values()))
    taught = {name: _soft_targets(name, division_of, read, sampled, work, say) for name in names}
    material = _Material(read, sampled, division_of, work, resources, analysis)
    likely = np.empty((len(read.records), len(CATEGORIES)))
    for name in names:
        model, rows = material.fitted(name, taught[name], {}), material.of_division(name)
        likely[rows] = material.predicted(model, rows)
        save(out / "divisions" / name, model)
        say(f"{name}: the model is learnt")
    auc = areas(whole, likely[: len(whole.records)])
    say(table(whole, likely[: len(whole.records)]))
    save(out / WHOLE, material.fitted(WHOLE, together(list(taught.values())), auc))
    write_whole(out / "divisions" / MUSEUMS, json.dumps(division_of, indent=1).encode())
    return auc


def together(taught: Sequence[Singles]) -> Singles:
    """The mean of the logits of the teachers that tell of a record, as shares; NaN where a teacher does not.

    >>> one, other = np.array([[0.5], [0.9]], np.float32), np.array([[np.nan], [0.9]], np.float32)
    >>> together([one, other]).astype(float).round(3).tolist()
    [[0.5], [0.9]]
    """
    bounded = np.clip(np.stack(taught), _LEAST_SHARE, 1 - _LEAST_SHARE)
    logits = np.nanmean(np.log(bounded / (1 - bounded)), axis=0)
    shares: Singles = (1 / (1 + np.exp(-logits))).astype(np.float32)
    return shares


def sample(shared: Path, mappings: Mapping[str, RecordMapping]) -> Sampled:
    """Some records of each file of ``data/records``; the same for the same files."""
    collections, records = list[str](), list[Record]()
    for file in files(shared):
        rows = list(read_rows(path_of(shared, file)))
        chosen = random.Random(1).sample(rows, min(_SAMPLED, len(rows)))  # noqa: S311 - a sample, no secret
        collections += [collection_of(file)] * len(chosen)
        records += [mapped(mappings, file, row) for row in chosen]
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
    teacher.learn(own, say)
    rows = _outside(name, division_of, sampled.collections)
    targets = np.full((len(sampled.records), len(CATEGORIES)), np.nan, np.float32)
    targets[rows] = teacher.tell([sampled.records[row] for row in rows])
    with whole_file(path) as file:
        np.save(file, targets, allow_pickle=False)
    return targets


def _outside(name: str, division_of: Mapping[str, str], collections: Sequence[str]) -> Rows:
    return np.flatnonzero([division_of[one] != name for one in collections])


class _Material:
    """All that models are learnt from: of the records that readers read, then of the sampled ones."""

    def __init__(
        self,
        read: ReadRecords,
        sampled: Sampled,
        division_of: Mapping[str, str],
        work: Path,
        resources: Resources,
        analysis: AnalysisSettings,
    ) -> None:
        self._read = read
        self._in_full = sum(tags is not None for tags in read.tagged)
        self._collections = np.array([*read.collections, *sampled.collections])
        self._divisions = np.array([division_of[name] for name in self._collections.tolist()])
        every = (*read.records, *sampled.records)
        self._texts = texts_of(every, work / "records.sqlite", resources.wordnet, analysis)

    def of_division(self, name: str) -> Rows:
        """The records that readers read of a division."""
        return np.flatnonzero(self._divisions[: len(self._read.records)] == name)

    def predicted(self, model: FactsModel, rows: Rows) -> Doubles:
        """What a model says of records that readers read."""
        likely: Doubles = model.likely(self._texts.words).astype(np.float64)
        return likely[rows]

    def fitted(self, name: str, taught: Singles, auc: Mapping[str, float]) -> FactsModel:
        """The model that learnt nothing from a division."""
        used = self._divisions != name
        wanted = np.vstack([self._read.has.astype(np.float32), taught])
        weights = np.where(np.arange(len(wanted)) < len(self._read.records), _READ_WEIGHT, 1.0)
        weights = np.where(used, weights, 0).astype(np.float32)
        vocabulary = self._vocabulary(used)
        numbers = tuple(
            learn(self._texts, vocabulary, wanted, weights, seed) for seed in range(1, _NETWORKS + 1)
        )
        shares = np.average(wanted[used], axis=0, weights=weights[used])
        manifest = FactsManifest(
            encoder=piece_sums.fingerprint(),
            categories=CATEGORIES,
            networks=_NETWORKS,
            channels=CHANNELS,
            frequencies=tuple(round(float(share), 6) for share in shares),
            records=int(used.sum()),
            auc=dict(auc),
        )
        own = np.flatnonzero(used[: self._in_full])
        return calibrated(FactsModel(manifest, vocabulary, numbers), self._texts.words, own, self._read.has)

    def _vocabulary(self, used: Bools) -> tuple[str, ...]:
        """The words that stand in enough of the used records, of two collections at least, in order."""
        words = self._texts.words
        of = np.repeat(np.arange(len(used)), np.diff(words.starts))
        rows = used[of]
        _, collections = np.unique(self._collections, return_inverse=True)
        pairs = np.unique(np.stack([words.lemmas[rows], of[rows]]), axis=1)
        records = np.bincount(pairs[0], minlength=len(words.terms))
        met = np.unique(np.stack([pairs[0], collections[pairs[1]]]), axis=1)[0]
        museums = np.bincount(met, minlength=len(words.terms))
        known = np.flatnonzero((records >= _LEAST) & (museums > 1))
        return tuple(sorted(words.terms[number] for number in known.tolist()))


def calibrated(model: FactsModel, words: FactWords, rows: Rows, has: Bools) -> FactsModel:
    """The model with intercepts by which each category is as frequent in some records as readers say.

    ``rows`` are those of the records among the words and in ``has`` bool[records, categories]. The teacher
    and short labels may be sparing or generous with a category, and thresholds of systems count on readers.
    """
    likely = np.clip(model.likely(words)[rows].astype(np.float64), _LEAST_SHARE, 1 - _LEAST_SHARE)
    logits, shares = np.log(likely / (1 - likely)), np.clip(has[rows].mean(axis=0), _SELDOM, 1 - _SELDOM)
    low, high = np.full(len(shares), -_FAR), np.full(len(shares), _FAR)
    for _ in range(_HALVINGS):
        shift = (low + high) / 2
        more = (1 / (1 + np.exp(-logits - shift))).mean(axis=0) < shares
        low, high = np.where(more, shift, low), np.where(more, high, shift)
    numbers = tuple(
        each._replace(intercepts=(each.intercepts + shift).astype(np.float16)) for each in model.weights
    )
    return FactsModel(model.manifest, model.words, numbers)


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
