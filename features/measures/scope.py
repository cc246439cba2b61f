"""Scope: which terms of a profile a measure sees; it stands in config.yaml and prints itself."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from features.facts.sets import Fact
from features.knowledge.resources import ResourceName
from features.profiles.profile import EVERYWHERE, Part

EntityKind = Literal["person", "location", "organisation", "date"]
Tag = Literal[
    "ADJ", "ADP", "ADV", "AUX", "CCONJ", "DET", "INTJ", "NOUN", "NUM",
    "PART", "PRON", "PROPN", "PUNCT", "SCONJ", "SYM", "VERB", "X",
]  # fmt: skip

Expand = Literal["none", "events", "people", "hypernyms", "places"]

_EXPANDED = {
    "events": "event words", "people": "kinds of people", "hypernyms": "hypernyms of lemmas",
    "places": "nested places",
}  # fmt: skip


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
    >>> print(Scope(parts=("title", "part_of"), facts=("sets",)))
    names of sets in title, part_of
    >>> print(Scope(parts=("title",), figures=True))
    figures in title
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    parts: tuple[Part, ...] = Field(
        EVERYWHERE,
        description="parts of the record that are read; those from `places` on are what the museum indexes"
        " beside the six fields",
    )
    tags: tuple[Tag, ...] = Field(
        (), description="only words of these universal parts of speech; none means all"
    )
    entities: tuple[EntityKind, ...] = Field(
        (), description="only words inside entities of these kinds; none means all words"
    )
    lemmas: tuple[str, ...] = Field(
        (), description="only words of these dictionary forms, in small letters; none means all words"
    )
    form: Literal["form", "lemma"] = Field(
        "form", description="count words as they stand, or their dictionary forms"
    )
    expand: Expand = Field(
        "none",
        description="what WordNet makes of the words. Needs WordNet; read by `tfidf`, `overlap`, `lda`"
        " and `presence`; `events` also by `vectors`, `cardinality` and `walk` over WordNet. Not together"
        " with `names`; `places` not together with `tags`, `entities` or `lemmas`",
    )
    names: bool = Field(
        False,
        description="read creators as names: 'Surname, Forename' equals 'Forename Surname'. Only"
        " `creator` has names. Not together with `tags`, `entities`, `lemmas` or `form: lemma`",
    )
    figures: bool = Field(
        False,
        description="read deities, saints and figures of stories by any of their names, in place of words:"
        " Herakles is Hercules. Not together with `tags`, `entities`, `lemmas`, `form: lemma`, `names`,"
        " `facts` or `expand`",
    )
    notations: bool = Field(
        False,
        description="read Iconclass notations, each with all that it is part of (`25F7`, `25F`), in place of"
        " words: values that are one, and the scenes of stories that texts name (the Flight into Egypt is"
        " `73B641`). Not together with `tags`, `entities`, `lemmas`, `form: lemma`, `names`, `facts`,"
        " `figures` or `expand`",
    )
    facts: tuple[Fact, ...] = Field(
        (),
        description="read whole names of what the item is part of, in place of words: `sets` (a set, series,"
        " album, portfolio or book) or `collections` (a collection, papers, an archive or a project). A value"
        " of `part_of` is a name; where there is none, rules read the other parts ('From the series X'). Not"
        " together with `tags`, `entities`, `lemmas`, `form: lemma`, `names` or `expand`",
    )
    boilerplate: Literal["keep", "drop"] = Field(
        "keep",
        description="`drop`: leave out what a description says of the record and not of the item: credit"
        " lines, provenance, copyright forms, reference numbers, the format of a copy. Not together with"
        " `names`",
    )
    context: Literal["keep", "drop"] = Field(
        "keep",
        description="`drop`: leave out what a description tells of the item's history and not of what it"
        " shows: sentences in the past tense or with a modal verb, and who made, wore, used or owned it. Not"
        " together with `names`",
    )
    also: tuple["Scope", ...] = Field(
        (),
        description="further selections that are joined to this one, e.g. the persons of the description"
        " beside the creator. A word that two of them pick counts once",
    )

    @model_validator(mode="after")
    def _one_way_to_read(self) -> "Scope":
        if self.names and self._picks_words:
            raise ValueError("names cannot be combined with tags, entities, lemmas or form: lemma")
        if self.facts and (self._picks_words or self.names or self.expand != "none"):
            raise ValueError(
                "facts cannot be combined with tags, entities, lemmas, form: lemma, names or expand: they are"
                " whole names"
            )
        if self.figures and (self._picks_words or self.names or self.facts or self.expand != "none"):
            raise ValueError(
                "figures cannot be combined with tags, entities, lemmas, form: lemma, names, facts or expand:"
                " they are whole names"
            )
        if self.notations and (
            self._picks_words or self.names or self.facts or self.figures or self.expand != "none"
        ):
            raise ValueError(
                "notations cannot be combined with tags, entities, lemmas, form: lemma, names, facts, figures"
                " or expand: they are no words"
            )
        if self.names and self.expand != "none":
            raise ValueError("names cannot be combined with expand: they are no words of WordNet")
        if self.expand == "places" and (self.tags or self.entities or self.lemmas):
            raise ValueError(
                "expand: places cannot be combined with tags, entities or lemmas: it finds whole names"
            )
        if self.names and "drop" in (self.boilerplate, self.context):
            raise ValueError("names cannot be combined with boilerplate or context: drop: creators have none")
        if self.names and self.parts != ("creator",):
            raise ValueError("names are read in the creator field only: parts: [creator], names: true")
        return self

    @property
    def _picks_words(self) -> bool:
        return bool(self.tags or self.entities or self.lemmas or self.form == "lemma")

    def __str__(self) -> str:
        return ", and ".join([self._own_text(), *map(str, self.also)])

    def _own_text(self) -> str:
        where = ", ".join(self.parts)
        if self.names:
            return f"names in {where}"
        whole = f"names of {' and '.join(self.facts)}" if self.facts else ""
        whole = "figures" if self.figures else "Iconclass notations" if self.notations else whole
        terms = whole or _EXPANDED.get(self.expand) or ("lemmas" if self.form == "lemma" else "words")
        if self.tags:
            terms += f" of {', '.join(self.tags)}"
        if self.entities:
            terms += f" of {', '.join(self.entities)} entities"
        if self.lemmas:
            terms += f" from a list of {len(self.lemmas)}"
        dropped = [part for part in ("boilerplate", "context") if getattr(self, part) == "drop"]
        return f"{terms} in {where}" + (f" without {' and '.join(dropped)}" if dropped else "")

    @property
    def is_of_words(self) -> bool:
        """Whether the terms are words, which are of a language; names, facts and synsets are of none.

        >>> Scope().is_of_words, Scope(entities=("person",)).is_of_words
        (True, False)
        """
        return self.expand == "none" and not (
            self.names or self.facts or self.figures or self.notations or self.entities
        )

    @property
    def needs(self) -> tuple[ResourceName, ...]:
        """The resources without which the scope cannot be read."""
        own: set[ResourceName] = {"wordnet"} if self.expand != "none" else set()
        return tuple(sorted(own.union(*(scope.needs for scope in self.also))))

    @property
    def synsets(self) -> bool:
        """Whether some terms are the names of synsets: no words that have vectors."""
        return self.expand not in {"none", "events"} or any(scope.synsets for scope in self.also)
