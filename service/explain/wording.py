"""The sentence of one contribution: what stands on both sides of it, or what differs."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from features.measures.base import EvidencePair, Theme
from features.measures.derived import StrongestSettings
from features.profiles.profile import Occurrence
from features.text.names.cultures import is_culture
from features.text.places.gazetteer import gazetteer
from ingest.record import Field, Record
from models.explanation import FeatureContribution
from service.explain.closeness import times
from service.explain.keeping import nameable, names_holder
from service.explain.makers import (
    SURE,
    firsts,
    is_of_culture,
    is_one_maker,
    natural,
    role,
    shared_cultures,
    shared_makers,
    shared_words,
    written,
)
from service.explain.people import names_of_people, of_one_name
from service.explain.phrases import (
    SHOWN,
    as_name,
    beside,
    listed,
    listed_names,
    name_from,
    pairs,
    phrases,
    quoted,
    shared_name,
    short,
    stem,
    surface,
    word_set,
)
from service.explain.salience import is_salient, prominence
from service.explain.stated import FactKind, Sides, StatedFact, compared, dated, kind_of, paired, shared
from service.explain.themes import Features, is_expanded, is_of_whole, scope_of, theme_of

_SENTENCES: Final[dict[Theme, tuple[str, str]]] = {
    "words": ("Both mention {}.", "They have like words: {}."),
    "names": ("Both name {}.", "They have like names: {}."),
    "makers": ("Both are by {}.", "Their makers have like names: {}."),
    "people": ("Both name {}.", "They name kindred people: {}."),
    "kinds": ("Both show people: {}.", "They show people of a like kind: {}."),
    "places": ("Both concern {}.", "They concern places that belong together: {}."),
    "times": ("Both are dated {}.", "They name other times: {}."),
    "events": ("Both tell of {}.", "What happens in them is alike: {}."),
    "meaning": ("Both mention {}.", "They are {closeness} in meaning: {}."),
    "topics": ("Both are of the topic of {}.", "They are of one topic: {}."),
    "sets": ("Both are part of {}.", "They are parts of like sets: {}."),
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
_MODEL: Final = "Both are {}."  # after Rubens
_ORIGIN: Final = "Both are of {} origin."  # of a place that the culture of the makers implies
_LIKE_NAMES: Final = "They name people of like names: {}."  # of Abraham Darby and Abraham Lincoln

_PROPER: Final = frozenset({"places", "people", "names"})  # themes whose words are names: without quotes


class Wording(NamedTuple):
    """A sentence, what it names of the records, in small letters, and the facts that it states."""

    text: str
    named: frozenset[str]
    facts: tuple[StatedFact, ...] = ()


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
    first, (left, right) = evidence[0], sides
    feature = features[contribution.feature]
    scope, theme = scope_of(feature), theme_of(feature, features)
    if is_of_whole(first):
        names = [*dict.fromkeys(surface(left, one.left[0]) for one in evidence)]
        return _alike(_SENTENCES["sets"][0], names, shared("set", names, evidence, sides), listed)
    if scope and scope.names:
        return _creators(contribution.value, evidence, sides)
    if theme == "times" and scope is None:
        dates = times(contribution.value, left, first.left, right, first.right)
        return Wording(dates.text, frozenset({dates.text}), (dated(dates.left, dates.right, first),))
    if isinstance(feature, StrongestSettings) and feature.theme != theme:
        # the strongest of places and makers may rest on a maker
        theme = "makers" if _is_maker(first) else feature.theme
    if theme == "makers":
        return _makers(contribution.value, evidence, sides)
    return _of_words(contribution, evidence, features, sides, theme, close)


def _of_words(
    contribution: FeatureContribution,
    evidence: Sequence[EvidencePair],
    features: Features,
    sides: tuple[Record, Record],
    theme: Theme,
    close: str,
) -> Wording | None:
    """The sentence of words that stand on both sides, or that are alike."""
    first, (left, right) = evidence[0], sides
    feature = features[contribution.feature]
    scope = scope_of(feature)
    same, unlike = _sentences(theme, first)
    expanded = is_expanded(feature, features)
    # the sentence follows the strongest evidence
    if not _is_shared(first, left, right, expanded):
        alike = [one for one in evidence if _goes_with(one, first, theme)]
        quote = as_name if theme in _PROPER else quoted
        return _unlike(unlike, kind_of(theme), alike, sides, write=quote, closeness=close)
    if scope and theme == "words" and len(scope.parts) == 1 and not scope.also:
        same = f"Both have {{}} in the {scope.parts[0]}."
    alike = [one for one in _shared(contribution, expanded, left, right) if _goes_with(one, first, theme)]
    if theme == "people":
        return _people(same, alike, evidence, sides)
    if theme == "events" and _is_named(first):
        own = [*dict.fromkeys(shared_name(left, one.left[0], right) for one in alike)]
        return _alike(same, own, shared("event", own, alike, sides))
    own = _words_of(alike, left, right)
    if theme == "places":
        return _places(own, alike, sides)
    write = listed_names if theme in _PROPER else listed
    return _alike(same, own, shared(kind_of(theme), own, alike, sides), write)


def likeness(words: Sequence[EvidencePair], left: Record, right: Record) -> Wording:
    """The sentence of texts that were compared as wholes, with the words that both have."""
    own = _words_of(words, left, right)
    text = "Their descriptions read alike"
    if not own:
        return Wording(f"{text}.", named((text,)))
    return Wording(f"{text}: {listed(own)}.", named(own), shared("words", own, words, (left, right)))


def _words_of(evidence: Sequence[EvidencePair], left: Record, right: Record) -> list[str]:
    """What both have, first what says what they are about; beside it nothing that descriptions alone have."""
    weighed = [replace(one, share=one.share * prominence(one)) for one in evidence]
    salient = [one for one in weighed if one.share > 0 or not is_salient(one)]
    for some in (salient, evidence):
        if own := [one for one in phrases(some, left, right) if not names_holder(one, left, right)]:
            return own
    return []


def named(texts: Iterable[str]) -> frozenset[str]:
    """What some texts name, to be compared with what others do."""
    return frozenset(text.casefold() for text in texts)


def _alike(
    sentence: str,
    names: Sequence[str],
    facts: tuple[StatedFact, ...],
    write: Callable[[Sequence[str]], str] = listed_names,
) -> Wording | None:
    """A sentence that lists what both sides have; None where there is nothing to list."""
    if not names:
        return None
    text = sentence.format(write(names))
    # a firm may end in a full stop itself
    return Wording(text[:-1] if text.endswith("..") else text, named(names), facts)


def _unlike(
    sentence: str,
    kind: FactKind,
    evidence: Sequence[EvidencePair],
    sides: Sides,
    text_of: Callable[[Record, Occurrence], str] = surface,
    write: Callable[[str], str] = as_name,
    **more: str,
) -> Wording:
    """A sentence about what differs between the sides, by what stands first on either side of each pair."""
    left, right = sides
    every = [(text_of(left, one.left[0]), text_of(right, one.right[0])) for one in evidence]
    if write is quoted:
        every = [(short(one), short(other)) for one, other in every]
    some = pairs(every)
    facts = tuple(compared(kind, *pair, evidence[every.index(pair)], sides) for pair in some[:SHOWN])
    return Wording(sentence.format(beside(some, write), **more), named(sum(some, ())), facts)


def _makers(value: float | None, evidence: Sequence[EvidencePair], sides: Sides) -> Wording | None:
    """Whether both are by the same makers, by makers of one culture, or by some whose names are alike."""
    first, (left, right) = evidence[0], sides
    alike = [one for one in evidence if is_of_culture(one) == is_of_culture(first)]
    if is_of_culture(first):
        if first.left[0].term == first.right[0].term:
            cultures = shared_cultures(alike, left)
            return _alike(_CULTURES[0], [*cultures], paired("culture", cultures, sides))
        return _unlike(_CULTURES[1], "culture", alike, sides)
    if is_one_maker(first, value, left, right):
        as_model = role(surface(left, first.left[0]), first.left[0])
        sentence = _SENTENCES["makers"][0] if not as_model or as_model.endswith(" of") else _MODEL
        makers = shared_makers(alike, value, left, right)
        return _alike(sentence, [*makers], paired("maker", makers, sides))
    sentence = _SAME_MAKERS if (value or 0.0) > SURE else _SENTENCES["makers"][1]
    return _unlike(sentence, "maker", alike, sides, written)


def _places(names: Sequence[str], evidence: Sequence[EvidencePair], sides: Sides) -> Wording | None:
    """The places that both concern, or the cultures that imply places."""
    if places := _place_names(names, *sides):
        return _alike(_SENTENCES["places"][0], places, shared("place", places, evidence, sides))
    peoples = [one for one in names if is_culture(one)]
    return _alike(_ORIGIN, peoples, shared("culture", peoples, evidence, sides))


def _place_names(names: Sequence[str], left: Record, right: Record) -> list[str]:
    """Those of some shared names that are no cultures, and no words of a maker's name."""
    makers = {word for one in (left, right) for value in one.creator for word in word_set(value.text)}
    places = (one for one in names if not is_culture(one))
    return [one for one in places if not word_set(one) <= makers or gazetteer().named(one)]


