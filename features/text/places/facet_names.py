"""The name under which a place stands among the places to filter by, and what is no place at all."""

from typing import Final

from features.text.caches import text_cache
from features.text.places.gazetteer import gazetteer, name_key
from features.text.places.towns import towns
from features.text.word_lists import word_list

_SMALL: Final = frozenset({"and", "of", "the", "in", "upon", "de", "la"})

_LAST: Final = word_list("place of nature") | word_list("place of people")
_FIRST: Final = word_list("begins a place")


@text_cache(1 << 16)
def place_name(name: str) -> str:
    """A place's name as lists of places have it: in English where it is known, and not its short form.

    >>> [place_name(name) for name in ("Nihon", "Îran", "PA", "Isle of Man", "Monongahela River")]
    ['Japan', 'Iran', 'Pennsylvania', 'Isle of Man', 'Monongahela River']
    """
    long = gazetteer().unabbreviated(name)
    if long != name:
        return _titled(long)
    known = gazetteer().named(name)
    return name if known is None else _titled(known)


@text_cache(1 << 16)
def is_place(name: str) -> bool:
    """Whether what a text seems to name as a place is one, as far as gazetteers and its own words tell.

    >>> [is_place(name) for name in ("Bath", "Lake Erie", "Mad River", "County Durham", "NY")]
    [True, True, True, True, True]
    >>> [is_place(name) for name in ("Persian", "Jr.", "River", "Harris Studio", "Looking Downstream")]
    [False, False, False, False, False]
    """
    known = gazetteer()
    if known.named(name) or known.unabbreviated(name) != name or towns().named(name):
        return True
    words = name_key(name).split()
    return len(words) > 1 and (words[0] in _FIRST or words[-1] in _LAST)


def _titled(place: str) -> str:
    words = place.split()
    return " ".join(
        word if at and word in _SMALL else word[:1].upper() + word[1:] for at, word in enumerate(words)
    )
