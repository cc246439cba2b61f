"""A built collection in Python, for notebooks and scripts: what a question finds comes as flat rows.

Every row is a dataclass of plain values, so that ``pandas.DataFrame(rows)`` takes a list of them as it is.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from ingest.record import Record, Value
from models.explanation import FeatureContribution
from models.types import SimilarityType
from service.composition import Analyser
from service.explain.closeness import closeness
from service.explain.phrases import wordings
from service.explain.stated import StatedReason
from service.search.engines.local.provider import LocalProvider
from service.search.facets import Filters
from service.search.queries import Search, WeightedSeed
from service.search.recommender import Recommender
from service.settings import Settings, load_served

_BETWEEN: Final = "; "  # what stands between several values of one cell


@dataclass(frozen=True, slots=True)
class ItemRow:
    """An item of the collection; several values of a field stand in one text, with a semicolon between."""

    id: str
    title: str
    creator: str
    subject: str
    description: str
    date: str
    source: str
    places: str
    type: str
    provider: str
    image: str
    landing_page: str


@dataclass(frozen=True, slots=True)
class SimilarRow:
    """A neighbour of ``item``: ``rank`` counts from 1; ``closeness`` is the score in words.

    ``facts`` are those that the reason names, each behind its kind.
    """

    item: str
    rank: int
    id: str
    title: str
    creator: str
    date: str
    type: SimilarityType
    score: float
    closeness: str
    reason: str
    facts: str


@dataclass(frozen=True, slots=True)
class ScoreRow:
    """How alike two items are in one way; ``score`` is None where neither has anything of the type.

    ``facts`` are those that the reason names, each behind its kind.
    """

    left: str
    right: str
    type: SimilarityType
    score: float | None
    closeness: str
    reason: str
    facts: str


@dataclass(frozen=True, slots=True)
class ContributionRow:
    """One feature's part of a score.

    ``amount`` is its term in the sum; ``left_words`` and ``right_words`` are what it rests on in either
    record, the strongest first. The rows of a type and the system's base add up
    to the score before it is cut.
    """

    left: str
    right: str
    type: SimilarityType
    feature: str
    value: float | None
    weight: float | None
    amount: float
    left_words: str
    right_words: str


class OpenCollection:
    """A built collection, open for questions; ``service.open_collection`` opens one.

    Each question is answered from what the collection holds at that moment: live changes and new builds are
    found without opening it again. A question about an item that it lacks raises ``UnknownItem``.
    """

    def __init__(self, settings: Settings, system: str | None = None) -> None:
        self._provider = LocalProvider(settings, Analyser(settings), system)
        self._provider()

    @property
    def _now(self) -> Recommender:
        return self._provider()

    def __len__(self) -> int:
        """How many items the collection holds."""
        return len(self._now.collection)

    def __contains__(self, item: object) -> bool:
        """Whether it holds an item of that id."""
        return isinstance(item, str) and self._now.holds(item)

    def __iter__(self) -> Iterator[str]:
        """The ids of all items, in their order."""
        return iter(list(self._now.collection.ids))

    @property
    def types(self) -> tuple[SimilarityType, ...]:
        """The types of similarity that can be asked for."""
        return tuple(self._now.system.types)

    def record(self, item: str) -> Record:
        """The whole record of an item, with every value and its language."""
        return self._now.item(item)

    def items(self) -> list[ItemRow]:
        """All items, in the order of their ids."""
        now = self._now
        return [_item(now.item(one)) for one in now.collection.ids]

    def similar(
        self,
        item: str,
        type: SimilarityType | None = None,  # noqa: A002 - as the API and the command call it
        limit: int = 10,
        *,
        filters: Filters | None = None,
        floor: float | None = None,
        diversity: float = 0.0,
    ) -> list[SimilarRow]:
        """The items most similar to one, best first.

        Without a ``type`` each neighbour has the type that best motivates it. A list of a type ends at the
        ``floor``: None for the system's own, 0 for no end. ``limit`` is 100 at most. Raises ``UnknownItem``,
        ``UnknownType`` and ``InvalidRequest``.
        """
        search = Search(
            seeds=(WeightedSeed(item),),
            type=type,
            limit=limit,
            filters=filters or Filters(),
            floor=floor,
            diversity=diversity,
        )
        return [
            SimilarRow(
                item=item,
                rank=rank,
                id=near.record.id,
                title=near.record.label,
                creator=_joined(near.record.creator),
                date=_joined(near.record.date),
                type=near.type,
                score=near.score,
                closeness=closeness(near.score),
                reason=near.reason.text,
                facts=_facts(near.reason),
            )
            for rank, near in enumerate(self._now.search(search).neighbours, 1)
        ]

    def score(self, left: Record | str, right: Record | str) -> list[ScoreRow]:
        """How alike two items are: one row for each type.

        A side is the id of an item, or a ``Record`` that the collection need not hold; to analyse such a one
        the language models are loaded. Raises ``UnknownItem`` and ``InvalidRequest``.
        """
        scored = self._now.score(left, right)
        return [
            ScoreRow(
                left=scored.left.id,
                right=scored.right.id,
                type=one.type,
                score=None if one.not_applicable else one.score,
                closeness=closeness(None if one.not_applicable else one.score),
                reason=reason.text,
                facts=_facts(reason),
            )
            for one, reason in zip(scored.explanations, scored.reasons, strict=True)
        ]

    def explain(
        self,
        left: Record | str,
        right: Record | str,
        type: SimilarityType | None = None,  # noqa: A002 - as in similar
    ) -> list[ContributionRow]:
        """What every feature adds to the scores of two items, or to that of one type; strongest first.

        There are no rows of a score that has no contributions: of two records that are the same, where
        neither has anything of the type, and of a system that is not additive.
        """
        now = self._now
        if type is not None:
            now.system.position(type)
        scored = now.score(left, right)
        return [
            _contribution(each, one.type, scored.left, scored.right)
            for one in scored.explanations
            if type in (None, one.type)
            for each in one.contributions or ()
        ]


def opened(state: Path | None, config: Path | None, system: str | None) -> OpenCollection:
    """The collection of a state directory, or of that which the settings name."""
    settings = load_served(config, system)
    if state is not None:
        given = settings.state.model_copy(update={"directory": state})
        settings = settings.model_copy(update={"state": given})
    return OpenCollection(settings, system)


def _item(record: Record) -> ItemRow:
    texts = {name: _joined(getattr(record, name)) for name in ("title", "creator", "subject", "description")}
    texts |= {name: _joined(getattr(record, name)) for name in ("date", "source", "places")}
    plain = {name: getattr(record, name) or "" for name in ("type", "provider", "image", "landing_page")}
    return ItemRow(id=record.id, **texts, **plain)


def _contribution(
    given: FeatureContribution, kind: SimilarityType, left: Record, right: Record
) -> ContributionRow:
    return ContributionRow(
        left=left.id,
        right=right.id,
        type=kind,
        feature=given.feature,
        value=given.value,
        weight=given.weight,
        amount=given.amount,
        left_words=_BETWEEN.join(wordings(left, given.evidence, "left")),
        right_words=_BETWEEN.join(wordings(right, given.evidence, "right")),
    )


def _facts(reason: StatedReason) -> str:
    return _BETWEEN.join(
        f"{one.kind} {' / '.join(filter(None, (one.value, one.other)))}" for one in reason.facts
    )


def _joined(values: Sequence[Value]) -> str:
    return _BETWEEN.join(value.text for value in values)
