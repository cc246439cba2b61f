"""What a scope picks of a block of profiles: the terms, each where it stands."""

from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np

from features.arrays import Bools, Longs
from features.facts.membership import memberships
from features.knowledge.resources import Resources
from features.knowledge.wordnet.expansion import expansion
from features.knowledge.wordnet.places import WordNetPlaces, places
from features.measures.scope import Scope
from features.profiles.blocks import Block, Lexicon, Words, kinds_bits, stretched
from features.profiles.creators import written
from features.profiles.profile import AnalysedValue, Occurrence
from features.text.annotation import Mention, Word
from features.text.names.figures import FIGURE, figures_in
from features.text.names.figures import may_begin as may_begin_figure
from features.text.names.names import creator_tokens
from features.text.names.scenes import may_begin as may_begin_scene
from features.text.names.scenes import scenes_in
from features.text.names.tables import NamedSpan
from features.text.notations import NOTATION, broader, notation_at
from features.text.word_lists import word_list

_Reader: TypeAlias = Callable[[Sequence[Word], Sequence[Mention]], tuple[NamedSpan, ...]]
"""What finds the names of a table in the words of a text."""


class TermSelection(NamedTuple):
    """Terms where they stand, in text order, a row a term; ``values`` are rows of the block's values.

    ``terms`` and ``tags`` are numbers of the block's lexicon.
    """

    values: Longs
    starts: Longs
    ends: Longs
    terms: Longs
    tags: Longs

    def at(self, rows: Longs) -> "TermSelection":
        """Some rows."""
        return TermSelection(*(column[rows] for column in self))

    def pairs(self) -> tuple[list[tuple[int, int]], Longs]:
        """The distinct pairs of a term and its tag, and which of them each row has."""
        pairs, which = np.unique(self.terms << 32 | self.tags, return_inverse=True)
        return list(zip((pairs >> 32).tolist(), (pairs & 0xFFFFFFFF).tolist(), strict=True)), which


class ScopeReader:
    """A scope with the resources that it needs; raises ``ResourceMissing`` where one is absent.

    >>> from features.profiles.profile import AnalysedValue, Profile
    >>> from features.text.annotation import Word
    >>> from features.knowledge.resources import Resources, ResourceSettings
    >>> from pathlib import Path
    >>> words = (Word(0, 3, "The", "the", "DET"), Word(4, 8, "Ships", "ship", "NOUN"))
    >>> block = Block([Profile((AnalysedValue("title", 0, words, ()),))])
    >>> nouns = ScopeReader(Scope(tags=("NOUN",)), Resources(ResourceSettings(), Path("state")))
    >>> [block.lexicon.terms[number] for number in nouns.selection(block).terms]
    ['ships']
    >>> occurrences(block, nouns.of_item(block, 0))
    [Occurrence(term='ships', part='title', index=0, start=4, end=8, tag='NOUN')]
    """

    def __init__(self, scope: Scope, resources: Resources) -> None:
        self.scope = scope
        self._also = tuple(ScopeReader(other, resources) for other in scope.also)
        # WordNet is opened for the scopes that need it only
        self._places = places(resources.wordnet) if scope.expand == "places" else None
        expands = scope.expand not in ("none", "places")
        self._expansion = expansion(resources.wordnet, scope.expand) if expands else None

    @property
    def key(self) -> Hashable:
        """Equal for readers that pick the same; a block is read once for each."""
        return self.scope

    def selection(self, block: Block) -> TermSelection:
        """The terms in a block in text order; one that WordNet makes stands where its word does."""
        return block.once(self.key, lambda: self._selected(block))

    def of_item(self, block: Block, item: int) -> TermSelection:
        """The terms in one item of a block."""
        every = self.selection(block)
        return block.once(
            (self.key, item), lambda: every.at(np.flatnonzero(block.items[every.values] == item))
        )

    def _selected(self, block: Block) -> TermSelection:
        if self._places is not None:
            own = self._nested_places(block, self._places)
        elif self.scope.names:
            own = _names(block, self.scope)
        elif self.scope.facts:
            own = _facts(block, self.scope)
        elif self.scope.notations:
            own = _notations(block, self.scope)
        elif self.scope.figures:
            own = _figures(block, self.scope)
        else:
            own = self._expanded(block, _words(block, self.scope))
        return _joined(block, [own, *(other.selection(block) for other in self._also)]) if self._also else own

    def _expanded(self, block: Block, own: TermSelection) -> TermSelection:
        """With every term that WordNet makes of a word in the word's place."""
        expand, lexicon = self._expansion, block.lexicon
        if expand is None:
            return own
        terms = lexicon.terms
        pairs, which = own.pairs()
        made = [lexicon.numbers(expand(terms[term], terms[tag])) for term, tag in pairs]
        sizes = np.array([len(each) for each in made], np.int64)
        first = np.cumsum(sizes) - sizes
        repeated = own.at(np.repeat(np.arange(len(which)), sizes[which]))
        numbers = np.concatenate([np.empty(0, np.int64), *made])
        return repeated._replace(terms=numbers[stretched(first[which], sizes[which])])

    def _nested_places(self, block: Block, places: WordNetPlaces) -> TermSelection:
        terms: list[tuple[int, int, int, str]] = []
        first = 0
        for profile in block.profiles:
            rows = {(value.part, value.index): row for row, value in enumerate(profile.values, first)}
            first += len(rows)
            values = [value for value in profile.values if value.part in self.scope.parts]
            for value, place in places.places_in(values):
                if not _is_dropped(value, place.start, self.scope):
                    row = rows[value.part, value.index]
                    terms += [(row, place.start, place.end, term) for term in place.terms]
        return _untagged(block, terms)


