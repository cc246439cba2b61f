"""The sentence of one contribution: what stands on both sides of it, or what differs."""

from collections.abc import Sequence
from typing import Final

from features.measures.base import EvidencePair, Theme
from features.measures.derived import StrongestSettings
from features.measures.facts import FactsSettings
from features.measures.registry import FeatureSettings
from features.measures.scope import Scope
from features.text.names.figures import figure_name
from ingest.record import Field, Record
from models.explanation import FeatureContribution
from service.explain.closeness import times
from service.explain.concepts import concepts_wording, is_of_notation
from service.explain.listing import (
    Wording,
    both_have,
    is_generic,
    is_shared,
    named,
    same_words,
    shared_evidence,
    they_differ,
    words_of,
)
from service.explain.makers import (
    SURE,
    creating,
    culture_words,
    firsts,
    is_of_culture,
    is_one_maker,
    natural,
    role,
    share_surname,
    shared_cultures,
    shared_makers,
    shared_words,
    written,
)
from service.explain.naming import is_beside_makers, nameable_in, names_event
from service.explain.people import names_of_people, of_one_name, whole_name
from service.explain.phrases import (
    as_name,
    listed,
    listed_names,
    name_from,
    quoted,
    shared_name,
    surface,
    widened,
)
from service.explain.places import (
    CONCERN,
    ONE_CULTURE,
    archive_wording,
    are_places,
    is_one_place,
    of_archives,
    places_wording,
)
from service.explain.salience import is_shelf_mark
from service.explain.stated import Sides, dated, kind_of, paired, shared
from service.explain.themes import (
    Features,
    compared_by,
    is_expanded,
    is_of_figure,
    is_of_whole,
    scope_of,
    theme_of,
)
from service.languages.messages import N_, field_word, gettext

_SENTENCES: Final[dict[Theme, tuple[str, str]]] = {
    "words": (N_("Both mention {}."), N_("They have like words: {}.")),
    "names": (N_("Both name {}."), N_("They have like names: {}.")),
    "makers": (N_("Both are by {}."), N_("Their makers have like names: {}.")),
    "people": (N_("Both name {}."), N_("They name kindred people: {}.")),
    "kinds": (N_("People in both: {}."), N_("People of a like kind: {}.")),
    "places": (CONCERN, N_("They concern places that belong together: {}.")),
    "times": (N_("Both are dated {}."), N_("They name other times: {}.")),
    "events": (N_("Both tell of {}."), N_("What happens in them is alike: {}.")),
    "meaning": (N_("Both mention {}."), N_("They are {closeness} in meaning: {}.")),
    "topics": (N_("Both are of the topic of {}."), N_("They are of one topic: {}.")),
    "sets": (N_("Both are part of {}."), N_("They are parts of like sets: {}.")),
    "presence": (N_("Both have {}."), N_("Both have something of the kind: {}.")),
    "presence of people": (N_("People in both: {}."), N_("People in both: {}.")),
    "presence of events": (N_("Something happens in both: {}."), N_("Something happens in both: {}.")),
}
"""The sentence where the same stands on both sides, and that where it differs."""

# of makers whose cultures agree, not their names
_CULTURES: Final = (ONE_CULTURE, N_("Their makers are of kindred cultures: {}."))
_ACTION: Final = N_("In both the action is {}.")  # of a verb; a noun may be an action or what comes of one
_NAMED: Final = N_("Both name {}.")  # Trafalgar is an event to a dictionary; in a record it may be a square
# of Lady Butler and Elizabeth Thompson, where one record has both names of hers
_SAME_MAKERS: Final = N_("Their makers seem to be the same: {}.")
_MODEL: Final = N_("Both are {}.")  # after Rubens
_PUBLISHED: Final = N_("Both were published by {}.")
_LIKE_NAMES: Final = N_("They name people of like names: {}.")  # of Abraham Darby and Abraham Lincoln

_IN_PASSAGES: Final = frozenset({"words", "meaning", "topics", "events"})
"""Themes whose words are shown with those around them that both records have too."""

_ANYBODY: Final = frozenset({"00007846-n", "09605289-n", "07942152-n"})
"""The synsets person, adult and people, which are too general: a sculptor is a person, and so is a parent."""

_NO_NOUNS: Final = frozenset({"ADJ", "ADV", "ADP", "DET", "NUM", "PRON"})  # that tell little without one

_OF_MEANING: Final = frozenset({"meaning", "topics"})  # themes whose words need not be the same

_PROPER: Final = frozenset({"places", "people", "names"})  # themes whose words are names: without quotes


