"""Date strings of eighteen collections, and published forms, each with the intervals that a reader wrote.

They are in eight languages. ``tests/data/dates.tsv`` holds one string for each way of writing that was
drawn from some 18,000 different strings, and the forms that other institutions publish. Intervals are
first and last year, ``-44`` for 44 BC, ``&`` between the dates of different things, ``-`` for none. An open
date reaches a generation, 25 years.
"""

import csv
from pathlib import Path
from typing import Final

from features.text.dates.fields import date_periods
from features.text.dates.years import Period

GOLD: Final = Path(__file__).parents[3] / "data" / "dates.tsv"

MISREAD: Final = {
    "18th century-1th century?": "a slip for 18th or 19th: the first alone is sure",
    "18th century, after 1713": "the second narrows the first",
    "ealry-mid 19th century": "a slip for early",
}
"""The strings that are read otherwise than by a reader, and why."""


def written(periods: tuple[Period, ...]) -> str:
    """The intervals in the form of the gold standard."""
    spans = (str(one.first) if one.first == one.last else f"{one.first}..{one.last}" for one in periods)
    return " & ".join(spans) or "-"


def test_dates_are_read_as_a_reader_reads_them() -> None:
    with GOLD.open(encoding="utf-8") as file:
        gold = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    assert len(gold) >= 600
    wrong = {row["date"] for row in gold if written(date_periods(row["date"])) != row["intervals"]}
    assert wrong == MISREAD.keys()
    assert len(wrong) <= 0.01 * len(gold)
