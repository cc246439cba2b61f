"""Pages about items: one with its neighbours, all neighbours of a type, and two items side by side."""

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Annotated, Final
from urllib.parse import urlencode

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse

from features.profiles.record_language import language_of
from ingest.errors import InvalidRequest
from ingest.record import INDEXED, Field, Record, Value, innermost
from models.types import SimilarityType
from service.explain.closeness import closeness_words
from service.explain.concepts import wording
from service.languages.messages import spoken
from service.search.facets import Filters
from service.search.fulltext.finding import LONGEST
from service.search.queries import Search, WeightedSeed
from service.web.api.addresses import SIMILAR, item_path, view_path
from service.web.api.caching import REVALIDATED_PAGE
from service.web.api.changes import FeedbackStore
from service.web.api.dependencies import Configured, Editor, ItemId, Now, Until, public_base
from service.web.api.requests import are_swapped, in_order
from service.web.portal.about import about_item
from service.web.portal.judged import shown
from service.web.portal.maps import HEIGHT, WIDTH, map_of
from service.web.portal.rendering import page
from service.web.portal.timelines import times_of
from service.web.portal.wall import each_once, wall

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)

_NEIGHBOURS: Final = 24  # neighbours on a page of one type
_PROPOSED: Final = 200  # names that a filter proposes


@router.get("/view/items/{id}", dependencies=REVALIDATED_PAGE)
def view_item(
    id: ItemId,
    now: Now,
    configured: Configured,
    until: Until,
    editor: Editor,
    request: Request,
    type: Annotated[SimilarityType | None, Query()] = None,
) -> HTMLResponse:
    """An item, its neighbours with those of a type first, and links to walk on."""
    record, types = now.item(id), now.system.types
    if type is not None:
        now.system.position(type)
    # a neighbour that shares nothing fills no space; of types without themes likeness of words is a reason,
    # which is looked up only where it is shown
    groups = {
        kind: shared
        for kind, neighbours in now.grouped(id, configured.service.page, until).items()
        if (
            shared := [
                near for near in neighbours if (near.shares if types[kind].themes else near.is_supported)
            ]
        )
    }
    unsure = [kind for kind in now.unsure(id) if kind not in groups]
    near = each_once(chain.from_iterable(groups.values()))
    return page(
        "item.html",
        record=record,
        own=language_of(record),
        about=about_item(record, public_base(request, configured.service)),
        phrase=_phrase,
        listed=_listed,
        facts=_facts(record),
        indexed=INDEXED,
        concept=lambda text: wording(text, spoken()),
        groups=groups,
        chosen=type if type in groups else None,
        wall=wall(groups, type),
        here=view_path(id),
        words=closeness_words(),
        api=item_path(id),
        types=types,
        quiet=[row for kind, row in types.items() if kind not in (*groups, *unsure)],
        unsure=[types[kind] for kind in unsure],
        map=map_of(now.collection, record, near),
        map_size=(WIDTH, HEIGHT),
        times=times_of(now.collection, record, near),
        editor=editor,
        variant=now.variant,
    )


def _listed(text: str) -> list[str]:
    """The names of a field that lists several with semicolons.

    >>> _listed("Venice; Grand Canal;")
    ['Venice', 'Grand Canal']
    """
    return [part.strip() for part in text.split(";") if part.strip()]


def _phrase(field: str, text: str) -> str:
    """The search for a text as it stands in a field.

    >>> _phrase("creator", 'John "Jack" Smith')
    'creator:"John Jack Smith"'
    """
    return f'{field}:"{text.replace(chr(34), "")}"'[:LONGEST]


def _facts(record: Record) -> Sequence[tuple[str, tuple[Value, ...]]]:
    """The fields below the heading of the page, which is the first title."""
    rows = {"other title" if field is Field.TITLE else field.value: record.field(field) for field in Field}
    rows["other title"] = rows["other title"][1:]
    for part in INDEXED:
        rows[part] = tuple(Value(innermost(value.text), value.language) for value in record.part(part))
    return [(name, values) for name, values in rows.items() if values]


class NeighboursForm(dict[str, str]):
    """What a visitor filled in, by the names of the fields; a field that is left empty asks nothing.

    Two years that are the wrong way round are put right: the form then shows them so.
    """

    @classmethod
    def of(cls, query: Mapping[str, str]) -> "NeighboursForm":
        """The fields of a query."""
        names = ("from", "to", "place", "object", "provider", "image", "all")
        form = {name: query.get(name, "").strip() for name in names}
        form["from"], form["to"] = in_order((form["from"], form["to"]))
        return cls(form)

    @property
    def given(self) -> dict[str, str]:
        """The fields that ask something, as they stand in an address."""
        return {name: text for name, text in self.items() if text}

    @property
    def filters(self) -> Filters:
        """What neighbours have to be; raises ``InvalidRequest`` for a year that is none."""
        named = {name: (self[name],) if self[name] else () for name in ("provider", "object", "place")}
        image = True if self["image"] else None
        return Filters(**named, first=self._year("from"), last=self._year("to"), image=image)

    def _year(self, name: str) -> int | None:
        text = self[name]
        bare = text.removeprefix("-")
        if text and not (bare.isdecimal() and len(bare) <= 4):
            raise InvalidRequest(f"{name} must be a year such as 1850, or -44 for 44 BC, not {text!r}")
        return int(text) if text else None


@router.get("/view/items/{id}/similar", dependencies=REVALIDATED_PAGE)
def view_neighbours(
    id: ItemId,
    request: Request,
    now: Now,
    configured: Configured,
    until: Until,
    editor: Editor,
    feedback: FeedbackStore,
    type: Annotated[SimilarityType | None, Query()] = None,
    cursor: Annotated[str | None, Query()] = None,
) -> HTMLResponse:
    """All neighbours of an item in one way, page by page, with filters."""
    if not now.holds(id) and now.holds(id + SIMILAR):
        # an id that ends so and came with its slash as it is
        return view_item(id + SIMILAR, now, configured, until, editor, request, type)
    record, types = now.item(id), now.system.types
    kind = next(iter(types)) if type is None else type
    now.system.position(kind)
    form = NeighboursForm.of(request.query_params)
    search = Search(
        seeds=(WeightedSeed(id),),
        type=kind,
        limit=_NEIGHBOURS,
        filters=form.filters,
        cursor=cursor,
        floor=0.0 if form["all"] else None,
    )
    answer = now.search(search, until)
    # what shares nothing fills no space
    neighbours = [near for near in answer.neighbours if form["all"] or near.shares]
    here, query = f"{view_path(id)}{SIMILAR}", {"type": kind, **form.given}
    more, facets = answer.next and neighbours, now.collection.facets
    return page(
        "neighbours.html",
        record=record,
        kind=kind,
        types=types,
        neighbours=neighbours,
        notes=answer.notes,
        form=form,
        swapped=are_swapped(request.query_params),
        here=here,
        proposed={name: facets.commonest(name, _PROPOSED)[0] for name in ("provider", "object")},
        first=f"{here}?{urlencode(query)}" if cursor else None,
        following=f"{here}?{urlencode({**query, 'cursor': answer.next})}" if more else None,
        judged=shown((one for one in feedback.about(id) if one.type == kind), now) if editor else [],
        editor=editor,
        variant=now.variant,
    )
