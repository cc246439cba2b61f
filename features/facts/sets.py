"""The set, series, album, portfolio or book that a text says an item is part of.

Parts of one set are by the same hand and of the same time unless said otherwise. Many museums say in words
what they do not index: 'From the series X', 'Leaf from the X album', 'Plate 3 of X', 'Onderdeel van: X'. The
rules know such phrases in seven languages, and no museum. They take what is surely the name of one whole:
'from a series' and 'a leaf from a Qur'an' name none.
"""

import re
from collections.abc import Iterator
from functools import cache
from typing import Final, Literal, NamedTuple, TypeAlias

from features.facts.set_words import (
    ARTICLE,
    COLLECTIVE,
    FROM,
    GATHERED,
    LABEL,
    LINK,
    NUMBERED,
    OUT_OF,
    PAGED,
    PART_OF,
    PIECE,
    THE,
    TITLED,
    WHOLE,
    content_words,
)

Fact: TypeAlias = Literal["sets", "collections"]
"""What an item is part of: sets, whose parts are of one hand, or collections, which somebody gathered."""

_CAPITAL: Final = r"(?![a-zß-öø-ÿ])[^\W\d_]"
_WORD: Final = rf"{_CAPITAL}[\w'’&-]*(?:\.[\w'’-]+)*(?:(?<=\b\w)\.(?=\s))?"
_RUN: Final = rf"(?:\d+\s)?{_WORD}(?:\s(?:(?:{LINK})\s){{0,3}}(?:{_WORD}|\d+\b)){{0,15}}"
"""Words in capital letters, with small words between them."""

_QUOTED: Final = (
    r"(?:\"[^\"\n]{2,140}\"|“[^”\n]{2,140}”|„[^“”\n]{2,140}[“”]|«[^»\n]{2,140}»|‘[^\n]{2,140}?’(?!\w)"
    r"|'[^'\n](?:[^'\n]|(?<=\w)'(?=\w)){1,140}'(?!\w)|_[^_\n]{2,140}_|\*[^*\n]{2,140}\*)"
)
_ABBREVIATED: Final = r"(?:(?<=\b[^\W\d_])|(?<=\b(?:No|St|Dr|Mr|ca|Jr))|(?<=\b(?:Mrs|Vol)))"
_STOP: Final = rf"\n|$|;|\s[-–—]\s|(?!{_ABBREVIATED})[.!?](?:\s+(?![a-zß-öø-ÿ])|$)"
_ASIDE: Final = r",\s+(?!and\b|und\b|et\b|en\b|e\b|y\b|och\b|bulk\b|circa\b)[a-zß-öø-ÿ]"
_TEXT: Final = r"(?:[^\n;()]|\([^()\n]*\)){1,160}?"
_SENTENCE: Final = rf"{_CAPITAL}{_TEXT}(?=\s*(?:{_STOP}))"
_CLAUSE: Final = rf"{_CAPITAL}{_TEXT}(?=\s*(?:{_STOP}|{_ASIDE}))"
"""What goes on to the end of a sentence, or to the comma before what is told of it."""

_BEGIN: Final = r"(?:^|(?<=[.;:!?)\]|\n]\s)|(?<=[\n(|]))"
_AN: Final = rf"(?:(?:{ARTICLE})\s+|l['’]\s?)?"
_THE: Final = rf"(?:(?:{THE})\s+|l['’]\s?)?"
_KIND: Final = rf"(?-i:[a-zß-öø-ÿ-]+\s+)?(?:{WHOLE})\b"
_IN_ALL: Final = (
    rf"(?=[^\n;.]{{0,80}}\b(?i:{WHOLE}|{COLLECTIVE})\b)"
    r"(?![^\n;.]{0,80}\b(?:is|are|was|were|that|which|title)\b)"
)
"""Before what is called a whole by a noun, and is no clause with a verb."""

_PARTS: Final = rf"(?:\b(?i:{PART_OF})|{_BEGIN}(?i:part\s+of))\s+"

