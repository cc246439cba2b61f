"""The reason of a score in one sentence, from its strongest evidence."""

from collections.abc import Iterable, Iterator, Sequence
from heapq import merge
from operator import itemgetter
from typing import Final, NamedTuple

from features.measures.base import EvidencePair
from features.measures.derived import StrongestSettings
from features.profiles.profile import Occurrence
from ingest.record import Record
from models.explanation import FeatureContribution, ScoreExplanation
from models.types import OFFICIAL, Types, TypeSettings
from service.explain.closeness import closeness
from service.explain.concepts import is_of_notation, scenes_wording, share_notation
from service.explain.facts import shared_facts
from service.explain.keeping import nameable
from service.explain.listing import Wording
from service.explain.naming import is_beside_makers, may_name_event, nameable_in
from service.explain.salience import SMALL, is_salient
from service.explain.stated import StatedFact, StatedReason, is_certain
from service.explain.themes import (
    Features,
    compared_by,
    is_of_words,
    may_be_about,
    meaningfulness,
    scope_of,
    stands_for,
    states_concepts,
    theme_of,
)
from service.explain.wording import likeness, named_event, says_nothing, worded
from service.languages.messages import gettext, type_word

_GENERAL: Final = OFFICIAL[0]
_LAST: Final = 4  # behind every rank of a wording


def reason(
    explanation: ScoreExplanation, left: Record, right: Record, features: Features, types: Types
) -> StatedReason:
    """One sentence that names what a strong contribution to a score rests on, with the facts in it.

    Contributions are weighed by their themes: those of the type itself most, that both have anything of a
    kind least. A date is the reason of a similarity in another way than time only where there is no other.
    Where neither item has anything of the type, or one alone, the sentence says so.
    """
    kind = types[explanation.type]
    if explanation.not_applicable:
        return StatedReason(gettext(kind.phrase))
    if explanation.same:
        return StatedReason(gettext("The two records are the same."))
    if explanation.not_both:
        return StatedReason(gettext(kind.not_both))
    if explanation.contributions is None:
        return StatedReason(gettext("The system is not additive: its score has no exact contributions."))
    for each in sentences(explanation, left, right, features, types):
        return StatedReason(each.text, each.facts, each.beside, each.by_words)
    if explanation.contributions and kind.themes:
        return StatedReason(f"{gettext(kind.beside)}.", empty=True)
    if explanation.contributions:
        nothing = gettext("Nothing that they share speaks for a similarity in {type}.")
        return StatedReason(nothing.format(type=type_word(explanation.type)), empty=True)
    base = gettext("They share nothing in {type}; the score is the system's base for such a pair.")
    return StatedReason(base.format(type=type_word(explanation.type)))


def shares(
    explanation: ScoreExplanation,
    left: Record,
    right: Record,
    features: Features,
    types: Types,
    of_type: bool = True,
) -> bool:
    """Whether the reason of a score is not empty; what is beside the type is not looked up for it.

    Without ``of_type`` a reason that names something beside the type counts as well.
    """
    kind = types[explanation.type]
    if explanation.not_both or explanation.same or not (kind.themes and explanation.contributions):
        return not reason(explanation, left, right, features, types).empty
    beside = bool(kind.instead) or not of_type
    # whether there is one depends on what is said first only where a sentence beside the type may name the
    # same before one that stands for it
    best_first = beside and of_type
    every = sentences(explanation, left, right, features, types, beside=beside, best_first=best_first)
    return any(not (of_type and each.beside) for each in every)


class Sentence(NamedTuple):
    """What a contribution rests on, in words, with the facts that these name.

    ``by_words``: on likeness of words alone, as :class:`StatedReason` says. ``beside``: on nothing that the
    type is about, or that may stand for it.
    """

    text: str
    contribution: FeatureContribution
    facts: tuple[StatedFact, ...]
    by_words: bool
    beside: bool = False


def sentences(
    explanation: ScoreExplanation,
    left: Record,
    right: Record,
    features: Features,
    types: Types,
    beside: bool = True,
    best_first: bool = True,
) -> Iterator[Sentence]:
    """Sentences for the contributions that speak for a score, the most meaningful first.

    The first of general is about whatever both have; that their texts are alike as wholes is said only of
    types without themes. A sentence that names nothing new is left out. Evidence is looked up when its
    sentence is asked for. Nothing speaks for a score of a type of which not both items have anything.

    What is not about the type comes last, and where there is nothing else the first of it says so: *No shared
    maker found; both are of 1939.* Without ``beside`` what no feature tells to be about the type is left out.
    Without ``best_first`` they come in the order of the contributions, which takes less time.
    """
    if explanation.not_both:
        return
    adding = [one for one in explanation.contributions or () if one.amount > 0]
    kind, named = types[explanation.type], set[str]()
    if best_first:
        of_one = not kind.themes and share_notation(left, right)
        # the sort is stable: of equals the strongest still comes first
        adding.sort(
            key=lambda one: (
                not (_leads(one, kind, features) or (of_one and states_concepts(one, features))),
                -one.amount * meaningfulness(features[one.feature], kind, features),
            )
        )
    likely = [one for one in adding if may_be_about(one, kind.themes, features)]
    others: list[tuple[Wording, FeatureContribution]] = []
    about = False
    own = _wordings(explanation, likely, left, right, features, kind, beside)
    for wording, contribution in _best_first(own, kind) if best_first else own:
        if kind.themes and not _is_about(wording, kind):
            others.append((wording, contribution))
        elif not wording.named <= named:
            named |= wording.named
            about = True
            yield Sentence(wording.text, contribution, wording.facts, _is_by_words(wording, kind))
    if not beside:
        return
    rest = _wordings(explanation, [one for one in adding if one not in likely], left, right, features, kind)
    others.sort(key=lambda one: adding.index(one[1]))
    for wording, contribution in _best_first(merge(others, rest, key=lambda one: adding.index(one[1])), kind):
        if not wording.named <= named:
            named |= wording.named
            # what no feature tells, evidence may: it names a set that both are part of
            is_about = _is_about(wording, kind)
            text = wording.text if about or is_about else _beside(kind, wording.text)
            is_beside = not (is_about or stands_for(wording.theme) in kind.instead)
            by_words = not is_about or _is_by_words(wording, kind)
            yield Sentence(text, contribution, wording.facts, by_words, is_beside)
            about = True


