"""The model of what records are about: its network, its files, how it learns, and what is refused."""

import json
from collections.abc import Mapping
from math import e
from pathlib import Path

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from evaluation.fact_models import fact_models
from features.arrays import Halves
from features.facts import about
from features.facts.about import (
    FOLDER,
    MODEL,
    AboutManifest,
    AboutModel,
    AboutWeights,
    about_model,
    open_about,
    save,
)
from features.facts.model import SHIPPED
from features.facts.words import TAGS
from features.knowledge.resources import Resources, ResourceSettings
from features.profiles.analysis import AnalysisSettings
from features.text.piece_sums import fingerprint, open_model
from ingest.errors import DamagedArtefact, UsageError
from tests.features.facts import models
from tests.features.facts.models import OneWord, a_value, fact_words, random_words
from tests.features.facts.test_facts_training import a_museum, toy_analysis, written
from tests.features.knowledge.test_wordnet_words import MINI, MINIATURE
from training import about as training
from training import fact_texts
from training.about import AboutStudent, learn, train_about
from training.fact_texts import StudentTexts
from training.facts import WHOLE

pytestmark = pytest.mark.usefixtures("one_thread")

VERB = TAGS.index("VERB")


def random_model(numbers: np.random.Generator, channels: int = 5) -> AboutModel:
    shapes = AboutWeights.shapes(channels)
    weights = AboutWeights(
        **{name: numbers.normal(0, 0.3, shape).astype(np.float16) for name, shape in shapes.items()}
    )
    return AboutModel(AboutManifest(encoder=fingerprint(), channels=channels, records=3), weights)


# -- the network -----------------------------------------------------------------------------------


def test_a_record_is_about_its_lemmas_by_how_salient_they_are() -> None:
    king, sail = open_model().encode(["king", "sail"]).astype(np.float64)
    # the verb counts e^.5 times as much; of a word in another form the lemma counts alone
    own = fact_words([OneWord("kings", "king", False, True), OneWord("sailed", "sail", True, True, tag=VERB)])
    model = models.about_model(VERB=0.5)
    expected = king + np.exp(0.5) * sail
    assert model.read(own)[0] == pytest.approx(expected / np.linalg.norm(expected), abs=1e-3)
    assert model.salience(own) == pytest.approx([1, np.exp(0.5)], abs=1e-3)


def test_a_word_beside_another_may_count_for_more() -> None:
    model = models.about_model(VERB=0.5)
    layer = np.zeros((3, 1), np.float16)
    layer[0] = 2  # of the word before: 2 x .5 where that is a verb
    model = AboutModel(model.manifest, model.weights._replace(layer=layer))
    sail, king = OneWord("sail", "sail", False, True, tag=VERB), OneWord("king", "king", True, True)
    assert model.salience(fact_words([sail, king])) == pytest.approx([np.exp(0.5), e], abs=1e-3)
    # in another value it does not
    apart = fact_words([sail, king._replace(joined=False)])
    assert model.salience(apart) == pytest.approx([np.exp(0.5), 1], abs=1e-3)


def test_salience_has_bounds() -> None:
    own = fact_words([OneWord("sail", "sail", False, True, tag=VERB)])
    assert models.about_model(VERB=100).salience(own) == pytest.approx([np.exp(8)])


def test_a_record_without_words_is_about_nothing() -> None:
    assert models.about_model().read(fact_words([], a_value("king"))).any(axis=1).tolist() == [False, True]
    assert models.about_model().read(fact_words()).shape == (0, 384)


@given(
    seed=st.integers(0, 2**32 - 1), size=st.integers(1, 12), channels=st.sampled_from([1, 2, 5, 8, 33, 64])
)
def test_a_record_gets_the_same_numbers_to_the_last_bit_in_whatever_company(
    seed: int, size: int, channels: int
) -> None:
    numbers = np.random.default_rng(seed)
    model = random_model(numbers, channels)
    records = [random_words(numbers, ("king", "sea")) for _ in range(size)]
    together = model.read(fact_words(*records))
    alone = np.vstack([model.read(fact_words(own)) for own in records])
    order = numbers.permutation(size).tolist()
    assert together.tobytes() == alone.tobytes()
    assert model.read(fact_words(*(records[row] for row in order))).tobytes() == alone[order].tobytes()


# -- files -----------------------------------------------------------------------------------------


def test_what_is_written_is_read(tmp_path: Path) -> None:
    made = random_model(np.random.default_rng(1))
    size = save(tmp_path, made)
    files = sorted(tmp_path.iterdir())
    assert size == sum(path.stat().st_size for path in files)
    assert [path.name.partition("-")[0] for path in files] == ["manifest.json", "weights"]
    model = open_about(tmp_path)
    assert [each.tolist() for each in model.weights] == [each.tolist() for each in made.weights]
    known = fact_words(a_value("king at sea"))
    assert model.read(known).tobytes() == made.read(known).tobytes()


def spoilt(name: str, change: Halves) -> AboutModel:
    model = random_model(np.random.default_rng(1))
    return AboutModel(model.manifest, model.weights._replace(**{name: change}))


@pytest.mark.parametrize(
    "model",
    [
        spoilt("salience", np.zeros((4, 1), np.float16)),
        spoilt("projection", np.full((384, 384), np.nan, np.float16)),
    ],
    ids=["of another shape", "no numbers"],
)
def test_numbers_that_do_not_fit_are_refused(tmp_path: Path, model: AboutModel) -> None:
    save(tmp_path, model)
    with pytest.raises(DamagedArtefact, match="does not hold numbers of the shapes"):
        open_about(tmp_path)


