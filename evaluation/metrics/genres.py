"""A metric within each genre, or other kind of pairs, of one set."""

from collections.abc import Sequence

import numpy as np

from evaluation.correlation import pearson
from evaluation.metrics.correlation import require_pairs
from features.arrays import Doubles
from ingest.errors import UsageError


def pearson_within(gold: Doubles, scores: Doubles, genres: Sequence[str]) -> dict[str, float]:
    """Pearson's r over the pairs of each genre alone, by its name in order (SemEval-2014 Task 3).

    A system may be good in every genre and poor over all of them, where its scores for one lie higher than
    those for another against the gold. NaN where a side does not vary within a genre.

    >>> gold, scores = np.array([0.0, 1.0, 4.0, 5.0]), np.array([4.0, 5.0, 0.0, 1.0])
    >>> pearson_within(gold, scores, ["news", "news", "slang", "slang"])
    {'news': 1.0, 'slang': 1.0}
    >>> round(pearson(gold, scores), 4)  # -15 / 17
    -0.8824
    """
    require_pairs(gold, scores)
    if len(genres) != len(gold):
        raise UsageError(f"there are {len(gold)} pairs and {len(genres)} genres: name one for every pair")
    own = np.array(genres, dtype=object)
    return {
        genre: pearson(gold[own == genre], scores[own == genre]) for genre in sorted(dict.fromkeys(genres))
    }
