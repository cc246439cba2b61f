"""The name under which a maker stands in a list of makers, and how such names are compared."""

from typing import Final

from features.text.caches import text_cache
from features.text.names.names import NOBODY, Name, names

_OTHERS: Final = frozenset({"after", "circle", "copy", "follower", "imitator", "manner", "school", "style"})
"""How the roles of those begin whom others worked like, or after."""


def maker_name(name: Name) -> str | None:
    """A maker's name with the forenames first, as the museum writes it; None of a culture and of nobody.

    >>> [maker_name(name) for name in names("Turner, J. M. W.; Adams & Co.; Circle of Rubens; Persian")]
    ['J. M. W. Turner', 'Adams & Co.', None, None]
    >>> [maker_name(name) for name in names("Holbein, Hans, the Younger")]
    ['Hans Holbein the Younger']
    """
    if name.kind in NOBODY or not name.made or (name.role or "").casefold().partition(" ")[0] in _OTHERS:
        return None
    text = " ".join(name.text.split())
    if name.kind != "person" or ", " not in text:
        return text
    surname, forenames, *more = text.split(", ")
    return " ".join([forenames, surname, *more])


@text_cache(1 << 16)  # asked for every item that a maker made
def maker_key(name: str) -> str:
    """What the names of one maker have in common: without accents, case and stops, forenames first.

    >>> maker_key("Turner, J. M. W.") == maker_key("J.M.W. Turner") == maker_key("j m w turner")
    True
    """
    read = names(name)
    return read[0].key if len(read) == 1 else " ".join(name.split()).casefold()
