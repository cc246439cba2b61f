"""Forenames in the forms of seven languages: ``forenames.tsv`` has those that saints bear, too."""

from functools import cache

from features.text.names.parts import fold
from features.text.names.tables import table


def is_forename(word: str) -> bool:
    """Whether a word is a usual forename in one of the languages, whatever its accents.

    >>> is_forename("John"), is_forename("Jérôme"), is_forename("Rembrandt")
    (True, True, False)
    """
    return fold(word) in _forms()


@cache
def _forms() -> frozenset[str]:
    return frozenset(
        fold(form) for name, also in table("forenames.tsv") for form in (name, *also.split(", ")) if form
    )
