"""Why a step follows the one before: the types in which two items are close, each with its reason."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from msgspec import UNSET, UnsetType

from ingest.errors import UnknownItem
from ingest.record import Record
from models.explanation import ScoreExplanation
from models.types import SCALE, SimilarityType
from service.explain.reasons import supports
from service.paths.model import Step
from service.search.queries import Check, unlimited
from service.search.recommender import PairScores, Recommender

_PLACES: Final = 6


class Proposed(NamedTuple):
    """A type in which one item follows another, its score, and the reason."""

    type: SimilarityType
    score: float
    reason: str


@dataclass(frozen=True, slots=True)
class Draft:
    """A step as a curator gives it; what is unset of type and reason is proposed."""

    item: str
    note: str = ""
    type: SimilarityType | UnsetType | None = UNSET
    reason: str | UnsetType = UNSET


def unchanged(step: Step) -> Draft:
    """A step as it stands, with its type and reason."""
    return Draft(step.item, step.note, step.type, step.reason)


def unexplained(step: Step) -> Draft:
    """A step whose predecessor is another now."""
    return Draft(step.item, step.note)


def reordered(steps: Sequence[Step], before: Sequence[Step]) -> list[Draft]:
    """Steps in a new order: type and reason are proposed again where a step follows another one now.

    >>> a, b, c = (Step(item=one, title=one, type="time", reason="Both are old.") for one in "abc")
    >>> [draft.reason is UNSET for draft in reordered([b, c, a], [a, b, c])]
    [True, False, True]
    """
    last = _predecessors(before)
    now = _predecessors(steps)
    return [unchanged(step) if last.get(step.item) == now[step.item] else unexplained(step) for step in steps]


def _predecessors(steps: Sequence[Step]) -> dict[str, str | None]:
    items = [step.item for step in steps]
    return dict(zip(items, [None, *items], strict=False))


def proposals(now: Recommender, last: str, item: str, check: Check = unlimited) -> list[Proposed]:
    """The types in which ``item`` is close to ``last``, the strongest first; none where nothing is close.

    A type counts where its score reaches the system's floor, at which similarity begins, and something that
    both share speaks for it. It is the stronger the further above its floor the score is.
    """
    found = _told(now.score(last, item, check))
    floor = now.system.floor
    close = [
        one
        for one, explanation in found
        if one.score >= floor.get(one.type, SCALE[0]) and one.score > SCALE[0] and speaks(explanation)
    ]
    # the sort is stable: of equals the first in the order of the types comes first
    return sorted(close, key=lambda one: -_strength(one, floor))


def speaks(explanation: ScoreExplanation) -> bool:
    """Whether something that both items share, small words apart, speaks for a score.

    Of a system that is not additive nobody can tell: there every score above 0 counts.
    """
    if explanation.same or explanation.contributions is None:
        return explanation.score > SCALE[0]
    return any(map(supports, explanation.contributions))


def _strength(one: Proposed, floor: Mapping[SimilarityType, float]) -> float:
    least = floor.get(one.type, SCALE[0])
    return round((one.score - least) / (SCALE[1] - least), _PLACES) if least < SCALE[1] else 1.0


def _told(scored: PairScores) -> Iterator[tuple[Proposed, ScoreExplanation]]:
    for explanation, reason in zip(scored.explanations, scored.reasons, strict=True):
        if not explanation.not_applicable:
            yield Proposed(explanation.type, explanation.score, reason), explanation


def laid(
    now: Recommender, drafts: Sequence[Draft], titles: Mapping[str, str], check: Check = unlimited
) -> tuple[Step, ...]:
    """The steps of a path, with titles as they are now, and types and reasons where none are given.

    ``titles`` are those of items that the path has already: such an item may be gone from the collection.
    Raises ``UnknownItem`` for any other that is not there, and ``UnknownType``.
    """
    steps: list[Step] = []
    for draft in drafts:
        record = now.item(draft.item) if now.holds(draft.item) else None
        if record is None and draft.item not in titles:
            raise UnknownItem(f"no item {draft.item!r} in the collection of {len(now.collection):,} items")
        last = steps[-1].item if steps else None
        kind, reason = _why(now, last, draft, record, check)
        title = titles[draft.item] if record is None else record.label
        steps.append(Step(item=draft.item, title=title, note=draft.note, type=kind, reason=reason))
    return tuple(steps)


def _why(
    now: Recommender, last: str | None, draft: Draft, record: Record | None, check: Check
) -> tuple[SimilarityType | None, str]:
    """The type and the reason of a step."""
    given = "" if draft.reason is UNSET else draft.reason
    if draft.type is not UNSET and draft.type is not None:
        now.system.position(draft.type)
    if last is None:
        return None, given
    kind = None if draft.type is UNSET else draft.type
    told = draft.reason is not UNSET and draft.type is not UNSET
    if told or record is None or not now.holds(last) or draft.type is None:
        return kind, given
    if draft.type is UNSET:
        best = next(iter(proposals(now, last, draft.item, check)), None)
        if best is None:
            return None, given
        return best.type, best.reason if draft.reason is UNSET else given
    reasons = {one.type: one.reason for one, _ in _told(now.score(last, draft.item, check))}
    return draft.type, reasons.get(draft.type, "")
