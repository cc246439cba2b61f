"""Settings: config.yaml, overridden by KINDRED_... variables, validated, refused by line.

The file that comes with the project holds every setting with its default, research.yaml beside it the
systems that research compares with those of a museum; a file of one's own (``--config`` or
``KINDRED_CONFIG``) may hold any part of both. A variable names its setting with
double underscores between levels: ``KINDRED_SERVICE__PORT=8080``.
"""

import os
from collections.abc import Iterable
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    StringConstraints,
    ValidationError,
    ValidationInfo,
    model_validator,
)
from pydantic_settings import (
    BaseSettings,
    EnvSettingsSource,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    SettingsError,
)

from features.knowledge.resources import ResourceSettings
from features.measures.base import needed
from features.measures.registry import FeatureSettings
from features.profiles.analysis import AnalysisSettings, Models
from features.text.language import ENGLISH
from features.text.sentences import EncoderName
from ingest.errors import ConfigError, LanguageModelError, UnknownMapping, UnknownSource, UnknownSystem
from ingest.mapping import Mapping as RecordMapping
from ingest.oai.settings import HarvestLimits, HarvestSource
from ingest.reading.settings import Limits
from models.regressors.base import OpaqueSettings
from models.regressors.registry import DeclaredSystem
from models.systems import SystemSettings
from models.types import TypeSettings, official_first
from service.configuration import check_variables, merged, misplaced, read, refusal
from service.search.engines.registry import engines, known, with_keys

PREFIX = "KINDRED_"
FILE_VARIABLE = f"{PREFIX}CONFIG"


_Name = Annotated[str, StringConstraints(pattern=r"^\w[\w.-]*$")]
"""The name of a type, a feature or a system, which also names its files."""


_Origin = Annotated[str, StringConstraints(pattern=r"^(\*|https?://[^/\s]+)$")]
"""An origin as browsers send it: scheme, host, and a port where it is not the usual one."""


