"""What the language models say about a text."""

from typing import Literal

import msgspec

MentionKind = Literal["person", "location", "organisation"]
"""The kinds of named entities that the models find; dates are found by rules."""


class Word(msgspec.Struct, frozen=True, array_like=True):
    """A word of a text: where it stands, and its lemma and universal part of speech."""

    start: int
    end: int
    form: str
    lemma: str
    tag: str


class Mention(msgspec.Struct, frozen=True, array_like=True):
    """A named entity of a text."""

    start: int
    end: int
    kind: MentionKind
    text: str


class Analysis(msgspec.Struct, frozen=True, array_like=True):
    """All words and named entities of one text, in their order."""

    words: tuple[Word, ...]
    mentions: tuple[Mention, ...]
