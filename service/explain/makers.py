"""Makers as a reader writes them: forenames first, in the fuller form of two, one name for one maker."""

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import zip_longest
from typing import Final

from features.measures.base import EvidencePair
from features.profiles.profile import Occurrence
from features.text.names.cultures import is_culture, only_cultures
from features.text.names.known import known_as
from features.text.names.names import Name, names
from features.text.names.parts import bare_text, inverted, name_end
from features.text.names.words import MODEL, PARTICLES
from ingest.record import Field, Record
from service.explain.phrases import opening, surface, word_set
from service.languages.messages import N_, gettext

_INITIAL: Final = re.compile(r"\b(?:[^\W\d_]|[^\W\d_]{2}|Wm|Jas|Chas|Geo|Thos|Jos)\.\Z")
_CAPITALS: Final = re.compile(r"[^\W\d_]+")

_ROLES: Final = {
    "after": N_("after {name}"),
    "copy after": N_("copy after {name}"),
    "workshop of": N_("workshop of {name}"),
    "studio of": N_("studio of {name}"),
    "circle of": N_("circle of {name}"),
    "school of": N_("school of {name}"),
    "follower of": N_("follower of {name}"),
    "manner of": N_("manner of {name}"),
    "style of": N_("style of {name}"),
    "imitator of": N_("imitator of {name}"),
    "pupil of": N_("pupil of {name}"),
}
"""The roles of a name that is no maker's own which catalogues of messages have, with the name."""

_PUBLISHING: Final = re.compile(
    r"(?i)publish|uitgever|uitgegeven|verlag|verleg|editore|éditeur|editeur|editorial|förlag|utgivare"
)
"""The roles of publishers in seven languages."""

SURE: Final = 0.99
"""From this likeness on, the measure takes two names for those of one maker."""


def natural(text: str) -> str:
    """The first name of a text with the forenames before the surname, without years, honours and roles.

    >>> [natural(text) for text in ("Rijn, Rembrandt van (1606-1669)", "Henry Moore OM", "Reed & Co.")]
    ['Rembrandt van Rijn', 'Henry Moore', 'Reed & Co.']
    >>> natural("Bruegel, Pieter, the Elder"), natural('Charles "Teenie" Harris')
    ('Pieter Bruegel the Elder', 'Charles "Teenie" Harris')
    >>> natural("VICUÑA MACKENNA, Benjamín."), natural("GARCÍA Y CUBAS, Antonio.")
    ('Benjamín Vicuña Mackenna', 'Antonio García y Cubas')
    """
    first = _first(text)
    if first is None:
        return text.strip()
    if first.kind != "person":
        return first.text.strip(" ,;")
    bare, (start, end) = bare_text(text), (first.start, first.end)
    core, comma = name_end(bare, start, end), inverted(bare, start, end)
    # of the tail only what tells namesakes apart is part of the name
    tail = f" {text[core:end].strip(' ,')}" if first.mark and text[core:end].strip(" ,") else ""
    if comma is None:
        return f"{text[start:core].strip(' ,[]')}{tail}"
    forenames, surname = text[comma + 1 : core].split(",")[0].strip(), text[start:comma].strip(" [")
    if not _INITIAL.search(forenames):
        forenames = forenames.rstrip(".")
    # catalogues write surnames in capital letters to sort by
    shouted = surname.isupper() and not forenames.isupper()
    return f"{forenames} {_CAPITALS.sub(_lowered, surname) if shouted else surname}{tail}"


def _lowered(word: re.Match[str]) -> str:
    return word[0].lower() if word[0].lower() in PARTICLES | {"y"} else word[0].title()


def fuller(one: str, other: str) -> str:
    """Of two forms of a name that with more letters; the first of equals.

    >>> fuller("J.M.W. Turner", "Joseph Mallord William Turner")
    'Joseph Mallord William Turner'
    """
    return max(one, other, key=lambda form: sum(map(str.isalpha, form)))


def is_one_name(one: str, other: str) -> bool:
    """Whether two texts write one person's name: the same words, or initials for some forenames.

    >>> is_one_name("Gogh, Vincent van", "Vincent van Gogh"), is_one_name("J. M. W. Turner", "Turner")
    (True, False)
    >>> is_one_name("Titian", "Vecellio, Tiziano"), is_one_name("Jean Gossart", "Mabuse")
    (True, True)
    >>> is_one_name("Turner, J. M. W.", "Joseph Mallord William Turner"), is_one_name("Jan Steen", "Jo Steen")
    (True, False)
    """
    left, right = _first(one), _first(other)
    if left is None or right is None:
        return False
    if sorted(left.key.split()) == sorted(right.key.split()) or _known(left) == _known(right):
        return True
    if not (left.forenames and right.forenames) or (left.surname, left.mark) != (right.surname, right.mark):
        return False
    forenames = zip_longest(left.forenames, right.forenames, fillvalue="")
    return all(a == b or (1 in (len(a), len(b)) and a[:1] == b[:1]) for a, b in forenames)


