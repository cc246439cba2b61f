"""What two items have in common on the whole, in one sentence: maker, date, place, words and kind."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Final, NamedTuple, TypeAlias

from features.measures.base import EvidencePair, Theme
from features.measures.overlap import OverlapSettings
from features.measures.registry import FeatureSettings
from features.text.names.parts import fold
from features.text.places.gazetteer import gazetteer
from ingest.record import Field, Record
from models.explanation import FeatureContribution
from service.explain.closeness import shared_time, years
from service.explain.concepts import shared_scenes
from service.explain.keeping import nameable, names_holder
from service.explain.listing import Wording, is_generic, named
from service.explain.makers import creating, is_of_culture, shared_cultures, shared_makers
from service.explain.person_names import whole_names
from service.explain.phrases import listed, listed_names, phrases, stem, surface, widened, written_alike
from service.explain.places import are_filed, shared_places
from service.explain.salience import is_of_object, is_salient, prominence
from service.explain.stated import StatedFact, dated, paired, shared
from service.explain.themes import Features, is_expanded, theme_of
from service.languages.messages import gettext, quotes

_MOST: Final = 3  # facts of a sentence, beside the kind
_WORDS: Final = 2  # words that are a fact together

_NOUNS: Final = frozenset({"NOUN", "PROPN", "X"})  # X is a word of another language, or unknown
_ANY_KIND: Final = re.compile(
    r"(?i)(?:still ?|moving ?)?images?|texts?|(?:physical ?)?objects?|items?|sounds?|on paper\b.*|.+ & .+"
)
"""Types of Dublin Core that tell no two things apart, classes of whatever is on paper, and departments."""

_STATED: Final[tuple[Theme, ...]] = ("makers", "places", "times", "words")

_Salient: TypeAlias = Callable[[FeatureContribution], Sequence[EvidencePair]]
"""Gives what a sentence may name of a contribution."""


class _Fact(NamedTuple):
    """What both have: the end of a sentence that begins with Both, and what it names.

    ``generic`` is as in :class:`Wording`.
    """

    text: str
    named: frozenset[str]
    contribution: FeatureContribution
    state: Callable[[], tuple[StatedFact, ...]]
    generic: bool = False


def shared_facts(
    adding: Sequence[FeatureContribution], evidence: _Salient, features: Features, left: Record, right: Record
) -> Iterator[tuple[Wording, FeatureContribution]]:
    """One sentence of the facts that both records have, with the strongest contribution; none without a fact.

    ``adding`` are the contributions to a score, the strongest first. ``evidence`` gives what may be named of
    one. To look it up takes most of the time, so it is asked only until each theme has a fact.
    """
    stating: dict[Theme, list[FeatureContribution]] = {theme: [] for theme in _STATED}
    for one in adding:
        if _may_state(features[one.feature], features):
            stating[theme_of(features[one.feature], features)].append(one)
    maker = next(_makers(stating["makers"], evidence, left, right), None)
    stated = next(_places(stating["places"], evidence, features, left, right), None)
    scene = _scene(adding, left, right) if adding else None
    if scene and stated and _stems(" ".join(stated.named)) <= _stems(" ".join(scene.named)):
        stated = None  # the Flight into Egypt is painted anywhere
    place, words = _words(stating["words"], left, right, [fact for fact in (maker, stated, scene) if fact])
    # the maker and the place tell most, a date alone least; the sentence has them in the order of a caption
    best = [fact for fact in (maker, stated or place, scene or words) if fact]
    date = next(_dates(stating["times"], evidence, left, right), None) if len(best) < _MOST else None
    facts = [fact for fact in (maker, date, stated or place, scene or words) if fact]
    if not facts:
        return
    texts = [fact.text for fact in facts]
    if kind := _kind(left, right):
        texts.append(gettext("are of the kind {kind}").format(kind=quotes(kind)))
    yield (
        Wording(
            f"{_both(texts).removesuffix('.')}.",
            frozenset().union(*(fact.named for fact in facts)),
            tuple(one for fact in facts for one in fact.state()),
            generic=all(fact.generic for fact in facts),
        ),
        max((fact.contribution for fact in facts), key=lambda one: one.amount),
    )


def _both(clauses: Sequence[str]) -> str:
    """A sentence of what holds of both, without its full stop."""
    if len(clauses) == 1:
        return gettext("Both {clause}").format(clause=clauses[0])
    whole = gettext("Both {clauses}, and {last}")
    return whole.format(clauses=", ".join(clauses[:-1]), last=clauses[-1])


def _may_state(feature: FeatureSettings, features: Features) -> bool:
    """Whether a feature may rest on a fact; what is made of others or of amounts says no more."""
    if feature.made_of or (isinstance(feature, OverlapSettings) and feature.kind == "amount"):
        return False
    theme = theme_of(feature, features)
    return theme in _STATED and not (theme == "words" and is_expanded(feature, features))


def _makers(
    adding: Sequence[FeatureContribution], evidence: _Salient, left: Record, right: Record
) -> Iterator[_Fact]:
    """That both are by the same makers, or have makers of one culture."""
    for contribution in adding:
        pairs = evidence(contribution)
        if makers := shared_makers(pairs, contribution.value, left, right):
            makers, published = creating(makers, left, right)
            state = partial(paired, "maker", makers, (left, right))
            clause = gettext("were published by {names}") if published else gettext("are by {names}")
            text = clause.format(names=listed_names([*makers]))
            yield _Fact(text, named(makers), contribution, state)
        elif all(map(is_of_culture, pairs)) and (cultures := shared_cultures(pairs, left)):
            state = partial(paired, "culture", cultures, (left, right))
            text = gettext("have {cultures} makers").format(cultures=listed_names([*cultures]))
            yield _Fact(text, named(cultures), contribution, state)


def _dates(
    adding: Sequence[FeatureContribution], evidence: _Salient, left: Record, right: Record
) -> Iterator[_Fact]:
    """That both are of one year, decade or century; the years of a maker are no date."""
    for contribution in adding:
        first = next(iter(evidence(contribution)), None)
        if first is None:
            continue
        sides = (left, first.left), (right, first.right)
        if any(one.part == Field.CREATOR for _, where in sides for one in where):
            continue
        ours, theirs = (years(record, where) for record, where in sides)
        if ours and theirs and (when := shared_time(ours, theirs)):
            state = partial(_dated, when.words, first)
            yield _Fact(when.clause, named((when.words,)), contribution, state, generic=True)


def _scene(adding: Sequence[FeatureContribution], left: Record, right: Record) -> _Fact | None:
    """That both show the same scenes of stories."""
    scenes = shared_scenes(left, right)
    if not scenes:
        return None
    text = gettext("show {concepts}").format(concepts=listed([*scenes]))
    return _Fact(text, named(scenes), adding[0], partial(paired, "concept", scenes, (left, right)))


def _places(
    adding: Sequence[FeatureContribution], evidence: _Salient, features: Features, left: Record, right: Record
) -> Iterator[_Fact]:
    """That both concern the same places, by what is known as a place."""
    for contribution in filter(evidence, adding):
        every, rest = shared_places(contribution, features, left, right)
        if places := every[:_WORDS]:
            state = partial(shared, "place", places, rest, (left, right))
            text = _are_filed_under(places) if are_filed(rest) else _concern(places)
            yield _Fact(text, named(places), contribution, state)


def _words(
    adding: Sequence[FeatureContribution], left: Record, right: Record, others: Sequence[_Fact]
) -> tuple[_Fact | None, _Fact | None]:
    """The places among the words that both have, in a title or a subject, and the other such words.

    ``others`` are facts whose names are not said again.
    """
    salient = _strongest(adding, left, right)
    if not any(one.share > 0 for one, _ in salient):
        return None, None
    own = _shared_words([one for one, _ in salient], left, right, others)
    places = [phrase for phrase in own if phrase[0].isupper() and gazetteer().named(phrase)][:_WORDS]
    words = [phrase for phrase in own if phrase not in places]
    if others or places or not all(map(is_of_object, words)):
        words = [phrase for phrase in words if not is_of_object(phrase)]
    mentioned = widened(words[:_WORDS], left, right)
    by = max((by for one, by in salient if one.share > 0), key=lambda one: one.amount)
    pairs, sides = sorted((one for one, _ in salient), key=lambda one: -one.share), (left, right)
    of_places = partial(shared, "place", places, pairs, sides)
    of_words = partial(shared, "words", mentioned, pairs, sides)
    naming = [one for one in pairs if any(surface(left, where) in " ".join(places) for where in one.left)]
    state_places = _are_filed_under if are_filed(naming) else _concern
    return (
        _Fact(state_places(places), named(places), by, of_places) if places else None,
        _Fact(_mention(mentioned), named(mentioned), by, of_words, all(map(is_generic, mentioned)))
        if mentioned
        else None,
    )


def _strongest(
    adding: Sequence[FeatureContribution], left: Record, right: Record
) -> list[tuple[EvidencePair, FeatureContribution]]:
    """The strongest evidence of each term that both write alike, weighed by where it stands."""
    strongest: dict[str, tuple[EvidencePair, FeatureContribution]] = {}
    for contribution in adding:
        # what descriptions alone have is left out before anything is looked up of it
        for each in filter(prominence, contribution.evidence):
            before = strongest.get(each.left[0].term)
            share = each.share * prominence(each) * is_salient(each)
            if before is not None and share <= before[0].share:
                continue
            nameable_part = nameable(each, left, right)
            if nameable_part and (one := written_alike(nameable_part, left, right)):
                strongest[each.left[0].term] = replace(one, share=share), contribution
    return [*strongest.values()]


def _shared_words(
    salient: Sequence[EvidencePair], left: Record, right: Record, others: Sequence[_Fact]
) -> list[str]:
    """Phrases with a noun that neither name the holder nor repeat what other facts name."""
    nouns = {stem(surface(left, where)) for one in salient for where in one.left if where.tag in _NOUNS}
    known = _stems(" ".join([left.type or "", *(name for fact in others for name in fact.named)]))
    return [
        phrase
        for phrase in whole_names(phrases(salient, left, right), left, right)
        if _stems(phrase) & nouns and not _stems(phrase) <= known and not names_holder(phrase, left, right)
    ]


def _concern(places: Sequence[str]) -> str:
    return gettext("concern {places}").format(places=listed_names(places))


def _are_filed_under(places: Sequence[str]) -> str:
    return gettext("are filed under {places}").format(places=listed_names(places))


def _mention(words: Sequence[str]) -> str:
    return gettext("mention {words}").format(words=listed(words))


def _dated(when: str, evidence: EvidencePair) -> tuple[StatedFact, ...]:
    return (dated(when, when, evidence),)


def _stems(text: str) -> set[str]:
    return {stem(word) for word in re.findall(r"\w+", fold(text))}


def _kind(left: Record, right: Record) -> str | None:
    """The kind of object that both records are filed as, unless that may be anything."""
    kind = (left.type or "").strip()
    same = kind.casefold() == (right.type or "").strip().casefold()
    return kind if kind and same and not _ANY_KIND.fullmatch(kind) else None
