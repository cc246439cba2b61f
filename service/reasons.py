"""The reason of a score in one sentence, said from its strongest evidence."""

from collections.abc import Iterator, Mapping, Sequence

from features.measures import FeatureSettings
from features.measures.base import Evidence
from features.measures.tfidf import TfidfSettings
from features.measures.years import YearsSettings
from features.profile import PLACES
from features.scope import Occurrence
from ingest.record import Field, Record
from models.explanation import Contribution, Explanation
from models.types import SimilarityType

_SHOWN = 3
"""How many shared words or names a sentence lists."""

_SAME = 0.99
"""Names that are as alike as this are said to be the same."""

_SMALL_WORDS = """
a an and as at be but by for from had has have he her his in into is it its no not of on or she that
the their there these they this to was were which who with
"""
_SMALL = frozenset(_SMALL_WORDS.split())
"""Words that a sentence does not name as what two items share, where they share anything else."""


def reason(
    explanation: Explanation, left: Record, right: Record, features: Mapping[str, FeatureSettings]
) -> str:
    """One sentence that names what the strongest contribution to a score rests on.

    A date is the reason of a similarity in another way than time only where there is no other.
    """
    adding = [one for one in explanation.contributions if one.amount > 0]
    if explanation.type != SimilarityType.TIME:
        # the sort is stable: within either half the strongest still comes first
        adding.sort(key=lambda one: _of_time(features[one.feature]))
    for contribution in adding:
        if tells(contribution):
            return _said(contribution, features[contribution.feature], left, right)
    if explanation.contributions:
        return f"Nothing that they share speaks for a similarity in {explanation.type}."
    return f"They share nothing in {explanation.type}; the score is the system's base for such a pair."


def tells(contribution: Contribution) -> bool:
    """Whether a contribution adds to its score and rests on more than small words."""
    return contribution.amount > 0 and any(
        occurrence.term not in _SMALL for one in contribution.evidence for occurrence in one.left
    )


def _of_time(feature: FeatureSettings) -> bool:
    if isinstance(feature, TfidfSettings):
        return feature.scope.entities == ("date",)
    return isinstance(feature, YearsSettings)


def surface(record: Record, occurrence: Occurrence) -> str:
    """The text of an occurrence as the record has it."""
    return _value(record, occurrence.part, occurrence.index)[occurrence.start : occurrence.end]


def _said(contribution: Contribution, feature: FeatureSettings, left: Record, right: Record) -> str:
    if not isinstance(feature, TfidfSettings):
        return _years(contribution.evidence[0], left, right)
    scope = feature.scope
    if scope.names:
        return _creators(contribution, left, right)
    listed = _listed(_phrases(contribution.evidence, left, right))
    if scope.entities == ("person",):
        return f"Both name {listed}."
    if scope.entities == ("location",):
        return f"Both concern {listed}."
    if scope.entities == ("date",):
        return f"Both are dated {listed}."
    if scope.tags == ("VERB",):
        return f"In both the action is {listed}."
    if len(scope.parts) == 1:
        return f"Both have {listed} in the {scope.parts[0]}."
    return f"Both mention {listed}."


def _creators(contribution: Contribution, left: Record, right: Record) -> str:
    if (contribution.value or 0.0) > _SAME:
        return f"Both are by {_listed(_phrases(contribution.evidence, left, right))}."
    return f"Their creators share {_listed(list(dict.fromkeys(_shared_names(contribution, left, right))))}."


def _shared_names(contribution: Contribution, left: Record, right: Record) -> Iterator[str]:
    for one in contribution.evidence:
        # evidence of a name's every word spans the whole name, which the other side need not have
        ours, theirs = surface(left, one.left[0]), surface(right, one.right[0])
        words = (word.strip(",.;()") for word in ours.split())
        term = one.left[0].term
        same = ours.casefold() == theirs.casefold()
        yield ours if same else next((word for word in words if word.casefold() == term), term)


def _years(evidence: Evidence, left: Record, right: Record) -> str:
    ours, theirs = surface(left, evidence.left[0]), surface(right, evidence.right[0])
    if ours == theirs:
        return f"Both are of {ours}."
    return f"They are close in time: {ours} and {theirs}."


def _phrases(evidence: Sequence[Evidence], left: Record, right: Record) -> list[str]:
    """Shared words as the left record writes them, neighbours joined where the right has them so too."""
    weights: dict[tuple[str, int, int, int], float] = {}
    for one in evidence:
        for occurrence in one.left:
            key = (occurrence.part, occurrence.index, occurrence.start, occurrence.end)
            weights[key] = weights.get(key, 0.0) + one.share / len(one.left)
    theirs = "\n".join(_texts(right)).casefold()
    best: dict[str, tuple[float, str]] = {}
    for part, index, spans in _runs(weights):
        text = _value(left, part, index)
        whole = text[spans[0][0] : spans[-1][1]]
        apart = [(text[start:end], [(start, end)]) for start, end in spans]
        together = [(whole, spans)] if whole.casefold() in theirs else apart
        for phrase, inside in together:
            weight = sum(weights[part, index, s, e] for s, e in inside)
            before = best.get(phrase.casefold())
            if before is None or weight > before[0]:
                best[phrase.casefold()] = (weight, phrase)
    ordered = sorted(best.values(), key=lambda pair: (-pair[0], pair[1]))
    phrases = [phrase for _, phrase in ordered]
    # a lemma can tell where the word that stands for it is small
    return _telling(phrases) or phrases


def _telling(phrases: Sequence[str]) -> list[str]:
    """Phrases without small words at their ends, none of them part of one said before."""
    found: list[str] = []
    for phrase in phrases:
        words = phrase.split()
        while words and words[0].casefold() in _SMALL:
            words.pop(0)
        while words and words[-1].casefold() in _SMALL:
            words.pop()
        said = f" {' '.join(words)} ".casefold()
        if words and not any(said in f" {before} ".casefold() for before in found):
            found.append(" ".join(words))
    return found


def _runs(
    weights: Mapping[tuple[str, int, int, int], float],
) -> Iterator[tuple[str, int, list[tuple[int, int]]]]:
    """Spans of one value that follow each other with at most a blank between them."""
    run: list[tuple[int, int]] = []
    last: tuple[str, int] | None = None
    for part, index, start, end in sorted(weights):
        if run and last == (part, index) and start - run[-1][1] <= 1:
            run.append((start, end))
            continue
        if run and last:
            yield *last, run
        run, last = [(start, end)], (part, index)
    if run and last:
        yield *last, run


def _listed(phrases: Sequence[str]) -> str:
    shown = [f"“{phrase}”" for phrase in phrases[:_SHOWN]]
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"


def _texts(record: Record) -> list[str]:
    values = [value.text for field in Field for value in record.field(field)]
    return values + [value.text for value in record.places]


def _value(record: Record, part: str, index: int) -> str:
    return (record.places if part == PLACES else record.field(Field(part)))[index].text
