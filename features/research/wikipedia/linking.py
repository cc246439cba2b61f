"""Links the words of a profile to articles: which words name an article, and which one they mean.

Words are matched with surfaces, the longest first. A surface with several candidates means the one of
the highest ``commonness * (relatedness + floor)``, where relatedness is the mean over the articles that
the item names without ambiguity (Milne & Witten 2008; their product is that of Medelyan, Witten & Milne
2008). The floor lets commonness decide where the item says nothing else.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain, islice
from math import isnan, log
from typing import NamedTuple

import numpy as np

from features.arrays import Bools, Hashes, Ints, Longs
from features.profiles.blocks import stretched
from features.profiles.profile import AnalysedValue, Occurrence, Profile
from features.research.wikipedia.phrases import Matcher, unit_keys, units
from features.research.wikipedia.store import Wikipedia
from features.text.annotation import Mention, Word
from features.text.caches import text_cache
from features.text.names.names import NOBODY, Name
from ingest.record import INDEXED

SURE = 0.95
"""A surface is unambiguous where one candidate is at least so common."""
FLOOR = 0.05
"""Added to relatedness, which lies in [0, 1]."""
LEAST_COMMON = 0.02
"""Candidates of less commonness are not considered."""
LEAST_LINKED = 0.03
"""A surface of one word is linked where its link probability is at least this."""
LEAST_SHORTENED = 0.05
"""The same where the surface is a title without its qualifier, as in 'Queen (band)'."""
_CONTEXT, _CANDIDATES = 12, 8
_JOINING = frozenset(("of", "for", "&"))
_NOT_TEXT = frozenset(("creator", "date", *INDEXED)) - {"places"}
"""Parts that are not read as text: creators are read as names, dates name no article, and of what is indexed
beside the six fields the places alone are read."""
_WITHIN = frozenset(",'’-–&/")
"""Marks that a surface may hold."""


class _Text(NamedTuple):
    """Units of some values: number, place of the value, word in it, whether a surface may begin or end."""

    keys: Hashes
    values: Longs
    words: Longs
    opens: Bools
    closes: Bools

    @classmethod
    def of(cls, values: Sequence[AnalysedValue]) -> "_Text":
        keys = [unit_keys(word.form) for value in values for word in value.words]
        sizes = np.fromiter(map(len, keys), np.int64, len(keys))
        lengths = np.array([len(value.words) for value in values], np.int64)
        ends = np.cumsum(sizes)
        opens = np.zeros(sizes.sum(), np.bool_)
        closes = np.zeros(len(opens), np.bool_)
        opens[(ends - sizes)[sizes > 0]] = True
        closes[ends[sizes > 0] - 1] = True
        return cls(
            np.fromiter(chain.from_iterable(keys), np.uint64, len(opens)),
            np.repeat(np.repeat(np.arange(len(values)), lengths), sizes),
            np.repeat(stretched(np.zeros(len(values), np.int64), lengths), sizes),
            opens,
            closes,
        )


class Link(NamedTuple):
    """An article, and the words that name it."""

    article: int
    where: Occurrence


class _Span(NamedTuple):
    """Words that name an article: the row of their surface, and where they stand."""

    row: int
    where: Occurrence


class Linker:
    """Links to the articles of one Wikipedia."""

    def __init__(self, wikipedia: Wikipedia) -> None:
        self.wikipedia = wikipedia
        arrays = wikipedia.arrays
        self._matcher = Matcher(arrays)
        self._starts = np.asarray(arrays["candidates-starts"], np.int64)
        self._candidates = np.asarray(arrays["candidates"], np.int32)
        self._commonness = np.asarray(arrays["commonness"], np.float32)
        self._probability = np.asarray(arrays["probability"], np.float32)
        self._whole = np.asarray(arrays["whole"], np.bool_)
        self._surface = text_cache(100_000)(self._surface_of)
        self._related = lru_cache(maxsize=100_000)(self._relatedness)

    def links(self, profiles: Sequence[Profile]) -> list[tuple[Link, ...]]:
        """Every article that each profile names, in text order; many at once take less time."""
        by_value = self._spans([value for profile in profiles for value in profile.values])
        linked = []
        for profile in profiles:
            spans = list(chain.from_iterable(islice(by_value, len(profile.values))))
            senses = self._senses({span.row for span in spans})
            linked.append(tuple(Link(senses[span.row], span.where) for span in spans))
        return linked

    def _senses(self, rows: set[int]) -> dict[int, int]:
        senses: dict[int, int] = {}
        open_rows = []
        for row in sorted(rows):
            start, end = int(self._starts[row]), int(self._starts[row + 1])
            # candidates stand by falling commonness
            if end - start == 1 or self._commonness[start] >= SURE:
                senses[row] = int(self._candidates[start])
            else:
                open_rows.append(row)
        # what few articles link to says most about the item
        by_links = sorted((len(self.wikipedia.inlinks(each)) or 1 << 30, each) for each in {*senses.values()})
        context = [article for _, article in by_links[:_CONTEXT]]
        for row in open_rows:
            senses[row] = self._best(row, context)
        return senses

    def _best(self, row: int, context: list[int]) -> int:
        start = int(self._starts[row])
        scores: dict[int, float] = {}
        for at in range(start, min(int(self._starts[row + 1]), start + _CANDIDATES)):
            if at == start or self._commonness[at] >= LEAST_COMMON:
                article = int(self._candidates[at])
                related = sum(self._related(*sorted((article, other))) for other in context)
                mean = related / len(context) if context else 0.0
                scores[article] = float(self._commonness[at]) * (mean + FLOOR)
        return max(scores, key=lambda article: (scores[article], -article))

    def _relatedness(self, left: int, right: int) -> float:
        pages = self.wikipedia
        return relatedness(pages.inlinks(left), pages.inlinks(right), len(pages))

    def _spans(self, values: Sequence[AnalysedValue]) -> Iterator[list[_Span]]:
        texts = [value for value in values if value.part not in _NOT_TEXT]
        read = self._texts(texts)
        for value in values:
            if value.part == "creator":
                yield list(self._names(value))
            else:
                yield [] if value.part in _NOT_TEXT else next(read)

    def _texts(self, values: Sequence[AnalysedValue]) -> Iterator[list[_Span]]:
        text = _Text.of(values)
        starts, lengths, rows = self._matcher.matches(text.keys, text.values)
        possible = text.opens[starts] & text.closes[starts + lengths - 1]
        starts, lengths, rows = starts[possible], lengths[possible], rows[possible]
        # the longest surface from each place, places from left to right
        order = np.lexsort((-lengths, starts))
        starts, lengths, rows = starts[order], lengths[order], rows[order]
        firsts, lasts = text.words[starts].tolist(), text.words[starts + lengths - 1].tolist()
        matches = list(zip(starts.tolist(), lengths.tolist(), rows.tolist(), firsts, lasts, strict=True))
        ends = np.searchsorted(text.values[starts], np.arange(len(values)), "right").tolist()
        for value, begin, end in zip(values, [0, *ends], ends, strict=False):
            spans, free = [], 0
            for start, length, row, first, last in matches[begin:end]:
                if start >= free and self._meant(value, first, last, row):
                    free = start + length
                    words = value.words[first : last + 1]
                    term = " ".join(word.form for word in words)
                    where = Occurrence(term, value.part, value.index, words[0].start, words[-1].end)
                    spans.append(_Span(row, where))
            yield spans

    def _names(self, value: AnalysedValue) -> Iterator[_Span]:
        """Creators are read as names: 'Turner, J. M. W.' and his full name as 'J. M. W. Turner'."""
        for name in value.names:
            for key in _readings(name):
                row = self._surface(key)
                if row is not None:
                    yield _Span(row, Occurrence(name.text, value.part, value.index, name.start, name.end))
                    break

    def _surface_of(self, text: str) -> int | None:
        keys = np.array([number for word in units(text) for number in unit_keys(word)], np.uint64)
        _, lengths, rows = self._matcher.matches(keys, np.zeros(len(keys), np.int64))
        whole = rows[lengths == len(keys)]
        return int(whole[0]) if len(whole) else None

    def _meant(self, value: AnalysedValue, first: int, last: int, row: int) -> bool:
        """Whether words ``first`` to ``last``, which read like a surface, may mean it."""
        words = value.words[first : last + 1]
        if any(word.tag == "PUNCT" and word.form not in _WITHIN for word in words):
            return False
        start, end = words[0].start, words[-1].end
        named = False
        for mention in value.mentions:
            if mention.kind == "date" or mention.end <= start or end <= mention.start:
                continue
            if start <= mention.start and mention.end <= end:
                named = True
            elif mention.kind != "location" or _goes_on(value.words, first, last, mention):
                # a part of a name means somebody or something else
                return False
        if not named and _inside_name(value.words, first, last):
            return False
        after = value.words[last + 1 : last + 2]
        if after and after[0].tag != "PROPN" and after[0].form.endswith("ed"):
            # half of a compound, whatever the tagger takes it for: 'light colored', 'tree lined'
            return False
        return len(words) > 1 or self._subject(words[0], row)

    def _subject(self, word: Word, row: int) -> bool:
        probability, whole = float(self._probability[row]), bool(self._whole[self._starts[row]])
        if word.tag not in ("NOUN", "PROPN"):
            return False
        if isnan(probability):
            # nothing is known of how texts use it
            return whole or word.tag == "PROPN"
        return probability >= (LEAST_LINKED if whole else LEAST_SHORTENED)


def relatedness(left: Ints, right: Ints, articles: int) -> float:
    """How related two articles are by the articles that link to them, in [0, 1] (Milne & Witten 2008).

    ``1 - (ln max(|A|, |B|) - ln |A & B|) / (ln |W| - ln min(|A|, |B|))``, at least 0, over the articles
    A and B that link to each and the number |W| of all; 0 where no article links to both.

    >>> a, b = np.array([1, 2, 3, 4], np.int32), np.array([3, 4], np.int32)
    >>> round(relatedness(a, b, 100), 4)  # 1 - (ln 4 - ln 2) / (ln 100 - ln 2)
    0.8228
    """
    small, large = sorted((left, right), key=len)
    if not len(small):
        return 0.0
    at = np.minimum(np.searchsorted(large, small), len(large) - 1)
    shared = int((large[at] == small).sum())
    if not shared:
        return 0.0
    apart = log(len(large)) - log(shared)
    return max(0.0, 1.0 - apart / (log(articles) - log(len(small)))) if apart else 1.0


def _readings(name: Name) -> list[str]:
    """How a name may stand in a title: as it is, or with initials for forenames."""
    if name.kind in NOBODY:
        return []
    initials = [forename[0] for forename in name.forenames if forename]
    return [name.key, *([" ".join([*initials, name.surname])] if len(initials) > 1 else [])]


def _goes_on(words: tuple[Word, ...], first: int, last: int, mention: Mention) -> bool:
    """Whether a name goes on beside some of its words: 'York' in 'New York'."""
    beside = (*words[max(first - 1, 0) : first], *words[last + 1 : last + 2])
    return any(
        word.tag != "PUNCT" and mention.start <= word.start and word.end <= mention.end for word in beside
    )


def _inside_name(words: tuple[Word, ...], first: int, last: int) -> bool:
    """Whether proper nouns go on beside these: 'Art' in 'Museum of Art', 'York' in 'New York'."""
    if any(word.tag != "PROPN" for word in words[first : last + 1] if word.tag != "PUNCT"):
        return False
    before = list(reversed(words[max(first - 2, 0) : first]))
    if before and before[0].form in _JOINING:
        before = before[1:]
    after = words[last + 1 : last + 2]
    return any(word.tag == "PROPN" for word in (*before[:1], *after))
