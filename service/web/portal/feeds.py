"""Atom feeds (RFC 4287): the paths that were published last, and what is new of what a search finds."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import Annotated, Final
from xml.sax.saxutils import escape

from fastapi import APIRouter, Query, Request, Response

from features.collection.facets import NAMED
from ingest.catalogue import Catalogue, RecordVersion
from ingest.record import Record
from ingest.values import without_controls
from service.search.engines.port import Index
from service.search.fulltext.finding import WordQuery
from service.search.queries import MOST, Check
from service.web.api.addresses import view_path
from service.web.api.caching import REVALIDATED
from service.web.api.dependencies import Configured, Now, Reading, Until, public_base
from service.web.api.query_addresses import search_address
from service.web.api.requests import SearchQuery

router = APIRouter(include_in_schema=False)

_NEWEST: Final = 20
_SUMMARY: Final = 400  # characters of a description that an entry has at most
_FARTHEST: Final = 100_000  # records that are looked through, those that changed last
_LARGEST: Final = 10_000  # of them at a time
_RARE: Final = 25  # of what is looked through at a time so few match that more may be
# a feed needs a time; what has none has not changed since feeds there are
_LONG_AGO: Final = "2005-12-01T00:00:00Z"


@dataclass(frozen=True, slots=True)
class FeedEntry:
    """An entry of a feed; ``at`` is when it changed last."""

    address: str
    title: str
    at: str
    author: str
    summary: str


@router.get("/paths.atom")
def feed_of_paths(request: Request, configured: Configured, reading: Reading) -> Response:
    """The paths that were published last."""
    views = [reading.view(path) for path in reading.paths.all_published(_NEWEST)]
    entries = (
        FeedEntry(view.story, own.title, view.path.changed, own.curator or "Kindred", own.text)
        for view in views
        for own in [view.path.content]
    )
    return _feed(f"{public_base(request, configured.service)}/paths.atom", "Paths", entries)


@router.get("/search.atom", dependencies=REVALIDATED)
def feed_of_search(
    query: Annotated[SearchQuery, Query()], request: Request, configured: Configured, now: Now, until: Until
) -> Response:
    """Of the items that a search finds those that were added or changed last, whatever its order."""
    wanted = replace(query.wanted(limit=MOST, facets=False, offset=0), sort="id")
    base, portal = public_base(request, configured.service), configured.portal.name
    with Catalogue(configured.state.catalogue, read_only=True) as catalogue:
        newest = [*islice(_newest(now.index, catalogue, wanted, until), _NEWEST)]
    entries = (
        FeedEntry(
            f"{base}{view_path(record.id)}",
            record.label,
            version.at or _LONG_AGO,
            "; ".join(value.text for value in record.creator) or record.provider or portal,
            " ".join(value.text for value in record.description)[:_SUMMARY],
        )
        for record, version in newest
    )
    own = search_address("/search.atom", replace(wanted, sort=None))
    title = ": ".join([portal, *filter(None, [", ".join(_words(wanted))])])
    return _feed(f"{base}{own}", title, entries)


def _newest(
    index: Index, catalogue: Catalogue, wanted: WordQuery, check: Check
) -> Iterator[tuple[Record, RecordVersion]]:
    """The items that a search finds, what changed last first."""
    whole = index.find(wanted, check)
    if whole.total <= MOST:
        few = {record.id: record for record in whole.records}
        yield from ((few[version.id], version) for version in catalogue.versions(few))
        return
    last: RecordVersion | None = None
    seen, number = 0, MOST
    while seen < _FARTHEST:
        versions = catalogue.newest(last, number)
        if not versions:
            return
        results = index.find(replace(wanted, among=frozenset(one.id for one in versions)), check)
        if results.total > MOST:
            number = MOST  # so few that a page has them all
            continue
        records = {record.id: record for record in results.records}
        yield from ((records[one.id], one) for one in versions if one.id in records)
        last, seen = versions[-1], seen + len(versions)
        if results.total < _RARE:
            number = min(number * 4, _LARGEST)


def _words(wanted: WordQuery) -> Iterator[str]:
    """What a search is for."""
    if wanted.query.strip():
        yield wanted.query.strip()
    for facet in NAMED:
        yield from getattr(wanted.filters, facet)
    first, last = wanted.filters.first, wanted.filters.last
    if first is not None or last is not None:
        yield f"{'' if first is None else first}–{'' if last is None else last}"


def _feed(address: str, title: str, entries: Iterable[FeedEntry]) -> Response:
    given, own = list(entries), escape(address, {'"': "&quot;"})
    updated = max((one.at for one in given), default=_LONG_AGO)
    lines = (
        f"<entry><id>{escape(one.address)}</id><title>{_text(one.title)}</title>"
        f'<link href="{escape(one.address)}"/><updated>{one.at}</updated>'
        f"<author><name>{_text(one.author)}</name></author>"
        f"<summary>{_text(one.summary)}</summary></entry>\n"
        for one in given
    )
    head = (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<feed xmlns="http://www.w3.org/2005/Atom"><id>{own}</id><title>{_text(title)}</title>'
        f'<updated>{updated}</updated><link rel="self" href="{own}"/>\n'
    )
    return Response("".join([head, *lines, "</feed>\n"]), media_type="application/atom+xml")


def _text(text: str) -> str:
    """A text in XML, which has no control characters."""
    return escape(without_controls(text))
