"""Feature values of pairs: profiles stored between runs, columns fitted on the pairs' own records."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, TypeAlias

import numpy as np

from evaluation.typed import Pairs
from features.arrays import Doubles
from features.collection.build import fitted_columns
from features.collection.collection import pair_values
from features.knowledge.resources import Resources
from features.measures.base import needed
from features.measures.registry import FeatureSettings
from features.profiles.analysis import AnalysisSettings, Models, analyse_pending, fingerprint
from features.profiles.blocks import Block
from features.profiles.profile import decode
from ingest.catalogue import Catalogue
from ingest.errors import ResourceMissing
from models.systems import SystemSettings
from service.opening import available, open_resources
from service.settings import Settings

CATALOGUE = "pairs.sqlite"
"""The file in the state directory that stores the profiles of pairs."""

ProgressBlock: TypeAlias = Callable[[int], AbstractContextManager[Callable[[int], None]]]
"""Given a total, a block that gives the function which reports what is done since its last call."""


def _no_progress(_: int) -> AbstractContextManager[Callable[[int], None]]:
    return nullcontext(lambda _: None)


def pair_profiles(
    pairs: Pairs,
    path: Path,
    models: Models,
    settings: AnalysisSettings,
    progress: ProgressBlock = _no_progress,
) -> dict[str, bytes]:
    """The encoded profile of every record of the pairs, by id.

    ``models`` are the language models and the sentence encoder. What the catalogue at ``path`` has already,
    from this text by these models, is not analysed again. ``progress`` is called with the number of
    records to analyse, if any.
    """
    records = pairs.records
    mark = fingerprint(models)
    with Catalogue(path) as catalogue:
        catalogue.put_many(records)
        if waiting := catalogue.count_pending(mark):
            with progress(waiting) as advance:
                analyse_pending(catalogue, models, settings, advance)
        wanted = {record.id for record in records}
        return {name: profile for name, profile in catalogue.profiles(mark) if name in wanted}


@dataclass(frozen=True, slots=True, eq=False)
class FeatureTable:
    """Features by name and their values float64[pairs, features], NaN for no information.

    >>> FeatureTable(("f", "g"), np.array([[0.1, 0.2]])).over(("g", "f")).tolist()
    [[0.2, 0.1]]
    """

    names: tuple[str, ...]
    values: Doubles

    def over(self, names: Sequence[str]) -> Doubles:
        """The values of the named features, in their order."""
        return self.values[:, [self.names.index(name) for name in names]]


class FittedFeatures:
    """Feature columns fitted on the records of pairs, each counting once whatever the number of its pairs.

    The number of the records and their document frequencies are the idf of the collection (eq.
    6.1). No gold is seen here, so that folds may share the columns.
    """

    def __init__(
        self,
        pairs: Pairs,
        features: Mapping[str, FeatureSettings],
        profiles: Mapping[str, bytes],
        resources: Resources,
    ) -> None:
        self._features = features
        self._places = {record.id: place for place, record in enumerate(pairs.records)}
        self._block = Block([decode(profiles[item]) for item in self._places])
        self._columns = fitted_columns(self._block.profiles, features, resources)

    def table(self, ids: Sequence[tuple[str, str]]) -> FeatureTable:
        """Every feature of every pair of two of the records."""
        pairs = [(self._places[left], self._places[right]) for left, right in ids]
        values = pair_values(self._columns, self._features, self._block, pairs, self._features)
        return FeatureTable(tuple(self._features), np.ascontiguousarray(values))


class PreparedFeatures(NamedTuple):
    """The feature values that systems need, and why some systems cannot be scored: a sentence each."""

    table: FeatureTable
    absent: dict[str, str]


def prepare(
    settings: Settings,
    pairs: Pairs,
    systems: Mapping[str, SystemSettings],
    progress: ProgressBlock = _no_progress,
) -> PreparedFeatures:
    """Every feature that one of the systems needs, computed once for all of them.

    A system that needs a resource or a package which is not there is named with what would provide it, and
    left out. Raises ``ResourceMissing`` where that leaves none.
    """
    resources = open_resources(settings)
    parts = {name: needed(system.needs, settings.features) for name, system in systems.items()}
    declared = {part: settings.features[part] for own in parts.values() for part in own}
    _, missing = available(declared, resources)
    absent = {}
    for name, system in systems.items():
        lacking = sorted({need for part in parts[name] for need in declared[part].needs} & missing.keys())
        if sentences := [*system.lacks.values(), *(missing[resource] for resource in lacking)]:
            absent[name] = "; ".join(sentences)
    if absent.keys() >= systems.keys():
        raise ResourceMissing("; ".join(dict.fromkeys(absent.values())))
    used = {part for name in systems if name not in absent for part in parts[name]}
    features = {name: feature for name, feature in declared.items() if name in used}
    path = settings.state.directory / CATALOGUE
    profiles = pair_profiles(pairs, path, settings.models, settings.analysis, progress)
    return PreparedFeatures(FittedFeatures(pairs, features, profiles, resources).table(pairs.sides), absent)
