"""The settings of commands that need no collection: where things lie, and how records are read."""

from collections.abc import Iterable, Sequence
from functools import cached_property
from pathlib import Path
from typing import Annotated, Self, TypeVar

from pydantic import BaseModel, ConfigDict, StringConstraints, ValidationError, model_validator

from ingest.errors import UnknownMapping, UnknownSource
from ingest.mapping import Mapping as RecordMapping
from ingest.oai.settings import HarvestLimits, HarvestSource
from ingest.reconciliation import Reconciliation, read
from service.configuration import ConfigFile, config_files, laid_over, merged, variables
from service.refusals import misplaced, refusal
from service.sections import IngestSettings, LanguageSettings, StateSettings

Name = Annotated[str, StringConstraints(pattern=r"^\w[\w.-]*$")]
"""The name of a source, a type, a feature or a system, which also names its files."""


class BasicSettings(BaseModel):
    """The settings that need no collection; the other sections, as objects, are not looked into."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    state: StateSettings = StateSettings()
    ingest: IngestSettings = IngestSettings()
    mappings: dict[str, RecordMapping]
    harvest: dict[Name, HarvestSource]
    harvesting: HarvestLimits = HarvestLimits()
    language: LanguageSettings = LanguageSettings()
    sentences: object = None
    analysis: object = None
    resources: object = None
    types: object = None
    features: object = None
    systems: object = None
    index: object = None
    service: object = None
    portal: object = None
    evaluation: object = None

    @model_validator(mode="after")
    def _references_hold(self) -> Self:
        self._check_references()
        return self

    def _check_references(self) -> None:
        """Refuse a setting that names what is not declared."""
        for name, source in self.harvest.items():
            check_declared("mapping", source.read_by, self.mappings, ("harvest", name, "mapping"))
        check_declared("mapping", self.ingest.mapping, self.mappings, ("ingest", "mapping"))

    @property
    def standard_models(self) -> Path:
        """The folder of Stanza's own English package."""
        return self.language.directory or self.state.directory / "stanza"

    def mapping(self, name: str) -> RecordMapping:
        """The declared mapping of that name, with the addresses of ``ingest.reconciliation``.

        Raises ``UnknownMapping``, and ``UnreadableFile`` for that table.
        """
        if name not in self.mappings:
            raise UnknownMapping(f"no mapping {name!r}; declared are: {', '.join(self.mappings)}")
        mapping, table = self.mappings[name], self._reconciliation
        return mapping if table is None else mapping.reconciled(table)

    @cached_property
    def _reconciliation(self) -> Reconciliation | None:
        # every file of an archive asks for its mapping
        table = self.ingest.reconciliation
        return None if table is None else Reconciliation(read(table))

    def source(self, name: str) -> HarvestSource:
        """The declared source of that name; raises ``UnknownSource``."""
        if name not in self.harvest:
            declared = ", ".join(self.harvest) or "none; docs/harvest.md tells how to declare one"
            raise UnknownSource(f"no source {name!r} under harvest; declared are: {declared}")
        return self.harvest[name]


_Settings = TypeVar("_Settings", bound=BasicSettings)


def load_basic(path: Path | None = None) -> BasicSettings:
    """The settings that need no collection, from where ``service.settings.load`` takes all of them."""
    return validated(BasicSettings, config_files(path, 2))


def validated(root: type[_Settings], files: Sequence[ConfigFile]) -> _Settings:
    """The settings that files give and, over them, the variables; raises ``ConfigError``."""
    try:
        return root.model_validate(laid_over(merged(files), variables(root)))
    except ValidationError as error:
        raise refusal(error, root, files) from None


def check_declared(kind: str, name: str, declared: Iterable[str], at: tuple[str, ...]) -> None:
    """Refuse the setting at a location where it names what is not declared."""
    if name not in declared:
        raise misplaced(f"no {kind} {name!r}; declared are: {', '.join(declared)}", at)
