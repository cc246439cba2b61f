"""Makers whom catalogues call by several names: Titian is Tiziano Vecellio, and Jean Gossart Jan Gossaert.

``known.tsv`` has the names under which they are written here, each with the keys (:mod:`.names`) of their
other names in seven languages. What the words of two names tell by themselves, such as the order of surname
and forename, does not stand there. That a forename has a form in another language does not make two makers
one: Karl and Charles Gildemeister are, Carl and Charles Martin are not.
"""

from functools import cache

from features.text.names.tables import table


def known_as(key: str) -> str | None:
    """The name under which the maker with this key is known, where that is another one.

    >>> known_as("titian"), known_as("tiziano vecellio"), known_as("jane doe")
    ('Tiziano Vecellio', None, None)
    """
    return _names().get(key)


@cache
def _names() -> dict[str, str]:
    return {key: name for name, also in table("known.tsv") for key in also.split(", ")}
