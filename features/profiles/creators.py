"""Who made an item: the names of the creator field, and those that title or description state.

Collections without a creator field say it in words: 'Photographer: Henry Taunt', 'engraved by Ogbourne', 'an
oil painting by Turner', 'etching after Rubens'. The rules know labels, trades, verbs and works, no museum.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from msgspec.structs import replace

from features.profiles.profile import Profile
from features.text.annotation import Word
from features.text.names.names import NOBODY, Name, names
from features.text.names.placeholders import says_no_maker
from features.text.names.words import PARTICLES

_WORK: Final = (
    r"photograph|photo|picture|painting|portrait|drawing|sketch|engraving|etching|aquatint|mezzotint|woodcut"
    r"|linocut|lithograph|screenprint|print|watercolour|watercolor|gouache|pastel|miniature|fresco|mural"
    r"|illustration|cartoon|caricature|poster|design|sculpture|statue|statuette|bust|relief|carving|tapestry"
)
_WORKS: Final = rf"(?:{_WORK})(?:e?s)?"
_TRADE: Final = (
    r"photographer|painter|artist|engraver|etcher|sculptor|architect|designer|maker|author|illustrator"
    r"|draughtsman|lithographer|potter|silversmith|goldsmith|printmaker|calligrapher|weaver|carver|cartoonist"
)
_MADE: Final = (
    r"photographed|painted|drawn|engraved|etched|lithographed|sculpted|sculptured|carved|modelled|designed"
    r"|illustrated|sketched|woven|embroidered"
)
_MARK: Final = re.compile(
    r"(?i:\b(?:"
    rf"(?:owner\s+and\s+)?author(?:\s+and\s+(?:copyright\s+)?owner)?\s+of\s+(?:the\s+)?(?:works?|{_WORKS})\s*:"
    r"|owner\s+and\s+author\s*:|author\s+and\s+owner\s*:"
    rf"|(?:{_TRADE})(?:s|\s?\(\s?s\s?\))?\s*:"
    rf"|(?:{_MADE}|{_WORKS})(?:\s+(?:and|&)\s+(?:{_MADE}))?\s+(?:by|(?P<after>after))\b"
    r")\s*)(?=[^\W\d_a-z])"
)
"""What stands before a stated maker, who begins with a capital letter."""

_PARTICLES: Final = "|".join(sorted(PARTICLES - {"l'", "d'", "dell'", "'t"}))
_PIECE: Final = (
    r"(?:(?:[A-Z]\.\s?)+"
    r"|(?:Mr|Mrs|Ms|Messrs|Dr|St|Rev|Revd|Hon|Prof|Capt|Col|Wm|Jas|Chas|Geo|Thos|Jos)\."
    rf"|[^\W\d_a-z][\w'’-]*|(?:{_PARTICLES})\b|&(?=\s+[^\W\d_a-z])|and\b(?=\s+[^\W\d_a-z]))"
)
_NAME: Final = re.compile(rf"{_PIECE}(?:\s*(?<=[\s.]){_PIECE}){{0,9}}")
"""Capitalised words, initials and particles; a comma or the full stop of a sentence ends them."""

_LABEL: Final = re.compile(r"(?:\s*/[^\W\d_]+|(?:\s+[a-z]+){1,2})?\s*:")
"""What makes the word before it a label, not the end of a name: ``Address/Location:``."""

_CLAUSE: Final = re.compile(r"[^,.;:()\n]*")
"""What a text says up to the next mark: of ``An unknown artist`` a name is only the first word."""


@dataclass(frozen=True, slots=True)
class Creator:
    """A maker's name and address; its offsets count characters of value ``index`` of ``part``."""

    part: str
    index: int
    name: Name
    address: str | None = None


def creators(profile: Profile, *, stated: bool) -> tuple[Creator, ...]:
    """The people, firms and cultures that made an item, those of the creator field first.

    ``stated`` adds the people and firms that titles and descriptions state. A placeholder such as 'unknown'
    or 'staff' is no maker, nor is one who only had the item (patron, owner, donor).
    """
    makers: list[Creator] = []
    for value in (one for one in profile.values if one.part == "creator"):
        # of a value with several names nobody can say whose address it is
        address = value.address if len(value.names) == 1 else None
        makers += [Creator(value.part, value.index, name, address) for name in value.names]
    for value in profile.values if stated else ():
        if value.part in {"title", "description"}:
            stated_here = stated_names(written(value.words))
            makers += [Creator(value.part, value.index, name) for name in stated_here]
    return tuple(creator for creator in makers if creator.name.kind != "unknown" and creator.name.made)


def written(words: Iterable[Word]) -> str:
    """The text of a value from its words, every blank a space: offsets stay true."""
    pieces: list[str] = []
    end = 0
    for word in words:
        pieces += [" " * (word.start - end), word.form]
        end = word.end
    return "".join(pieces)


def stated_names(text: str) -> Iterator[Name]:
    """The makers that a text states, with their offsets in it; ``role`` tells one it was made after.

    >>> [name.key for name in stated_names("Copyright author of work: J. R. Frith, 12 High St. Form filled")]
    ['j r frith']
    >>> [(name.key, name.role) for name in stated_names("Engraved by John Pye; an etching after Rubens")]
    [('john pye', None), ('rubens', 'after')]
    >>> list(stated_names("Presented by Ada Reed. Seen by Night. Photographer: Not known"))
    []
    """
    for mark in _MARK.finditer(text):
        span, clause = _NAME.match(text, mark.end()), _CLAUSE.match(text, mark.end())
        if span is None or (clause and says_no_maker(clause.group())):
            continue
        maker = span.group()
        if _LABEL.match(text, span.end()):
            maker = maker.rpartition(" ")[0]
        for name in names(maker.rstrip(" &")):
            if name.kind not in NOBODY:
                role, at = "after" if mark["after"] else name.role, span.start()
                yield replace(name, role=role, start=name.start + at, end=name.end + at)
