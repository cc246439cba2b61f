"""Each museum left out in turn: what a system is worth to a museum that it has learnt nothing from.

A set of pairs is that of one museum, or of several where their pairs were made together. Museums differ in
what they hold, so that each is measured by itself: by the order of its own pairs (Pearson r) and by how far
its scores are too high or too low in the mean (bias). A type that hardly any pair of a museum has anything of
says nothing of the system there, and does not count.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from evaluation.correlation import RESAMPLES, Interval, defined_mean, interval, known, pearson
from evaluation.fitting import Division
from evaluation.pooled import centred_pearson
from evaluation.readers import Readers, agreed
from evaluation.typed import DirectoryPairs
from features.arrays import Doubles
from ingest.errors import PairsError
from models.types import SimilarityType

COUNTED = 0.1
"""A type counts in a museum where more than this share of its pairs have a gold above 0."""


def left_out(
    sets: Sequence[DirectoryPairs], providers: Sequence[tuple[str, str]], tested: Iterable[str]
) -> list[Division]:
    """Divisions that test each of the ``tested`` sets by pairs of others that touch no record of its museum.

    ``providers`` are those of both records of every pair. A provider belongs to the set that has most of its
    records in pairs; in the other sets it is a partner. Raises ``PairsError`` for a set of partners alone,
    and where nothing is left to train on.

    >>> sets = [DirectoryPairs(name, first, 2, "", "") for name, first in (("x", 0), ("y", 2), ("z", 4))]
    >>> of = [("a", "a"), ("b", "a"), ("y", "y"), ("y", "a"), ("z", "z"), ("z", "z")]
    >>> for name, train, test in left_out(sets, of, "xyz"):  # a and b are of x; in y a is a partner
    ...     print(name, train.tolist(), test.tolist())
    x [2, 4, 5] [0, 1]
    y [0, 1, 4, 5] [2, 3]
    z [0, 1, 2, 3] [4, 5]
    """
    records = {each.name: Counter(name for pair in providers[each.rows] for name in pair) for each in sets}

    def home(provider: str) -> str:
        return max(records, key=lambda name: records[name][provider])

    museums = defaultdict[str, set[str]](set)
    for provider in {name for pair in providers for name in pair}:
        museums[home(provider)].add(provider)
    divisions = []
    for each in sets:
        if each.name not in tested:
            continue
        own = museums[each.name]
        if not own:
            raise PairsError(
                f"every museum of {each.name} has more records in another set: put the two sets together"
            )
        rows = np.arange(len(providers), dtype=np.intp)
        touched = np.array([not own.isdisjoint(pair) for pair in providers], dtype=bool)
        touched[each.rows] = True
        if touched.all():
            raise PairsError(f"without {each.name} no pair is left to train on; add sets of other museums")
        divisions.append(Division(each.name, rows[~touched], rows[each.rows]))
    return divisions


@dataclass(frozen=True, slots=True)
class MuseumResult:
    """A system on the pairs of a museum.

    ``pearson`` is NaN where the gold does not vary, and 0 where the scores do not: they order nothing.
    ``mean`` is over the types that ``counted`` names, ``bias`` the mean of |mean score - mean gold| over all.
    """

    name: str
    pairs: int
    trained_on: int
    pearson: dict[SimilarityType, float]
    counted: tuple[SimilarityType, ...]
    mean: float
    bias: float
    readers: Readers | None = None


def measured(
    name: str,
    trained_on: int,
    gold: Doubles,
    scores: Doubles,
    types: Sequence[SimilarityType],
    judged: Doubles | None = None,
) -> MuseumResult:
    """Scores of the pairs of a museum against gold, both float64[pairs, types].

    ``judged`` are the judgements of :func:`two_readers`.

    >>> gold = np.array([[0.0, 0.0], [2.0, 0.0], [4.0, 0.0]])
    >>> result = measured("x", 9, gold, np.array([[1.0, 0.0], [2.0, 1.0], [3.0, 5.0]]), ("time", "event"))
    >>> result.pearson, result.counted, result.mean  # nothing has an event
    ({'time': 1.0, 'event': nan}, ('time',), 1.0)
    >>> result.bias  # the mean of 0 for time and |2 - 0| for event
    1.0
    """
    columns = list(zip(types, gold.T, scores.T, strict=True))
    r = {kind: ordered(own, given) for kind, own, given in columns}
    counted = tuple(kind for kind, own, _ in columns if counts(own))
    readers = agreed(judged, types, counted) if judged is not None and len(judged) else None
    off = [
        abs(float(np.mean(given - own))) for own, given in (known(*each[1:]) for each in columns) if len(own)
    ]
    mean, bias = defined_mean(r[kind] for kind in counted), float(np.mean(off))
    return MuseumResult(name, len(gold), trained_on, r, counted, mean, bias, readers)


def counts(gold: Doubles) -> bool:
    """Whether a type counts among pairs with this gold of it: enough have anything of it, and it varies.

    >>> counts(np.array([0.0] * 9 + [4.0])), counts(np.array([0.0] * 8 + [4.0, 4.0])), counts(np.ones(9))
    (False, True, False)
    """
    gold = gold[~np.isnan(gold)]
    return bool(len(gold) and np.mean(gold > 0) > COUNTED and not np.isnan(pearson(gold, gold)))


def ordered(gold: Doubles, scores: Doubles) -> float:
    """Pearson r, where scores that are all the same count as 0; NaN where the gold does not vary.

    >>> one, two = np.array([1.0, 1.0]), np.array([2.0, 3.0])
    >>> ordered(two, one), ordered(one, two)
    (0.0, nan)
    """
    gold, scores = known(gold, scores)
    r = pearson(gold, scores)
    return 0.0 if np.isnan(r) and not np.isnan(pearson(gold, gold)) else r


@dataclass(frozen=True, slots=True)
class MuseumsResult:
    """A system on every museum; ``statement`` says how it was trained and what the gold is.

    ``by_type`` is the mean r over the museums where a type counts, ``mean`` the mean over museums of their
    means, ``bias`` likewise; ``interval`` is that of the mean where museums are resampled. ``pooled`` is r
    over the pairs of all museums together, ``pooled_centred`` the same where gold and scores are less the
    mean of the pairs of the same two providers.
    """

    statement: str
    museums: tuple[MuseumResult, ...]
    by_type: dict[SimilarityType, float]
    mean: float
    bias: float
    pooled: dict[SimilarityType, float]
    pooled_mean: float
    interval: Interval
    pooled_centred: dict[SimilarityType, float]
    pooled_centred_mean: float


def together(
    statement: str,
    museums: Sequence[MuseumResult],
    gold: Doubles,
    scores: Doubles,
    types: Sequence[SimilarityType],
    providers: Sequence[tuple[str, str]],
    seed: int,
) -> MuseumsResult:
    """The figures over all museums; ``gold`` and ``scores`` float64[pairs, types] are of all their pairs.

    ``providers`` are those of both records of every pair.
    """
    pooled = {kind: ordered(own, given) for kind, own, given in zip(types, gold.T, scores.T, strict=True)}
    by_type = {kind: defined_mean(m.pearson[kind] for m in museums if kind in m.counted) for kind in types}
    mean, bias = defined_mean(m.mean for m in museums), defined_mean(m.bias for m in museums)
    without = zip(types, centred_pearson(gold, scores, providers), strict=True)
    centred = {kind: 0.0 if np.isnan(r) and not np.isnan(pooled[kind]) else r for kind, r in without}
    return MuseumsResult(
        statement,
        tuple(museums),
        by_type,
        mean,
        bias,
        pooled,
        defined_mean(pooled.values()),
        resampled_museums([museum.mean for museum in museums], seed),
        centred,
        defined_mean(centred.values()),
    )


def resampled_museums(means: Sequence[float], seed: int) -> Interval:
    """The interval of the mean of museums where they are resampled, as many as there are; NaN for one alone.

    >>> resampled_museums([0.5, 0.5, 0.5], 1)
    Interval(low=0.5, high=0.5)
    """
    known_means = np.array([mean for mean in means if not np.isnan(mean)])
    if len(known_means) < 2:
        return Interval(float("nan"), float("nan"))
    drawn = np.random.default_rng(seed).choice(known_means, (RESAMPLES, len(known_means)))
    return interval(drawn.mean(axis=1))
