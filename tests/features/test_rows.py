"""Every measure gives an item's values with some rows, and from what is stored of it, to the last bit."""

from collections.abc import Iterator, Sequence
from typing import get_args

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from features.collection import collection
from features.collection.collection import Collection, Item
from features.knowledge.resources import Resources
from features.knowledge.subjects.model import open_subjects
from features.measures import FeatureSettings, sentences, subjects
from features.measures.base import Scores
from features.profiles import profile as profiles
from features.profiles.profile import Profile, SentenceVector, encode
from ingest.record import Record
from tests.builders import features, profile, random_records, record
from tests.features.test_walk_measure import WORDNET
from tests.wikipedia_builders import WithWikipedia, articles, built, dump_texts, packed

DECLARED = features(
    words={"measure": "tfidf"},
    makers_words={"measure": "tfidf", "scope": {"parts": ["creator"], "names": True}},
    world={"measure": "tfidf", "idf": "wikipedia", "scope": {"form": "lemma"}},
    shared={"measure": "overlap", "kind": "jaccard", "weights": "idf"},
    contained={"measure": "overlap", "kind": "containment"},
    amount={"measure": "overlap", "kind": "amount", "weights": "idf", "scope": {"parts": ["subject"]}},
    summed={"measure": "vectors", "scope": {"form": "lemma"}},
    rarely={"measure": "vectors", "weights": "idf", "scope": {"form": "lemma"}},
    soft={"measure": "cardinality", "scope": {"form": "lemma"}},
    topics={"measure": "lda", "topics": 4, "least": 1, "most": 1.0, "documents": 20},
    walked={"measure": "walk", "graph": "wordnet", "scope": {"form": "lemma"}},
    matched={"measure": "walk", "graph": "wordnet", "similarity": "pairwise", "scope": {"form": "lemma"}},
    linked={"measure": "link_vectors"},
    meaning={"measure": "sentences", "text": "content"},
    unusual={"measure": "sentences", "text": "content", "scaled": True},
    filed={"measure": "subjects", "compare": "cosine", "depth": 3},
    filed_overlap={"measure": "subjects", "compare": "overlap"},
    people={"measure": "subjects", "compare": "both", "branches": ["people"]},
    years={"measure": "years", "reading": "written"},
    gap={"measure": "intervals", "kind": "gap", "first": ["date"]},
    working={"measure": "intervals", "kind": "middle", "first": ["date"], "makers": True},
    makers={"measure": "names", "stated": True},
    shown={"measure": "presence", "signs": [{"scope": {"lemmas": ["boat"]}, "weight": 0.7}, {"scope": {}}]},
    product={"measure": "product", "walk": "walked", "cosine": "words"},
    gated={"measure": "gated", "of": "makers", "by": "unusual"},
    best={"measure": "strongest", "meaning": "places", "of": {"words": 1, "makers": 0.5}},
)


