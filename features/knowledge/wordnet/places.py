"""Places that a text names, with everything they lie in (Venice: Veneto, Italy, Europe).

The longest names that WordNet knows are looked for, of up to five tokens (Rio de Janeiro), each beginning and
ending with a capitalised word. What a place lies in is what it is a part of, step by step; the
hemispheres, the West, the Americas, Eurasia and the oceans, which hold half the world, are left out. A word
that tells of a nationality (French, Canadians) names the country.

Of places of one name the one is meant that lies right in another place that the text names (Melbourne,
Florida). Otherwise it is an inner one (the city of New York, not the state), of those the one with the most
relations in WordNet (Paris, of which Montmartre is a part). Where that does not tell, as with Cambridge,
the name is kept as it stands.

Not everything with a capital letter is a place:

- Inside the mention of a person nothing is one; nor is what a street or a park is called (London Road).
- A word whose use is mostly another (Rye, Reading, Nice) is one only inside the mention of a location,
  or after a word such as *in* or *near*. Points of the compass are none.
- What the recogniser calls a location and WordNet does not know (Glen Glass) is kept in small letters as it
  stands, so that two mentions of it meet.
"""

from bisect import bisect_left
from collections.abc import Container, Iterable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import groupby, pairwise
from operator import itemgetter
from typing import NamedTuple

from features.knowledge.wordnet import morphology
from features.knowledge.wordnet.reader import WordNet
from features.knowledge.wordnet.tables import PARTS_OF_SPEECH
from features.profiles.profile import AnalysedValue
from features.text.annotation import Word

_LONGEST = 5
_HALF_THE_WORLD = (
    ("northern_hemisphere", 1), ("southern_hemisphere", 1), ("eastern_hemisphere", 1),
    ("western_hemisphere", 1), ("occident", 1), ("orient", 1), ("america", 2), ("eurasia", 1), ("earth", 1),
    ("atlantic", 1), ("pacific", 1), ("indian_ocean", 1),
)  # fmt: skip
_FILES = {"noun.location", "noun.object"}
_HALF = 0.5
_WHERE = {"at", "from", "in", "near", "to", "toward", "towards"}
_COMPASS = {
    "center", "centre", "east", "north", "northeast", "northwest", "south", "southeast", "southwest", "west",
}  # fmt: skip
# a language and a time, far more often than Latium and the state of Georgia
_NO_COUNTRY = {"georgian", "latin"}
_BREAKS = frozenset(',;:()[]/"‘“”')
_CALLED = {
    "avenue", "ave", "boulevard", "close", "court", "crescent", "drive", "gardens", "lane", "park", "place",
    "road", "rd", "row", "square", "st", "street", "terrace", "way",
}  # fmt: skip


class Place(NamedTuple):
    """A place where a text names it, ``[start, end)``: its terms, the nearest place first.

    They are names of synsets, or one term, the words as they stand, where WordNet has no such place.
    """

    start: int
    end: int
    terms: tuple[str, ...]


class _Name(NamedTuple):
    """A name where it stands, and the places that it may mean; ``of``: by its adjective."""

    words: Sequence[Word]
    places: tuple[int, ...]
    of: bool = False


