"""Deities, saints and figures of stories by any of their names: Herakles is Hercules, Govinda is Krishna.

``figures.tsv`` has the figures, each with the other names that catalogues in seven languages give it; what
stands there in small letters is read in small letters too. ``forenames.tsv`` has the forms of a forename in
these languages: behind *Saint*, *Sankt* or *Sint* they name one saint.
"""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import cache
from operator import attrgetter
from typing import Final

from features.text.annotation import Mention, Word
from features.text.names.parts import fold
from features.text.names.tables import ListedName, NamedSpan, NameMatch, NameTable, folded_word, table
from features.text.word_lists import word_list

_NEAR: Final = 3
"""Words between a building and the saint that it is of: the church of the holy."""


FIGURE: Final = "figure"
"""What stands for the part of speech of a figure's name."""


def figures_in(words: Sequence[Word], mentions: Sequence[Mention]) -> tuple[NamedSpan, ...]:
    """The figures of a text, in its order, each called by the first of its names, folded.

    A name that is part of a longer name of a person, a place or an institution is none of them: Hercules
    Seghers, the Virgin Islands, St. Paul's Cathedral.

    >>> from features.text.tokenizer import tokenize
    >>> def read(text, *mentions):
    ...     spans = [span for sentence in tokenize(text) for span in sentence]
    ...     words = [Word(*span, text[slice(*span)], "", "PROPN") for span in spans]
    ...     return [figure.name for figure in figures_in(words, mentions)]
    >>> read("Herakles and the Nemean Lion"), read("Sankt Hieronymus"), read("Two Satyrs")
    (['hercules'], ['saint jerome'], ['satyr'])
    >>> read("Hercules Seghers", Mention(0, 16, "person", "Hercules Seghers")), read("St. Peter's Church")
    ([], [])
    """
    matches = list(_names().matches(words))
    named = {at for match in matches for at in range(match.first, match.beyond)}
    return tuple(
        match.span(words)
        for match in matches
        if not (
            _is_of_building(words, match)
            or _is_heading(words, match, named)
            or _is_of_another(words, mentions, match, named)
        )
    )


def _is_of_building(words: Sequence[Word], match: NameMatch) -> bool:
    """Whether a name is that of a church, a street or a town: St. Peter's, the church of St. Peter."""
    buildings = word_list("named after a saint")
    after = [folded_word(word.form) for word in words[match.beyond : match.beyond + 2]]
    if not buildings.isdisjoint(after[:1] if after[:1] != ["'s"] else after):
        return True
    before = words[max(match.first - _NEAR, 0) : match.first]
    return match.name.startswith("saint ") and any(folded_word(word.form) in buildings for word in before)


def _is_of_another(
    words: Sequence[Word], mentions: Sequence[Mention], match: NameMatch, named: set[int]
) -> bool:
    """Whether a name lies in a longer one that has a capital word of no figure."""
    start, end = words[match.first].start, words[match.beyond - 1].end
    around = [one for one in mentions if one.start <= start and end <= one.end]
    # 12 Mars 1970; San Francisco
    no_person = {"date"} if not match.name.startswith("saint ") else {"date", "location", "organisation"}
    if any(one.kind in no_person for one in around):
        return True
    return any(
        words[at].form[0].isupper() and at not in named
        for one in around
        for at in range(
            bisect_left(words, one.start, key=attrgetter("start")),
            bisect_left(words, one.end, key=attrgetter("start")),
        )
    )


def _is_heading(words: Sequence[Word], match: NameMatch, named: set[int]) -> bool:
    """Whether a name is the surname of a heading, or a town's: Moses, Grandma; Santa Barbara, California."""
    begins = match.first == 0 or match.name.startswith("saint ")
    after = words[match.beyond : match.beyond + 2]
    is_inverted = len(after) > 1 and after[0].form == "," and after[1].form[0].isupper()
    return begins and is_inverted and match.beyond + 1 not in named


def may_begin(form: str) -> bool:
    """Whether the name of a figure begins with a word.

    >>> may_begin("Sankt"), may_begin("ship")
    (True, False)
    """
    return _names().may_begin(form)


def figure_name(name: str) -> str:
    """The first of a figure's names, as it is written; raises ``KeyError`` where there is no such figure.

    >>> figure_name("hercules"), figure_name("saint jerome"), figure_name("satyr")
    ('Hercules', 'Saint Jerome', 'satyr')
    """
    return _written()[name]


@cache
def _names() -> NameTable:
    return NameTable(
        ListedName(text, fold(name), text[0].islower()) for text, name in (*_listed(), *_saints())
    )


@cache
def _written() -> dict[str, str]:
    return {fold(name): name for _, name in (*_listed(), *_saints())}


def _listed() -> Iterator[tuple[str, str]]:
    for name, also in table("figures.tsv"):
        yield from ((text, name) for text in (name, *filter(None, also.split(", "))))


def _saints() -> Iterator[tuple[str, str]]:
    for name, also in table("forenames.tsv"):
        for text in (name, *filter(None, also.split(", "))):
            for before in word_list("saint"):
                yield from ((f"{before}{sign}{text}", f"Saint {name}") for sign in " -")  # Saint-Jérôme
