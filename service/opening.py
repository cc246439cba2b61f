"""Opens what the settings name: resources, systems, and what of them is there."""

from collections.abc import Mapping, Sequence

from features.collection.generation import GenerationManifest
from features.knowledge.resources import Resources
from features.measures.registry import FeatureSettings
from ingest.errors import ResourceMissing
from models import artefact
from models.systems import System, untrained
from service.search.variants import features_of
from service.settings import Settings


def open_system(settings: Settings, name: str) -> System:
    """The declared system of that name, weights trained here over those that come with Kindred.

    Raises ``ResourceMissing`` where a package that it needs is not installed.
    """
    declared = settings.system(name)
    for sentence in declared.lacks.values():
        raise ResourceMissing(f"system {name!r} cannot be used: {sentence}")
    if not declared.trained:
        return untrained(name, declared, settings.types)
    directories = artefact.directories(settings.state.weights)
    return artefact.load(name, declared, settings.features, directories, settings.types)


def open_resources(settings: Settings) -> Resources:
    """The resources that the settings name, each opened when it is first asked for."""
    return Resources(settings.resources, settings.state.directory)


def available(
    features: Mapping[str, FeatureSettings], resources: Resources
) -> tuple[dict[str, FeatureSettings], dict[str, str]]:
    """The features whose resources are there; and what would provide each resource that is not."""
    missing = resources.missing(name for settings in features.values() for name in settings.needs)
    usable: dict[str, FeatureSettings] = {}
    for name, settings in features.items():
        if not missing.keys() & set(settings.needs) and all(part in usable for part in settings.made_of):
            usable[name] = settings
    return usable, {str(name): sentence for name, sentence in missing.items()}


def absent_features(settings: Settings, built: GenerationManifest, systems: Sequence[str]) -> list[str]:
    """The features needed by the systems that the collection lacks, or has with other settings."""
    return list(built.stale(features_of(settings, systems)))
