"""How many content words of two texts can be aligned (DLS@CU; thesis 2.8.4).

:mod:`features.research.measures.alignment` aligns the words. ``kind: harmonic`` is the harmonic mean of the
shares of aligned content words of both sides, as in 2014; ``kind: share`` the aligned content words of both
sides over all of both, as in 2015. With ``opposed: zero`` texts of which one alone has a negation, or whose
aligned words are antonyms in WordNet, are 0, as the aligner of Samsung has it (2016, thesis 2.8.5).

Words are as alike as ``word`` says; ``paraphrases`` takes the place of the paraphrases of PPDB: words of one
synset, or those that another is derived from.
"""

from collections.abc import Iterator, Sequence
from itertools import starmap
from typing import ClassVar, Literal

import numpy as np
from pydantic import Field

from features.arrays import Arrays, Bools
from features.knowledge.resources import ResourceName, Resources
from features.measures.base import Columns, EvidencePair
from features.measures.matches import MOST
from features.measures.selections import ScopeReader, occurrences
from features.profiles.blocks import Block
from features.research.antonyms import Antonyms
from features.research.measures.alignment import AlignedWords, TaggedWord, align
from features.research.measures.texts import SharedRun, TextColumn, TextRows, TextSettings
from features.research.word_measures import WordMeasureName, needed_by, word_measure

AlignedKind = Literal["share", "harmonic"]
_NEGATIONS = frozenset(
    {"not", "n't", "no", "never", "none", "nobody", "nothing", "neither", "nor", "without"}
)


class AlignedSettings(TextSettings):
    """Aligned content words over one scope."""

    EXAMPLES = (
        {"scope": {"form": "lemma"}},
        {"kind": "harmonic", "word": "vectors", "opposed": "zero", "scope": {"form": "lemma"}},
    )
    cost: ClassVar[float] = 2000.0

    measure: Literal["aligned"] = Field(description="content words that can be aligned (DLS@CU)")
    kind: AlignedKind = Field(
        "share",
        description="`share`: aligned content words of both sides over all of both (2015); `harmonic`: the"
        " harmonic mean of the shares of either side (2014)",
    )
    word: WordMeasureName = Field("paraphrases", description="how alike two words are, as of `mihalcea`")
    opposed: Literal["keep", "zero"] = Field(
        "keep",
        description="`zero`: 0 where one side alone has a negation, or aligned words are antonyms",
    )

    @property
    def needs(self) -> tuple[ResourceName, ...]:
        """What the words are compared by, WordNet's antonyms, and what the scope is read with."""
        antonyms: tuple[ResourceName, ...] = ("wordnet",) if self.opposed == "zero" else ()
        return tuple(dict.fromkeys((*needed_by(self.word), *antonyms, *self.scope.needs)))

    def column(self, arrays: Arrays, resources: Resources, columns: Columns) -> "AlignedColumn":
        """The column over stored arrays; raises ``ResourceMissing``."""
        return AlignedColumn(self, ScopeReader(self.scope, resources), arrays, resources)


def aligned_share(
    kind: AlignedKind, left: Sequence[TaggedWord], right: Sequence[TaggedWord], pairs: Sequence[AlignedWords]
) -> float:
    """The share of content words that are aligned; both sides have some.

    Of 2 content words of one side and 3 of the other 2 pairs are aligned: 4 of 5; or the harmonic mean of 1
    and 2/3.

    >>> one = [TaggedWord(word, "NOUN") for word in ("boat", "sea")]
    >>> two = [*one, TaggedWord("gull", "NOUN")]
    >>> pairs = [AlignedWords(0, 0, 1.0), AlignedWords(1, 1, 1.0)]
    >>> aligned_share("share", one, two, pairs), aligned_share("harmonic", one, two, pairs)
    (0.8, 0.8)
    """
    sizes = [sum(word.is_content for word in words) for words in (left, right)]
    counts = [
        sum(left[pair.left].is_content for pair in pairs),
        sum(right[pair.right].is_content for pair in pairs),
    ]
    if kind == "share":
        return sum(counts) / sum(sizes)
    one, other = (count / size for count, size in zip(counts, sizes, strict=True))
    return 2 * one * other / (one + other) if one + other else 0.0


class AlignedColumn(TextColumn):
    """Texts compared by the words that stand for each other; a text is its words, each behind its tag."""

    def __init__(
        self, settings: AlignedSettings, reader: ScopeReader, arrays: Arrays, resources: Resources
    ) -> None:
        super().__init__(reader, arrays)
        self._settings, self._words = settings, word_measure(settings.word, resources)
        self._antonyms = Antonyms(resources.wordnet) if settings.opposed == "zero" else None

    def read(self, block: Block) -> TextRows:
        """The tagged words of the items of a block."""
        return TextRows.written(
            " ".join(starmap(_written, self._tagged(block, item))) for item in range(len(block))
        )

    def _tagged(self, block: Block, item: int) -> list[TaggedWord]:
        selection, terms = self._reader.of_item(block, item), block.lexicon.terms
        return [
            TaggedWord(terms[term], terms[tag])
            for term, tag in zip(selection.terms.tolist(), selection.tags.tolist(), strict=True)
        ]

    def informed(self, table: TextRows) -> Bools:
        """Which texts have a content word."""
        return np.array(
            [any(word.is_content for word in _words(table.text(row))) for row in range(len(table))], np.bool_
        )

    def similarity(self, one: str, other: str) -> float:
        """The share of aligned content words."""
        left, right = _words(one), _words(other)
        pairs = align(left, right, self._words)
        if self._antonyms is not None and self._opposed(left, right, pairs, self._antonyms):
            return 0.0
        return aligned_share(self._settings.kind, left, right, pairs)

    @staticmethod
    def _opposed(
        left: list[TaggedWord], right: list[TaggedWord], pairs: list[AlignedWords], antonyms: Antonyms
    ) -> bool:
        negated = [any(word.term in _NEGATIONS for word in words) for words in (left, right)]
        return negated[0] != negated[1] or any(
            antonyms.has(left[pair.left].term, right[pair.right].term) for pair in pairs
        )

    def spans(self, one: str, other: str) -> Iterator[SharedRun]:
        """None: words that are aligned need not be the same."""
        return iter(())

    def evidence(self, block: Block, left: int, right: int) -> tuple[EvidencePair, ...]:
        """The aligned content words, the most alike first, with their shares of those named."""
        here, there = (self._tagged(block, item) for item in (left, right))
        standing = [occurrences(block, self._reader.of_item(block, item)) for item in (left, right)]
        pairs = [pair for pair in align(here, there, self._words) if here[pair.left].is_content]
        best = sorted(pairs, key=lambda pair: -pair.alike)[:MOST]
        total = sum(pair.alike for pair in best)
        return tuple(
            EvidencePair((standing[0][pair.left],), (standing[1][pair.right],), pair.alike / total)
            for pair in best
        )


def _written(term: str, tag: str) -> str:
    """A word behind its tag, in one piece.

    >>> _written("new york", "PROPN"), _words("PROPN/new_york X//")
    ('PROPN/new_york', [TaggedWord(term='new_york', tag='PROPN'), TaggedWord(term='/', tag='X')])
    """
    return f"{tag}/{term.replace(' ', '_')}"


def _words(text: str) -> list[TaggedWord]:
    return [TaggedWord(term, tag) for tag, _, term in (word.partition("/") for word in text.split(" "))]