_OF: Final = r"(?:of|by|von|van|de|du|di|av)"
_OF_TALE: Final = r"(?:for|to|of|from|in|the|an?|story|novel|poem|tale|book)"
_MARK: Final = r"(?:(?i:no\.?\s?)?\d+|[IVX]+|[A-Z]{1,3}\.?\s?\d[\w.]*)"
_NUMBER: Final = r"(?:[0-9]+[a-z]?|[ivxlcIVXLC]+)"
_LONG: Final = rf"(?P<name>{_QUOTED}|{_CLAUSE})"
_SHORT: Final = rf"(?P<name>{_QUOTED}|{_RUN})"

_RULES: Final = (
    # Series: from the portfolio "Stage Folk"; Onderdeel van: Atlas der kaarten
    rf"{_BEGIN}(?i:{LABEL})\s*:\s*(?i:(?:{FROM})\s+)?(?i:{_AN}(?:(?:{WHOLE})\s+)?)(?P<name>{_QUOTED}|{_SENTENCE})",
    # From: Esther McCoy papers, 1876-1990
    rf"{_BEGIN}(?i:from)\s*:\s*(?P<name>(?=[^\n;]{{1,120}}?\b(?i:{COLLECTIVE})\b){_SENTENCE})",
    # From the series North Wales Sketchbook.
    rf"{_BEGIN}(?i:{FROM})\s+(?i:{_AN}{_KIND}(?:{TITLED})?)[,:]?\s+{_LONG}",
    # Onderdeel van het fotoalbum Souvenir de Voyage; part of the Medallion tea and coffee service
    rf"{_PARTS}(?i:{_AN}(?:{_KIND}\s+)?)(?P<name>{_QUOTED})",
    rf"{_PARTS}(?i:{_AN}{_KIND})\s+(?P<name>{_CLAUSE})",
    rf"{_PARTS}(?i:{_AN})(?P<name>{_IN_ALL}[^\W_]{_TEXT}(?=\)|\s*(?:{_STOP}|{_ASIDE})))",
    # a print from the series Views of Rome shows a temple
    rf"\b(?i:{FROM})\s+(?i:{_AN}{_KIND}(?:{TITLED})?)[,:]?\s+{_SHORT}",
    # from the family album of L. Vernon Miller
    rf"\b(?i:{FROM})\s+(?i:{_AN})(?P<name>(?i:{_KIND})\s+{_OF}\s+(?:(?:{ARTICLE})\s+)?(?:[a-z]+\s+)?{_RUN})",
    # from the Overbeck album; from Walters manuscript W.106
    rf"\b(?i:{OUT_OF})\s+(?i:{_THE})(?P<name>{_RUN}\s+(?:[a-z]+\s+)?(?i:{WHOLE})\b(?:\s+{_MARK}\b)?)",
    # Leaf from Nogaku zue; In-text plate (folio 5) from TETRASCROLL; Plate 3 of Views of Rome
    rf"\b(?i:{PIECE})(?:\s+{_NUMBER})?(?:\s*\([^()\n]{{1,30}}\))?\s+(?i:{OUT_OF})\s+(?i:{_THE}(?:{_KIND}\s+)?){_SHORT}",
    rf"\b(?i:{NUMBERED})\s+{_NUMBER}\s+(?i:of|{FROM})\s+(?i:{_THE}){_SHORT}",
    # Drawing to illustrate the story 'Left Alone'
    rf"\b(?i:illustrat(?:ions?|e|es|ing|ed)(?:\s+{_OF_TALE}){{1,4}})\s+(?P<name>{_QUOTED})",
)
_TITLES: Final = (
    # Album met tekeningen van Suriname, p.4 (50)
    rf"^(?P<name>(?:[^\n()]|\([^()\n]*\)){{4,140}}?),\s+(?i:{PAGED})\s?{_NUMBER}\b[^\n]{{0,12}}$",
    # Kyoka Tokaido Series, Hakone
    rf"^(?P<name>{_RUN}\s+(?:Series|Portfolio))\s*[,:]",
    # The Bridge, from "Ten Etchings from Pittsburgh"
    rf"(?:,|\]|\)|^Untitled(?:\s+\d+)?)\s+(?i:{OUT_OF})\s+(?i:{_THE})(?P<name>{_QUOTED})",
)

