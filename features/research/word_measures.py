"""The measures of two words by their names in a row of ``features``: over WordNet, as numbers, by vectors.

And by the clusters and articles of the Cube's layers.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final, Literal, Protocol, TypeAlias, get_args

from features.arrays import Doubles
from features.knowledge.resources import ResourceName, Resources
from features.research.boosted_vectors import BoostedVectors
from features.research.candidate_articles import ArticleSimilarity
from features.research.numbers import NumberSimilarity
from features.research.paraphrases import Paraphrases
from features.research.walk_words import WalkSimilarity
from features.research.word_layers import ClusterSimilarity, word_layers
from features.research.word_vectors import VectorSimilarity, word_vectors
from features.research.wordnet_similarity.extended_lesk import ExtendedLesk
from features.research.wordnet_similarity.hirst_st_onge import HirstStOnge
from features.research.wordnet_similarity.measures import SynsetMeasure
from features.research.wordnet_similarity.words import WordSimilarity

WordMeasureName: TypeAlias = (
    SynsetMeasure
    | Literal["hso", "lesk", "walks", "numbers", "vectors", "clusters", "paraphrases", "boosted"]
    | Literal["brown", "clark", "cbow", "articles"]
)

NEEDS: Final[Mapping[WordMeasureName, ResourceName]] = {
    **dict.fromkeys(get_args(SynsetMeasure), "wordnet"),
    **dict.fromkeys(("hso", "lesk", "walks", "paraphrases", "boosted"), "wordnet"),
    "articles": "wikipedia",
}
"""The resource that a measure needs, of those that need one."""


def needed_by(name: WordMeasureName) -> tuple[ResourceName, ...]:
    """The resources that a measure needs.

    >>> needed_by("lin"), needed_by("articles"), needed_by("numbers")
    (('wordnet',), ('wikipedia',), ())
    """
    return (NEEDS[name],) if name in NEEDS else ()


class WordMeasure(Protocol):
    """How alike words are."""

    def of(self, words: Sequence[str], others: Sequence[str]) -> Doubles:
        """The similarities of all words with all others, float64[words, others] in [0, 1]; of the same, 1."""


def word_measure(name: WordMeasureName, resources: Resources) -> WordMeasure:
    """The measure of this name; raises ``ResourceMissing`` where its resource is not installed."""
    return _MEASURES[name](resources)


def _over_synsets(measure: SynsetMeasure, resources: Resources) -> WordMeasure:
    return WordSimilarity(resources.wordnet, measure)


_MEASURES: Final[Mapping[WordMeasureName, Callable[[Resources], WordMeasure]]] = {
    **{measure: partial(_over_synsets, measure) for measure in get_args(SynsetMeasure)},
    "hso": lambda resources: HirstStOnge(resources.wordnet),
    "lesk": lambda resources: ExtendedLesk(resources.wordnet),
    "walks": lambda resources: WalkSimilarity(resources.wordnet, resources.wordnet_walks),
    "numbers": lambda _: NumberSimilarity(),
    "vectors": lambda _: VectorSimilarity(word_vectors()),
    "clusters": lambda _: ClusterSimilarity(word_layers().vectors),
    "paraphrases": lambda resources: Paraphrases(resources.wordnet),
    "boosted": lambda resources: BoostedVectors(VectorSimilarity(word_vectors()), resources.wordnet),
    "brown": lambda _: ClusterSimilarity(word_layers().brown),
    "clark": lambda _: ClusterSimilarity(word_layers().clark),
    "cbow": lambda _: VectorSimilarity(word_layers().cbow),
    "articles": lambda resources: ArticleSimilarity(resources.wikipedia),
}
