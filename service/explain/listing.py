"""What the sentences of reasons are made of: the words on both sides, and sentences that list them."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from features.measures.base import EvidencePair, Theme
from features.profiles.profile import Occurrence
from features.text.names.cultures import is_culture
from ingest.record import Record
from models.explanation import FeatureContribution
from service.explain.fact_kinds import FactKind
from service.explain.keeping import nameable, names_holder
from service.explain.naming import nameable_in
from service.explain.person_names import whole_names
from service.explain.phrases import (
    SHOWN,
    as_name,
    beside,
    changes_within,
    listed_names,
    pairs,
    phrases,
    quoted,
    short,
    stem,
    surface,
    word_set,
    written_alike,
)
from service.explain.salience import is_of_object, is_salient, is_year, prominence
from service.explain.stated import Sides, StatedFact, compared
from service.languages.messages import gettext

_CODE: Final = 2  # letters of the code of a state: NY


class Wording(NamedTuple):
    """A sentence, what it names of the records, in small letters, and the facts that it states.

    ``whole``: it is about texts that were compared as wholes. ``alike``: it names what is alike, not what
    both have. ``generic``: it names years, nations and kinds of object alone.
    """

    text: str
    named: frozenset[str]
    facts: tuple[StatedFact, ...] = ()
    theme: Theme = "words"
    whole: bool = False
    alike: bool = False
    generic: bool = False

    @property
    def rank(self) -> int:
        """0 for what both have, 1 for what is alike, 2 for what tells little, 3 for likeness alone."""
        if self.whole and not self.facts:
            return 3
        return 2 if self.generic else int(self.alike)


def words_of(evidence: Sequence[EvidencePair], left: Record, right: Record) -> list[str]:
    """What both have, first what says what they are about; beside it nothing that descriptions alone have."""
    written = [one for each in evidence if (one := written_alike(each, left, right))]
    weighed = [replace(one, share=one.share * prominence(one)) for one in written]
    salient = [one for one in weighed if one.share > 0 or not is_salient(one)]
    for some in (salient, written):
        own = [one for one in phrases(some, left, right) if not names_holder(one, left, right)]
        own = _meaningful(own, some, left)
        if whole := whole_names(own, left, right):
            return whole
    return []


def _meaningful(phrases: list[str], evidence: Sequence[EvidencePair], left: Record) -> list[str]:
    """Phrases without what tells little, unless there is nothing else.

    Years, makers, lone adjectives, such as those of nations, and what items are or are made of tell little.
    """
    words = ((surface(left, where), where.tag) for each in evidence for where in each.left)
    adjectives = {word.casefold() for word, tag in words if tag == "ADJ"}
    makers = word_set(" ".join(value.text for value in left.creator))
    kind = stem(left.type or "")

    def is_meaningful(phrase: str) -> bool:
        is_maker = " " in phrase and word_set(phrase) <= makers
        return not (is_generic(phrase) or phrase.casefold() in adjectives or is_maker or stem(phrase) == kind)

    return [one for one in phrases if is_meaningful(one)] or phrases


def is_generic(phrase: str) -> bool:
    """Whether a phrase is a year or the code of a state, or of nations and kinds of object alone.

    >>> [one for one in ("American book", "1886", "NY", "ink on paper", "harbour") if not is_generic(one)]
    ['harbour']
    """
    is_code = len(phrase) == _CODE and phrase.isupper()
    rest = " ".join(word for word in phrase.split() if not is_culture(word))
    return is_code or is_culture(phrase) or is_year(phrase) or is_of_object(rest)


def named(texts: Iterable[str]) -> frozenset[str]:
    """What some texts name, to be compared with what others do."""
    return frozenset(text.casefold() for text in texts)


def both_have(
    sentence: str,
    names: Sequence[str],
    facts: tuple[StatedFact, ...],
    write: Callable[[Sequence[str]], str] = listed_names,
) -> Wording | None:
    """A sentence that lists what both sides have; None where there is nothing to list."""
    if not names:
        return None
    text = gettext(sentence).format(write(names))
    # a firm may end in a full stop itself
    return Wording(text[:-1] if text.endswith("..") else text, named(names), facts)


def they_differ(
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
    text = gettext(sentence).format(beside(some, write), **more)
    return Wording(text, named(sum(some, ())), facts, alike=True)


def shared_evidence(
    contribution: FeatureContribution, theme: Theme, expanded: bool, left: Record, right: Record
) -> list[EvidencePair]:
    """What of the evidence stands on both sides; small words are left in: they join others into a phrase."""
    return [
        same_words(one, left, right) if expanded else one
        for each in contribution.evidence
        if (own := nameable(each, left, right))
        and (one := nameable_in(theme, own, left, right))
        and is_shared(one, left, right, expanded)
    ]


def is_shared(evidence: EvidencePair, left: Record, right: Record, expanded: bool) -> bool:
    """Whether the same word stands on both sides: one address stands for whatever name."""
    one, other = evidence.left[0].term, evidence.right[0].term
    if one == other and not (expanded or "://" in one):
        return True
    return bool(same_words(evidence, left, right).left)


def same_words(evidence: EvidencePair, left: Record, right: Record) -> EvidencePair:
    """What of the left side stands on the right in the same words, in whatever number."""
    theirs = {surface(right, one).casefold() for one in evidence.right}
    stems = {*map(stem, theirs)}

    def stands_there(word: str) -> bool:
        return stem(word) in stems or any(changes_within(word.casefold(), other) for other in theirs)

    return replace(evidence, left=tuple(one for one in evidence.left if stands_there(surface(left, one))))
