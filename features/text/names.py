"""Names of persons and institutions in a creator field.

Catalogues write one name in many ways: inverted, with initials, titles, life dates, a role. The rules here
need no list of names; they read commas, particles, initials and the words that only firms bear.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Literal

import msgspec

from features.text import name_words as w
from features.text.name_parts import (
    bare_text,
    count_words,
    divide,
    fold,
    generation,
    inverted,
    join_particles,
    name_end,
    people_in,
    read_words,
    split,
    trim,
)
from features.text.placeholders import says_no_maker

Kind = Literal["person", "institution", "unknown"]


class Name(msgspec.Struct, frozen=True, array_like=True):
    """One name of a creator value.

    ``key`` is the name in lower case without accents, forenames before the surname, without titles and
    honours but with what tells namesakes apart (the elder, II, of Derby). ``role`` is what the value says
    that the name did (photographer, after, attributed to). ``text`` is ``value[start:end]``.

    >>> found = names("Photographer : Beglar, Joseph David")[0]
    >>> (found.kind, found.key, found.surname, found.forenames, found.role)
    ('person', 'joseph david beglar', 'beglar', ('joseph', 'david'), 'photographer')
    """

    kind: Kind
    key: str
    surname: str
    forenames: tuple[str, ...]
    role: str | None
    start: int
    end: int
    text: str


@lru_cache(maxsize=4096)  # collections repeat a few creators in most records
def names(text: str) -> tuple[Name, ...]:
    """The names of one creator value, in its order.

    >>> [name.key for name in names("Thomas Whipham and Charles Wright; Turner, J. M. W.")]
    ['thomas whipham', 'charles wright', 'j m w turner']
    >>> [(name.kind, name.key) for name in names("Aldridge & Stamper")]
    [('institution', 'aldridge stamper')]
    >>> names("unknown Austrian")[0].kind
    'unknown'
    """
    spans = split(bare_text(text), 0, len(text), re.compile(r";(?!\s*[0-9])"))
    return tuple(name for start, end in spans for name in _value(text, start, end))


def creator_tokens(name: Name) -> tuple[str, ...]:
    """The words of a name for term weighting: surname and forenames, or the words of an institution.

    >>> creator_tokens(names("Rembrandt Harmensz. van Rijn")[0])
    ('van', 'rijn', 'rembrandt', 'harmensz')
    >>> creator_tokens(names("Tiffany & Co.")[0])
    ('tiffany', 'co')
    """
    if name.kind == "unknown":
        return ()
    whole = " ".join((name.surname, *name.forenames)) if name.kind == "person" else name.key
    return tuple(word for word in re.findall(r"\w+", whole) if word not in _EMPTY)


_EMPTY = frozenset({"the", "of", "and", "for", "a"})


def _value(text: str, start: int, end: int) -> Iterator[Name]:
    """The names between two semicolons."""
    role, bare = None, bare_text(text)
    start = trim(text, start, end)[0]
    while not _nobody(text[start:end]) and (lead := _lead(bare, start, end)):
        start, role = lead[0], lead[1] or role
    if trade := w.TRADE_AFTER.search(text, start, end):
        role, end = role or trade["role"].lower(), trade.start()
    start, end = trim(text, start, end)
    if start < end and _nobody(text[start:end]):
        yield _other("unknown", text, start, end, role)
        return
    start, end = trim(bare, start, end)
    if re.search(r"\w", bare[start:end]) is None:
        return
    if (cut := w.CUT_AFTER.search(bare, start, end)) and w.INSTITUTION.search(
        bare[start : cut.start()]
    ) is None:
        end = trim(bare, start, cut.start())[1] if cut.start() > start else end
    members = list(_members(text, end))
    people = [] if members else people_in(bare, start, end)
    for span, surname in people:
        if says_no_maker(text[slice(*span)]):
            yield _other("unknown", text, *span, role)
        else:
            yield _person(text, bare, span, role, surname)
    if start < end and not people:
        yield _other("institution", text, start, end, role)
        yield from members


def _members(text: str, end: int) -> Iterator[Name]:
    """The people of ``Langlands & Bell (Ben Langlands and Nikki Bell)``."""
    if group := w.MEMBERS.match(text, end):
        for span in split(text, group.start(1), group.end(1), w.MEMBER_JOINER):
            cut = w.CUT_AFTER.search(text, *span)
            core = trim(text, span[0], cut.start() if cut else span[1])
            if count_words(text, core) > 1 and not w.INSTITUTION.search(text[slice(*core)]):
                yield _person(text, text, core, None, None)


def _nobody(text: str) -> bool:
    return says_no_maker(text) or w.SCHOOL.match(text) is not None


def _lead(bare: str, start: int, end: int) -> tuple[int, str | None] | None:
    """The end of a label or role before a name, and what it says."""
    if label := w.LABEL_BEFORE.match(bare, start, end):
        said = (label["label"] or "").strip().lower()
        return label.end(), None if said.endswith("s") or not said else said
    if role := w.ROLE_BEFORE.match(bare, start, end):
        return role.end(), role["role"].lower()
    return None


def _other(kind: Kind, text: str, start: int, end: int, role: str | None) -> Name:
    key = " ".join(re.findall(r"[\w'-]+", fold(text[start:end]))).removeprefix("the ")
    return Name(kind, key, "", (), role, start, end, text[start:end])


def _person(text: str, bare: str, span: tuple[int, int], role: str | None, surname: str | None) -> Name:
    start, end = span
    if (cut := w.CUT_AFTER.search(bare, start, end)) and cut.start() > start:
        end = trim(bare, start, cut.start())[1]
    core = name_end(bare, start, end)
    mark = generation(bare[core:end])
    if (comma := inverted(bare, start, end)) is not None:
        after = bare[comma + 1 : core].split(",")[0]
        given, family = join_particles(read_words(after), read_words(bare[start:comma]))
    else:
        comma = bare.find(",", start, core)
        lord = comma > 0 and w.LORD.match(bare, comma + 1, core)  # Frederic, Lord Leighton
        given, family = divide(
            read_words(bare[start : core if comma < 0 or lord else comma]) + read_words(surname or "")
        )
    if not family:
        return _other("unknown", text, start, end, role)
    joined = (*given, *family, *mark)
    if start > 0 and text[start - 1] == "[":
        start -= 1
    return Name("person", " ".join(joined), " ".join(family), given, role, start, end, text[start:end])
