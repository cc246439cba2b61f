from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from math import isnan
from pathlib import Path
from time import sleep

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from features.measures import dense
from features.measures.base import ROUNDING, plain
from features.measures.parts import RowPart
from features.measures.sentences import SentencesSettings
from features.profiles.blocks import Block
from features.profiles.profile import AnalysedValue, Occurrence, Profile, SentenceVector, decode, encode
from features.profiles.sentence_texts import SentenceVectors, sentence_texts
from features.text import minilm, piece_sums
from features.text.minilm import MiniLM
from features.text.sentence_vectors import quantised
from features.text.sentences import Encoder, check, fingerprint, open_encoder
from ingest.errors import DamagedArtefact, ResourceMissing
from tests.builders import NONE, record, value
from tests.features.measures.columns import Tried, fitted_arrays, tried

installed = pytest.mark.skipif(
    not fingerprint("full"), reason="needs the extra: pip install 'kindred[sentences]'"
)

REFERENCE = (
    ("A man is playing a guitar on stage", "Someone performs music for an audience", 0.50393),
    ("View of Venice from the lagoon", "The Grand Canal with gondolas, Venice", 0.58565),
    ("View of Venice from the lagoon", "Portrait of an old woman in a red shawl", 0.13821),
    ("A mother bathing her child", "Woman washing an infant in a tub", 0.66993),
    ("Wrecked cars after the 1936 flood", "Automobiles destroyed by high water", 0.62479),
    ("Untitled", "Study of Sky", 0.2014),
    # cut at 128 tokens
    ("A storm at sea. " * 60, "A man is playing a guitar on stage", 0.01145),
)
"""Cosines that sentence-transformers 6.2.0 gives with this model, read up to 128 tokens."""


@pytest.fixture(scope="module")
def full() -> MiniLM:
    return MiniLM()


@pytest.fixture(scope="module")
def compact() -> Encoder:
    return open_encoder("compact")


@installed
def test_the_cosines_are_those_of_the_reference_implementation(full: MiniLM) -> None:
    left = full.encode([pair[0] for pair in REFERENCE])
    right = full.encode([pair[1] for pair in REFERENCE])
    assert (left * right).sum(axis=1) == pytest.approx([pair[2] for pair in REFERENCE], abs=2e-5)
    assert np.linalg.norm(left, axis=1) == pytest.approx(1.0)


@installed
def test_a_vector_of_the_full_encoder_does_not_depend_on_its_batch(full: MiniLM) -> None:
    texts = [*(pair[0] for pair in REFERENCE), "", "?", "é" * 1000]
    together = full.encode(texts)
    assert together == pytest.approx(np.concatenate([full.encode([text]) for text in texts]), abs=1e-5)
    assert full.encode([]).shape == (0, 384)


def test_the_compact_encoder_gives_a_text_one_vector_in_whatever_company(compact: Encoder) -> None:
    texts = [*(pair[0] for pair in REFERENCE), "", "é" * 1000]
    together = compact.encode(texts)
    assert (together == np.concatenate([compact.encode([text]) for text in texts])).all()
    assert np.linalg.norm(together[:7], axis=1) == pytest.approx(1.0)
    assert compact.encode([]).shape == (0, 384)


def test_the_compact_encoder_knows_what_is_alike(compact: Encoder) -> None:
    left = compact.encode([pair[0] for pair in REFERENCE[:6]])
    right = compact.encode([pair[1] for pair in REFERENCE[:6]])
    # near to what MiniLM says, of which it was learnt, and in the same order but for near ones
    assert (left * right).sum(axis=1) == pytest.approx([pair[2] for pair in REFERENCE[:6]], abs=0.25)


def test_a_text_without_a_known_piece_has_no_vector(compact: Encoder) -> None:
    maker = SentenceVectors(compact)
    assert not compact.encode(["", "\U0001f6a4"]).any()
    assert maker.of([record("a", "\U0001f6a4")]) == [()]


def test_eight_bits_keep_the_cosines(compact: Encoder) -> None:
    exact = compact.encode([text for left, right, _ in REFERENCE for text in (left, right)])
    rough = quantised(exact).astype(np.float64)
    rough /= np.linalg.norm(rough, axis=1, keepdims=True)
    assert np.abs(rough @ rough.T - exact @ exact.T).max() <= 0.005


