"""The keys of the Elasticsearch engine in the section ``index``."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from pydantic import Field, StringConstraints

from service.search.engines.registry import EngineSettings, keys_of

if TYPE_CHECKING:
    from service.settings import Settings

_Node = Annotated[str, StringConstraints(pattern=r"^https?://[^/\s@*?#]+$")]
"""The address of a node: scheme, host, port. No password stands in it: it would stand in messages."""


class ElasticSettings(EngineSettings):
    """Where the cluster is, and how it is asked."""

    urls: tuple[_Node, ...] = Field(
        ("http://127.0.0.1:9200",),
        min_length=1,
        description="addresses of the cluster's nodes: scheme, host and port",
    )
    name: str = Field(
        "kindred",
        pattern=r"^[a-z0-9][a-z0-9._-]{0,99}$",
        description="alias that answers, and how the names of all indices begin: small letters, digits,"
        " `.`, `_`, `-`",
    )
    key_file: Path | None = Field(
        None, description="file with the API key; `null`: the variable `ELASTICSEARCH_API_KEY`, or no key"
    )
    user: str | None = Field(None, description="user, in place of an API key")
    password_file: Path | None = Field(
        None, description="file with the user's password; `null`: the variable `ELASTICSEARCH_PASSWORD`"
    )
    authority: Path | None = Field(
        None, description="file of the certificate authority that signed the cluster's certificate"
    )
    timeout: float = Field(5.0, gt=0, le=600, description="seconds that one question to the cluster may take")
    retries: int = Field(2, ge=0, le=20, description="how often a question is asked again, of another node")
    shards: int = Field(1, ge=1, le=1024, description="primary shards of a new index")
    replicas: int = Field(
        0, ge=0, le=10, description="copies of each shard, on other nodes; with 1 or more a node may fail"
    )
    candidates: int = Field(
        600, ge=10, le=5000, description="items that the cluster proposes for a type, to be scored"
    )
    budget: int = Field(2400, ge=10, le=10_000, description="most of them, where fewer do not fill an answer")


def cluster(settings: "Settings") -> ElasticSettings:
    """The keys of the engine among all settings."""
    return keys_of(settings.index, ElasticSettings)
