"""All declared systems side by side on the same pairs, and what their features tell by themselves."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from evaluation.components import Component, components
from evaluation.results import EvaluationData, Result, Task
from evaluation.scoring import (
    CATALOGUE,
    FeatureTable,
    FittedFeatures,
    ProgressBlock,
    pair_profiles,
    without_progress,
)
from evaluation.typed import Pairs
from features.measures.base import needed
from ingest.errors import ResourceMissing
from models.systems import SystemSettings
from service.opening import available, open_resources
from service.settings import Settings


class PreparedFeatures(NamedTuple):
    """The feature values that systems need, and why some systems cannot be scored: a sentence each."""

    table: FeatureTable
    absent: dict[str, str]


def prepare(
    settings: Settings,
    pairs: Pairs,
    systems: Mapping[str, SystemSettings],
    progress: ProgressBlock = without_progress,
) -> PreparedFeatures:
    """Every feature that one of the systems needs, computed once for all of them.

    A system that needs a resource or a package which is not there is named with what would provide it, and
    left out. Raises ``ResourceMissing`` where that leaves none.
    """
    resources = open_resources(settings)
    names = needed(tuple(name for system in systems.values() for name in system.needs), settings.features)
    declared = {name: settings.features[name] for name in names}
    _, missing = available(declared, resources)
    absent = {}
    for system, about in systems.items():
        parts = needed(about.needs, settings.features)
        lacking = sorted({need for part in parts for need in declared[part].needs} & missing.keys())
        if sentences := [*about.lacks.values(), *(missing[resource] for resource in lacking)]:
            absent[system] = "; ".join(sentences)
    if absent.keys() >= systems.keys():
        raise ResourceMissing("; ".join(dict.fromkeys(absent.values())))
    scored = [about for system, about in systems.items() if system not in absent]
    used = set(needed(tuple(name for about in scored for name in about.needs), settings.features))
    features = {name: declared[name] for name in names if name in used}
    profiles = pair_profiles(
        pairs, settings.state.directory / CATALOGUE, settings.models, settings.analysis, progress
    )
    return PreparedFeatures(FittedFeatures(pairs, features, profiles, resources).table(pairs.sides), absent)


@dataclass(frozen=True, eq=False)
class SystemResult:
    """A system and what was found of it: untrained, or cross-validated and on collections never seen."""

    name: str
    settings: SystemSettings
    results: tuple[Result, ...]


@dataclass(frozen=True, eq=False)
class Comparison:
    """Systems as they are declared, those that cannot be scored with the reason, and components."""

    grounds: EvaluationData
    standings: tuple[SystemResult, ...]
    absent: Mapping[str, str]
    components: tuple[Component, ...]


def compare(
    systems: Mapping[str, SystemSettings], prepared: PreparedFeatures, grounds: EvaluationData, number: int
) -> Comparison:
    """Score every system that can be, in ``number`` folds (0: as configured) and unseen.

    Where the pairs allow no test on collections never seen it is left out: ``grounds`` say why.
    """
    standings = []
    for name, settings in systems.items():
        if name in prepared.absent:
            continue
        task = Task(name, settings, grounds, prepared.table.over(settings.needs))
        if not settings.trained:
            results = [task.untrained(strict=True)]
        else:
            results = [task.cross_validated(number)]
            results += [] if grounds.unseen_refused else [task.never_seen()]
        standings.append(SystemResult(name, settings, tuple(results)))
    found = components(prepared.table, grounds.gold, grounds.pairs.types)
    return Comparison(grounds, tuple(standings), prepared.absent, tuple(found))
