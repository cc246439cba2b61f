"""Names of makers as numbers, and how sure it is that two of them are one person's or one firm's.

A form is the words of a name without particles, in no order: *Ando Hiroshige*, *Hiroshige Andō*. A word fits
itself, an initial a word that begins with it. Two forms are one name where every word of the shorter one
fits: the constants are the chance that it is then the same hand, from what the words leave open, not pairs.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple

import numpy as np

from features.arrays import Bools, Bytes, Doubles, Ints, Longs, Rows
from features.compiled import compiled
from features.measures.tables import starts_of
from features.text.names.cultures import likeness
from features.text.names.known import known_as
from features.text.names.names import NOBODY, Name, names
from features.text.names.words import PARTICLES

UNMARKED: Final = 0.8
"""One side names the generation of a family's namesakes (II, the Younger), the other does not."""
ONE_INITIAL: Final = 0.9  # a surname and one initial stand for surname and forename: J. Turner, John Turner
LONE: Final = 0.9
"""A single word stands for a fuller name that it fits, and no other name of the collection has it."""
CROWDED: Final = 0.25
"""What remains of that where very many names have the word: a surname such as Taylor is no one maker's."""
SCHOOL: Final = 0.65
"""East Asian names that share the name of a family, which is that of a school (Utagawa), or one name in two
generations (Pieter Brueghel the Elder, the Younger): they are taught by one another."""
FAMILY: Final = 0.35  # a surname is shared and the forenames differ: of one family, or by chance
_EMPTY: Final = PARTICLES | {"the", "of", "and", "for", "al", "el", "ibn", "bin", "abu"}
_GENERIC: Final = frozenset(
    re.findall(
        r"\w+",
        """
        academy and art arts associates atelier brothers cie class co company corp corporation factory fils
        firm gallery glassworks group house inc incorporated limited ltd manufactory manufacture manufacturer
        manufacturing master masters monogrammist painter partners porcelain potteries pottery press school
        society sons studio studios works workshop workshops
        """,
    )
)
"""Words that many firms and masters without a name are called by: alone they name no maker."""
_MARKS: Final = {
    "the elder": 1, "the younger": 2, "i": 1, "ii": 2, "iii": 3, "iv": 4, "v": 5, "vi": 6, "vii": 7,
    "1st": 1, "2nd": 2, "3rd": 3, "4th": 4, "5th": 5, "6th": 6, "7th": 7, "8th": 8, "9th": 9, "10th": 10,
}  # fmt: skip
_INSIDE: Final = frozenset({"ii", "iii", "iv", "vi", "vii"})
"""Numbers of a generation that no word of a name is."""
_INITIAL: Final = 1
_FAMILY: Final = 2


class NameForm(NamedTuple):
    """The words of a name, ascending, with what is known of each; see :func:`forms_of`."""

    words: tuple[str, ...]
    family: tuple[bool, ...]
    mark: int
    eastern: bool
    firm: bool


def forms_of(name: Name) -> tuple[NameForm, ...]:
    """A name and the other names of its maker, also one under which the maker is known; none of a culture.

    ``family`` marks the words of the surname: in an East Asian name also the first, which most catalogues
    give before the artist's own. ``mark`` is the generation, 0 where none is named.

    >>> from features.text.names.names import names
    >>> [form.words for form in forms_of(names("Kunisada (Toyokuni III)")[0])]
    [('kunisada', 'utagawa'), ('toyokuni',)]
    >>> [form.words for form in forms_of(names("Titian")[0])]
    [('tiziano', 'vecellio')]
    >>> forms_of(names("Utagawa Toyokuni III (Japanese, 1786-1864)")[0])[0].family
    (True, True)
    """
    if name.kind in NOBODY:
        return ()
    eastern = any(likeness(culture.key, "east asian") > 0.4 for culture in name.cultures)
    forms = (_form(each, eastern) for own in (name, *name.others) for each in _also_known(own))
    return tuple(dict.fromkeys(filter(None, forms)))


def _also_known(name: Name) -> tuple[Name, ...]:
    """A name and that under which the maker is known; in place of a single word, which others have too."""
    known = known_as(name.key)
    if known is None:
        return (name,)
    return names(known) if " " not in name.key else (name, *names(known))


def _form(name: Name, eastern: bool) -> NameForm | None:
    mark = _MARKS.get(name.mark, 0)
    words = _words(name.key.removesuffix(name.mark) if mark else name.key)
    mark = mark or next((_MARKS[word] for word in words[1:] if word in _INSIDE), 0)
    words = [word for word in words if word not in _EMPTY | _INSIDE]
    words = [word for word in words if word not in _GENERIC] or words
    if not any(len(word) > 1 for word in words):
        return None
    family = set(_words(name.surname)) | ({words[0]} if eastern else set())
    distinct = sorted(set(words))
    firm = name.kind == "institution"
    return NameForm(tuple(distinct), tuple(word in family for word in distinct), mark, eastern, firm)


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.replace("'", ""))


def fellows(forms: Sequence[NameForm]) -> Iterator[tuple[str, str]]:
    """Every word of persons' names with the first letter of another that stands beside it."""
    for form in forms:
        for word in () if form.firm else form.words:
            if other := next((each for each in form.words if each != word), ""):
                yield word, other[0]


class MakerForms(NamedTuple):
    """Forms of some makers as arrays: those of maker m from ``starts[m]`` to ``starts[m + 1]``.

    Form f has the words from ``word_starts[f]`` to ``word_starts[f + 1]``, with their first ``letters`` and
    ``flags``: initial (1), of the surname (2). ``marks`` are the generations of the forms; ``nations`` is a
    number of the maker's culture, -1 where none is known.
    """

    starts: Longs
    word_starts: Longs
    words: Ints
    letters: Ints
    flags: Bytes
    marks: Bytes
    eastern: Bools
    firms: Bools
    nations: Ints


