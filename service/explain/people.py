"""The people whom two records name, each by the whole name."""

from collections.abc import Sequence
from dataclasses import replace
from operator import eq
from typing import Final

from features.measures.base import EvidencePair
from features.profiles.profile import Occurrence
from features.text.names.forenames import is_forename
from features.text.names.parts import bare_text, fold, inverted
from ingest.record import Record
from service.explain.makers import natural
from service.explain.phrases import name_from, opening, phrases, surface, word_set

_LONGEST: Final = 60  # letters of a value that is one name


def of_one_name(evidence: EvidencePair, left: Record, right: Record) -> EvidencePair:
    """What of the left side is, as far as can be seen, of a name that stands on the right.

    Where both go on they go on alike: Abraham Darby is not Abraham Lincoln.
    """
    names = [name_from(right, one).casefold().split() for one in evidence.right]

    def stands_there(one: Occurrence) -> bool:
        own = name_from(left, one).casefold().split()
        return any(all(map(eq, own, name)) for name in names)

    return replace(evidence, left=tuple(filter(stands_there, evidence.left)))


def names_of_people(evidence: Sequence[EvidencePair], left: Record, right: Record) -> list[str]:
    """The names of people that both have; one with a comma behind the surname in its natural order."""
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
    return [one for one in whole if not is_forename(one)]  # which is anybody's
