"""The settings of harvests: the sources, and the limits of every harvest."""

from datetime import timedelta
from ipaddress import IPv4Network, IPv6Network
from typing import Final, Literal

from pydantic import BaseModel, Field

Schedule = Literal["never", "hourly", "daily", "weekly", "monthly"]

INTERVALS: Final[dict[str, timedelta]] = {
    "hourly": timedelta(hours=1),
    "daily": timedelta(days=1),
    "weekly": timedelta(weeks=1),
    "monthly": timedelta(days=30),
}
"""How long a source of a schedule rests; one that is never due is harvested only when it is named."""

# the mappings for formats that are not called as their mapping
_MAPPINGS: Final = {"oai_dc": "oai-dc", "marc21": "marcxml"}


class HarvestSource(BaseModel, frozen=True, extra="forbid"):
    """A source of records: an OAI-PMH server, or a set of it."""

    url: str = Field(pattern=r"^https?://", description="the server's base address")
    prefix: str = Field("oai_dc", description="the metadata format that is asked for, a metadataPrefix")
    set: str = Field("", description="the set that is asked for, a setSpec; empty: all records")
    mapping: str = Field(
        "",
        description="how its records become ours: a name under `mappings`; empty: the one for the format,"
        " `oai-dc` for `oai_dc`, `marcxml` for `marc21`, else the one of its name (`edm`, `lido`, `mods`)",
    )
    provider: str = Field("", description="who provides the records that do not say so themselves")
    schedule: Schedule = Field("never", description="how often `kindred harvest --due` asks it")

    @property
    def read_by(self) -> str:
        """The name of the mapping of its records: ``oai-dc`` for ``oai_dc``, ``lido`` for ``lido``."""
        return self.mapping or _MAPPINGS.get(self.prefix, self.prefix)


class HarvestLimits(BaseModel, frozen=True, extra="forbid"):
    """Limits of every harvest."""

    attempts: int = Field(5, ge=1, le=50, description="times that a question is asked before it is given up")
    wait: float = Field(
        300, gt=0, le=86_400, description="seconds that are waited at most before it is asked again"
    )
    patience: float = Field(30, gt=0, le=3600, description="seconds that a server may keep silent")
    seconds: float = Field(300, gt=0, le=86_400, description="seconds that one answer may take as a whole")
    bytes: int = Field(16_000_000, ge=1000, description="bytes that one answer may have, unpacked")
    removed: float = Field(
        0.1, ge=0, le=1, description="share of a source's items that may go at once without `--yes`"
    )
    allowed: tuple[IPv4Network | IPv6Network, ...] = Field(
        (), description="private networks that may be connected to all the same, as `192.168.7.0/24`"
    )
