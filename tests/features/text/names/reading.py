"""A text with mentions of entities, as the readers of names see it."""

from collections.abc import Callable, Sequence

from features.text.annotation import Mention, Word
from features.text.names.tables import NamedSpan
from features.text.tokenizer import tokenize

Reader = Callable[[Sequence[Word], Sequence[Mention]], tuple[NamedSpan, ...]]


def named(read: Reader, text: str, *mentions: tuple[str, str]) -> list[str]:
    """What a reader finds named in a text; each mention is a kind and its words."""
    words = [
        Word(*span, text[slice(*span)], text[slice(*span)].lower(), "X")
        for sentence in tokenize(text)
        for span in sentence
    ]
    of_kinds = [
        Mention(text.index(name), text.index(name) + len(name), kind, name) for kind, name in mentions
    ]
    return [one.name for one in read(words, of_kinds)]
