"""What agreement in a feature means, and how much a sentence about it tells of a type of similarity."""

from collections.abc import Collection, Mapping
from typing import Final, TypeAlias, get_args

from features.facts.sets import Fact
from features.measures.base import EvidencePair, Theme
from features.measures.derived import GatedSettings, StrongestSettings
from features.measures.overlap import OverlapSettings
from features.measures.presence import PresenceSettings
from features.measures.registry import FeatureSettings
from features.measures.scope import Scope
from features.text.names.figures import FIGURE
from models.explanation import FeatureContribution
from models.types import TypeSettings

Features: TypeAlias = Mapping[str, FeatureSettings]
"""The features of a collection by their names."""

_ENTITIES: Final[dict[str, Theme]] = {"person": "people", "location": "places", "date": "times"}
"""The theme of words of one kind of entity."""

_STANDS_FOR: Final[dict[Theme, Theme]] = {
    "presence of people": "people",
    "presence of events": "events",
    "sets": "makers",
}


def meaningfulness(feature: FeatureSettings, kind: TypeSettings, features: Features) -> float:
    """How meaningful a sentence about a feature is for a similarity of that type; 1 for shared words."""
    theme = theme_of(feature, features)
    if theme in kind.themes or theme in kind.instead:
        return 2.0
    if theme == "times":
        return 0.0
    is_amount = isinstance(feature, OverlapSettings) and feature.kind == "amount"
    if theme.startswith("presence") or isinstance(feature, StrongestSettings) or is_amount:
        return 0.1
    # a reader cannot check these: no word on either side stands for them
    if theme == "meaning" and kind.themes:
        return 0.25
    return 0.5 if theme in ("meaning", "topics") else 1.0


def stands_for(theme: Theme) -> Theme:
    """The theme of a type that a sentence of a theme is about: parts of one set are of one hand.

    >>> stands_for("sets"), stands_for("places")
    ('makers', 'places')
    """
    return _STANDS_FOR.get(theme, theme)


def may_be_about(contribution: FeatureContribution, themes: Collection[Theme], features: Features) -> bool:
    """Whether a sentence about a contribution may be about any of the themes of a type, if it has some.

    What its evidence is decides in the end; what cannot be need not be looked up before all that may be.
    """
    feature = compared_by(contribution, features)
    if (
        not themes
        or isinstance(feature, StrongestSettings)
        or stands_for(theme_of(feature, features)) in themes
    ):
        return True
    scope = scope_of(feature)
    if scope and scope.names:
        return "makers" in themes
    # words may be the name of an event
    return "events" in themes and is_of_words(contribution, features)


def compared_by(contribution: FeatureContribution, features: Features) -> FeatureSettings:
    """The feature that a contribution compares two items by: of a gated one what its gate lets through."""
    feature = features[contribution.feature]
    while isinstance(feature, GatedSettings):
        feature = features[feature.of]
    return feature


def theme_of(feature: FeatureSettings, features: Features) -> Theme:
    """What agreement in a feature means; a feature made of others means what its first part does.

    The strongest of parts that mean different things means no more than that there are like words.
    """
    if isinstance(feature, StrongestSettings):
        themes = {theme_of(features[part], features) for part in feature.made_of}
        return themes.pop() if len(themes) == 1 else "words"
    if feature.made_of:
        return theme_of(features[feature.made_of[0]], features)
    scope = scope_of(feature)
    if scope and feature.theme in ("words", "meaning"):
        if len(scope.entities) == 1 and scope.entities[0] in _ENTITIES:
            return _ENTITIES[scope.entities[0]]
        if scope.tags == ("VERB",):
            return "events"
    return feature.theme


def scope_of(feature: FeatureSettings) -> Scope | None:
    """The words that a feature sees, of one that sees words."""
    scope = getattr(feature, "scope", None)
    return scope if isinstance(scope, Scope) else None


def is_expanded(feature: FeatureSettings, features: Features) -> bool:
    """Whether words that differ count as the same term: a stonemason and a soldier are both a person."""
    if feature.made_of:
        return any(is_expanded(features[part], features) for part in feature.made_of)
    if isinstance(feature, PresenceSettings):
        return True
    scope = scope_of(feature)
    return scope is not None and scope.expand in ("people", "hypernyms", "places")


def is_of_words(contribution: FeatureContribution, features: Features) -> bool:
    """Whether a contribution rests on words that stand alike on both sides."""
    feature = features[contribution.feature]
    return theme_of(feature, features) == "words" and not is_expanded(feature, features)


def states_concepts(contribution: FeatureContribution, features: Features) -> bool:
    """Whether a contribution rests on Iconclass notations, among others."""
    scope = scope_of(features[contribution.feature])
    return scope is not None and any(each.notations for each in (scope, *scope.also))


def is_of_figure(evidence: EvidencePair) -> bool:
    """Whether both name one deity, saint or figure of a story, by whatever name."""
    one, other = evidence.left[0], evidence.right[0]
    return one.term == other.term and FIGURE in (one.tag, other.tag)


def is_of_whole(evidence: EvidencePair) -> bool:
    """Whether the name of a set or a collection stands there, of which both items are part."""
    return evidence.left[0].tag in get_args(Fact)
