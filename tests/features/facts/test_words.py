"""What the model of facts is told of words, on the miniature WordNet and in the toy language."""

import numpy as np
import pytest

from features.facts.words import MOST, SIGNS, TAGS, FactWords, FactWordsReader, fact_words_reader
from features.knowledge.wordnet.files import LEXICOGRAPHER_FILES
from features.profiles.blocks import Block
from features.profiles.profile import AnalysedValue, Profile
from features.text.annotation import Word
from ingest.record import Record
from tests.builders import profile, record
from tests.features.knowledge.test_wordnet_words import MINI


def read(*records: Record) -> FactWords:
    return FactWordsReader(MINI.wordnet).words(Block([profile(one) for one in records]))


def lemmas(words: FactWords) -> list[str]:
    return [words.terms[number] for number in words.lemmas.tolist()]


def tagged(*words: tuple[str, str]) -> FactWords:
    """What is read of a title of words with their parts of speech."""
    own = tuple(Word(2 * n, 2 * n + 1, word, word, tag) for n, (word, tag) in enumerate(words))
    return FactWordsReader(MINI.wordnet).words(Block([Profile((AnalysedValue("title", 0, own, ()),))]))


FULL = record(
    "a",
    "Two Boats",
    creator="Ada Reed",
    subject="sea|boats",
    description="A storm",
    date="1840",
    source="museum",
    places="Venice",
    people="Tom Hall",
    part_of="Boats",
)


def test_words_of_the_six_fields_are_read_in_the_order_of_the_text() -> None:
    words = read(FULL)
    # nothing that the museum indexes beside the six
    assert lemmas(words) == ["two", "boat", "ada", "reed", "sea", "boat", "a", "storm", "1840", "museum"]
    forms = [words.terms[number] for number in words.forms.tolist()]
    assert forms == ["two", "boats", "ada", "reed", "sea", "boats", "a", "storm", "1840", "museum"]
    # title, creator, subject, description, date, source
    assert words.fields.tolist() == [0, 0, 1, 1, 2, 2, 3, 3, 4, 5]
    assert words.starts.tolist() == [0, 10]


def test_a_word_is_joined_to_the_one_before_in_the_same_value() -> None:
    # a value of subject is not joined to the next
    assert read(FULL).joined.tolist() == [0, 1, 0, 1, 0, 0, 0, 1, 0, 0]
    assert read(record("a", "Two boats"), record("b", "Sea")).joined.tolist() == [0, 1, 0]


def test_title_and_subject_are_titles() -> None:
    assert read(FULL).titles.tolist() == [1, 1, 0, 0, 1, 1, 0, 0, 0, 0]


def test_values_that_stand_in_another_order_are_read_as_text_is() -> None:
    title, description = profile(record("a", "Two boats", description="A storm")).values
    block = Block([Profile((description, title))])
    words = FactWordsReader(MINI.wordnet).words(block)
    assert lemmas(words) == ["two", "boat", "a", "storm"]
    # the rows are those of the block's words
    assert [block.lexicon.terms[number] for number in block.words.lemmas[words.rows].tolist()] == lemmas(
        words
    )
    assert words.rows.tolist() == [2, 3, 0, 1]


def test_parts_of_speech_have_numbers_and_others_count_as_x() -> None:
    words = tagged(("king", "NOUN"), ("rome", "PROPN"), ("of", "ADP"), ("?", "PUNCT"), ("!", "unheard of"))
    expected = ["NOUN", "PROPN", "ADP", "PUNCT", "X"]
    assert [TAGS[number] for number in words.tags.tolist()] == expected


def test_a_word_has_a_bit_for_each_kind_of_mention() -> None:
    # person 1, location 2, organisation 4, date 8
    words = read(record("a", "Ada Reed of Venice in 1840", date="1841"))
    assert lemmas(words) == ["ada", "reed", "of", "venice", "in", "1840", "1841"]
    assert words.kinds.tolist() == [1, 1, 0, 2, 0, 8, 8]


def test_boilerplate_is_marked_1_and_context_2() -> None:
    given = read(record("a", "Boat", description="A storm. Gift of Tom Hall, 1979"))
    marks = dict(zip(lemmas(given), given.marks.tolist(), strict=True))
    assert [marks[lemma] for lemma in ("boat", "storm", "gift", "tom", "1979")] == [0, 0, 1, 1, 1]
    worn = read(record("a", description="It was worn by a woman."))
    assert set(worn.marks.tolist()) == {2}
    assert read(record("a", "Boat")).marks.tolist() == [0]


def test_a_word_has_the_lexicographer_file_of_its_first_sense() -> None:
    words = tagged(
        ("storm", "NOUN"),
        ("storm", "VERB"),
        ("girl", "PROPN"),
        ("storm", "ADJ"),  # there is no such adjective
        ("storm", "PUNCT"),  # WordNet has none of these
        ("zebra", "NOUN"),  # nor this word
    )
    # numbers from 1
    names = ["", *LEXICOGRAPHER_FILES]
    assert [names[number] for number in words.files.tolist()] == [
        "noun.phenomenon",
        "verb.weather",
        "noun.person",
        "",
        "",
        "",
    ]


def test_at_most_160_words_of_a_record_are_read_from_the_title_on() -> None:
    long = record("a", "boats " * 100, subject="sea", description="storm " * 100)
    words = read(record("b", "One"), long, record("c", "Two"))
    assert MOST == 160
    # of the description 160 - 100 - 1
    assert words.starts.tolist() == [0, 1, 161, 162]
    assert lemmas(words) == ["one", *["boat"] * 100, "sea", *["storm"] * 59, "two"]


def test_all_numbers_are_within_the_sizes_of_their_arrays() -> None:
    words = read(FULL, record("b", "Ada Reed walking in Bath in 1840", description="Gift of Tom Hall, 1979"))
    for name, size in SIGNS.items():
        numbers = getattr(words, name)
        assert (numbers.dtype, numbers.shape) == (np.int64, words.rows.shape)
        assert 0 <= numbers.min() <= numbers.max() < size


def test_records_tell_the_same_alone_and_together() -> None:
    records = [
        record("a", "Ada Reed, a girl", description="A wedding in Venice", creator="Tom Hall"),
        record("b"),
        record("c", "Boats of Venice", subject="boats"),
    ]
    together, alone = read(*records), [read(one) for one in records]
    assert together.starts.tolist() == np.cumsum([0, *(len(one.rows) for one in alone)]).tolist()
    assert lemmas(together) == [lemma for one in alone for lemma in lemmas(one)]
    for name in (*SIGNS, "joined", "titles"):
        assert getattr(together, name).tolist() == [n for one in alone for n in getattr(one, name).tolist()]


@pytest.mark.parametrize("records", [(), (record("a"),), (record("a", places="Venice"),)])
def test_of_no_words_there_is_nothing(records: tuple[Record, ...]) -> None:
    words = read(*records)
    assert words.starts.tolist() == [0] * (len(records) + 1)
    assert (words.terms, words.rows.tolist(), words.files.tolist()) == ((), [], [])


def test_a_reader_is_made_once() -> None:
    assert fact_words_reader(MINI.wordnet) is fact_words_reader(MINI.wordnet)