def occurrences(block: Block, selection: TermSelection) -> list[Occurrence]:
    """The rows of a selection as occurrences in the records."""
    terms, values = block.lexicon.terms, block.values
    return [
        Occurrence(terms[term], values[row].part, values[row].index, start, end, terms[tag])
        for row, start, end, term, tag in zip(*(column.tolist() for column in selection), strict=True)
    ]


def _words(block: Block, scope: Scope) -> TermSelection:
    words, lexicon = block.words, block.lexicon
    terms = words.lemmas if scope.form == "lemma" or scope.expand != "none" else words.forms
    picked = block.within(scope.parts)[words.values] & lexicon.worded[terms]
    if scope.tags:
        picked &= np.isin(words.tags, lexicon.numbers(scope.tags))
    if scope.entities:
        picked &= (words.kinds & kinds_bits(scope.entities)) > 0
    if scope.lemmas:
        picked &= np.isin(words.lemmas, lexicon.lowered(scope.lemmas))
    if scope.expand == "people":
        picked &= ~_names_person(words, lexicon)
    if scope.boilerplate == "drop":
        picked &= ~words.boilerplate
    if scope.context == "drop":
        picked &= ~words.context
    return TermSelection(words.values, words.starts, words.ends, terms, words.tags).at(np.flatnonzero(picked))


def _names_person(words: Words, lexicon: Lexicon) -> Bools:
    """Which words are the name of a person: Adam Smith is no smith. A rank in it says what somebody is."""
    within = (words.kinds & kinds_bits(("person",))) > 0
    is_name = words.tags == lexicon.number("PROPN")
    is_rank = np.isin(words.lemmas, lexicon.lowered(word_list("rank")))
    names: Bools = within & is_name & ~is_rank
    return names


def _names(block: Block, scope: Scope) -> TermSelection:
    return _untagged(
        block,
        [
            (row, name.start, name.end, token.lower())
            for row in np.flatnonzero(block.within(scope.parts)).tolist()
            for name in block.values[row].names
            for token in creator_tokens(name)
        ],
    )


