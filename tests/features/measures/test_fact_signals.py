"""What a model of facts is told of records, on the miniature WordNet and in the toy language."""

import numpy as np
import pytest

from features.facts.model import Signals
from features.measures.fact_signals import SignalsReader, sign_names, signals_reader
from features.profiles.blocks import Block
from features.profiles.profile import Profile, SentenceVector
from ingest.errors import ResourceMissing
from ingest.record import Record
from tests.builders import profile, record
from tests.features.knowledge.test_wordnet_words import ABSENT, MINI


def block(*records: Record) -> Block:
    return Block([profile(one) for one in records])


def words(*records: Record) -> list[list[str]]:
    """The words of each record, in alphabetical order."""
    terms = SignalsReader(MINI).terms(block(*records))
    of = [terms.words[number] for number in terms.numbers]
    return [
        sorted(word for item, word in zip(terms.items, of, strict=True) if item == row)
        for row in range(len(records))
    ]


def counts(of: Record) -> dict[str, int]:
    """The signs of a record that are not 0."""
    (row,) = SignalsReader(MINI).signals(block(of), {}).signs
    return {name: number for name, number in zip(sign_names(), row.tolist(), strict=True) if number}


# -- words -----------------------------------------------------------------------------------------


def test_words_of_title_and_subject_are_read_twice_those_of_the_description_once() -> None:
    one = record("a", "Two Boats", subject="sea|boats", description="Sails of boats", creator="Ada Reed")
    # dictionary forms in small letters, each once; of the creator none
    assert words(one) == [["d:boat", "d:of", "d:sail", "d:sea", "d:two", "t:boat", "t:sea", "t:two"]]


def test_boilerplate_is_dropped() -> None:
    one = record("a", "Boat", description="A storm. Gift of Tom Hall, 1979")
    assert words(one) == [["d:a", "d:boat", "d:storm", "t:boat"]]


def test_each_record_has_its_own_words() -> None:
    assert words(record("a", "Boat"), record("b"), record("c", "!", description="boats, boats")) == [
        ["d:boat", "t:boat"],
        [],
        ["d:boat"],
    ]


def test_words_are_rows_of_a_vocabulary_and_others_do_not_count() -> None:
    both = block(record("a", "Old boats", description="A storm"), record("b", "Boat by the sea"))
    known = SignalsReader(MINI).signals(both, {"t:boat": 4, "d:storm": 7, "d:king": 0})
    pairs = sorted(zip(known.records.tolist(), known.terms.tolist(), strict=True))
    assert pairs == [(0, 4), (0, 7), (1, 4)]
    # another vocabulary of the same block
    other = SignalsReader(MINI).signals(both, {"d:sea": 0})
    assert (other.records.tolist(), other.terms.tolist()) == ([1], [0])


# -- signs -----------------------------------------------------------------------------------------


def test_kinds_of_people_count_up_to_3_and_once_more_whether_there_are_any() -> None:
    # girl is a girl, woman, female, child and person: one sign
    assert counts(record("a", description="a girl")) == {"kinds": 1, "kinds, any": 1}
    assert counts(record("a", description="girl, woman, girl, woman, girl")) == {"kinds": 3, "kinds, any": 1}
    titled = counts(record("a", "a girl", description="a woman"))
    assert titled == {"kinds": 2, "kinds in title": 1, "kinds, any": 1, "kinds in title, any": 1}


def test_what_is_said_of_the_record_or_of_its_history_is_no_sign() -> None:
    assert counts(record("a", description="Gift of a woman, 1979")) == {}
    # who wore it is its history
    assert counts(record("a", description="It was worn by a woman.")) == {}


def test_persons_and_places_count_by_their_words() -> None:
    shown = counts(record("a", "Ada Reed in Venice", description="Harrow"))
    numbers = {"persons": 2, "persons in title": 2, "places": 2, "places in title": 1}
    assert shown == numbers | {f"{name}, any": 1 for name in numbers}


def test_actions_and_makers() -> None:
    made = counts(record("a", "The banquet", creator="Reed, Ada|Tom Hall"))
    # four words of two makers, of which three count
    assert made == {"actions": 1, "actions, any": 1, "makers": 3, "makers, any": 1}


def test_the_names_of_signs_are_those_of_their_columns() -> None:
    names = sign_names()
    assert len(set(names)) == len(names) == 16
    assert names[8:] == tuple(f"{name}, any" for name in names[:8])


# -- vectors, and all together ---------------------------------------------------------------------


def test_the_vectors_are_those_of_both_texts() -> None:
    content, every = (np.full(384, number, np.int8) for number in (3, -5))
    vectors = (SentenceVector("content", content.tobytes()), SentenceVector("all", every.tobytes()))
    known = SignalsReader(MINI).signals(Block([Profile((), vectors), Profile(())]), {})
    assert known.content.tolist() == [content.tolist(), [0] * 384]
    assert known.every.tolist() == [every.tolist(), [0] * 384]


def test_records_tell_the_same_alone_and_together() -> None:
    records = [
        record("a", "Ada Reed, a girl", description="A wedding in Venice", creator="Tom Hall"),
        record("b"),
        record("c", "Boats of Venice", subject="boats"),
    ]
    vocabulary = {"t:boat": 0, "d:wedding": 1, "d:girl": 2}

    def known(*some: Record) -> Signals:
        return SignalsReader(MINI).signals(block(*some), vocabulary)

    together, alone = known(*records), [known(one) for one in records]
    assert together.signs.tolist() == [one.signs[0].tolist() for one in alone]
    for row, one in enumerate(alone):
        assert sorted(together.terms[together.records == row]) == sorted(one.terms)


def test_of_no_records_there_is_nothing() -> None:
    known = SignalsReader(MINI).signals(Block([]), {"t:boat": 0})
    assert [each.shape for each in known] == [(0, 384), (0, 384), (0, 16), (0,), (0,)]


def test_a_reader_is_made_once_and_needs_wordnet() -> None:
    assert signals_reader(MINI) is signals_reader(MINI)
    with pytest.raises(ResourceMissing):
        SignalsReader(ABSENT)