class _Section(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class StateSettings(_Section):
    """Where Kindred keeps what it writes."""

    directory: Path = Field(
        Path(".kindred"), description="folder of all that Kindred writes; relative to where the command runs"
    )

    @property
    def catalogue(self) -> Path:
        """The catalogue's SQLite file."""
        return self.directory / "catalogue.sqlite"

    @property
    def paths(self) -> Path:
        """The SQLite file of the exploration paths."""
        return self.directory / "paths.sqlite"

    @property
    def keys(self) -> Path:
        """The SQLite file of the service's keys."""
        return self.directory / "keys.sqlite"

    @property
    def key_uses(self) -> Path:
        """The folder of when each key was last used."""
        return self.directory / "keys-used"

    @property
    def collection(self) -> Path:
        """The folder of the collection's generations."""
        return self.directory / "collection"

    @property
    def weights(self) -> Path:
        """The folder of weights trained here."""
        return self.directory / "weights"

    @property
    def feedback(self) -> Path:
        """The file of what curators said of neighbours."""
        return self.directory / "feedback.sqlite"

    @property
    def outbox(self) -> Path:
        """The SQLite file of what a cluster was sent."""
        return self.directory / "index.sqlite"

    @property
    def wikipedia(self) -> Path:
        """The folder of the built Wikipedia."""
        return self.directory / "wikipedia"

    @property
    def rejects(self) -> Path:
        """The file of records that the last ingest rejected."""
        return self.directory / "rejects.jsonl"


class IngestSettings(_Section):
    """How records are read."""

    mapping: str = Field(
        "dublin-core",
        description="the mapping used where `kindred ingest` names none and none fits the form of a file:"
        " a name under `mappings`",
    )
    removed: float = Field(
        0.1,
        ge=0,
        le=1,
        description="the share of a source's records that `--replace-source` removes without `--yes`",
    )
    limits: Limits = Field(Limits(), description="what reading one file may cost")


class LanguageSettings(_Section):
    """Which language models analyse the texts."""

    package: Literal["compact", "default"] = Field(
        "compact",
        description="`compact`: the models that come with the project; `default`: Stanza's own English"
        " package",
    )
    directory: Path | None = Field(None, description="folder of the models; `null`: the package's own place")


class SentenceSettings(_Section):
    """What makes the sentence vectors."""

    encoder: EncoderName = Field(
        "compact",
        description="what makes the sentence vectors. `compact`: a static model that comes with the"
        " project, thousands of texts a second; `full`: MiniLM, from which `compact` was learnt, some 75"
        " texts a second and core; needs an extra",
    )


def _kinds() -> str:
    """What the engines are called and where each has the items."""
    return "; ".join(f"{name}: {engine.about}" for name, engine in engines().items())


class IndexSection(_Section):
    """Where neighbours are looked up."""

    kind: Annotated[str, AfterValidator(known)] = Field("local", description=_kinds())


if TYPE_CHECKING:
    IndexSettings: TypeAlias = IndexSection
else:
    IndexSettings = with_keys("IndexSettings", IndexSection)


class ServiceSettings(_Section):
    """The HTTP service and the answers it gives."""

    system: str = Field(
        "kindred",
        description="the system that scores, on the command line and over HTTP: a name under `systems`",
    )
    also: tuple[str, ...] = Field(
        (),
        description="further systems that `kindred build` fits the features of, so that `--system` may"
        " name them",
    )
    host: str = Field("127.0.0.1", description="address to listen on; `0.0.0.0` means all")
    port: int = Field(8000, ge=1, le=65535, description="port to listen on")
    workers: int = Field(
        1,
        ge=1,
        le=64,
        description="processes that answer `kindred serve`, on one address; they share what lies on disk,"
        " each keeps what it reads of it",
    )
    limit: int = Field(
        10, ge=1, le=100, description="neighbours of an answer with a type where no limit is asked for"
    )
    overview: int = Field(
        25,
        ge=1,
        le=100,
        description="most neighbours of an answer without a type where no limit is asked for",
    )
    page: int = Field(6, ge=1, le=100, description="neighbours of each type on an item's page")
    body: int = Field(1_000_000, ge=1_000, description="longest body of a request, in bytes")
    requests: int = Field(
        4,
        ge=1,
        le=1000,
        description="requests that one process works on at once; each of 100 explained neighbours takes"
        " some 60 MB while it is worked on, which the process keeps for the next ones",
    )
    waiting: int = Field(
        100,
        ge=0,
        description="further requests that wait for their turn; what comes beyond is `busy`",
    )
    seconds: float = Field(
        30,
        gt=0,
        le=3600,
        description="how many seconds a request may wait for its turn (`busy` after that), and again how"
        " long it is worked on (`timed-out`)",
    )
    work: int = Field(
        10_000_000,
        ge=1,
        description="comparisons that a question of several seeds may take: seeds times items times types"
        " (8, or 1 where a type is named), since every item is scored for every seed; a question of one seed"
        " is always answered",
    )
    text: int = Field(
        50_000,
        ge=1,
        description="characters of the texts of a record that `POST /score` or `PUT` gives: the language"
        " analysis of so many takes seconds",
    )
    patience: int = Field(
        10,
        ge=1,
        le=3600,
        description="how many seconds a connection stays open after an answer when nothing more is asked on"
        " it; a reverse proxy holds clients that are slow in the middle of a request or an answer",
    )
    writes: bool = Field(
        False,
        description="whether `PUT` and `DELETE` may change the collection: for those with a key of role"
        " curator or admin",
    )
    reads: Literal["everyone", "keys"] = Field(
        "everyone", description="who may read: everyone, or only who has a key, of whatever role"
    )
    origins: tuple[_Origin, ...] = Field(
        (),
        description="origins whose pages may call the API from a browser: `https://HOST` or"
        " `https://HOST:PORT` (also `http`), or `*` for all",
    )
    max_age: int = Field(
        0,
        ge=0,
        description="how many seconds browsers and proxies may use an answer without asking again; with 0"
        " they ask every time, which is cheap: what has not changed is answered 304 before any work",
    )
    rate: float = Field(
        0,
        ge=0,
        le=1_000_000,
        description="requests a second that one client may send on the whole; 0: as often as it likes",
    )
    burst: int = Field(
        20, ge=1, description="how many requests one client may send at once before `service.rate` holds it"
    )
    proxies: tuple[str, ...] = Field(
        (),
        description="proxies that are believed about whom they ask for: addresses and networks, as"
        ' `["10.0.0.0/8"]`, or `["*"]`. The client\'s address is then taken from `X-Forwarded-For`, the'
        " scheme from `X-Forwarded-Proto`; from anybody else these headers are ignored",
    )
    log: Literal["quiet", "text", "json"] = Field(
        "quiet",
        description="what the log on stderr holds. `quiet`: warnings and faults; `text`, `json`: a line"
        " for every request as well",
    )
    precompute: bool = Field(
        False,
        description="whether `kindred build` and `rebuild` also work out the best 50 neighbours of every"
        " item by type",
    )
    rebuild_after: int = Field(
        200,
        ge=0,
        description="live changes after which `kindred serve` begins `kindred rebuild` beside, at low"
        " priority; 0: never",
    )


class ProviderRule(_Section):
    """How a provider is told from a record: the first rule that fits names it."""

    name: str = Field(description="the provider's name")
    prefix: str = Field(description="how its record ids begin")
    source: str = Field("", description="what one of its `source` values contains; empty means any")


class EvaluationSettings(_Section):
    """How systems are measured."""

    seed: int = Field(20130613, ge=0, description="seed of the division into folds")
    folds: int = Field(10, ge=2, le=100, description="folds of `kindred evaluate --cv 0`")
    providers: tuple[ProviderRule, ...] = Field(
        (),
        description="rules that tell providers apart for `kindred evaluate --unseen`; config.yaml has four",
    )


def _over_vectors(features: dict[str, FeatureSettings], read: ValidationInfo) -> dict[str, FeatureSettings]:
    """The features, each over the vectors of the chosen encoder; where that is refused, as they are."""
    chosen = read.data.get("sentences")
    if not isinstance(chosen, SentenceSettings):
        return features
    return {name: settings.with_encoder(chosen.encoder) for name, settings in features.items()}


def _parts_first(features: dict[str, FeatureSettings]) -> dict[str, FeatureSettings]:
    """The features, each behind those that it is made of, wherever the files declare these."""
    for name, settings in features.items():
        for part in settings.made_of:
            _declared("feature", part, features, ("features", name))
    try:
        TopologicalSorter({name: settings.made_of for name, settings in features.items()}).prepare()
    except CycleError as error:
        circle = error.args[1]
        raise misplaced(f"{', '.join(circle)} are made of each other", ("features", circle[0])) from None
    return {name: features[name] for name in needed(tuple(features), features)}


class Settings(BaseSettings):
    """Every setting, as sections of config.yaml."""

    model_config = SettingsConfigDict(
        frozen=True, extra="forbid", env_prefix=PREFIX, env_nested_delimiter="__", env_ignore_empty=True
    )

    state: StateSettings = StateSettings()
    ingest: IngestSettings = IngestSettings()
    mappings: dict[str, RecordMapping]
    harvest: dict[_Name, HarvestSource]
    harvesting: HarvestLimits = HarvestLimits()
    language: LanguageSettings = LanguageSettings()
    sentences: SentenceSettings = SentenceSettings()
    analysis: AnalysisSettings = AnalysisSettings()
    resources: ResourceSettings = ResourceSettings()
    types: Annotated[dict[_Name, TypeSettings], AfterValidator(official_first)]
    features: Annotated[
        dict[_Name, FeatureSettings], AfterValidator(_over_vectors), AfterValidator(_parts_first)
    ]
    systems: dict[_Name, DeclaredSystem]
    index: IndexSettings = IndexSettings()
    service: ServiceSettings = ServiceSettings()
    evaluation: EvaluationSettings = EvaluationSettings()

    @model_validator(mode="after")
    def _references_hold(self) -> "Settings":
        for name, system in self.systems.items():
            for key, kind in system.named:
                _declared("similarity type", kind, self.types, ("systems", name, key, kind))
            for feature in (*system.needs, *system.mentions):
                _declared("feature", feature, self.features, ("systems", name, system.key(feature)))
            self._fallback_ends(name)
            self._retrieval_is_additive(name)
        for key, named in (("system", (self.service.system,)), ("also", self.service.also)):
            for one in named:
                _declared("system", one, self.systems, ("service", key))
        for name, source in self.harvest.items():
            _declared("mapping", source.read_by, self.mappings, ("harvest", name, "mapping"))
        _declared("mapping", self.ingest.mapping, self.mappings, ("ingest", "mapping"))
        return self

    def _fallback_ends(self, name: str) -> None:
        passed, at = [name], ("systems", name, "fallback")
        while (following := self.systems[passed[-1]].fallback) is not None:
            _declared("system", following, self.systems, ("systems", passed[-1], "fallback"))
            if following in passed:
                raise misplaced(f"the systems {', '.join(passed)} stand in for each other in a circle", at)
            passed.append(following)

    def _retrieval_is_additive(self, name: str) -> None:
        system = self.systems[name]
        if not isinstance(system, OpaqueSettings) or system.retrieval is None:
            return
        proposes, at = system.retrieval.system, ("systems", name, "retrieval", "system")
        _declared("system", proposes, self.systems, at)
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

    @property
    def standard_models(self) -> Path:
        """The folder of Stanza's own English package."""
        return self.language.directory or self.state.directory / "stanza"

    def mapping(self, name: str) -> RecordMapping:
        """The declared mapping of that name; raises ``UnknownMapping``."""
        if name not in self.mappings:
            raise UnknownMapping(f"no mapping {name!r}; declared are: {', '.join(self.mappings)}")
        return self.mappings[name]

    def source(self, name: str) -> HarvestSource:
        """The declared source of that name; raises ``UnknownSource``."""
        if name not in self.harvest:
            declared = ", ".join(self.harvest) or "none; docs/harvest.md tells how to declare one"
            raise UnknownSource(f"no source {name!r} under harvest; declared are: {declared}")
        return self.harvest[name]

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],  # noqa: ARG003
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,  # noqa: ARG003
        file_secret_settings: PydanticBaseSettingsSource,  # noqa: ARG003
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """The environment stands over the file, whose content comes as arguments."""
        return env_settings, init_settings