def test_records_get_the_vectors_of_their_texts_each_distinct_one_once(compact: Encoder) -> None:
    encoded: list[str] = []

    class Noting:
        def encode(self, texts: Sequence[str]) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
            encoded.extend(texts)
            return compact.encode(texts)

    maker = SentenceVectors(Noting())
    boat, nothing, sea = record("a", "Boat", description="Purchased 1979"), record("b"), record("c", "Sea")
    results = maker.of([boat, nothing, sea, boat])
    assert maker.of([boat]) == [results[0]] == [results[3]]
    assert sorted(encoded) == ["Boat", "Sea"]
    assert results[1] == ()
    # nothing of the description is left, so that both texts are the title
    assert [vector.text for vector in results[0]] == ["content", "all"]
    assert {vector.numbers for vector in results[0]} == {quantised(compact.encode(["Boat"])).tobytes()}
    assert decode(encode(Profile((), results[0]))).vectors == results[0]


def test_threads_that_ask_at_once_get_their_own_and_each_text_is_encoded_once() -> None:
    encoded: list[str] = []

    class Slow:
        def encode(self, texts: Sequence[str]) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
            encoded.extend(texts)
            sleep(0.01)
            return np.array([[len(text), 1] for text in texts], np.float32)

    maker = SentenceVectors(Slow())
    boats = [record(str(number), "Boat" + "s" * number) for number in range(6)]
    with ThreadPoolExecutor(8) as threads:
        results = list(threads.map(lambda boat: maker.of([boat]), boats * 4))
    assert sorted(encoded) == sorted(boat.title[0].text for boat in boats)
    # "Boat" is (4, 1), of which 127 / 4 = 31.75 becomes 32; "Boats" is (5, 1), and 127 / 5 = 25.4
    numbers = [one[0][0].numbers for one in results]
    assert numbers[:2] == [bytes([127, 32]), bytes([127, 25])]
    assert numbers == numbers[:6] * 4


def test_without_the_extra_the_command_that_brings_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(minilm, "_PACKAGE", "a-package-that-nobody-has")
    assert fingerprint("full") == ""
    over_full = settings("content").with_encoder("full")
    assert (over_full.needs, settings("content").needs) == (("sentences",), ())
    for ask in (lambda: check("full"), lambda: open_encoder("full"), lambda: over_full.builder(NONE)):
        with pytest.raises(ResourceMissing, match=r"pip install 'kindred\[sentences\]'"):
            ask()


# -- the compact encoder: a model made by hand -----------------------------------------------------

VOCABULARY = ("[PAD]", "[UNK]", "boat", "##s", "sea")


def model_by_hand(folder: Path) -> Path:
    """A boat is (2, 0, ...), its plural adds (0, 1), the sea is (0, 5)."""
    vectors = np.zeros((len(VOCABULARY), 384), np.float32)
    vectors[2:, :2] = ((2, 0), (0, 1), (0, 5))
    piece_sums.save(folder, VOCABULARY, vectors, [("boats", "sea")], 3, {"cosine_all": 0.9})
    return folder


def test_the_vector_of_a_text_is_the_sum_of_its_pieces(tmp_path: Path) -> None:
    model = piece_sums.open_model(model_by_hand(tmp_path))
    # (2, 0) + (0, 1), of length sqrt(5); the sea and its boat (2, 5), of length sqrt(29)
    results = model.encode(["BOATS", "Sea, boat.", "ship"])
    assert results[:, :2] == pytest.approx(
        np.array([[2 / 5**0.5, 1 / 5**0.5], [2 / 29**0.5, 5 / 29**0.5], [0, 0]]), abs=1e-6
    )
    # no more than 126 pieces are read
    assert (model.encode(["boat " * 126]) == model.encode(["boat " * 126 + "sea"])).all()


@pytest.mark.parametrize("name", ["manifest.json", "vocabulary-*.txt", "pieces-*.npz"])
def test_a_damaged_model_is_refused_with_what_to_do(tmp_path: Path, name: str) -> None:
    (path,) = model_by_hand(tmp_path).glob(name)
    path.write_bytes(path.read_bytes()[:-3] + b"xyz")
    with pytest.raises(DamagedArtefact, match="reinstall Kindred, or, in a checkout, train it again"):
        piece_sums.open_model(tmp_path)


def test_a_model_that_answers_otherwise_than_when_it_was_made_is_refused(tmp_path: Path) -> None:
    path = model_by_hand(tmp_path) / "manifest.json"
    # 1 / sqrt(5)
    path.write_text(path.read_text().replace("0.44721", "0.5"))
    with pytest.raises(DamagedArtefact, match=r"'boats' and 'sea' a cosine of 0\.4472; expected 0\.5"):
        piece_sums.open_model(tmp_path)


