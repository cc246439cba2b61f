"""What is read in the parts that a museum indexes beside the six fields; the toy language, the real rules."""

from typing import get_args

import pytest
from msgspec.structs import replace

from features.profiles.profile import EVERYWHERE, AnalysedValue, Part
from features.profiles.reading import read
from ingest.record import TEXTS, Entity, Field, Record, values
from tests.builders import ToyLanguage

WORDED = ("cultures", "periods", "events", "concepts", "materials", "part_of")


def analysed(record: Record) -> tuple[AnalysedValue, ...]:
    (profile,) = read([record], ToyLanguage())
    return profile.values


def test_the_parts_of_a_profile_are_those_of_a_record() -> None:
    assert get_args(Part) == TEXTS
    assert tuple(Field) == EVERYWHERE


@pytest.mark.parametrize(
    ("person", "kind"),
    [
        ("Gonggrijp, Maria (1850-1920)", "person"),
        ("Herakles", "person"),
        ("Museum of Bath", "organisation"),
        ("unknown", None),
    ],
)
def test_one_who_is_shown_is_mentioned_by_the_whole_value(person: str, kind: str | None) -> None:
    (value,) = analysed(Record(id="a", people=values(person)))
    assert value.part == "people"
    mentions = [(one.kind, one.text, one.start, one.end) for one in value.mentions]
    assert mentions == ([(kind, person, 0, len(person))] if kind else [])
    # the years of a life date no item
    assert value.periods == ()


def test_one_who_is_shown_is_read_as_a_name() -> None:
    (value,) = analysed(Record(id="a", people=values("Gonggrijp, Maria (1850-1920)")))
    assert [name.key for name in value.names] == ["maria gonggrijp"]


@pytest.mark.parametrize("part", WORDED)
def test_of_other_indexed_parts_the_words_alone_are_read(part: str) -> None:
    named = Entity(part, "http://vocab.getty.edu/aat/1", "Ada Reed in Venice, 1840")
    record = Record(id="a", entities=(named,), **{part: values("Ada Reed in Venice, 1840")})  # type: ignore[arg-type]
    (value,) = analysed(record)
    assert (value.part, value.index, value.address) == (part, 0, named.address)
    assert [word.form for word in value.words] == ["Ada", "Reed", "in", "Venice", ",", "1840"]
    assert (value.mentions, value.periods, value.names) == ((), (), ())


def test_what_is_indexed_changes_nothing_in_what_is_read_elsewhere() -> None:
    plain = Record(id="a", title=values("View of Venice"), subject=values("Bath"), places=values("Bath"))
    indexed = replace(plain, people=values("Tom Hall"), part_of=values("View of Venice, an album"))
    assert analysed(indexed)[: len(analysed(plain))] == analysed(plain)
    assert [value.part for value in analysed(indexed)] == ["title", "subject", "places", "people", "part_of"]