_LONGEST: Final = 300  # characters; what is longer tells of a whole, and is no name of it
_QUOTES: Final = "\"“”„«»‘’'_*"
_EDGES: Final = re.compile(rf"^[\W_]+|[\s.,;:!?/{_QUOTES}–—-]+$")
_DATES: Final = re.compile(
    r"(?i)\s*(?:,|[\[(])(?=[^,]*\d{3})(?:[\[\](),.?/–—-]|\d{2,4}s?\b|\b(?:bulk|circa|ca?|about|undated)\b|\s)+$"
)
_ARTICLES: Final = re.compile(rf"(?i)^(?:(?:{ARTICLE})\s+|l['’]\s?)")
_GATHERED: Final = re.compile(rf"\b(?:{GATHERED})\b")


class SetName(NamedTuple):
    """What a text says an item is part of: the normalised name, and where it stands ``[start, end)``."""

    name: str
    start: int
    end: int

    @property
    def fact(self) -> Fact:
        """Whether it is a set, or a collection, papers, an archive or a project.

        >>> [SetName(name, 0, 9).fact for name in ("gene davis papers", "digitising project", "stage folk")]
        ['collections', 'collections', 'sets']
        """
        return "collections" if _GATHERED.search(self.name) else "sets"


def set_names(text: str, *, title: bool = False) -> list[SetName]:
    """The sets, series, albums, portfolios and books that an item is part of by a text, in text order.

    ``title`` adds what only titles say so: 'Views of Suriname, p. 4', 'Untitled, from "Tokens"'.

    >>> set_names("Graphite on paper. From the series Rotterdam Sketchbook. Purchased 1988")
    [SetName(name='rotterdam sketchbook', start=35, end=55)]
    >>> set_names("From a series. One of a set of three prints, from the collection")
    []
    """
    names: list[SetName] = []
    for start, end in _spans(text, title=title):
        name = normalised(text[start:end])
        # what an earlier rule reads is read better
        if name and not any(start < other.end and other.start < end for other in names):
            names.append(SetName(name, start, end))
    return sorted(names, key=lambda one: one.start)


@cache
def _compiled(title: bool) -> tuple[re.Pattern[str], ...]:
    """The rules of a title, or of another text; compiled when they are first used, for that takes a while."""
    return tuple(re.compile(rule) for rule in ((*_RULES, *_TITLES) if title else _RULES))


def _spans(text: str, *, title: bool) -> Iterator[tuple[int, int]]:
    for rule in _compiled(title):
        for match in rule.finditer(text):
            yield _trimmed(text, *match.span("name"))


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """A span without the quotes around a name and the blanks within them."""
    piece, edges = text[start:end], f"{_QUOTES} \t"
    return start + len(piece) - len(piece.lstrip(edges)), end - len(piece) + len(piece.rstrip(edges))


def normalised(name: str) -> str:
    """A name as it is compared with others: without case, articles, quotes and dates at its end.

    "" for what names no one thing: a name has a proper noun or two words that tell something.

    >>> normalised('"The North American Indian", 1907-1930'), normalised("a mounted set")
    ('north american indian', '')
    """
    if len(name) > _LONGEST:
        return ""
    previous, short = "", name.strip()
    while short != previous:
        previous = short
        short = _ARTICLES.sub("", _EDGES.sub("", _DATES.sub("", short)))
    words = content_words(short)
    if not any(word[0].isupper() for word in words) and len(words) < 2:
        return ""
    plain = re.sub(f"[{_QUOTES}]+", " ", re.sub(r"(?<=\w)['’](?=\w)", "", short))
    return " ".join(plain.casefold().split())