def worded(
    contribution: FeatureContribution,
    evidence: Sequence[EvidencePair],
    features: Features,
    sides: tuple[Record, Record],
    close: str,
) -> Wording | None:
    """The sentence of a contribution, by the evidence that tells anything; None where nothing can be named.

    ``close`` are the words for the score that it adds to. Texts that were compared as wholes have none here.
    """
    theme = _theme(contribution, evidence[0], features)
    wording = _of_theme(theme, contribution, evidence, features, sides, close)
    return wording._replace(theme=theme) if wording else None


def says_nothing(feature: FeatureSettings, features: Features) -> bool:
    """Whether a feature has no sentence, whatever it rests on.

    That a model expects people, a place or a maker is no fact; of an event both may have the same verbs.
    """
    is_expectation = isinstance(feature, FactsSettings) and feature.presence
    return is_expectation and theme_of(feature, features) != "presence of events"


def _theme(contribution: FeatureContribution, first: EvidencePair, features: Features) -> Theme:
    """What the evidence of a contribution means: the strongest of places and makers may rest on a maker."""
    feature = compared_by(contribution, features)
    theme = theme_of(feature, features)
    if is_of_whole(first):
        return "sets"
    scope = scope_of(feature)
    if scope and scope.names:
        return "makers"
    if theme == "kinds" and is_of_figure(first):
        return "people"
    if isinstance(feature, StrongestSettings) and feature.theme != theme:
        return "makers" if _is_maker(first) else feature.theme
    return theme


def _of_theme(
    theme: Theme,
    contribution: FeatureContribution,
    evidence: Sequence[EvidencePair],
    features: Features,
    sides: Sides,
    close: str,
) -> Wording | None:
    first, (left, right) = evidence[0], sides
    feature = compared_by(contribution, features)
    scope = scope_of(feature)
    if theme == "sets":
        return _sets(evidence, sides)
    if isinstance(feature, FactsSettings) and feature.presence:
        return _deeds(evidence, sides)
    if scope and scope.names:
        return _creators(contribution.value, evidence, sides)
    if theme == "times" and scope is None:
        dates = times(contribution.value, left, first.left, right, first.right)
        facts = (dated(dates.left, dates.right, first),)
        return Wording(dates.text, named((dates.text,)), facts)
    if theme == "makers":
        return _makers(contribution.value, evidence, sides)
    if theme == "people" and is_of_figure(first):
        return _figures(evidence, sides)
    return _of_words(contribution, evidence, features, sides, theme, close)


def _deeds(evidence: Sequence[EvidencePair], sides: Sides) -> Wording | None:
    """The verbs that both have among the words for an event.

    That a model expects an event or people is no fact, and the words that it goes by may be any.
    """
    left, right = sides
    verbs = [one for each in evidence if _is_done(each) and (one := nameable_in("events", each, left, right))]
    same = [one for one in verbs if is_shared(one, left, right, expanded=False)]
    names = words_of(same, left, right)
    return both_have(_ACTION, names, shared("event", names, same, sides), listed)


def _sets(evidence: Sequence[EvidencePair], sides: Sides) -> Wording | None:
    """The sets that both are part of; one that has only a shelf mark is *one manuscript*."""
    every = [*dict.fromkeys(surface(sides[0], one.left[0]) for one in evidence)]
    names = [one for one in every if not any(map(is_shelf_mark, one.split()))]
    if names or not every:
        return both_have(_SENTENCES["sets"][0], names, shared("set", names, evidence, sides), listed)
    words = [one for one in every[0].split() if not is_shelf_mark(one) and not one[0].isupper()]
    if not words:
        return None
    kind = words[-1]
    text = gettext("Both are part of one {kind}.").format(kind=kind)
    return Wording(text, named((kind,)), shared("set", [kind], evidence, sides))


def _of_words(
    contribution: FeatureContribution,
    evidence: Sequence[EvidencePair],
    features: Features,
    sides: tuple[Record, Record],
    theme: Theme,
    close: str,
) -> Wording | None:
    """The sentence of words that stand on both sides, or that are alike."""
    left, right = sides
    concepts = concepts_wording(evidence, sides)
    evidence = [one for one in evidence if not is_of_notation(one)]
    if concepts or not evidence:
        return concepts
    expanded = is_expanded(compared_by(contribution, features), features)
    if theme in _OF_MEANING:
        evidence = [one for one in evidence if _is_specific(one, left, right)] or evidence
    first = evidence[0]
    if theme == "places" and of_archives(first):
        return archive_wording(first, sides)
    # the sentence follows the strongest evidence; a place that both name tells more than two that are near
    shared_place = theme == "places" and any(is_shared(one, left, right, expanded) for one in evidence)
    if shared_place or is_shared(first, left, right, expanded):
        every = shared_evidence(contribution, theme, expanded, left, right)
        scope = scope_of(compared_by(contribution, features))
        some = [
            one for one in every if _goes_with(one, first, theme) and not is_beside_makers(one, theme, scope)
        ]
        return _shared_words(some, evidence, scope, theme, sides)
    return _alike(evidence, theme, sides, close)


