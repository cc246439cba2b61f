"""What a language analysis says of one text: words and mentions, with their offsets."""

from typing import NamedTuple

import msgspec

Tokens = tuple[str, ...]
"""The tokens of a sentence."""

KINDS = ("person", "location", "organisation", "date")
"""The kinds of entity a mention can be of, in the order they are reported."""


class Word(msgspec.Struct, frozen=True, array_like=True):
    """One token: ``text[start:end]``, its lemma and its universal part of speech (UPOS)."""

    start: int
    end: int
    form: str
    lemma: str
    tag: str


class Mention(msgspec.Struct, frozen=True, array_like=True):
    """A named entity or calendar expression: ``text[start:end]`` and its kind, one of ``KINDS``."""

    start: int
    end: int
    kind: str
    text: str


class Analysis(msgspec.Struct, frozen=True, array_like=True):
    """The words and the mentions of one text, both in text order."""

    words: tuple[Word, ...]
    mentions: tuple[Mention, ...]


class WordReading(NamedTuple):
    """What the models say of a sentence: lemma, universal tag and entity label (BIOES) of every word."""

    lemmas: tuple[str, ...]
    tags: tuple[str, ...]
    labels: tuple[str, ...]
