"""All settings: config.yaml, overridden by KINDRED_... variables, validated, refused by line.

config.yaml holds every setting with its default, research.yaml the systems that research compares; a file of
one's own (``--config`` or ``KINDRED_CONFIG``) may hold any part of both.
"""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

from pydantic import AfterValidator, Field, ValidationInfo

from features.knowledge.resources import ResourceSettings
from features.measures.base import needed
from features.measures.registry import FeatureSettings
from features.profiles.analysis import AnalysisSettings, Models
from features.text.language import ENGLISH
from features.text.sentences import EncoderName
from ingest.errors import ConfigError, LanguageModelError, UnknownSystem
from models.regressors.base import OpaqueSettings
from models.regressors.registry import DeclaredSystem
from models.systems import SystemSettings
from models.types import TypeSettings, official_first
from service.basic_settings import BasicSettings, Name, check_declared, validated
from service.configuration import ConfigFile, config_files, is_research, variables
from service.portal_settings import PortalSettings
from service.refusals import misplaced
from service.search.engines.registry import engines, known, with_keys
from service.sections import EvaluationSettings, Section, ServiceSettings


class SentenceSettings(Section):
    """What makes the sentence vectors."""

    encoder: EncoderName = Field(
        "compact",
        description="what makes the sentence vectors. `compact`: a static model that comes with the"
        " project, thousands of texts a second; `full`: MiniLM, from which `compact` was learnt, some 75"
        " texts a second and core; needs an extra",
    )


class IndexSection(Section):
    """Where neighbours are looked up."""

    kind: Annotated[str, AfterValidator(known)] = Field(
        "local", description="; ".join(f"{name}: {engine.about}" for name, engine in engines().items())
    )


if TYPE_CHECKING:
    IndexSettings: TypeAlias = IndexSection
else:
    IndexSettings = with_keys("IndexSettings", IndexSection)


def _over_vectors(features: dict[str, FeatureSettings], read: ValidationInfo) -> dict[str, FeatureSettings]:
    chosen = read.data.get("sentences")
    if not isinstance(chosen, SentenceSettings):  # it was refused
        return features
    return {name: settings.with_encoder(chosen.encoder) for name, settings in features.items()}


def _parts_first(features: dict[str, FeatureSettings]) -> dict[str, FeatureSettings]:
    """The features, each behind those that it is made of, wherever the files declare these."""
    for name, settings in features.items():
        for part in settings.made_of:
            check_declared("feature", part, features, ("features", name))
    try:
        TopologicalSorter({name: settings.made_of for name, settings in features.items()}).prepare()
    except CycleError as error:
        circle = error.args[1]
        raise misplaced(f"{', '.join(circle)} are made of each other", ("features", circle[0])) from None
    return {name: features[name] for name in needed(tuple(features), features)}


class Settings(BasicSettings):
    """Every setting, as sections of config.yaml."""

    sentences: SentenceSettings = SentenceSettings()
    analysis: AnalysisSettings = AnalysisSettings()
    resources: ResourceSettings = ResourceSettings()
    types: Annotated[dict[Name, TypeSettings], AfterValidator(official_first)]
    features: Annotated[
        dict[Name, FeatureSettings], AfterValidator(_over_vectors), AfterValidator(_parts_first)
    ]
    systems: dict[Name, DeclaredSystem]
    index: IndexSettings = IndexSettings()
    service: ServiceSettings = ServiceSettings()
    portal: PortalSettings = PortalSettings()
    evaluation: EvaluationSettings = EvaluationSettings()

    def _check_references(self) -> None:
        for name, system in self.systems.items():
            for key, kind in system.named:
                check_declared("similarity type", kind, self.types, ("systems", name, key, kind))
            for feature in (*system.needs, *system.mentions):
                check_declared("feature", feature, self.features, ("systems", name, system.key(feature)))
            self._fallback_ends(name)
            self._retrieval_is_additive(name)
        for key, named in (("system", (self.service.system,)), ("also", self.service.also)):
            for one in named:
                check_declared("system", one, self.systems, ("service", key))
        super()._check_references()

    def _fallback_ends(self, name: str) -> None:
        passed, at = [name], ("systems", name, "fallback")
        while (following := self.systems[passed[-1]].fallback) is not None:
            check_declared("system", following, self.systems, ("systems", passed[-1], "fallback"))
            if following in passed:
                raise misplaced(f"the systems {', '.join(passed)} stand in for each other in a circle", at)
            passed.append(following)

    def _retrieval_is_additive(self, name: str) -> None:
        system = self.systems[name]
        if not isinstance(system, OpaqueSettings) or system.retrieval is None:
            return
        proposes, at = system.retrieval.system, ("systems", name, "retrieval", "system")
        check_declared("system", proposes, self.systems, at)
        if isinstance(self.systems[proposes], OpaqueSettings):
            raise misplaced(f"{proposes!r} is not additive, so it cannot be searched itself", at)

    def system(self, name: str) -> SystemSettings:
        """The declared system of that name; raises ``UnknownSystem``."""
        if name not in self.systems:
            raise UnknownSystem(f"no system {name!r}; declared are: {', '.join(self.systems)}")
        return self.systems[name]

    @property
    def models(self) -> Models:
        """The models that make profiles; raises ``LanguageModelError`` where there is no language model."""
        return Models(self._language_models, self.sentences.encoder)

    @property
    def _language_models(self) -> Path:
        if self.language.package == "compact":
            return self.language.directory or ENGLISH
        if not (self.standard_models / "manifest.json").is_file():
            raise LanguageModelError(
                f"Stanza's own English package is not in {self.standard_models};"
                " fetch it: kindred models download (or set language.package: compact)"
            )
        return self.standard_models


def load(path: Path | None = None) -> Settings:
    """The settings of the project's files, with those of ``path`` and of the environment over them.

    Raises ``ConfigError`` for an unknown key or a wrong value, with its line and what is allowed.
    """
    return validated(Settings, config_files(path))


def load_served(path: Path | None = None, system: str | None = None) -> Settings:
    """The settings of ``load`` without the rows of research.yaml, where nothing asks for one of these.

    A file of one's own, a variable or ``system`` asks for a row by its name. Where the settings are wrong all
    rows are loaded too, so that the error names everything that is declared.
    """
    files = config_files(path)
    research = [file for file in files if is_research(file)]
    others = [file for file in files if not is_research(file)]
    rows = set[str]().union(*map(_rows, research)).difference(*map(_rows, others[:1]))
    trees = (*(file.tree for file in others), variables(Settings))
    if rows.isdisjoint(_texts(trees)):
        with suppress(ConfigError):
            settings = validated(Settings, others)
            if system is None or system in settings.systems:
                return settings
    return validated(Settings, files)


def _rows(file: ConfigFile) -> set[str]:
    sections = [file.tree.get(section) for section in ("features", "systems")]
    return {name for section in sections if isinstance(section, dict) for name in section}


def _texts(node: object) -> Iterator[str]:
    if isinstance(node, str):
        yield node
    elif isinstance(node, Mapping):
        yield from node
        yield from _texts(node.values())
    elif isinstance(node, Iterable):
        for value in node:
            yield from _texts(value)