def load(path: Path | None = None) -> Settings:
    """The settings of the project's files, with those of ``path`` and of the environment over them.

    Without ``path`` the file that ``KINDRED_CONFIG`` names is taken, if any. Raises
    ``ConfigError`` for an unknown key or a wrong value, with its line and what is allowed.
    """
    named = os.environ.get(FILE_VARIABLE)
    chosen = path or (Path(named) if named else None)
    check_variables(PREFIX, Settings)
    files = [read(file) for file in (*shipped_files(), *([chosen] if chosen else []))]
    arguments: dict[str, Any] = merged(files)
    try:
        return Settings(**arguments)
    except ValidationError as error:
        raise refusal(error, Settings, files, PREFIX) from None
    except SettingsError as error:
        variable = _unreadable() or f"{PREFIX}..."
        raise ConfigError(f"{variable}: {error}: a section or a list in a variable must be JSON") from None


def _unreadable() -> str | None:
    """The first variable that cannot be read, whatever the others say."""
    for variable, value in os.environ.items():
        alone = EnvSettingsSource(Settings)
        alone.env_vars = {variable.lower(): value}
        try:
            alone()
        except SettingsError:
            return variable
    return None


def _declared(what: str, name: str, declared: Iterable[str], at: tuple[str, ...]) -> None:
    if name not in declared:
        raise misplaced(f"no {what} {name!r}; declared are: {', '.join(declared)}", at)


def shipped_files() -> tuple[Path, ...]:
    """The project's config.yaml, mappings.yaml and research.yaml: beside this module where installed."""
    installed = Path(__file__).with_name("config.yaml").exists()
    folder = Path(__file__).parent if installed else Path(__file__).parent.parent
    return folder / "config.yaml", folder / "mappings.yaml", folder / "research.yaml"
