"""Counts over the texts of articles: how many hold a word, and how often a surface is a link.

The *link probability* of a surface is the share of the articles holding it that link to one of its
candidates (Milne & Witten 2008, there over anchors): it keeps words that are seldom meant as a subject,
however many articles bear their name, from being linked.
"""

import re
from array import array
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np

from features.arrays import Ints, NewArrays
from features.research.wikipedia.phrases import Matcher, key
from features.text.names.parts import fold

Lemmatise = Callable[[Sequence[str]], Iterator[tuple[str, str]]]
"""Gives for every word of some texts its form and its lemma, both in lower case."""

_TERM = re.compile(r"\d+(?:[.,:/]\d+)+\w*|['’]s\b|\w+")
_SAMPLE = 300
_SAMPLED = 4000


class TextCounts:
    """Reads every text once; ``folder`` holds what has to be read again, until ``arrays`` was called."""

    def __init__(self, folder: Path, surfaces: NewArrays, links: Callable[[int], Ints]) -> None:
        self._path = folder / "terms"
        self._matcher = Matcher(surfaces)
        self._starts = np.asarray(surfaces["candidates-starts"], np.int64)
        self._candidates = np.asarray(surfaces["candidates"], np.int32)
        self._links = links
        self._occurs = np.zeros(len(surfaces["surfaces"]), np.int64)
        self._linked = np.zeros(len(surfaces["surfaces"]), np.int64)
        self._words: defaultdict[str, int] = defaultdict()
        self._words.default_factory = self._words.__len__
        self._keys = array("Q")
        self._sizes: list[int] = []
        self._sample: list[str] = []

    def read(self, texts: Iterable[tuple[int, str]]) -> int:
        """Count the words and surfaces of all texts; gives the number of texts."""
        with self._path.open("wb") as file:
            for article, text in texts:
                words = _TERM.findall(text)
                numbers = np.fromiter(map(self._words.__getitem__, words), np.int32, len(words))
                distinct = np.unique(numbers)
                distinct.tofile(file)
                self._sizes.append(len(distinct))
                # the numbers of words that were never met follow those of the known ones
                for place in np.flatnonzero(numbers >= len(self._keys)).tolist():
                    if numbers[place] == len(self._keys):
                        self._keys.append(key(fold(words[place])))
                self._find(article, numbers)
                if len(self._sample) < _SAMPLED:
                    # the middle of an article: its beginning is often a formula
                    self._sample.append(text[len(text) // 3 :][:_SAMPLE])
        return len(self._sizes)

    def arrays(self, lemmatise: Lemmatise) -> NewArrays:
        """Link probabilities (not a number without texts), and document frequencies of forms and lemmas."""
        forms = [word.lower() for word in self._words]
        votes: defaultdict[str, Counter[str]] = defaultdict(Counter)
        for form, lemma in lemmatise(self._sample):
            votes[form][lemma] += 1
        best = {form: min(own, key=lambda lemma: (-own[lemma], lemma)) for form, own in votes.items()}
        with np.errstate(invalid="ignore"):
            probability = self._linked / self._occurs
        arrays = {
            "probability": probability.astype(np.float32),
            **self._frequencies("forms", forms),
            **self._frequencies("lemmas", [best.get(form, form) for form in forms]),
        }
        self._path.unlink()
        return arrays

    def _find(self, article: int, words: Ints) -> None:
        keys = np.frombuffer(self._keys, np.uint64)[words]
        surfaces = np.unique(self._matcher.matches(keys, np.zeros(len(keys), np.int64)).rows)
        self._occurs[surfaces] += 1
        begins, ends = self._starts[surfaces], self._starts[surfaces + 1]
        sizes = ends - begins
        within = np.arange(sizes.sum()) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        hits = np.isin(self._candidates[np.repeat(begins, sizes) + within], self._links(article))
        self._linked[np.unique(np.repeat(surfaces, sizes)[hits])] += 1

    def _frequencies(self, name: str, terms: list[str]) -> NewArrays:
        """Articles that hold each term; several words may be one term."""
        numbers: dict[str, int] = {}
        term_of = np.array([numbers.setdefault(term, len(numbers)) for term in terms], np.int64)
        counts = np.zeros(len(numbers), np.int64)
        with self._path.open("rb") as file:
            for size in self._sizes:
                counts[np.unique(term_of[np.fromfile(file, np.int32, size)])] += 1
        keys = np.array([key(term) for term in numbers], np.uint64)
        order = np.argsort(keys)
        return {name: keys[order], f"{name}-documents": counts[order].astype(np.int32)}
