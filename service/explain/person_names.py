"""The people whom a record names in fields of their own: words of their names are no words of a text."""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from features.text.caches import text_cache
from features.text.names.cultures import is_culture
from features.text.names.names import names
from features.text.names.parts import bare_text, inverted
from ingest.record import Record
from service.explain.makers import natural
from service.explain.phrases import texts, word_set

_LONGEST: Final = 60  # letters of a subject that is one name
_REMEMBERED: Final = 1 << 12  # texts whose names are remembered: one item is compared with many


class PersonName(NamedTuple):
    """A person's name in its natural order, and its words without case and accents."""

    text: str
    words: frozenset[str]


def people_of(record: Record) -> Iterator[PersonName]:
    """The persons of the creator field, of the museum's index of people and of the subjects.

    Of subjects those count whose surname stands first: *Goodman, Job*.

    >>> from ingest.record import Record, values
    >>> left = Record(id="a", creator=values("Leo Seltzer"), subject=values("Goodman, Job", "Painting"))
    >>> [person.text for person in people_of(left)]
    ['Leo Seltzer', 'Job Goodman']
    """
    for value in (*record.creator, *record.people):
        yield from _persons(value.text)
    for value in record.subject:
        if len(value.text) <= _LONGEST and "," in value.text and _is_inverted(value.text):
            yield from _persons(value.text)


def _is_inverted(text: str) -> bool:
    """Whether a subject is a person's name with the surname first, no heading such as *Poets, American*."""
    forenames = text.partition(",")[2].strip()
    if "--" in text or not forenames[:1].isupper() or is_culture(forenames.split(" (")[0]):
        return False
    return inverted(bare_text(text), 0, len(text)) is not None


@text_cache(_REMEMBERED)
def _persons(text: str) -> tuple[PersonName, ...]:
    every = (natural(one.text) for one in names(text) if one.kind == "person")
    return tuple(PersonName(name, word_set(name)) for name in every)


def whole_names(phrases: Sequence[str], left: Record, right: Record) -> list[str]:
    """Phrases without half names: a word of somebody's name gives way to the name, where both have that.

    Job Goodman and Bertram Goodman do not share “Goodman”.

    >>> from ingest.record import Record, values
    >>> left = Record(id="a", title=values("Deed"), subject=values("Peri, Giovanni", "Casa, Lodovico della"))
    >>> right = Record(id="b", title=values("The Casa deed of Giovanni Peri"))
    >>> whole_names(["Giovanni", "Casa", "deed"], left, right)
    ['Giovanni Peri', 'deed']
    """
    if not any(phrase[:1].isupper() for phrase in phrases):
        return list(phrases)
    people = [*people_of(left), *people_of(right)]
    both = _words_of(left) & _words_of(right) if people else frozenset()
    makers = {*_makers_of(left)} & {*_makers_of(right)}
    whole: dict[str, None] = {}
    for phrase in phrases:
        own, text = word_set(phrase), phrase
        named = [one for one in people if own <= one.words]
        if phrase[:1].isupper() and named:
            half = "" if len(own) == 1 else phrase
            # who made both is no subject of theirs, whatever namesake of his a text names
            whole_name = next((one for one in named if one.words <= both), None)
            text = whole_name.text if whole_name and not (half == "" and whole_name in makers) else half
        if text:
            whole[text] = None
    return [*whole]


def _makers_of(record: Record) -> Iterator[PersonName]:
    for value in record.creator:
        yield from _persons(value.text)


def _words_of(record: Record) -> frozenset[str]:
    return word_set("\n".join(text for *_, text in texts(record)))
