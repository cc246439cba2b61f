"""Bulk: documents sent many at a time, each with a revision of the catalogue as its version.

A write that comes late, or twice, does no harm: the engine keeps the one of the higher version. What it is
too busy to take is sent again, later and later.
"""

import random
import time
from collections.abc import Callable, Iterable, Sequence
from typing import Final, NamedTuple, cast

import msgspec
from elasticsearch import ApiError, Elasticsearch

from ingest.errors import IndexUnavailable, KindredError
from service.index.elastic.client import READ_ONLY, Json, asking
from service.index.elastic.documents import own_id
from service.settings import IndexSettings

_BUSY: Final = (429, 502, 503, 504)
_LATER: Final = 409
"""The engine has the item at a higher version."""

_LONGEST_S: Final = 5.0

_ENCODE = msgspec.json.Encoder()


class Write(NamedTuple):
    """What an item is to be at a revision; None for deleted."""

    id: str
    revision: int
    document: Json | None


class Refused(NamedTuple):
    """A write that the engine would not take, and why."""

    write: Write
    reason: str


def send(
    client: Elasticsearch,
    settings: IndexSettings,
    index: str,
    writes: Sequence[Write],
    seconds: float,
    *,
    visible: bool = False,
    sleep: Callable[[float], None] = time.sleep,
) -> list[Refused]:
    """Send writes until all are taken or the time is over; those that were not, each with the reason.

    ``visible``: the next question sees them. What the cluster as a whole refuses is the reason of them all.
    """
    end, wait, left = time.monotonic() + seconds, 0.1, list(writes)
    refused: list[Refused] = []
    while left:
        try:
            left, gone, last = _sent(client, settings, index, left, visible=visible)
            refused += gone
        except IndexUnavailable as error:
            last = error.detail
            if isinstance(error, KindredError) and error.code == "index-refused":
                return [*refused, *(Refused(one, last) for one in left)]
        except KindredError as error:
            return [*refused, *(Refused(one, error.detail) for one in left)]
        if left and time.monotonic() + wait > end:
            return [*refused, *(Refused(one, last) for one in left)]
        if left:
            # not all at the same moment again
            sleep(wait * random.uniform(0.5, 1.0))  # noqa: S311 - no secret
            wait = min(wait * 2, _LONGEST_S)
    return refused


def _sent(
    client: Elasticsearch, settings: IndexSettings, index: str, writes: Sequence[Write], *, visible: bool
) -> tuple[list[Write], list[Refused], str]:
    """What is to be sent again, what is refused for good, and what the engine said last."""
    with asking(settings):
        try:
            answer = client.options(request_timeout=max(settings.timeout, 60), max_retries=0).bulk(
                operations=cast("list[Json]", _lines(index, writes)),
                refresh="true" if visible else "false",
                require_alias=index == settings.name,
                filter_path="errors,items.*.status,items.*.error.type,items.*.error.reason",
            )
        except ApiError as error:
            if error.status_code in _BUSY:
                return list(writes), [], f"the cluster is too busy ({error.status_code})"
            raise
    again, refused, last = list[Write](), list[Refused](), ""
    if not answer.get("errors"):
        return again, refused, last
    for write, item in zip(writes, answer["items"], strict=True):
        (result,) = item.values()
        status = int(result["status"])
        missing = status == 404 and write.document is None
        if status < 300 or status == _LATER or (missing and "error" not in result):
            continue
        why = result.get("error", {})
        kind = why.get("type", "")
        last = READ_ONLY if kind == "cluster_block_exception" else f"{kind}: {why.get('reason', '')}"
        if status in _BUSY or kind == "unavailable_shards_exception":
            again.append(write)
        else:
            refused.append(Refused(write, last))
    return again, refused, last


def _lines(index: str, writes: Iterable[Write]) -> list[bytes]:
    found = []
    for write in writes:
        about = {
            "_index": index,
            "_id": own_id(write.id),
            "version": write.revision,
            "version_type": "external_gte",
        }
        if write.document is None:
            found.append(_ENCODE.encode({"delete": about}))
        else:
            found += [_ENCODE.encode({"index": about}), _ENCODE.encode(write.document)]
    return found
