"""What the language pipeline and the rules read in the texts of records: profiles without vectors."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from features.profiles.other_languages import analyse
from features.profiles.profile import PLACES, AnalysedValue, Profile
from features.text.annotation import Analysis, Mention
from features.text.boilerplate import boilerplate_spans
from features.text.context import context_spans
from features.text.dates.fields import date_periods, text_periods
from features.text.dates.historic import historic_periods
from features.text.dates.years import Period, periods
from features.text.language import Language
from features.text.names.names import NOBODY, Name, names
from features.text.spoken import ENGLISH, Code, base, spoken
from ingest.record import Field, Record, Value, innermost

_TEXT_FIELDS: Final = (Field.TITLE, Field.DESCRIPTION, Field.SUBJECT)
_TEXT_PARTS: Final = frozenset(field.value for field in _TEXT_FIELDS)
"""The fields in which a period's name may date the item; elsewhere it is a collection's or a maker's."""


@dataclass(frozen=True, slots=True)
class _Text:
    part: str
    index: int
    text: str
    language: Code
    address: str | None = None


def read(records: Sequence[Record], pipeline: Language) -> list[Profile]:
    """The profiles of some records without their vectors, all their texts analysed in one go.

    A value that is the beginning of a longer one of its record (a title made of a description's
    first words) is read there, in its context, and not again.
    """
    texts = [list(_texts(record)) for record in records]
    english = [[text for text in each if text.language == ENGLISH] for each in texts]
    read_in = [dict(zip(each, _hosts([text.text for text in each]), strict=True)) for each in english]
    wanted = list(dict.fromkeys(host for each in read_in for host in each.values()))
    analyses = dict(zip(wanted, pipeline.analyse(wanted), strict=True))
    return [
        Profile(
            tuple(
                _value(text, _beginning(analyses[hosts[text]], len(text.text)))
                if text in hosts
                else _value(text, analyse(text.text, text.language))
                for text in each
            )
        )
        for each, hosts in zip(texts, read_in, strict=True)
    ]


def _hosts(texts: list[str]) -> list[str]:
    """For each text the longest of them that it begins, which is itself where there is no longer one."""
    ordered = sorted(set(texts))
    return [max(_beginning_with(text, ordered), key=len, default=text) for text in texts]


def _beginning_with(text: str, ordered: list[str]) -> list[str]:
    # within a word, or before a mark that ends it, a longer text may be cut into other words
    marks = ",:;" if text[-1:].isalnum() else ""
    ranges = [
        (bisect_left(ordered, text + mark), bisect_left(ordered, text + chr(ord(mark) + 1))) for mark in marks
    ]
    return [other for low, high in ranges for other in ordered[low:high]]


def _beginning(analysis: Analysis, length: int) -> Analysis:
    return Analysis(
        tuple(word for word in analysis.words if word.end <= length),
        tuple(mention for mention in analysis.mentions if mention.end <= length),
    )


def _texts(record: Record) -> Iterator[_Text]:
    language = language_of(record)
    # of several addresses of one thing that which two records are likeliest to choose
    named = {(one.part, one.label): one.address for one in sorted(record.entities, reverse=True)}
    parts = {**{field.value: record.field(field) for field in Field}, PLACES: record.places}
    for part, values in parts.items():
        for index, value in enumerate(values):
            yield _Text(part, index, value.text, _declared(value) or language, named.get((part, value.text)))


def language_of(record: Record) -> Code:
    """The language of a record: that of most of its values that say theirs, else the one its texts show.

    >>> from ingest.record import Value, values
    >>> language_of(Record(id="a", title=(Value("Stilleven", "nl-NL"),), subject=values("bloemen")))
    'nl'
    >>> language_of(Record(id="b", title=values("Bildnis einer Frau mit einem Hund und einer Katze")))
    'de'
    """
    telling = [value for field in _TEXT_FIELDS for value in record.field(field)]
    said = [language for value in telling if (language := _declared(value)) is not None]
    if said:
        return max(said, key=said.count)
    return spoken(value.text for value in telling)


def _declared(value: Value) -> Code | None:
    return base(value.language) if value.language else None


def _value(text: _Text, analysis: Analysis) -> AnalysedValue:
    english = text.language == ENGLISH
    if text.part == Field.DATE:
        dates = date_periods(text.text)
    else:
        dates = periods(text.text) if english else text_periods(text.text)
    named = () if dates or text.part not in _TEXT_PARTS else historic_periods(text.text)
    creators = names(text.text) if text.part == Field.CREATOR else ()
    if text.part == Field.CREATOR:
        mentions = tuple(_mention(name) for name in creators if name.kind not in NOBODY)
    elif text.part == PLACES:
        mentions = (_place(text.text),)
    else:
        mentions = tuple(m for m in analysis.mentions if not _inside(m, dates))
    mentions += tuple(Mention(p.start, p.end, "date", p.text) for p in dates)
    ordered = tuple(sorted(mentions, key=lambda m: (m.start, m.end, m.kind)))
    # what is history, and not shown, is told by rules that know English alone
    context = context_spans(text.text) if english else ()
    told = (boilerplate_spans(text.text), context) if text.part == Field.DESCRIPTION else ((), ())
    return AnalysedValue(
        text.part, text.index, analysis.words, ordered, dates + named, creators, *told, text.address
    )


def _mention(name: Name) -> Mention:
    # a creator and a place index are known better than a model can read them
    kind = "person" if name.kind == "person" else "organisation"
    return Mention(name.start, name.end, kind, name.text)


def _place(text: str) -> Mention:
    # of a path its end: that an item is of Europe says little of it
    name = innermost(text)
    return Mention(len(text) - len(name), len(text), "location", name)


def _inside(mention: Mention, dates: tuple[Period, ...]) -> bool:
    return any(p.start <= mention.start and mention.end <= p.end for p in dates)
