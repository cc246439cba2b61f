from features.measures.base import EvidencePair
from features.profiles.profile import Occurrence
from models.explanation import FeatureContribution, ScoreExplanation
from models.types import OFFICIAL
from service.explain.stated import StatedReason
from service.search.recommender import PairScores
from service.search.variants import Variant
from service.web.api import answers, schemas
from tests.builders import record

LEFT, RIGHT = record("a", "Old mill"), record("b", "A boat")


def whole(share: float = 1.0) -> tuple[EvidencePair, ...]:
    ours, theirs = (
        (Occurrence(each.label.lower(), "title", 0, 0, len(each.label)),) for each in (LEFT, RIGHT)
    )
    return (EvidencePair(ours, theirs, share, whole=True),)


def part(feature: str, amount: float, evidence: tuple[EvidencePair, ...]) -> FeatureContribution:
    return FeatureContribution(feature, 1.0, None, amount, lambda: evidence)


def answered(**evidence: tuple[EvidencePair, ...]) -> list[schemas.Contribution]:
    """The contributions of an answer, of features that add .5, .25, .125 ... with this evidence."""
    parts = tuple(part(name, 0.5 ** (n + 1), places) for n, (name, places) in enumerate(evidence.items()))
    raw = 1.0 + sum(part.amount for part in parts)
    explanations = tuple(ScoreExplanation(kind, raw, raw, 1.0, parts) for kind in OFFICIAL)
    scored = PairScores(LEFT, RIGHT, explanations, (StatedReason("Because."),) * 8)
    answer = answers.pair(scored, Variant("s"), (True, True), explain=True)
    assert answer.explanations is not None
    assert all(one.raw == 1.0 + sum(c.amount for c in one.contributions or ()) for one in answer.explanations)
    lists = [one.contributions for one in answer.explanations]
    # every explanation stands for itself: each says in full what it names first
    assert lists.count(lists[0]) == 8
    return lists[0] or []


def test_evidence_that_was_said_is_not_repeated() -> None:
    first, other, again, last = answered(f=whole(), g=whole(0.5), h=whole(), i=whole(0.5))
    assert [one.amount for one in (first, other, again, last)] == [0.5, 0.25, 0.125, 0.0625]
    assert [passage.text for passage in first.evidence[0].left + first.evidence[0].right] == [
        "Old mill",
        "A boat",
    ]
    # the same texts, on which less rests, are other evidence
    assert [one.share for one in first.evidence + other.evidence] == [1.0, 0.5]
    assert [one.evidence_of for one in (first, other, again, last)] == [None, None, "f", "g"]
    assert again.evidence == last.evidence == []


def test_features_without_evidence_do_not_name_each_other() -> None:
    assert [(one.evidence, one.evidence_of) for one in answered(f=(), g=())] == [([], None), ([], None)]