def test_a_cut_file_is_refused(tmp_path: Path) -> None:
    save(tmp_path, random_model(np.random.default_rng(1)))
    (weights,) = tmp_path.glob("weights-*")
    weights.write_bytes(weights.read_bytes()[:-1])
    with pytest.raises(DamagedArtefact, match="does not fit its checksum; reinstall Kindred"):
        open_about(tmp_path)


def test_the_model_that_comes_with_kindred() -> None:
    model = open_about(SHIPPED / FOLDER)
    assert (model.name, model.manifest.encoder) == (MODEL, fingerprint())
    assert (model.manifest.cosine or 0) > 0.6
    # what it is about counts for more than what it is made of and who gave it
    own = fact_words(a_value("Bridge over a river"), a_value("etching ; gift of a friend", title=False))
    phrase = open_model().encode(["bridge over a river"])[0]
    both = model.read(
        fact_words([*a_value("Bridge over a river"), *a_value("gift of a friend", title=False)])
    )
    assert both[0] @ phrase > 0.8
    assert model.read(own)[0] @ phrase > 0.8


def test_another_model_than_the_settings_name_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save(tmp_path / FOLDER, models.about_model())
    resources = Resources(ResourceSettings(wordnet=MINIATURE), tmp_path)
    monkeypatch.setattr(about, "SHIPPED", tmp_path)
    with pytest.raises(DamagedArtefact, match=f"not '{MODEL}'; run: kindred build"):
        about_model(resources, MODEL)
    # a model that is asked for may have any name, but not other vectors
    assert about_model(resources.with_facts(tmp_path), MODEL).name != MODEL
    made = models.about_model()
    other = AboutModel(made.manifest.model_copy(update={"encoder": "another"}), made.weights)
    save(tmp_path / "other" / FOLDER, other)
    with pytest.raises(DamagedArtefact, match="learnt from other vectors of words"):
        about_model(resources.with_facts(tmp_path / "other"), MODEL)


# -- how it learns ---------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(3))
def test_the_student_and_the_model_read_the_same(seed: int) -> None:
    numbers = np.random.default_rng(seed)
    torch.manual_seed(seed)
    student = AboutStudent().eval()
    with torch.no_grad():
        # as they are in 16 bits
        for each in student.parameters():
            each.copy_(each.half().float())
    texts = StudentTexts.of([fact_words(*([random_words(numbers, ()) for _ in range(8)] + [[]]))])
    rows = np.array([5, 8, 2])
    expected = torch.nn.functional.normalize(student(texts, rows), dim=1).detach().numpy()
    model = AboutModel(AboutManifest(encoder="", channels=64, records=0), student.weights())
    assert model.read(texts.words)[rows] == pytest.approx(expected, abs=1e-4)


def test_it_learns_which_words_are_salient(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, number in (("_ROUNDS", 30), ("_RATE", 0.02), ("_WARM", 1)):
        monkeypatch.setattr(training, name, number)
    # records are about what they do, whatever they are of
    nouns = ["king", "sea", "horse", "boat", "tower", "garden"]
    verb = OneWord("sail", "sail", True, True, tag=VERB)
    records = [[OneWord(noun, noun, False, True), verb] for noun in nouns * 5]
    (sail,) = open_model().encode(["sail"])
    texts = StudentTexts.of([fact_words(*records)])
    numbers = learn(texts, np.tile(sail, (30, 1)), np.arange(30))
    model = AboutModel(AboutManifest(encoder="", channels=64, records=30), numbers)
    chair, salience = model.salience(fact_words([OneWord("chair", "chair", False, True), verb]))
    assert salience > 3 * chair


def test_every_division_gets_a_model_that_learnt_nothing_from_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fact_texts, "analyse_pending", toy_analysis)
    lines: list[Mapping[str, object]] = [
        {**line, "about": ["king" if n < 10 else "sea"]}
        for name in "abcde"
        for n, line in enumerate(a_museum(name))
    ]
    messages = list[str]()
    divided = tmp_path / "out" / "divisions"
    divided.mkdir(parents=True)
    # e is in the division of a
    (divided / "museums.json").write_text(json.dumps(dict(zip("abcde", "abcda", strict=True))))
    figures = train_about(
        written(tmp_path, lines),
        tmp_path / "out",
        tmp_path / "work",
        MINI.wordnet,
        analysis=AnalysisSettings(),
        say=messages.append,
    )
    assert figures.keys() == {"mean", *"abcde"}
    assert 0.5 < figures["mean"] <= 1
    assert figures["mean"] == pytest.approx(np.mean([figures[name] for name in "abcde"]), abs=1e-3)
    first, whole = open_about(divided / "a" / FOLDER), open_about(tmp_path / "out" / WHOLE / FOLDER)
    assert (first.manifest.records, whole.manifest.records) == (60, 100)
    assert (first.manifest.cosine, whole.manifest.cosine) == (None, figures["mean"])
    assert messages == [f"{name}: the model is learnt" for name in "abcd"]


def test_the_models_that_come_with_the_divisions_learnt_nothing_from_them() -> None:
    folders = fact_models(Path("training") / "divisions")
    whole = open_about(SHIPPED / FOLDER).manifest.records
    learnt = {folder: open_about(folder / FOLDER).manifest.records for folder in folders.values()}
    # each record is left out by one model of four
    assert sum(whole - records for records in learnt.values()) == whole


def test_a_collection_of_no_division_is_refused(tmp_path: Path) -> None:
    (tmp_path / "out" / "divisions").mkdir(parents=True)
    (tmp_path / "out" / "divisions" / "museums.json").write_text('{"a": "a"}')
    given = (written(tmp_path, a_museum("b")), tmp_path / "out", tmp_path / "work", MINI.wordnet)
    with pytest.raises(UsageError, match=r"does not say of which division 'b' is; python -m training facts"):
        train_about(*given, analysis=AnalysisSettings(), say=print)
