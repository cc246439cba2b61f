"""The makers of items as a table, and the keys by which a search engine looks them up."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from features.arrays import Bools, Bytes, Hashes, Ints, Longs
from features.measures.name_forms import MakerForms
from features.measures.searchable import SearchStep
from features.measures.tables import Table

CULTURE: Final = 0.6  # two makers that are one culture: a school, of which nobody is named
CULTURES: Final = "cultures"  # the list of the keys that are cultures
_WORD: Final = 0.2  # two makers with one word of a name in common: it is mostly another's


@dataclass(frozen=True, slots=True, eq=False)
class Makers(Table):
    """The makers of every item, as numbers of the distinct makers of the table.

    Beside the forms of their names (see ``MakerForms``) stand their cultures, those of maker m
    ``cultures[culture_starts[m]:culture_starts[m + 1]]`` as places among
    :func:`features.text.names.cultures.keys`; whether the name is only a model's (``distant``); and a digest
    of the maker's address, 0 where it has none.
    """

    LISTS = ("makers",)
    SHARED = (
        *("form_starts", "word_starts", "words", "letters", "flags", "marks", "eastern", "firms", "nations"),
        *("culture_starts", "cultures", "distant", "addresses"),
    )

    starts: Longs
    makers: Ints
    form_starts: Longs
    word_starts: Longs
    words: Ints
    letters: Ints
    flags: Bytes
    marks: Bytes
    eastern: Bools
    firms: Bools
    nations: Ints
    culture_starts: Longs
    cultures: Ints
    distant: Bools
    addresses: Hashes

    @property
    def forms(self) -> MakerForms:
        """The forms of the distinct makers."""
        return MakerForms(
            self.form_starts, self.word_starts, self.words, self.letters, self.flags, self.marks,
            self.eastern, self.firms, self.nations,
        )  # fmt: skip

    @property
    def named(self) -> Bools:
        """Which of the distinct makers are people or firms."""
        return np.diff(self.form_starts) > 0


def keys(table: Makers) -> Iterator[dict[str, list[str]]]:
    """The words and addresses of the makers of every row, and their cultures."""
    for row in range(len(table)):
        words, cultures = set[str](), set[int]()
        for maker in table.makers[table.starts[row] : table.starts[row + 1]].tolist():
            words.update((*_words(table, maker), *_address(table, maker)))
            first, beyond = table.culture_starts[maker : maker + 2]
            cultures.update(table.cultures[first:beyond].tolist())
        yield {"": sorted(words), CULTURES: [str(one) for one in sorted(cultures)]}


def steps(row: Makers) -> list[SearchStep]:
    """Makers that share a word of the name; a culture; all words of the name, or the address."""
    (own,) = keys(row)
    names = (of(row, maker) for maker in row.makers.tolist() for of in (_words, _address))
    every = (
        SearchStep(_WORD, tuple((word,) for word in own[""])),
        SearchStep(CULTURE, tuple((culture,) for culture in own[CULTURES]), CULTURES),
        SearchStep(1.0, tuple(tuple(name) for name in names if name)),
    )
    return [step for step in every if step.groups]


def _words(table: Makers, maker: int) -> list[str]:
    """The words of the first form of a maker's name."""
    first, beyond = table.form_starts[maker : maker + 2]
    if first == beyond:
        return []
    words = table.words[table.word_starts[first] : table.word_starts[beyond]].tolist()
    return [str(word) for word in sorted(set(words))]


def _address(table: Makers, maker: int) -> list[str]:
    """What stands for the address of a maker in the file of an authority, where it has one."""
    number = int(table.addresses[maker])
    return [f"@{number:x}"] if number else []