def forms_table(
    makers: Sequence[Sequence[NameForm]], nations: Sequence[int], number: Callable[[str], int]
) -> MakerForms:
    """The forms of some makers; ``number`` gives the number of a word."""
    forms = [form for each in makers for form in each]
    words = [word for form in forms for word in form.words]
    flags = [
        _INITIAL * (len(word) == 1) + _FAMILY * family
        for form in forms
        for word, family in zip(form.words, form.family, strict=True)
    ]
    return MakerForms(
        starts_of(map(len, makers)),
        starts_of(len(form.words) for form in forms),
        np.array([number(word) for word in words], np.int32),
        np.array([ord(word[0]) for word in words], np.int32),
        np.array(flags, np.uint8),
        np.array([form.mark for form in forms], np.uint8),
        np.array([form.eastern for form in forms], np.bool_),
        np.array([form.firm for form in forms], np.bool_),
        np.array(nations, np.int32),
    )


def same_hand(left: MakerForms, maker: int, right: MakerForms, some: Rows, fellowship: Ints) -> Doubles:
    """How sure it is that a maker is each of some others: the best of their forms, float64[some].

    ``fellowship[w]`` is with how many different letters the words begin that stand beside word w in the
    names of the collection; a word beyond its end is in none.
    """
    first, last = left.word_starts[left.starts[maker : maker + 2]]
    bounds = right.word_starts[right.starts]
    sharing = np.flatnonzero(_sharing(left.words[first:last], right.words, bounds, some))
    sure = np.zeros(len(some))
    sure[sharing] = _compared(left, maker, right, some[sharing], fellowship)
    return sure


@compiled
def _sharing(own: Ints, words: Ints, bounds: Longs, some: Rows) -> Bools:
    """Which of some makers, whose words are ``words[bounds[m]:bounds[m + 1]]``, have one of these words."""
    sharing = np.zeros(len(some), np.bool_)
    for n in range(len(some)):
        for at in range(bounds[some[n]], bounds[some[n] + 1]):
            for word in own:
                if word == words[at]:
                    sharing[n] = True
    return sharing


@compiled
def _compared(left: MakerForms, maker: int, right: MakerForms, some: Rows, fellowship: Ints) -> Doubles:
    """How sure it is that a maker is each of some others."""
    sure = np.zeros(len(some))
    for n in range(len(some)):
        other = some[n]
        for i in range(left.starts[maker], left.starts[maker + 1]):
            for j in range(right.starts[other], right.starts[other + 1]):
                one_nation = left.nations[maker] >= 0 and left.nations[maker] == right.nations[other]
                sure[n] = max(sure[n], _same(left, i, right, j, fellowship, one_nation))
    return sure


@compiled
def _same(left: MakerForms, i: int, right: MakerForms, j: int, fellowship: Ints, one_nation: bool) -> float:
    """How sure it is that two forms are of one maker."""
    exact, family, word = _shared(left, i, right, j)
    if word < 0:
        return 0.0
    either = left.eastern[i] or right.eastern[j]
    firms = left.firms[i] and right.firms[j]
    one, two = left.marks[i], right.marks[j]
    sizes = (left.word_starts[i + 1] - left.word_starts[i], right.word_starts[j + 1] - right.word_starts[j])
    shorter = min(sizes)
    initials = _initials(left, i, right, j) if exact < shorter else 0
    if exact + initials < shorter:
        if firms:
            return float(FAMILY * exact / shorter)
        return (SCHOOL if either else FAMILY) if family else 0.0
    if one != two and min(one, two) > 0:
        return SCHOOL
    sure = 1.0 if one == two else UNMARKED
    if initials == 1 and shorter == 2:
        return sure * ONE_INITIAL
    certain = firms or (one == two and one > 0) or (one_nation and sizes[0] == sizes[1])
    if shorter > 1 or certain:
        return sure
    beside = fellowship[word] if word < len(fellowship) else 0
    if beside <= 1:
        return sure * (1.0 if sizes[0] == sizes[1] else LONE)
    return sure * (CROWDED + (LONE - CROWDED) / beside)


@compiled
def _shared(left: MakerForms, i: int, right: MakerForms, j: int) -> tuple[int, bool, int]:
    """How many words are equal, whether one is a family's name on both sides, and one that is no initial."""
    exact, family, word = 0, False, -1
    least = 1 if left.eastern[i] or right.eastern[j] else 2
    for a in range(left.word_starts[i], left.word_starts[i + 1]):
        for b in range(right.word_starts[j], right.word_starts[j + 1]):
            if left.words[a] == right.words[b]:
                exact += 1
                if left.flags[a] & _INITIAL == 0:
                    word = left.words[a]
                    sides = (left.flags[a] & _FAMILY) + (right.flags[b] & _FAMILY)
                    family = family or sides >= _FAMILY * least
    return exact, family, word


@compiled
def _initials(left: MakerForms, i: int, right: MakerForms, j: int) -> int:
    """How many words of two forms that are not equal fit one another by an initial on either side."""
    first, last = left.word_starts[i], left.word_starts[i + 1]
    begin, end = right.word_starts[j], right.word_starts[j + 1]
    used = np.zeros(end - begin, np.bool_)
    fitting = 0
    for a in range(first, last):
        if (right.words[begin:end] == left.words[a]).any():
            continue
        for b in range(begin, end):
            free = not used[b - begin] and not (left.words[first:last] == right.words[b]).any()
            one_initial = (left.flags[a] & _INITIAL) + (right.flags[b] & _INITIAL) == _INITIAL
            if free and one_initial and left.letters[a] == right.letters[b]:
                used[b - begin] = True
                fitting += 1
                break
    return fitting
