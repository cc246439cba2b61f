"""The pages on which people judge pairs: a guideline, one pair after another, and how far everybody is.

They join the portal of a service that ``kindred pairs annotate`` starts; ``kindred serve`` has none of them.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path as FilePath
from typing import Annotated, Final

from fastapi import APIRouter, FastAPI, Path
from fastapi.responses import HTMLResponse, RedirectResponse
from starlette.exceptions import HTTPException
from starlette.responses import Response

from evaluation.gold.judgements import IdPair
from evaluation.gold.questions import PairQuestion, collected, known_answers, questions, standings
from evaluation.typed import Pairs
from ingest.catalogue import Catalogue
from ingest.errors import InvalidRequest
from ingest.typed_files import NA
from models.types import SCALE, SimilarityType, Types
from service.operations.annotations import Annotation, Annotations
from service.web.access.clients import Curator
from service.web.api.dependencies import state
from service.web.portal.comparing import fields
from service.web.portal.path_forms import PathForm, Sent
from service.web.portal.rendering import page

START: Final = "/edit/pairs"
"""The address at which annotators begin and go on."""

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)
_NO_STORE: Final = {"Cache-Control": "no-store"}
_NUMBERS: Final = tuple(str(number) for number in range(int(SCALE[0]), int(SCALE[1]) + 1))


@dataclass(frozen=True, slots=True)
class AnnotationTask:
    """What is to be judged: the pairs, the questions made of them, and where the answers go.

    ``pictures`` are the addresses of pictures by the id of the record; the files of pairs hold texts alone.
    """

    pairs: Pairs
    controls: Pairs | None
    questions: tuple[PairQuestion, ...]
    types: Types
    store: Annotations
    pictures: Mapping[str, str]

    @classmethod
    def of(
        cls,
        pairs: Pairs,
        controls: Pairs | None,
        every: int,
        types: Types,
        store: Annotations,
        pictures: Mapping[str, str],
    ) -> "AnnotationTask":
        """A task with a control question after each ``every`` pairs."""
        return cls(pairs, controls, tuple(questions(pairs, controls, every)), types, store, pictures)

    def open_question(self, given: Mapping[IdPair, Annotation], after: int = 0) -> int | None:
        """The first question without an answer after one, else the first of all; None where all are done."""
        numbered = [n for n, one in enumerate(self.questions, 1) if one.pair not in given]
        return next((n for n in numbered if n > after), numbered[0] if numbered else None)

    def question(self, number: int) -> PairQuestion:
        """A question by its number, from 1 on; raises 404."""
        if not 1 <= number <= len(self.questions):
            raise HTTPException(404)
        return self.questions[number - 1]


Task = Annotated[AnnotationTask, state("annotation_task")]
Number = Annotated[int, Path()]


def catalogued_pictures(path: FilePath, *judged: Pairs | None) -> dict[str, str]:
    """The addresses of pictures by the id of the record, as far as the catalogue at ``path`` holds any."""
    if not path.exists():
        return {}
    ids = {record.id for pairs in judged if pairs is not None for record in pairs.records}
    with Catalogue(path, read_only=True) as catalogue:
        return {item: record.image for item, record in catalogue.some(ids).items() if record.image}


def add_pages(app: FastAPI, task: AnnotationTask) -> None:
    """Add the pages of a task to an application."""
    app.state.annotation_task = task
    app.include_router(router)


@router.get(START)
def begin(task: Task, client: Curator) -> HTMLResponse:
    """What is to be done and how, how far the annotator is, and how far all agree."""
    every = task.store.every()
    judgements = collected(task.pairs, every, tuple(task.types))
    known = known_answers(every, task.controls, judgements.types)
    answered = task.store.of(client.id)
    return _shown(
        "annotating.html",
        types=task.types,
        number=task.open_question(answered),
        total=len(task.questions),
        answered=sum(question.pair in answered for question in task.questions),
        standings=standings(judgements, every, known),
        agreement=judgements.agreement(),
    )


@router.get(START + "/{number}")
def ask(number: Number, task: Task, client: Curator) -> HTMLResponse:
    """One pair with a scale for each type, and what the annotator gave it before."""
    question, answered = task.question(number), task.store.of(client.id)
    given = answered.get(question.pair)
    return _shown(
        "annotate.html",
        number=number,
        total=len(task.questions),
        answered=sum(one.pair in answered for one in task.questions),
        skip=task.open_question(answered, number),
        sides=[
            (record.label, task.pictures.get(record.id), list(fields(record, {})))
            for record in (question.left, question.right)
        ],
        types=task.types,
        numbers=_NUMBERS,
        given={} if given is None else {kind: _shown_score(one) for kind, one in given.scores.items()},
    )


@router.post(START + "/{number}")
def answer(number: Number, sent: Sent, task: Task, client: Curator) -> Response:
    """Store what was judged, and lead on to the next pair without an answer."""
    question = task.question(number)
    scores = {kind: _score(kind, sent) for kind in task.types}
    task.store.say(question.pair, client.id, client.name, scores)
    following = task.open_question(task.store.of(client.id), number)
    return RedirectResponse(
        START if following is None else f"{START}/{following}", HTTPStatus.SEE_OTHER, headers=_NO_STORE
    )


def _score(kind: SimilarityType, sent: PathForm) -> float | None:
    text = sent.text(kind)
    if text == NA:
        return None
    if text not in _NUMBERS:
        raise InvalidRequest(
            f"{kind} needs a whole number from {SCALE[0]:g} to {SCALE[1]:g}, or {NA} where it does not apply;"
            " go back and choose one"
        )
    return float(text)


def _shown_score(score: float | None) -> str:
    return NA if score is None else f"{score:g}"


def _shown(template: str, **context: object) -> HTMLResponse:
    answer = page(template, 200, **context)
    answer.headers.update(_NO_STORE)
    return answer