class Places:
    """The places of a WordNet."""

    def __init__(self, wordnet: WordNet) -> None:
        self._wordnet = wordnet
        self._too_large = set(wordnet.named(_HALF_THE_WORLD))
        self._called = cache(self._places_called)
        self._country = cache(self._country_of)
        self._above = cache(self._line)
        self._is_mostly_a_place = cache(self._mostly)

    def found(self, values: Iterable[AnalysedValue]) -> Iterator[tuple[AnalysedValue, Place]]:
        """The places of the values of one text, each with the value that it stands in, in text order."""
        names = [(value, name) for value in values for name in self._names(value)]
        named = {name.places[0] for _, name in names if len(name.places) == 1 and not name.of}
        for value, name in names:
            node = self._meant(name.places, named)
            start, end = name.words[0].start, name.words[-1].end
            if node is None:
                yield value, Place(start, end, (_written(name.words).lower(),))
            else:
                yield value, Place(start, end, tuple(self._wordnet.names[up] for up in self._above(node)))

    def _names(self, value: AnalysedValue) -> Iterator[_Name]:
        for kind, words in _pieces(value):
            found, at = [], 0
            while at < len(words):
                name = self._name_at(words, at, kind)
                found.extend([name] if name else [])
                at += len(name.words) if name else 1
            # of South Wales and Somerset County the known part is enough
            yield from found if found or kind != "location" else _as_it_stands(words)

    def _name_at(self, words: Sequence[Word], at: int, kind: str) -> _Name | None:
        """The name of a place that WordNet knows, and that begins at a word."""
        if not words[at].form[0].isupper():
            return None
        for size in range(min(_LONGEST, len(words) - at), 0, -1):
            span = words[at : at + size]
            if span[-1].form[0].isupper() and (size > 1 or self._is_meant(words, at, kind)):
                places = self._called(_written(span))
                if places:
                    return _Name(span, places)
        country = self._country(words[at].form) if words[at].tag in {"ADJ", "NOUN", "PROPN"} else None
        return None if country is None else _Name(words[at : at + 1], (country,), of=True)

    def _is_meant(self, words: Sequence[Word], at: int, kind: str) -> bool:
        """Whether a single word names a place here, if it ever does."""
        form = words[at].form
        after = words[at + 1].form if at + 1 < len(words) else ""
        if form.lower() in _COMPASS or (after[:1].isupper() and after.lower() in _CALLED):
            return False
        alone = kind == "location" and sum(word.form[0].isupper() for word in words) == 1
        where = at > 0 and words[at - 1].form.lower() in _WHERE and words[at].tag == "PROPN"
        return alone or where or self._is_mostly_a_place(form)

    def _meant(self, places: Sequence[int], named: Container[int] = ()) -> int | None:
        """Which of the places of one name is meant, given the other places that the text names."""
        for place in places:
            if len(places) > 1 and any(up in named for up in self._wordnet.holonyms(place)):
                return place
        inner = [one for one in places if not any(one in self._above(other)[1:] for other in places)]
        most = max(map(self._wordnet.relations, inner), default=0)
        known = [place for place in inner if self._wordnet.relations(place) == most]
        return known[0] if len(known) == 1 else None

    def _places_called(self, name: str) -> tuple[int, ...]:
        return tuple(node for node in self._wordnet.senses(name, "n") if self._is_place(node))

    def _is_place(self, node: int) -> bool:
        single = self._wordnet.is_instance(node) and node not in self._too_large
        return single and self._wordnet.lexicographer(node) in _FILES

    def _country_of(self, word: str) -> int | None:
        """The place that an adjective or a noun of nationality is of."""
        lemmas = dict.fromkeys(
            (morphology.plain(word), *(lemma for lemma, _ in self._wordnet.lemmas(word, "NOUN")))
        )
        for lemma in lemmas:
            if lemma in _NO_COUNTRY:
                return None
            links = [
                link for node in self._wordnet.senses(lemma, "a") for link in self._wordnet.pertainyms(node)
            ]
            for node in self._wordnet.senses(lemma, "n"):
                if self._wordnet.lexicographer(node) == "noun.person":
                    links.extend(self._wordnet.derivations(node))
            for link in links:
                if self._is_place(link.target):
                    # French is of what France means
                    meant = self._meant(self._called(link.target_word))
                    return link.target if meant is None else meant
        return None

    def _mostly(self, word: str) -> bool:
        """Whether a word names places in more than half of its use, as any part of speech."""
        places = total = 0.0
        for pos in PARTS_OF_SPEECH:
            senses, counts = self._wordnet.senses(word, pos), self._wordnet.counts(word, pos)
            for rank, (node, count) in enumerate(zip(senses, counts, strict=True), 1):
                total += count + 1 / rank
                places += (count + 1 / rank) * self._is_place(node)
        return places > _HALF * total

    def _line(self, node: int) -> tuple[int, ...]:
        """A place and all that it lies in, nearest first."""
        found, level = {node: None}, [node]
        while level:
            above = [up for place in level for up in self._wordnet.holonyms(place)]
            level = [up for up in dict.fromkeys(above) if up not in found and up not in self._too_large]
            found.update(dict.fromkeys(level))
        return tuple(found)


@lru_cache(maxsize=8)
def places(wordnet: WordNet) -> Places:
    """The places of a WordNet, each name looked up once."""
    return Places(wordnet)


def _pieces(value: AnalysedValue) -> Iterator[tuple[str, Sequence[Word]]]:
    """A text cut at its mentions and at signs: pieces with their kind of mention, without people."""
    kinds = [""] * len(value.words)
    starts = [word.start for word in value.words]
    for mention in value.mentions:
        if mention.kind != "date":
            first, beyond = bisect_left(starts, mention.start), bisect_left(starts, mention.end)
            kinds[first:beyond] = [f"{mention.kind} {mention.start}"] * (beyond - first)
    marked = (
        ("" if word.form in _BREAKS else kind or " ", word)
        for kind, word in zip(kinds, value.words, strict=True)
    )
    for kind, words in groupby(marked, key=itemgetter(0)):
        if kind and not kind.startswith("person"):
            yield kind.split(" ")[0], [word for _, word in words]


def _written(words: Sequence[Word]) -> str:
    """A name as it stands, with one blank where the text has some."""
    gaps = ("" if before.end == word.start else " " for before, word in pairwise(words))
    return words[0].form + "".join(gap + word.form for gap, word in zip(gaps, words[1:], strict=True))


def _as_it_stands(words: Sequence[Word]) -> Iterator[_Name]:
    """Words of a location that WordNet lacks, as one name: from capital to capital."""
    capitals = [at for at, word in enumerate(words) if word.form[0].isupper() and word.tag != "DET"]
    if capitals:
        yield _Name(words[capitals[0] : capitals[-1] + 1], ())
