"""Trains the models of predicted subjects: categories of records, learnt from the vectors of their texts.

There is one for the vectors of each sentence encoder, learnt from the same records
(:mod:`training.subject_examples`, :mod:`training.shown`). Categories are learnt by ridge regression, each
from the records that tell whether they have it. Whether a person or an action is shown is learnt by
logistic regression: those two are used as probabilities by themselves, and a ridge regression that is cut
off at 0 and 1 is none.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import numpy as np

from features.arrays import Bools, Doubles, Halves, Longs
from features.knowledge.subjects.model import LEVELS, SubjectsManifest, level, save
from features.knowledge.wordnet.reader import WordNet
from features.text.minilm import MiniLM
from features.text.sentence_vectors import WIDTH, quantised
from features.text.sentences import Encoder, EncoderName, fingerprint, open_encoder
from ingest.mapping import Mapping as RecordMapping
from training.shown import CATEGORIES, Shown, ShownSettings, sample_shown
from training.subject_examples import (
    Example,
    SampleSettings,
    counted,
    known,
    left_out,
    rows,
    sample,
    sample_walters,
    words_of_index,
)

_ONE_LEFT_OUT_IN: Final = 10
"""One record, or one creator, in so many is kept out when the model is tested."""

_MUSEUMS: Final = ("tate", "walters", "cmoa")

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class TaggerSettings:
    """How a run learns; the defaults made the models that come with Kindred."""

    sample: SampleSettings = field(default_factory=SampleSettings)
    shown: ShownSettings = field(default_factory=ShownSettings)
    ridge: float = 5.0
    cost: float = 3.0
    """How much an error counts in the logistic regression against the size of its numbers."""


@dataclass(frozen=True, slots=True)
class Material:
    """The records that are learnt from; which categories each has, and of which it tells."""

    examples: Sequence[Example]
    categories: tuple[str, ...]
    filed: Bools
    known: Bools
    shown: Sequence[Shown]


def train_subjects(
    shared: Path,
    out: Path,
    mappings: Mapping[str, RecordMapping],
    wordnet: WordNet,
    encoders: Sequence[EncoderName],
    *,
    settings: TaggerSettings | None = None,
    say: Say = lambda _: None,
) -> dict[str, float]:
    """Train and write the model of each encoder into its folder of ``out``.

    Gives sizes and, of records that were kept out, the AUC of each level; the names of figures end in the
    encoder's.

    Raises:
        ResourceMissing: a sentence encoder is not installed.
        UnreadableFile: a museum's records are not in ``shared/data/records``.
    """
    settings = settings or TaggerSettings()
    material = gathered(shared, mappings, wordnet, settings)
    report: dict[str, float] = {"records": len(material.examples), "categories": len(material.categories)}
    for name in encoders:
        say(f"{name}: {len(material.examples):,} and {len(material.shown):,} records")
        figures, size = _train(material, _encoder(name), fingerprint(name), out / name, settings)
        report |= {f"{key}_{name}": value for key, value in {"bytes": size, **figures}.items()}
    return report


def gathered(
    shared: Path, mappings: Mapping[str, RecordMapping], wordnet: WordNet, settings: TaggerSettings
) -> Material:
    """The records that are learnt from, and what they tell."""
    without = left_out(shared)
    museums = {name: list(rows(shared, name)) for name in _MUSEUMS}
    tate = sample(museums["tate"], without, settings.sample)
    index = words_of_index(counted(tate, settings.sample))
    walters = sample_walters(museums["walters"], without, index, settings.sample)
    own = [
        name
        for name in counted(walters, settings.sample, settings.sample.least_walters)
        if name.startswith(("keywords/", "kinds/"))
    ]
    categories = tuple(sorted({*counted(tate, settings.sample), *own}))
    examples = [*tate, *walters]
    filed = np.array([[name in one.categories for name in categories] for one in examples])
    shown = sample_shown(museums, mappings, without, wordnet, settings.shown)
    return Material(examples, categories, filed, known(examples, categories, index.values()), shown)


def _train(
    material: Material, encoder: Encoder, made_by: str, out: Path, settings: TaggerSettings
) -> tuple[dict[str, float], int]:
    texts = _Texts(material, encoder)
    every = np.ones(len(material.examples), bool)
    slopes = _ridges(texts, material, every, settings.ridge)
    shown = _Pictures(material.shown, encoder)
    weights = np.hstack([slopes, shown.learnt(np.ones(len(shown.vectors), bool), settings.cost)])
    figures = {**_tested(texts, material, settings), **shown.tested(settings.cost)}
    manifest = SubjectsManifest(
        encoder=made_by,
        categories=(*material.categories, *CATEGORIES),
        logistic=CATEGORIES,
        frequencies=tuple(
            round(float(share), 6)
            for share in (*(material.filed & material.known).sum(0) / material.known.sum(0), *shown.shares)
        ),
        records=len(material.examples) + len(material.shown),
        auc=figures,
        weights_sha256="",
    )
    return figures, save(out, manifest, weights.astype(np.float16))


def ridge(vectors: Doubles, filed: Bools, strength: float) -> Halves:
    """Weights float16[vectors' width + 1, categories] of a ridge regression, the intercepts last.

    >>> # texts of 1, which has the category, and -1, which has not: (1 + 1 + 2) w = 1 for slope and intercept
    >>> ridge(np.array([[1.0], [-1.0]]), np.array([[True], [False]]), 2.0).tolist()
    [[0.25], [0.25]]
    """
    wide = np.hstack([vectors, np.ones((len(vectors), 1))])
    weights: Doubles = np.linalg.solve(wide.T @ wide + strength * np.eye(wide.shape[1]), wide.T @ filed)
    return weights.astype(np.float16)


def _encoder(name: EncoderName) -> Encoder:
    return MiniLM(short=True) if name == "full" else open_encoder(name)


class _Texts:
    """The vectors of all texts, and of which record each is: titles, subject terms, descriptions."""

    def __init__(self, material: Material, encoder: Encoder) -> None:
        self.of: dict[str, tuple[Longs, Doubles]] = {}
        for kind in ("title", "subjects", "described"):
            written = [getattr(one, kind) for one in material.examples]
            places = np.flatnonzero([bool(text) for text in written])
            vectors = _vectors(encoder, [written[place] for place in places])
            informed = vectors.any(axis=1)
            self.of[kind] = places[informed], vectors[informed]

    def of_records(self, chosen: Bools) -> tuple[Longs, Doubles]:
        """Records and vectors of the texts of some records."""
        places, vectors = zip(*self.of.values(), strict=True)
        every, numbers = np.concatenate(places), np.vstack(vectors)
        used = chosen[every]
        return every[used], numbers[used]


def _ridges(texts: _Texts, material: Material, chosen: Bools, strength: float) -> Halves:
    """The weights of all categories, each learnt from the records that tell of it."""
    weights = np.zeros((WIDTH + 1, len(material.categories)), np.float16)
    patterns, which = np.unique(material.known, axis=1, return_inverse=True)
    for number, pattern in enumerate(patterns.T):
        columns = np.flatnonzero(which == number)
        places, vectors = texts.of_records(chosen & pattern)
        weights[:, columns] = ridge(vectors, material.filed[places][:, columns], strength)
    return weights


def _tested(texts: _Texts, material: Material, settings: TaggerSettings) -> dict[str, float]:
    """The mean AUC of the categories of a level or branch, for records and for creators kept out."""
    creators = sorted({one.creator for one in material.examples})
    tenth = set(creators[::_ONE_LEFT_OUT_IN])
    left_out = {
        "records": np.arange(len(material.examples)) % _ONE_LEFT_OUT_IN == 0,
        "creators": np.array([one.creator in tenth for one in material.examples]),
    }
    groups = np.array([_group(name) for name in material.categories])
    figures: dict[str, float] = {}
    for unit, test in left_out.items():
        weights = _ridges(texts, material, ~test, settings.ridge).astype(np.float64)
        for text, (places, vectors) in texts.of.items():
            tested = test[places]
            areas = _areas(vectors[tested] @ weights[:-1], places[tested], material)
            for group in dict.fromkeys(groups):
                of_group = areas[groups == group]
                if not np.isnan(of_group).all():
                    figures[f"auc_{unit}_{text}_{group}"] = round(float(np.nanmean(of_group)), 4)
    return figures


def _group(category: str) -> str:
    branch = category.partition("/")[0]
    return branch if branch in ("keywords", "kinds") else f"level_{min(level(category), LEVELS)}"


def _areas(predicted: Doubles, places: Longs, material: Material) -> Doubles:
    """The AUC of each category over the records that tell of it; NaN where all or none have it."""
    from sklearn.metrics import roc_auc_score

    areas = np.full(len(material.categories), np.nan)
    for column in range(len(material.categories)):
        known = material.known[places, column]
        filed = material.filed[places, column][known]
        if filed.any() and not filed.all():
            areas[column] = roc_auc_score(filed, predicted[known, column])
    return areas


class _Pictures:
    """The texts of the records that tell whether a person or an action is shown."""

    def __init__(self, shown: Sequence[Shown], encoder: Encoder) -> None:
        lines = [(one, text) for one in shown for text in one.texts]
        vectors = _vectors(encoder, [text for _, text in lines])
        informed = np.asarray(vectors.any(axis=1))
        self.vectors = vectors[informed]
        records = [one for (one, _), informs in zip(lines, informed, strict=True) if informs]
        self._museums = np.array([one.group.partition(" ")[0] for one in records])
        self._titles = np.array([one.texts[0] for one in records])
        self._answers = {
            name: np.array([one.answers.get(name.rpartition("/")[2], np.nan) for one in records], np.float64)
            for name in CATEGORIES
        }
        self.shares = [float(np.nanmean(answers)) for answers in self._answers.values()]

    def learnt(self, chosen: Bools, cost: float) -> Doubles:
        """Weights float64[385, 2], the intercepts last."""
        from sklearn.linear_model import LogisticRegression

        columns = []
        for answers in self._answers.values():
            used = chosen & ~np.isnan(answers)
            fitted = LogisticRegression(C=cost, max_iter=1000)
            fitted.fit(self.vectors[used], answers[used] > 0, self._even(used, answers))
            columns.append(np.append(fitted.coef_[0], fitted.intercept_[0]))
        return np.array(columns).T

    def _even(self, used: Bools, answers: Doubles) -> Doubles:
        """Weights by which every museum has as much to say for either answer; 1 on average."""
        _, which, counts = np.unique(
            [f"{museum} {answer}" for museum, answer in zip(self._museums[used], answers[used], strict=True)],
            return_inverse=True,
            return_counts=True,
        )
        weights: Doubles = used.sum() / (len(counts) * counts[which])
        return weights

    def tested(self, cost: float) -> dict[str, float]:
        """AUC and mean squared error of the probability, of records kept out, also of each museum."""
        from sklearn.metrics import roc_auc_score

        titles = sorted(set(self._titles))
        tenth = set(titles[::_ONE_LEFT_OUT_IN])
        test = np.array([title in tenth for title in self._titles])
        weights = self.learnt(~test, cost)
        figures: dict[str, float] = {}
        for column, (name, answers) in enumerate(self._answers.items()):
            likely = 1 / (1 + np.exp(-(self.vectors @ weights[:-1, column] + weights[-1, column])))
            mark = name.replace("/", "_")
            for museum in ("all", "tate", "walters"):
                tested = test & ~np.isnan(answers) & ((self._museums == museum) | (museum == "all"))
                wanted = answers[tested] > 0
                if wanted.all() or not wanted.any():
                    continue
                figures[f"auc_{mark}_{museum}"] = round(float(roc_auc_score(wanted, likely[tested])), 4)
                figures[f"error_{mark}_{museum}"] = round(float(np.mean((likely[tested] - wanted) ** 2)), 4)
        return figures


def _vectors(encoder: Encoder, texts: Sequence[str]) -> Doubles:
    """Unit vectors float64[texts, 384], from 8 bits as profiles hold them; 0 of a text that says nothing."""
    distinct = list(dict.fromkeys(texts))
    numbers = quantised(encoder.encode(distinct)).astype(np.float64)
    lengths = np.linalg.norm(numbers, axis=1, keepdims=True)
    units = np.divide(numbers, lengths, out=np.zeros_like(numbers), where=lengths > 0)
    places = {text: place for place, text in enumerate(distinct)}
    chosen: Doubles = units[[places[text] for text in texts]].reshape(-1, WIDTH)
    return chosen
