"""Variants: the system that answers where a resource that the wanted one needs is absent.

A row of ``systems`` may name another under ``fallback``. Every answer names both.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from features.knowledge.resources import Resources
from features.measures.base import needed
from features.measures.registry import FeatureSettings
from ingest.errors import ResourceMissing
from models.regressors.base import OpaqueSettings, RetrievalSettings
from service.settings import Settings


@dataclass(frozen=True, slots=True)
class Variant:
    """The system that answers; where it stands in for another, which, and what that one lacks.

    ``missing`` names each absent resource with the sentence that says how to get it. ``retrieval`` says
    where the system's neighbours are looked for, None for everywhere.
    """

    system: str
    stands_in_for: str | None = None
    missing: Mapping[str, str] = field(default_factory=dict)
    retrieval: RetrievalSettings | None = None

    @property
    def approximate(self) -> str | None:
        """A note on every answer whose neighbours are looked for among candidates only.

        >>> Variant("max", retrieval=RetrievalSettings(system="sum", candidates=400)).approximate
        'max scores the 400 items of a type that sum ranks highest, and finds no other'
        """
        if self.retrieval is None:
            return None
        best = f"the {self.retrieval.candidates:,} items of a type that {self.retrieval.system} ranks highest"
        return f"{self.system} scores {best}, and finds no other"

    @property
    def warning(self) -> str | None:
        """A warning at start where another system than the wanted one answers."""
        if self.stands_in_for is None:
            return None
        lacks = "; ".join(f"{name}: {sentence}" for name, sentence in self.missing.items())
        return f"{self.system} answers in place of {self.stands_in_for}, which lacks {lacks}"


def choose(settings: Settings, resources: Resources, name: str | None = None) -> Variant:
    """The first system with all its resources among the named one and those that stand in for it.

    Without a name it is ``service.system``. Raises ``UnknownSystem``, and ``ResourceMissing`` with what
    would provide them where the last of the chain lacks some too.
    """
    wanted = name or settings.service.system
    at: str | None = wanted
    lacking: dict[str, str] = {}
    while at is not None:
        missing = _missing(settings, resources, at)
        if not missing:
            return Variant(at, None if at == wanted else wanted, lacking, _retrieval(settings, at))
        lacking = lacking or missing
        at = settings.system(at).fallback
    needs = "; ".join(f"{resource}: {sentence}" for resource, sentence in lacking.items())
    raise ResourceMissing(f"system {wanted!r} needs what is not here: {needs}")


def _missing(settings: Settings, resources: Resources, name: str) -> dict[str, str]:
    wanted = (resource for feature in features_of(settings, [name]).values() for resource in feature.needs)
    absent = {str(resource): sentence for resource, sentence in resources.missing(wanted).items()}
    return {**settings.system(name).lacks, **absent}


def served(settings: Settings, resources: Resources) -> tuple[list[Variant], list[str]]:
    """The systems that a collection is built for, and why one of ``service.also`` is left out.

    Raises ``ResourceMissing`` where nothing stands in for ``service.system``.
    """
    variants, refused = [choose(settings, resources)], []
    for name in settings.service.also:
        try:
            variants.append(choose(settings, resources, name))
        except ResourceMissing as error:
            refused.append(error.detail)
    return variants, refused


def features_of(settings: Settings, systems: Iterable[str]) -> dict[str, FeatureSettings]:
    """The declared features that any of the systems needs, and their parts, in the order of the files.

    To find neighbours a system may need those of another, which proposes candidates.
    """
    wanted = set(systems)
    wanted |= {other.system for name in wanted if (other := _retrieval(settings, name))}
    names = {name for system in wanted for name in needed(settings.system(system).needs, settings.features)}
    return {name: feature for name, feature in settings.features.items() if name in names}


def _retrieval(settings: Settings, name: str) -> RetrievalSettings | None:
    system = settings.system(name)
    return system.retrieval if isinstance(system, OpaqueSettings) else None
