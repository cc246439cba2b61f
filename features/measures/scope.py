"""Scope: which terms of a profile a measure sees.

A scope is data: it stands in config.yaml and prints itself. It picks parts of the record, then
either the words there (of some parts of speech, as form or lemma), or the words inside the
mentions of some kinds of entity, or the names of a creator field; ``also`` joins several such
selections.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import TYPE_CHECKING, Literal
from weakref import WeakKeyDictionary

from pydantic import BaseModel, ConfigDict, Field, model_validator

from features.knowledge.resources import ResourceName, Resources
from features.profiles.occurrence import EVERYWHERE, ORDER, Occurrence, Part
from features.profiles.profile import AnalysedValue, Profile
from features.text.names import creator_tokens
from ingest.errors import UsageError

if TYPE_CHECKING:
    from features.knowledge.wordnet.expansion import Expansion
    from features.knowledge.wordnet.places import Places

Kind = Literal["person", "location", "organisation", "date"]
Tag = Literal[
    "ADJ", "ADP", "ADV", "AUX", "CCONJ", "DET", "INTJ", "NOUN", "NUM",
    "PART", "PRON", "PROPN", "PUNCT", "SCONJ", "SYM", "VERB", "X",
]  # fmt: skip

Expand = Literal["none", "events", "people", "hypernyms", "places"]

_SAID = {
    "events": "event words",
    "people": "kinds of people",
    "hypernyms": "hypernyms of lemmas",
    "places": "nested places",
}


class Scope(BaseModel):
    """Which terms of a profile count.

    >>> print(Scope(parts=("title", "subject"), tags=("NOUN", "VERB"), form="lemma"))
    lemmas of NOUN, VERB in title, subject
    >>> print(Scope(entities=("person",)))
    words of person entities in title, creator, subject, description, date, source
    >>> print(Scope(parts=("creator",), names=True))
    names in creator
    >>> print(Scope(parts=("title",), also=(Scope(parts=("date",)),)))
    words in title, and words in date
    >>> print(Scope(parts=("title", "description"), expand="people"))
    kinds of people in title, description
    >>> print(Scope(parts=("title", "places"), expand="places"))
    nested places in title, places
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    parts: tuple[Part, ...] = Field(EVERYWHERE, description="fields of the record, and its places")
    tags: tuple[Tag, ...] = Field((), description="universal parts of speech; none means all")
    entities: tuple[Kind, ...] = Field((), description="only words inside entities of these kinds")
    lemmas: tuple[str, ...] = Field((), description="only words of these lemmas; none means all")
    form: Literal["form", "lemma"] = Field("form", description="count word forms or lemmas")
    expand: Expand = Field(
        "none",
        description="terms that WordNet makes of the words: event words, kinds of people, hypernyms, places",
    )
    names: bool = Field(False, description="read the values as names of people and institutions")
    boilerplate: Literal["keep", "drop"] = Field(
        "keep", description="drop: without what a description says of the record, not of the item"
    )
    also: tuple["Scope", ...] = Field((), description="further selections; a word that two pick counts once")

    @model_validator(mode="after")
    def _one_way_to_read(self) -> "Scope":
        if self.names and (self.tags or self.entities or self.lemmas or self.form == "lemma"):
            raise ValueError("names cannot be combined with tags, entities, lemmas or form: lemma")
        if self.names and self.expand != "none":
            raise ValueError("names cannot be combined with expand: they are no words of WordNet")
        if self.expand == "places" and (self.tags or self.entities or self.lemmas):
            raise ValueError(
                "expand: places cannot be combined with tags, entities or lemmas: it finds whole names"
            )
        if self.names and self.boilerplate == "drop":
            raise ValueError("names cannot be combined with boilerplate: drop: creators have none")
        if self.names and self.parts != ("creator",):
            raise ValueError("names are read in the creator field only: parts: [creator], names: true")
        return self

    def __str__(self) -> str:
        return ", and ".join([self._said(), *map(str, self.also)])

    def _said(self) -> str:
        where = ", ".join(self.parts)
        if self.names:
            return f"names in {where}"
        what = _SAID.get(self.expand) or ("lemmas" if self.form == "lemma" else "words")
        if self.tags:
            what += f" of {', '.join(self.tags)}"
        if self.entities:
            what += f" of {', '.join(self.entities)} entities"
        if self.lemmas:
            what += f" from a list of {len(self.lemmas)}"
        return f"{what} in {where}" + (" without boilerplate" if self.boilerplate == "drop" else "")

    @property
    def needs(self) -> tuple[ResourceName, ...]:
        """The resources without which the scope cannot be read."""
        own: set[ResourceName] = {"wordnet"} if self.expand != "none" else set()
        return tuple(sorted(own.union(*(scope.needs for scope in self.also))))

    @property
    def synsets(self) -> bool:
        """Whether some terms are the names of synsets: no words that have vectors."""
        return self.expand not in {"none", "events"} or any(scope.synsets for scope in self.also)

    def reader(self, resources: Resources) -> "ScopeReader":
        """What reads the scope, whatever it needs, the same for all who ask; raises ``ResourceMissing``."""
        readers = _READERS.setdefault(resources, {})
        if self not in readers:
            readers[self] = ScopeReader(self, resources)
        return readers[self]

    def occurrences(self, profile: Profile) -> Iterator[Occurrence]:
        """Every term the scope picks, lower-cased, in text order.

        Raises ``UsageError`` for a scope that has to be read with a resource.
        """
        if self.needs:
            raise UsageError(
                f"{self}: this measure looks at words as they stand: take expand out of its scope"
            )
        return _joined(self.own(profile), *(scope.occurrences(profile) for scope in self.also))

    def own(self, profile: Profile) -> Iterator[Occurrence]:
        """The terms of this selection alone, before WordNet makes others of them."""
        for value in profile.values:
            if value.part in self.parts:
                yield from self._names(value) if self.names else self._words(value)

    def bag(self, profile: Profile) -> Counter[str]:
        """The terms with their counts: the tf of eq. 6.1."""
        return Counter(occurrence.term for occurrence in self.occurrences(profile))

    def _names(self, value: AnalysedValue) -> Iterator[Occurrence]:
        for name in value.names:
            for token in creator_tokens(name):
                yield Occurrence(token.lower(), value.part, value.index, name.start, name.end)

    def _words(self, value: AnalysedValue) -> Iterator[Occurrence]:
        kinds, tags, part, index = self.entities, self.tags, value.part, value.index
        # mentions stand in text order, so one walk along both lists is enough
        spans = [(one.start, one.end) for one in value.mentions if one.kind in kinds] if kinds else []
        lemmas = self.form == "lemma" or self.expand != "none"
        listed = {lemma.lower() for lemma in self.lemmas} if self.lemmas else ()
        dropped = value.boilerplate if self.boilerplate == "drop" else ()
        reach = at = 0
        for word in value.words:
            while at < len(spans) and spans[at][0] <= word.start:
                reach, at = max(reach, spans[at][1]), at + 1
            if (tags and word.tag not in tags) or (kinds and word.end > reach):
                continue
            if listed and word.lemma.lower() not in listed:
                continue
            if dropped and _within(dropped, word.start):
                continue
            term = (word.lemma if lemmas else word.form).lower()
            if term.isalnum() or any(character.isalnum() for character in term):
                yield Occurrence(term, part, index, word.start, word.end, word.tag)


