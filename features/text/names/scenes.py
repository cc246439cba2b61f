"""Scenes of stories by any of their titles: the Flight into Egypt, die Flucht nach Ägypten, is 73B641.

``scenes.tsv`` has the scenes by their Iconclass notations, with the titles that catalogues in seven languages
give them; the first of a language is the usual one. So a scene is part of what its notation is part of
(:mod:`features.text.notations`): the Flight into Egypt and the Nativity are both of the youth of Christ.
"""

import re
from collections.abc import Sequence
from functools import cache
from typing import Final

from features.text.annotation import Mention, Word
from features.text.caches import text_cache
from features.text.names.tables import ListedName, NamedSpan, NameMatch, NameTable, folded_word, table
from features.text.word_lists import word_list

_LANGUAGES: Final = ("en", "de", "fr", "it", "nl", "es", "sv")
"""Those of the columns of the table."""

_ELIDED: Final = re.compile(r"(?i)\A(?:l|d|un|all|dall|dell|nell|sull)['’](?=\w)")
"""What French and Italian write before a vowel: l'Annonciation, dell'Annunciazione."""

_OF: Final = frozenset({"of", "di", "de", "da", "von", "van", "av"})

_FEW: Final = 2
"""Words of a title that may be everyday words in small letters."""

_NEAR: Final = 3
"""Words between a building and the scene that it is named after: the church of the holy."""


def scenes_in(words: Sequence[Word], mentions: Sequence[Mention]) -> tuple[NamedSpan, ...]:
    """The scenes of a text, in its order, each called by its notation.

    A title of one or two words counts where it begins with a capital letter. One that names a building or is
    part of the name of a place or an institution is none: the Church of the Annunciation.

    >>> from features.text.tokenizer import tokenize
    >>> def read(text, *mentions):
    ...     spans = [span for sentence in tokenize(text) for span in sentence]
    ...     words = [Word(*span, text[slice(*span)], "", "X") for span in spans]
    ...     return [scene.name for scene in scenes_in(words, mentions)]
    >>> read("Die Flucht nach Ägypten"), read("The rest on the flight into Egypt")
    (['73B641'], ['73B65'])
    >>> read("The Church of the Annunciation"), read("The Annunciation")
    ([], ['73A52'])
    """
    return tuple(
        match.span(words)
        for match in _titles().matches(words)
        if not (
            _is_of_building(words, match)
            or _is_of_namesake(words, match)
            or _is_of_institution(words, mentions, match)
        )
    )


def may_begin(form: str) -> bool:
    """Whether the title of a scene begins with a word.

    >>> may_begin("Flucht"), may_begin("harbour")
    (True, False)
    """
    return _titles().may_begin(form)


def scene_title(notation: str, language: str) -> str | None:
    """The usual title of a scene in a language, or in English where it has none in that one.

    None of a notation that is no scene.

    >>> scene_title("73B641", "en"), scene_title("73B641", "nl"), scene_title("25F", "en")
    ('Flight into Egypt', 'Vlucht naar Egypte', None)
    """
    titles = _scenes().get(notation)
    return (titles.get(language) or titles["en"])[0] if titles else None


def _is_of_building(words: Sequence[Word], match: NameMatch) -> bool:
    """Whether a title names a building, an order or the like: the Church of the Annunciation."""
    buildings = word_list("named after a saint") | word_list("named after a scene")
    if any(folded_word(word.form) in buildings for word in words[match.beyond : match.beyond + 1]):
        return True
    before = [folded_word(word.form) for word in reversed(words[max(match.first - _NEAR, 0) : match.first])]
    # the Madonna della Pietà is a church, too
    if before and before[0] == "della" and match.beyond == match.first + 1:
        return True
    building = next((at for at, form in enumerate(before) if form in buildings), None)
    return building is not None and all(form in word_list("joins a name") for form in before[:building])


def _is_of_namesake(words: Sequence[Word], match: NameMatch) -> bool:
    """Whether the saint of a title is another: the ecstasy of Saint Francis of Paola."""
    is_saints = any(_bare(word.form) == "Saint" for word in words[match.first : match.beyond])
    after = words[match.beyond : match.beyond + 2]
    return is_saints and len(after) > 1 and after[0].form in _OF and after[1].form[0].isupper()


def _is_of_institution(words: Sequence[Word], mentions: Sequence[Mention], match: NameMatch) -> bool:
    """Whether a title lies in a longer name that is no title."""
    start, end, _ = match.span(words)
    return any(
        one.start <= start and end <= one.end and (one.start, one.end) != (start, end)
        for one in mentions
        if one.kind in ("location", "organisation")
    )


@cache
def _titles() -> NameTable:
    # in small letters a jacob's ladder is one of rope, and an annunciation that of a sale
    titles = (
        ListedName(title, notation, title[0].isdecimal() or len(title.split()) > _FEW)
        for notation, titles in _scenes().items()
        for own in titles.values()
        for title in own
    )
    return NameTable(titles, _bare)


@text_cache(1 << 14)
def _bare(form: str) -> str:
    """A word without an article or preposition before a vowel, and the word for a saint in one language.

    >>> _bare("l'Annonciation"), _bare("sankt"), _bare("S."), _bare("world's")
    ('Annonciation', 'Saint', 'Saint', "world's")
    """
    bare = _ELIDED.sub("", form)
    return "Saint" if folded_word(bare) in _saints() else bare


@cache
def _saints() -> frozenset[str]:
    return frozenset({*map(folded_word, word_list("saint")), "s", "h"})


@cache
def _scenes() -> dict[str, dict[str, list[str]]]:
    """The titles of each scene by its notation and their language."""
    return {
        notation: {
            language: cell.split("|") for language, cell in zip(_LANGUAGES, cells, strict=True) if cell
        }
        for notation, *cells in table("scenes.tsv")
    }
