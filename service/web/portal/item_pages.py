"""Pages about items: one with its neighbours, all neighbours of a type, and two items side by side."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import Annotated, Final, NamedTuple, TypeAlias
from urllib.parse import urlencode

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse

from features.profiles.profile import Occurrence
from ingest.errors import InvalidRequest
from ingest.record import INDEXED, TEXTS, Field, Record, Value, innermost
from models.types import SCALE, SimilarityType
from service.explain.closeness import closeness
from service.explain.phrases import wordings
from service.explain.reasons import sentences, supports
from service.explain.salience import is_salient
from service.search.facets import Filters
from service.search.fulltext.finding import LONGEST
from service.search.queries import Search, WeightedSeed
from service.search.recommender import PairScores, Recommender
from service.web.api.addresses import SIMILAR, compare_path, item_path, similar_path, view_path
from service.web.api.caching import REVALIDATED_PAGE
from service.web.api.dependencies import Configured, Editor, ItemId, Now, Until, public_base
from service.web.api.requests import are_swapped, in_order
from service.web.portal.about import about_item
from service.web.portal.rendering import page
from service.web.portal.where_when import HEIGHT, WIDTH, each_once, map_of, times_of

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)

_NEIGHBOURS: Final = 24  # neighbours on a page of one type
_SENTENCES: Final = 4  # sentences that say why two items are alike in one way
_PROPOSED: Final = 200  # names that a filter proposes
Marks: TypeAlias = Mapping[tuple[str, int], list[tuple[int, int]]]
"""Stretches by the field and the number of the value that they stand in."""


@router.get("/view/items/{id}", dependencies=REVALIDATED_PAGE)
def view_item(
    id: ItemId, now: Now, configured: Configured, until: Until, editor: Editor, request: Request
) -> HTMLResponse:
    """An item, its neighbours by type, and links to walk on."""
    record, types = now.item(id), now.system.types
    # a neighbour that shares nothing fills no space
    groups = {
        kind: shared
        for kind, neighbours in now.grouped(id, configured.service.page, until).items()
        if (shared := [near for near in neighbours if near.shares])
    }
    unsure = [kind for kind in now.unsure(id) if kind not in groups]
    near = each_once(chain.from_iterable(groups.values()))
    return page(
        "item.html",
        record=record,
        about=about_item(record, public_base(request, configured.service)),
        phrase=_phrase,
        listed=_listed,
        facts=_facts(record),
        indexed=INDEXED,
        groups=groups,
        api=item_path(id),
        similar=similar_path(id),
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
    type: Annotated[SimilarityType | None, Query()] = None,
    cursor: Annotated[str | None, Query()] = None,
) -> HTMLResponse:
    """All neighbours of an item in one way, page by page, with filters."""
    if not now.holds(id) and now.holds(id + SIMILAR):
        # an id that ends so and came with its slash as it is
        return view_item(id + SIMILAR, now, configured, until, editor, request)
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
        editor=editor,
        variant=now.variant,
    )


class TextPiece(NamedTuple):
    """A part of a text; ``marked`` where a score rests on it."""

    text: str
    marked: bool


class MarkedValue(NamedTuple):
    """A value of a record in pieces, with its language."""

    pieces: tuple[TextPiece, ...]
    language: str | None


class Bar(NamedTuple):
    """One of the scores of two items, as a row of the picture; ``why`` is the address of its explanation."""

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


@router.get("/view/compare", dependencies=REVALIDATED_PAGE)
def view_comparison(
    now: Now,
    until: Until,
    editor: Editor,
    left: Annotated[str, Query()] = "",
    right: Annotated[str, Query()] = "",
    type: Annotated[SimilarityType | None, Query()] = None,
    judged: Annotated[bool, Query()] = False,
) -> HTMLResponse:
    """Two items side by side: their scores, and why they are alike in one way; asks for a missing id."""
    left, right = left.strip(), right.strip()
    if not (left and right):
        known = [now.item(item) for item in (left, right) if item]
        return page("choose.html", left=left, right=right, known=known, variant=now.variant)
    if type is not None:
        now.system.position(type)
    scored = now.score(left, right, until)
    bars = [
        Bar(
            one.type,
            None if one.not_applicable else one.score,
            reason.text,
            f"{compare_path(scored.left.id, scored.right.id, one.type)}#why",
        )
        for one, reason in zip(scored.explanations, scored.reasons, strict=True)
    ]
    best = max(bars, key=lambda bar: -1.0 if bar.score is None else bar.score)
    chosen = next((bar for bar in bars if bar.type == type), best)
    return page(
        "compare.html",
        left=scored.left,
        right=scored.right,
        bars=bars,
        why=_why(now, scored, chosen),
        editor=editor,
        judged=judged,
        variant=now.variant,
    )


def _why(now: Recommender, scored: PairScores, bar: Bar) -> dict[str, object]:
    """Why two items are alike in one way: in sentences, as rows of a table, and marked in their texts."""
    explanation = next(one for one in scored.explanations if one.type == bar.type)
    left, right = scored.left, scored.right
    features, types = now.collection.manifest.features, now.system.types
    reasons = islice(sentences(explanation, left, right, features, types), _SENTENCES)
    shown = [one for one in explanation.contributions or () if supports(one)]
    evidence = [one for each in shown for one in each.evidence if is_salient(one) and not one.whole]
    return {
        "bar": bar,
        "question": types[bar.type].question,
        "sentences": [reason.text for reason in reasons] or [bar.reason],
        "base": explanation.base,
        "raw": explanation.raw,
        "rows": [
            (one, wordings(left, one.evidence, "left"), wordings(right, one.evidence, "right"))
            for one in explanation.contributions or ()
        ],
        "left": list(fields(left, places(where for one in evidence for where in one.left))),
        "right": list(fields(right, places(where for one in evidence for where in one.right))),
    }


def places(occurrences: Iterable[Occurrence]) -> Marks:
    """Where some occurrences stand."""
    stretches: defaultdict[tuple[str, int], list[tuple[int, int]]] = defaultdict(list)
    for one in occurrences:
        stretches[one.part, one.index].append((one.start, one.end))
    return stretches


def fields(record: Record, marks: Marks) -> Iterator[tuple[str, tuple[MarkedValue, ...]]]:
    """The fields of a record that hold anything, each value in pieces."""
    for name in TEXTS:
        if values := record.part(name):
            texts = ((value, marks.get((name, n), [])) for n, value in enumerate(values))
            yield name, tuple(MarkedValue(tuple(pieces(one.text, at)), one.language) for one, at in texts)


def pieces(text: str, stretches: Iterable[tuple[int, int]]) -> Iterator[TextPiece]:
    """A text cut at the ends of stretches; those that touch but for a blank are marked as one.

    >>> [(piece.text, piece.marked) for piece in pieces("The Grand Canal, Venice", [(10, 15), (4, 9)])]
    [('The ', False), ('Grand Canal', True), (', Venice', False)]
    """
    joined: list[tuple[int, int]] = []
    for start, end in sorted(stretches):
        if joined and not text[joined[-1][1] : start].strip():
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    done = 0
    for start, end in joined:
        if start > done:
            yield TextPiece(text[done:start], False)
        yield TextPiece(text[start:end], True)
        done = end
    if done < len(text):
        yield TextPiece(text[done:], False)