def test_the_texts_of_a_record() -> None:
    of = record(
        "a",
        "Boats",
        creator="Ada Reed",
        subject="boat|sea",
        description="Boats in a storm. Gift of Tom Hall",
        date="1840",
        places="Europe > Italia > Venice",
    )
    assert sentence_texts(of) == {
        # the description begins with the title
        "content": "boat, sea. Boats in a storm.",
        "all": "Ada Reed. boat, sea. Boats in a storm. 1840. Venice",
    }
    assert sentence_texts(record("b")) == {}


# -- the measure: vectors made by hand ------------------------------------------------------------


def settings(text: str, *, scaled: bool = False) -> SentencesSettings:
    return SentencesSettings.model_validate({"measure": "sentences", "text": text, "scaled": scaled})


def vector_profile(*numbers: int, text: str = "content") -> Profile:
    data = np.zeros(384, np.int8)
    data[: len(numbers)] = numbers
    return Profile((value("title", "old boats !"),), (SentenceVector(text, data.tobytes()),))


def column(profiles: list[Profile], text: str = "content", *, scaled: bool = False) -> Tried:
    return tried(profiles, settings(text, scaled=scaled))


def test_the_cosine_of_two_vectors() -> None:
    # (3, 4) with (4, 3): 24 / 25 = .96; with (-3, 4): 7 / 25 = .28; with (-4, -3): -24 / 25, that is 0
    rows = [vector_profile(4, 3), vector_profile(-3, 4), vector_profile(-4, -3), Profile(())]
    measured = column(rows)
    scores = measured.compare(vector_profile(3, 4))
    assert scores[:3].tolist() == [0.96, 0.28, 0.0]
    assert isnan(scores[3])
    assert np.isnan(measured.compare(Profile(()))).all()
    assert isnan(measured.pair(rows[0], Profile(())))
    assert isnan(measured.pair(rows[0], vector_profile(1, text="all")))


vectors = st.lists(st.integers(-127, 127), min_size=1, max_size=384).filter(any)


@given(st.lists(vectors, min_size=1, max_size=4), vectors)
def test_it_keeps_the_promises_of_a_measure(rows: list[list[int]], one: list[int]) -> None:
    profiles, query = [vector_profile(*row) for row in rows], vector_profile(*one)
    measured = column(profiles)
    measured.promises(profiles, query)
    assert measured.pair(query, query) == 1


def test_more_rows_than_a_block() -> None:
    rows = [vector_profile(3, 4), vector_profile(4, 3), Profile(())] * 1000
    scores = column(rows).compare(vector_profile(3, 4)).reshape(1000, 3)
    assert (scores[:, :2] == [1.0, 0.96]).all()
    assert np.isnan(scores[:, 2]).all()


def test_the_evidence_is_both_texts_as_one_piece() -> None:
    left, right = vector_profile(3, 4), vector_profile(4, 3)
    (evidence,) = column([left]).evidence(left, right)
    # the value from its start to its end, the mark included, which is no word of its term
    assert evidence.left == (Occurrence("old boats", "title", 0, 0, 11),)
    assert evidence.right == evidence.left
    assert (evidence.share, evidence.whole) == (1, True)
    assert column([left]).evidence(left, vector_profile(-3, -4)) == ()
    assert column([left]).evidence(left, Profile(())) == ()


def boilerplate(of: AnalysedValue, start: int) -> AnalysedValue:
    return msgspec.structs.replace(of, boilerplate=((start, of.words[-1].end),))


def test_the_evidence_names_every_value_that_the_text_is_made_of() -> None:
    described = boilerplate(value("description", "a boat . Purchased 1979"), 9)
    values = (
        value("title", "Old boats"),
        value("subject", "sea"),
        value("subject", "The", index=1),
        described,
        boilerplate(value("description", "Purchased 1979", index=1), 0),
        value("date", "1840"),
    )
    profile = Profile(values, vector_profile(1).vectors)
    (evidence,) = column([profile]).evidence(profile, profile)
    # of the descriptions the one that is all boilerplate is no part of the text; nor is the date
    assert evidence.left == (
        Occurrence("old boats", "title", 0, 0, 9),
        Occurrence("sea", "subject", 0, 0, 3),
        Occurrence("the", "subject", 1, 0, 3),
        Occurrence("a boat", "description", 0, 0, 23),
    )


