"""The language of a record and of its values: what the source says, else what the texts show."""

from typing import Final

from features.text.language_codes import ENGLISH, Code, base
from features.text.spoken import is_rather_english, spoken
from ingest.record import Field, Record, Value

_TEXT_FIELDS: Final = (Field.TITLE, Field.DESCRIPTION, Field.SUBJECT)
"""The fields whose texts show a record's language; those of makers and dates hold names."""


def language_of(record: Record) -> Code:
    """The language of a record: that of most of its values that say theirs, else the one its texts show.

    >>> from ingest.record import Value, values
    >>> language_of(Record(id="a", title=(Value("Stilleven", "nl-NL"),), subject=values("bloemen")))
    'nl'
    >>> language_of(Record(id="b", title=values("Bildnis einer Frau mit einem Hund und einer Katze")))
    'de'
    """
    values = [value for field in _TEXT_FIELDS for value in record.field(field)]
    languages = [language for value in values if (language := declared(value)) is not None]
    return max(languages, key=languages.count) if languages else spoken(value.text for value in values)


def language_of_value(value: Value, part: str, language: Code) -> Code:
    """The language of a value of a record in ``language``: what its tag says, else that of the record.

    A maker's, a holder's or another name is English where its words are: a Dutch record may be of the *Museum
    of Modern Art*.
    """
    if (tagged := declared(value)) is not None:
        return tagged
    is_name = part not in _TEXT_FIELDS and language != ENGLISH
    return ENGLISH if is_name and is_rather_english(value.text, language) else language


def declared(value: Value) -> Code | None:
    """The language that a value's tag names; None where it has none.

    >>> declared(Value("Stilleven", "nl-NL")), declared(Value("Stilleven"))
    ('nl', None)
    """
    return base(value.language) if value.language else None