def _alike(evidence: Sequence[EvidencePair], theme: Theme, sides: Sides, close: str) -> Wording | None:
    """The sentence of words that differ, and are alike to a measure."""
    alike = [one for one in evidence if _goes_with(one, evidence[0], theme)]
    if theme == "places":
        alike = [one for one in alike if are_places(one, *sides)]
        if same := [one for one in alike if is_one_place(*_both(one, sides))]:
            names = [*dict.fromkeys(_both(one, sides)[0] for one in same)]
            return both_have(CONCERN, names, shared("place", names, same, sides))
    if theme == "kinds":
        alike = [one for one in alike if _ANYBODY.isdisjoint((one.left[0].term, one.right[0].term))]
    if theme == "words":
        alike = [one for one in alike if not any(map(is_generic, _both(one, sides)))]
    if not any(_differ(one, sides) for one in alike):
        return None
    unlike = _sentences(theme, evidence[0])[1]
    quote = as_name if theme in _PROPER else quoted
    return they_differ(unlike, kind_of(theme), alike, sides, write=quote, closeness=close)


def _both(evidence: EvidencePair, sides: Sides) -> tuple[str, str]:
    """What stands first on either side of some evidence."""
    return surface(sides[0], evidence.left[0]), surface(sides[1], evidence.right[0])


def _differ(evidence: EvidencePair, sides: Sides) -> bool:
    """Whether other words stand on either side, not one in two forms."""
    return not same_words(evidence, *sides).left


def _shared_words(
    alike: Sequence[EvidencePair],
    evidence: Sequence[EvidencePair],
    scope: Scope | None,
    theme: Theme,
    sides: Sides,
) -> Wording | None:
    """The sentence of words that both have: ``alike`` of all the ``evidence``."""
    first, (left, right) = evidence[0], sides
    same = _sentences(theme, first)[0]
    if scope and theme == "words" and len(scope.parts) == 1 and not scope.also:
        same = gettext("Both have {{}} in the {field}.").format(field=field_word(scope.parts[0]))
    if theme == "people":
        return _people(same, alike, evidence, sides)
    if theme == "events" and _is_named(first):
        return _events(alike, sides)
    own = words_of(alike, left, right)
    if theme == "places":
        return places_wording(own, alike, sides)
    if theme in _IN_PASSAGES and not _is_done(first):
        own = widened(own, left, right)
    write = listed_names if theme in _PROPER else listed
    wording = both_have(same, own, shared(kind_of(theme), own, alike, sides), write)
    return wording and wording._replace(generic=theme in _IN_PASSAGES and _are_generic(own, alike))


def _are_generic(phrases: Sequence[str], evidence: Sequence[EvidencePair]) -> bool:
    """Whether some phrases tell little, or are no more than adjectives and small words."""
    tags = {one.tag for each in evidence for one in each.left}
    return all(map(is_generic, phrases)) or tags <= _NO_NOUNS


def _events(alike: Sequence[EvidencePair], sides: Sides) -> Wording | None:
    """The sentence of events by their names; a value begins with a capital letter, a name or not."""
    left, right = sides
    own = [*dict.fromkeys(shared_name(left, one.left[0], right) for one in alike)]
    facts = shared("event", own, alike, sides)
    if any(" " in name for name in own) or any(one.left[0].start and one.right[0].start for one in alike):
        return both_have(_NAMED, own, facts)
    return both_have(_SENTENCES["events"][0], own, facts, listed)


def _is_specific(evidence: EvidencePair, left: Record, right: Record) -> bool:
    """Whether two words differ, or tell more than what kind of object an item is."""
    return not is_generic(surface(left, evidence.left[0])) or not is_shared(evidence, left, right, False)


def named_event(
    contribution: FeatureContribution, features: Features, left: Record, right: Record
) -> Wording | None:
    """The sentence of events that both name in words that they share: *Allegheny County Fair*."""
    alike = shared_evidence(
        contribution, "words", is_expanded(features[contribution.feature], features), left, right
    )
    names = list(filter(names_event, widened(words_of(alike, left, right), left, right)))
    wording = both_have(_SENTENCES["events"][0], names, shared("event", names, alike, (left, right)))
    return wording and wording._replace(theme="events")


def likeness(words: Sequence[EvidencePair], left: Record, right: Record) -> Wording:
    """The sentence of texts that were compared as wholes, with the words that both have."""
    own = widened(words_of(words, left, right), left, right)
    if not own:
        text = gettext("Their descriptions read alike.")
        return Wording(text, named((text,)), whole=True)
    facts = shared("words", own, words, (left, right))
    text = gettext("Their descriptions read alike: {words}.").format(words=listed(own))
    return Wording(text, named(own), facts, whole=True, generic=_are_generic(own, words))


