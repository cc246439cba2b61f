"""Names of persons and institutions in a creator field.

The rules need no list of names; they read commas, particles, initials and the words that only firms bear.
"""

import re
from collections.abc import Iterator
from itertools import pairwise, zip_longest
from typing import Final, Literal

import msgspec
from msgspec.structs import replace

from features.text.caches import text_cache
from features.text.names import parts
from features.text.names import words as w
from features.text.names.cultures import Culture, culture_of, cultures_in, only_cultures
from features.text.names.makers import nation_of
from features.text.names.parts import bare_text, count_words, cut_at, fold, read_words, split, trim
from features.text.names.placeholders import says_no_maker
from features.text.places.gazetteer import gazetteer

NameKind = Literal["person", "institution", "culture", "unknown"]

NOBODY: Final = frozenset({"culture", "unknown"})
"""Kinds of names that are no person's and no institution's."""
_EMPTY = frozenset({"the", "of", "and", "for", "a"})
_ASIDE: Final = re.compile(r"[(,]")
_BRACKETS: Final = re.compile(r"\(([^()]*)")
_BEHIND: Final = re.compile(r",([^,()]*)")
_CALLED: Final = re.compile(
    r"(?i:\s*(?:(?:(?:also|formerly|better|later) )?(?:called|known as|named)|alias|dite?|detto|genannt"
    r"|née?|born|formerly|or|real name|i\.e\.)\b[ :]*)?"
)
# possessive: a run of capitals could else be parted in ever more ways
_ALIAS: Final = re.compile(r"(?:[^\W\d_a-z][\w'’.-]*+|[a-z]++|\s++)++")
_NO_ALIAS: Final = re.compile(rf"(?:[IVX]+|(?i:{w.TRADES}))s?\Z|(?i:now|with|after|by|of|in|on)\b")
_FORENAMES: Final = frozenset({"roman", "german", "norman", "frans"})
"""Cultures that are forenames too: behind one word and a comma they are read as these."""
_LANDS: Final = frozenset({"country", "continent", "part"})


class Name(msgspec.Struct, frozen=True, array_like=True):
    """One name of a creator value.

    ``key`` is the name in lower case without accents, forenames before the surname, without titles but with
    what tells namesakes apart. ``role`` is what the value says that the name did (photographer, after).
    ``text`` is ``value[start:end]``. A value that names no one but a culture is of kind ``culture``.
    ``cultures`` are those of the maker: those that brackets or the last comma tell, or, where these tell
    none, that of a known maker (:mod:`.makers`), with the offsets of the name.
    ``others`` are further names of the same maker: Kunisada (Toyokuni III).

    >>> found = names("Photographer : Beglar, Joseph David")[0]
    >>> (found.kind, found.key, found.surname, found.forenames, found.role)
    ('person', 'joseph david beglar', 'beglar', ('joseph', 'david'), 'photographer')
    >>> found = names("Kunisada (Toyokuni III) (Japanese, 1786-1864)")[0]
    >>> found.key, [other.key for other in found.others], [culture.key for culture in found.cultures]
    ('kunisada', ['toyokuni iii'], ['japanese'])
    """

    kind: NameKind
    key: str
    surname: str
    forenames: tuple[str, ...]
    role: str | None
    start: int
    end: int
    text: str
    cultures: tuple[Culture, ...] = ()
    others: tuple["Name", ...] = ()

    @property
    def made(self) -> bool:
        """Whether the role, if there is one, is a maker's: a patron, an owner or a donor made nothing."""
        return self.role is None or w.NO_MAKER.search(self.role) is None

    @property
    def mark(self) -> str:
        """What the key has behind forenames and surname: what tells namesakes apart.

        >>> names("Jan van de Velde II")[0].mark, names("Rembrandt")[0].mark
        ('ii', '')
        """
        return self.key.removeprefix(" ".join((*self.forenames, self.surname))).strip()


