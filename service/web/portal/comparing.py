"""The page of two items side by side: how alike they are, why, and where it stands in their texts."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from http import HTTPStatus
from itertools import islice
from typing import Annotated, Final, NamedTuple, TypeAlias

from fastapi import APIRouter, Query
from fastapi.responses import HTMLResponse

from features.profiles.profile import Occurrence
from features.profiles.record_language import language_of
from ingest.record import TEXTS, Record
from models.types import SCALE, SimilarityType
from service.explain.closeness import closeness
from service.explain.phrases import wordings
from service.explain.reasons import sentences, supports
from service.explain.salience import is_salient
from service.languages.messages import gettext, number
from service.operations.feedback import Judgement
from service.operations.keys import Client
from service.search.queries import Deadline
from service.search.recommender import PairScores, Recommender
from service.web.api.addresses import compare_path
from service.web.api.caching import REVALIDATED_PAGE
from service.web.api.changes import FeedbackStore
from service.web.api.dependencies import Editor, Now, Until
from service.web.portal.judged import shown
from service.web.portal.rendering import page
from service.web.portal.searching import search_items

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)

Marks: TypeAlias = Mapping[tuple[str, int], list[tuple[int, int]]]
"""Stretches by the field and the number of the value that they stand in."""

_SENTENCES: Final = 4  # sentences that say why two items are alike in one way


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
        if self.score is None:
            return gettext("no score")
        return gettext("{score} of {most}").format(score=number(self.score, 2), most=number(SCALE[1]))

    @property
    def part(self) -> float:
        """The score as a part of a hundred."""
        return round(100 * (self.score or 0.0) / SCALE[1], 1)


@router.get("/view/compare", dependencies=REVALIDATED_PAGE)
def view_comparison(
    now: Now,
    until: Until,
    editor: Editor,
    feedback: FeedbackStore,
    left: Annotated[str, Query()] = "",
    right: Annotated[str, Query()] = "",
    type: Annotated[SimilarityType | None, Query()] = None,
    q: Annotated[str, Query()] = "",
) -> HTMLResponse:
    """Two items side by side: their scores, and why they are alike in one way; or a search for those two."""
    left, right = left.strip(), right.strip()
    if not (now.holds(left) and now.holds(right)):
        return _choice(now, (left, right), q, editor, until)
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
        languages=(language_of(scored.left), language_of(scored.right)),
        bars=bars,
        why=_why(now, scored, chosen),
        editor=editor,
        judged=shown((one for one in feedback.about(scored.left.id) if _is_of(one, scored)), now)
        if editor
        else [],
        variant=now.variant,
    )


def _is_of(one: Judgement, scored: PairScores) -> bool:
    return {one.left, one.right} == {scored.left.id, scored.right.id}


def _choice(
    now: Recommender, given: tuple[str, str], q: str, editor: Client | None, until: Deadline
) -> HTMLResponse:
    """The page on which the items to compare are searched for and picked."""
    first = next((now.item(item) for item in given if now.holds(item)), None)
    unknown = [item for item in given if item and not now.holds(item)]
    return page(
        "choose.html",
        HTTPStatus.NOT_FOUND if unknown else HTTPStatus.OK,
        first=first,
        unknown=unknown,
        words=q,
        results=search_items(now, q, until),
        editor=editor,
        variant=now.variant,
    )


def _why(now: Recommender, scored: PairScores, bar: Bar) -> dict[str, object]:
    """Why two items are alike in one way: in sentences, as rows of a table, and marked in their texts."""
    explanation = next(one for one in scored.explanations if one.type == bar.type)
    left, right = scored.left, scored.right
    features, types = now.collection.manifest.features, now.system.types
    reasons = islice(sentences(explanation, left, right, features, types), _SENTENCES)
    supporting = [one for one in explanation.contributions or () if supports(one)]
    evidence = [one for each in supporting for one in each.evidence if is_salient(one) and not one.whole]
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