def shared_places(
    contribution: FeatureContribution, features: Features, left: Record, right: Record
) -> tuple[list[str], list[EvidencePair]]:
    """The places that both name, and the evidence with them, of a contribution that rests on places."""
    alike = _shared(contribution, is_expanded(features[contribution.feature], features), left, right)
    return _place_names(_words_of(alike, left, right), left, right), alike


def _shared(
    contribution: FeatureContribution, expanded: bool, left: Record, right: Record
) -> list[EvidencePair]:
    """What of the evidence stands on both sides; small words are left in: they join others into a phrase."""
    return [
        _same(one, left, right) if expanded else one
        for each in contribution.evidence
        if (one := nameable(each, left, right)) and _is_shared(one, left, right, expanded)
    ]


def _people(
    sentence: str, alike: Sequence[EvidencePair], evidence: Sequence[EvidencePair], sides: Sides
) -> Wording | None:
    """The sentence of people whom both name, or whose names are alike."""
    alike = [one for each in alike if (one := of_one_name(each, *sides)).left]
    if not alike:
        return _unlike(_LIKE_NAMES, "person", evidence, sides, name_from)
    names = names_of_people(alike, *sides)
    return _alike(sentence, names, shared("person", names, alike, sides))


def _sentences(theme: Theme, first: EvidencePair) -> tuple[str, str]:
    """The sentences of a theme: where the same stands on both sides, and where it differs."""
    same, unlike = _SENTENCES[theme]
    if theme == "events" and _is_named(first):
        return _NAMED, _SENTENCES["names"][1]
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
    """Whether a proper noun stands there: Trafalgar."""
    return evidence.left[0].tag == "PROPN" or evidence.right[0].tag == "PROPN"


