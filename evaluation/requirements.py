"""From what an application needs to the metric that fits: the framework of Beyer (2015, Table 3)."""

from typing import Final, Literal, NamedTuple

from ingest.errors import UsageError

Cardinality = Literal["1:1", "1:n"]  # how many items one item is compared with
Interest = Literal["all", "k-best", "threshold"]  # which of the compared items the application uses
Information = Literal["value", "rank", "classification"]  # what the application uses of a score


class Metric(NamedTuple):
    """A metric of the framework, and the function that has it of gold and scores."""

    title: str
    meaning: str
    function: str


class Requirement(NamedTuple):
    """A plausible requirement with the names of its metrics, the first being the framework's first choice."""

    cardinality: Cardinality
    interest: Interest
    information: Information
    metrics: tuple[str, ...]


METRICS: Final = {
    "pearson": Metric(
        "Pearson's r", "how far scores are a line of the gold", "evaluation.correlation.pearson"
    ),
    "spearman": Metric(
        "Spearman's rank correlation",
        "how far scores and gold order the pairs alike",
        "evaluation.metrics.correlation.spearman",
    ),
    "f1_hmean": Metric(
        "harmonic mean of F1 low and F1 high",
        "whether pairs that are not alike and pairs that are are recognised",
        "evaluation.metrics.composites.f1_hmean",
    ),
    "ndcg": Metric(
        "nDCG over all",
        "how early those with a high gold stand, as a share of the best order",
        "evaluation.metrics.ranking.ndcg",
    ),
    "mean_ndcg": Metric(
        "mean of nDCG@K",
        "how early those with a high gold stand among the first K, over several K",
        "evaluation.metrics.ranking.mean_ndcg",
    ),
    "pearson_ncg_hmean": Metric(
        "harmonic mean of nCG@K and |Pearson's r|",
        "whether the best K are chosen, and how far scores are a line of the gold",
        "evaluation.metrics.composites.pearson_ncg_hmean",
    ),
    "spearman_ncg_hmean": Metric(
        "harmonic mean of nCG@K and |Spearman's rank correlation|",
        "whether the best K are chosen, and how far scores and gold order the pairs alike",
        "evaluation.metrics.composites.spearman_ncg_hmean",
    ),
    "pearson_f1_hmean": Metric(
        "harmonic mean of F1 low, F1 high and |Pearson's r|",
        "whether low and high pairs are recognised, and how far scores are a line of the gold",
        "evaluation.metrics.composites.pearson_f1_hmean",
    ),
    "spearman_f1_hmean": Metric(
        "harmonic mean of F1 low, F1 high and |Spearman's rank correlation|",
        "whether low and high pairs are recognised, and how far scores and gold order the pairs alike",
        "evaluation.metrics.composites.spearman_f1_hmean",
    ),
}
"""Name -> the metric."""

REQUIREMENTS: Final = (
    Requirement("1:1", "all", "value", ("pearson",)),
    Requirement("1:1", "all", "classification", ("f1_hmean",)),
    Requirement("1:n", "all", "value", ("pearson",)),
    Requirement("1:n", "all", "rank", ("spearman", "ndcg")),
    Requirement("1:n", "all", "classification", ("f1_hmean",)),
    Requirement("1:n", "k-best", "value", ("pearson_ncg_hmean",)),
    Requirement("1:n", "k-best", "rank", ("spearman_ncg_hmean", "mean_ndcg")),
    Requirement("1:n", "threshold", "value", ("pearson_f1_hmean",)),
    Requirement("1:n", "threshold", "rank", ("spearman_f1_hmean",)),
)
"""The nine plausible combinations of eighteen (Beyer 2015, Table 3)."""


def recommended(
    cardinality: Cardinality | None = None,
    interest: Interest | None = None,
    information: Information | None = None,
) -> tuple[Requirement, ...]:
    """The requirements that fit, with their metrics; raises ``UsageError`` where the framework has none.

    >>> (lists,) = recommended("1:n", "k-best", "rank")
    >>> lists.metrics
    ('spearman_ncg_hmean', 'mean_ndcg')
    >>> len(recommended()), len(recommended("1:1"))
    (9, 2)
    """
    fitting = tuple(
        one
        for one in REQUIREMENTS
        if cardinality in (None, one.cardinality)
        and interest in (None, one.interest)
        and information in (None, one.information)
    )
    if fitting:
        return fitting
    if cardinality == "1:1":
        raise UsageError(
            "with 1:1 there is one score, without rank or selection: give all, with value or classification"
        )
    raise UsageError(
        "the framework has no classification of the k best or of those above a threshold: give all"
    )
