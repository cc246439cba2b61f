"""The reason of a score in one sentence, said from its strongest evidence."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from operator import eq
from typing import Final, NamedTuple

from features.measures.base import EvidencePair, Theme
from features.measures.derived import StrongestSettings
from features.measures.overlap import OverlapSettings
from features.measures.presence import PresenceSettings
from features.measures.registry import FeatureSettings
from features.measures.scope import Scope
from features.profiles.profile import Occurrence
from features.text.names.cultures import is_culture
from ingest.record import Field, Record
from models.explanation import FeatureContribution, ScoreExplanation
from models.types import Types, TypeSettings
from service.explain.closeness import closeness, times
from service.explain.phrases import (
    beside,
    listed,
    name_from,
    opening,
    pairs,
    phrases,
    shared_name,
    stem,
    surface,
)
from service.explain.salience import SMALL, is_salient

_SAME = 0.99  # names that are as alike as this are said to be the same

_SENTENCES: Final[dict[Theme, tuple[str, str]]] = {
    "words": ("Both mention {}.", "They have like words: {}."),
    "names": ("Both name {}.", "They have like names: {}."),
    "makers": ("Both are by {}.", "Their makers have like names: {}."),
    "people": ("Both name {}.", "They name kindred people: {}."),
    "kinds": ("Both show people: {}.", "They show people of a like kind: {}."),
    "places": ("Both concern {}.", "They concern places that belong together: {}."),
    "times": ("Both are dated {}.", "They name other times: {}."),
    "events": ("Both tell of {}.", "What happens in them is alike: {}."),
    "subjects": ("Both have {} as their subject.", "Their subjects are alike: {}."),
    "meaning": ("Both mention {}.", "They are {closeness} in meaning: {}."),
    "topics": ("Both are of the topic of {}.", "They are of one topic: {}."),
    "presence": ("Both have {}.", "Both have something of the kind: {}."),
    "presence of people": ("Both show people: {}.", "Both show people: {}."),
    "presence of events": ("Something happens in both: {}.", "Something happens in both: {}."),
}
"""What is said where the same stands on both sides, and where it differs."""


_CULTURES: Final = ("Their makers are of one culture: {}.", "Their makers are of kindred cultures: {}.")
"""What is said where it is cultures in which makers agree, not names."""

_ACTION: Final = "In both the action is {}."
"""What is said where a verb tells what happens; a noun may be an action or what comes of one."""

_NAMED: Final = "Both name {}."
"""Trafalgar is an event to a dictionary; in a record it may as well be a square."""

_SAME_MAKERS: Final = "Their makers seem to be the same: {}."
"""What is said of Lady Butler and Elizabeth Thompson, where one record tells that they are one."""

_QUOTED: Final = re.compile("“[^”]*”")  # what a sentence names of the records

_PLAIN: Final = re.compile(r"\A(?:keywords|kinds|shown): ")
"""What begins the name of a category that stands under no other."""

_LIKE_NAMES: Final = "They name people of like names: {}."
"""What is said of Abraham Darby and Abraham Lincoln."""


def reason(
    explanation: ScoreExplanation,
    left: Record,
    right: Record,
    features: Mapping[str, FeatureSettings],
    types: Types,
) -> str:
    """One sentence that names what a strong contribution to a score rests on.

    The strongest is named, counted by how much its sentence would tell: what is of the type itself tells
    most, that both have anything of a kind least. A date is the reason of a similarity in another way than
    time only where there is no other. Where neither item has anything of the type the sentence says so.
    """
    kind = types[explanation.type]
    if explanation.not_applicable:
        return kind.phrase
    if explanation.same:
        return "The two records are the same."
    if explanation.contributions is None:
        return "The system is not additive: its score has no exact contributions."
    for each in sentences(explanation, left, right, features, types):
        return each.text
    if explanation.contributions:
        return f"Nothing that they share speaks for a similarity in {explanation.type}."
    return f"They share nothing in {explanation.type}; the score is the system's base for such a pair."


class Sentence(NamedTuple):
    """What a contribution rests on, in words."""

    text: str
    contribution: FeatureContribution


def sentences(
    explanation: ScoreExplanation,
    left: Record,
    right: Record,
    features: Mapping[str, FeatureSettings],
    types: Types,
) -> Iterator[Sentence]:
    """The contributions that speak for a score and that words can tell, what tells most first.

    What an earlier sentence names already is not named again. EvidencePair is looked for as they are taken.
    """
    adding = [one for one in explanation.contributions or () if one.amount > 0]
    kind, named = types[explanation.type], set[str]()
    # the sort is stable: of equals the strongest still comes first
    adding.sort(key=lambda one: -one.amount * _telling(features[one.feature], kind, features))
    for contribution in adding:
        if told := _told(contribution, features):
            text = _said(contribution, told, features, (left, right), closeness(explanation.score))
            what = " ".join(_QUOTED.findall(text)) or text
            if what not in named:
                named.add(what)
                yield Sentence(text, contribution)


def supports(contribution: FeatureContribution) -> bool:
    """Whether a contribution adds to its score and rests on more than small words."""
    return contribution.amount > 0 and any(map(is_salient, contribution.evidence))


def _told(
    contribution: FeatureContribution, features: Mapping[str, FeatureSettings]
) -> tuple[EvidencePair, ...]:
    """The evidence of a contribution that a sentence may name."""
    found = tuple(one for one in contribution.evidence if is_salient(one))
    if _theme(features[contribution.feature], features) not in ("makers", "names"):
        return found
    # names are not alike by a particle alone
    return tuple(one for one in found if not (common := _common(one)) or common - SMALL)


def _common(evidence: EvidencePair) -> set[str]:
    """The words that the names on both sides have in common."""
    ours, theirs = (
        {word for one in side for word in one.term.split()} for side in (evidence.left, evidence.right)
    )
    return ours & theirs


def _telling(feature: FeatureSettings, kind: TypeSettings, features: Mapping[str, FeatureSettings]) -> float:
    """How much a sentence about a feature says of a similarity of that type, relative to shared words."""
    theme = _theme(feature, features)
    if theme in kind.themes:
        return 2.0
    if theme == "times":
        return 0.0
    if theme.startswith("presence") or isinstance(feature, StrongestSettings) or _is_amount(feature):
        return 0.1
    # a reader cannot check these: no word on either side stands for them
    if theme == "meaning" and kind.themes:
        return 0.25
    return 0.5 if theme in ("meaning", "subjects", "topics") else 1.0


def _is_amount(feature: FeatureSettings) -> bool:
    return isinstance(feature, OverlapSettings) and feature.kind == "amount"


def _theme(feature: FeatureSettings, features: Mapping[str, FeatureSettings]) -> Theme:
    """What agreement in a feature means; a feature made of others means what its first part does.

    The strongest of parts that mean different things says no more than that there are like words.
    """
    if isinstance(feature, StrongestSettings):
        found = {_theme(features[part], features) for part in feature.made_of}
        return found.pop() if len(found) == 1 else "words"
    if feature.made_of:
        return _theme(features[feature.made_of[0]], features)
    scope = _scope(feature)
    if scope and feature.theme in ("words", "meaning"):
        for entity, theme in _ENTITIES.items():
            if scope.entities == (entity,):
                return theme
        if scope.tags == ("VERB",):
            return "events"
    return feature.theme


_ENTITIES: Final[dict[str, Theme]] = {"person": "people", "location": "places", "date": "times"}
"""What words of one kind of entity are about."""


def _scope(feature: FeatureSettings) -> Scope | None:
    scope = getattr(feature, "scope", None)
    return scope if isinstance(scope, Scope) else None


def _said(
    contribution: FeatureContribution,
    told: Sequence[EvidencePair],
    features: Mapping[str, FeatureSettings],
    sides: tuple[Record, Record],
    close: str,
) -> str:
    """The sentence of a contribution; ``close`` are the words for the score that it adds to."""
    first, (left, right) = told[0], sides
    if first.about:
        return f"Both seem to show what museums file under “{_PLAIN.sub('', first.about, count=1)}”."
    scope = _scope(features[contribution.feature])
    if scope and scope.names:
        return _creators(contribution.value, told, left, right)
    theme = _theme(features[contribution.feature], features)
    if theme == "times" and scope is None:
        return times(contribution.value, left, first.left, right, first.right)
    same, unlike = _sentences(theme, first, contribution.value)
    if first.whole:
        texts = (opening(left, first.left[0]), opening(right, first.right[0]))
        return _SENTENCES["meaning"][1].format(beside([texts]), closeness=close)
    expanded = _is_expanded(features[contribution.feature], features)
    # the sentence follows the strongest evidence
    if not _is_shared(first, theme, left, right, expanded):
        told = [one for one in told if _goes_with(one, first, theme)]
        return unlike.format(beside(_sides(told, left, right, surface)), closeness=close)
    # small words are left in here: they join others into a phrase
    shared = [
        _same(one, left, right) if expanded else one
        for one in contribution.evidence
        if _is_shared(one, theme, left, right, expanded) and _goes_with(one, first, theme)
    ]
    if theme == "people":
        named = [one for each in shared if (one := _of_one_name(each, left, right)).left]
        if not named:
            return _LIKE_NAMES.format(beside(_sides(told, left, right, name_from)))
        shared = named
    if theme == "events" and _is_named(first):
        return same.format(
            listed(list(dict.fromkeys(shared_name(left, one.left[0], right) for one in shared)))
        )
    found = listed(phrases(shared, left, right))
    if scope and theme == "words" and len(scope.parts) == 1 and not scope.also:
        return f"Both have {found} in the {scope.parts[0]}."
    return same.format(found)


def _sentences(theme: Theme, first: EvidencePair, value: float | None) -> tuple[str, str]:
    """What is said of a theme where the same stands on both sides, and where it differs."""
    same, unlike = _SENTENCES[theme]
    if theme == "makers" and _of_culture(first):
        return _CULTURES
    if theme == "makers" and (value or 0.0) > _SAME:
        return same, _SAME_MAKERS
    if theme == "events" and _is_named(first):
        return _NAMED, _SENTENCES["names"][1]
    if theme == "events" and _is_done(first):
        return _ACTION, unlike
    return same, unlike


def _goes_with(evidence: EvidencePair, first: EvidencePair, theme: Theme) -> bool:
    """Whether one sentence may say both: a culture is no name of a maker, and a name no action."""
    kinds = (_is_named, _is_done) if theme == "events" else (_of_culture,)
    return all(of(evidence) == of(first) for of in kinds)


def _is_named(evidence: EvidencePair) -> bool:
    """Whether a proper noun stands there: Trafalgar."""
    return evidence.left[0].tag == "PROPN" or evidence.right[0].tag == "PROPN"


def _is_done(evidence: EvidencePair) -> bool:
    """Whether verbs stand there, which tell what somebody does."""
    return evidence.left[0].tag == evidence.right[0].tag == "VERB"


def _of_culture(evidence: EvidencePair) -> bool:
    """Whether evidence from a creator field is a culture: French, not the name of a French painter."""
    return evidence.left[0].part == Field.CREATOR and is_culture(evidence.left[0].term)


def _sides(
    evidence: Sequence[EvidencePair], left: Record, right: Record, write: Callable[[Record, Occurrence], str]
) -> list[tuple[str, str]]:
    """What stands first on either side of each piece of evidence."""
    return pairs((write(left, one.left[0]), write(right, one.right[0])) for one in evidence)


def _of_one_name(evidence: EvidencePair, left: Record, right: Record) -> EvidencePair:
    """What of the left side is, as far as can be seen, of a name that stands on the right.

    Where both go on they go on alike: Abraham Darby is not Abraham Lincoln.
    """
    theirs = [name_from(right, one).casefold().split() for one in evidence.right]

    def stands_there(one: Occurrence) -> bool:
        ours = name_from(left, one).casefold().split()
        return any(all(map(eq, ours, name)) for name in theirs)

    return replace(evidence, left=tuple(one for one in evidence.left if stands_there(one)))


def _is_shared(evidence: EvidencePair, theme: Theme, left: Record, right: Record, expanded: bool) -> bool:
    ours, theirs = evidence.left[0], evidence.right[0]
    # 'after Turner' is written as Turner is, and one address stands for whatever name
    if theme == "makers" or (ours.term == theirs.term and not (expanded or "://" in ours.term)):
        return ours.term == theirs.term
    return bool(_same(evidence, left, right).left)


def _same(evidence: EvidencePair, left: Record, right: Record) -> EvidencePair:
    """What of the left side stands on the right in the same words, in whatever number."""
    theirs = {stem(surface(right, one)) for one in evidence.right}
    kept = tuple(one for one in evidence.left if stem(surface(left, one)) in theirs)
    return replace(evidence, left=kept)


def _is_expanded(feature: FeatureSettings, features: Mapping[str, FeatureSettings]) -> bool:
    """Whether words that differ count as the same term: a stonemason and a soldier are both a person."""
    if feature.made_of:
        return any(_is_expanded(features[part], features) for part in feature.made_of)
    if isinstance(feature, PresenceSettings):
        return True
    scope = _scope(feature)
    return scope is not None and scope.expand in ("people", "hypernyms", "places")


def _creators(value: float | None, evidence: Sequence[EvidencePair], left: Record, right: Record) -> str:
    if (value or 0.0) > _SAME:
        return f"Both are by {listed(phrases(evidence, left, right))}."
    return f"Their creators share {listed(list(dict.fromkeys(_shared_names(evidence, left, right))))}."


def _shared_names(evidence: Sequence[EvidencePair], left: Record, right: Record) -> Iterator[str]:
    for one in evidence:
        # evidence of a name's every word spans the whole name, which the other side need not have
        ours, theirs = surface(left, one.left[0]), surface(right, one.right[0])
        words = (word.strip(",.;()") for word in ours.split())
        term = one.left[0].term
        same = ours.casefold() == theirs.casefold()
        yield ours if same else next((word for word in words if word.casefold() == term), term)
