"""The reason of a score in one sentence, from its strongest evidence."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from operator import eq
from typing import Final, NamedTuple, TypeAlias

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

_Features: TypeAlias = Mapping[str, FeatureSettings]

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
"""The sentence where the same stands on both sides, and that where it differs."""

# of makers whose cultures agree, not their names
_CULTURES: Final = ("Their makers are of one culture: {}.", "Their makers are of kindred cultures: {}.")
_ACTION: Final = "In both the action is {}."  # of a verb; a noun may be an action or what comes of one
_NAMED: Final = "Both name {}."  # Trafalgar is an event to a dictionary; in a record it may be a square
# of Lady Butler and Elizabeth Thompson, where one record has both names of hers
_SAME_MAKERS: Final = "Their makers seem to be the same: {}."

_QUOTED: Final = re.compile("“[^”]*”")  # what a sentence names of the records

# how the name of a category begins that stands under no other
_PLAIN: Final = re.compile(r"\A(?:keywords|kinds|shown): ")
_LIKE_NAMES: Final = "They name people of like names: {}."  # of Abraham Darby and Abraham Lincoln


def reason(
    explanation: ScoreExplanation, left: Record, right: Record, features: _Features, types: Types
) -> str:
    """One sentence that names what a strong contribution to a score rests on.

    Contributions are weighed by their themes: those of the type itself most, that both have anything of a
    kind least. A date is the reason of a similarity in another way than time only where there is no other.
    Where neither item has anything of the type the sentence says so.
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
    explanation: ScoreExplanation, left: Record, right: Record, features: _Features, types: Types
) -> Iterator[Sentence]:
    """Sentences for the contributions that speak for a score, the most meaningful first.

    A sentence that names nothing new is left out. Evidence is looked up when its sentence is asked for.
    """
    adding = [one for one in explanation.contributions or () if one.amount > 0]
    kind, named = types[explanation.type], set[str]()
    # the sort is stable: of equals the strongest still comes first
    adding.sort(key=lambda one: -one.amount * _salience(features[one.feature], kind, features))
    for contribution in adding:
        if evidence := _salient(contribution, features):
            text = _sentence(contribution, evidence, features, (left, right), closeness(explanation.score))
            quoted = " ".join(_QUOTED.findall(text)) or text
            if quoted not in named:
                named.add(quoted)
                yield Sentence(text, contribution)


def supports(contribution: FeatureContribution) -> bool:
    """Whether a contribution adds to its score and rests on more than small words."""
    return contribution.amount > 0 and any(map(is_salient, contribution.evidence))


def _salient(contribution: FeatureContribution, features: _Features) -> tuple[EvidencePair, ...]:
    """The evidence of a contribution that a sentence may name."""
    salient = tuple(one for one in contribution.evidence if is_salient(one))
    if _theme(features[contribution.feature], features) not in ("makers", "names"):
        return salient
    # names are not alike by a particle alone
    common = (_words(one.left) & _words(one.right) for one in salient)
    return tuple(one for one, words in zip(salient, common, strict=True) if not words or words - SMALL)


def _words(side: Sequence[Occurrence]) -> set[str]:
    return {word for one in side for word in one.term.split()}


def _salience(feature: FeatureSettings, kind: TypeSettings, features: _Features) -> float:
    """How meaningful a sentence about a feature is for a similarity of that type; 1 for shared words."""
    theme = _theme(feature, features)
    if theme in kind.themes:
        return 2.0
    if theme == "times":
        return 0.0
    is_amount = isinstance(feature, OverlapSettings) and feature.kind == "amount"
    if theme.startswith("presence") or isinstance(feature, StrongestSettings) or is_amount:
        return 0.1
    # a reader cannot check these: no word on either side stands for them
    if theme == "meaning" and kind.themes:
        return 0.25
    return 0.5 if theme in ("meaning", "subjects", "topics") else 1.0


def _theme(feature: FeatureSettings, features: _Features) -> Theme:
    """What agreement in a feature means; a feature made of others means what its first part does.

    The strongest of parts that mean different things means no more than that there are like words.
    """
    if isinstance(feature, StrongestSettings):
        themes = {_theme(features[part], features) for part in feature.made_of}
        return themes.pop() if len(themes) == 1 else "words"
    if feature.made_of:
        return _theme(features[feature.made_of[0]], features)
    scope = _scope(feature)
    if scope and feature.theme in ("words", "meaning"):
        if len(scope.entities) == 1 and scope.entities[0] in _ENTITIES:
            return _ENTITIES[scope.entities[0]]
        if scope.tags == ("VERB",):
            return "events"
    return feature.theme