def _makers(value: float | None, evidence: Sequence[EvidencePair], sides: Sides) -> Wording | None:
    """Whether both are by the same makers, by makers of one culture, or by some whose names are alike."""
    first, (left, right) = evidence[0], sides
    alike = [one for one in evidence if is_of_culture(one) == is_of_culture(first)]
    if is_of_culture(first):
        if first.left[0].term == first.right[0].term:
            cultures = shared_cultures(alike, left)
            return both_have(_CULTURES[0], [*cultures], paired("culture", cultures, sides))
        return they_differ(_CULTURES[1], "culture", alike, sides, culture_words)
    if is_one_maker(first, value, left, right):
        as_model = role(surface(left, first.left[0]), first.left[0])
        sentence = _SENTENCES["makers"][0] if not as_model or as_model.endswith(" of") else _MODEL
        # who printed a copy after somebody is named apart from whom it is after
        own = [one for one in alike if role(surface(left, one.left[0]), one.left[0]) == as_model]
        makers, published = creating(shared_makers(own, value, left, right), left, right)
        if published:
            sentence = _PUBLISHED
        return both_have(sentence, [*makers], paired("maker", makers, sides))
    if (value or 0.0) > SURE:
        return they_differ(_SAME_MAKERS, "maker", alike, sides, written)
    kin = [one for one in alike if share_surname(surface(left, one.left[0]), surface(right, one.right[0]))]
    return they_differ(_SENTENCES["makers"][1], "maker", kin, sides, written) if kin else None


def _people(
    sentence: str, alike: Sequence[EvidencePair], evidence: Sequence[EvidencePair], sides: Sides
) -> Wording | None:
    """The sentence of people whom both name, or whose names are alike."""
    alike = [one for each in alike if (one := of_one_name(each, *sides)).left]
    if not alike:
        kin = [one for one in evidence if _are_kin(one, *sides)]
        return they_differ(_LIKE_NAMES, "person", kin, sides, whole_name) if kin else None
    names = names_of_people(alike, *sides)
    return both_have(sentence, names, shared("person", names, alike, sides))


def _figures(evidence: Sequence[EvidencePair], sides: Sides) -> Wording | None:
    """The deities, saints and figures of stories that both name, as the left one does where both do alike."""
    names = dict[str, EvidencePair]()
    for one in filter(is_of_figure, evidence):
        ours, theirs = _both(one, sides)
        same = ours.casefold() == theirs.casefold()
        names.setdefault(ours if same else figure_name(one.left[0].term), one)
    return both_have(_SENTENCES["people"][0], [*names], paired("person", names, sides))


def _are_kin(evidence: EvidencePair, left: Record, right: Record) -> bool:
    return share_surname(name_from(left, evidence.left[0]), name_from(right, evidence.right[0]))


def _sentences(theme: Theme, first: EvidencePair) -> tuple[str, str]:
    """The sentences of a theme: where the same stands on both sides, and where it differs."""
    same, unlike = _SENTENCES[theme]
    if theme == "events" and _is_named(first):
        return same, _SENTENCES["names"][1]
    if theme == "events" and _is_done(first):
        return _ACTION, unlike
    return same, unlike


def _goes_with(evidence: EvidencePair, first: EvidencePair, theme: Theme) -> bool:
    """Whether one sentence may name both: of events a name is no action."""
    return theme != "events" or all(of(evidence) == of(first) for of in (_is_named, _is_done))


def _is_maker(evidence: EvidencePair) -> bool:
    """Whether the whole evidence stands in creator fields."""
    return all(one.part == Field.CREATOR for one in (*evidence.left, *evidence.right))


def _is_named(evidence: EvidencePair) -> bool:
    """Whether a proper noun stands on both sides: Trafalgar. A title may capitalise any noun."""
    return evidence.left[0].tag == evidence.right[0].tag == "PROPN"


def _is_done(evidence: EvidencePair) -> bool:
    """Whether verbs stand there: what somebody does."""
    return evidence.left[0].tag == evidence.right[0].tag == "VERB"


def _creators(value: float | None, evidence: Sequence[EvidencePair], sides: Sides) -> Wording | None:
    """The sentence of makers that were compared word by word."""
    if (value or 0.0) > SURE:
        names = firsts((natural(surface(sides[0], one.left[0])), one) for one in evidence)
        return both_have(_SENTENCES["makers"][0], [*names], paired("maker", names, sides))
    names = firsts((shared_words(one, *sides), one) for one in evidence)
    return both_have(N_("Their creators share {}."), [*names], paired("maker", names, sides), listed)
