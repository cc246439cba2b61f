"""Makes the API's answers from the results of the recommender and the search."""

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from features.measures import base as measures
from features.profiles.profile import Occurrence
from ingest.record import Record
from models import explanation as explained
from service.explain.closeness import closeness
from service.explain.phrases import surface
from service.explain.stated import FactPlace, StatedReason
from service.search import recommender
from service.search.cursors import encode
from service.search.fulltext.finding import ResultPage, SharedFacets, WordQuery
from service.search.queries import Search
from service.search.variants import Variant
from service.web.api import listing_schemas, schemas
from service.web.api.addresses import item_path, view_path
from service.web.api.record_answers import summary


def listing(results: ResultPage, wanted: WordQuery) -> listing_schemas.Listing:
    """One page of the results of a search."""
    return listing_schemas.Listing(
        total=results.total,
        items=[summary(record) for record in results.records],
        next=_next(results, wanted) if results.more and results.records else None,
        facets=None if results.shared is None else _facets(results.shared),
        suggestion=results.suggestion,
        notes=list(results.notes),
    )


def neighbours(
    search: Search, variant: Variant, answer: recommender.SearchAnswer, *, explain: bool
) -> schemas.Neighbours:
    """The neighbours of one item, with their explanations where wanted."""
    near = _near(search, variant, answer, explain=explain)
    return schemas.Neighbours.model_validate({"item": search.seeds[0].id, **near})


def similar(
    search: Search, variant: Variant, answer: recommender.SearchAnswer, *, explain: bool
) -> schemas.Similar:
    """The neighbours of several items, with their explanations where wanted."""
    seeds = [schemas.Seed(id=seed.id, weight=seed.weight) for seed in search.seeds]
    return schemas.Similar.model_validate({"seeds": seeds, **_near(search, variant, answer, explain=explain)})


def _near(
    search: Search, variant: Variant, answer: recommender.SearchAnswer, *, explain: bool
) -> dict[str, object]:
    return {
        "type": search.type,
        "system": variant.system,
        "stands_in_for": variant.stands_in_for,
        "approximate": variant.approximate,
        "exact": answer.exact,
        "bound": answer.bound,
        "neighbours": [_neighbour(near, explain=explain) for near in answer.neighbours],
        "next": answer.next,
        "notes": list(answer.notes),
    }


def pair(
    scored: recommender.PairScores, variant: Variant, known: tuple[bool, bool], *, explain: bool
) -> schemas.Pair:
    """A scored pair; ``known`` says which sides the collection holds with the texts scored."""
    every = scored.explanations
    return schemas.Pair(
        left=_side(scored.left, known[0]),
        right=_side(scored.right, known[1]),
        system=variant.system,
        stands_in_for=variant.stands_in_for,
        scores=schemas.Scores({e.type: None if e.not_applicable else e.score for e in every}),
        reasons=schemas.Reasons({e.type: why.text for e, why in zip(every, scored.reasons, strict=True)}),
        facts=schemas.ReasonFacts({e.type: facts(why) for e, why in zip(every, scored.reasons, strict=True)}),
        explanations=[_explanation(e, scored.left, scored.right) for e in every] if explain else None,
    )


def facts(reason: StatedReason) -> list[schemas.ReasonFact]:
    """The facts that a reason names."""
    return [
        schemas.ReasonFact(
            kind=one.kind,
            value=one.value,
            other=one.other or None,
            role=one.role,
            left=_fact_passage(one.left),
            right=_fact_passage(one.right),
        )
        for one in reason.facts
    ]


def _fact_passage(place: FactPlace) -> schemas.FactPassage:
    return schemas.FactPassage(field=place.field, index=place.index, start=place.start, end=place.end)


def _neighbour(near: recommender.ExplainedNeighbour, *, explain: bool) -> schemas.Neighbour:
    return schemas.Neighbour(
        **dict(summary(near.record)),
        type=near.type,
        seed=near.seed.id,
        score=near.score,
        closeness=closeness(near.score),
        scores=schemas.Scores(dict(near.scores)),
        reason=near.reason.text,
        facts=facts(near.reason),
        pinned=near.pinned,
        explanation=_explanation(near.explanation, near.seed, near.record) if explain else None,
    )


def _side(record: Record, known: bool) -> schemas.Side:
    return schemas.Side(
        id=record.id or None,
        title=record.title[0].text if record.title else None,
        href=item_path(record.id) if known else None,
        view=view_path(record.id) if known else None,
    )


def _explanation(given: explained.ScoreExplanation, left: Record, right: Record) -> schemas.Explanation:
    return schemas.Explanation(
        type=given.type,
        score=None if given.not_applicable else given.score,
        not_applicable=given.not_applicable,
        not_both=given.not_both,
        same=given.same,
        raw=given.raw,
        base=given.base,
        contributions=None
        if given.contributions is None
        else list(_contributions(given.contributions, left, right)),
    )


def _contributions(
    given: Sequence[explained.FeatureContribution], left: Record, right: Record
) -> Iterator[schemas.Contribution]:
    """The contributions; evidence that an earlier one has too is not repeated, as many look at one text."""
    features: dict[_Places, str] = {}
    for one in given:
        places = tuple(_places(each) for each in one.evidence)
        first = features.setdefault(places, one.feature) if places else one.feature
        again = first != one.feature
        yield schemas.Contribution(
            feature=one.feature,
            value=one.value,
            weight=one.weight,
            amount=one.amount,
            evidence=[] if again else [_evidence(each, left, right) for each in one.evidence],
            evidence_of=first if again else None,
        )


_Places: TypeAlias = tuple[tuple[object, ...], ...]


def _places(given: measures.EvidencePair) -> tuple[object, ...]:
    """A key of a piece of evidence: two with the same key look the same in an answer."""
    left, right = (
        [(at.part, at.index, at.start, at.end) for at in side] for side in (given.left, given.right)
    )
    return given.share, tuple(left), tuple(right)


def _evidence(given: measures.EvidencePair, left: Record, right: Record) -> schemas.Evidence:
    return schemas.Evidence(
        share=given.share,
        left=[_passage(left, where) for where in given.left],
        right=[_passage(right, where) for where in given.right],
    )


def _passage(record: Record, where: Occurrence) -> schemas.Passage:
    text = surface(record, where)
    return schemas.Passage(text=text, field=where.part, value=where.index, start=where.start, end=where.end)


def _next(results: ResultPage, wanted: WordQuery) -> str:
    """The cursor of the next page: in the order of the ids behind the last one, else so many items on."""
    last, offset = results.records[-1].id, wanted.offset + len(results.records)
    return encode((last if wanted.order == "id" else offset,))


def _facets(shared: SharedFacets) -> listing_schemas.Facets:
    names = {
        facet: [listing_schemas.FacetName(name=name.spelled, items=name.items) for name in common]
        for facet, common in shared.names.items()
    }
    decades = [{"from": row.first, "to": row.last, "items": row.items} for row in shared.decades]
    return listing_schemas.Facets.model_validate({**names, "decade": decades})
