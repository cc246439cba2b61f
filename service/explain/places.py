"""Sentences about places: which names both have that surely are those of places."""

import re
from collections.abc import Sequence
from functools import cache
from typing import Final

from babel import Locale

from features.measures.archive_places import TAG
from features.measures.base import EvidencePair
from features.profiles.profile import PLACES, Occurrence
from features.text.names.cultures import is_culture, only_cultures
from features.text.names.parts import fold
from features.text.places.gazetteer import gazetteer
from ingest.record import Field, Record
from models.explanation import FeatureContribution
from service.explain.listing import Wording, both_have, shared_evidence, words_of
from service.explain.person_names import people_of
from service.explain.phrases import surface, word_set
from service.explain.stated import Sides, compared, shared
from service.explain.themes import Features, is_expanded
from service.languages.messages import N_, gettext, spoken

CONCERN: Final = N_("Both concern {}.")
_FILED: Final = N_("Both are filed under {}.")
_CODE: Final = re.compile(r"[A-Z]\.?[A-Z]\.?")  # of a country or a state, which says nothing beside a name
_OF_COUNTRY: Final = 2  # letters of the code of a country
_OF_SUBJECTS: Final = frozenset({Field.TITLE, Field.SUBJECT})
_CONTINENTS: Final = frozenset(
    {"africa", "america", "asia", "europe", "north america", "oceania", "south america"}
)
_ARCHIVES: Final = N_("What their archives hold is of {}, unless it says otherwise.")
_NAMED_BY_ONE: Final = N_("One names {}; the other is of an archive from there.")
_WITH_ARTICLE: Final = frozenset({"bahamas", "netherlands", "philippines", "united kingdom", "united states"})
ONE_CULTURE: Final = N_("Their makers are of one culture: {}.")
_OF_MAKERS: Final = N_("As for places, they share the origin of their makers: {}.")
_ORIGIN: Final = N_("Both are of {} origin.")  # of a place that the culture of the makers implies


def places_wording(names: Sequence[str], evidence: Sequence[EvidencePair], sides: Sides) -> Wording | None:
    """The places that both concern, or the cultures that imply places."""
    if places := _place_names(names, *sides):
        sentence = _FILED if are_filed(evidence) else CONCERN
        return both_have(sentence, places, shared("place", places, evidence, sides))
    # an Indian dance is not of Indian origin: both makers or museums have to say so
    parts_of = [
        {fold(surface(record, where)): where.part for where in side if where.part not in _OF_SUBJECTS}
        for record, side in zip(sides, _sides(evidence), strict=True)
    ]
    peoples = [one for one in names if is_culture(one) and all(fold(one) in parts for parts in parts_of)]
    # where a work was made no nation of its maker says
    of_makers = all(parts[fold(one)] == Field.CREATOR for one in peoples for parts in parts_of)
    return both_have(
        _OF_MAKERS if of_makers else _ORIGIN, peoples, shared("culture", peoples, evidence, sides)
    )


def archive_wording(first: EvidencePair, sides: Sides) -> Wording | None:
    """The place of the archive of one side or both; None where that is a country and neither names it."""
    archives = [one for one in (first.left[0], first.right[0]) if one.tag == TAG]
    named = [
        surface(record, one[0])
        for record, one in zip(sides, (first.left, first.right), strict=True)
        if one[0].tag != TAG
    ]
    term = archives[0].term
    known = [one for one in named if gazetteer().named(one)]
    # that two archives lie in one country says nothing of what they hold
    if not known and _is_country(term):
        return None
    place = known[0] if known else gettext("one place") if term[:1].isdigit() else _titled(term)
    sentence = _NAMED_BY_ONE if known else _ARCHIVES
    fact = compared("place", place, place, first, sides)
    return Wording(gettext(sentence).format(place), frozenset({place.casefold()}), (fact,))


def of_archives(evidence: EvidencePair) -> bool:
    """Whether the place of an archive stands for that of an item."""
    return TAG in (evidence.left[0].tag, evidence.right[0].tag)


def _is_country(term: str) -> bool:
    """Whether a place is a state, or a part of the United Kingdom.

    >>> [place for place in ("netherlands", "texas", "england", "pittsburgh") if _is_country(place)]
    ['netherlands', 'england']
    """
    return term in _countries()


