"""A harvest as a test runs it: without a language model, without waiting."""

from collections.abc import Callable, Sequence
from ipaddress import ip_network
from pathlib import Path

from ingest.catalogue import Catalogue
from ingest.imports import Imports
from ingest.mapping import Mapping
from ingest.oai.fetching import Fetcher
from ingest.oai.harvester import Harvest, Harvester
from ingest.oai.intake import Intake, ProfiledRecords
from ingest.oai.progress import Progress
from ingest.oai.protocol import OaiClient
from ingest.oai.settings import HarvestLimits, HarvestSource
from ingest.record import Record
from tests.documents import defaults
from tests.environment import PATIENCE

MAPPING: Mapping = defaults().mappings["oai-dc"]
LIMITS = HarvestLimits(allowed=(ip_network("127.0.0.0/8"),), attempts=3, seconds=PATIENCE, patience=PATIENCE)


def unbuilt(_: Sequence[Record]) -> ProfiledRecords | None:
    return None


def harvested(
    url: str,
    state: Path,
    *,
    since: str | None = None,
    yes: bool = False,
    limits: HarvestLimits = LIMITS,
    chosen: str = "",
    waited: list[float] | None = None,
    analyse: Callable[[Sequence[Record]], ProfiledRecords | None] = unbuilt,
    mapping: Mapping = MAPPING,
    prefix: str = "oai_dc",
) -> Progress:
    source = HarvestSource(url=url, set=chosen, prefix=prefix)
    pauses = waited if waited is not None else []
    with Imports(state / "catalogue.sqlite") as catalogue, Fetcher(limits, sleep=pauses.append) as fetcher:
        intake = Intake("museum", catalogue, mapping, "Test", analyse)
        harvest = Harvest(source, chosen, limits.removed, since, yes)
        return Harvester(OaiClient(url, fetcher), intake, harvest).run()


def titles(state: Path) -> dict[str, str]:
    """Title of every item in the catalogue."""
    with Catalogue(state / "catalogue.sqlite", read_only=True) as catalogue:
        return {record.id: record.label for record in catalogue.records()}


def refused(state: Path) -> dict[str, str]:
    with Catalogue(state / "catalogue.sqlite", read_only=True) as catalogue:
        return {one.identifier: one.reason for one in catalogue.refused("museum")}
