"""The model of facts: its network, its files, and what is refused."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from features.arrays import Doubles, Singles
from features.facts.model import MODEL, SHIPPED, FactsModel, open_facts, save
from features.facts.network import FactsWeights
from features.facts.words import FactWords
from features.text.piece_sums import fingerprint
from features.text.piece_sums import open_model as open_vectors
from ingest.errors import DamagedArtefact
from tests.features.facts.models import (
    OneWord,
    Slopes,
    a_value,
    fact_words,
    facts_model,
    random_weights,
    random_words,
)

MADE: Mapping[str, Slopes] = {
    "people": {"base": -1, "d:king": 2, "t:king": 0.25},
    "event": {"base": 0.5, "d:king": -1, "t:war": 4},
}
WORDS = ("king", "war")


def logits(likely: Singles) -> list[list[float]]:
    shares = likely.astype(np.float64)
    return np.log(shares / (1 - shares)).tolist()  # type: ignore[no-any-return]


def people(model: FactsModel, *records: list[OneWord]) -> list[float]:
    """The logit of the first category in each record."""
    return [own[0] for own in logits(model.likely(fact_words(*records)))]


def changed(model: FactsModel, **arrays: "np.ndarray[tuple[int, ...], np.dtype[np.float16]]") -> FactsModel:
    return FactsModel(model.manifest, model.words, (model.weights[0]._replace(**arrays),))


# -- the network -----------------------------------------------------------------------------------


def test_the_largest_of_all_words_and_that_of_titles_count() -> None:
    records: tuple[list[OneWord], ...] = (
        a_value("the king"),
        [*a_value("sea"), *a_value("king at war", title=False)],
        [*a_value("war war king king"), *a_value("king", title=False)],
        [],
    )
    # people: -1 + 2 + .25; -1 + 2; a word that stands there twice is no more than one; the intercept.
    # event: .5 - 1; .5 - 1, for the war is in no title; .5 - 1 + 4; .5
    assert logits(facts_model(MADE).likely(fact_words(*records))) == pytest.approx(
        np.array([[1.25, -0.5], [1, -0.5], [1.25, 3.5], [-1, 0.5]]), abs=1e-5
    )


def test_of_the_mean_all_words_count() -> None:
    model = facts_model(MADE)
    answers = np.zeros((3 * 2, 2), np.float16)
    answers[2, 0] = 6  # of people, the mean of the channel of kings
    # one king of three words, then two of four; the category has -1 without
    one, two = a_value("the king sleeps"), [*a_value("king"), *a_value("sea war king", title=False)]
    assert people(changed(model, answers=answers), one, two, []) == pytest.approx([1, 2, -1], abs=1e-5)


KING = OneWord("king", "king", joined=False, title=False)


@pytest.mark.parametrize(
    ("name", "row", "word"),
    [
        ("fields", 3, KING._replace(field=3)),
        ("tags", 7, KING._replace(tag=7)),
        ("kinds", 5, KING._replace(kinds=5)),
        ("marks", 2, KING._replace(marks=2)),
        ("files", 18, KING._replace(file=18)),
    ],
)
def test_what_a_word_is_adds_to_what_is_learnt_of_it(name: str, row: int, word: OneWord) -> None:
    model = facts_model({"people": {"d:king": 1}})
    array = getattr(model.weights[0], name).copy()
    array[row] = 0.5
    model = changed(model, **{name: array})
    # 1 of the word and .5 of what it is, each alone, neither
    words = (word, KING, word._replace(form="sea", lemma="sea"), KING._replace(form="sea", lemma="sea"))
    assert people(model, *([one] for one in words)) == pytest.approx([1.5, 1, 0.5, 0], abs=1e-5)


def test_the_meaning_of_a_word_is_the_mean_of_the_vectors_of_its_form_and_lemma() -> None:
    kings, king = open_vectors().encode(["kings", "king"]).astype(np.float64)
    largest = int(np.argmax(kings + king))
    model = facts_model({"people": {"d:queen": 1}})
    meaning = np.zeros((384, 1), np.float16)
    meaning[largest] = 2
    model = changed(model, meaning=meaning, base=np.full((1, 1), 0.25, np.float16))
    # .25 + 2 (kings + king) / 2 of that number of the vectors
    expected = 0.25 + kings[largest] + king[largest]
    assert people(model, [KING._replace(form="kings")]) == pytest.approx([expected], abs=1e-5)


# rows of a layer of two channels, king and sea: of the word before 0 and 1, its own 2 and 3, that behind 4, 5
BEFORE, BEHIND = 1, 5


@pytest.mark.parametrize(
    ("row", "seen", "unseen"),
    [(BEFORE, "sea king", "king sea"), (BEHIND, "king sea", "sea king")],
)
def test_a_word_sees_those_beside_it_in_the_same_value(row: int, seen: str, unseen: str) -> None:
    model = facts_model({"people": {"d:king": 1, "d:sea": 0}})
    first = np.zeros((6, 2), np.float16)
    first[row, 0] = 4
    model = changed(model, first=first)
    # 1 of the king and 4 of the sea beside it; no sea on this side; only the word between them sees the sea
    records = (a_value(seen), a_value(unseen), a_value(seen.replace(" ", " of ")))
    assert people(model, *records) == pytest.approx([5, 1, 4], abs=1e-5)
    # nor in another value, nor in another record: the sea alone says 0
    one, other = map(a_value, seen.split())
    assert people(model, [*one, *other]) == pytest.approx([1], abs=1e-5)
    assert sorted(people(model, one, other)) == pytest.approx([0, 1], abs=1e-5)


def test_the_second_layer_sees_one_word_further() -> None:
    # channels: king, relay, sea; the sea lights the relay of the next word, and this the king of its next
    model = facts_model({"people": {"d:king": 1, "d:relay": 0, "d:sea": 0}})
    first, second = np.zeros((2, 9, 3), np.float16)
    first[2, 1], second[1, 0] = 1, 3
    base = np.array([[-0.25, 0, 0]], np.float16)
    model = changed(model, first=first, second=second, second_base=base)
    # 1 + relu(3 - .25); the king who is nearer relays it to nobody, and from farther off only the second "of"
    # has its relu(3 - .25)
    records = (a_value("sea of king"), a_value("sea king"), a_value("sea of of king"))
    assert people(model, *records) == pytest.approx([3.75, 1, 2.75], abs=1e-5)


def test_of_no_records_nothing_is_said() -> None:
    assert facts_model(MADE).likely(fact_words()).shape == (0, 2)


def random_model(numbers: np.random.Generator, channels: int = 5) -> FactsModel:
    model = facts_model(MADE)
    weights = random_weights(numbers, len(WORDS), len(MADE), channels)
    return FactsModel(model.manifest, model.words, (weights,))


@given(
    seed=st.integers(0, 2**32 - 1),
    size=st.integers(1, 20),
    channels=st.sampled_from([1, 2, 5, 8, 16, 33, 64]),
)
def test_a_record_gets_the_same_numbers_to_the_last_bit_in_whatever_company(
    seed: int, size: int, channels: int
) -> None:
    numbers = np.random.default_rng(seed)
    model = random_model(numbers, channels)
    records = [random_words(numbers, WORDS) for _ in range(size)]
    together = model.likely(fact_words(*records))
    alone = np.vstack([model.likely(fact_words(own)) for own in records])
    order = numbers.permutation(size).tolist()
    permuted = model.likely(fact_words(*(records[row] for row in order)))
    assert together.tobytes() == alone.tobytes()
    assert permuted.tobytes() == alone[order].tobytes()


# -- what speaks for a category --------------------------------------------------------------------


def contributions(model: FactsModel, words: FactWords, category: int) -> Doubles:
    return model.contributions(words, 0, model.states(words), category)


def test_a_word_adds_what_it_is_the_largest_of() -> None:
    own = fact_words([*a_value("the king"), *a_value("king at war", title=False)])
    # 2 and .25 of the first king, for the second is no larger
    assert contributions(facts_model(MADE), own, 0).tolist() == [0, 2.25, 0, 0, 0]
    # -1 of the king; the war is in no title
    assert contributions(facts_model(MADE), own, 1).tolist() == [0, -1, 0, 0, 0]


@given(seed=st.integers(0, 2**32 - 1))
def test_contributions_add_up_to_the_logit_less_its_intercept(seed: int) -> None:
    numbers = np.random.default_rng(seed)
    model = random_model(numbers)
    own = fact_words(random_words(numbers, WORDS))
    (row,) = logits(model.likely(own))
    for category, logit in enumerate(row):
        added = contributions(model, own, category)
        assert added.shape == own.rows.shape
        expected = logit - model.weights[0].intercepts[0, category].item()
        # the logit is that of a share in single precision
        assert added.sum() == pytest.approx(expected, abs=1e-3 * (1 + np.exp(abs(logit)) / 1000))


# -- files -----------------------------------------------------------------------------------------


def test_what_is_written_is_read(tmp_path: Path) -> None:
    made = facts_model(MADE, frequencies=(0.25, 0.125))
    size = save(tmp_path, made)
    files = sorted(tmp_path.iterdir())
    assert size == sum(path.stat().st_size for path in files)
    assert [path.name.partition("-")[0] for path in files] == ["manifest.json", "vocabulary", "weights"]
    model = open_facts(tmp_path)
    assert (model.words, model.vocabulary) == (WORDS, {"king": 0, "war": 1})
    digests = {"vocabulary_sha256": "", "weights_sha256": ""}
    assert model.manifest.model_copy(update=digests) == made.manifest
    assert [each.tolist() for each in model.weights[0]] == [each.tolist() for each in made.weights[0]]
    known = fact_words(a_value("king at sea"))
    assert model.likely(known).tobytes() == made.likely(known).tobytes()


def test_a_second_model_takes_the_place_of_the_first(tmp_path: Path) -> None:
    save(tmp_path, facts_model(MADE))
    save(tmp_path, facts_model({"people": {"t:queen": 1}}))
    assert len(list(tmp_path.iterdir())) == 3
    assert open_facts(tmp_path).words == ("queen",)


def test_a_model_may_know_no_words(tmp_path: Path) -> None:
    save(tmp_path, facts_model({"people": {"base": 1}}))
    model = open_facts(tmp_path)
    assert model.words == ()
    assert people(model, a_value("the king"), []) == pytest.approx([1, 1], abs=1e-5)


def test_the_name_is_that_of_the_files(tmp_path: Path) -> None:
    def name(folder: str, categories: Mapping[str, Slopes], **changed: object) -> str:
        save(tmp_path / folder, facts_model(categories, **changed))
        return open_facts(tmp_path / folder).name

    first = name("first", MADE)
    assert len(first) == 16
    assert name("same", MADE) == first
    # what a model says of itself is not of its numbers
    assert name("measured", MADE, auc={}) == first
    words = {kind: {word.replace("king", "lord"): n for word, n in own.items()} for kind, own in MADE.items()}
    numbers = {**MADE, "event": {**MADE["event"], "base": 0.75}}
    assert len({first, name("words", words), name("numbers", numbers)}) == 3


@pytest.mark.parametrize("kind", ["manifest.json", "vocabulary-*.txt", "weights-*.npz"])
@pytest.mark.parametrize("harm", ["cut", "altered", "gone"])
def test_a_damaged_model_is_refused_with_what_to_do(tmp_path: Path, kind: str, harm: str) -> None:
    save(tmp_path, facts_model(MADE))
    (path,) = tmp_path.glob(kind)
    data = path.read_bytes()
    if harm == "gone":
        path.unlink()
    else:
        path.write_bytes(data[:-3] if harm == "cut" else data[:-3] + b"xyz")
    with pytest.raises(DamagedArtefact, match="python -m training facts"):
        open_facts(tmp_path)


@pytest.mark.parametrize("part", FactsWeights._fields)
@pytest.mark.parametrize("way", ["a row less", "a column less", "no number"])
def test_numbers_of_another_shape_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, part: str, way: str
) -> None:
    made = facts_model(MADE)
    array = getattr(made.weights[0], part)
    wrong = {"a row less": array[:-1], "a column less": array[:, :-1], "no number": array * np.nan}[way]
    monkeypatch.setattr(made, "weights", (made.weights[0]._replace(**{part: wrong}),))
    save(tmp_path, made)
    with pytest.raises(DamagedArtefact, match="does not hold numbers of the shapes"):
        open_facts(tmp_path)


def test_a_model_of_another_format_is_refused(tmp_path: Path) -> None:
    save(tmp_path, facts_model(MADE, format=2))
    with pytest.raises(DamagedArtefact, match="does not fit its format"):
        open_facts(tmp_path)


def test_the_model_that_comes_with_kindred() -> None:
    model = open_facts(SHIPPED)
    assert model.name == MODEL
    presence = {"event", "maker", "people", "people/shown", "place", "place/shown"}
    assert presence <= set(model.manifest.categories)
    assert all(0 < share < 1 for share in model.manifest.frequencies)
    assert model.manifest.encoder == fingerprint()
