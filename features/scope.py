"""Scope: which terms of a profile a measure sees.

A scope is data: it stands in config.yaml and prints itself. It picks parts of the record, then
either the words there (of some parts of speech, as form or lemma), or the words inside the
mentions of some kinds of entity, or the names of a creator field; ``also`` joins several such
selections.
"""

from collections import Counter
from collections.abc import Iterator
from itertools import chain
from typing import Literal, get_args

import msgspec
from pydantic import BaseModel, ConfigDict, Field, model_validator

from features.names import creator_tokens
from features.profile import AnalysedValue, Profile

Part = Literal["title", "creator", "subject", "description", "date", "source", "places"]
Kind = Literal["person", "location", "organisation", "date"]
Tag = Literal[
    "ADJ", "ADP", "ADV", "AUX", "CCONJ", "DET", "INTJ", "NOUN", "NUM",
    "PART", "PRON", "PROPN", "PUNCT", "SCONJ", "SYM", "VERB", "X",
]  # fmt: skip

EVERYWHERE: tuple[Part, ...] = ("title", "creator", "subject", "description", "date", "source")


class Occurrence(msgspec.Struct, frozen=True):
    """A term where it stands: ``start`` and ``end`` are offsets in value ``index`` of ``part``.

    ``tag`` is the universal part of speech of the word; a name has none.
    """

    term: str
    part: str
    index: int
    start: int
    end: int
    tag: str = ""


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
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    parts: tuple[Part, ...] = Field(EVERYWHERE, description="fields of the record, and its places")
    tags: tuple[Tag, ...] = Field((), description="universal parts of speech; none means all")
    entities: tuple[Kind, ...] = Field((), description="only words inside entities of these kinds")
    form: Literal["form", "lemma"] = Field("form", description="count word forms or lemmas")
    names: bool = Field(False, description="read the values as names of people and institutions")
    boilerplate: Literal["keep", "drop"] = Field(
        "keep", description="drop: without what a description says of the record, not of the item"
    )
    also: tuple["Scope", ...] = Field((), description="further selections; a word that two pick counts once")

    @model_validator(mode="after")
    def _one_way_to_read(self) -> "Scope":
        if self.names and (self.tags or self.entities or self.form == "lemma"):
            raise ValueError("names cannot be combined with tags, entities or form: lemma")
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
        what = "lemmas" if self.form == "lemma" else "words"
        if self.tags:
            what += f" of {', '.join(self.tags)}"
        if self.entities:
            what += f" of {', '.join(self.entities)} entities"
        return f"{what} in {where}" + (" without boilerplate" if self.boilerplate == "drop" else "")

    def occurrences(self, profile: Profile) -> Iterator[Occurrence]:
        """Every term the scope picks, lower-cased, in text order."""
        if not self.also:
            return self._own(profile)
        picked = chain(self._own(profile), *(scope.occurrences(profile) for scope in self.also))
        return iter(sorted(dict.fromkeys(picked), key=_place))

    def _own(self, profile: Profile) -> Iterator[Occurrence]:
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
        # mentions stand in text order, so one walk along both lists is enough
        spans = [(mention.start, mention.end) for mention in value.mentions if mention.kind in self.entities]
        dropped = value.boilerplate if self.boilerplate == "drop" else ()
        reach = at = 0
        for word in value.words:
            while at < len(spans) and spans[at][0] <= word.start:
                reach, at = max(reach, spans[at][1]), at + 1
            if (self.tags and word.tag not in self.tags) or (self.entities and word.end > reach):
                continue
            if dropped and any(start <= word.start < end for start, end in dropped):
                continue
            term = (word.lemma if self.form == "lemma" else word.form).lower()
            if any(character.isalnum() for character in term):
                yield Occurrence(term, value.part, value.index, word.start, word.end, word.tag)


_ORDER = {part: n for n, part in enumerate(get_args(Part))}


def _place(occurrence: Occurrence) -> tuple[int, int, int, int]:
    return _ORDER[occurrence.part], occurrence.index, occurrence.start, occurrence.end
