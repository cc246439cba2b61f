"""Cosine of what two records are about, as a model reads it.

A small model (:mod:`features.facts.about`) learnt from readers how salient each word of a record is, and
makes of them the vector of what the record is about. How vectors are compared is told in
:mod:`features.measures.dense_columns`.
"""

from collections.abc import Hashable
from typing import ClassVar, Final, Literal

import numpy as np
from pydantic import Field

from features.arrays import Arrays, Int8s, Longs, Singles
from features.facts.about import MODEL, AboutModel, about_model
from features.facts.speaking import Speaking, speaking, words_of
from features.facts.words import FactWords, fact_words_reader
from features.knowledge.resources import ResourceName, Resources
from features.measures.base import Columns, EvidencePair, MeasureSettings, Theme
from features.measures.dense_columns import DenseBuilder, DenseColumn
from features.measures.matches import matches
from features.profiles.blocks import Block
from features.text.piece_sums import open_model
from features.text.sentence_vectors import quantised

_MOST: Final = 12  # words of an item that may be near in meaning to others

_NEAR: Final = 0.5
"""Words whose vectors are so near are alike in meaning."""


class AboutSettings(MeasureSettings):
    """What records are about."""

    EXAMPLES = ({}, {"scaled": True})
    theme: ClassVar[Theme] = "words"
    search_cost: ClassVar[float] = 2.0
    cost: ClassVar[float] = 45.0
    needs: ClassVar[tuple[ResourceName, ...]] = ("wordnet",)

    measure: Literal["about"] = Field(description="cosine of what the records are about, as a model reads it")
    scaled: bool = Field(
        False,
        description="`true`: relative to what is usual near either item, as of the measure `sentences`",
    )
    model: str = Field(
        MODEL,
        description="the model that reads it, by its name of sixteen hexadecimal digits; the default comes"
        " with Kindred. Need not be written: as of the measure `facts`",
    )

    @property
    def collects(self) -> Hashable:
        """The vectors."""
        return self.measure

    def builder(self, resources: Resources) -> DenseBuilder:
        """An empty builder; raises ``ResourceMissing`` where WordNet is not installed."""
        fact_words_reader(resources.wordnet)  # opens it, before any record is read
        return DenseBuilder(self.column({}, resources, {}).vectors, scaled=self.scaled)

    def column(self, arrays: Arrays, resources: Resources, columns: Columns) -> "AboutColumn":
        """The column over stored arrays, used where they lie (memory-mapped or not)."""
        return AboutColumn(self, arrays, resources, about_model(resources, self.model))


class AboutColumn(DenseColumn):
    """Cosines of the vectors of what items are about."""

    def __init__(
        self, settings: AboutSettings, arrays: Arrays, resources: Resources, model: AboutModel
    ) -> None:
        super().__init__(settings.measure, arrays, scaled=settings.scaled)
        self._resources, self._model = resources, model

    def vectors(self, block: Block) -> Int8s:
        """Those of the items of a block; 0 for one without words."""
        return block.once((AboutColumn, self._model), lambda: quantised(self._model.read(self._words(block))))

    def evidence(self, block: Block, left: int, right: int) -> tuple[EvidencePair, ...]:
        """The salient words that stand on both sides, and of the most salient those that are near in meaning.

        A pair brings the product of the shares of both and of their cosine, where that is .5 or more: what
        is further apart would not be called alike.
        """
        ours, theirs = (self._words_of(block, item) for item in (left, right))
        lefts, rights = list(ours.weights), list(theirs.weights)
        if not (lefts and rights):
            return ()
        (near_left, left_vectors), (near_right, right_vectors) = (
            self._vectors_of(block, item) for item in (left, right)
        )
        cosines = left_vectors @ right_vectors.T
        alike = np.zeros((len(lefts), len(rights)))
        alike[np.ix_(near_left, near_right)] = np.where(cosines >= _NEAR, cosines, 0.0)
        at = {term: column for column, term in enumerate(rights)}
        same = [(row, at[term]) for row, term in enumerate(lefts) if term in at]
        alike[tuple(np.array(same, np.intp).reshape(-1, 2).T)] = 1.0
        amounts = np.multiply.outer([*ours.weights.values()], [*theirs.weights.values()]) * alike
        # of most words nothing is alike on the other side: where they stand is not looked up
        rows, columns = np.flatnonzero(amounts.any(axis=1)), np.flatnonzero(amounts.any(axis=0))
        return matches(
            amounts[np.ix_(rows, columns)],
            ours.standing(block, (lefts[row] for row in rows)),
            theirs.standing(block, (rights[column] for column in columns)),
        )

    def _vectors_of(self, block: Block, item: int) -> tuple[Longs, Singles]:
        """Which words of an item say most, and their vectors, float32[words, 384]."""

        def encoded() -> tuple[Longs, Singles]:
            words = self._words_of(block, item)
            most = np.argsort([-weight for weight in words.weights.values()], kind="stable")[:_MOST]
            names = list(words.weights)
            return most, open_model().encode([names[one] for one in most.tolist()])

        return block.once((AboutColumn, "vectors of words", self._model, item), encoded)

    def _words_of(self, block: Block, item: int) -> Speaking:
        """The words of an item, each with its share in what the item is about."""
        return block.once((AboutColumn, self._model, item), lambda: self._speaking(block, item))

    def _speaking(self, block: Block, item: int) -> Speaking:
        words = self._words(block)
        salience = block.once((AboutModel, self._model), lambda: self._model.salience(words))[words.of(item)]
        return speaking(block, words, item, salience / max(salience.sum(), 1e-9), 0.0)

    def _words(self, block: Block) -> FactWords:
        return words_of(block, self._resources.wordnet)
