"""Dates of records that are not understood: they reject nothing, and are told."""

from itertools import islice
from textwrap import shorten

from features.text.dates.fields import is_understood
from ingest.record import Record

_EXAMPLES = 5


def strange_dates(record: Record) -> list[str]:
    """The dates of a record that are not understood, and count as none.

    >>> from ingest.record import values
    >>> strange_dates(Record(id="a", date=values("1740", "the other day")))
    ['the other day']
    """
    return [value.text for value in record.date if not is_understood(value.text)]


class StrangeDates:
    """The records of a run with a date that is not understood; of two with one id the later counts."""

    def __init__(self) -> None:
        self._found: dict[str, str] = {}

    def __len__(self) -> int:
        return len(self._found)

    def note(self, record: Record) -> None:
        """Look at the dates of a record."""
        if strange := strange_dates(record):
            self._found[record.id] = strange[0]
        else:
            self._found.pop(record.id, None)

    def sentence(self) -> str:
        """What a person is told: how many there are, and some of the dates."""
        first: dict[str, str] = {}
        for item, text in self._found.items():
            first.setdefault(text, item)
        examples = [f"'{shorten(text, 60)}' ({item})" for text, item in islice(first.items(), _EXAMPLES)]
        records = "1 record has" if len(self) == 1 else f"{len(self):,} records have"
        return f"{records} a date that is not understood, which counts as no date; for example: " + ", ".join(
            examples
        )
