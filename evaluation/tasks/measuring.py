"""The features of all sets of a task, computed as they are asked for, with the time that they took."""

from collections.abc import Iterable, Sequence
from time import perf_counter

import numpy as np

from evaluation.tasks.benching import Lessons, Scorer
from evaluation.tasks.cube import LAYERS, Cube, cube_tables
from evaluation.tasks.cube_features import NAMES, thirty_features
from evaluation.tasks.datasets import TextPairs
from evaluation.tasks.texts import TextFeatures, WordPairs, features_of_texts, words_of_texts
from features.arrays import Doubles
from features.research.word_measures import needed_by, word_measure
from ingest.errors import ResourceMissing
from service.cli.context import Context
from service.opening import open_resources
from service.settings import Settings


class TaskFeatures:
    """What is known of the pairs of the sets of a task, and of those of ``others``, which teach only."""

    def __init__(
        self,
        context: Context,
        sets: Sequence[TextPairs],
        others: Sequence[TextPairs],
        settings: Settings | None = None,
    ) -> None:
        """Nothing is computed yet; ``settings`` are those of the context where none are given."""
        self.sets, self.others, self.seconds = list(sets), list(others), 0.0
        self.features: dict[str, TextFeatures] = {
            one.name: TextFeatures((), np.empty((len(one), 0))) for one in (*sets, *others)
        }
        self._context, self._settings = context, settings or context.settings
        self.resources = open_resources(self._settings)
        self._words: dict[str, WordPairs] = {}
        self._thirty: dict[str, Doubles] = {}

    def read(self, names: Sequence[str]) -> None:
        """Compute features of config that are not there yet; raises as ``features_of_texts``."""
        known = next(iter(self.features.values())).names
        wanted = [name for name in names if name not in known]
        if wanted:
            start = perf_counter()
            both = [*self.sets, *self.others]
            tables = features_of_texts(
                self._settings, both, wanted, lambda total: self._context.progress("analyse", total)
            )
            self._join(both, tables)
            self.seconds += perf_counter() - start

    def read_counts(self) -> None:
        """Compute the thirty features of the Cube's regression."""
        if not self._thirty:
            start, words = perf_counter(), self._words_of()
            self._thirty = {
                name: thirty_features(pairs, self.resources.wordnet) for name, pairs in words.items()
            }
            both = [*self.sets, *self.others]
            self._join(both, [TextFeatures(NAMES, self._thirty[one.name]) for one in both])
            self.seconds += perf_counter() - start

    def cube(self, lessons: Lessons) -> Cube:
        """The Cube over the layers whose resources are there; of one that is not it is said."""
        self.read_counts()
        start, words = perf_counter(), self._words_of()
        layers = {}
        for name, power in LAYERS.items():
            try:
                layers[name] = (word_measure(name, self.resources), power)
            except ResourceMissing as error:
                self._context.warn(f"the Cube without {', '.join(needed_by(name))}: {error}")
        tables = {name: cube_tables(pairs, layers) for name, pairs in words.items()}
        self.seconds += perf_counter() - start
        return Cube(tables, self._thirty, lessons)

    def alone(self, name: str) -> Scorer:
        """The values of one feature as scores; of texts as given, not written out."""
        return lambda one: self.features[one.name].plain((name,))[:, 0]

    def over(self, names: Iterable[str]) -> dict[str, Doubles]:
        """The values of some features, of texts as given and written out, by set."""
        wanted = frozenset(names)
        return {name: table.over(wanted) for name, table in self.features.items()}

    def _join(self, sets: Sequence[TextPairs], tables: Sequence[TextFeatures]) -> None:
        for one, table in zip(sets, tables, strict=True):
            before = self.features[one.name]
            self.features[one.name] = TextFeatures(
                (*before.names, *table.names), np.hstack([before.values, table.values])
            )

    def _words_of(self) -> dict[str, WordPairs]:
        if not self._words:
            both = [*self.sets, *self.others]
            words = words_of_texts(
                self._settings, both, lambda total: self._context.progress("analyse", total)
            )
            self._words = {one.name: pairs for one, pairs in zip(both, words, strict=True)}
        return self._words
