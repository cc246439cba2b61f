"""The sections of config.yaml that say nothing of how items are compared."""

from pathlib import Path
from typing import Annotated, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from ingest.reading.settings import Limits
from service.state import StateFolder

_Origin = Annotated[str, StringConstraints(pattern=r"^(\*|https?://[^/\s]+)$")]
"""An origin as browsers send it: scheme, host, and a port where it is not the usual one."""


class Section(BaseModel):
    """A section of config.yaml, or a row of one."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)


class StateSettings(Section, StateFolder):
    """Where Kindred keeps what it writes."""

    directory: Path = Field(
        Path(".kindred"), description="folder of all that Kindred writes; relative to where the command runs"
    )


class IngestSettings(Section):
    """How records are read."""

    mapping: str = Field(
        "dublin-core",
        description="the mapping used where `kindred ingest` names none and none fits the form of a file:"
        " a name under `mappings`",
    )
    reconciliation: Path | None = Field(
        None,
        description="a table (CSV) of the addresses that are taken for texts, which `kindred mapping"
        " reconcile` writes and a person completes; it counts at each ingest and harvest, over what records"
        " say. `null`: none",
    )
    removed: Annotated[float, Field(ge=0, le=1)] = Field(
        0.1, description="the share of a source's records that `--replace-source` removes without `--yes`"
    )
    limits: Limits = Field(Limits(), description="what reading one file may cost")


class LanguageSettings(Section):
    """Which language models analyse the texts."""

    package: Literal["compact", "default"] = Field(
        "compact",
        description="`compact`: the models that come with the project; `default`: Stanza's own English"
        " package",
    )
    directory: Path | None = Field(None, description="folder of the models; `null`: the package's own place")


_COSTS: Final = {
    "GET /view/emblems/*": 0,
    "PUT /items": 20,
    "POST /scores": 50,
    "POST /lookup": 5,
    "GET /similar": 5,
    "POST /similar": 5,
    "GET /paths/*/suggestions": 5,
    "GET /walk": 50,
    "GET /way": 50,
    "GET /view/way": 50,
}


class WebhookSettings(Section):
    """An address that is told of changes."""

    address: Annotated[str, Field(pattern=r"^https?://[^/?#\s]+[^\s]*$")] = Field(
        description="where a signed request goes when items changed or a collection was built"
    )
    secret_file: Path = Field(
        description="file with the secret that it is signed with: `whsec_` and the base64 of 24 to 64 random"
        " bytes, as Standard Webhooks has it"
    )


class ServiceSettings(Section):
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
    workers: Annotated[int, Field(ge=1, le=64)] = Field(
        1,
        description="processes that answer `kindred serve`, on one address; they share what lies on disk,"
        " each keeps what it reads of it",
    )
    limit: int = Field(
        10, ge=1, le=100, description="neighbours of an answer with a type where no limit is asked for"
    )
    overview: Annotated[int, Field(ge=1, le=100)] = Field(
        25, description="most neighbours of an answer without a type where no limit is asked for"
    )
    page: int = Field(6, ge=1, le=100, description="neighbours of each type on an item's page")
    body: int = Field(1_000_000, ge=1_000, description="longest body of a request, in bytes")
    requests: Annotated[int, Field(ge=1, le=1000)] = Field(
        4,
        description="requests that one process works on at once; each of 100 explained neighbours takes"
        " some 60 MB while it is worked on, which the process keeps for the next ones",
    )
    waiting: int = Field(
        100, ge=0, description="further requests that wait for their turn; what comes beyond is `busy`"
    )
    seconds: Annotated[float, Field(gt=0, le=3600)] = Field(
        30,
        description="how many seconds a request may wait for its turn (`busy` after that), and again how"
        " long it is worked on (`timed-out`)",
    )
    work: Annotated[int, Field(ge=1)] = Field(
        10_000_000,
        description="comparisons that a question of several seeds may take: seeds times items times types"
        " (8, or 1 where a type is named), since every item is scored for every seed; a question of one seed"
        " is always answered",
    )
    text: Annotated[int, Field(ge=1)] = Field(
        50_000,
        description="characters of the texts of a record that `POST /score` or `PUT` gives: the language"
        " analysis of so many takes seconds",
    )
    patience: Annotated[int, Field(ge=1, le=3600)] = Field(
        10,
        description="how many seconds a connection stays open after an answer when nothing more is asked on"
        " it; a reverse proxy holds clients that are slow in the middle of a request or an answer",
    )
    address: Annotated[str, Field(pattern=r"^(https?://[^/?#\s]+)?$")] = Field(
        "",
        description="the public address of the service, as `https://kindred.museum.example`: documents that"
        " leave it, as IIIF, have addresses below it. Empty: the host that a request names",
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
        " `https://HOST:PORT` (also `http`), or `*` for all; where none is named, those of any origin may"
        " read lists of similar items and paths, without a key",
    )
    max_age: Annotated[int, Field(ge=0)] = Field(
        0,
        description="how many seconds browsers and proxies may use an answer without asking again; with 0"
        " they ask every time, which is cheap: what has not changed is answered 304 before any work",
    )
    rate: Annotated[float, Field(ge=0, le=1_000_000)] = Field(
        50, description="requests a second that one client may send on the whole; 0: as often as it likes"
    )
    burst: int = Field(
        300, ge=1, description="how many requests one client may send at once before `service.rate` holds it"
    )
    costs: dict[Annotated[str, Field(pattern=r"^[A-Z]+ /")], Annotated[int, Field(ge=0, le=10_000)]] = Field(
        _COSTS,
        description="how many requests one counts for under `service.rate`, where that is not 1: the"
        " method and the path, as `GET /walk`; `*` stands for anything",
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
    rebuild_after: Annotated[int, Field(ge=0)] = Field(
        200,
        description="live changes after which `kindred serve` begins `kindred rebuild` beside, at low"
        " priority; 0: never",
    )
    webhooks: tuple[WebhookSettings, ...] = Field(
        (), description="addresses that are told when items changed or a collection was built"
    )


class ProviderRule(Section):
    """How a provider is told from a record: the first rule that fits names it."""

    name: str = Field(description="the provider's name")
    prefix: str = Field(description="how its record ids begin")
    source: str = Field("", description="what one of its `source` values contains; empty means any")


class EvaluationSettings(Section):
    """How systems are measured."""

    seed: int = Field(20130613, ge=0, description="seed of the division into folds")
    folds: int = Field(10, ge=2, le=100, description="folds of `kindred evaluate --cv 0`")
    providers: tuple[ProviderRule, ...] = Field(
        (),
        description="rules that tell providers apart for `kindred evaluate --unseen`; config.yaml has four",
    )
