"""What catalogues in other languages than English say of how an item came to its museum.

``acquisition.tsv`` has the words of each language by what they do: *alone* and *with* begin a credit line,
those of *with* only before a *giver* or a year, those of *named* before a name, too; *begins* are whole
beginnings of one. *provenance* and *label* stand before a colon. *handed* and *small* are words of the
sentences that go on with a provenance. A further language is a few more lines of the table.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import cache
from importlib import resources
from typing import Final, NamedTuple

YEAR: Final = r"(?:c\.?\s?)?[\[(]?1\d{3}|[\[(]?20\d\d"
"""A year, as a regular expression."""

_THEN_YEAR: Final = rf",?\s*(?:\w{{1,5}}\.?\s+){{0,2}}(?:{YEAR})"
_IN_YEAR: Final = rf"(?:\w{{1,4}}\s+){{1,2}}(?:{YEAR}),?\s+"
_CAPITAL: Final = r"[^\W\d_a-z]"


class Acquisition(NamedTuple):
    """Patterns over all these languages.

    ``credit`` matches at the beginning of a credit line, ``provenance`` and ``label`` at that of what a label
    says; ``handed`` is found in sentences of a provenance, and ``small`` are small words of names there.
    """

    credit: re.Pattern[str]
    provenance: re.Pattern[str]
    label: re.Pattern[str]
    handed: re.Pattern[str]
    small: frozenset[str]


@cache
def acquisition() -> Acquisition:
    """The patterns of the table.

    >>> other = acquisition()
    >>> texts = ("Schenking van Jan Smit", "Acheté en 1920", "Legs Camondo", "Gåva till drottningen")
    >>> [bool(other.credit.match(text)) for text in texts]
    [True, True, True, False]
    """
    table = resources.files("features.text").joinpath("acquisition.tsv").read_text("utf-8")
    languages = defaultdict[str, dict[str, list[str]]](dict)
    for language, kind, words in (line.split("\t") for line in table.splitlines()[1:]):
        languages[language][kind] = words.split("|")

    def every(*kinds: str) -> list[str]:
        return [word for own in languages.values() for kind in kinds for word in own[kind]]

    credit = "|".join(_credit(own) for own in languages.values())
    return Acquisition(
        re.compile(rf"\W*(?:{_IN_YEAR})?(?:{credit})"),
        re.compile(rf"\W*{_any(every('provenance'))}\s*:"),
        re.compile(rf"\W*{_any(every('label'))}\s*:"),
        re.compile(rf"(?<!\w){_any(every('alone', 'handed'))}"),
        frozenset(every("small")),
    )


def _credit(words: Mapping[str, Iterable[str]]) -> str:
    """What begins a credit line of a language, whose words are given by what they do."""
    giver = rf"\s+{_any(words['giver'])}"
    alone = rf"{_any(words['alone'])}(?:\W*$|{_THEN_YEAR}|\s*[,:]|{giver})"
    given = rf"{_any(words['with'])}(?:{_THEN_YEAR}|{giver})"
    return rf"{alone}|{given}|{_any(words['named'])}\s+{_CAPITAL}|{_any(words['begins'])}"


def _any(words: Iterable[str]) -> str:
    """Any of some words, whole and in capital or small letters; longer ones first."""
    longest = sorted(set(words), key=lambda word: (-len(word), word))
    spelt = "|".join(re.escape(word).replace("'", "['’]") for word in longest)
    return rf"(?i:(?:{spelt})(?:(?<=['’.])|(?!\w)))"
