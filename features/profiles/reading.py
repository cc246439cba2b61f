"""What the language pipeline and the rules read in the texts of records: profiles without vectors."""

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from features.profiles.other_languages import analyse
from features.profiles.profile import EVERYWHERE, PEOPLE, PLACES, AnalysedValue, Profile
from features.profiles.record_language import language_of, language_of_value
from features.text.annotation import Analysis, Mention
from features.text.boilerplate import boilerplate_spans
from features.text.context import context_spans
from features.text.dates.fields import date_periods, text_periods
from features.text.dates.historic import historic_periods
from features.text.dates.years import periods
from features.text.language import Language
from features.text.language_codes import ENGLISH, Code
from features.text.names.names import NOBODY, names
from ingest.record import TEXTS, Field, Record, innermost

_TEXT_FIELDS: Final = (Field.TITLE, Field.DESCRIPTION, Field.SUBJECT)
"""The fields in which a period's name may date the item; elsewhere it is a collection's or a maker's."""

_READ_ALIKE: Final = frozenset({*EVERYWHERE, PLACES})
"""Parts whose values are read within each other, and never within those of other parts."""

_NAMING: Final = frozenset({Field.CREATOR, PEOPLE})
"""Parts whose values are names."""

_WORDED: Final = frozenset(TEXTS) - _READ_ALIKE - _NAMING
"""Parts of whose values the words alone are read."""


@dataclass(frozen=True, slots=True)
class _Text:
    part: str
    index: int
    text: str
    language: Code
    address: str | None = None


def read(records: Sequence[Record], pipeline: Language) -> list[Profile]:
    """Profiles without vectors; a value that begins a longer one of its record is read there, once."""
    texts = [list(_texts(record)) for record in records]
    english = [[text for text in each if text.language == ENGLISH] for each in texts]
    read_in = [_hosts(each) for each in english]
    wanted = list(dict.fromkeys(host for each in read_in for host in each.values()))
    analyses = dict(zip(wanted, pipeline.analyse(wanted), strict=True))

    def analysis(text: _Text, hosts: Mapping[_Text, str]) -> Analysis:
        if text not in hosts:
            return analyse(text.text, text.language)
        host, length = analyses[hosts[text]], len(text.text)
        mentions = tuple(mention for mention in host.mentions if mention.end <= length)
        return Analysis(tuple(word for word in host.words if word.end <= length), mentions)

    return [
        Profile(tuple(_value(text, analysis(text, hosts)) for text in each), language=language_of(record))
        for record, each, hosts in zip(records, texts, read_in, strict=True)
    ]


def _hosts(texts: list[_Text]) -> dict[_Text, str]:
    """For each text the longest of them that it begins, which is itself where there is no longer one."""
    alike = sorted({text.text for text in texts if text.part in _READ_ALIKE})
    every = sorted({text.text for text in texts})
    ordered = {text: alike if text.part in _READ_ALIKE else every for text in texts}
    return {
        text: max(_beginning_with(text.text, among), key=len, default=text.text)
        for text, among in ordered.items()
    }


def _beginning_with(text: str, ordered: list[str]) -> list[str]:
    # within a word, or before a mark that ends it, a longer text may be cut into other words
    marks = ",:;" if text[-1:].isalnum() else ""
    ranges = [
        (bisect_left(ordered, text + mark), bisect_left(ordered, text + chr(ord(mark) + 1))) for mark in marks
    ]
    return [other for low, high in ranges for other in ordered[low:high]]


def _texts(record: Record) -> Iterator[_Text]:
    language = language_of(record)
    # of several addresses of one thing that which two records are likeliest to choose
    named = {(one.part, one.label): one.address for one in sorted(record.entities, reverse=True)}
    for part in TEXTS:
        for index, value in enumerate(record.part(part)):
            spoken = language_of_value(value, part, language)
            yield _Text(part, index, value.text, spoken, named.get((part, value.text)))


def _value(text: _Text, analysis: Analysis) -> AnalysedValue:
    if text.part in _WORDED:
        return AnalysedValue(text.part, text.index, analysis.words, (), address=text.address)
    english = text.language == ENGLISH
    read_dates = date_periods if text.part == Field.DATE else periods if english else text_periods
    # years beside the name of one who is shown are those of a life
    dates = read_dates(text.text) if text.part in _READ_ALIKE else ()
    named = () if dates or text.part not in _TEXT_FIELDS else historic_periods(text.text)
    read_names = names(text.text) if text.part in _NAMING else ()
    # a creator and what the museum indexes are known better than a model can read them
    if text.part == Field.CREATOR:
        mentions = [
            Mention(name.start, name.end, "person" if name.kind == "person" else "organisation", name.text)
            for name in read_names
            if name.kind not in NOBODY
        ]
    elif text.part == PEOPLE:
        kinds = {name.kind for name in read_names} - NOBODY
        kind = "person" if "person" in kinds else "organisation"
        mentions = [Mention(0, len(text.text), kind, text.text)] if kinds else []
    elif text.part == PLACES:
        # of a path its end: that an item is of Europe says little of it
        place, size = innermost(text.text), len(text.text)
        mentions = [Mention(size - len(place), size, "location", place)]
    else:
        spans = [(date.start, date.end) for date in dates]
        mentions = [m for m in analysis.mentions if not any(s <= m.start and m.end <= e for s, e in spans)]
    mentions += [Mention(p.start, p.end, "date", p.text) for p in dates]
    ordered = tuple(sorted(mentions, key=lambda m: (m.start, m.end, m.kind)))
    described = text.part == Field.DESCRIPTION
    boilerplate = boilerplate_spans(text.text) if described else ()
    # the rules for what is history know English alone
    context = context_spans(text.text) if described and english else ()
    parts = (dates + named, read_names, boilerplate, context, text.address)
    return AnalysedValue(text.part, text.index, analysis.words, ordered, *parts)