def _notations(block: Block, scope: Scope) -> TermSelection:
    """Iconclass notations with all that they are part of: those of museums, and of scenes that texts name."""
    rows = np.flatnonzero(block.within(scope.parts)).tolist()
    worded = ((row, block.values[row]) for row in rows if block.values[row].words)
    given = [
        (row, value.words[0].start, value.words[-1].end, term)
        for row, value in worded
        for term in broader(notation_at(value.address)) or broader(written(value.words))
    ]
    scenes = _named(block, scope, scenes_in, may_begin_scene)
    named = [(row, scene.start, scene.end, term) for row, scene in scenes for term in broader(scene.name)]
    return _untagged(block, given + named, NOTATION)


def _figures(block: Block, scope: Scope) -> TermSelection:
    """The deities, saints and figures of stories."""
    named = _named(block, scope, figures_in, may_begin_figure)
    return _untagged(block, [(row, one.start, one.end, one.name) for row, one in named], FIGURE)


def _named(
    block: Block,
    scope: Scope,
    read: _Reader,
    may_begin: Callable[[str], bool],
) -> Iterator[tuple[int, NamedSpan]]:
    """What ``read`` finds named in the values that a scope sees, with their rows."""
    every = block.once(read, lambda: _all_named(block, read, may_begin))
    for row, named in every.items():
        value = block.values[row]
        if value.part in scope.parts:
            yield from ((row, one) for one in named if not _is_dropped(value, one.start, scope))


def _all_named(
    block: Block, read: _Reader, may_begin: Callable[[str], bool]
) -> dict[int, tuple[NamedSpan, ...]]:
    """What ``read`` finds in every value, by the row of the value."""
    # few values have a word that a name begins with
    forms, which = np.unique(block.words.forms, return_inverse=True)
    begins = np.array([may_begin(block.lexicon.terms[form]) for form in forms.tolist()], np.bool_)
    rows = np.unique(block.words.values[begins[which]]).tolist()
    every = {row: read(block.values[row].words, block.values[row].mentions) for row in rows}
    return {row: named for row, named in every.items() if named}


def _facts(block: Block, scope: Scope) -> TermSelection:
    """The names of what items are part of, and the addresses of those that the museum indexes."""
    terms: list[tuple[int, int, int, str]] = []
    facts: list[str] = []
    first = 0
    for profile in block.profiles:
        for at, name, fact in memberships(profile.values, scope.parts, scope.facts):
            value = profile.values[at]
            if not _is_dropped(value, name.start, scope):
                address = value.address if value.part == "part_of" else None
                own = [term for term in (name.name, address) if term]
                terms += [(first + at, name.start, name.end, term) for term in own]
                facts += [fact] * len(own)
        first += len(profile.values)
    return _untagged(block, terms)._replace(tags=block.lexicon.numbers(facts))


def _is_dropped(value: AnalysedValue, at: int, scope: Scope) -> bool:
    """Whether a scope leaves out what begins at an offset."""
    boilerplate = scope.boilerplate == "drop" and value.is_boilerplate(at)
    return boilerplate or (scope.context == "drop" and value.is_context(at))


def _untagged(block: Block, terms: Sequence[tuple[int, int, int, str]], tag: str = "") -> TermSelection:
    """Terms without a part of speech: value, start, end and term of each; all have one tag instead."""
    values, starts, ends = np.array([each[:3] for each in terms], np.int64).reshape(-1, 3).T
    numbers = block.lexicon.numbers(each[3] for each in terms)
    tags = np.full(len(terms), block.lexicon.number(tag), np.int64)
    return TermSelection(values, starts, ends, numbers, tags)


def _joined(block: Block, selections: Sequence[TermSelection]) -> TermSelection:
    """Selections as one, in text order; a term that two of them pick at a place counts once."""
    every = TermSelection(*(np.concatenate(columns) for columns in zip(*selections, strict=True)))
    at = block.places[every.values]
    span = (every.starts << 32) | every.ends
    # sorts are stable: of terms at one place those of the first selection come first
    order = np.lexsort((every.tags, every.terms, span, at))
    same = np.ones(len(order), np.bool_)
    for column in (at, span, every.terms, every.tags):
        same[1:] &= column[order][1:] == column[order][:-1]
    same[:1] = False
    distinct = np.sort(order[~same])
    return every.at(distinct[np.lexsort((span[distinct], at[distinct]))])
