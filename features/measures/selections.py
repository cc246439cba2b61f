"""What the scopes of features pick of a block of profiles.

The terms are those that ``ScopeReader.occurrences`` gives for each profile, in the same order.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from features.measures.scope import Scope, ScopeReader
from features.profiles.blocks import Block, Longs, kinds_bits, stretched
from features.text.names import creator_tokens

if TYPE_CHECKING:
    from features.knowledge.wordnet.places import Places


class Selection(NamedTuple):
    """Terms where they stand, in text order, a row a term; ``values`` are rows of the block's values.

    ``terms`` and ``tags`` are numbers of the block's lexicon.
    """

    values: Longs
    starts: Longs
    ends: Longs
    terms: Longs
    tags: Longs

    def at(self, rows: Longs) -> "Selection":
        """Some rows."""
        return Selection(*(column[rows] for column in self))

    def pairs(self) -> tuple[list[tuple[int, int]], Longs]:
        """The distinct pairs of a term and its tag, and which of them each row has."""
        pairs, which = np.unique(self.terms << 32 | self.tags, return_inverse=True)
        return list(zip((pairs >> 32).tolist(), (pairs & 0xFFFFFFFF).tolist(), strict=True)), which


def selection(block: Block, reader: ScopeReader) -> Selection:
    """What a scope picks of a block.

    >>> from features.profiles.profile import AnalysedValue, Profile
    >>> from features.text.annotation import Word
    >>> from features.knowledge.resources import Resources, ResourceSettings
    >>> from pathlib import Path
    >>> words = (Word(0, 3, "The", "the", "DET"), Word(4, 8, "Ships", "ship", "NOUN"))
    >>> block = Block([Profile((AnalysedValue("title", 0, words, ()),))])
    >>> nouns = Scope(tags=("NOUN",)).reader(Resources(ResourceSettings(), Path("state")))
    >>> [block.lexicon.terms[number] for number in selection(block, nouns).terms]
    ['ships']
    """
    return block.once(reader, lambda: _selected(block, reader))


def _selected(block: Block, reader: ScopeReader) -> Selection:
    own = _own(block, reader)
    others = [selection(block, other) for other in reader.also]
    return _joined(block, [own, *others]) if others else own


def _own(block: Block, reader: ScopeReader) -> Selection:
    """The selection of a scope without those that it is joined with."""
    scope = reader.scope
    if reader.places is not None:
        return _places(block, scope, reader.places)
    if scope.names:
        return _names(block, scope)
    return _expanded(block, reader, _words(block, scope))


def _words(block: Block, scope: Scope) -> Selection:
    words, lexicon = block.words, block.lexicon
    lemmas = scope.form == "lemma" or scope.expand != "none"
    terms = words.lemmas if lemmas else words.forms
    picked = block.within(scope.parts)[words.values] & lexicon.worded[terms]
    if scope.tags:
        picked &= np.isin(words.tags, lexicon.numbers(scope.tags))
    if scope.entities:
        picked &= (words.kinds & kinds_bits(scope.entities)) > 0
    if scope.lemmas:
        picked &= np.isin(words.lemmas, lexicon.lowered(scope.lemmas))
    if scope.boilerplate == "drop":
        picked &= ~words.boilerplate
    return Selection(words.values, words.starts, words.ends, terms, words.tags).at(np.flatnonzero(picked))


def _expanded(block: Block, reader: ScopeReader, own: Selection) -> Selection:
    """With every term that WordNet makes of a word in the word's place."""
    expand = reader.expansion
    if expand is None:
        return own
    lexicon = block.lexicon
    terms = lexicon.terms
    pairs, which = own.pairs()
    made = [lexicon.numbers(expand(terms[term], terms[tag])) for term, tag in pairs]
    sizes = np.array([len(each) for each in made], np.int64)
    first = np.cumsum(sizes) - sizes
    found = own.at(np.repeat(np.arange(len(which)), sizes[which]))
    numbers = np.concatenate([np.empty(0, np.int64), *made])
    return found._replace(terms=numbers[stretched(first[which], sizes[which])])


def _names(block: Block, scope: Scope) -> Selection:
    return _listed(
        block,
        [
            (row, name.start, name.end, token.lower())
            for row in np.flatnonzero(block.within(scope.parts)).tolist()
            for name in block.values[row].names
            for token in creator_tokens(name)
        ],
    )


def _places(block: Block, scope: Scope, places: "Places") -> Selection:
    found: list[tuple[int, int, int, str]] = []
    rows = iter(range(len(block.values)))
    for profile in block.profiles:
        own = {id(value): row for value, row in zip(profile.values, rows, strict=False)}
        values = [value for value in profile.values if value.part in scope.parts]
        for value, place in places.found(values):
            if scope.boilerplate == "drop" and any(
                start <= place.start < end for start, end in value.boilerplate
            ):
                continue
            found += [(own[id(value)], place.start, place.end, term) for term in place.terms]
    return _listed(block, found)


def _listed(block: Block, found: Sequence[tuple[int, int, int, str]]) -> Selection:
    """Terms without a part of speech."""
    standing = np.array([one[:3] for one in found], np.int64).reshape(-1, 3)
    return Selection(
        standing[:, 0],
        standing[:, 1],
        standing[:, 2],
        block.lexicon.numbers(one[3] for one in found),
        np.full(len(found), block.lexicon.number(""), np.int64),
    )


def _joined(block: Block, selections: Sequence[Selection]) -> Selection:
    """Selections as one, in text order; a term that two of them pick at a place counts once."""
    every = Selection(*(np.concatenate(columns) for columns in zip(*selections, strict=True)))
    at = block.places[every.values]
    span = (every.starts << 32) | every.ends
    # sorts are stable: of terms at one place those of the first selection come first
    order = np.lexsort((every.tags, every.terms, span, at))
    same = np.ones(len(order), np.bool_)
    for column in (at, span, every.terms, every.tags):
        same[1:] &= column[order][1:] == column[order][:-1]
    same[:1] = False
    kept = np.sort(order[~same])
    return every.at(kept[np.lexsort((span[kept], at[kept]))])
