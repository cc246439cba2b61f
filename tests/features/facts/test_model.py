"""The model of facts: its numbers, its files, and what is refused."""

from collections.abc import Mapping
from pathlib import Path
from typing import get_args

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from features.arrays import Singles
from features.facts.model import MODELS, SHIPPED, FactsModel, FactsWeights, Signals, open_facts, save
from features.measures.fact_signals import sign_names
from features.text.sentences import EncoderName, fingerprint
from ingest.errors import DamagedArtefact
from tests.features.facts.models import Slopes, facts_model

MADE: Mapping[str, Slopes] = {
    "people": {"base": -1, "content 0": 5, "every 1": 10, "kinds": 0.5, "d:king": 2, "t:king": 0.25},
    "event": {"base": 0.5, "content 1": -2.5, "d:king": -1, "t:war": 4},
}
WORDS = ("d:king", "t:king", "t:war")


def signals(
    content: list[list[int]], every: list[list[int]], kinds: list[int], terms: list[tuple[int, str]]
) -> Signals:
    """Of each record the beginnings of its vectors and its kinds of people; then which record has a word."""
    vectors = np.zeros((2, len(kinds), 384), np.int8)
    for array, beginnings in zip(vectors, (content, every), strict=True):
        for record, numbers in enumerate(beginnings):
            array[record, : len(numbers)] = numbers
    signs = np.zeros((len(kinds), len(sign_names())), np.uint8)
    signs[:, sign_names().index("kinds")] = kinds
    records = np.array([record for record, _ in terms], np.int64)
    rows = np.array([WORDS.index(word) for _, word in terms], np.int64)
    return Signals(vectors[0], vectors[1], signs, records, rows)


def logits(likely: Singles) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    shares = likely.astype(np.float64)
    return np.log(shares / (1 - shares))


def test_a_category_is_a_logistic_regression_over_all_that_is_known() -> None:
    known = signals(
        [[3, 4], [], [0, 2]], [[0, 7], [-1], []], [2, 0, 0], [(0, "d:king"), (0, "t:king"), (2, "t:war")]
    )
    # people of the first: -1 + 5 (3/5) + 10 (7/7) + 2 (.5) + 2 + .25; of the second, whose vector lies in
    # another direction, and of the third: the intercept. event: .5 - 2.5 (4/5) - 1; .5; .5 - 2.5 + 4
    answers = logits(facts_model(MADE).likely(known))
    assert answers == pytest.approx(np.array([[15.25, -2.5], [-1, 0.5], [-1, 2]]), rel=0.02)
    assert answers[1:] == pytest.approx(np.array([[-1, 0.5], [-1, 2]]), abs=1e-5)


def test_the_length_of_a_vector_means_nothing() -> None:
    model = facts_model(MADE)
    short, long = (signals([[3 * n, 4 * n]], [[]], [0], []) for n in (1, 20))
    assert model.likely(short).tolist() == model.likely(long).tolist()


def test_of_no_records_nothing_is_said() -> None:
    assert facts_model(MADE).likely(signals([], [], [], [])).shape == (0, 2)


def random_model(numbers: np.random.Generator) -> FactsModel:
    model = facts_model(MADE)
    return FactsModel(
        model.manifest,
        model.words,
        FactsWeights(*(numbers.normal(0, 2, each.shape).astype(np.float16) for each in model.weights)),
    )


@given(seed=st.integers(0, 2**32 - 1), size=st.integers(1, 40))
def test_a_record_gets_the_same_numbers_to_the_last_bit_in_whatever_company(seed: int, size: int) -> None:
    numbers = np.random.default_rng(seed)
    model = random_model(numbers)
    has = numbers.random((size, len(WORDS))) < 0.5
    content, every = numbers.integers(-127, 128, (2, size, 384), np.int8)
    content[numbers.random(size) < 0.2] = 0
    signs = numbers.integers(0, 4, (size, len(sign_names())), np.uint8)

    def some(rows: list[int]) -> Signals:
        # the words of a record come in whatever order
        records, terms = numbers.permutation(np.argwhere(has[rows])).T.reshape(2, -1)
        return Signals(content[rows], every[rows], signs[rows], records, terms)

    together = model.likely(some(list(range(size))))
    alone = np.vstack([model.likely(some([row])) for row in range(size)])
    order = numbers.permutation(size)
    assert together.tobytes() == alone.tobytes()
    assert model.likely(some(order.tolist())).tobytes() == alone[order].tobytes()


# -- files -----------------------------------------------------------------------------------------


def test_what_is_written_is_read(tmp_path: Path) -> None:
    made = facts_model(MADE, frequencies=(0.25, 0.125))
    size = save(tmp_path, made)
    files = sorted(tmp_path.iterdir())
    assert size == sum(path.stat().st_size for path in files)
    assert [path.name.partition("-")[0] for path in files] == ["manifest.json", "vocabulary", "weights"]
    model = open_facts(tmp_path)
    assert (model.words, model.vocabulary) == (WORDS, {"d:king": 0, "t:king": 1, "t:war": 2})
    digests = {"vocabulary_sha256": "", "weights_sha256": ""}
    assert model.manifest.model_copy(update=digests) == made.manifest
    assert [each.tolist() for each in model.weights] == [each.tolist() for each in made.weights]
    known = signals([[3, 4]], [[1]], [1], [(0, "d:king")])
    assert model.likely(known).tobytes() == made.likely(known).tobytes()


def test_a_second_model_takes_the_place_of_the_first(tmp_path: Path) -> None:
    save(tmp_path, facts_model(MADE))
    save(tmp_path, facts_model({"people": {"t:queen": 1}}))
    assert len(list(tmp_path.iterdir())) == 3
    assert open_facts(tmp_path).words == ("t:queen",)


def test_a_model_may_know_no_words(tmp_path: Path) -> None:
    save(tmp_path, facts_model({"people": {"base": 1}}))
    assert open_facts(tmp_path).words == ()


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
    array = getattr(made.weights, part)
    wrong = {"a row less": array[:-1], "a column less": array[:, :-1], "no number": array * np.nan}[way]
    monkeypatch.setattr(made, "weights", made.weights._replace(**{part: wrong}))
    save(tmp_path, made)
    with pytest.raises(DamagedArtefact, match="does not hold numbers of the shapes"):
        open_facts(tmp_path)


def test_a_model_of_another_format_is_refused(tmp_path: Path) -> None:
    save(tmp_path, facts_model(MADE, format=2))
    with pytest.raises(DamagedArtefact, match="does not fit its format"):
        open_facts(tmp_path)


@pytest.mark.parametrize("encoder", get_args(EncoderName))
def test_the_models_that_come_with_kindred(encoder: EncoderName) -> None:
    model = open_facts(SHIPPED[encoder])
    assert model.name == MODELS[encoder]
    assert model.manifest.signs == sign_names()
    presence = {"event", "maker", "people", "people/shown", "place", "place/shown"}
    assert presence <= set(model.manifest.categories)
    assert all(0 < share < 1 for share in model.manifest.frequencies)
    if fingerprint(encoder):
        assert model.manifest.encoder == fingerprint(encoder)