@text_cache(4096, longest=300)  # collections repeat a few creators in most records
def names(text: str) -> tuple[Name, ...]:
    """The names of one creator value, in its order.

    >>> [name.key for name in names("Thomas Whipham and Charles Wright; Turner, J. M. W.")]
    ['thomas whipham', 'charles wright', 'j m w turner']
    >>> [(name.kind, name.key) for name in names("Aldridge & Stamper")]
    [('institution', 'aldridge stamper')]
    >>> [(name.kind, name.key, name.text) for name in names("unknown Austrian")]
    [('culture', 'austrian', 'Austrian')]
    """
    spans = split(bare_text(text), 0, len(text), re.compile(r";(?!\s*[0-9])"))
    values = pairwise([*(start for start, _ in spans), len(text)])
    return tuple(name for start, end in values for name in _with_asides(text, start, end))


def creator_tokens(name: Name) -> tuple[str, ...]:
    """The words of a name for term weighting: surname and forenames, or those of an institution or a culture.

    >>> creator_tokens(names("Rembrandt Harmensz. van Rijn")[0])
    ('van', 'rijn', 'rembrandt', 'harmensz')
    >>> creator_tokens(names("Tiffany & Co.")[0])
    ('tiffany', 'co')
    """
    if name.kind == "unknown":
        return ()
    whole = " ".join((name.surname, *name.forenames)) if name.kind == "person" else name.key
    return tuple(word for word in re.findall(r"\w+", whole) if word not in _EMPTY)


def _with_asides(text: str, start: int, end: int) -> Iterator[Name]:
    """The names between two semicolons, with what stands beside each up to the next."""
    within = list(_value(text, start, end))
    for name, following in zip_longest(within, within[1:]):
        beyond = following.start if following else end
        if name.kind in NOBODY:
            yield name
            continue
        aside = _ASIDE.search(text, name.start, beyond) is not None
        cultures = tuple(_nations(text, name, beyond)) if aside else ()
        others = tuple(_other_names(text, name, beyond)) if aside else ()
        yield replace(name, cultures=cultures or _known_nation(name), others=others)


def _known_nation(name: Name) -> tuple[Culture, ...]:
    nation = nation_of(name.key)
    return (Culture(nation, name.start, name.end),) if nation else ()


def _nations(text: str, name: Name, beyond: int) -> Iterator[Culture]:
    """The cultures of a maker, which brackets name, or which stand alone between commas behind the name."""
    for pattern, cultures, first in (_BRACKETS, cultures_in, name.start), (_BEHIND, only_cultures, name.end):
        for span in pattern.finditer(text, first, beyond):
            for key, start, end in cultures(span[1]):
                yield Culture(key, start + span.start(1), end + span.start(1))


def _other_names(text: str, name: Name, beyond: int) -> Iterator[Name]:
    """Other names of a maker, in brackets: capitalised words, no remark, trade or nation.

    A single word beside a single word completes it: Hokusai (Katsushika).
    """
    for bracket in _BRACKETS.finditer(text, name.start, beyond):
        lead = _CALLED.match(text, bracket.start(1), bracket.end(1))
        start, end = trim(text, lead.end() if lead else bracket.start(1), bracket.end(1))
        alias = text[start:end]
        no_name = _NO_ALIAS.match(alias) or w.PLACES.match(alias) or w.INSTITUTION.search(alias)
        if _ALIAS.fullmatch(alias) and alias[0].isupper() and not (no_name or cultures_in(alias)):
            whole = alias if " " in name.text or " " in alias else f"{alias} {name.text}"
            for other in _value(whole, 0, len(whole)):
                if other.kind not in NOBODY:
                    yield replace(other, start=start, end=end, text=alias)


def _value(text: str, start: int, end: int) -> Iterator[Name]:
    """The names between two semicolons, without what stands beside them."""
    bare = bare_text(text)
    role, start, end = _role(text, bare, start, end)
    if start < end and _no_name(text[start:end]):
        yield from _nobody(text, start, end, role)
        return
    start, end = trim(bare, start, end)
    if re.search(r"\w", bare[start:end]) is None:
        return
    end = _end(bare, start, end)
    members = list(_members(text, end))
    people = [] if members else parts.people_in(bare, start, end)
    for span, surname in people:
        nameless = says_no_maker(text[slice(*span)])
        yield _other("unknown", text, *span, role) if nameless else _person(text, bare, span, role, surname)
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


def _no_name(text: str) -> bool:
    if says_no_maker(text) or only_cultures(text) or only_cultures(bare_text(text)):
        return True
    return _country(text) is not None