def _known(name: Name) -> str:
    """The key of the name under which a maker is known."""
    known = known_as(name.key)
    return name.key if known is None else names(known)[0].key


def is_of_culture(evidence: EvidencePair) -> bool:
    """Whether evidence from a creator field is a culture: French, not the name of a French painter."""
    return evidence.left[0].part == Field.CREATOR and is_culture(evidence.left[0].term)


def shared_makers(
    evidence: Sequence[EvidencePair], value: float | None, left: Record, right: Record
) -> dict[str, EvidencePair]:
    """The makers of both items, each in the fuller of its two forms; of cultures and others none."""
    pairs = [one for one in evidence if not is_of_culture(one) and is_one_maker(one, value, left, right)]
    return firsts((fuller(written(left, one.left[0]), written(right, one.right[0])), one) for one in pairs)


def creating(
    makers: Mapping[str, EvidencePair], left: Record, right: Record
) -> tuple[dict[str, EvidencePair], bool]:
    """Of the makers of both those who did more than publish; or all, and that they did nothing else."""
    own = {
        name: one
        for name, one in makers.items()
        if not (_publishes(left, one.left[0]) and _publishes(right, one.right[0]))
    }
    return own or dict(makers), bool(makers) and not own


def _publishes(record: Record, occurrence: Occurrence) -> bool:
    """Whether a record has a maker as its publisher."""
    own = (name for name in names(opening(record, occurrence)) if name.start <= occurrence.start < name.end)
    return any(_PUBLISHING.search(name.role or "") for name in own)


def shared_cultures(evidence: Sequence[EvidencePair], left: Record) -> dict[str, EvidencePair]:
    """The cultures of the makers of both items, as the left record writes them."""
    pairs = [one for one in evidence if is_of_culture(one) and one.left[0].term == one.right[0].term]
    return firsts((culture_words(left, one.left[0]), one) for one in pairs)


def culture_words(record: Record, occurrence: Occurrence) -> str:
    """A maker's culture as the record writes it, or by its own name where a name that is known implies it."""
    text = surface(record, occurrence)
    return text if is_culture(text) or only_cultures(text) else occurrence.term.title()


def shared_words(evidence: EvidencePair, left: Record, right: Record) -> str:
    """What two makers share who were compared word by word: a word of their names, or the whole name.

    Evidence of a name's every word spans the whole name, which the other side need not have.
    """
    name, term = surface(left, evidence.left[0]), evidence.left[0].term
    if name.casefold() == surface(right, evidence.right[0]).casefold():
        return name
    words = (word.strip(",.;()") for word in name.split())
    return next((word for word in words if word.casefold() == term), term)


def firsts(named: Iterable[tuple[str, EvidencePair]]) -> dict[str, EvidencePair]:
    """The first evidence of each name, in their order."""
    first = dict[str, EvidencePair]()
    for name, one in named:
        first.setdefault(name, one)
    return first


def is_one_maker(evidence: EvidencePair, value: float | None, left: Record, right: Record) -> bool:
    """Whether a pair of names is one maker's, written alike or not; ``value`` is the likeness of all."""
    ours, theirs = evidence.left[0], evidence.right[0]
    if ours.term == theirs.term:
        return True
    one, other = surface(left, ours), surface(right, theirs)
    if role(one, ours) != role(other, theirs):
        return False
    if is_one_name(one, other):
        return True
    first, second = _first(one), _first(other)
    surnames = {name.surname for name in (first, second) if name is not None}
    return (value or 0.0) > SURE and len(surnames) == 1 and "" not in surnames


def share_surname(one: str, other: str) -> bool:
    """Whether two makers have a word of a surname in common: a forename makes nobody kin.

    Of a firm its first word counts, and of one known by a single name that.

    >>> share_surname("Arthur S. Siegel", "Arthur Smith"), share_surname("Jan Reed-Hall", "Ann Hall")
    (False, True)
    >>> share_surname("Century Company", "Movietone / Century Fox"), share_surname("Reed & Co.", "Ada Reed")
    (False, True)
    """
    left, right = _first(one), _first(other)
    if left is None or right is None:
        return True
    return bool((_family(left) & _family(right)) - PARTICLES)


def _family(name: Name) -> frozenset[str]:
    """The words of a surname, the first word of a firm."""
    return word_set(name.surname or name.key.partition(" ")[0])


def written(record: Record, occurrence: Occurrence) -> str:
    """A maker as a sentence names it, behind what the record says that the name did: after Rubens."""
    text = surface(record, occurrence)
    as_model, name = role(text, occurrence), natural(text)
    if as_model in _ROLES:
        return gettext(_ROLES[as_model]).format(name=name)
    return f"{as_model} {name}".strip()


def role(text: str, occurrence: Occurrence) -> str:
    """What stands before the key in the term of a name: its role, where it is only that of a model."""
    name = _first(text)
    before = occurrence.term.removesuffix(name.key).strip() if name else ""
    return before if before != occurrence.term and MODEL.search(before) else ""


def _first(text: str) -> Name | None:
    return next(iter(names(text)), None)