def _best_first(
    wordings: Iterable[tuple[Wording, FeatureContribution]], kind: TypeSettings
) -> Iterator[tuple[Wording, FeatureContribution]]:
    """What both have in the order that it comes, then what is alike, then what tells little.

    That two texts are of one time comes last where the type is about whatever both have.
    """
    later = list[tuple[int, tuple[Wording, FeatureContribution]]]()
    for one in wordings:
        is_date = one[0].theme == "times" and not kind.themes
        if rank := _LAST if is_date else one[0].rank:
            later.append((rank, one))
        else:
            yield one
    yield from (one for _, one in sorted(later, key=itemgetter(0)))


_THE_SAME: Final = 0.9
"""The value of a feature from which on both items have the same of what it is about."""


def _leads(contribution: FeatureContribution, kind: TypeSettings, features: Features) -> bool:
    """Whether both have the same of what the type is about first: who it is, before kinds of people.

    A single name may be anybody's: several have to agree, as a forename and a surname do.
    """
    first = next(iter(kind.themes), None)
    theme = theme_of(features[contribution.feature], features)
    same = len(kind.themes) > 1 and theme == first and (contribution.value or 0.0) >= _THE_SAME
    return same and sum(map(is_salient, contribution.evidence)) > 1


def _beside(kind: TypeSettings, sentence: str) -> str:
    """A sentence that is not about the type, behind one that says so."""
    # English goes on with a small letter; where nouns have a capital one, it is two sentences
    whole = gettext("{beside}; {continued}")
    continued = sentence[:1].lower() + sentence[1:]
    return whole.format(beside=gettext(kind.beside), continued=continued, sentence=sentence)


def _is_by_words(wording: Wording, kind: TypeSettings) -> bool:
    """Whether a sentence rests on likeness of words; of a type without themes what both mention counts."""
    return wording.whole or not any(is_certain(one, words=not kind.themes) for one in wording.facts)


def _is_about(wording: Wording, kind: TypeSettings) -> bool:
    """Whether a sentence is about what a type is about; parts of one set are of one hand."""
    return stands_for(wording.theme) in kind.themes


def _wordings(
    explanation: ScoreExplanation,
    adding: Sequence[FeatureContribution],
    left: Record,
    right: Record,
    features: Features,
    kind: TypeSettings,
    beside: bool = True,
) -> Iterator[tuple[Wording, FeatureContribution]]:
    """What can be said of each contribution, in their order; without ``beside`` of words the events."""
    sides, close = (left, right), closeness(explanation.score)
    if explanation.type == _GENERAL:
        yield from shared_facts(adding, lambda one: _salient(one, features, *sides), features, *sides)
    if "events" in kind.themes and adding and (scenes := scenes_wording(sides)):
        yield scenes, adding[0]
    names_events = "events" in kind.themes and may_name_event(*sides)
    for contribution in adding:
        # to look up what a model read its expectation from takes longer than all else
        if says_nothing(features[contribution.feature], features):
            continue
        of_words = "events" in kind.themes and is_of_words(contribution, features)
        if of_words and not (names_events or beside):
            continue
        evidence = _salient(contribution, features, *sides)
        if evidence and not evidence[0].whole:
            event = named_event(contribution, features, *sides) if of_words and names_events else None
            if of_words and not (event or beside):
                continue
            if wording := event or worded(contribution, evidence, features, sides, close):
                yield wording, contribution
        elif evidence and not kind.themes:
            words = (_salient(one, features, *sides) for one in adding if is_of_words(one, features))
            yield likeness(next(filter(None, words), ()), *sides), contribution


def supports(contribution: FeatureContribution) -> bool:
    """Whether a contribution adds to its score and rests on more than small words."""
    return contribution.amount > 0 and any(map(is_salient, contribution.evidence))


def _salient(
    contribution: FeatureContribution, features: Features, left: Record, right: Record
) -> tuple[EvidencePair, ...]:
    """The evidence of a contribution that a sentence may name: nothing of keeping."""
    feature = compared_by(contribution, features)
    theme = feature.theme if isinstance(feature, StrongestSettings) else theme_of(feature, features)
    salient = tuple(filter(is_salient, contribution.evidence))
    if theme not in ("makers", "times"):
        own = (one if one.whole or is_of_notation(one) else nameable(one, left, right) for one in salient)
        salient = tuple(two for one in own if one and (two := nameable_in(theme, one, left, right)))
    salient = tuple(one for one in salient if not is_beside_makers(one, theme, scope_of(feature)))
    if theme not in ("makers", "names"):
        return salient
    # names are not alike by a particle alone
    common = (_words(one.left) & _words(one.right) for one in salient)
    return tuple(one for one, words in zip(salient, common, strict=True) if not words or words - SMALL)


def _words(side: Sequence[Occurrence]) -> set[str]:
    return {word for one in side for word in one.term.split()}
