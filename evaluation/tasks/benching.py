"""What a measure, a system or a combination of features is worth on the tasks, beside what was published."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib import resources
from time import perf_counter
from typing import Final, NamedTuple, TypeVar

import numpy as np

from evaluation.correlation import Interval, group_counts, interval, pearson, resampled_pearson
from evaluation.metrics.correlation import mean_by_size
from evaluation.tasks.datasets import TaskName, TextPairs
from evaluation.tasks.regressors import Regressor
from features.arrays import Doubles
from ingest.errors import UsageError

STRINGS: Final = (
    *(
        "char_2",
        "char_3",
        "char_4",
        "gst_3",
        "gst_6",
        "lc_substring",
        "lc_subsequence",
        "lc_subsequence_norm",
    ),
    *(
        "word_containment_1_sw",
        "word_containment_2_sw",
        "word_jaccard_1",
        "word_jaccard_3",
        "word_jaccard_2_sw",
    ),
)
WORDS: Final = (
    *("token_cosine", "word_overlap", "bm25", "all_tfidf", "words_tfidf", "content_overlap", "verb_tfidf"),
    *("summed_vectors", "alike_path", "alike_jcn", "alike_li", "alike_numbers", "alike_vectors", "stasis"),
    *("unitor_general_overlap", "unitor_general_vectors", "unitor_general_cardinality", "hypernyms_tfidf"),
    *(
        "hypernyms_overlap",
        "named_containment",
        "nouns_tfidf",
        "adjectives_tfidf",
        "alike_nouns",
        "alike_verbs",
    ),
    *("alike_adjectives", "alike_path_nouns", "alike_path_verbs", "summed_vectors_idf"),
    *("aligned_share", "aligned_harmonic", "aligned_opposed", "align_penalize", "alike_boosted"),
    *("alike_paraphrases", "content_vectors"),
)
"""The features that a combination without a sentence encoder reads, with the strings."""
ENCODER: Final = "sentences_all"
ALONE: Final = (
    *("token_cosine", "word_overlap", "bm25", "gst_6", "lcs_norm", "words_tfidf", "summed_vectors", "stasis"),
    *("alike_jcn", "alike_boosted", ENCODER),
)
"""The measures that the bench shows alone."""
_SEED: Final = 20130613
_Learnt = TypeVar("_Learnt")


class Score(NamedTuple):
    """What scores are worth on a set or a group of sets: r, or a sum or mean of such, with its interval."""

    name: str
    value: float
    interval: Interval


class BenchRow(NamedTuple):
    """One row of a bench: who scored, what it is worth by set, and what that cost.

    ``headline`` is the figure by which the task ranks. ``seconds`` is what the features of all texts took,
    and the training where there is one.
    """

    name: str
    headline: Score
    scores: tuple[Score, ...]
    seconds: float


class Published(NamedTuple):
    """A figure that a paper prints for a task."""

    task: str
    system: str
    figure: str
    value: float


def published() -> list[Published]:
    """The figures of the papers, in the order of the tasks."""
    lines = resources.files("evaluation.tasks").joinpath("published.tsv").read_text("utf-8").splitlines()[1:]
    rows = (line.split("\t") for line in lines)
    return [Published(task, system, figure, float(value)) for task, system, figure, value in rows]


Scorer = Callable[[TextPairs], Doubles]
"""The scores of a set."""


Lessons = Callable[[TextPairs], list[TextPairs]]
"""Which sets may teach a set."""


def learnt_once(
    lessons: Lessons, learn: Callable[[list[str], Doubles], _Learnt]
) -> Callable[[TextPairs], _Learnt]:
    """What the sets that may teach a set teach it, from their names and their gold, end to end.

    Sets with the same lessons, as those of a year, share it. Raises ``UsageError`` for a set without any.
    """
    known: dict[tuple[str, ...], _Learnt] = {}

    def of(one: TextPairs) -> _Learnt:
        taught = lessons(one)
        if not taught:
            raise UsageError(f"{one.name} has nothing to learn from")
        names = tuple(own.name for own in taught)
        if names not in known:
            known[names] = learn([*names], np.concatenate([own.gold for own in taught]))
        return known[names]

    return of


def learner(values: Mapping[str, Doubles], lessons: Lessons, regressor: Regressor) -> Scorer:
    """A scorer that learns, for each set, from the sets that may teach it. Raises ``UsageError`` for none."""
    model = learnt_once(
        lessons, lambda names, gold: regressor(np.vstack([values[name] for name in names]), gold)
    )
    return lambda one: model(one)(values[one.name])


def lessons_of(task: TaskName, sets: Sequence[TextPairs], others: Sequence[TextPairs]) -> Lessons:
    """Which sets may teach a test set: never a test part of its own year or task.

    Of STS 2012 its training sets, of a later year all sets of the years before. Of CLSS the training part of
    the level. STSS-131, which has none, learns from ``others``, those of the STS Benchmark that train.
    """

    def lessons(one: TextPairs) -> list[TextPairs]:
        if task == "semeval":
            year = one.name[:4]
            before = [own for own in sets if own.name[:4] < year]
            return before or [own for own in sets if own.name[:4] == year and own.train]
        if task == "clss":
            return [own for own in sets if own.train and own.level == one.level]
        return [own for own in (others if task == "stss" else sets) if own.train]

    return lessons


def entry(task: TaskName, name: str, sets: Iterable[TextPairs], scorer: Scorer, seconds: float) -> BenchRow:
    """Score every test set and sum up as the task does: mean by size, sum of levels, or the one r."""
    start = perf_counter()
    tested = [one for one in sets if not one.train]
    measured = [_measured(one, scorer(one)) for one in tested]
    spent = seconds + perf_counter() - start
    scores = [
        Score(one.name, r, interval(resampled)) for one, (r, resampled) in zip(tested, measured, strict=True)
    ]
    if task == "semeval":
        scores = _by_year(tested, measured) + scores
        whole = mean_by_size([r for r, _ in measured], [len(one) for one in tested])
        sizes = np.array([len(one) for one in tested], np.float64)
        resampled = np.average(np.array([each for _, each in measured]), axis=0, weights=sizes)
        headline = Score("mean of 25 sets by size", whole, interval(resampled))
    elif task == "clss":
        total = sum(r for r, _ in measured)
        headline = Score("sum of four r", total, interval(np.sum([each for _, each in measured], axis=0)))
    else:
        headline = scores[-1]._replace(name="r")
    return BenchRow(name, headline, tuple(scores), spent)


def _measured(one: TextPairs, scores: Doubles) -> tuple[float, Doubles]:
    """r of a set, and in each of its bootstrap resamples; scores that are all one order nothing: r is 0."""
    scores = np.nan_to_num(scores, nan=0.0)
    r = pearson(one.gold, scores)
    counts = group_counts(np.arange(len(one), dtype=np.intp), _SEED)
    resampled = resampled_pearson(one.gold[:, np.newaxis], scores[:, np.newaxis], counts)[:, 0]
    return (0.0 if np.isnan(r) else r), np.nan_to_num(resampled, nan=0.0)


def _by_year(sets: Sequence[TextPairs], measured: Sequence[tuple[float, Doubles]]) -> list[Score]:
    years = []
    for year in sorted({one.name[:4] for one in sets}):
        own = [
            (len(one), *each) for one, each in zip(sets, measured, strict=True) if one.name.startswith(year)
        ]
        mean = mean_by_size([r for _, r, _ in own], [size for size, _, _ in own])
        resampled = np.average(
            np.array([each for _, _, each in own]), axis=0, weights=[float(size) for size, _, _ in own]
        )
        years.append(Score(year, mean, interval(resampled)))
    return years
