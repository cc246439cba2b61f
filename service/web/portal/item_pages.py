"""Pages about items: one with its neighbours, all neighbours of a type, and two items side by side."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Annotated, Final
from urllib.parse import urlencode

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse

from ingest.errors import InvalidRequest
from ingest.record import Field, Record, Value, innermost
from models.explanation import Contribution
from models.types import SCALE, SimilarityType, Types
from service.explain.closeness import closeness
from service.explain.phrases import wordings
from service.explain.reasons import sentences, tells
from service.explain.salience import is_telling
from service.search.deadline import Deadline
from service.search.facets import Filters
from service.search.queries import Search, WeightedSeed
from service.search.recommender import Neighbour, PairScores, Recommender
from service.settings import Settings
from service.web.api.addresses import SIMILAR, ItemId, compare_path, item_path, similar_path, view_path
from service.web.api.caching import REVALIDATED_PAGE
from service.web.api.dependencies import Configured, Now, Until
from service.web.api.path_dependencies import SeesDrafts
from service.web.portal.marking import MarkedValue, fields, places
from service.web.portal.rendering import page
from service.web.portal.where_when import HEIGHT, WIDTH, each_once, map_of, times_of

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)

_NEIGHBOURS: Final = 24
"""Neighbours on a page of one type."""

_SENTENCES: Final = 4
"""Sentences that say why two items are alike in one way."""

_PROPOSED: Final = 200
"""Names that a filter proposes."""


@dataclass(frozen=True, slots=True)
class Group:
    """The neighbours of one type, as a section of an item's page."""

    type: SimilarityType
    meaning: str
    neighbours: Sequence[Neighbour]


@router.get("/view/items/{id}", dependencies=REVALIDATED_PAGE)
def view_item(
    id: ItemId,
    now: Now,
    configured: Configured,
    until: Until,
    editable: SeesDrafts,
) -> HTMLResponse:
    """An item, its neighbours by type, and links to walk on."""
    return _item_page(id, now, configured, until, editable=editable)


def _item_page(
    item: str, now: Recommender, configured: Settings, until: Deadline, *, editable: bool
) -> HTMLResponse:
    record = now.item(item)
    types = now.system.types
    groups = list(_groups(now.grouped(item, configured.service.page, until), types))
    found, inapplicable = {group.type for group in groups}, now.inapplicable(item)
    near = each_once(near for group in groups for near in group.neighbours)
    return page(
        "item.html",
        record=record,
        facts=list(_facts(record)),
        groups=groups,
        found=found,
        api=item_path(item),
        similar=similar_path(item),
        types=types,
        quiet=[row for kind, row in types.items() if kind not in (*found, *inapplicable)],
        inapplicable=[types[kind] for kind in inapplicable],
        map=map_of(now.collection, record, near),
        map_size=(WIDTH, HEIGHT),
        times=times_of(now.collection, record, near),
        editable=editable,
        variant=now.variant,
    )


def _groups(near: dict[SimilarityType, list[Neighbour]], types: Types) -> Iterator[Group]:
    """The types in which something agrees; a neighbour that shares nothing fills no space."""
    for kind, found in near.items():
        shared = [near for near in found if near.shares]
        if shared:
            yield Group(kind, types[kind].heading, shared)


def _facts(record: Record) -> Iterator[tuple[str, tuple[Value, ...]]]:
    for field in Field:
        # the first title is the heading of the page
        shown = record.field(field)[1:] if field is Field.TITLE else record.field(field)
        if shown:
            yield ("other title" if field is Field.TITLE else field.value), shown
    if record.places:
        yield "places", tuple(Value(innermost(place.text), place.language) for place in record.places)


@dataclass(frozen=True, slots=True)
class Form:
    """What a visitor filled in; what is left empty asks nothing."""

    first: str = ""
    last: str = ""
    place: str = ""
    object: str = ""
    provider: str = ""
    image: str = ""
    all: str = ""

    @classmethod
    def of(cls, query: Mapping[str, str]) -> "Form":
        """The fields of a query; ``from`` and ``to`` are the years."""
        return cls(
            first=query.get("from", "").strip(),
            last=query.get("to", "").strip(),
            place=query.get("place", "").strip(),
            object=query.get("object", "").strip(),
            provider=query.get("provider", "").strip(),
            image=query.get("image", ""),
            all=query.get("all", ""),
        )

    @property
    def given(self) -> dict[str, str]:
        """The fields that ask something, as they stand in an address."""
        named = {"from": self.first, "to": self.last, "place": self.place, "object": self.object}
        named |= {"provider": self.provider, "image": self.image, "all": self.all}
        return {name: value for name, value in named.items() if value}

    @property
    def filters(self) -> Filters:
        """What neighbours have to be; raises ``InvalidRequest`` for a year that is none."""
        return Filters(
            provider=(self.provider,) if self.provider else (),
            object=(self.object,) if self.object else (),
            first=_year(self.first, "from"),
            last=_year(self.last, "to"),
            place=(self.place,) if self.place else (),
            image=True if self.image else None,
        )


def _year(text: str, name: str) -> int | None:
    if not text:
        return None
    bare = text.removeprefix("-")
    if not (bare.isdecimal() and len(bare) <= 4):
        raise InvalidRequest(f"{name} must be a year such as 1850, or -44 for 44 BC, not {text!r}")
    return int(text)