@pytest.fixture(scope="module", autouse=True)
def vectors_by_hand() -> Iterator[None]:
    """Vectors that the encoder has not made, whether it is installed or not."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sentences, "check", lambda: None)
        patch.setattr(subjects, "check", lambda: None)
        patch.setattr(subjects, "fingerprint", lambda: open_subjects().manifest.encoder)
        yield


@pytest.fixture(scope="module")
def toy(tmp_path_factory: pytest.TempPathFactory) -> Resources:
    """A small WordNet and a small Wikipedia with the texts of some articles."""
    from features.knowledge.wordnet.walks import open_walks

    folder = tmp_path_factory.mktemp("toy")
    files = {**dump_texts(), "articles.jsonl": articles({"Venice": "boats in Venice", "Troy": "a boat"})}
    resources = WithWikipedia(built(packed(folder / "dumps", files), folder / "wikipedia"), folder)
    resources.__dict__["wordnet"] = WORDNET
    resources.__dict__["wordnet_walks"] = open_walks(WORDNET, folder / "walks")
    return resources


def seen(of: Record) -> Profile:
    """The profile of a record, with a sentence vector that its title tells; none where it has no title."""
    text = " ".join(value.text for value in of.title)
    if not text:
        return profile(of)
    numbers = np.random.default_rng(list(text.encode())).integers(-127, 128, 384, np.int8)
    return Profile(profile(of).values, (SentenceVector("content", numbers.tobytes()),))


def held(records: Sequence[Record], resources: Resources) -> Collection:
    ordered = sorted(records, key=lambda one: one.id)
    return Collection.fit([Item(one, encode(seen(one))) for one in ordered], DECLARED, resources)


def same(ours: dict[str, Scores], theirs: dict[str, Scores]) -> None:
    for name in DECLARED:
        assert np.array_equal(ours[name], theirs[name], equal_nan=True), name


def test_every_measure_is_here() -> None:
    declared = {settings_.measure for settings_ in DECLARED.values()}
    kinds = get_args(get_args(FeatureSettings)[0])
    assert declared == {get_args(kind.model_fields["measure"].annotation)[0] for kind in kinds}


@settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data(), records=random_records(least=2, most=30))
def test_some_rows_have_the_numbers_of_all(
    toy: Resources, data: st.DataObject, records: list[Record]
) -> None:
    rows_ = held(records, toy)
    some = data.draw(st.sets(st.integers(0, len(records) - 1)))
    rows, row = np.array(sorted(some), np.intp), data.draw(st.integers(0, len(records) - 1))
    every = rows_.compare(rows_.profile(row), DECLARED)
    same(rows_.compare_row(row, DECLARED), every)
    wanted = {name: values[rows] for name, values in every.items()}
    same(rows_.compare(rows_.profile(row), DECLARED, rows), wanted)
    same(rows_.compare_row(row, DECLARED, rows), wanted)
    assert np.array_equal(rows_.pairs(row, rows, DECLARED), np.array([*wanted.values()]).T, equal_nan=True)
    away = seen(record("x", "Venice boating by Ada Reed", creator="Hall, Tom", date="1850"))
    every = rows_.compare(away, DECLARED)
    same(rows_.compare(away, DECLARED, rows), {name: values[rows] for name, values in every.items()})


@settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data(), records=random_records(least=4, most=30))
def test_rows_of_a_kind_have_the_same_numbers(
    toy: Resources, data: st.DataObject, records: list[Record]
) -> None:
    rows = held(records, toy)
    row = data.draw(st.integers(0, len(records) - 1))
    away = seen(record("x", "Venice boating by Ada Reed", creator="Hall, Tom", date="1850"))
    for name, twins in rows.twins.items():
        assert 2 * len(twins.first) <= len(rows)
        assert twins.kinds[twins.first].tolist() == [*range(len(twins.first))]
        for values in (rows.compare_row(row, [name])[name], rows.compare(away, [name])[name]):
            assert np.array_equal(values, values[twins.first][twins.kinds], equal_nan=True), name


def test_a_few_rows_of_many_items(toy: Resources) -> None:
    # long enough that products are taken in blocks, and that vocabularies, makers and years differ
    draw = np.random.default_rng(7)
    words = ["boat", "ship", "vessel", "church", "Venice", "Gondola", "Troy", "of", *map(str, range(40))]
    records = [
        record(
            f"m:{number:05}",
            " ".join(draw.choice(words, draw.integers(0, 12))),
            creator=f"Hall, {'ABCDEFGH'[number % 8]}da|Workshop of Tom Reed" if number % 3 else "",
            date=str(1700 + number % 240) if number % 5 else "",
        )
        for number in range(2100)
    ]
    many = held(records, toy)
    # eight makers and none; of 240 years the four fifths that are given, and none
    assert {name: len(many.twins[name].first) for name in ("makers", "gap")} == {"makers": 9, "gap": 193}
    for row in (0, 1, 1024, 2099):
        every = many.compare_row(row, DECLARED)
        same(many.compare(many.profile(row), DECLARED), every)
        for size in (1, 2, 3, 37, 1500):
            rows = np.sort(draw.choice(len(many), size, replace=False))
            same(many.compare_row(row, DECLARED, rows), {name: of[rows] for name, of in every.items()})


def test_a_row_is_seen_without_its_profile(toy: Resources, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = held([record("a", "boat of Venice", date="1840"), record("b", "ship")], toy)
    read: list[bytes] = []

    def counted(data: bytes) -> Profile:
        read.append(data)
        return profiles.decode(data)

    monkeypatch.setattr(collection, "decode_profile", counted)
    rows.compare_row(0, [name for name in DECLARED if name != "soft"])
    assert not read
    # what a word adds to a set is not kept as exactly as it is worked out
    rows.compare_row(0, ["soft", "words", "soft"])
    assert len(read) == 1


def test_pairs_of_no_features_or_no_rows(toy: Resources) -> None:
    rows = held([record("a", "boat"), record("b", "ship")], toy)
    assert rows.pairs(0, np.array([0, 1]), []).shape == (2, 0)
    assert rows.pairs(0, np.array([], np.intp), ["words", "soft"]).shape == (0, 2)
    with pytest.raises(KeyError):
        rows.pairs(0, np.array([0]), ["unheard"])