def _country(text: str) -> str | None:
    """The country or continent that a value is and no more: France, Nederland."""
    place = gazetteer().named(bare_text(text).strip(" .?"))
    return place if place and gazetteer()[place].kind in _LANDS else None


def _nobody(text: str, start: int, end: int, role: str | None) -> Iterator[Name]:
    """The cultures of a value that names no one, or that it names no one."""
    cultures = cultures_in(text[start:end], capital=False)
    for key, first, beyond in cultures:
        own = Culture(key, first + start, beyond + start)
        yield Name("culture", key, "", (), role, own.start, own.end, text[own.start : own.end], (own,))
    if not cultures:
        country = _country(text[start:end])
        if key := culture_of(country) if country else "":
            own = Culture(key, start, end)
            yield Name("culture", key, "", (), role, start, end, text[start:end], (own,))
        else:
            yield _other("unknown", text, start, end, role)


def _role(text: str, bare: str, start: int, end: int) -> tuple[str | None, int, int]:
    """What a value says that its names did, and where these stand; a model's role goes before others."""
    role, start = None, trim(text, start, end)[0]
    while not _no_name(text[start:end]) and (lead := _lead(bare, start, end)):
        start, role = lead[0], role if role and w.MODEL.search(role) else lead[1] or role
    if trade := w.TRADE_AFTER.search(text, start, end):
        role, end = role or trade["role"].lower(), trade.start()
    return role, *trim(text, start, end)


def _end(bare: str, start: int, end: int) -> int:
    """Where names end that life dates or a nation follow: ``Calder, American``, not ``Polanski, Roman``."""
    if (cut := cut_at(w.CUT_AFTER, bare, start, end)) and w.INSTITUTION.search(bare[start:cut]) is None:
        end = trim(bare, start, cut)[1]
    comma = bare.rfind(",", start, end)
    if comma < 0 or not only_cultures(bare[comma:end]):
        return end
    forename = count_words(bare, (start, comma)) < 2 and fold(bare[comma + 1 : end].strip()) in _FORENAMES
    return end if forename else trim(bare, start, comma)[1]


def _lead(bare: str, start: int, end: int) -> tuple[int, str | None] | None:
    """The end of a label or role before a name, and what it says."""
    if label := w.LABEL_BEFORE.match(bare, start, end):
        trade = (label["label"] or "").strip().lower()
        return label.end(), None if trade.endswith("s") or not trade else trade
    if role := w.ROLE_BEFORE.match(bare, start, end):
        return role.end(), _english(role["role"].lower())
    return None


def _english(role: str) -> str:
    """The English of a role: *naar* and *d'après* are *after*."""
    meant = (english for english, forms in w.OTHER_ROLES.items() if re.fullmatch(forms, role))
    return next(meant, role)


def _other(kind: NameKind, text: str, start: int, end: int, role: str | None) -> Name:
    key = " ".join(re.findall(r"[\w'-]+", fold(bare_text(text)[start:end]))).removeprefix("the ")
    return Name(kind, key, "", (), role, start, end, text[start:end])


def _person(text: str, bare: str, span: tuple[int, int], role: str | None, surname: str | None) -> Name:
    start, end = span
    if cut := cut_at(w.CUT_AFTER, bare, start, end):
        end = trim(bare, start, cut)[1]
    core = parts.name_end(bare, start, end)
    mark = parts.generation(bare[core:end])
    if (comma := parts.inverted(bare, start, end)) is not None:
        after = bare[comma + 1 : core].split(",")[0]
        given, family = parts.join_particles(read_words(after), read_words(bare[start:comma]))
    else:
        comma = bare.find(",", start, core)
        lord = comma > 0 and w.LORD.match(bare, comma + 1, core)  # Frederic, Lord Leighton
        own = bare[start : core if comma < 0 or lord else comma]
        given, family = parts.divide(read_words(own) + read_words(surname or ""))
    if not family:
        return _other("unknown", text, start, end, role)
    joined = (*given, *family, *mark)
    if start > 0 and text[start - 1] == "[":
        start -= 1
    return Name("person", " ".join(joined), " ".join(family), given, role, start, end, text[start:end])