@router.get("/view/items/{id}/similar", dependencies=REVALIDATED_PAGE)
def view_neighbours(
    id: ItemId,
    request: Request,
    now: Now,
    configured: Configured,
    until: Until,
    editable: SeesDrafts,
    type: Annotated[SimilarityType | None, Query()] = None,
    cursor: Annotated[str | None, Query()] = None,
) -> HTMLResponse:
    """All neighbours of an item in one way, page by page, with filters."""
    if not now.holds(id) and now.holds(id + SIMILAR):
        # an id that ends so and came with its slash as it is
        return _item_page(id + SIMILAR, now, configured, until, editable=editable)
    record, types = now.item(id), now.system.types
    kind = next(iter(types)) if type is None else type
    now.system.position(kind)
    form = Form.of(request.query_params)
    search = Search(
        seeds=(WeightedSeed(id),),
        type=kind,
        limit=_NEIGHBOURS,
        filters=form.filters,
        cursor=cursor,
        floor=0.0 if form.all else None,
    )
    answer = now.search(search, until)
    # what shares nothing fills no space
    near = [one for one in answer.neighbours if form.all or one.shares]
    here, asked = f"{view_path(id)}{SIMILAR}", {"type": kind, **form.given}
    return page(
        "neighbours.html",
        record=record,
        kind=kind,
        types=types,
        neighbours=near,
        notes=answer.notes,
        form=form,
        here=here,
        proposed={
            facet: now.collection.facets.commonest(facet, _PROPOSED)[0] for facet in ("provider", "object")
        },
        first=f"{here}?{urlencode(asked)}" if cursor else None,
        following=f"{here}?{urlencode({**asked, 'cursor': answer.next})}" if answer.next and near else None,
        editable=editable,
        variant=now.variant,
    )


@dataclass(frozen=True, slots=True)
class Bar:
    """One of the scores of two items, as a row of the picture."""

    type: SimilarityType
    score: float | None
    reason: str
    why: str

    @property
    def words(self) -> str:
        """The score in words."""
        return closeness(self.score)

    @property
    def number(self) -> str:
        """The score as a number, for those who want it."""
        return "no score" if self.score is None else f"{self.score:.2f} of {SCALE[1]:.0f}"

    @property
    def part(self) -> float:
        """The score as a part of a hundred."""
        return round(100 * (self.score or 0.0) / SCALE[1], 1)


@dataclass(frozen=True, slots=True)
class Row:
    """A contribution as a row of the table."""

    feature: str
    value: float | None
    amount: float
    left: list[str]
    right: list[str]


@dataclass(frozen=True, slots=True)
class TypeComparison:
    """Why two items are alike in one way: in sentences, as a table, and marked in their texts."""

    bar: Bar
    question: str
    sentences: list[str]
    base: float | None
    raw: float | None
    rows: list[Row]
    left: list[tuple[str, tuple[MarkedValue, ...]]]
    right: list[tuple[str, tuple[MarkedValue, ...]]]


@router.get("/view/compare", dependencies=REVALIDATED_PAGE)
def view_comparison(
    now: Now,
    until: Until,
    editable: SeesDrafts,
    left: Annotated[str, Query()] = "",
    right: Annotated[str, Query()] = "",
    type: Annotated[SimilarityType | None, Query()] = None,
    judged: Annotated[bool, Query()] = False,
) -> HTMLResponse:
    """Two items side by side: the scores of all types, and why they are alike in one of the ways.

    Where an id is missing the page asks for it.
    """
    one, two = left.strip(), right.strip()
    if not (one and two):
        known = [now.item(item) for item in (one, two) if item]
        return page("choose.html", left=one, right=two, known=known, variant=now.variant)
    if type is not None:
        now.system.position(type)
    scored = now.score(one, two, until)
    bars = [_bar(scored, n) for n in range(len(scored.explanations))]
    best = max(bars, key=lambda bar: -1.0 if bar.score is None else bar.score)
    chosen = next((bar for bar in bars if bar.type == type), best)
    return page(
        "compare.html",
        left=scored.left,
        right=scored.right,
        bars=bars,
        why=_why(now, scored, chosen),
        editable=editable,
        judged=judged,
        variant=now.variant,
    )


def _bar(scored: PairScores, number: int) -> Bar:
    one = scored.explanations[number]
    score = None if one.not_applicable else one.score
    why = compare_path(scored.left.id, scored.right.id, one.type)
    return Bar(one.type, score, scored.reasons[number], f"{why}#why")


def _why(now: Recommender, scored: PairScores, bar: Bar) -> TypeComparison:
    explanation = next(one for one in scored.explanations if one.type == bar.type)
    left, right = scored.left, scored.right
    features, types = now.collection.manifest.features, now.system.types
    told = islice(sentences(explanation, left, right, features, types), _SENTENCES)
    shown = [one for one in explanation.contributions or () if tells(one)]
    evidence = [one for each in shown for one in each.evidence if is_telling(one) and not one.whole]
    return TypeComparison(
        bar=bar,
        question=types[bar.type].question,
        sentences=[one.text for one in told] or [bar.reason],
        base=explanation.base,
        raw=explanation.raw,
        rows=[_row(one, left, right) for one in explanation.contributions or ()],
        left=list(fields(left, places(where for one in evidence for where in one.left))),
        right=list(fields(right, places(where for one in evidence for where in one.right))),
    )


def _row(given: Contribution, left: Record, right: Record) -> Row:
    return Row(
        given.feature,
        given.value,
        given.amount,
        wordings(left, given.evidence, "left"),
        wordings(right, given.evidence, "right"),
    )
