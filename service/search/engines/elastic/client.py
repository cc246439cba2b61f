"""The connection to a cluster: its addresses, its secrets, and its errors as ours.

Secrets come from a file or from the environment, never from config.yaml, and never stand in a message.
"""

import logging
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, TypeAlias

from elastic_transport import ConnectionError as Unreachable
from elastic_transport import ConnectionTimeout, TlsError, TransportError
from elasticsearch import ApiError, Elasticsearch

from ingest.errors import ConfigError, IndexMissing, IndexRefused, IndexUnavailable
from service.search.engines.elastic.settings import ElasticSettings

KEY_VARIABLE: Final = "ELASTICSEARCH_API_KEY"
PASSWORD_VARIABLE: Final = "ELASTICSEARCH_PASSWORD"  # noqa: S105 - the name of a variable

EngineJson: TypeAlias = Mapping[str, Any]
"""A document of the engine's, read or to be sent; its own schema knows the types."""

BUSY: Final = (429, 502, 503, 504)  # the cluster may take later what it does not take now

READ_ONLY: Final = (
    "the index takes no writes: it was made read-only, by the cluster itself mostly because a disk is full;"
    " make room or lift the block, then run: kindred index retry"
)

_BUILD: Final = "run: kindred index build"


def connect(settings: ElasticSettings) -> Elasticsearch:
    """A client for a cluster; nothing is asked yet. Raises ``ConfigError`` where a secret cannot be read."""
    # the client logs every node that it goes over; our errors say so
    logging.getLogger("elastic_transport").setLevel(logging.ERROR)
    secret: dict[str, Any] = {}
    if settings.user is not None:
        secret["basic_auth"] = settings.user, _secret(settings.password_file, "password", PASSWORD_VARIABLE)
    elif settings.key_file is not None or os.environ.get(KEY_VARIABLE):
        secret["api_key"] = _secret(settings.key_file, "key", KEY_VARIABLE)
    if settings.authority is not None:
        if not settings.authority.is_file():
            raise ConfigError(f"index.authority names no file: {settings.authority}")
        secret["ca_certs"] = str(settings.authority)
    return Elasticsearch(
        list(settings.urls),
        request_timeout=settings.timeout,
        max_retries=settings.retries,
        retry_on_timeout=False,  # the time is over then
        retry_on_status=BUSY,
        connections_per_node=32,
        dead_node_backoff_factor=0.5,
        max_dead_node_backoff=5.0,
        **secret,
    )


def _secret(file: Path | None, what: str, variable: str) -> str:
    try:
        secret = (os.environ.get(variable, "") if file is None else file.read_text(encoding="utf-8")).strip()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(
            f"the {what} of the cluster cannot be read from {file} (index.{what}_file)"
        ) from error
    if not secret:
        raise ConfigError(f"the {what} of the cluster is missing; set index.{what}_file, or {variable}")
    # the client would quote what cannot stand in a header
    if not secret.isprintable() or (what == "key" and not secret.isascii()):
        raise ConfigError(
            f"the {what} of the cluster, from {file or variable}, is not one line of plain characters"
        )
    return secret


@contextmanager
def asking(settings: ElasticSettings) -> Iterator[None]:
    """Turn the errors of a cluster, and of the way to it, into ours."""
    where = ", ".join(settings.urls)
    try:
        yield
    except ConnectionTimeout as error:
        raise IndexUnavailable(f"the cluster at {where} did not answer in time; see index.timeout") from error
    except TlsError as error:
        raise IndexRefused(
            f"the certificate of the cluster at {where} is not to be trusted; see index.authority"
        ) from error
    except Unreachable as error:
        # other nodes may have been asked before, and had no answer either
        raise IndexUnavailable(
            f"a node of the cluster at {where} cannot be reached, and no other one answers; is it running?"
        ) from error
    except ApiError as error:
        raise refusal(error.status_code, str(error.error or ""), settings) from error
    except TransportError as error:
        raise IndexUnavailable(f"the cluster at {where} gave an answer that cannot be read") from error


def refusal(status: int, kind: str, settings: ElasticSettings) -> IndexUnavailable | IndexMissing:
    """The error for a cluster's refusal, by its status and the ``kind`` of error that it names."""
    where = ", ".join(settings.urls)
    if status == 401:
        return IndexRefused(f"the cluster at {where} does not know the key or user; see index.key_file")
    if status == 403 and "block" in kind:
        return IndexRefused(f"at {where} {READ_ONLY}")
    if status == 403:
        return IndexRefused(
            f"the key of the cluster at {where} has too few privileges; docs/cluster.md names them"
        )
    if status == 404:
        return IndexMissing(f"the cluster at {where} has no such index; {_BUILD}")
    if status in BUSY:
        return IndexUnavailable(f"the cluster at {where} cannot answer now ({status} {kind})")
    return IndexUnavailable(f"the cluster at {where} refuses the question ({status} {kind})")
