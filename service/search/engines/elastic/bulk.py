"""Bulk: documents sent many at a time, each with a revision of the catalogue as its version.

A write that comes late, or twice, does no harm: the engine stores the one of the higher version. What it is
too busy to take is sent again, later and later.
"""

import random
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, NamedTuple, cast

import msgspec
from elasticsearch import ApiError, Elasticsearch

from ingest.errors import IndexRefused, IndexUnavailable, KindredError
from service.search.engines.elastic.client import BUSY, READ_ONLY, EngineJson, asking
from service.search.engines.elastic.documents import own_id
from service.search.engines.elastic.settings import ElasticSettings

_LATER: Final = 409  # the engine has the item at a higher version

_LONGEST_S: Final = 5.0
_PATIENCE_S: Final = 60.0  # how long one request may take, where there is so much time
_BYTES: Final = 10_000_000  # of a request, about; the engine takes ten times as much

WRITES: Final = "-write"
"""What the alias of an index ends with that all writes go to: one that was deleted is not made by a write."""

_ENCODE = msgspec.json.Encoder()


class Write(NamedTuple):
    """What an item is to be at a revision; None for deleted."""

    id: str
    revision: int
    document: EngineJson | None


class PendingWrite(NamedTuple):
    """A write that the cluster did not take: of which item, at which revision, and why."""

    id: str
    revision: int
    reason: str


class _Encoded(NamedTuple):
    """A write, and its lines in a request."""

    write: Write
    lines: list[bytes]

    def refused(self, reason: str) -> PendingWrite:
        return PendingWrite(self.write.id, self.write.revision, reason)


def send(
    client: Elasticsearch,
    settings: ElasticSettings,
    index: str,
    writes: Sequence[Write],
    seconds: float,
    *,
    visible: bool = False,
    sleep: Callable[[float], None] = time.sleep,
) -> list[PendingWrite]:
    """Send writes until all are taken or the time is over; those that were not.

    ``visible``: the next question sees them. What the cluster as a whole refuses is the reason of them all.
    """
    end, refused = time.monotonic() + seconds, list[PendingWrite]()
    for some in _requests(f"{index}{WRITES}", writes):
        wait, left, last, over = 0.1, some, "", False
        while left:
            try:
                patience = min(_PATIENCE_S, max(end - time.monotonic(), 1.0))
                left, gone, last = _sent(client, settings, left, patience, visible=visible)
                refused += gone
            except KindredError as error:
                last = error.detail
                over = isinstance(error, IndexRefused) or not isinstance(error, IndexUnavailable)
            if over or (left and time.monotonic() + wait > end):
                refused += [one.refused(last) for one in left]
                break
            if left:
                # not all at the same moment again
                sleep(wait * random.uniform(0.5, 1.0))  # noqa: S311 - no secret
                wait = min(wait * 2, _LONGEST_S)
    return refused


def _requests(alias: str, writes: Iterable[Write]) -> Iterator[list[_Encoded]]:
    """The writes, so many at a time as one request takes."""
    some, size = list[_Encoded](), 0
    for write in writes:
        lines = _lines(alias, write)
        if some and size + sum(map(len, lines)) > _BYTES:
            yield some
            some, size = [], 0
        some.append(_Encoded(write, lines))
        size += sum(map(len, lines))
    if some:
        yield some


def _sent(
    client: Elasticsearch,
    settings: ElasticSettings,
    writes: list[_Encoded],
    patience: float,
    *,
    visible: bool,
) -> tuple[list[_Encoded], list[PendingWrite], str]:
    """What is to be sent again, what is refused for good, and the engine's last reason."""
    with asking(settings):
        try:
            answer = client.options(request_timeout=patience, max_retries=0).bulk(
                operations=cast("list[EngineJson]", [line for one in writes for line in one.lines]),
                refresh="true" if visible else "false",
                require_alias=True,
                filter_path="errors,items.*.status,items.*.error.type,items.*.error.reason",
            )
        except ApiError as error:
            why = f"the cluster does not take it ({error.status_code} {error.error})"
            if error.status_code in BUSY:
                return writes, [], why
            if error.status_code in (401, 403, 404):
                raise
            return [], [one.refused(why) for one in writes], why
    again, refused, last = list[_Encoded](), list[PendingWrite](), ""
    if not answer.get("errors"):
        return again, refused, last
    for one, item in zip(writes, answer["items"], strict=True):
        (result,) = item.values()
        status = int(result["status"])
        missing = status == 404 and one.write.document is None
        if status < 300 or status == _LATER or (missing and "error" not in result):
            continue
        fault = result.get("error", {})
        kind = fault.get("type", "")
        last = READ_ONLY if kind == "cluster_block_exception" else f"{kind}: {fault.get('reason', '')}"
        if status in BUSY or kind == "unavailable_shards_exception":
            again.append(one)
        else:
            refused.append(one.refused(last))
    return again, refused, last


def _lines(alias: str, write: Write) -> list[bytes]:
    target = {
        "_index": alias,
        "_id": own_id(write.id),
        "version": write.revision,
        "version_type": "external_gte",
    }
    if write.document is None:
        return [_ENCODE.encode({"delete": target})]
    return [_ENCODE.encode({"index": target}), _ENCODE.encode(write.document)]
