"""Feature values of pairs: profiles stored between runs, columns fitted on a collection.

A directory of pairs stands for the collection of a museum. What a feature measures against the collection,
as the rarity of a word or the usual cosine of two texts, it measures against the records of that directory,
so that weights are learnt from values like those that the museum's own build gives. With a reference it is
measured against the records of that, whatever pairs stand beside a pair.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

import numpy as np

from evaluation.reference import Reference, is_pairs, of_catalogue
from evaluation.typed import Pairs, read_pairs
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

    What the catalogue at ``path`` has already, from this text by these models, is not analysed again.
    ``progress`` is called with the number of records to analyse, if any.
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


class FeatureTable(NamedTuple):
    """Features by name and their values float64[pairs, features], NaN for no information.

    >>> FeatureTable(("f", "g"), np.array([[0.1, 0.2]])).over(("g", "f")).tolist()
    [[0.2, 0.1]]
    """

    names: tuple[str, ...]
    values: Doubles

    def over(self, names: Sequence[str]) -> Doubles:
        """The values of the named features, in their order."""
        return self.values[:, [self.names.index(name) for name in names]]


def fitted_features(
    pairs: Pairs,
    features: Mapping[str, FeatureSettings],
    profiles: Mapping[str, bytes],
    resources: Resources,
    reference: Reference | None = None,
) -> Callable[[Sequence[tuple[str, str]]], FeatureTable]:
    """What gives every feature of pairs of two of the records, by columns fitted on these records.

    With a ``reference`` the columns are fitted on its records in their place. Each counts once whatever the
    number of its pairs. The number of the records and their document frequencies are the idf of the
    collection (eq. 6.1). No gold is seen, so that folds may share the columns.
    """
    places = {record.id: place for place, record in enumerate(pairs.records)}
    block = Block([decode(profiles[item]) for item in places])
    fitted_on = reference.decoded() if reference else block.profiles
    columns = fitted_columns(fitted_on, features, resources)

    def table(ids: Sequence[tuple[str, str]]) -> FeatureTable:
        rows = [(places[left], places[right]) for left, right in ids]
        values = pair_values(columns, features, block, rows, features)
        return FeatureTable(tuple(features), np.ascontiguousarray(values))

    return table


class PreparedFeatures(NamedTuple):
    """The feature values that systems need, and why some systems cannot be scored: a sentence each."""

    table: FeatureTable
    absent: dict[str, str]


def prepare(
    settings: Settings,
    pairs: Pairs,
    systems: Mapping[str, SystemSettings],
    progress: ProgressBlock = _no_progress,
    models: Mapping[str, Path] = MappingProxyType({}),
    reference: Path | None = None,
) -> PreparedFeatures:
    """Every feature that one of the systems needs, computed once for all of them.

    ``models`` are the models of facts that read the records of directories, by their names. ``reference`` is
    the collection to fit on, where it is not the records of the pairs.

    A system that lacks a resource or a package is named with what would provide it. Raises
    ``ResourceMissing`` where that leaves none.
    """
    read = read_reference(settings, reference, progress) if reference else None
    analysed = analysed_pairs(settings, pairs, systems, progress)._replace(models=models, reference=read)
    return PreparedFeatures(analysed.table(pairs), analysed.absent)


class AnalysedPairs(NamedTuple):
    """The features that systems need, and the profiles of all records, by id, that they are read from."""

    features: Mapping[str, FeatureSettings]
    resources: Resources
    profiles: dict[str, bytes]
    absent: dict[str, str]
    models: Mapping[str, Path] = MappingProxyType({})
    reference: Reference | None = None

    def table(self, pairs: Pairs) -> FeatureTable:
        """The features of pairs, those of each directory by themselves."""
        tables = [self.of_directory(own) for own in pairs.by_directory]
        return FeatureTable(tables[0].names, np.vstack([table.values for table in tables]))

    def of_directory(self, pairs: Pairs) -> FeatureTable:
        """The features of the pairs of one directory, fitted on their records alone or on the reference."""
        model = self.models.get(pairs.parts[0].name) if pairs.parts else None
        resources = self.resources.with_facts(model)
        table = fitted_features(pairs, self.features, self.profiles, resources, self.reference)
        return table(pairs.sides)


def read_reference(settings: Settings, path: Path, progress: ProgressBlock = _no_progress) -> Reference:
    """The collection that features are fitted on; the records of a directory of pairs are analysed first."""
    if not is_pairs(path):
        return of_catalogue(path, settings.models)
    pairs = read_pairs(path, settings.types)
    stored = settings.state.directory / CATALOGUE
    profiles = pair_profiles(pairs, stored, settings.models, settings.analysis, progress)
    return Reference(path, tuple(profiles[record.id] for record in pairs.records))


def analysed_pairs(
    settings: Settings,
    pairs: Pairs,
    systems: Mapping[str, SystemSettings],
    progress: ProgressBlock = _no_progress,
) -> AnalysedPairs:
    """What every feature of the systems is read from; raises as :func:`prepare` does."""
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
    return AnalysedPairs(features, resources, profiles, absent)
