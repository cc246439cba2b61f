"""The people whom two records name, each by the whole name."""

from collections.abc import Sequence
from dataclasses import replace
from operator import eq
from typing import Final

from features.measures.base import EvidencePair
from features.profiles.profile import Occurrence
from features.text.names.forenames import is_forename
from features.text.names.known import known_as
from features.text.names.parts import bare_text, fold, inverted
from ingest.record import Record
from service.explain.makers import is_one_name, natural
from service.explain.phrases import name_around, name_from, opening, phrases, surface, word_set

_LONGEST: Final = 60  # letters of a value that is one name


def of_one_name(evidence: EvidencePair, left: Record, right: Record) -> EvidencePair:
    """What of the left side is, as far as can be seen, of a name that stands on the right.

    Where both go on they go on alike: Abraham Darby is not Abraham Lincoln. Two whole names have more than
    a word in common: Milton Avery is not Samuel Avery.
    """
    names = [(name_from(right, one), whole_name(right, one)) for one in evidence.right]

    def stands_there(one: Occurrence) -> bool:
        own, whole = name_from(left, one), whole_name(left, one)
        return any(_goes_on_alike(own, name) and _may_be_one(whole, other) for name, other in names)

    return replace(evidence, left=tuple(filter(stands_there, evidence.left)))


def _goes_on_alike(one: str, other: str) -> bool:
    return all(map(eq, one.casefold().split(), other.casefold().split()))


def _may_be_one(one: str, other: str) -> bool:
    """Whether two runs of words with capital letters may hold one name."""
    ours, theirs = word_set(one), word_set(other)
    return len(ours & theirs) > 1 or ours <= theirs or theirs <= ours or is_one_name(one, other)


def whole_name(record: Record, occurrence: Occurrence) -> str:
    """The words with capital letters that a word of a name stands in."""
    return name_around(opening(record, occurrence), occurrence)


def names_of_people(evidence: Sequence[EvidencePair], left: Record, right: Record) -> list[str]:
    """The names of people that both have, but forenames alone; one with a comma in its natural order."""
    words = {fold(surface(left, one)) for each in evidence for one in each.left}

    def inverted_name(one: Occurrence) -> str | None:
        text = opening(left, one)
        if len(text) > _LONGEST or inverted(bare_text(text), 0, len(text)) is None:
            return None
        name = natural(text)
        return name if word_set(name) <= words else None

    whole = [name for each in evidence for one in each.left if (name := inverted_name(one))]
    rest = [
        replace(each, left=tuple(one for one in each.left if inverted_name(one) is None)) for each in evidence
    ]
    others = phrases([each for each in rest if each.left], left, right)
    apart = [one for one in others if not any(word_set(one) <= word_set(name) for name in whole)]
    # a legend is in capital letters: CHRISTIANISSIMUS beside Louis XIV
    names = [*dict.fromkeys([*whole, *apart])]
    fields = " ".join(value.text for value in (*left.creator, *left.people))
    whole = [one for one in names if not one.isupper() or one in fields] or names
    own = {value.text for value in (*left.creator, *left.people)}
    # a forename is anybody's, unless it is that of one who is known by it, as Raphael is
    return [one for one in whole if one in own or known_as(one.casefold()) or not is_forename(one)]
