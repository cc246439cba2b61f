"""Why a step follows the one before: the types in which two items are close, each with its reason."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from msgspec import UNSET, UnsetType

from ingest.errors import UnknownItem
from ingest.record import Record
from models.explanation import ScoreExplanation
from models.types import SCALE, SimilarityType
from service.explain.reasons import supports
from service.explain.stated import StatedReason
from service.paths.model import StoredStep
from service.search.queries import Check, unlimited
from service.search.recommender import Recommender

_PLACES: Final = 6


class Proposed(NamedTuple):
    """A type in which one item follows another, its score, and the reason."""

    type: SimilarityType
    score: float
    reason: StatedReason


@dataclass(frozen=True, slots=True)
class Draft:
    """A step as a curator gives it; what is unset of type and reason is proposed."""

    item: str
    note: str = ""
    type: SimilarityType | UnsetType | None = UNSET
    reason: str | UnsetType = UNSET


def unchanged(step: StoredStep) -> Draft:
    """A step as it stands, with its type and reason."""
    return Draft(step.item, step.note, step.type, step.reason)


def unexplained(step: StoredStep) -> Draft:
    """A step whose predecessor is another now."""
    return Draft(step.item, step.note)


def reordered(steps: Sequence[StoredStep], before: Sequence[StoredStep]) -> list[Draft]:
    """Steps in a new order: type and reason are proposed again where a step follows another one now.

    >>> a, b, c = (StoredStep(item=one, title=one, type="time", reason="Both are old.") for one in "abc")
    >>> [draft.reason is UNSET for draft in reordered([b, c, a], [a, b, c])]
    [True, False, True]
    """
    last, now = (
        dict(zip(items, [None, *items], strict=False))
        for items in ([step.item for step in own] for own in (before, steps))
    )
    return [unchanged(step) if last.get(step.item) == now[step.item] else unexplained(step) for step in steps]


def proposals(now: Recommender, last: str, item: str, check: Check = unlimited) -> list[Proposed]:
    """The types in which ``item`` is close to ``last``, the strongest first; none where nothing is close.

    A type counts where its score reaches the system's floor, at which similarity begins, and something that
    both share speaks for it. It is the stronger the further above its floor the score is. Those whose reason
    is likeness of words alone come last.
    """
    scored, close = now.score(last, item, check), []
    for one, reason in zip(scored.explanations, scored.reasons, strict=True):
        least = now.system.floor.get(one.type, SCALE[0])
        if one.not_applicable or one.score < least or one.score == SCALE[0] or not speaks(one):
            continue
        part = (one.score - least) / (SCALE[1] - least) if least < SCALE[1] else 1.0
        close.append((round(part, _PLACES), Proposed(one.type, one.score, reason)))
    # the sort is stable: of equals the first in the order of the types comes first
    close.sort(key=lambda one: (one[1].reason.by_words, -one[0]))
    return [proposed for _, proposed in close]


def speaks(explanation: ScoreExplanation) -> bool:
    """Whether something that both items share, small words apart, speaks for a score.

    Of a system that is not additive nobody can tell: there every score above 0 counts. Nothing speaks for the
    score of a type of which not both items have anything.
    """
    if explanation.not_both:
        return False
    if explanation.same or explanation.contributions is None:
        return explanation.score > SCALE[0]
    return any(map(supports, explanation.contributions))


def laid(
    now: Recommender, drafts: Sequence[Draft], titles: Mapping[str, str], check: Check = unlimited
) -> tuple[StoredStep, ...]:
    """The steps of a path, with titles as they are now, and types and reasons where none are given.

    ``titles`` are those of items that the path has already: such an item may be gone from the collection.
    Raises ``UnknownItem`` for any other that is not there, and ``UnknownType``.
    """
    steps: list[StoredStep] = []
    for draft in drafts:
        record = now.item(draft.item) if now.holds(draft.item) else None
        if record is None and draft.item not in titles:
            raise UnknownItem(f"no item {draft.item!r} in the collection of {len(now.collection):,} items")
        last = steps[-1].item if steps else None
        kind, reason = _why(now, last, draft, record, check)
        title = titles[draft.item] if record is None else record.label
        steps.append(StoredStep(item=draft.item, title=title, note=draft.note, type=kind, reason=reason))
    return tuple(steps)


def _why(
    now: Recommender, last: str | None, draft: Draft, record: Record | None, check: Check
) -> tuple[SimilarityType | None, str]:
    """The type and the reason of a step; likeness of words alone is no reason that a path gives."""
    given = "" if draft.reason is UNSET else draft.reason
    if draft.type is not UNSET and draft.type is not None:
        now.system.position(draft.type)
    if last is None:
        return None, given
    kind = None if draft.type is UNSET else draft.type
    given_both = draft.reason is not UNSET and draft.type is not UNSET
    if given_both or record is None or not now.holds(last) or draft.type is None:
        return kind, given
    if draft.type is UNSET:
        best = next(iter(proposals(now, last, draft.item, check)), None)
        if best is None or best.reason.by_words:
            return None, given
        return best.type, best.reason.text if draft.reason is UNSET else given
    at, scored = now.system.position(draft.type), now.score(last, draft.item, check)
    reason = scored.reasons[at]
    return draft.type, "" if scored.explanations[at].not_applicable or reason.by_words else reason.text