# the theme of words of one kind of entity
_ENTITIES: Final[dict[str, Theme]] = {"person": "people", "location": "places", "date": "times"}


def _scope(feature: FeatureSettings) -> Scope | None:
    scope = getattr(feature, "scope", None)
    return scope if isinstance(scope, Scope) else None


def _sentence(
    contribution: FeatureContribution,
    evidence: Sequence[EvidencePair],
    features: _Features,
    sides: tuple[Record, Record],
    close: str,
) -> str:
    """The sentence of a contribution; ``close`` are the words for the score that it adds to."""
    first, (left, right) = evidence[0], sides
    if first.about:
        return f"Both seem to show what museums file under “{_PLAIN.sub('', first.about, count=1)}”."
    scope = _scope(features[contribution.feature])
    if scope and scope.names:
        return _creators(contribution.value, evidence, left, right)
    theme = _theme(features[contribution.feature], features)
    if theme == "times" and scope is None:
        return times(contribution.value, left, first.left, right, first.right)
    same, unlike = _sentences(theme, first, contribution.value)
    if first.whole:
        texts = opening(left, first.left[0]), opening(right, first.right[0])
        return _SENTENCES["meaning"][1].format(beside([texts]), closeness=close)
    expanded = _is_expanded(features[contribution.feature], features)
    # the sentence follows the strongest evidence
    if not _is_shared(first, theme, left, right, expanded):
        alike = [one for one in evidence if _goes_with(one, first, theme)]
        return unlike.format(beside(_sides(alike, left, right, surface)), closeness=close)
    # small words are left in here: they join others into a phrase
    shared = [
        _same(one, left, right) if expanded else one
        for one in contribution.evidence
        if _is_shared(one, theme, left, right, expanded) and _goes_with(one, first, theme)
    ]
    if theme == "people":
        named = [one for each in shared if (one := _of_one_name(each, left, right)).left]
        if not named:
            return _LIKE_NAMES.format(beside(_sides(evidence, left, right, name_from)))
        shared = named
    if theme == "events" and _is_named(first):
        names = dict.fromkeys(shared_name(left, one.left[0], right) for one in shared)
        return same.format(listed([*names]))
    words = listed(phrases(shared, left, right))
    if scope and theme == "words" and len(scope.parts) == 1 and not scope.also:
        return f"Both have {words} in the {scope.parts[0]}."
    return same.format(words)


def _sentences(theme: Theme, first: EvidencePair, value: float | None) -> tuple[str, str]:
    """The sentences of a theme: where the same stands on both sides, and where it differs."""
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
    """Whether one sentence may name both: a culture is no name of a maker, and a name no action."""
    kinds = (_is_named, _is_done) if theme == "events" else (_of_culture,)
    return all(of(evidence) == of(first) for of in kinds)


def _is_named(evidence: EvidencePair) -> bool:
    """Whether a proper noun stands there: Trafalgar."""
    return evidence.left[0].tag == "PROPN" or evidence.right[0].tag == "PROPN"


def _is_done(evidence: EvidencePair) -> bool:
    """Whether verbs stand there: what somebody does."""
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
    names = [name_from(right, one).casefold().split() for one in evidence.right]

    def stands_there(one: Occurrence) -> bool:
        own = name_from(left, one).casefold().split()
        return any(all(map(eq, own, name)) for name in names)

    return replace(evidence, left=tuple(filter(stands_there, evidence.left)))


def _is_shared(evidence: EvidencePair, theme: Theme, left: Record, right: Record, expanded: bool) -> bool:
    one, other = evidence.left[0].term, evidence.right[0].term
    # 'after Turner' is written as Turner is, and one address stands for whatever name
    if theme == "makers" or (one == other and not (expanded or "://" in one)):
        return one == other
    return bool(_same(evidence, left, right).left)


def _same(evidence: EvidencePair, left: Record, right: Record) -> EvidencePair:
    """What of the left side stands on the right in the same words, in whatever number."""
    stems = {stem(surface(right, one)) for one in evidence.right}
    return replace(evidence, left=tuple(one for one in evidence.left if stem(surface(left, one)) in stems))


def _is_expanded(feature: FeatureSettings, features: _Features) -> bool:
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
    names = dict[str, None]()
    for one in evidence:
        # evidence of a name's every word spans the whole name, which the other side need not have
        name, term = surface(left, one.left[0]), one.left[0].term
        if name.casefold() != surface(right, one.right[0]).casefold():
            words = (word.strip(",.;()") for word in name.split())
            name = next((word for word in words if word.casefold() == term), term)
        names[name] = None
    return f"Their creators share {listed([*names])}."
