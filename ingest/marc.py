"""MARC subfields in cells: ``10$aDialectica :$ba novel``, as library systems write fields into tables."""

import re

_START = re.compile(r"[\d #_\\]{0,3}\s*([$‡ǂ|\x1f])[a-z0-9](?=\s*\S)")
_ANYWHERE = re.compile(r"([$‡ǂ|\x1f])[a-z]")


def has_subfields(text: str) -> bool:
    """Whether a text begins as a MARC field does: indicators or none, a delimiter, the code of a subfield.

    >>> has_subfields("10$aTitle"), has_subfields("‡a Title"), has_subfields("Price $5"), has_subfields("$5")
    (True, True, False, False)
    """
    return _START.match(text) is not None


def delimiter(text: str) -> str | None:
    """What stands in front of the codes of subfields; None where a text has none.

    >>> delimiter("  |aTitle|bRest"), delimiter("Title ǂb Rest"), delimiter("Title")
    ('|', 'ǂ', None)
    """
    found = _START.match(text) or _ANYWHERE.search(text)
    return found[1] if found else None


def subfields(text: str, codes: str) -> list[str]:
    """The texts of the subfields with these codes, in the order of the field.

    What stands in front of the first delimiter and is no indicator is subfield ``a``, whose code some systems
    leave out; so is a text without any subfield.

    >>> subfields("10$aDialectica :$ba novel /$cby nobody", "ab")
    ['Dialectica :', 'a novel /']
    >>> subfields("Title ‡b Rest", "a"), subfields("Title", "a"), subfields("Title", "b")
    (['Title'], ['Title'], [])
    """
    mark = delimiter(text)
    front, *fields = re.split(f"{re.escape(mark)}(?=[a-z0-9])", text) if mark else [text]
    if _START.match(text):
        front = ""  # indicators
    found = [("a", front), *((field[0], field[1:]) for field in fields)]
    return [held.strip() for code, held in found if code in codes and held.strip()]
