"""The nations of known makers, where a record leaves them out: everybody knows where Turner painted.

``makers.tsv`` holds names as :mod:`.names` writes their keys, each with the culture that museums state of it
(``python -m training makers``). A name that it lacks has none: a guess from its sound would be a lie.
"""

from functools import cache

from features.text.names.tables import table


def nation_of(key: str) -> str | None:
    """The culture of the maker with this key, as :func:`features.text.names.cultures.keys` has it.

    >>> nation_of("winslow homer"), nation_of("jane doe of nowhere")
    ('american', None)
    """
    return _nations().get(key)


@cache
def _nations() -> dict[str, str]:
    return {row[0]: row[1] for row in table("makers.tsv")}