@cache
def _countries() -> frozenset[str]:
    names = Locale("en").territories
    own = (name.casefold() for code, name in names.items() if len(code) == _OF_COUNTRY)
    return frozenset(own) | {"england", "scotland", "wales"}


def are_filed(evidence: Sequence[EvidencePair]) -> bool:
    """Whether both museums index places that one of them says nowhere else: a book has that of its press."""
    sides = [{where.part == PLACES for where in side} for side in _sides(evidence)]
    return {True} in sides and all(True in side for side in sides)


def _titled(term: str) -> str:
    """A place by its term, with the article that English gives some countries."""
    return f"the {term.title()}" if spoken() == "en" and term in _WITH_ARTICLE else term.title()


def are_places(evidence: EvidencePair, left: Record, right: Record) -> bool:
    """Whether places stand on both sides that are known, or that a museum indexes: American is none."""
    sides = (left, evidence.left), (right, evidence.right)
    return all(_is_place(record, where[0]) for record, where in sides)


def is_one_place(one: str, other: str) -> bool:
    """Whether two names are those of one place that the gazetteer knows.

    >>> is_one_place("Venezia", "Venice"), is_one_place("Venice", "Rome"), is_one_place("Camden", "Camden")
    (True, False, False)
    """
    named = gazetteer().named
    return named(one) is not None and named(one) == named(other)


def _is_place(record: Record, where: Occurrence) -> bool:
    name = surface(record, where)
    # the term of a name that nothing is known of is the name itself
    is_known = where.term != name.casefold() or gazetteer().named(name) is not None
    # in the field of makers stands a name, whose nation implies a place
    return where.part != Field.CREATOR and not _is_people(name) and (where.part == PLACES or is_known)


def _sides(evidence: Sequence[EvidencePair]) -> tuple[list[Occurrence], list[Occurrence]]:
    return [one for each in evidence for one in each.left], [one for each in evidence for one in each.right]


def _place_names(names: Sequence[str], left: Record, right: Record) -> list[str]:
    """Those of some shared names that are no cultures, and no words of anybody's name; each place once."""
    words = frozenset[str]().union(*(one.words for record in (left, right) for one in people_of(record)))
    places = (one for one in names if not _is_people(one))
    known = [one for one in places if not word_set(one) <= words or gazetteer().named(one)]
    known = [one for one in known if not one[:1].islower()]  # an adjective
    indexed = "\n".join(value.text for record in (left, right) for value in record.part(PLACES))
    known = [
        one for one in known if not (_CODE.fullmatch(one) and re.search(rf"\b{re.escape(one)}", indexed))
    ]
    long = [one for one in known if not _CODE.fullmatch(one)]
    own: dict[str, str] = {}
    for one in long or known:
        own.setdefault(gazetteer().named(one) or fold(one), one)
    # what lies in a town lies in its continent
    return [one for key, one in own.items() if key not in _CONTINENTS or own.keys() <= _CONTINENTS]


def _is_people(name: str) -> bool:
    """Whether a name is that of a people or of what belongs to it, not of a place.

    >>> names = ("Italian.", "African Americans", "Hispanic American", "Victorian", "Iran")
    >>> [name for name in names if not _is_people(name)]
    ['Iran']
    """
    bare = name.strip(" .,;:")
    single = bare.removesuffix("s")
    if is_culture(bare) or is_culture(single) or only_cultures(single) or is_culture(bare.split()[-1]):
        return True
    return gazetteer().named(bare) is None and gazetteer().implied(bare) is not None


def shared_places(
    contribution: FeatureContribution, features: Features, left: Record, right: Record
) -> tuple[list[str], list[EvidencePair]]:
    """The places that both name, and the evidence with them, of a contribution that rests on places."""
    expanded = is_expanded(features[contribution.feature], features)
    # what an archive is called is no place
    alike = [
        one
        for one in shared_evidence(contribution, "places", expanded, left, right)
        if all(where.tag != TAG for where in (*one.left, *one.right))
    ]
    return _place_names(words_of(alike, left, right), left, right), alike