def test_a_scaled_cosine_is_relative_to_the_nearest_of_a_sample() -> None:
    rows = [vector_profile(3, 4), vector_profile(4, 3), vector_profile(-3, 4), Profile(())]
    # of three items the nearest one counts, and every one is its own nearest: 1. Three items are a twentieth
    # of those that are enough: the rest is what is usual elsewhere, r = .05 x 1 + .95 x .55 = .5725, so that
    # (3, 4) gets 1 + .5 - .5725 with itself, (4, 3) .96 + .5 - .5725, and (-3, 4) .28 + .5 - .5725
    scores = column(rows, scaled=True).compare(rows[0])
    assert scores[:3] == pytest.approx([0.9275, 0.8875, 0.2075])
    assert isnan(scores[3])
    # (0, 5) is not in the sample; nearest to it are (3, 4) and (-3, 4) with .8: r = .5625
    assert column(rows, scaled=True).compare(vector_profile(0, 5))[:3] == pytest.approx(
        [0.8 + 0.5 - 0.5675, 0.6 + 0.5 - 0.5675, 0.8 + 0.5 - 0.5675]
    )


def test_features_over_one_text_share_their_cosines(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [vector_profile(3, 4), vector_profile(4, 3), vector_profile(-3, 4)]
    arrays = fitted_arrays(settings("content", scaled=True).builder(NONE), rows)
    plain_one = settings("content").column({**arrays, "densities": np.zeros(3, np.float32)}, NONE, {})
    scaled_one = settings("content", scaled=True).column(arrays, NONE, {})
    query, scaled_query = (one.of(Block([rows[0]])) for one in (plain_one, scaled_one))
    part = RowPart(slice(0, 3))
    results = plain_one.by_parts(query)(part)
    assert results == pytest.approx(plain_one.compare(query, plain_one.table), abs=ROUNDING)
    monkeypatch.setattr(dense, "single_cosines", lambda *_: pytest.fail("cosines were made again"))
    scaled_values = scaled_one.by_parts(scaled_query)(part)
    assert scaled_values == pytest.approx(scaled_one.compare(scaled_query, scaled_one.table), abs=ROUNDING)


def test_a_scaled_column_says_what_is_usual() -> None:
    # of 40 items the nearest two count: itself, and its twin beside it in two numbers that no other has;
    # 40 are two thirds of those that are enough, the rest is what is usual elsewhere
    planes = [[0] * (2 * n) for n in range(20)]
    rows = [vector_profile(*before, *two) for before in planes for two in ((3, 4), (4, 3))]
    assert plain(column(rows, scaled=True).column).usual == pytest.approx((0.98 * 2 + 0.55) / 3)
    assert plain(column(rows).column).usual is None
    assert plain(column([Profile(())], scaled=True).column).usual is None


def test_the_sample_is_evenly_spaced_and_its_nearest_twentieth_counts() -> None:
    # 1800 rows, every third without a text: 1200 have one, of which the sample takes 600.
    # 60 of those, a tenth, are (1, 0), so that the nearest 30 to (3, 4) are either all (3, 4) or all (1, 0)
    rows = [
        vector_profile(1, 0) if n // 3 < 60 else Profile(()) if n % 3 == 0 else vector_profile(0, 1)
        for n in range(1800)
    ]
    measured = column(rows, scaled=True)
    one, other = vector_profile(1, 0), vector_profile(3, 4)
    # r(1, 0) = 1; r(3, 4) = .8, to (0, 1): .6 + .5 - (1 + .8) / 2
    assert measured.pair(one, other) == pytest.approx(0.2)
    assert measured.compare(other)[[0, 1, 2]] == pytest.approx([0.2] * 3)
    # what is far from all gets more for the same cosine: r(-1, 0) = 0, of the many (0, 1)
    far = vector_profile(-1, 0)
    assert measured.pair(far, far) == 1
    assert measured.pair(one, one) == pytest.approx(0.5)


@given(st.lists(vectors, max_size=40), vectors, vectors)
def test_scaled_ones_keep_the_promises_of_a_measure(
    rows: list[list[int]], one: list[int], two: list[int]
) -> None:
    profiles, query, other = (
        [vector_profile(*row) for row in rows],
        vector_profile(*one),
        vector_profile(*two),
    )
    measured = column(profiles, scaled=True)
    measured.promises(profiles, query)
    # without a collection nothing is usual
    assert isnan(measured.pair(query, other)) == (not rows)