def _is_done(evidence: EvidencePair) -> bool:
    """Whether verbs stand there: what somebody does."""
    return evidence.left[0].tag == evidence.right[0].tag == "VERB"


def _is_shared(evidence: EvidencePair, left: Record, right: Record, expanded: bool) -> bool:
    """Whether the same word stands on both sides: one address stands for whatever name."""
    one, other = evidence.left[0].term, evidence.right[0].term
    if one == other and not (expanded or "://" in one):
        return True
    return bool(_same(evidence, left, right).left)


def _same(evidence: EvidencePair, left: Record, right: Record) -> EvidencePair:
    """What of the left side stands on the right in the same words, in whatever number."""
    stems = {stem(surface(right, one)) for one in evidence.right}
    return replace(evidence, left=tuple(one for one in evidence.left if stem(surface(left, one)) in stems))


def _creators(value: float | None, evidence: Sequence[EvidencePair], sides: Sides) -> Wording | None:
    """The sentence of makers that were compared word by word."""
    if (value or 0.0) > SURE:
        names = firsts((natural(surface(sides[0], one.left[0])), one) for one in evidence)
        return _alike(_SENTENCES["makers"][0], [*names], paired("maker", names, sides))
    names = firsts((shared_words(one, *sides), one) for one in evidence)
    return _alike("Their creators share {}.", [*names], paired("maker", names, sides), listed)