class ScopeReader:
    """A scope with the resources that it needs: reads any scope.

    ``also`` are the readers of the scopes that it is joined with; ``expansion`` or ``places`` what WordNet
    makes of its words, if anything. The last profiles are remembered, as objects, since many measures see
    the same scope of an item one after the other.
    """

    def __init__(self, scope: Scope, resources: Resources) -> None:
        self.scope = scope
        self.also = tuple(other.reader(resources) for other in scope.also)
        self.expansion: Expansion | None = None
        self.places: Places | None = None
        self._open(resources)
        self._seen: dict[int, tuple[Profile, tuple[Occurrence, ...], Counter[str]]] = {}

    def occurrences(self, profile: Profile) -> tuple[Occurrence, ...]:
        """Every term, in text order; a term that WordNet makes stands where its word does."""
        return self._read(profile)[1]

    def bag(self, profile: Profile) -> Counter[str]:
        """The terms with their counts, not to be altered: the tf of eq. 6.1."""
        return self._read(profile)[2]

    def _read(self, profile: Profile) -> tuple[Profile, tuple[Occurrence, ...], Counter[str]]:
        found = self._seen.get(id(profile))
        if found is not None and found[0] is profile:
            return found
        own = self._own(profile)
        terms = tuple(_joined(own, *(iter(reader.occurrences(profile)) for reader in self.also)))
        if len(self._seen) >= _REMEMBERED:
            self._seen.clear()
        found = self._seen[id(profile)] = (profile, terms, Counter([one.term for one in terms]))
        return found

    def _own(self, profile: Profile) -> Iterator[Occurrence]:
        """The terms of the selection without the others."""
        if self.places is not None:
            return _places(self.scope, self.places, profile)
        own = self.scope.own(profile)
        return own if self.expansion is None else _expanded(own, self.expansion)

    def _open(self, resources: Resources) -> None:
        """WordNet is opened for the scopes that need it only."""
        kind = self.scope.expand
        if kind == "places":
            from features.knowledge.wordnet.places import places

            self.places = places(resources.wordnet)
        elif kind != "none":
            from features.knowledge.wordnet.expansion import expansion

            self.expansion = expansion(resources.wordnet, kind)


_READERS: WeakKeyDictionary[Resources, dict[Scope, ScopeReader]] = WeakKeyDictionary()
_REMEMBERED = 8


def _expanded(words: Iterable[Occurrence], expansion: "Expansion") -> Iterator[Occurrence]:
    for word in words:
        for term in expansion(word.term, word.tag):
            yield Occurrence(term, word.part, word.index, word.start, word.end, word.tag)


def _places(scope: Scope, places: "Places", profile: Profile) -> Iterator[Occurrence]:
    values = [value for value in profile.values if value.part in scope.parts]
    for value, place in places.found(values):
        if scope.boilerplate == "keep" or not _within(value.boilerplate, place.start):
            for term in place.terms:
                yield Occurrence(term, value.part, value.index, place.start, place.end)


def _within(spans: Iterable[tuple[int, int]], at: int) -> bool:
    return any(start <= at < end for start, end in spans)


def _standing(occurrence: Occurrence) -> tuple[int, int, int, int]:
    return ORDER[occurrence.part], occurrence.index, occurrence.start, occurrence.end


def _joined(first: Iterator[Occurrence], *others: Iterator[Occurrence]) -> Iterator[Occurrence]:
    """Selections as one, in text order; a term that two of them pick at a place counts once."""
    return iter(sorted(dict.fromkeys(chain(first, *others)), key=_standing)) if others else first
